import Foundation
import JSON
import TestSupport
import Testing

/// No destination makes the host lose a record, and every possible duplicate is counted.
@Suite(.hangs, .wire) struct DestinationZooTests {
    private func open(
        _ hostile: HostileDestination,
        _ body: (HostProcess, String, [Int64]) throws -> Void
    ) throws {
        try DestinationWorkshop.open { workshop in
            let folder = try workshop.add(hostile.program)
            let host = try workshop.host(hostile.options)
            let ids = try host.saveRecords(200)
            try body(host, folder, ids)
            #expect(try host.finish() == .code(0), "\(host.process.standardError.suffix(500))")
        }
    }

    @Test(
        "A destination with ambiguous deliveries loses no record, and every possible duplicate is counted",
        arguments: HostileDestination.doubtful + [.leaving]
    )
    func doubtful(hostile: HostileDestination) throws {
        try open(hostile) { host, folder, ids in
            let reply = try host.deliver()
            #expect(reply["result"]?["remaining"] == 0, "\(reply)")
            let account = try DestinationAccount(host, folder)
            account.expectExplained(ids)
            #expect(account.pending.isEmpty)
            #expect(account.possiblySent > 0 || hostile.name == HostileDestination.leaving.name)
            #expect(reply["result"]?["possiblySent"] == .integer(account.possiblySent))
            #expect(reply["result"]?["rejected"] == .integer(Int64(account.dead.count)))
            #expect(reply["result"]?["delivered"] == .integer(Int64(200 - account.dead.count)))
            let sent = try DestinationWorkshop.kept(folder)
            for (index, record) in sent.enumerated() where record["possiblySent"] == nil {
                #expect(
                    !sent[..<index].contains { $0["id"] == record["id"] },
                    "\(record) came twice and does not say so"
                )
            }
        }
    }

    @Test(
        "If a destination has no ambiguous deliveries, every record is in exactly one place",
        arguments: HostileDestination.clear
    )
    func clear(hostile: HostileDestination) throws {
        try open(hostile) { host, folder, ids in
            let reply = try host.deliver()
            #expect(reply["result"] != nil, "\(reply)")
            let account = try DestinationAccount(host, folder)
            account.expectOnce(ids)
            #expect(reply["result"]?["delivered"] == .integer(Int64(account.kept.count)))
            #expect(reply["result"]?["rejected"] == .integer(Int64(account.dead.count)))
            #expect(reply["result"]?["remaining"] == .integer(Int64(account.pending.count)))
            #expect(
                reply["result"]?["held"] == (account.pending.isEmpty ? nil : .integer(Int64(account.pending.count)))
            )
            #expect(account.dead.values.allSatisfy { $0 == "because" })
        }
    }

    @Test(
        "A destination that delivers nothing ends the flush, and all records are kept",
        arguments: HostileDestination.hopeless
    )
    func hopeless(hostile: HostileDestination) throws {
        var hostile = hostile
        hostile.options += ["--retry-patience", "300"]
        try open(hostile) { host, folder, ids in
            for _ in 0..<2 {
                let reply = try host.deliver()
                #expect(reply["error"]?["data"]?["reason"]?.string == hostile.error, "\(reply)")
                #expect(reply["error"]?["data"]?["remaining"] == 200)
            }
            let account = try DestinationAccount(host, folder)
            account.expectOnce(ids)
            #expect(account.pending.count == 200)
        }
    }

    @Test(
        "A destination that delivers nothing does not prevent the host's exit",
        arguments: HostileDestination.hopeless
    )
    func hopelessAtTheEnd(hostile: HostileDestination) throws {
        try open(hostile) { host, _, _ in
            try host.request("flushPending", ["to": "tried"])
            #expect(try host.finish() == .code(0))
            let reply = try host.reply()
            #expect(reply["error"]?["data"]?["reason"]?.string == hostile.error, "\(reply)")
        }
    }

    @Test("Each user's records arrive in order, even with two batches at once", arguments: [1, 2])
    func order(batchesAtOnce: Int) throws {
        try DestinationWorkshop.open { workshop in
            let program = """
                waiting = []
                def deliver(batch, n):
                    waiting.append((id, batch))
                    if n % 2 and n < 4: return
                    for other, records in reversed(waiting): send(id=other, result=take(records[:len(records) * 2 // 3 + 1]))
                    waiting.clear()
                """
            let single = "def deliver(batch, n): return take(batch[:len(batch) * 2 // 3 + 1])"
            let folder = try workshop.add(batchesAtOnce == 2 ? program : single, batchesAtOnce: batchesAtOnce)
            let host = try workshop.host()
            let ids = try host.saveRecords(2_500, users: 3_000)
            let more = try host.saveRecords(500, users: 5)
            #expect(try host.deliver()["result"]?["delivered"] == 3_000)
            try DestinationAccount(host, folder).expectKept(ids + more)
            var last: [String: Int64] = [:]
            for record in try DestinationWorkshop.kept(folder) {
                let (user, id) = (record["user"]?.description ?? "", record["id"]?.integer ?? 0)
                #expect(last[user, default: 0] < id)
                last[user] = id
            }
            #expect(try host.finish() == .code(0))
        }
    }
}
