import Foundation
import JSON
import TestSupport
import Testing

/// A host that dies while records are on their way, and the one after it.
@Suite(.hangs, .wire) struct DestinationDeathTests {
    /// Tells that it has a batch, and then waits for ever the first time.
    private static let holds = """
        def deliver(batch, n):
            if n == 1: keep(batch)
            tell("has it")
            if n == 1: signal.pause()
            return take(batch)
        """

    /// A host that was killed while its first batch was on its way.
    private func killed(
        _ body: (DestinationWorkshop, String, [Int64]) throws -> Void
    ) throws {
        try DestinationWorkshop.open { workshop in
            let folder = try workshop.add(Self.holds)
            let host = try workshop.host()
            let ids = try host.saveRecords(1_500, users: 1)
            try host.listen()
            try host.request("flushPending", ["to": "tried"])
            try host.awaitTold("has it")
            host.process.kill(SIGKILL)
            #expect(try host.process.wait() == .signal(SIGKILL))
            try body(workshop, folder, ids)
        }
    }

    @Test("What was on its way is offered once more and counted, but for increments, which are dead letters")
    func recovered() throws {
        try killed { workshop, folder, ids in
            let host = try workshop.host()
            let result = try host.deliver()["result"]
            #expect(result?["possiblySent"] == 1_000 && result?["delivered"] == 1_400 && result?["remaining"] == 0)
            let account = try DestinationAccount(host, folder)
            account.expectExplained(ids)
            #expect(account.dead.count == 100 && account.possiblySent == 1_000)
            #expect(account.dead.values.allSatisfy { $0.contains("increment") })
            let again = try DestinationWorkshop.kept(folder).dropFirst(1_000)
            #expect(again.count { $0["possiblySent"] == 1 } == 900)
            #expect(try host.deliver()["result"]?["possiblySent"] == 0)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A second death with the same records makes dead letters of them")
    func twice() throws {
        try killed { workshop, folder, ids in
            try FileManager.default.removeItem(atPath: "\(folder)/batches")
            let second = try workshop.host()
            try second.listen()
            try second.request("flushPending", ["to": "tried"])
            try second.awaitTold("has it")
            second.process.kill(SIGKILL)
            #expect(try second.process.wait() == .signal(SIGKILL))
            let host = try workshop.host()
            let result = try host.deliver()["result"]
            #expect(result?["remaining"] == 0)
            let account = try DestinationAccount(host, folder)
            account.expectExplained(ids)
            #expect(account.kept.values.allSatisfy { $0 <= 2 })
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A flush to the caller counts them too", arguments: [false, true])
    func toCaller(hasLease: Bool) throws {
        try killed { workshop, folder, ids in
            let host = try workshop.host()
            let reply = try host.result("flushPending", hasLease ? ["lease": 60] : [:])
            #expect(reply["possiblySent"] == 1_000)
            #expect(reply["calls"]?.array?.count == 1_000 && reply["remaining"] == 400)
            let next = try host.result("flushPending")
            #expect(next["possiblySent"] == nil && next["calls"]?.array?.count == 400)
            #expect(try host.result("deadLetters", ["limit": 1])["total"] == 100)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("What is removed before the next flush is not offered, nor counted")
    func removed() throws {
        try killed { workshop, folder, ids in
            let host = try workshop.host()
            #expect(try host.result("resetStorageKeys") == ["removed": 1_500])
            let more = try host.saveRecords(10)
            let result = try host.deliver()["result"]
            #expect(result?["delivered"] == 10 && result?["possiblySent"] == 0)
            #expect(try DestinationWorkshop.kept(folder).count == 1_010)
            #expect(more.allSatisfy { !ids.contains($0) })
            #expect(try host.finish() == .code(0))
        }
    }
}
