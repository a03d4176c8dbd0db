internal import JSON

/// Takes schemas out of the contract's document so that they stand alone.
///
/// References into the document's components become references to `$defs`, which hold what is reached
/// and nothing else; members of ours (`x-…`) are left out.
struct SchemaClosure {
    private static let prefix = "#/components/schemas/"
    /// Keywords whose value is a schema.
    private static let schemas: Set<String> = [
        "items", "additionalProperties", "propertyNames", "contains", "not", "if", "then", "else",
        "unevaluatedItems", "unevaluatedProperties",
    ]
    /// Keywords whose value is a list of schemas.
    private static let lists: Set<String> = ["allOf", "anyOf", "oneOf", "prefixItems"]
    /// Keywords whose value has schemas by names, which are no keywords.
    private static let maps: Set<String> = ["properties", "patternProperties", "dependentSchemas"]

    private let components: JSON
    /// The definitions that are reached, in the order in which they were first met.
    private var names: [String] = []

    /// - Parameter components: The document's schemas by name.
    init(_ components: JSON) { self.components = components }

    /// The schema that a reference to a component leads to; any other stays.
    func resolve(_ schema: JSON) -> JSON {
        guard let name = SchemaClosure.name(schema["$ref"]) else { return schema }
        return components[name] ?? schema
    }

    /// A schema with its references led to the definitions.
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

    /// A schema that stands alone: these members, and the definitions that they and those reach.
    ///
    /// - Parameter members: Members of a converted schema.
    /// - Returns: The whole schema.
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
