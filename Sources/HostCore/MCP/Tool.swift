internal import Contract
internal import JSON

/// A method of the contract as a tool of the Model Context Protocol.
struct Tool {
    let name: String
    let json: JSON

    /// The tools, in the order of the contract's document.
    static let all = all(of: ContractDocuments.host)
    /// The descriptions of the tools, as `tools/list` returns them.
    static let list = JSON(all.map(\.json))
    static let names = Set(all.map(\.name))

    /// The tools of a document: the methods that a client may call, except those with `x-mcp` false.
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
        let texts = ["summary", "description"].compactMap { method[$0]?.string }
        var members: [(String, JSON)] = [
            ("name", .string(name)),
            ("description", .string(texts.joined(separator: " "))),
            ("inputSchema", Tool.input(method, schemas)),
        ]
        if let schema = method["result"]?["schema"], let output = Tool.output(schema, schemas) {
            members.append(("outputSchema", output))
        }
        if let effect = method["x-effect"]?.string.flatMap(Effect.init(rawValue:)) {
            members.append(("annotations", effect.annotations))
        }
        json = .object(JSON.Object(members))
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
        var closure = SchemaClosure(schemas)
        var properties: [(String, JSON)] = []
        var required: [JSON] = []
        for parameter in method["params"]?.array.map(Array.init) ?? [] {
            guard let name = parameter["name"]?.string, isForClients(parameter) else { continue }
            if parameter["required"] == true || isRequired(name, of: method) { required.append(.string(name)) }
            properties.append((name, described(closure.convert(parameter["schema"] ?? true), parameter["description"])))
        }
        var members: [(String, JSON)] = [
            ("type", "object"), ("properties", .object(JSON.Object(properties))), ("additionalProperties", false),
        ]
        if !required.isEmpty { members.append(("required", JSON(required))) }
        return closure.root(members)
    }

    /// The schema of the result; nil unless the result is an object, as MCP requires for structured content.
    private static func output(_ schema: JSON, _ schemas: JSON) -> JSON? {
        var closure = SchemaClosure(schemas)
        guard let members = closure.convert(closure.resolve(schema)).object, members["type"] == "object" else {
            return nil
        }
        return closure.root(members.map { ($0.name, $0.value) })
    }

    private static func isForClients(_ parameter: JSON) -> Bool {
        parameter["x-callers"]?.array?.contains("client") ?? true
    }

    private static func isRequired(_ name: String, of method: JSON) -> Bool {
        method["x-required-from"]?["client"]?.array?.contains(.string(name)) ?? false
    }

    /// The schema with the description of the parameter, which is more specific than that of its type.
    private static func described(_ schema: JSON, _ description: JSON?) -> JSON {
        guard let description, let object = schema.object ?? (schema == true ? JSON.Object([]) : nil) else {
            return schema
        }
        return .object(object.setting("description", to: description))
    }
}
