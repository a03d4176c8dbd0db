import JSON
import TestSupport
import Testing

/// A flush to a destination as a tool: it takes time, reports progress and can be cancelled.
@Suite(.waits, .wire) struct MCPFlushTests {
    private func flush(token: JSON?) -> JSON {
        var members: [(String, JSON)] = [("name", "flushPending"), ("arguments", ["to": "file"])]
        if let token { members.append(("_meta", ["progressToken": token])) }
        return .object(JSON.Object(members))
    }

    @Test(
        "With a progress token a flush reports how many records are done, more each time",
        arguments: ["p", 0] as [JSON]
    )
    func progress(token: JSON) throws {
        try DestinationWorkspace.open { workspace in
            let host = try workspace.host()
            try host.saveRecords(2_500)
            let result = try host.result("tools/call", flush(token: token))
            #expect(result["structuredContent"]?["delivered"] == 2_500)
            // The notifications arrived before the result.
            let progress = host.notifications.filter { $0["method"] == "notifications/progress" }.map { $0["params"] }
            #expect(progress.allSatisfy { $0?["progressToken"] == token })
            let numbers = progress.compactMap { $0?["progress"]?.integer }
            #expect(numbers == Set(numbers).sorted())
            #expect(numbers.last == 2_500)
            #expect(progress.last??["message"] == "2500 delivered to file, 0 rejected")
        }
    }

    @Test(
        "Without a token, or with an invalid one, a flush reports no progress",
        arguments: [nil, [], .null, 1.5] as [JSON?]
    )
    func silence(token: JSON?) throws {
        try DestinationWorkspace.open { workspace in
            let host = try workspace.host()
            try host.saveRecords(10)
            let result = try host.result("tools/call", flush(token: token))
            #expect(result["structuredContent"]?["delivered"] == 10)
            #expect(host.notifications.isEmpty)
        }
    }

    @Test("A cancelled flush is not answered; the batch in flight is settled, and the suite is unlocked")
    func cancelled() throws {
        try DestinationWorkspace.open { workspace in
            let program = """
                def deliver(batch, n):
                    log("has the batch")
                    wait_at_gate()
                    return accept(batch)
                """
            let gate = try Gate(try workspace.add(program))
            let host = try workspace.host()
            try host.saveRecords(100, users: 1)
            try host.subscribe()
            let call = try host.request("tools/call", MCP.params("flushPending", ["to": "tried"]))
            try host.awaitLog("has the batch")
            try host.send(MCP.cancellation(call))
            try gate.releaseOne()
            // Waits for the end of that flush.
            let rest = try host.tool("flushPending")
            #expect(rest["structuredContent"]?["calls"] == [])
            #expect(try host.result("status")["requestsInFlight"] == 0)
            #expect(try host.finish() == .code(0))
            #expect(throws: TestFailure.self, "the late answer came out") { try host.reply() }
        }
    }
}
