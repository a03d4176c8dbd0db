import JSON
import TestSupport
import Testing

/// An invalid record never blocks the others.
@Suite(.waits, .wire) struct DeliveryCulpritTests {
    private static let culprits: Set<Int> = [0, 51, 112]

    @Test(
        "Invalid records become dead letters with the reason, and every other record is delivered once",
        arguments: [.index, .refuse, .tooLarge] as [UsersTrackFault.CulpritAnswer]
    )
    func culprits(answer: UsersTrackFault.CulpritAnswer) throws {
        try DeliveryWorkspace.with { workspace in
            try workspace.server.setCulprit(DeliveryRecord.poison, answer)
            let host = try workspace.host()
            let records = DeliveryWorkspace.records(poisoned: Self.culprits)
            try DeliveryRecord.save(records, on: host)
            let result = try host.flushed()
            #expect(result.count("delivered") == 197)
            #expect(result.count("rejected") == 3)
            let audit = try workspace.audit(host)
            audit.expectOnce(records)
            audit.expectOrder(records)

            let letters = try host.result("deadLetters")
            #expect(letters["total"] == 3)
            let dead = try #require(letters["deadLetters"]?.array)
            #expect(Set(try dead.map(DeliveryRecord.number)) == Self.culprits)
            #expect(dead.allSatisfy { $0["kind"] == "customEvent" && $0["name"] == "Event" && $0["diedAt"] != nil })
            #expect(dead.allSatisfy { $0["reason"]?.string?.isEmpty == false })
            if answer == .index { #expect(dead.allSatisfy { $0["reason"] == "the object is refused" }) }
            try host.finishDelivery()
        }
    }

    @Test("If all records of a request are invalid, all become dead letters after one request")
    func allInvalid() throws {
        try DeliveryWorkspace.with { workspace in
            try workspace.server.setCulprit(DeliveryRecord.poison, .index)
            let host = try workspace.host()
            let records = [0, 1, 2].map { DeliveryRecord(number: $0, isPoisoned: true) }
            try DeliveryRecord.save(records, on: host)
            #expect(try host.flushed().count("rejected") == 3)
            #expect(try workspace.server.requests().map(\.status) == [400])
            try workspace.audit(host).expectOnce(records)
            try host.finishDelivery()
        }
    }

    @Test("Retried dead letters are delivered, first one by its id, then all")
    func retry() throws {
        try DeliveryWorkspace.with { workspace in
            try workspace.server.setCulprit(DeliveryRecord.poison, .index)
            let host = try workspace.host()
            let records = DeliveryWorkspace.records(poisoned: Self.culprits)
            try DeliveryRecord.save(records, on: host)
            #expect(try host.flushed().count("rejected") == 3)
            try workspace.server.setCulprit(DeliveryRecord.poison, nil)
            let first = try #require(try host.result("deadLetters", ["limit": 1])["deadLetters"]?[0]?["id"])
            #expect(try host.result("retryDeadLetters", ["ids": [first]]) == ["retried": 1])
            #expect(try host.result("deadLetters")["total"] == 2)
            #expect(try host.flushed().count("delivered") == 1)
            #expect(try host.result("retryDeadLetters") == ["retried": 2])
            #expect(try host.flushed().count("delivered") == 2)
            let audit = try workspace.audit(host)
            audit.expectOnce(records)
            #expect(audit.sentCount == 200)
            try host.finishDelivery()
        }
    }

    @Test(
        "Rate limits that the server announces are respected, so that it never refuses a request",
        arguments: ["epoch", "seconds"]
    )
    func rate(mode: String) throws {
        try DeliveryWorkspace.with(["--rate-headers", mode, "--rate-limit", "2", "--rate-window", "1"]) { workspace in
            let host = try workspace.host()
            let records = DeliveryWorkspace.records()
            try DeliveryRecord.save(records, on: host)
            #expect(try host.flushed().count("delivered") == 200)
            #expect(try workspace.server.requests().allSatisfy { $0.status == 201 })
            try workspace.audit(host).expectOnce(records)
            try host.finishDelivery()
        }
    }
}
