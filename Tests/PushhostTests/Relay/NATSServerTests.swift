import Foundation
import JSON
import TestSupport
import Testing

/// What the tests of `plugins/nats` rely on.
@Suite(.waits) struct NATSServerTests {
    @Test("A killed server comes back on its port with its streams")
    func restart() throws {
        let server = try NATSServer()
        try NATSClient(server).createStream(partitions: 2, isLinked: false)
        try server.kill()
        #expect(throws: TestFailure.self) { try NATSClient(server) }
        try server.start()
        let client = try NATSClient(server)
        #expect(try client.streamInfo()["config"]?["subjects"] == ["PUSHHOST.*.0", "PUSHHOST.*.1"])
        #expect(try client.request("PUSHHOST.a.1", "{\"a\":1}")["seq"] == 1)
        let message = try #require(try client.messages().first)
        #expect(message.subject == "PUSHHOST.a.1" && message.body == ["a": 1])
    }

    @Test("A cluster of three has a leader, and another one after that leader was killed")
    func cluster() throws {
        let cluster = try NATSCluster()
        let client = try NATSClient(cluster.servers[0])
        try client.createStream(partitions: 1, isLinked: false, [("num_replicas", 3)])
        #expect(try client.request("PUSHHOST.a.0", "{}")["seq"] == 1)
        let leader = try cluster.awaitLeader()
        try leader.kill()
        let others = cluster.servers.filter { $0.name != leader.name }
        let next = try cluster.awaitLeader(of: "PUSHHOST", among: others)
        #expect(next.name != leader.name)
        try leader.start()
        #expect(try NATSClient(next).messages().count == 1)
    }
}
