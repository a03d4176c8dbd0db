import Foundation
import JSON
import JSONRPC
import TestSupport
import Testing

/// The host's work while a destination delays its answer.
@Suite(.waits, .wire) struct DestinationMeanwhileTests {
    private static let waitsAtGate = """
        def deliver(batch, n):
            log("has the batch")
            wait_at_gate()
            return accept(batch)
        """

    /// A host whose flush of one batch waits at the gate.
    private func open(
        records: Int = 100,
        program: String = waitsAtGate,
        options: [String] = [],
        prepare: (DestinationWorkspace) throws -> Void = { _ in },
        _ body: (HostProcess, _ flush: JSON, _ folder: String, Gate, [Int64]) throws -> Void
    ) throws {
        try DestinationWorkspace.open { workspace in
            let folder = try workspace.add(program)
            let gate = try Gate(folder)
            try prepare(workspace)
            let host = try workspace.host(options, suite: Workspace.group)
            let ids = try host.saveRecords(records, users: 1)
            try host.subscribe()
            let flush = try host.request("flushPending", ["to": "tried"])
            try host.awaitLog("has the batch")
            try body(host, flush, folder, gate, ids)
        }
    }

    @Test("Records that another host imports during a flush are visible when it ends, and wait for the next flush")
    func imported() throws {
        var shared: DestinationWorkspace?
        try open {
            shared = $0
        } _: { host, flush, folder, gate, _ in
            let other = try #require(shared).host(suite: Workspace.group)
            try LongWork.events(good: 5_000).write(to: URL(filePath: "\(folder)/a.plist"))
            let done = try other.result("importSuite", ["path": .string("\(folder)/a.plist")])
            #expect(done["imported"]?["customEvent"] == 5_000)
            #expect(try other.result("pending", ["limit": 1])["total"] == 5_100)
            try gate.releaseOne()
            let reply = try host.reply()
            #expect(reply["id"] == flush, "\(reply)")
            #expect(reply["result"]?["delivered"] == 100, "\(reply)")
            #expect(reply["result"]?["remaining"] == 5_000)
            #expect(try DestinationWorkspace.kept(folder).count == 100)
            for _ in 0..<5 { try gate.releaseOne() }
            #expect(try host.deliver()["result"]?["delivered"] == 5_000)
        }
    }

