internal import Contract
internal import JSON
internal import Platform

/// The members of messages that may differ each time a session runs.
///
/// The contract marks them with `x-volatile`: `run` means that the member may always differ, `clock` that it may differ
/// unless the clock is fixed. Random values do not differ, because a replay uses the recorded seed.
package struct VolatileMembers {
    /// Names of members that the user declared volatile at every level.
    let names: Set<String>
    /// Paths of members that the user declared volatile.
    private let paths: Set<MemberPath>

    /// What the contract says of them.
    private let contract: ContractMembers
    private let isShifted: Bool
    private let header: RecordingHeader

    /// The numbers of records, which count what was saved before, in the results of the methods that have them.
    private static let recordNumbers: [String: MemberPath] = Dictionary(
        uniqueKeysWithValues: ["saveCustomEvent", "saveCustomAttribute", "saveUserAttribute"].map {
            ($0, MemberPath(["result", "id"]))
        } + ["pending", "deadLetters"].map { ($0, MemberPath(["result", "records", "*", "id"])) }
    )

    /// The volatile members of a session that was recorded with a header.
    package init(_ header: RecordingHeader) { self.init(header, isShifted: false) }

    /// The volatile members of a session in which a call was inserted or removed.
    ///
    /// Such a call shifts what counts calls: the times of a fixed clock, which advances with each reading, and the numbers
    /// of records.
    var shifted: VolatileMembers { VolatileMembers(header, isShifted: true) }

    private init(_ header: RecordingHeader, isShifted: Bool) {
        (self.header, self.isShifted) = (header, isShifted)
        contract = header.isClockFixed && !isShifted ? .withoutClock : .withClock
        names = Set(header.volatile.filter { !$0.hasPrefix("/") })
        paths = Set(header.volatile.filter { $0.hasPrefix("/") }.map(MemberPath.init(pointer:)))
    }

    private func results(of method: String) -> Set<MemberPath> {
        let found = contract.results[method] ?? []
        guard isShifted, let number = Self.recordNumbers[method] else { return found }
        return found.union([number])
    }

    /// The volatile members of the host's answer to a call.
    func members(ofResultOf method: String?) -> Set<MemberPath> {
        paths.union(method.map(results(of:)) ?? [])
    }

    /// The volatile members of the answer to `tools/call`: those of the tool's method, and the text that repeats them.
    func members(ofToolResultOf method: String) -> Set<MemberPath> {
        let found = results(of: method)
        let structured = found.map { MemberPath(["result", "structuredContent"] + $0.steps.dropFirst()) }
        return paths.union(results(of: "tools/call")).union(structured).union(
            found.isEmpty ? [] : [MemberPath(["result", "content"])]
        )
    }

    /// The volatile members of an error: those of its data, and, if there are any, the message, which repeats them.
    func members(of error: JSON) -> Set<MemberPath> {
        let found = contract.errors.filter { path in path.steps.dropFirst().reduce(error, { $0?[$1] }) != nil }
        return paths.union(found).union(found.isEmpty ? [] : [MemberPath(["error", "message"])])
    }

    /// The volatile members of a notification to the client.
    func members(ofNotification topic: String) -> Set<MemberPath> { paths.union(contract.params[topic] ?? []) }

    /// The volatile members of the host's call to an extension.
    func members(ofCall method: String) -> Set<MemberPath> { paths.union(contract.extensionParams[method] ?? []) }

    /// The volatile members of an extension's call to the host.
    func members(ofHostCall method: String) -> Set<MemberPath> { paths.union(contract.hostParams[method] ?? []) }

    /// The members that are volatile in every message: those that the user declared.
    var everywhere: Set<MemberPath> { paths }

    /// Whether even the number of notifications of a topic may differ.
    func isVolatile(topic: String) -> Bool { contract.topics.contains(topic) }
}

/// The members that the contract marks as volatile, read from its documents once in a process.
private struct ContractMembers {
    let results: [String: Set<MemberPath>]
    let params: [String: Set<MemberPath>]
    let hostParams: [String: Set<MemberPath>]
    let extensionParams: [String: Set<MemberPath>]
    let errors: Set<MemberPath>
    let topics: Set<String>

    /// Those of a session whose clock is fixed.
    static let withoutClock = ContractMembers(["run"])
    /// Those of any other session.
    static let withClock = ContractMembers(["run", "clock"])

