import JSON
import TestSupport
import Testing

/// A server that resets every connection for a while.
@Suite(.waits, .wire) struct DeliveryOutageTests {
    @Test(
        "After an outage every record is delivered, and counts once as possibly sent if it may have arrived",
        arguments: [false, true]
    )
    func outage(processed: Bool) throws {
        try DeliveryWorkspace.with { workspace in
            try workspace.server.injectRandomly(seed: 1, probability: 1, [.drop(processed: processed, reset: true)])
            let host = try workspace.host(["--retry-limit": "20", "--retry-patience": "3600000"])
            let records = (0..<300).map { DeliveryRecord(number: $0, users: 60) }.filter(\.isEvent)
            try DeliveryRecord.save(records, on: host)
            try host.request("flushPending", ["to": "braze"])
            try workspace.server.wait(requests: 40)
            let arrived = try workspace.server.log().count
            #expect(processed == (arrived > 0))
            try workspace.server.injectRandomly(seed: 1, probability: 0, [])
            let reply = try host.reply()
            let result = try #require(reply["result"], "\(reply)")
            #expect(result.count("delivered") == records.count)
            #expect(result.count("rejected") == 0)
            #expect(result["remaining"] == 0)
            let audit = try workspace.audit(host)
            #expect(audit.deadCount == 0)
            #expect(audit.pendingCount == 0)
            audit.expectNoneLost(records, possiblySent: result.count("possiblySent"))
            #expect((1...records.count).contains(result.count("possiblySent")))
            if processed {
                #expect(result.count("possiblySent") == arrived)
                #expect(audit.duplicates == arrived)
            } else {
                audit.expectOnce(records)
            }
            try host.finishDelivery()
        }
    }

    @Test("A host that starts during an outage offers possibly sent records only when the server answers")
    func restart() throws {
        try DeliveryWorkspace.with { workspace in
            try workspace.server.injectRandomly(seed: 1, probability: 1, [.drop(processed: true, reset: true)])
            let records = (0..<100).map { DeliveryRecord(number: $0) }.filter(\.isEvent)
            for attempt in 0..<3 {
                let host = try workspace.host(["--retry-patience": "0", "--retry-base": "1", "--retry-limit": "1"])
                if attempt == 0 { try DeliveryRecord.save(records, on: host) }
                #expect(try host.flush()["error"]?["data"]?["reason"] == "destinationUnavailable")
                try host.finishDelivery()
            }
            let arrived = try workspace.server.log().count
            try workspace.server.injectRandomly(seed: 1, probability: 0, [])
            let host = try workspace.host()
            #expect(try host.flushed().count("delivered") == records.count)
            let audit = try workspace.audit(host)
            #expect(audit.deadCount == 0)
            #expect(audit.duplicates == arrived)
            try host.finishDelivery()
        }
    }
}
