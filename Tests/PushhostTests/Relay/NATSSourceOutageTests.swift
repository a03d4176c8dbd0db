import Foundation
import JSON
import TestSupport
import Testing

/// A relay whose servers are gone for some time.
@Suite(.waits) struct NATSSourceOutageTests {
    @Test("A relay goes on after its server was killed and started again; what it settles meanwhile is stored once")
    func restart() throws {
        let server = try NATSServer()
        let client = try NATSClient(server)
        try client.createStream(partitions: 2, isLinked: false)
        try client.publish(1...100)
        let source = try NATSSourceDriver(server.url)
        let records = try source.pull(atLeast: 100)
        #expect(try source.begin(Array(records[..<60])).isEmpty)
        try server.kill()
        // The host repeats the call until the server is there.
        let ids = JSON.array(JSON.Array(integers: records[..<50].map(\.id)))
        let failed = try source.answer(to: try source.send("settle", ["delivered": ids]))
        #expect(failed["error"]?["data"]?["reason"] == "sourceUnavailable")
        let others = JSON.array(JSON.Array(integers: records[60...].map(\.id)))
        let refused = try source.answer(to: try source.send("begin", ["ids": others]))
        #expect(refused["error"]?["data"]?["reason"] == "sourceUnavailable", "\(refused)")
        try server.start()
        #expect(try source.settle(delivered: Array(records[..<50])).isEmpty)
        #expect(try source.settle(retry: Array(records[50...])).isEmpty)
        let rest = try source.pull(atLeast: 50)
        #expect(rest.map(\.number).sorted() == records[50...].map(\.number).sorted())
        #expect(rest.allSatisfy { $0.possiblySent == 0 })
        try source.settle(delivered: rest)
        let again = try NATSClient(server)
        try source.until("all is acknowledged") {
            let others = try source.pull()
            #expect(others.isEmpty)
            return try again.pending() == 0
        }
    }

    @Test("While one server after the other is killed, what is settled is removed, and nothing else is")
    func removal() throws {
        let cluster = try NATSCluster()
        let properties: [(String, JSON)] = [("num_replicas", 3), ("duplicate_window", 1_000_000_000)]
        try NATSClient(cluster.servers[0]).createStream(partitions: 2, isLinked: false, properties)
        let source = try NATSSourceDriver(cluster.urls, lease: 10)
        var settled: Set<Int64> = []
        for round in 0..<3 {
            _ = try cluster.awaitLeader()
            try NATSClient(cluster.servers[0]).publish(round * 20 + 1...round * 20 + 20)
            let victim = cluster.servers[round]
            try victim.kill()
            try source.until("all of round \(round) is settled, not only \(settled.sorted())") {
                let records = try source.pull()
                let lost = try source.settle(delivered: records)
                settled.formUnion(records.filter { !lost.contains($0.id) }.map(\.number))
                return settled.count == round * 20 + 20
            }
            try victim.start()
            try cluster.awaitReplicas()
            try source.until("what was settled is removed") {
                let records = try source.pull()
                #expect(records.isEmpty)
                let state = try? NATSClient(cluster.servers[0]).streamInfo(patience: 1)["state"]
                return state?["first_seq"]?.integer == Int64(round * 20 + 20)
            }
        }
        try source.end()
    }

    @Test("Records come although nobody leads another consumer, so that the servers list consumers only after seconds")
    func leaderless() throws {
        let cluster = try NATSCluster()
        let client = try NATSClient(cluster.servers[0])
        try client.createStream(partitions: 2, isLinked: false, [("num_replicas", 3)])
        let consumer: JSON = [
            "stream_name": "PUSHHOST",
            "config": ["durable_name": "other", "ack_policy": "explicit", "num_replicas": 1],
        ]
        let leader = try client.api("CONSUMER.DURABLE.CREATE.PUSHHOST.other", consumer)["cluster"]?["leader"]?.string
        let victim = try #require(cluster.servers.first { $0.name == leader })
        try victim.kill()
        let others = cluster.servers.filter { $0 !== victim }
        try NATSClient(try cluster.awaitLeader(among: others)).publish(1...20)
        // A request may take a third of the lease.
        let source = try NATSSourceDriver(others.map(\.url).joined(separator: ","), lease: 5)
        let records = try source.pull(atLeast: 20)
        #expect(records.map(\.number).sorted() == Array(1...20))
        try source.settle(delivered: records)
        try source.end()
    }

    @Test("After an outage that is longer than a lease, revoked records may be settled or given back")
    func longOutage() throws {
        let server = try NATSServer()
        try NATSClient(server).createStream(partitions: 2, isLinked: false)
        try NATSClient(server).publish(1...20)
        let source = try NATSSourceDriver(server.url, lease: 1)
        let records = try source.pull(atLeast: 20)
        try source.begin(records)
        try server.kill()
        try source.until("the records were revoked") {
            let more = try source.pull()
            #expect(more.isEmpty)
            return source.revoked.count == 20
        }
        // A stream whose servers are gone is not taken for an empty one.
        let refused = try source.answer(to: try source.send("pull", ["limit": 10, "wait": 1]))
        #expect(refused["error"]?["data"]?["reason"] == "sourceUnavailable", "\(refused)")
        try server.start()
        // A record that was being sent is settled nevertheless; the others are given back.
        #expect(try source.settle(delivered: Array(records[..<5]), retry: Array(records[5...])).isEmpty)
        let rest = try source.pull(atLeast: 15)
        #expect(rest.map(\.number).sorted() == records[5...].map(\.number).sorted())
        #expect(rest.allSatisfy { $0.possiblySent == 0 })
    }
}
