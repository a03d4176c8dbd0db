internal import Contract
internal import JSON

/// A method of the contract as a tool of the Model Context Protocol.
struct Tool {
    /// The greatest length of a description in bytes, unless its first sentence is longer.
    private static let descriptionLimit = 280

    let name: String
    let json: JSON

    /// The tools, in the order of the contract's document.
    static let all = all(of: ContractDocuments.host)
    /// The descriptions of the tools, as `tools/list` returns them.
    static let list = JSON(all.map(\.json))
    static let names = Set(all.map(\.name))

    /// The tools of a document: the methods that a client may call, without what has `x-mcp` false.
    static func all(of document: JSON) -> [Tool] {
        let schemas = document["components"]?["schemas"] ?? [:]
        return (document["methods"]?.array.map(Array.init) ?? []).compactMap { method in
            let callers = method["x-callers"]?.array.map(Array.init) ?? []
            guard callers.contains("client"), method["x-mcp"] != false else { return nil }
            return Tool(method, schemas: schemas)
        }
    }

    private init?(_ method: JSON, schemas: JSON) {
        guard let name = method["name"]?.string else { return nil }
        self.name = name
        let text = ["summary", "description"].compactMap { method[$0]?.string }.joined(separator: " ")
        json = JSON(present: [
            "name": .string(name),
            "description": .string(Self.shortened(text)),
            "inputSchema": Tool.input(method, schemas),
            "annotations": method["x-effect"]?.string.flatMap(Effect.init(rawValue:))?.annotations,
        ])
    }

    // MARK: Effect

    /// The effect of a method on stored data, from the document's `x-effect`.
    enum Effect: String, CaseIterable {
        /// The method changes nothing.
        case reads
        /// The method changes something, but deletes and replaces nothing.
        case adds
        /// The method may delete or replace something.
        case deletes

        fileprivate var annotations: JSON {
            switch self {
            case .reads: ["readOnlyHint": true]
            case .adds: ["readOnlyHint": false, "destructiveHint": false]
            case .deletes: ["readOnlyHint": false, "destructiveHint": true]
            }
        }
    }

    // MARK: Schemas

    private static func input(_ method: JSON, _ schemas: JSON) -> JSON {
        let short = ShortSchema(schemas)
        var properties: [(String, JSON)] = []
        var required: [JSON] = []
        for parameter in method["params"]?.array.map(Array.init) ?? [] {
            guard let name = parameter["name"]?.string, isForClients(parameter) else { continue }
            if parameter["required"] == true || isRequired(name, of: method) { required.append(.string(name)) }
            properties.append((name, short(parameter["schema"] ?? true, description: parameter["description"])))
        }
        return JSON(present: [
            "type": "object", "properties": .object(JSON.Object(properties)), "additionalProperties": false,
            "required": JSON(nonEmpty: required),
        ])
    }

    private static func isForClients(_ parameter: JSON) -> Bool {
        parameter["x-mcp"] != false && parameter["x-callers"]?.array?.contains("client") ?? true
    }

    private static func isRequired(_ name: String, of method: JSON) -> Bool {
        method["x-required-from"]?["client"]?.array?.contains(.string(name)) ?? false
    }

    /// The first sentences of a text, as many as fit.
    private static func shortened(_ text: String) -> String {
        var short = ""
        for sentence in text.split(separator: ". ", omittingEmptySubsequences: false) {
            let next = short.isEmpty ? String(sentence) : "\(short). \(sentence)"
            guard short.isEmpty || next.utf8.count <= descriptionLimit else { return short + "." }
            short = next
        }
        return short
    }
}

/// Makes a schema of the contract's document short enough for a list of tools, which a model reads as a whole.
///
/// A short schema accepts whatever the whole schema accepts, and more: it has neither definitions nor texts of nested
/// members. The method itself checks what it gets, and its errors name the place and what is needed.
private struct ShortSchema {
    private static let prefix = "#/components/schemas/"
    /// Keywords that are kept as they are.
    private static let plain: Set<String> = ["type", "enum", "const", "minimum", "maximum"]
    /// How many levels of members and elements are described.
    private static let depth = 2

    private let components: JSON

    init(_ components: JSON) { self.components = components }

    /// The short schema of a parameter, with its own description, which is more precise than that of its type.
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
