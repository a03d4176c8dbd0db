import JSON
import TestSupport
import Testing

/// `notifications/cancelled`: the request is not answered, and other calls are not affected.
@Suite(.waits, .wire) struct MCPCancellationTests {
    private let group: JSON = ["suite": .string(Workspace.group)]

    @Test(
        "A cancelled call at an extension is not answered; its id is free and its effects stay",
        arguments: [true, false]
    )
    func inFlight(asTool: Bool) throws {
        try MCP.duringCall(asTool: asTool) { host, gate, call in
            try host.send(MCP.cancellation(call))
            // The id is free at once, so another request can use it.
            try host.send(["jsonrpc": "2.0", "id": call, "method": "ping"])
            #expect(try host.reply() == ["jsonrpc": "2.0", "id": call, "result": MCP.pong])
            try gate.releaseOne()
            let shown = try host.result("notifications")["notifications"]?.array
            #expect(shown?.count == 1, "what it did stays")
            #expect(try host.result("status")["requestsInFlight"] == 0)
            try gate.releaseOne()
            #expect(try host.tool("didReceive", HostProcess.payload("waits"))["isError"] == false)
            #expect(try host.finish() == .code(0))
            #expect(throws: TestFailure.self, "the late answer came out") { try host.reply() }
        }
    }

    @Test("A cancelled call that is still waiting is never started")
    func waiting() throws {
        try MCP.duringCall { host, gate, call in
            try host.tool("saveCustomEvent", ["suite": .string(Workspace.group), "name": "Kept"])
            let discard = try host.request("tools/call", MCP.params("resetStorageKeys", group))
            let read = try host.request("tools/call", MCP.params("pending", group))
            try host.send(MCP.cancellation(discard))
            try gate.releaseOne()
            let replies = try [host.reply(), host.reply()]
            #expect(replies.map { $0["id"] } == [call, read])
            #expect(replies[1]["result"]?["structuredContent"]?["total"] == 1)
            #expect(try host.result("status")["requestsInFlight"] == 0)
        }
    }

    @Test("Cancellations of unknown, finished and foreign ids, and of initialize, are ignored")
    func unknown() throws {
        try MCP.duringCall { host, gate, call in
            for id in [77, "1", .string(call.description), "x"] as [JSON] { try host.send(MCP.cancellation(id)) }
            try host.send([
                "jsonrpc": "2.0", "id": "i", "method": "initialize", "params": ["protocolVersion": "2025-11-25"],
            ])
            try host.send(MCP.cancellation("i"))
            #expect(try host.reply()["id"] == "i")
            try gate.releaseOne()
            #expect(try host.reply()["id"] == call)
            try host.send(MCP.cancellation(call))
            #expect(try host.result("ping") == [:])
        }
    }

    @Test("A cancellation without an id only writes a line to the log")
    func noID() throws {
        try MCP.duringCall { host, gate, call in
            for params in [[:], ["requestId": .null], ["requestId": [call]], ["requestId": 1.5]] as [JSON] {
                try host.send(["jsonrpc": "2.0", "method": "notifications/cancelled", "params": params])
            }
            try gate.releaseOne()
            #expect(try host.reply()["id"] == call)
            #expect(try host.finish() == .code(0))
            let lines = host.process.standardError.split(separator: "\n")
            #expect(lines.count { $0.contains("the notification notifications/cancelled failed") } == 4)
        }
    }

    @Test("A batch is answered without its cancelled member, and not at all if all members are cancelled")
    func batch() throws {
        try MCP.duringCall { host, gate, call in
            func member(_ id: JSON, _ tool: String) -> JSON {
                ["jsonrpc": "2.0", "id": id, "method": "tools/call", "params": MCP.params(tool, group)]
            }
            try host.send([member("a", "pending"), member("b", "retrieve"), member("c", "pending")])
            try host.send([member("d", "pending"), member("e", "pending")])
            for id in ["a", "d", "e"] as [JSON] { try host.send(MCP.cancellation(id)) }
            try gate.releaseOne()
            #expect(try host.reply()["id"] == call)
            #expect(try host.reply().array?.map { $0["id"] } == ["b", "c"])
            #expect(try host.finish() == .code(0))
            #expect(throws: TestFailure.self, "something more came out") { try host.reply() }
        }
    }

    @Test("The contract's own cancellation of a tool call is answered as the contract says")
    func answered() throws {
        try MCP.duringCall { host, gate, call in
            try host.send(["jsonrpc": "2.0", "method": "$/cancelRequest", "params": ["id": call]])
            let reply = try host.reply()
            #expect(reply["id"] == call)
            #expect(reply["error"]?["code"] == -32800)
            try gate.releaseOne()
            #expect(try host.result("notifications")["notifications"]?.array?.count == 1)
        }
    }

    @Test(
        "At end of input, calls in flight are finished and cancelled ones are not waited for",
        arguments: [true, false]
    )
    func end(isCancelled: Bool) throws {
        try MCP.duringCall { host, gate, call in
            let read = try host.request("tools/call", MCP.params("pending", group))
            try host.send(MCP.cancellation(isCancelled ? read : 99))
            host.process.closeInput()
            try gate.releaseOne()
            #expect(try host.finish() == .code(0))
            #expect(try host.reply()["id"] == call)
            if isCancelled {
                #expect(throws: TestFailure.self) { try host.reply() }
            } else {
                #expect(try host.reply()["id"] == read)
            }
        }
    }

    @Test("In lock-step a cancellation is handled after the reply, and the session continues")
    func lockStep() throws {
        try MCP.duringCall(["--seed", "1"]) { host, gate, call in
            try host.send(MCP.cancellation(call))
            try host.send([
                ["jsonrpc": "2.0", "id": "a", "method": "tools/call", "params": MCP.params("ping")],
                MCP.cancellation("a"),
                ["jsonrpc": "2.0", "id": "b", "method": "tools/call", "params": MCP.params("ping")],
            ])
            try gate.releaseOne()
            #expect(try host.reply()["id"] == call)
            #expect(try host.reply().array?.map { $0["id"] } == ["a", "b"])
            #expect(try host.tool("ping")["structuredContent"] == MCP.pong)
        }
    }
}
