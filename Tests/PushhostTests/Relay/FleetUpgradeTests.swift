import Foundation
import JSON
import TestSupport
import Testing

/// An upgrade of a fleet, one program after the other.
@Suite(.waits, .wire) struct FleetUpgradeTests {
    @Test(
        "Relays and hosts that are replaced one after the other while hosts publish lose nothing and send nothing twice",
        arguments: [true, false]
    )
    func rolling(isLinked: Bool) throws {
        try withTemporaryDirectory { folder in
            let fleet = try Fleet(in: folder, hosts: 2, relays: 0)
            // Before a host creates it: in the form of today, or as the version before stored it.
            let client = try NATSClient(fleet.cluster.servers[0])
            try client.createStream(partitions: 8, isLinked: isLinked, [("num_replicas", 3)])
            for _ in 0..<2 { try fleet.addRelay() }
            for _ in 0..<4 {
                for host in fleet.hosts { try host.save(500) }
                try fleet.upgradeRelay()
            }
            for host in fleet.hosts {
                try host.restart()
                try host.save(500)
            }
            let audit = try fleet.awaitAll()
            #expect(fleet.saved == 5_000)
            audit.expectNoneLost(fleet.hosts)
            audit.expectOrder()
            #expect(audit.doubles == 0)
            try fleet.awaitSettled()
            #expect(try fleet.stopRelays().allSatisfy { $0 == .code(0) })
            #expect(try fleet.messages(in: "PUSHHOST_DEAD") == 0)
        }
    }
}