    @Test("Saves, pings, storage keys, notifications that save, and another suite's flush are served during a flush")
    func others() throws {
        let other = "def deliver(batch, n): return accept(batch)"
        try open { workspace in
            try workspace.add(other, named: "other")
            try workspace.bundles.add("good", saving: true)
        } _: { host, flush, folder, gate, ids in
            #expect(try host.result("ping")["version"] != nil)
            let later = try host.saveRecords(10)
            #expect(try host.result("store", ["key": "k", "value": 1]) == ["stored": true])
            #expect(try host.result("retrieve", ["key": "k"]) == ["value": 1])
            #expect(try host.result("removeObject", ["key": "k"]) == ["removed": 1])
            #expect(try host.show("good")["result"] != nil)
            try host.saveRecords(10, suite: "another")
            let flushed = try host.result("flushPending", ["suite": "another", "to": "other"])
            #expect(flushed["delivered"] == 10)
            try host.saveRecords(10, suite: "another")
            #expect(try host.result("flushPending", ["suite": "another"])["calls"]?.array?.count == 10)
            let status = try host.result("status")
            #expect(status["deliveries"]?.array?.count == 1)
            #expect(status["requestsInFlight"] == 1)
            try gate.releaseOne()
            let reply = try host.reply()
            #expect(reply["id"] == flush)
            #expect(reply["result"]?["delivered"] == 100)
            let pending = try host.all("pending", "records").compactMap { $0["id"]?.integer }
            #expect(pending.count == 11)
            #expect(later.allSatisfy(pending.contains))
            #expect(try DestinationWorkspace.kept(folder).count == ids.count)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("Saves, storage keys and notifications wait for no flush, whether it is running or queued")
    func queued() throws {
        try open { workspace in
            try workspace.bundles.add("good", saving: true)
        } _: { host, flush, folder, gate, ids in
            let queued = try [["to": "tried"], ["to": "file"], ["lease": 60]].map {
                try host.request("flushPending", $0)
            }
            let later = try host.saveRecords(10)
            #expect(try host.result("store", ["key": "k", "value": 1]) == ["stored": true])
            #expect(try host.show("good")["result"] != nil)
            #expect(try host.result("status")["requestsInFlight"] == 4)
            try gate.releaseOne()
            try gate.releaseOne()
            let replies = try ([flush] + queued).map { _ in try host.reply() }
            #expect(replies.map { $0["id"] } == [flush] + queued)
            // The first flush sends what was pending when it started, the second what was saved while it waited.
            #expect(replies[0]["result"]?["delivered"] == 100)
            #expect(replies[1]["result"]?["delivered"] == JSON(later.count + 1))
            #expect(replies[2]["result"]?["delivered"] == 0)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A second suite's flush to the same destination waits until the first one is done")
    func sameDestination() throws {
        try open { host, flush, folder, gate, ids in
            try host.saveRecords(10, suite: "another")
            let second = try host.request("flushPending", ["suite": "another", "to": "tried"])
            try gate.releaseOne()
            try gate.releaseOne()
            #expect(try [host.reply(), host.reply()].map { $0["id"] } == [flush, second])
            #expect(try DestinationWorkspace.kept(folder).count == ids.count + 10)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("Calls that read or change pending records wait for an earlier flush and see its effect")
    func readers() throws {
        try open { host, flush, folder, gate, ids in
            let requests: [(String, JSON)] = [
                ("pending", [:]), ("deadLetters", [:]), ("retrieve", ["key": "pending_custom_events"]), ("suites", [:]),
                ("resetStorageKeys", [:]), ("flushPending", [:]), ("flushPending", ["to": "tried"]),
            ]
            let sent = try requests.map { try host.request($0.0, $0.1) }
            try host.result("ping")
            #expect(try host.result("status")["requestsInFlight"] == JSON(requests.count + 1))
            try gate.releaseOne()
            let replies = try ([flush] + sent).map { _ in try host.reply() }
            #expect(replies.map { $0["id"] } == [flush] + sent)
            #expect(replies[1]["result"] == ["records": [], "total": 0])
            #expect(replies[3]["result"] == ["value": .null])
            #expect(replies[5]["result"] == ["removed": 0])
            #expect(replies[6]["result"]?["calls"] == [])
            #expect(replies[7]["result"]?["delivered"] == 0)
            #expect(try DestinationWorkspace.kept(folder).count == ids.count)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A dry run, a delivery of nothing and a check hold their places: what must wait for them does")
    func places() throws {
        let program = """
            capabilities = ["dryRun", "check", "of another host"]
            def reached(result):
                log("begun")
                wait_at_gate()
                return result
            def deliver(batch, n): return reached({})
            def dry_run(batch): return reached({"requests": []})
            def check(): return reached({"reachable": True, "message": "fine"})
            """
        try DestinationWorkspace.open { workspace in
            let gate = try Gate(try workspace.add(program))
            let host = try workspace.host(["--deliver-empty-batches"])
            try host.subscribe()
            func hold(_ method: String, _ params: JSON, before next: String) throws {
                let held = try host.request(method, params)
                try host.awaitLog("begun")
                let later = try host.request(next)
                #expect(try host.result("status")["requestsInFlight"] == 2)
                try gate.releaseOne()
                #expect(try [host.reply(), host.reply()].map { $0["id"] } == [held, later])
            }
            try hold("flushPending", ["to": "tried"], before: "pending")
            try hold("checkDestination", ["to": "tried"], before: "reloadExtensions")
            try host.saveRecords(3)
            try hold("flushPending", ["to": "tried", "dryRun": true], before: "pending")
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A cancelled flush is answered at once and sends no further batch, and later reads see what was settled")
    func cancelled() throws {
        try open(records: 2_500) { host, flush, folder, gate, ids in
            #expect(try host.result("$/cancelRequest", ["id": flush]) == ["cancelled": true])
            #expect(try host.reply()["error"]?["data"]?["reason"] == "requestCancelled")
            let pending = try host.request("pending", ["limit": 1])
            try host.result("ping")
            try gate.releaseOne()
            let reply = try host.reply()
            #expect(reply["id"] == pending)
            #expect(reply["result"]?["total"] == 1_500)
            #expect(try host.deliveryStatus(of: Workspace.group)["delivered"] == 1_000)
            try gate.releaseOne()
            try gate.releaseOne()
            #expect(try host.deliver()["result"]?["delivered"] == 1_500)
            try DestinationAudit(host, folder, suite: Workspace.group).expectKept(ids)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A flush that is cancelled during a retry delay ends at once")
    func cancelledPause() throws {
        let program = """
            def deliver(batch, n):
                log("has the batch")
                return {"retryAfter": 3600000}
            """
        try open(program: program, options: ["--retry-patience", "86400000"]) { host, flush, folder, _, ids in
            try Processes.wait(for: "the pause") {
                try host.result("status")["deliveries"]?.array?.first?["retryAfter"] != nil
            }
            #expect(try host.result("$/cancelRequest", ["id": flush]) == ["cancelled": true])
            _ = try host.reply()
            #expect(try host.result("pending", ["limit": 1])["total"] == 100)
            #expect(try host.result("status")["deliveries"] == [])
            #expect(try host.finish() == .code(0))
        }
    }

    @Test(
        "Reloading bundles during a flush neither loses nor duplicates records, and the old process finishes its batch"
    )
    func reload() throws {
        try open(records: 2_500) { host, flush, folder, gate, ids in
            let old = try host.pid(of: "tried")
            let reload = try host.request("reloadExtensions", ["force": true])
            try host.result("ping")
            for _ in 0..<3 { try gate.releaseOne() }
            let replies = [try host.reply(), try host.reply()]
            #expect(replies.contains { $0["id"] == flush && $0["result"]?["delivered"] == 2_500 }, "\(replies)")
            #expect(replies.contains { $0["id"] == reload && $0["result"] != nil }, "\(replies)")
            #expect(try host.pid(of: "tried") != old)
            try DestinationAudit(host, folder, suite: Workspace.group).expectKept(ids)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A bundle that is removed during a flush finishes its batch, and the other records stay pending")
    func removed() throws {
        try open(records: 2_500, options: ["--retry-patience", "0"]) { host, flush, folder, gate, ids in
            let aside = folder.replacing("/plugins/", with: "/")
            try FileManager.default.moveItem(atPath: folder, toPath: aside)
            let reload = try host.request("reloadExtensions")
            try host.result("ping")
            try gate.releaseOne()
            let replies = [try host.reply(), try host.reply()]
            let reply = try #require(replies.first { $0["id"] == flush })
            #expect(replies.contains { $0["id"] == reload })
            #expect(reply["error"]?["data"]?["reason"] == "destinationUnavailable", "\(reply)")
            #expect(reply["error"]?["data"]?["delivered"] == 1_000)
            #expect(try host.error("flushPending", ["to": "tried"]).data?["reason"] == "unknownDestination")
            try FileManager.default.moveItem(atPath: aside, toPath: folder)
            try host.result("reloadExtensions")
            for _ in 0..<2 { try gate.releaseOne() }
            #expect(try host.deliver()["result"]?["delivered"] == 1_500)
            try DestinationAudit(host, folder, suite: Workspace.group).expectKept(ids)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("Records that an extension removes during a flush are not sent afterwards")
    func removedMeanwhile() throws {
        let remover = """
            #!/usr/bin/env python3
            import json, sys
            def send(**message): print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)
            for message in map(json.loads, sys.stdin):
                if "id" not in message: continue
                if message["method"] == "activate": result = {"version": "1.0"}
                else:
                    notification = message["params"]["notification"]
                    send(id=1, method="removeObject", params={"key": "pending_custom_events", "notification": notification})
                    sys.stdin.readline()
                    result = {}
                send(id=message["id"], result=result)
            """
        try open(records: 2_500) { workspace in
            let bundle = try workspace.bundles.add(named: "remover", script: nil)
            try writeExecutable(remover, to: "\(bundle)/run")
        } _: { host, flush, folder, gate, ids in
            #expect(try host.show("remover")["result"] != nil)
            for _ in 0..<3 { try gate.releaseOne() }
            let reply = try host.reply()
            // The first thousand records, which were in flight, and every later record that is not an event.
            #expect(reply["result"]?["delivered"] == 1_900, "\(reply)")
            let kept = try DestinationWorkspace.kept(folder)
            #expect(kept.count == 1_900)
            #expect(kept.dropFirst(1_000).allSatisfy { $0["kind"] != "customEvent" })
            #expect(try host.result("pending")["total"] == 0)
            #expect(try host.deliveryStatus(of: Workspace.group)["possiblySent"] == 0)
            #expect(try host.finish() == .code(0))
        }
    }
}
