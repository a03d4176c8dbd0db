import Foundation
import JSON
import TestSupport
import Testing

/// The destination `nats` while servers end, freeze and come back.
@Suite(.waits, .wire) struct NATSDestinationOutageTests {
    @Test("A host connects again after the server was killed and started, without a manual step")
    func restart() throws {
        let server = try NATSServer()
        try NATSWorkspace.with(["NATS_URL": server.url, "NATS_TIMEOUT_MILLISECONDS": "1000"]) { workspace in
            let host = try workspace.host()
            let first = try host.saveRecords(100)
            try host.publishAll()
            try server.kill()
            let second = try host.saveRecords(100)
            try host.request("flushPending", ["to": "nats"])
            try server.start()
            let reply = try host.reply()
            #expect(reply["result"]?["remaining"] == 0, "\(reply)")
            try NATSClient(server).records().expectOnceInOrder(first + second)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("What a frozen server does not acknowledge is offered again, and stored once")
    func frozen() throws {
        let server = try NATSServer()
        let client = try NATSClient(server)
        try client.createStream()
        try NATSWorkspace.with(["NATS_URL": server.url, "NATS_TIMEOUT_MILLISECONDS": "300"]) { workspace in
            let host = try workspace.host(patience: 0)
            let ids = try host.saveRecords(100)
            #expect(try host.result("checkDestination", ["to": "nats"])["accepted"] == true)
            server.freeze()
            let reply = try host.deliver(to: "nats")
            #expect(reply["error"]?["data"]?["reason"] == "destinationUnavailable", "\(reply)")
            #expect(try host.all("deadLetters", "deadLetters").isEmpty)
            #expect(try host.finish() == .code(0))
            server.thaw()
            let next = try workspace.host()
            #expect(try next.publishAll().count("delivered") == 100)
            try client.records().expectOnceInOrder(ids)
            #expect(try next.finish() == .code(0))
        }
    }

    @Test("While the leader of a cluster is killed, the records of each user arrive in order, and none twice or never")
    func cluster() throws {
        let cluster = try NATSCluster()
        let client = try NATSClient(cluster.servers[0])
        try client.createStream(partitions: 4, [("num_replicas", 3)])
        let variables = ["NATS_URL": cluster.urls, "NATS_TIMEOUT_MILLISECONDS": "1000"]
        try NATSWorkspace.with(variables) { workspace in
            let host = try workspace.host()
            let ids = try host.saveRecords(4_000, users: 5)
            let leader = try cluster.awaitLeader()
            let watcher = try NATSClient(try #require(cluster.servers.first { $0.name != leader.name }))
            try watcher.watch("PUSHHOST.>")
            try host.request("flushPending", ["to": "nats"])
            for _ in 0..<6 { _ = try watcher.awaitMessage() }
            try leader.kill()
            let reply = try host.reply()
            #expect(reply["result"]?["remaining"] == 0, "\(reply)")
            #expect(try host.all("deadLetters", "deadLetters").isEmpty)
            try leader.start()
            let others = cluster.servers.filter { $0.name != leader.name }
            try NATSClient(try cluster.awaitLeader(among: others)).records().expectOnceInOrder(ids)
            #expect(try host.finish() == .code(0))
        }
    }
}
