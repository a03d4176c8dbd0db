import Foundation
import JSON
import TestSupport
import Testing

/// Several relays that share the partitions of a stream.
@Suite(.waits) struct NATSSourceRelaysTests {
    /// The seconds of a lease of relays that die.
    private static let lease = 5

    private let server: NATSServer
    private let client: NATSClient

    init() throws {
        server = try NATSServer()
        client = try NATSClient(server)
        try client.createStream(partitions: 4, isLinked: false)
    }

    private func source(lease: Int = Self.lease) throws -> NATSSourceDriver {
        try NATSSourceDriver(server.url, lease: lease)
    }

    /// Pulls with both until each holds half of the partitions.
    private func balance(_ first: NATSSourceDriver, _ second: NATSSourceDriver) throws {
        try first.until("each has its half: \(first.shares), \(second.shares)") {
            let others = try first.pull()
            #expect(others.isEmpty)
            let more = try second.pull()
            #expect(more.isEmpty)
            return first.shares.last == 0.5 && second.shares.last == 0.5
        }
    }

    /// The key and the entry of a partition, as the server stores them.
    private func entry(of partition: Int) throws -> (key: String, value: JSON.Object) {
        let key = "partition.\(partition)"
        return ("$KV.PUSHHOST_RELAYS.\(key)", try client.value(ofRelaysKey: key))
    }

