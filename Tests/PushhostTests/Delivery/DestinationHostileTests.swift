import Foundation
import JSON
import TestSupport
import Testing

/// No destination makes the host lose a record, and every possible duplicate is counted.
@Suite(.waits, .wire) struct DestinationHostileTests {
    private func open(
        _ hostile: HostileDestination,
        _ body: (HostProcess, String, [Int64]) throws -> Void
    ) throws {
        try DestinationWorkspace.open { workspace in
            let folder = try workspace.add(hostile.program)
            let host = try workspace.host(hostile.options)
            let ids = try host.saveRecords(200)
            try body(host, folder, ids)
            #expect(try host.finish() == .code(0), "\(host.process.standardError.suffix(500))")
        }
    }

    @Test(
        "A destination with ambiguous deliveries loses no record, and every possible duplicate is counted",
        arguments: HostileDestination.ambiguous + [.exitingAfterAnswer]
    )
    func ambiguous(hostile: HostileDestination) throws {
        try open(hostile) { host, folder, ids in
            let reply = try host.deliver()
            #expect(reply["result"]?["remaining"] == 0, "\(reply)")
            let audit = try DestinationAudit(host, folder)
            audit.expectNoneLost(ids)
            #expect(audit.pending.isEmpty)
            #expect(audit.possiblySent > 0 || hostile.name == HostileDestination.exitingAfterAnswer.name)
            #expect(reply["result"]?["possiblySent"] == .integer(audit.possiblySent))
            #expect(reply["result"]?["rejected"] == .integer(Int64(audit.dead.count)))
            #expect(reply["result"]?["delivered"] == .integer(Int64(200 - audit.dead.count)))
            let sent = try DestinationWorkspace.kept(folder)
            for (index, record) in sent.enumerated() where record["possiblySent"] == nil {
                #expect(
                    !sent[..<index].contains { $0["id"] == record["id"] },
                    "\(record) arrived twice, but does not have possiblySent"
                )
            }
        }
    }

    @Test(
        "If a destination has no ambiguous deliveries, every record is in exactly one place",
        arguments: HostileDestination.unambiguous
    )
    func unambiguous(hostile: HostileDestination) throws {
        try open(hostile) { host, folder, ids in
            let reply = try host.deliver()
            #expect(reply["result"] != nil, "\(reply)")
            let audit = try DestinationAudit(host, folder)
            audit.expectOnce(ids)
            #expect(reply["result"]?["delivered"] == .integer(Int64(audit.kept.count)))
            #expect(reply["result"]?["rejected"] == .integer(Int64(audit.dead.count)))
            #expect(reply["result"]?["remaining"] == .integer(Int64(audit.pending.count)))
            #expect(
                reply["result"]?["held"] == (audit.pending.isEmpty ? nil : .integer(Int64(audit.pending.count)))
            )
            #expect(audit.dead.values.allSatisfy { $0 == "because" })
        }
    }

    @Test(
        "A destination that delivers nothing ends the flush, and all records are kept",
        arguments: HostileDestination.neverDelivering
    )
    func neverDelivering(hostile: HostileDestination) throws {
        var hostile = hostile
        hostile.options += ["--retry-patience", "300"]
        try open(hostile) { host, folder, ids in
            for _ in 0..<2 {
                let reply = try host.deliver()
                #expect(reply["error"]?["data"]?["reason"]?.string == hostile.error, "\(reply)")
                #expect(reply["error"]?["data"]?["remaining"] == 200)
            }
            let audit = try DestinationAudit(host, folder)
            audit.expectOnce(ids)
            #expect(audit.pending.count == 200)
        }
    }

    @Test(
        "A destination that delivers nothing does not prevent the host's exit",
        arguments: HostileDestination.neverDelivering
    )
    func neverDeliveringAtExit(hostile: HostileDestination) throws {
        try open(hostile) { host, _, _ in
            try host.request("flushPending", ["to": "tried"])
            #expect(try host.finish() == .code(0))
            let reply = try host.reply()
            #expect(reply["error"]?["data"]?["reason"]?.string == hostile.error, "\(reply)")
        }
    }

    @Test("Each user's records arrive in order, even with two batches at once", arguments: [1, 2])
    func order(batchesAtOnce: Int) throws {
        try DestinationWorkspace.open { workspace in
            let program = """
                waiting = []
                def deliver(batch, n):
                    waiting.append((id, batch))
                    if n % 2 and n < 4: return
                    for other, records in reversed(waiting): send(id=other, result=accept(records[:len(records) * 2 // 3 + 1]))
                    waiting.clear()
                """
            let single = "def deliver(batch, n): return accept(batch[:len(batch) * 2 // 3 + 1])"
            let folder = try workspace.add(batchesAtOnce == 2 ? program : single, batchesAtOnce: batchesAtOnce)
            let host = try workspace.host()
            let ids = try host.saveRecords(2_500, users: 3_000)
            let more = try host.saveRecords(500, users: 5)
            #expect(try host.deliver()["result"]?["delivered"] == 3_000)
            try DestinationAudit(host, folder).expectKept(ids + more)
            var last: [String: Int64] = [:]
            for record in try DestinationWorkspace.kept(folder) {
                let (user, id) = (record["user"]?.description ?? "", record["id"]?.integer ?? 0)
                #expect(last[user, default: 0] < id)
                last[user] = id
            }
            #expect(try host.finish() == .code(0))
        }
    }
}
