import Foundation
import JSON
import TestSupport
import Testing

/// How long settled records stay in the stream, and what that means for the next relay.
@Suite(.waits) struct NATSSourceRetentionTests {
    private let server: NATSServer
    private let client: NATSClient

    init() throws {
        server = try NATSServer()
        client = try NATSClient(server)
    }

    private func source(lease: Int = 3) throws -> NATSSourceDriver { try NATSSourceDriver(server.url, lease: lease) }

    /// The first and the last sequence of the stream.
    private func sequences() throws -> (first: Int64, last: Int64) {
        let state = try client.streamInfo()["state"]
        return (state?["first_seq"]?.integer ?? 0, state?["last_seq"]?.integer ?? 0)
    }

    @Test("What was settled is removed after the duplicate window, but nothing from the first record on that was not")
    func removed() throws {
        try client.createStream(partitions: 2, isLinked: false, [("duplicate_window", 1_000_000_000)])
        try client.publish(1...10)
        let source = try source()
        let records = try source.pull(atLeast: 10)
        try source.settle(delivered: records.filter { $0.number != 7 }, retry: records.filter { $0.number == 7 })
        let held = try source.pull(atLeast: 1)
        #expect(held.map(\.number) == [7])
        try source.until("all before record 7 was removed") {
            let others = try source.pull()
            #expect(others.isEmpty)
            let first = try sequences().first
            #expect(first <= 7)
            return first == 7
        }
        #expect(try client.pending() == 1)
        try source.settle(delivered: held)
        try source.until("all but the last record was removed") {
            let others = try source.pull()
            #expect(others.isEmpty)
            return try sequences() == (10, 10)
        }
        try client.publish(11...12)
        #expect(Set(try source.pull(atLeast: 2).map(\.number)) == [11, 12])
        try source.end()
    }

    @Test("Within the duplicate window nothing is removed, and the next relay gets only what was not settled")
    func kept() throws {
        try client.createStream(partitions: 2, isLinked: false)
        try client.publish(1...10)
        let first = try source()
        try first.settle(delivered: try first.pull(atLeast: 10))
        try first.end()
        try client.publish(11...12)
        #expect(try client.pending() == 2)
        let second = try source()
        let records = try second.pull(atLeast: 2)
        #expect(Set(records.map(\.number)) == [11, 12])
        // The consumers of the first one said this while nobody held the partitions.
        #expect(try second.call("pull", ["limit": 1, "wait": 0])["pending"] == 2)
        try second.settle(delivered: records)
        #expect(try sequences() == (1, 12))
        // The second one began after what the first had settled.
        let consumers = try client.api("CONSUMER.LIST.PUSHHOST")["consumers"]?.array.map(Array.init) ?? []
        #expect(consumers.compactMap { $0["config"]?["opt_start_seq"]?.integer }.max() == 11)
        try second.until("the consumers of the first one were deleted") {
            let others = try second.pull()
            #expect(others.isEmpty)
            return try client.api("CONSUMER.LIST.PUSHHOST")["consumers"]?.array?.count == 2
        }
    }

    @Test("If the entries are deleted, what was settled does not come again, because the consumers know it")
    func entriesDeleted() throws {
        try client.createStream(partitions: 2, isLinked: false)
        try client.publish(1...10)
        let first = try source()
        try first.settle(delivered: try first.pull(atLeast: 10))
        try first.end()
        try client.api("STREAM.DELETE.KV_PUSHHOST_RELAYS")
        try client.publish(11...12)
        let second = try source()
        #expect(Set(try second.pull(atLeast: 2).map(\.number)) == [11, 12])
    }

    @Test("Records whose sequences an entry calls settled are handed out if they were stored later")
    func sequencesUsedAgain() throws {
        try client.createStream(partitions: 2, isLinked: false, [("duplicate_window", 1_000_000_000)])
        try client.publish(1...4)
        let first = try source()
        let records = try first.pull(atLeast: 4)
        try first.settle(retry: records)
        try first.end()
        for partition in 0..<2 {
            // As if servers had lost messages with their power: the entry knows higher sequences and earlier times.
            let entry = try client.value(ofRelaysKey: "partition.\(partition)")
            let earlier = entry.setting("open", to: []).setting("top", to: 4).setting("time", to: 1)
            let key = "$KV.PUSHHOST_RELAYS.partition.\(partition)"
            #expect(try client.request(key, "\(JSON.object(earlier))")["seq"] != nil)
        }
        let second = try source()
        #expect(Set(try second.pull(atLeast: 4).map(\.number)) == [1, 2, 3, 4])
        #expect(try sequences().first == 1)
    }
}
