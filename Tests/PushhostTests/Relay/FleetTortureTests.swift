import Foundation
import JSON
import TestSupport
import Testing

/// Hosts, relays and servers may be killed at any moment.
@Suite(.waits, .wire) struct FleetTortureTests {
    /// The number of rounds of 1,000 records; `PUSHHOST_FLEET_ROUNDS=200` makes it the long test.
    private static let rounds = ProcessInfo.processInfo.environment["PUSHHOST_FLEET_ROUNDS"].flatMap(Int.init) ?? 20

    @Test("Every record of 8 hosts arrives in order through 4 relays and 3 servers, while they are killed")
    func torture() throws {
        try withTemporaryDirectory { folder in
            let fleet = try Fleet(in: folder, hosts: 8, relays: 4)
            var torture = FleetTorture(fleet)
            try torture.run(rounds: Self.rounds, records: 125)
            let audit = try fleet.awaitAll()
            #expect(fleet.saved == Self.rounds * 1_000)
            audit.expectNoneLost(fleet.hosts)
            audit.expectOrder()
            // Only a relay that is killed, or loses its lease, while it delivers makes doubles: its two batches.
            #expect(audit.doubles <= torture.interruptions * 2_000)
            // What a relay had sent before it was killed comes again when its lease is over, and is settled then.
            try fleet.awaitSettled()
            #expect(try fleet.stopRelays().allSatisfy { $0 == .code(0) })
            let letters = try fleet.messages(in: "PUSHHOST_DEAD")
            print("\(torture.summary); \(audit.doubles) doubles, \(letters) dead letters")
        }
    }
}

/// Kills a part of a fleet in each round, while its hosts save.
private struct FleetTorture {
    enum Victim: CaseIterable { case host, relay, server, nobody }

    private let fleet: Fleet
    private var generator = SeededGenerator(seed: 18)
    /// How often each was killed.
    private var kills: [Victim: Int] = [:]
    /// The server that was killed in the last round.
    private var down: NATSServer?

    init(_ fleet: Fleet) { self.fleet = fleet }

    /// After how many kills a relay may have lost what it was sending.
    var interruptions: Int { kills[.relay, default: 0] + kills[.server, default: 0] }

    var summary: String {
        func count(_ victim: Victim) -> Int { kills[victim, default: 0] }
        return "\(count(.host)) hosts, \(count(.relay)) relays and \(count(.server)) servers were killed"
    }

    /// Saves records on each host in each round; the rounds go on as far as the service has processed what came before.
    mutating func run(rounds: Int, records: Int) throws {
        for round in 0..<rounds {
            let victim = Victim.allCases.randomElement(using: &generator) ?? .nobody
            kills[victim, default: 0] += 1
            let host = Int.random(in: 0..<fleet.hosts.count, using: &generator)
            if victim == .relay { try fleet.replaceRelay(Int.random(in: 0..<fleet.relays.count, using: &generator)) }
            if victim == .server {
                down = fleet.cluster.servers.randomElement(using: &generator)
                try down?.kill()
            }
            for (index, one) in fleet.hosts.enumerated() {
                try one.save(records, killed: victim == .host && index == host)
            }
            try fleet.awaitProcessed(max(0, round - 2) * records * fleet.hosts.count)
            try down?.start()
            down = nil
        }
    }
}
