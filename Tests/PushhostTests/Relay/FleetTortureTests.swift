import Foundation
import JSON
import TestSupport
import Testing

/// Hosts, relays and servers may be killed or stopped at any moment, and a server's disk may be full.
///
/// With a server that `NATS_SERVER` names, as in `.ci/run`, it is longer, stops servers and fills a disk. Debian's server
/// 2.9.10 may lose records when it leads, is stopped and goes on, and writes no word about a full disk in its log. Only
/// root can fill one; for others the test does the rest, unless `PUSHHOST_REFEREES=required`.
@Suite(.waits, .wire, .processesAreListed) struct FleetTortureTests {
    private static let environment = ProcessInfo.processInfo.environment
    /// The number of rounds of 1,000 records; `PUSHHOST_FLEET_ROUNDS=200` makes it the long test.
    private static let rounds = environment["PUSHHOST_FLEET_ROUNDS"].flatMap(Int.init) ?? (isReferee ? 20 : 8)
    private static let isReferee = environment["NATS_SERVER"] != nil
    private static let hasDisk =
        isReferee && (SmallDisk.isPossible || environment["PUSHHOST_REFEREES"] == "required")

    @Test(
        "Every record of 8 hosts arrives in order through 4 relays and 3 servers, whatever is killed, stopped or full"
    )
    func torture() throws {
        try withTemporaryDirectory { folder in
            let fleet = try Fleet(in: folder, hosts: 8, relays: 4, hasDisk: Self.hasDisk)
            var torture = FleetTorture(fleet)
            try torture.run(rounds: Self.rounds, records: 125, stopsServers: Self.isReferee)
            var audit = try fleet.awaitAll()
            // What a relay had sent before it was killed comes again when its lease is over, and is settled then.
            try fleet.awaitSettled()
            #expect(try fleet.stopRelays().allSatisfy { $0 == .code(0) })
            let backlog = Self.rounds * 1_500
            for host in fleet.hosts { try host.save(backlog / fleet.hosts.count) }
            for host in fleet.hosts { try host.awaitPublished() }
            let start = ContinuousClock.now
            for _ in 0..<4 { try fleet.addRelay() }
            try fleet.awaitProcessed(fleet.saved * 99 / 100)
            audit = try fleet.awaitAll()
            let time = ContinuousClock.now - start
            #expect(fleet.saved == Self.rounds * 2_500)
            audit.expectNoneLost(fleet.hosts)
            audit.expectOrder()
            // Only a relay that is killed, or loses its lease, while it delivers makes doubles: its two batches.
            #expect(audit.doubles <= torture.interruptions * 2_000)
            try fleet.awaitSettled()
            #expect(try fleet.stopRelays().allSatisfy { $0 == .code(0) })
            let letters = try fleet.messages(in: "PUSHHOST_DEAD")
            print("\(torture.summary); \(fleet.saved) records, \(audit.doubles) doubles, \(letters) dead letters")
            print("a backlog of \(backlog) was delivered in \(time)")
        }
    }
}

/// Harms a part of a fleet in each round, while its hosts save.
private struct FleetTorture {
    enum Victim: CaseIterable { case host, relay, server, stoppedRelay, stoppedServer, fullDisk, nobody }

    private let fleet: Fleet
    private var generator = SeededGenerator(seed: 18)
    /// How often each was harmed.
    private var victims: [Victim: Int] = [:]

    init(_ fleet: Fleet) { self.fleet = fleet }

    /// How often a relay may have lost what it was sending.
    var interruptions: Int {
        victims.reduce(0) { sum, victim in
            switch victim.key {
            case .host, .nobody: sum
            case .relay, .server, .stoppedRelay, .stoppedServer, .fullDisk: sum + victim.value
            }
        }
    }

    var summary: String {
        func count(_ victim: Victim) -> Int { victims[victim, default: 0] }
        return "\(count(.host)) hosts, \(count(.relay)) relays and \(count(.server)) servers were killed, "
            + "\(count(.stoppedRelay)) relays and \(count(.stoppedServer)) servers stopped, "
            + "\(count(.fullDisk)) times a disk was full"
    }

    /// Saves records on each host in each round; the rounds go on as far as the service has processed what came before.
    mutating func run(rounds: Int, records: Int, stopsServers: Bool) throws {
        let disk = fleet.cluster.servers.first { $0.disk != nil }
        let possible = Victim.allCases.filter { victim in
            switch victim {
            case .fullDisk: disk != nil
            case .stoppedServer: stopsServers
            default: true
            }
        }
        // Each of them as often as the others, in a random order.
        let order = (0..<rounds).map { possible[$0 % possible.count] }.shuffled(using: &generator)
        for (round, victim) in order.enumerated() {
            victims[victim, default: 0] += 1
            let host = Int.random(in: 0..<fleet.hosts.count, using: &generator)
            let relay = Int.random(in: 0..<fleet.relays.count, using: &generator)
            let server = fleet.cluster.servers[Int.random(in: 0..<fleet.cluster.servers.count, using: &generator)]
            let start = Date.now
            var repair: () throws -> Void = {}
            switch victim {
            case .host, .nobody: break
            case .relay: try fleet.replaceRelay(relay)
            case .server:
                try server.kill()
                repair = server.start
            case .stoppedRelay: repair = try fleet.pauseRelay(relay)
            case .stoppedServer:
                server.freeze()
                repair = server.thaw
            case .fullDisk:
                try disk?.disk?.fill()
                repair = {
                    try disk?.awaitFullDisk()
                    try disk?.disk?.free()
                    // A server that cannot write stores nothing more until it is started again.
                    try disk?.stop()
                    try disk?.start()
                }
            }
            for (index, one) in fleet.hosts.enumerated() {
                try one.save(records, killed: victim == .host && index == host)
            }
            if victim == .fullDisk { try repair() }
            try fleet.awaitProcessed(max(0, round - 2) * records * fleet.hosts.count)
            if victim == .stoppedRelay || victim == .stoppedServer {
                // Longer than the lease of 5 s.
                Thread.sleep(until: start + 7)
            }
            if victim != .fullDisk { try repair() }
        }
    }
}
