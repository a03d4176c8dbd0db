import Foundation
import JSON
import TestSupport
import Testing

/// Any process may be killed at any moment of a flush.
@Suite(.waits, .wire) struct DeliveryChaosTests {
    @Test(
        "Every record is accounted for after host, destination and server are killed during a flush of 20,000 records"
    )
    func chaos() throws {
        try withTemporaryDirectory { folder in
            var chaos = try DeliveryChaos(folder: folder, seed: 4)
            try chaos.save(20_000)
            for victim in DeliveryChaos.Victim.allCases.shuffled(using: &chaos.generator) + chaos.victims(8) {
                try chaos.flush(killing: victim)
                try chaos.save(20)
            }
            let (audit, possiblySent) = try chaos.end()
            #expect(audit.pendingCount == 0)
            audit.expectNoneLost(chaos.records, possiblySent: possiblySent)
        }
    }
}

/// A suite that a series of hosts flushes while the processes involved are killed.
private struct DeliveryChaos {
    /// The process to kill, at a request of the flush or, for the host, at any moment.
    enum Victim: CaseIterable { case host, hostAnytime, destination, server }

    /// The records whose saves were answered.
    private(set) var records: [DeliveryRecord] = []
    var generator: SeededGenerator

    private let folder: String
    private var server: UsersTrackServer
    private var host: HostProcess

    init(folder: String, seed: UInt64) throws {
        self.folder = folder
        generator = SeededGenerator(seed: seed)
        server = try UsersTrackServer(log: "\(folder)/track.log")
        host = try Self.start(folder, server)
    }

    private static func start(_ folder: String, _ server: UsersTrackServer) throws -> HostProcess {
        // A flush gives up soon when the server is dead, since only this test restarts the server.
        try DeliveryWorkspace(server: server, folder: folder).host(["--retry-patience": "300"])
    }

    /// Picks a number of victims at random.
    mutating func victims(_ count: Int) -> [Victim] {
        (0..<count).map { _ in Victim.allCases.randomElement(using: &generator) ?? .host }
    }

    /// Saves further records.
    mutating func save(_ count: Int) throws {
        let next = (records.count..<(records.count + count)).map { DeliveryRecord(number: $0, users: 100) }
        try DeliveryRecord.save(next, on: host)
        records += next
    }

    /// Flushes until a reply, an exit, or both, and restarts what was killed.
    mutating func flush(killing victim: Victim) throws {
        let processed = Bool.random(using: &generator)
        let passing = Array(repeating: UsersTrackFault.none, count: Int.random(in: 0..<20, using: &generator))
        let kill: UsersTrackFault? =
            switch victim {
            case .host: .kill(host.process.pid, processed: processed)
            case .hostAnytime: nil
            case .destination: .kill(processed: processed)
            case .server: .kill(server.process.pid, processed: processed)
            }
        try server.inject(passing + (kill.map { [$0] } ?? []), replacing: true)
        try host.request("flushPending", ["to": "braze"])
        if victim == .hostAnytime {
            for _ in 0..<Int.random(in: 0..<200_000, using: &generator) { sched_yield() }
            host.process.kill(SIGKILL)
        }
        try restartHost(isDead: victim == .hostAnytime)
        try restartServer(mayBeDead: victim == .server)
    }

    /// Waits for the reply to the flush, or starts another host if the host exits first.
    private mutating func restartHost(isDead: Bool) throws {
        while let line = try host.process.readLine() {
            if let message = try? JSON(parsing: line), message["id"] != nil, !isDead { return }
        }
        #expect(try host.process.wait() == .signal(SIGKILL))
        host = try Self.start(folder, server)
    }

    private mutating func restartServer(mayBeDead: Bool) throws {
        do {
            try server.inject([], replacing: true)
        } catch  where mayBeDead {
            #expect(try server.process.wait() == .signal(SIGKILL))
            server = try UsersTrackServer(port: server.port, log: "\(folder)/track.log")
        }
    }

    /// Flushes the remaining records without faults; returns an audit of all records, and the number of those that may
    /// have been sent twice.
    mutating func end() throws -> (DeliveryAudit, possiblySent: Int) {
        // The first flush may still have to wait for a delay that the server requested earlier.
        for _ in 0..<100 {
            let reply = try host.flush()
            if reply["error"]?["code"] == 302 { continue }
            #expect(reply["result"]?["remaining"] == 0, "\(reply)")
            break
        }
        let suites = try host.result("suites")["suites"]?.array.map(Array.init) ?? []
        let deliveries = suites.flatMap { $0["deliveries"]?.array.map(Array.init) ?? [] }
        let braze = try #require(deliveries.first { $0["to"] == "braze" }, "\(suites)")
        let audit = try DeliveryAudit(server, host)
        try host.finishDelivery()
        return (audit, braze.count("possiblySent"))
    }
}
