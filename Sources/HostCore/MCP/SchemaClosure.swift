internal import JSON

/// Copies schemas from the contract's document so that each is complete in itself.
///
/// References into the document's components become references to `$defs`, which holds only the schemas that are
/// referenced; the contract's own extensions (`x-…`) are left out.
struct SchemaClosure {
    private static let prefix = "#/components/schemas/"
    /// Keywords whose value is a schema.
    private static let schemas: Set<String> = [
        "items", "additionalProperties", "propertyNames", "contains", "not", "if", "then", "else",
        "unevaluatedItems", "unevaluatedProperties",
    ]
    /// Keywords whose value is a list of schemas.
    private static let lists: Set<String> = ["allOf", "anyOf", "oneOf", "prefixItems"]
    /// Keywords whose value is an object of schemas; its member names are not keywords.
    private static let maps: Set<String> = ["properties", "patternProperties", "dependentSchemas"]

    private let components: JSON
    /// The names of the referenced definitions, in the order of their first reference.
    private var names: [String] = []

    /// - Parameter components: The document's schemas by name.
    init(_ components: JSON) { self.components = components }

    /// The component that a schema refers to; a schema that is no such reference is returned as it is.
    func resolve(_ schema: JSON) -> JSON {
        guard let name = SchemaClosure.name(schema["$ref"]) else { return schema }
        return components[name] ?? schema
    }

    /// A schema whose references point to `$defs`.
    mutating func convert(_ schema: JSON) -> JSON {
        guard let object = schema.object else { return schema }
        var members: [(String, JSON)] = []
        for (keyword, value) in object where !keyword.hasPrefix("x-") {
            members.append((keyword, convert(value, of: keyword)))
        }
        return .object(JSON.Object(members))
    }

    private mutating func convert(_ value: JSON, of keyword: String) -> JSON {
        if let name = keyword == "$ref" ? SchemaClosure.name(value) : nil {
            if !names.contains(name) { names.append(name) }
            return .string("#/$defs/\(name)")
        }
        if Self.schemas.contains(keyword) { return convert(value) }
        if Self.lists.contains(keyword), let list = value.array { return JSON(list.map { convert($0) }) }
        if Self.maps.contains(keyword), let map = value.object {
            return .object(JSON.Object(map.map { ($0.name, convert($0.value)) }))
        }
        return value
    }

    /// A complete schema: these members, and the definitions that they refer to directly or indirectly.
    ///
    /// - Parameter members: The members of a converted schema.
    /// - Returns: The complete schema.
    mutating func root(_ members: [(String, JSON)]) -> JSON {
        var definitions: [(String, JSON)] = []
        while definitions.count < names.count {
            let name = names[definitions.count]
            definitions.append((name, convert(components[name] ?? true)))
        }
        let own = definitions.isEmpty ? [] : [("$defs", JSON.object(JSON.Object(definitions)))]
        return .object(JSON.Object(members + own))
    }

    private static func name(_ reference: JSON?) -> String? {
        guard let text = reference?.string, text.hasPrefix(prefix) else { return nil }
        return String(text.dropFirst(prefix.count))
    }
}
