import JSON

/// A method, or a notification, as a document of the contract describes it.
struct WireMethod: Sendable {
    struct Parameter: Sendable {
        let name: String
        let schema: JSONSchema
        let isRequired: Bool
        /// The callers that may supply it; all callers if absent.
        let callers: Set<String>?
    }

    let name: String
    let callers: Set<String>
    /// Whether it is a tool of the Model Context Protocol, provided that clients may call it.
    let isTool: Bool
    let parameters: [Parameter]
    /// The parameters that a caller must supply besides the required ones, by caller.
    let requiredFrom: [String: Set<String>]
    /// Nil for a notification.
    let result: JSONSchema?
    let errors: Set<WireError>

    /// Reads a method at a location of a document; `names` selects its parameters, and `result` replaces its result.
    init(_ reader: SchemaReader, at pointer: String, only names: Set<String>? = nil, result: JSONSchema? = nil) throws {
        let document = reader.document
        let method = JSONPointer.value(at: pointer, in: document)
        name = method?["name"]?.string ?? ""
        callers = Set(method?["x-callers"].texts ?? [])
        isTool = method?["x-mcp"] != false
        parameters = try (method?["params"]?.array.map(Array.init) ?? []).enumerated().compactMap { index, parameter in
            let name = parameter["name"]?.string ?? ""
            guard names?.contains(name) ?? true else { return nil }
            return Parameter(
                name: name,
                schema: try JSONSchema(reader, at: "\(pointer)/params/\(index)/schema"),
                isRequired: parameter["required"]?.bool ?? false,
                callers: parameter["x-callers"].map { Set(($0 as JSON?).texts) }
            )
        }
        let required = method?["x-required-from"]?.object.map(Array.init) ?? []
        requiredFrom = Dictionary(uniqueKeysWithValues: required.map { ($0.name, Set(($0.value as JSON?).texts)) })
        let hasResult = method?["result"]?["schema"] != nil
        self.result = try result ?? (hasResult ? JSONSchema(reader, at: "\(pointer)/result/schema") : nil)
        errors = Set(
            (method?["errors"]?.array.map(Array.init) ?? []).flatMap { error in
                let target = error["$ref"]?.string.flatMap {
                    JSONPointer.value(at: String($0.dropFirst()), in: document)
                }
                return WireError.all(in: target ?? error)
            }
        )
    }

    /// A violation: the path in the message, and a description.
    struct Problem: Sendable {
        let path: String
        let sentence: String
    }

    /// The violations in params.
    ///
    /// - Parameters:
    ///   - params: By name or by position; nil if the message had none.
    ///   - caller: The caller, by the document's name for it.
    ///   - isClosed: Whether objects in them may only have members that are named.
    /// - Returns: One problem for each path and keyword.
    func problems(in params: JSON?, from caller: String, isClosed: Bool) -> [Problem] {
        func problem(_ sentence: String) -> Problem { Problem(path: "/params", sentence: sentence) }
        let available = parameters.filter { $0.callers?.contains(caller) ?? true }
        var given: [(name: String, step: String, value: JSON)] = []
        switch params {
        case nil: break
        case .array(let values):
            guard values.count <= available.count else {
                return [problem("\(name) accepts \(available.count) params, not \(values.count)")]
            }
            given = zip(available, values).enumerated().map { ($1.0.name, String($0), $1.1) }
        case .object(let members): given = members.map { ($0.name, $0.name, $0.value) }
        case let other?: return [problem("params are of type \(other.typeName)")]
        }
        var problems: [Problem] = []
        for (name, step, value) in given {
            if let parameter = available.first(where: { $0.name == name }) {
                problems += parameter.schema.findings(in: value, isClosed: isClosed).map { finding in
                    let path = "/params/\(step)\(finding.instance)"
                    return Problem(path: path, sentence: "\(path) \(finding.sentence) (\(finding.schema))")
                }
            } else if !name.hasPrefix("_") || isClosed {
                problems.append(problem("the document has no param \(name) of \(self.name) for the \(caller)"))
            }
        }
        let required = requiredFrom[caller] ?? []
        for parameter in available where parameter.isRequired || required.contains(parameter.name) {
            guard !given.contains(where: { $0.name == parameter.name }) else { continue }
            problems.append(problem("\(name) lacks the param \(parameter.name)"))
        }
        return problems
    }
}

/// An error code with its reason.
struct WireError: Hashable, Sendable {
    let code: Int64
    let reason: String

    init(code: Int64, reason: String) { (self.code, self.reason) = (code, reason) }

    /// The code and reason of an error object in a message.
    init(_ error: JSON) {
        self.init(code: error["code"]?.integer ?? 0, reason: error["data"]?["reason"]?.string ?? "")
    }

    /// The errors that an error object of a document declares: its data has one reason, or an array of reasons.
    static func all(in error: JSON) -> [WireError] {
        let reason = error["data"]?["reason"]
        let code = error["code"]?.integer ?? 0
        return (reason?.string.map { [$0] } ?? reason.texts).map { WireError(code: code, reason: $0) }
    }
}

extension JSON? {
    /// The texts of an array.
    var texts: [String] { self?.array?.compactMap(\.string) ?? [] }
}
