import Contract
import JSON
import TestSupport
import Testing

/// Messages that clients of the Model Context Protocol send, in the form of the official clients.
enum MCP {
    static let modern = "2026-07-28"
    static let handshakes = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]

    static let serverInfo: JSON = ["name": "pushhost", "version": .string(ContractDocuments.version)]
    /// The answer to the contract's `ping`.
    static let pong: JSON = ["version": .string(ContractDocuments.version)]

    /// `_meta` of every request of a modern client.
    static let meta: JSON = [
        "io.modelcontextprotocol/protocolVersion": .string(modern),
        "io.modelcontextprotocol/clientInfo": ["name": "tests", "version": "1"],
        "io.modelcontextprotocol/clientCapabilities": [:],
    ]

    /// `_meta` without one of its members.
    static func meta(without name: String) -> JSON {
        let members = (meta.object ?? JSON.Object([])).filter { !$0.name.hasSuffix("/\(name)") }
        return .object(JSON.Object(members.map { ($0.name, $0.value) }))
    }

    /// The params of `tools/call`.
    static func params(_ name: String, _ arguments: JSON? = [:], isModern: Bool = false) -> JSON {
        var members: [(String, JSON)] = [("name", .string(name))]
        if let arguments { members.append(("arguments", arguments)) }
        if isModern { members.append(("_meta", meta)) }
        return .object(JSON.Object(members))
    }

    /// A `notifications/cancelled`.
    static func cancellation(_ id: JSON) -> JSON {
        ["jsonrpc": "2.0", "method": "notifications/cancelled", "params": ["requestId": id, "reason": "no need"]]
    }

    /// Runs the closure with a host and the bundles of this repository, and ends the host; clock and random seed are not
    /// fixed.
    static func withHost(_ options: [String] = [], _ body: (HostProcess) throws -> Void) throws {
        try withTemporaryDirectory { data in
            let host = try HostProcess(["--plugins", "\(repositoryRoot)/plugins", "--data", data] + options)
            try body(host)
            #expect(try host.finish() == .code(0))
        }
    }

    /// Runs the closure during a `didReceive` of the host's extension, with the extension's gate and the call's id.
    static func duringCall(
        asTool: Bool = true,
        _ options: [String] = [],
        _ body: (HostProcess, Gate, JSON) throws -> Void
    ) throws {
        try Workspace.open { workspace in
            let gate = try Gate(try workspace.add("waits"))
            let host = try workspace.host(options)
            try host.result("subscribe", ["topics": ["$/log"]])
            let payload = HostProcess.payload("waits")
            let call =
                try asTool
                ? host.request("tools/call", params("didReceive", payload)) : host.request("didReceive", payload)
            #expect(try host.notification("$/log")["message"] == "waiting")
            try body(host, gate, call)
        }
    }
}

extension HostProcess {
    /// Calls a method that must fail, and returns the error.
    func callError(_ method: String, _ params: JSON = [:]) throws -> JSON {
        let reply = try call(method, params)
        return try #require(reply["error"], "\(method) \(params) did not fail: \(reply)")
    }

    /// Calls a tool and returns the whole result.
    @discardableResult
    func tool(_ name: String, _ arguments: JSON? = [:], isModern: Bool = false) throws -> JSON {
        try result("tools/call", MCP.params(name, arguments, isModern: isModern))
    }

    /// The tools by name.
    func tools() throws -> [String: JSON] {
        let tools = try result("tools/list")["tools"]?.array.map(Array.init) ?? []
        return Dictionary(uniqueKeysWithValues: tools.map { ($0["name"]?.string ?? "", $0) })
    }
}

extension JSON {
    /// The text of a tool's result.
    var toolText: String { self["content"]?[0]?["text"]?.string ?? "" }
}
