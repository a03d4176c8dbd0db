import Foundation
import TestSupport
import Testing

/// A relay may be stopped as a whole, as on a machine that is suspended.
@Suite(.waits, .wire, .processesAreListed) struct FleetPauseTests {
    @Test("A relay that goes on after another one has its records sends nothing more of its batches")
    func paused() throws {
        try withTemporaryDirectory { folder in
            // A batch has many requests, one after the other.
            let variables = ["BRAZE_RATE_REQUESTS": "100000", "BRAZE_CONNECTIONS": "1"]
            let fleet = try Fleet(in: folder, hosts: 1, relays: 0, variables)
            try fleet.hosts[0].save(4_000)
            try fleet.hosts[0].awaitPublished()
            try fleet.service.inject([.stall()])
            try fleet.addRelay()
            try fleet.service.wait(stalled: 1)
            let resume = try fleet.pauseRelay(0)
            let before = try fleet.service.requests().count
            try fleet.addRelay()
            _ = try fleet.awaitAll()
            // What arrived but is not settled may come again from the other relay, if the machine is slow.
            try fleet.awaitSettled()
            let audit = try FleetAudit(fleet.service, dead: fleet.deadLetters())
            audit.expectNoneLost(fleet.hosts)
            audit.expectOrder()
            resume()
            try fleet.service.release()
            // It ends when it has the results of its batches.
            #expect(try fleet.stopRelays().allSatisfy { $0 == .code(0) })
            #expect(try fleet.service.requests().count > before)
            // The request that stalled arrives after the other relay's.
            let doubles = try FleetAudit(fleet.service, dead: fleet.deadLetters()).doubles - audit.doubles
            #expect(doubles <= 75)
        }
    }
}
