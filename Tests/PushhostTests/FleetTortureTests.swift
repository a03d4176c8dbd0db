import Foundation
import JSON
import TestSupport
import Testing

/// Hosts and relays may be killed at any moment.
@Suite(.hangs, .wire) struct FleetTortureTests {
    @Test(
        "Every record of 8 hosts arrives in order through 4 relays and a cluster of 3 servers, while hosts and relays are killed"
    )
    func torture() throws {
        try withTemporaryDirectory { folder in
            let fleet = try Fleet(in: folder, hosts: 8, relays: 4)
            var torture = FleetTorture(fleet, seed: 18)
            try torture.run(rounds: 20, records: 125)
            let audit = try fleet.awaitAll()
            #expect(fleet.saved == 20_000)
            audit.expectNoneLost(fleet.hosts)
            audit.expectOrder()
            // Only a relay that is killed while it delivers makes doubles: what it had pulled.
            #expect(audit.doubles <= torture.kills[.relay, default: 0] * 3_000)
            #expect(try fleet.stopRelays().allSatisfy { $0 == .code(0) })
            #expect(try fleet.messages(in: "PUSHHOST") == 0)
        }
    }
}

/// Kills a part of a fleet in each round, while its hosts save.
private struct FleetTorture {
    enum Victim: CaseIterable { case host, relay, nobody }

    /// How often each was killed.
    private(set) var kills: [Victim: Int] = [:]
    private let fleet: Fleet
    private var generator: SeededGenerator

    init(_ fleet: Fleet, seed: UInt64) {
        self.fleet = fleet
        generator = SeededGenerator(seed: seed)
    }

    /// Saves records on each host in each round; the rounds go on as far as the service has processed what came before.
    mutating func run(rounds: Int, records: Int) throws {
        for round in 0..<rounds {
            let victim = Victim.allCases.randomElement(using: &generator) ?? .nobody
            kills[victim, default: 0] += 1
            let host = Int.random(in: 0..<fleet.hosts.count, using: &generator)
            if victim == .relay { try fleet.replaceRelay(Int.random(in: 0..<fleet.relays.count, using: &generator)) }
            for (index, one) in fleet.hosts.enumerated() {
                try one.save(records, killed: victim == .host && index == host)
            }
            let enough = max(0, round - 2) * records * fleet.hosts.count
            try fleet.awaitProcessed(enough)
        }
    }
}
