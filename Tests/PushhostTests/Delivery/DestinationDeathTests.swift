import Foundation
import JSON
import TestSupport
import Testing

/// A host that is killed while a batch is in flight, and the host after it.
@Suite(.waits, .wire) struct DestinationDeathTests {
    /// Logs that it has a batch, and never answers the batch whose number is in the file `hold` (by default the first).
    private static let holds = """
        def deliver(batch, n):
            isHeld = n == (int(open("hold").read()) if os.path.exists("hold") else 1)
            if isHeld: keep(batch)
            log("has the batch")
            if isHeld: signal.pause()
            return accept(batch)
        """

    /// A host that was killed while its first batch was in flight.
    private func killed(
        _ attributes: [String: Any] = [:],
        _ body: (DestinationWorkspace, String, [Int64]) throws -> Void
    ) throws {
        try DestinationWorkspace.open { workspace in
            let folder = try workspace.add(Self.holds, attributes: attributes)
            let host = try workspace.host()
            let ids = try host.saveRecords(1_500, users: 1)
            try host.subscribe()
            try host.request("flushPending", ["to": "tried"])
            try host.awaitLog("has the batch")
            host.process.kill(SIGKILL)
            #expect(try host.process.wait() == .signal(SIGKILL))
            try body(workspace, folder, ids)
        }
    }

    /// A second host, which is killed while most of the same records are in flight.
    private func killAgain(_ workspace: DestinationWorkspace, _ folder: String) throws {
        try FileManager.default.removeItem(atPath: "\(folder)/batches")
        // The first batch is a single record, as a probe of the destination.
        try Data("2".utf8).write(to: URL(filePath: "\(folder)/hold"))
        let second = try workspace.host()
        try second.subscribe()
        try second.request("flushPending", ["to": "tried"])
        for _ in 0..<2 { try second.awaitLog("has the batch") }
        second.process.kill(SIGKILL)
        #expect(try second.process.wait() == .signal(SIGKILL))
    }