    @Test("The shares of all relays add up to at most 1, also while a new one has no partition yet")
    func shares() throws {
        let first = try source()
        try first.awaitShare(1)
        let second = try source()
        try first.until("each has its half") {
            // The share of the second only grows, and that of the first is read after it.
            let others = try second.pull() + first.pull()
            #expect(others.isEmpty)
            let (share, rest) = (try #require(second.shares.last), try #require(first.shares.last))
            #expect(share + rest < 1.001, "\(share) and \(rest)")
            return share == 0.5
        }
    }

    @Test("Partitions are shared at once when a relay joins or ends, long before the end of a lease")
    func changes() throws {
        // A third of this lease, after which relays look anyway, is longer than the test's patience.
        let first = try source(lease: 3_600)
        try first.awaitShare(1)
        let second = try source(lease: 3_600)
        try balance(first, second)
        try second.end()
        try client.publish(1...40, partitions: 4)
        try first.until("it has all partitions again: \(first.shares)") {
            try first.settle(delivered: try first.pull())
            return try first.shares.last == 1 && client.pending() == 0
        }
    }

    @Test("A partition that a relay holds without knowing, since no server said so, is freed, and its records arrive")
    func unknown() throws {
        let (first, second) = (try source(), try source())
        try balance(first, second)
        // As if the holder of the last partition had tried to take the first one, and nobody had answered.
        let (key, entry) = try entry(of: 0)
        let holders = try (0..<4).compactMap { try self.entry(of: $0).value["relay"] }
        let other = try #require(holders.first { $0 != entry["relay"] })
        #expect(try client.request(key, "\(JSON.object(entry.setting("relay", to: other)))")["seq"] != nil)
        try client.publish(1...40, partitions: 4)
        var arrived: Set<Int64> = []
        try first.until("all records came, not only \(arrived.sorted())") {
            for source in [first, second] {
                let records = try source.pull()
                let lost = try source.begin(records)
                let own = records.filter { !lost.contains($0.id) }
                try source.settle(delivered: own)
                arrived.formUnion(own.map(\.number))
            }
            return arrived.count == 40
        }
    }

    @Test("What a killed relay had comes again in order, with how often it may have been sent")
    func killed() throws {
        try client.publish(1...40, partitions: 4)
        let first = try source()
        let records = try first.pull(atLeast: 40)
        let byNumber = Dictionary(uniqueKeysWithValues: records.map { ($0.number, $0) })
        func some(_ numbers: ClosedRange<Int64>) -> [NATSSourceDriver.Record] { numbers.compactMap { byNumber[$0] } }
        #expect(try first.begin(some(1...36)).isEmpty)
        let outcome = (uncertain: some(9...16), unsent: some(17...20))
        try first.settle(
            delivered: some(1...8),
            uncertain: outcome.uncertain,
            retry: some(21...24),
            unsent: outcome.unsent
        )
        #expect(try first.begin(some(9...12)).isEmpty)
        first.process.kill(SIGKILL)
        let second = try source()
        let again = try second.pull(atLeast: 32)
        for partition in 0..<4 as Range<Int64> {
            let numbers = again.map(\.number).filter { $0 % 4 == partition }
            #expect(numbers == numbers.sorted())
        }
        let expected = (9...40).map { number -> Int64 in
            switch number {
            case 9...12: 2
            case 13...16, 25...36: 1
            default: 0
            }
        }
        #expect(again.sorted { $0.number < $1.number }.map(\.possiblySent) == expected)
        try second.settle(delivered: again)
        #expect(try client.pending() == 0)
    }

    @Test("However often relays are killed, records that they did not begin do not count as sent, and all come again")
    func killedBeforeBegin() throws {
        try client.publish(1...40, partitions: 4)
        for _ in 1...2 {
            let source = try source(lease: 3)
            let records = try source.pull(atLeast: 40)
            #expect(records.allSatisfy { $0.possiblySent == 0 })
            source.process.kill(SIGKILL)
        }
        let third = try source(lease: 3)
        let records = try third.pull(atLeast: 40)
        #expect(records.allSatisfy { $0.possiblySent == 0 })
        #expect(try third.begin(records.filter { $0.number <= 10 }).isEmpty)
        third.process.kill(SIGKILL)
        let last = try source(lease: 3)
        let again = try last.pull(atLeast: 40)
        #expect(again.filter { $0.possiblySent == 1 }.map(\.number).sorted() == Array(1...10))
        #expect(again.count { $0.possiblySent == 0 } == 30)
        #expect(try last.begin(again).isEmpty)
        #expect(try last.settle(delivered: again).isEmpty)
        #expect(try client.pending() == 0)
        #expect(try client.count("PUSHHOST_DEAD") == 0)
    }

    @Test("A relay that was stopped and goes on revokes what it has, which another one got meanwhile")
    func stopped() throws {
        let (first, second) = (try source(), try source())
        try balance(first, second)
        try client.publish(1...40, partitions: 4)
        // A partition's first batch is what had been fetched; the next one follows when that is settled.
        let (left, right) = (try first.pull(atLeast: 1), try second.pull(atLeast: 1))
        let numbers = Set(right.map(\.number))
        // All but one are being sent.
        let ahead = try #require(right.last)
        try second.begin(Array(right.dropLast()))
        second.process.kill(SIGSTOP)
        defer { second.process.kill(SIGCONT) }
        try first.settle(delivered: left)
        var taken: [NATSSourceDriver.Record] = []
        var settled = left.count
        try first.until("the other one's records came, not only \(taken.map(\.number))") {
            let records = try first.pull()
            let others = records.filter { !numbers.contains($0.number) }
            try first.settle(delivered: others)
            settled += others.count
            taken += records.filter { numbers.contains($0.number) }
            return taken.count >= right.count
        }
        #expect(taken.map(\.number).sorted() == numbers.sorted())
        #expect(taken.allSatisfy { $0.possiblySent == ($0.number == ahead.number ? 0 : 1) })
        second.process.kill(SIGCONT)
        #expect(try second.begin([ahead]) == [ahead.id], "it may not be sent any more")
        #expect(try second.settle(delivered: right) == Set(right.map(\.id)))
        #expect(second.revoked.isSuperset(of: right.map(\.id)))
        // On a busy machine a consumer may just be created anew.
        try first.until("nothing was stored for these") { try client.pending() == Int64(40 - settled) }
        try first.settle(delivered: taken)
        try first.until("each has its half, and nothing is left: \(first.shares), \(second.shares)") {
            for source in [first, second] { try source.settle(delivered: try source.pull()) }
            return try first.shares.last == 0.5 && second.shares.last == 0.5 && client.pending() == 0
        }
    }

    @Test("A record whose settlement is stored, but not its acknowledgement, does not come again")
    func settledNotAcknowledged() throws {
        try client.publish(1...4, partitions: 4)
        // The entry that a relay leaves that dies between both: the first message of the stream is settled.
        let dead = try source(lease: 600)
        let records = try dead.pull(atLeast: 4)
        try dead.begin(records)
        let first = try #require(records.first { $0.number == 1 })
        let (key, entry) = try entry(of: 1)
        #expect(entry["open"] == [[.integer(first.id), .integer(first.id), 1]])
        let settled = JSON.object(entry.setting("open", to: []).setting("relay", to: .null))
        #expect(try client.request(key, "\(settled)")["seq"] != nil)
        let next = try source()
        let numbers = try next.pull(atLeast: 3).map(\.number)
        #expect(Set(numbers) == [2, 3, 4])
        try next.until("the settled record was acknowledged") {
            let unexpected = try next.pull()
            #expect(unexpected.isEmpty)
            return try client.pending() == 3
        }
    }
}