    private init(_ classes: Set<String>) {
        var results: [String: Set<MemberPath>] = [:]
        var params: [String: Set<MemberPath>] = [:]
        var hostParams: [String: Set<MemberPath>] = [:]
        var extensionParams: [String: Set<MemberPath>] = [:]
        let host = SchemaReader(ContractDocuments.host, classes)
        for method in host.methods("methods") {
            results[method.name] = host.paths(ofResult: method.value)
            hostParams[method.name] = host.paths(ofParams: method.value)
        }
        for (method, schema) in host.resultsOfModelContext {
            results[method, default: []].formUnion(host.paths(schema, below: ["result"], within: []))
        }
        for topic in host.methods("x-notifications") { params[topic.name] = host.paths(ofParams: topic.value) }
        errors = host.paths(of: "ErrorData", below: ["error", "data"])
        topics = Set(host.methods("x-notifications").filter { host.isVolatile($0.value) }.map(\.name))
        let documents = [
            ContractDocuments.extension, ContractDocuments.destination, ContractDocuments.personalization,
            ContractDocuments.source,
        ]
        for document in documents {
            let reader = SchemaReader(document, classes)
            for method in reader.methods("methods") {
                extensionParams[method.name, default: []].formUnion(reader.paths(ofParams: method.value))
            }
        }
        (self.results, self.params) = (results, params)
        (self.hostParams, self.extensionParams) = (hostParams, extensionParams)
    }
}

/// Finds the volatile members that a document of the contract describes.
private struct SchemaReader {
    private let document: JSON
    private let classes: Set<String>

    init(_ document: JSON, _ classes: Set<String>) {
        self.document = document
        self.classes = classes
    }

    /// Methods or notifications by name.
    func methods(_ member: String) -> [(name: String, value: JSON)] {
        (document[member]?.array.map { Array($0) } ?? []).compactMap { value in
            value["name"]?.string.map { ($0, value) }
        }
    }

    /// The methods of the Model Context Protocol with the schemas of their results, in each of its versions.
    var resultsOfModelContext: [(method: String, schema: JSON)] {
        let versions = document["x-mcp"]?["results"]?.object.map { $0.map(\.value) } ?? []
        return versions.flatMap { $0.object.map { $0.map { ($0.name, $0.value) } } ?? [] }
    }

    func isVolatile(_ schema: JSON) -> Bool { schema["x-volatile"]?.string.map(classes.contains) ?? false }

    func paths(ofResult method: JSON) -> Set<MemberPath> {
        paths(method["result"]?["schema"] ?? [:], below: ["result"], within: [])
    }

    func paths(of schema: String, below steps: [String]) -> Set<MemberPath> {
        paths(["$ref": .string("#/components/schemas/\(schema)")], below: steps, within: [])
    }

    func paths(ofParams method: JSON) -> Set<MemberPath> {
        (method["params"]?.array.map { Array($0) } ?? []).reduce(into: []) { paths, parameter in
            guard let name = parameter["name"]?.string else { return }
            if isVolatile(parameter) { paths.insert(MemberPath(["params", name])) }
            paths.formUnion(self.paths(parameter["schema"] ?? [:], below: ["params", name], within: []))
        }
    }

    func paths(_ schema: JSON, below steps: [String], within references: Set<String>) -> Set<MemberPath> {
        guard !isVolatile(schema) else { return [MemberPath(steps)] }
        var paths: Set<MemberPath> = []
        // A view contains views, so a schema may refer to itself. No path can describe members at every depth, so members
        // below the second reference are not found.
        if let reference = schema["$ref"]?.string, !references.contains(reference),
            let target = MemberPath(pointer: reference).steps.reduce(document, { $0?[$1] })
        {
            paths = self.paths(target, below: steps, within: references.union([reference]))
        }
        for (name, member) in schema["properties"]?.object.map({ Array($0) }) ?? [] {
            paths.formUnion(self.paths(member, below: steps + [name], within: references))
        }
        for keyword in ["items", "additionalProperties"] {
            if let element = schema[keyword] {
                paths.formUnion(self.paths(element, below: steps + ["*"], within: references))
            }
        }
        for keyword in ["allOf", "anyOf", "oneOf"] {
            for part in schema[keyword]?.array.map({ Array($0) }) ?? [] {
                paths.formUnion(self.paths(part, below: steps, within: references))
            }
        }
        return paths
    }
}

/// A JSON Pointer to members of a message, in which `*` matches any member or element.
struct MemberPath: Hashable {
    let steps: [String]

    init(_ steps: [String]) { self.steps = steps }

    /// Reads a JSON Pointer.
    init(pointer: String) {
        steps = JSONPointer.steps(pointer)
    }

    /// The path below a member; nil if it does not lead there.
    func below(_ name: String) -> MemberPath? {
        guard let first = steps.first, first == "*" || first == name else { return nil }
        return MemberPath(Array(steps.dropFirst()))
    }

    /// Whether no step is left, so that it means the value itself.
    var isEnd: Bool { steps.isEmpty }
}