    @Test(
        "Records in flight when the host is killed are sent once more and counted, except increments, which become dead letters"
    )
    func recovered() throws {
        try killed { workspace, folder, ids in
            let host = try workspace.host()
            let result = try host.deliver()["result"]
            #expect(result?["possiblySent"] == 1_000)
            #expect(result?["delivered"] == 1_400)
            #expect(result?["remaining"] == 0)
            #expect(result?["rejected"] == 100)
            let audit = try DestinationAudit(host, folder)
            audit.expectNoneLost(ids)
            #expect(audit.dead.count == 100)
            #expect(audit.possiblySent == 1_000)
            #expect(audit.dead.values.allSatisfy { $0.contains("increment") })
            let again = try DestinationWorkspace.kept(folder).dropFirst(1_000)
            #expect(again.count { $0["possiblySent"] == 1 } == 900)
            #expect(try host.deliver()["result"]?["possiblySent"] == 0)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("Records that were in flight at a kill, and are removed before the next flush, are neither sent nor reported")
    func removedMeanwhile() throws {
        try killed { workspace, _, _ in
            let host = try workspace.host(["--log-level", "notice"])
            #expect(try host.result("resetStorageKeys")["removed"] == 1_500)
            try host.saveRecords(1)
            let result = try host.deliver()["result"]
            #expect(result?["possiblySent"] == 0 && result?["delivered"] == 1 && result?["rejected"] == 0)
            #expect(try host.finish() == .code(0))
            #expect(!host.process.standardError.contains("on their way"))
        }
    }

    @Test("An idempotent destination gets all records in flight again, also increments, after each kill")
    func idempotent() throws {
        try killed(["PushhostDestinationIsIdempotent": true]) { workspace, folder, ids in
            try killAgain(workspace, folder)
            let host = try workspace.host()
            let result = try host.deliver()["result"]
            #expect(result?["rejected"] == 0 && result?["remaining"] == 0)
            let audit = try DestinationAudit(host, folder)
            // Records of the first batch were in both batches that were in flight at a kill.
            #expect(Set(ids).subtracting(audit.kept.keys).isEmpty && audit.dead.isEmpty)
            #expect(audit.kept.values.max() == 3)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test(
        "An idempotent destination gets the identity of each suite, which stays the same after a restart; others get none",
        arguments: [true, false]
    )
    func identity(isIdempotent: Bool) throws {
        try DestinationWorkspace.open { workspace in
            let keeping = """
                def deliver(batch, n):
                    keep([{"id": n, "identity": identity}])
                    return {"accepted": ids(batch)}
                """
            let folder = try workspace.add(keeping, attributes: ["PushhostDestinationIsIdempotent": isIdempotent])
            for suite in ["a", "a", "b"] {
                let host = try workspace.host()
                try host.result("saveCustomEvent", ["suite": .string(suite), "name": "e"])
                try host.result("flushPending", ["suite": .string(suite), "to": "tried"])
                #expect(try host.finish() == .code(0))
            }
            let identities = try DestinationWorkspace.kept(folder).map { $0["identity"]?.string }
            guard isIdempotent else { return #expect(identities == [nil, nil, nil]) }
            #expect(identities.allSatisfy { $0?.wholeMatch(of: #/[0-9a-f]{32}/#) != nil })
            #expect(identities[0] == identities[1] && identities[0] != identities[2])
        }
    }

    @Test("A second kill with the same records in flight turns them into dead letters")
    func twice() throws {
        try killed { workspace, folder, ids in
            try killAgain(workspace, folder)
            let host = try workspace.host()
            let result = try host.deliver()["result"]
            #expect(result?["remaining"] == 0)
            let audit = try DestinationAudit(host, folder)
            audit.expectNoneLost(ids)
            #expect(audit.kept.values.allSatisfy { $0 <= 2 })
            // The second batch contained 899 of the first thousand records and 101 others.
            let twice = ids[1..<1_000].enumerated().filter { $0.offset % 10 != 8 }.map(\.element)
            #expect(twice.count == 899)
            #expect(twice.allSatisfy { audit.dead[$0]?.contains("sent twice") == true })
            let increments = stride(from: 9, to: 1_101, by: 10).map { ids[$0] }
            #expect(increments.allSatisfy { audit.dead[$0]?.contains("increment") == true })
            #expect(audit.dead.count == twice.count + increments.count)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test(
        "After a kill, pending, suites and status report how many records may have been sent, even before the next flush"
    )
    func reportsPossiblySent() throws {
        try killed { workspace, folder, ids in
            let host = try workspace.host()
            let page = try host.result("pending", ["limit": 1_000])
            #expect(page["possiblySent"] == 1_000)
            #expect(page["records"]?.array?.allSatisfy { $0["possiblySent"] == 1 } == true)
            let rest = try host.result("pending", ["after": page["records"]?.array?.last?["id"] ?? 0])
            #expect(rest["records"]?.array?.count == 500)
            #expect(rest["records"]?.array?.allSatisfy { $0["possiblySent"] == nil } == true)
            #expect(try host.result("suites")["suites"]?[0]?["possiblySent"] == 1_000)
            #expect(try host.result("status")["possiblySent"] == 1_000)
            // The flush turned increments into dead letters, and nothing is reported twice.
            #expect(try host.deliver(to: "tried", [("limit", 1)])["result"]?["possiblySent"] == 1_000)
            #expect(try host.result("pending", ["limit": 1])["possiblySent"] == 899)
            #expect(try host.result("status")["possiblySent"] == 899)
            #expect(try host.deliver()["result"]?["possiblySent"] == 0)
            #expect(try host.result("status")["possiblySent"] == nil)
            #expect(try host.result("suites")["suites"]?[0]?["possiblySent"] == nil)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("While a host flushes, its batches do not count as possibly sent")
    func live() throws {
        try DestinationWorkspace.open { workspace in
            try workspace.add(Self.holds)
            let host = try workspace.host()
            try host.saveRecords(10)
            try host.subscribe()
            try host.request("flushPending", ["to": "tried"])
            try host.awaitLog("has the batch")
            let other = try workspace.host()
            for host in [host, other] { #expect(try host.result("status")["possiblySent"] == nil) }
            #expect(try other.result("pending")["possiblySent"] == nil)
            #expect(try other.finish() == .code(0))
            host.process.kill(SIGKILL)
            #expect(try host.process.wait() == .signal(SIGKILL))
        }
    }

    @Test("A flush to the caller counts possibly sent records too", arguments: [false, true])
    func toCaller(hasLease: Bool) throws {
        try killed { workspace, folder, ids in
            let host = try workspace.host()
            let reply = try host.result("flushPending", hasLease ? ["lease": 60] : [:])
            #expect(reply["possiblySent"] == 1_000)
            #expect(reply["calls"]?.array?.count == 1_000)
            #expect(reply["remaining"] == 400)
            #expect(reply["deadLetters"]?.array?.map(\.integer) == stride(from: 9, to: 1_000, by: 10).map { ids[$0] })
            let next = try host.result("flushPending")
            #expect(next["possiblySent"] == nil)
            #expect(next["calls"]?.array?.count == 400)
            #expect(next["deadLetters"] == nil)
            let calls = [reply, next].flatMap { $0["calls"]?.array.map(Array.init) ?? [] }
            #expect(calls.count { $0["possiblySent"] == 1 } == 900)
            #expect(calls.count { $0["possiblySent"] == nil } == 500)
            #expect(try host.result("deadLetters", ["limit": 1])["total"] == 100)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("Records removed before the next flush are neither sent nor counted")
    func removed() throws {
        try killed { workspace, folder, ids in
            let host = try workspace.host()
            #expect(try host.result("resetStorageKeys") == ["removed": 1_500])
            let more = try host.saveRecords(10)
            let result = try host.deliver()["result"]
            #expect(result?["delivered"] == 10)
            #expect(result?["possiblySent"] == 0)
            #expect(try DestinationWorkspace.kept(folder).count == 1_010)
            #expect(more.allSatisfy { !ids.contains($0) })
            #expect(try host.finish() == .code(0))
        }
    }
}
