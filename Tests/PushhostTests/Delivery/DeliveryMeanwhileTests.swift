import JSON
import TestSupport
import Testing

/// The host keeps serving calls during a flush.
@Suite(.waits, .wire) struct DeliveryMeanwhileTests {
    @Test("While a destination waits after a 429, pings, saves and notifications are answered")
    func waiting() throws {
        try DeliveryWorkspace.with { workspace in
            let host = try workspace.host(["--retry-patience": "3600000"])
            let records = DeliveryWorkspace.records()
            try DeliveryRecord.save(records, on: host)
            try workspace.server.inject([.tooMany(.seconds, seconds: 600)])
            let flush = try host.request("flushPending", ["to": "braze"])
            try workspace.server.wait(requests: 1)
            let later = DeliveryRecord(number: 200)
            let others = [
                try host.request("ping"),
                try host.request(later.request.method, later.request.params),
                try host.request("didReceive", HostProcess.payload("match_game")),
            ]
            let replies = try others.map { _ in try host.reply() }
            for id in others { #expect(replies.contains { $0["id"] == id && $0["result"] != nil }, "\(replies)") }
            #expect(try host.result("$/cancelRequest", ["id": flush]) == ["cancelled": true])
            #expect(try host.reply()["error"]?["code"] == -32_800)
            try workspace.audit(host).expectOnce(records + [later])
            try host.finishDelivery()
        }
    }

    @Test("Records saved during a flush are neither lost nor sent twice")
    func saves() throws {
        try DeliveryWorkspace.with { workspace in
            let host = try workspace.host()
            let records = DeliveryWorkspace.records()
            try DeliveryRecord.save(records, on: host)
            try workspace.server.inject([.stall()])
            try host.request("flushPending", ["to": "braze"])
            try workspace.server.wait(stalled: 1)
            let later = (200..<400).map { DeliveryRecord(number: $0) }
            try DeliveryRecord.save(later, on: host)
            try workspace.server.release()
            #expect(try host.reply()["result"] != nil)
            _ = try host.flushed()
            let audit = try workspace.audit(host)
            audit.expectOnce(records + later)
            audit.expectOrder(records + later)
            #expect(audit.sentCount == 400)
            try host.finishDelivery()
        }
    }

    @Test("A cancelled flush is answered at once; requests in flight are counted, and the other records stay pending")
    func cancelled() throws {
        try DeliveryWorkspace.with { workspace in
            let host = try workspace.host()
            let records = DeliveryWorkspace.records()
            try DeliveryRecord.save(records, on: host)
            try workspace.server.inject([.stall(processed: true)])
            let flush = try host.request("flushPending", ["to": "braze"])
            try workspace.server.wait(stalled: 1)
            #expect(try host.result("$/cancelRequest", ["id": flush]) == ["cancelled": true])
            let reply = try host.reply()
            #expect(reply["id"] == flush)
            #expect(reply["error"]?["code"] == -32_800)
            try workspace.server.release()
            try host.finishDelivery()

            let next = try workspace.host()
            _ = try next.flushed()
            let audit = try workspace.audit(next)
            audit.expectOnce(records)
            #expect(audit.sentCount == 200)
            try next.finishDelivery()
        }
    }

    @Test("While one host flushes a suite, another host's flush is refused until the first one is done")
    func busy() throws {
        try DeliveryWorkspace.with { workspace in
            let (first, second) = (try workspace.host(), try workspace.host())
            let records = DeliveryWorkspace.records()
            try DeliveryRecord.save(records, on: first)
            try workspace.server.inject([.stall()])
            try first.request("flushPending", ["to": "braze"])
            try workspace.server.wait(stalled: 1)
            let reply = try second.flush()
            #expect(reply["error"]?["code"] == 303, "\(reply)")
            #expect(reply["error"]?["data"]?["reason"] == "flushBusy")
            try workspace.server.release()
            #expect(try first.reply().count("delivered") == 200)
            #expect(try second.flushed().count("delivered") == 0)
            try workspace.audit(second).expectOnce(records)
            try first.finishDelivery()
            try second.finishDelivery()
        }
    }

    @Test("After a host is killed during a stalled flush, the next host delivers the remaining records")
    func killed() throws {
        try DeliveryWorkspace.with { workspace in
            let first = try workspace.host()
            let records = DeliveryWorkspace.records()
            try DeliveryRecord.save(records, on: first)
            try workspace.server.inject([.none, .kill(first.process.pid, processed: true)])
            try first.request("flushPending", ["to": "braze"])
            #expect(try first.process.wait() == .signal(9))
            let second = try workspace.host()
            let result = try second.flushed()
            let audit = try workspace.audit(second)
            audit.expectNoneLost(records, possiblySent: result.count("possiblySent"))
            audit.expectDeadIncrements(records)
            try second.finishDelivery()
        }
    }
}
