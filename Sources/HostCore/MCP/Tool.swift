internal import Contract
internal import JSON

/// A method of the contract as the Model Context Protocol describes it to a model.
struct Tool {
    let name: String
    let json: JSON

    /// The tools, in the order of the contract's document.
    static let all = all(of: ContractDocuments.host)
    /// Their descriptions, as `tools/list` gives them.
    static let list = JSON(all.map(\.json))
    static let names = Set(all.map(\.name))

    /// The tools of a document: what a client may call and no `x-mcp` holds back.
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

    // MARK: What it does

    /// What a method does to what is kept, as the document's `x-effect` says it.
    enum Effect: String, CaseIterable {
        /// It changes nothing.
        case reads
        /// It changes something, and deletes or replaces nothing.
        case adds
        /// It may delete or replace something.
        case deletes

        fileprivate var annotations: JSON {
            switch self {
            case .reads: ["readOnlyHint": true]
            case .adds: ["readOnlyHint": false, "destructiveHint": false]
            case .deletes: ["readOnlyHint": false, "destructiveHint": true]
            }
        }
    }

    // MARK: What it takes and gives

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

    /// Structured content is an object, and so is what describes it.
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

    /// The schema with the parameter's own description, which says more than that of its type.
    private static func described(_ schema: JSON, _ description: JSON?) -> JSON {
        guard let description, let object = schema.object ?? (schema == true ? JSON.Object([]) : nil) else {
            return schema
        }
        return .object(object.setting("description", to: description))
    }
}
