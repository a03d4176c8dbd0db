internal import JSON

/// Makes a schema of the contract's document short enough for a list of tools, which a model reads as a whole.
///
/// A short schema accepts whatever the whole schema accepts, and more: it has neither definitions nor texts of nested
/// members. The method itself checks what it gets, and its errors name the place and what is needed.
struct ShortSchema {
    private static let prefix = "#/components/schemas/"
    /// Keywords that are kept as they are.
    private static let plain: Set<String> = ["type", "enum", "const", "minimum", "maximum"]
    /// How many levels of members and elements are described.
    private static let depth = 2

    private let components: JSON

    /// - Parameter components: The document's schemas by name.
    init(_ components: JSON) { self.components = components }

    /// The short schema of a parameter.
    ///
    /// - Parameters:
    ///   - schema: The parameter's schema.
    ///   - description: The parameter's own description, which says more than that of its type.
    /// - Returns: The short schema.
    func callAsFunction(_ schema: JSON, description: JSON?) -> JSON {
        JSON(present: MemberList(shortened(schema, at: 0)) + ["description": description])
    }

    private func shortened(_ schema: JSON, at level: Int) -> [(String, JSON)] {
        let schema = resolved(schema)
        return (schema.object.map(Array.init) ?? []).compactMap { keyword, value in
            if Self.plain.contains(keyword) { return (keyword, value) }
            if keyword == "default" { return level == 0 ? (keyword, value) : nil }
            guard level < Self.depth else { return nil }
            switch keyword {
            case "required": return (keyword, value)
            case "items":
                let items = shortened(value, at: level + 1)
                return items.isEmpty ? nil : (keyword, .object(JSON.Object(items)))
            case "properties":
                let properties = (value.object.map(Array.init) ?? []).map { name, member in
                    (name, JSON.object(JSON.Object(shortened(member, at: level + 1))))
                }
                return (keyword, .object(JSON.Object(properties)))
            // Without their texts, several choices may accept one value.
            case "anyOf", "oneOf": return choices(value, at: level + 1).map { ("anyOf", $0) }
            default: return nil
            }
        }
    }

    /// The choices, each once; nil if one accepts everything.
    private func choices(_ value: JSON, at level: Int) -> JSON? {
        var choices: [JSON] = []
        for choice in value.array.map(Array.init) ?? [] {
            let short = JSON.object(JSON.Object(shortened(choice, at: level)))
            if short == [:] { return nil }
            if !choices.contains(short) { choices.append(short) }
        }
        return JSON(choices)
    }

    /// The schema that a reference to a component leads to; any other stays.
    private func resolved(_ schema: JSON) -> JSON {
        guard let path = schema["$ref"]?.string, path.hasPrefix(Self.prefix) else { return schema }
        return components[String(path.dropFirst(Self.prefix.count))] ?? true
    }
}
