import Foundation
import JSON
import JSONRPC
import TestSupport
import Testing

/// Several hosts and calls that flush the same suite.
@Suite(.waits, .wire) struct DestinationSharingTests {
    private static let waits = """
        def deliver(batch, n):
            log("has the batch")
            wait_at_gate()
            return accept(batch)
        """

    @Test(
        "One host flushes a suite at a time: another host's flush is refused, its saves go on, and it can flush afterwards"
    )
    func hosts() throws {
        try DestinationWorkspace.open { workspace in
            let folder = try workspace.add(Self.waits)
            let gate = try Gate(folder)
            let (first, second) = (try workspace.host(), try workspace.host())
            let ids = try first.saveRecords(100)
            try first.subscribe()
            let flush = try first.request("flushPending", ["to": "tried"])
            try first.awaitLog("has the batch")
            // Sent in one write, so that the saves wait behind the flushes.
            let requests: [JSON] = [
                ["jsonrpc": "2.0", "id": "a", "method": "flushPending", "params": ["to": "tried"]],
                ["jsonrpc": "2.0", "id": "b", "method": "saveCustomEvent", "params": ["name": "later"]],
            ]
            try second.process.write(requests.map { "\($0)\n" }.joined().utf8)
            let replies = [try second.reply(), try second.reply()]
            let refused = try #require(replies.first { $0["id"] == "a" })
            #expect(refused["error"]?["data"]?["reason"] == "flushBusy")
            #expect(refused["error"]?["code"] == 303)
            let later = try #require(replies.first { $0["id"] == "b" }?["result"]?["id"]?.integer, "\(replies)")
            let caller = try second.error("flushPending")
            #expect(caller.data?["reason"] == "flushBusy")
            try gate.releaseOne()
            let reply = try first.reply()
            #expect(reply["id"] == flush)
            #expect(reply["result"]?["delivered"] == 100)
            try gate.releaseOne()
            #expect(try second.deliver()["result"]?["delivered"] == 1)
            try DestinationAudit(second, folder).expectKept(ids + [later])
            #expect(try first.finish() == .code(0))
            #expect(try second.finish() == .code(0))
        }
    }

    @Test("A flush that waits for another host's flush succeeds if that one finishes in time")
    func waiting() throws {
        try DestinationWorkspace.open { workspace in
            let folder = try workspace.add(Self.waits)
            let gate = try Gate(folder)
            let (first, second) = (try workspace.host(), try workspace.host(["--retry-patience", "0"]))
            let ids = try first.saveRecords(100)
            try first.subscribe()
            try first.request("flushPending", ["to": "tried"])
            try first.awaitLog("has the batch")
            try second.request("flushPending", ["to": "tried"])
            try Processes.wait(for: "the second flush") { try second.result("status")["requestsInFlight"] == 1 }
            try gate.releaseOne()
            #expect(try first.reply()["result"]?["delivered"] == 100)
            #expect(try second.reply()["result"]?["delivered"] == 0)
            try DestinationAudit(second, folder).expectKept(ids)
        }
    }

    @Test("A flush to the caller waits for a suite that another process locks briefly")
    func heldSuite() throws {
        try DestinationWorkspace.open { workspace in
            let host = try workspace.host()
            try host.saveRecords(10)
            let holder = try SuiteHolder("\(workspace.bundles.data)/standard.sqlite")
            try host.request("flushPending")
            try Processes.wait(for: "the flush") { try host.result("status")["requestsInFlight"] == 1 }
            // Serves enough calls that the flush is attempted again.
            for _ in 0..<20 { try host.result("ping") }
            holder.process.closeInput()
            #expect(try holder.process.wait() == .code(0))
            let reply = try host.reply()
            #expect(reply["result"]?["calls"]?.array?.count == 10, "\(reply)")
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("If another process locks the suite for long, the delivery is reported, settled later and not repeated")
    func heldForLong() throws {
        try DestinationWorkspace.open { workspace in
            let folder = try workspace.add(Self.waits)
            let gate = try Gate(folder)
            let host = try workspace.host()
            let ids = try host.saveRecords(1_500, users: 1)
            try host.subscribe()
            try host.request("flushPending", ["to": "tried"])
            try host.awaitLog("has the batch")
            let holder = try SuiteHolder("\(workspace.bundles.data)/standard.sqlite")
            try gate.releaseOne()
            #expect(try host.reply()["error"]?["data"]?["reason"] == "suiteBusy")
            holder.process.closeInput()
            #expect(try holder.process.wait() == .code(0))
            try Processes.wait(for: "the settlement") { try host.result("pending", ["limit": 1])["total"] == 500 }
            try gate.releaseOne()
            #expect(try host.deliver()["result"]?["delivered"] == 500)
            try DestinationAudit(host, folder).expectKept(ids)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("Flushes to the caller and to a destination in one write share the records", arguments: [1, 300])
    func pipelined(limit: Int) throws {
        try DestinationWorkspace.open { workspace in
            let folder = try workspace.add("def deliver(batch, n): return accept(batch)")
            let host = try workspace.host()
            let ids = try host.saveRecords(2_000)
            let limits: [JSON] = [
                ["limit": JSON(limit)], ["limit": JSON(limit), "lease": 60], ["limit": 1, "to": "tried"],
            ]
            let lines = (0..<9).map { index in
                let request: JSON = [
                    "jsonrpc": "2.0", "id": JSON(index), "method": "flushPending", "params": limits[index % 3],
                ]
                return "\(request)\n"
            }
            try host.process.write(lines.joined().utf8)
            let replies = try (0..<9).map { _ in try host.reply() }
            #expect(replies.map { $0["id"] } == (0..<9).map { JSON($0) })
            let taken = replies.reduce(0) { $0 + ($1["result"]?["calls"]?.array?.count ?? 0) }
            #expect(taken == 6 * limit)
            #expect(replies.reduce(0) { $0 + ($1["result"]?["delivered"]?.integer ?? 0) } == 3)
            let kept = try DestinationWorkspace.kept(folder).count
            #expect(kept == 3)
            #expect(try host.result("pending", ["limit": 1])["total"] == JSON(ids.count - 3 * limit - 3))
            #expect(try host.finish() == .code(0))
        }
    }
}
