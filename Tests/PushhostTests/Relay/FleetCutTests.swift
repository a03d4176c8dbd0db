import Foundation
import JSON
import TestSupport
import Testing

/// The network between a host and the cluster may be cut for a minute.
@Suite(.waits, .wire) struct FleetCutTests {
    @Test("A host whose network is cut for 60 s publishes everything afterwards, once, without anybody's help")
    func cut() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pushhost-tests-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // The host must not learn the address behind the network that the test can cut.
        let server = try NATSServer()
        let network = try CuttableNetwork(to: server.port)
        let host = try FleetHost(
            0,
            folder: folder,
            [
                "NATS_URL": "nats://127.0.0.1:\(network.port)",
                "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "",
            ]
        )
        try host.save(1_000)
        // The host publishes at this moment, so acknowledgements are lost.
        network.cut()
        let end = ContinuousClock.now + .seconds(60)
        // Saves go on, and their replies do not wait for the network.
        while ContinuousClock.now < end {
            try host.save(50)
            // Other tests run meanwhile.
            try await Task.sleep(for: .seconds(1))
        }
        try network.restore()
        try host.save(500)
        try host.awaitPublished()
        let records = try NATSClient(server).records().map { message in
            try #require(FleetRecord(message: message.body), "\(message.body)")
        }
        #expect(records.count == host.saved)
        #expect(Set(records).count == records.count, "a record was published twice")
        for (user, own) in Dictionary(grouping: records, by: \.user) {
            #expect(own.map(\.number) == own.map(\.number).sorted(), "\(user)")
        }
        try host.finish()
    }
}
