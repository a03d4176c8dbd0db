import Foundation
import JSON
import TestSupport
import Testing

/// Flushes that the host starts by policy.
@Suite(.waits, .wire) struct DestinationPolicyTests {
    private static let takes = """
        def deliver(batch, n):
            result = accept(batch)
            log("accepted")
            return result
        """

    private func open(
        _ options: [String],
        program: String = takes,
        suite: String = "standard",
        _ body: (DestinationWorkspace, HostProcess, String) throws -> Void
    ) throws {
        try DestinationWorkspace.open { workspace in
            let folder = try workspace.add(program)
            let host = try workspace.host(["--flush-to", "tried"] + options, suite: suite)
            try host.subscribe()
            try body(workspace, host, folder)
        }
    }

    private func awaitEmpty(_ host: HostProcess) throws {
        try Processes.wait(for: "the flush") { try host.result("pending", ["limit": 1])["total"] == 0 }
    }

    @Test("The policy immediate delivers saved records without a request, including those that an earlier host left")
    func immediate() throws {
        try DestinationWorkspace.open { workspace in
            let folder = try workspace.add(Self.takes)
            let first = try workspace.host()
            var ids = try first.saveRecords(10)
            #expect(try first.finish() == .code(0))
            let host = try workspace.host(["--flush-policy", "immediate", "--flush-to", "tried"])
            try awaitEmpty(host)
            ids += try host.saveRecords(10)
            try awaitEmpty(host)
            try host.request("saveCustomEvent", ["name": "last"])
            // Records saved before the end of the input are delivered too.
            #expect(try host.finish() == .code(0))
            ids.append(try #require(try host.reply()["result"]?["id"]?.integer))
            try DestinationAudit(try workspace.host(), folder).expectKept(ids)
        }
    }

    @Test("The policy every flushes all suites at intervals")
    func every() throws {
        try open(["--flush-policy", "every:1"]) { workspace, host, folder in
            let ids = try host.saveRecords(10) + host.saveRecords(10, suite: "another")
            try host.awaitLog("accepted")
            try host.awaitLog("accepted")
            try Processes.wait(for: "the flush") { try host.result("pending", ["suite": "another"])["total"] == 0 }
            try awaitEmpty(host)
            #expect(try DestinationWorkspace.kept(folder).count == ids.count)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("The policy onForward flushes the suites of an extension when its action opens the app, and no others")
    func onForward() throws {
        let forwarder = """
            #!/usr/bin/env python3
            import json, sys
            for message in map(json.loads, sys.stdin):
                if "id" not in message: continue
                results = {"activate": {"version": "1.0"}, "didReceiveResponse": {"option": "dismissAndForward"}}
                result = results.get(message["method"], {})
                print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
            """
        try open(["--flush-policy", "onForward"], suite: Workspace.group) { workspace, host, folder in
            let bundle = try workspace.bundles.add(named: "forwarder", script: nil)
            try writeExecutable(forwarder, to: "\(bundle)/run")
            let ids = try host.saveRecords(10)
            try host.saveRecords(10, suite: "another")
            let reply = try host.show("forwarder")
            let notification = try #require(reply["result"]?["notification"])
            let option = try host.result(
                "didReceiveResponse",
                ["notification": notification, "actionIdentifier": "com.apple.UNNotificationDefaultActionIdentifier"]
            )
            #expect(option["forwarded"] == true)
            try awaitEmpty(host)
            #expect(try host.finish() == .code(0))
            let next = try workspace.host()
            #expect(try next.result("pending", ["suite": "another"])["total"] == 10)
            try DestinationAudit(next, folder, suite: Workspace.group).expectKept(ids)
        }
    }

    @Test("A client's flush waits for the policy's flush, and everything is delivered at the end")
    func together() throws {
        let program = """
            def deliver(batch, n):
                log("has the batch")
                wait_at_gate()
                return accept(batch)
            """
        try open(["--flush-policy", "immediate"], program: program) { workspace, host, folder in
            let gate = try Gate(folder)
            let first = try host.saveRecords(1)
            try host.awaitLog("has the batch")
            let flush = try host.request("flushPending", ["to": "tried"])
            let caller = try host.request("flushPending")
            try host.result("ping")
            try gate.releaseOne()
            let replies = [try host.reply(), try host.reply()]
            #expect(replies.map { $0["id"] } == [flush, caller])
            #expect(replies[0]["result"]?["delivered"] == 0)
            #expect(replies[1]["result"]?["calls"] == [])
            #expect(try DestinationWorkspace.kept(folder).count == first.count)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("Records removed while the policy's flush is running are not sent afterwards")
    func removed() throws {
        let program = """
            def deliver(batch, n):
                log("has the batch")
                wait_at_gate()
                return accept(batch)
            """
        try DestinationWorkspace.open { workspace in
            let folder = try workspace.add(program)
            let gate = try Gate(folder)
            let first = try workspace.host()
            try first.saveRecords(2_500, users: 1)
            #expect(try first.finish() == .code(0))
            let host = try workspace.host(["--flush-policy", "immediate", "--flush-to", "tried"])
            try host.subscribe()
            // The destination may have logged before the client subscribed.
            try Processes.wait(for: "the batch") { FileManager.default.fileExists(atPath: "\(folder)/batches") }
            #expect(try host.result("resetStorageKeys") == ["removed": 2_500])
            for _ in 0..<3 { try gate.releaseOne() }
            #expect(try host.finish() == .code(0))
            #expect(try DestinationWorkspace.kept(folder).count == 1_000)
            let next = try workspace.host()
            #expect(try next.result("pending")["total"] == 0)
            #expect(try next.deliveryStatus()["possiblySent"] == 0)
        }
    }

    @Test(
        "A policy's destination that is gone after a reload is reported in one log message, and everything else works"
    )
    func removedDestination() throws {
        try DestinationWorkspace.open { workspace in
            let folder = try workspace.add("def deliver(batch, n): return {}")
            let host = try workspace.host(["--flush-policy", "immediate", "--flush-to", "tried", "--retry-limit", "50"])
            // At startup the host checks that the destination exists.
            #expect(try host.result("ping")["version"] != nil)
            try FileManager.default.removeItem(atPath: folder)
            #expect(try host.result("reloadExtensions")["extensions"] == 0)
            let ids = try host.saveRecords(10)
            try Processes.wait(for: "a word of it") { host.process.standardError.contains("standard to tried") }
            #expect(try host.result("pending")["total"] == .integer(Int64(ids.count)))
            #expect(try host.finish() == .code(0))
            let log = host.process.standardError
            #expect(log.contains("there is no destination \"tried\""), "\(log)")
            for swift in ["RPCError", "Optional(", "rawValue"] { #expect(!log.contains(swift), "\(log)") }
        }
    }

    @Test("A policy's destination that fails is reported in the log, and everything else works")
    func failing() throws {
        try DestinationWorkspace.open { workspace in
            let folder = try workspace.add("def deliver(batch, n): return {}")
            let host = try workspace.host(["--flush-policy", "immediate", "--flush-to", "tried", "--retry-limit", "50"])
            let ids = try host.saveRecords(10)
            try Processes.wait(for: "a word of it") { host.process.standardError.contains("standard to tried") }
            #expect(try host.result("ping")["version"] != nil)
            #expect(try host.saveRecords(1).count == 1)
            #expect(try host.finish() == .code(0))
            let audit = try DestinationAudit(try workspace.host(), folder)
            #expect(audit.pending.count == ids.count + 1)
            #expect(audit.possiblySent == 0)
        }
    }
}
