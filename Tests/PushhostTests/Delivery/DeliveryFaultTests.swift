import JSON
import TestSupport
import Testing

/// No server fault loses a record, and a record arrives twice only if its delivery was ambiguous, which the reply says.
@Suite(.waits, .wire) struct DeliveryFaultTests {
    @Test("A server fault during a flush loses none of two hundred records", arguments: DeliveryFault.all)
    func first(_ fault: DeliveryFault) throws { try strike(fault, passing: 0) }

    @Test("Nor does one that strikes a connection which is used again", arguments: DeliveryFault.ofConnections)
    func second(_ fault: DeliveryFault) throws { try strike(fault, passing: 1) }

    /// Lets a fault strike after some requests were answered.
    private func strike(_ fault: DeliveryFault, passing: Int) throws {
        try DeliveryWorkspace.with { workspace in
            let host = try workspace.host(fault.options)
            let records = DeliveryWorkspace.records()
            try DeliveryRecord.save(records, on: host)
            try workspace.server.inject(Array(repeating: .none, count: passing) + fault.faults)
            let result = try host.flushed()
            let audit = try workspace.audit(host)
            try #require(try workspace.server.requests().contains { $0.fault != "none" }, "the fault never struck")

            #expect(audit.pendingCount == 0)
            audit.expectDeadIncrements(records)
            #expect(result.count("rejected") == audit.deadCount)
            switch fault.effect {
            case .none:
                audit.expectOnce(records)
                audit.expectOrder(records)
                #expect(audit.deadCount == 0)
                #expect(result.count("possiblySent") == 0)
                #expect(result.count("delivered") == records.count)
            case .ambiguous:
                audit.expectOnce(records)
            case .duplicates:
                audit.expectNoneLost(records, possiblySent: result.count("possiblySent"))
            }
            try host.finishDelivery()
        }
    }

    @Test("Without a fault, each record arrives once and in order, in requests as full as the order allows")
    func none() throws {
        try DeliveryWorkspace.with { workspace in
            let host = try workspace.host()
            let records = DeliveryWorkspace.records()
            try DeliveryRecord.save(records, on: host)
            let result = try host.flushed()
            #expect(result.count("delivered") == 200)
            #expect(result.count("rejected") == 0)
            #expect(result.count("possiblySent") == 0)
            let audit = try workspace.audit(host)
            audit.expectOnce(records)
            audit.expectOrder(records)
            let requests = try workspace.server.requests()
            #expect(requests.allSatisfy { $0.status == 201 && $0.objects == $0.processed && $0.objects <= 75 })
            #expect(try host.flushed().count("delivered") == 0)
            try host.finishDelivery()
        }
    }

    @Test(
        "Random faults during a whole flush neither lose nor duplicate a record",
        arguments: [1, 2, 3]
    )
    func random(seed: Int) throws {
        try DeliveryWorkspace.with { workspace in
            let faults: [UsersTrackFault] = [
                .answer(503), .answer(408), .tooMany(.none), .closing, .slow(milliseconds: 0),
            ]
            try workspace.server.injectRandomly(seed: seed, probability: 0.4, faults)
            let host = try workspace.host()
            let records = DeliveryWorkspace.records()
            try DeliveryRecord.save(records, on: host)
            #expect(try host.flushed().count("delivered") == 200)
            let audit = try workspace.audit(host)
            audit.expectOnce(records)
            audit.expectOrder(records)
            try host.finishDelivery()
        }
    }

    /// Drops only requests that contain records: a service that does not answer at all receives no further requests.
    @Test("A record whose delivery was ambiguous twice becomes a dead letter and is never sent a third time")
    func twice() throws {
        try DeliveryWorkspace.with { workspace in
            try workspace.server.injectRandomly(seed: 1, probability: 1, [.drop(processed: true, sparesEmpty: true)])
            let host = try workspace.host(["--retry-limit": "5", "--retry-patience": "3600000"])
            let records = DeliveryWorkspace.records()
            try DeliveryRecord.save(records, on: host)
            let result = try host.flushed()
            let audit = try workspace.audit(host)
            audit.expectNoneLost(records, possiblySent: result.count("possiblySent"))
            #expect(audit.deadCount == 200)
            #expect(result.count("rejected") == 200)
            try host.finishDelivery()
        }
    }
}
