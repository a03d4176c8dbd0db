import Foundation
import JSON
import TestSupport
import Testing

/// One relay that pulls from a stream and settles.
@Suite(.waits) struct NATSSourceTests {
    private let server: NATSServer
    private let client: NATSClient

    init() throws {
        server = try NATSServer()
        client = try NATSClient(server)
        try client.createStream(partitions: 2, isLinked: false)
    }

    private func source(lease: Int = 600) throws -> NATSSourceDriver { try NATSSourceDriver(server.url, lease: lease) }

    @Test("Records come as they were published, in order, and a settled one does not come again")
    func records() throws {
        try client.publish(1...9)
        let source = try source()
        let records = try source.pull(atLeast: 9)
        let numbers: [Int64] = records.map(\.number)
        #expect(numbers.filter { !$0.isMultiple(of: 2) } == [1, 3, 5, 7, 9])
        #expect(numbers.filter { $0.isMultiple(of: 2) } == [2, 4, 6, 8])
        let expected: JSON = [
            "id": 3, "suite": "app", "kind": "customEvent", "name": "event", "properties": ["number": 3],
            "time": "2026-01-01T00:00:00.000Z", "user": ["external_id": "user 1"],
        ]
        let third = try #require(records.first { $0.number == 3 })
        #expect(third.json == expected)
        // Nothing more comes before these are settled.
        try client.publish(10...10)
        #expect(try source.pull().isEmpty)
        #expect(try source.settle(delivered: records).isEmpty)
        #expect(try source.pull(atLeast: 1).map(\.number) == [10])
        #expect(try client.pending() == 1)
        try source.end()
    }

    @Test("The answer of pull says what the stream is and how much it holds")
    func state() throws {
        try client.publish(1...3)
        let source = try source()
        _ = try source.pull(atLeast: 3)
        let answer = try source.call("pull", ["limit": 1, "wait": 0])
        #expect(answer["identity"]?.string?.wholeMatch(of: /[0-9a-f]{32}/) != nil)
        #expect(answer["pending"] == 3)
        #expect(answer["oldest"]?.string?.hasSuffix("Z") == true)
        #expect(answer["share"]?.number == 1)
        #expect(source.shares == [1])
    }

    @Test("Dead letters are in their own stream with the reason, and do not come again")
    func deadLetters() throws {
        try client.publish(1...2)
        _ = try client.request("PUSHHOST.app.1", "\"no record\"")
        let source = try source()
        let records = try source.pull(atLeast: 3).sorted { $0.id < $1.id }
        // The host says of such a record that it cannot be read.
        #expect(records[2].json == ["id": 3])
        #expect(try source.settle(delivered: [records[1]], dead: [records[0], records[2]]).isEmpty)
        let letters = try client.messages("PUSHHOST_DEAD").sorted { $0.sequence < $1.sequence }
        let own = try #require(letters.first { $0.headers["Pushhost-Sequence"] == "\(records[0].id)" })
        #expect(own.subject == "PUSHHOST_DEAD.app.\(records[0].number % 2)")
        #expect(own.headers["Pushhost-Reason"] == "refused by the test")
        #expect(own.headers["Pushhost-Subject"] == "PUSHHOST.app.\(records[0].number % 2)")
        #expect(own.headers["Nats-Msg-Id"]?.hasPrefix("dead-") == true)
        #expect(own.body["properties"] == ["number": .integer(records[0].number)])
        let foreign = try #require(letters.first { $0.headers["Pushhost-Sequence"] == "3" })
        #expect(foreign.body == "no record")
        #expect(try client.pending() == 0)
    }

    @Test("A record is not settled until its dead letter is stored")
    func deadLetterRefused() throws {
        let properties: [(String, JSON)] = [
            ("name", "PUSHHOST_DEAD"), ("subjects", ["PUSHHOST_DEAD.>"]), ("storage", "file"), ("num_replicas", 1),
        ]
        func stream(_ size: Int) -> JSON { .object(JSON.Object(properties + [("max_msg_size", JSON(size))])) }
        try client.api("STREAM.CREATE.PUSHHOST_DEAD", stream(8))
        try client.publish(1...1)
        let source = try source()
        let record = try source.pull(atLeast: 1)[0]
        let dead: JSON = ["dead": [["id": .integer(record.id), "reason": "refused"]]]
        let refused = try source.answer(to: try source.send("settle", dead))
        #expect(refused["error"]?["message"]?.string?.contains("PUSHHOST_DEAD.app.1") == true)
        #expect(try client.pending() == 1)
        try client.api("STREAM.UPDATE.PUSHHOST_DEAD", stream(-1))
        #expect(try source.settle(dead: [record]).isEmpty)
        #expect(try client.pending() == 0)
        #expect(try client.count("PUSHHOST_DEAD") == 1)
    }

    @Test("A reason that is too long for a header is cut, so that the other outcomes are stored")
    func longReason() throws {
        try client.publish(1...2)
        let source = try source()
        let records = try source.pull(atLeast: 2)
        let reason = JSON.string(String(repeating: "é", count: 50_000))
        let dead: JSON = ["dead": [["id": .integer(records[0].id), "reason": reason]]]
        #expect(try source.answer(to: try source.send("settle", dead))["result"] != nil)
        #expect(try client.count("PUSHHOST_DEAD") == 1)
        #expect(try source.settle(delivered: [records[1]]).isEmpty)
        #expect(try client.pending() == 0)
    }

    @Test("The entry of a partition counts a record when it begins, not when it is pulled")
    func counted() throws {
        try client.publish(1...4)
        let source = try source()
        let records = try source.pull(atLeast: 4)
        func open() throws -> [JSON] {
            try (0..<2).map { try #require(try client.value(ofRelaysKey: "partition.\($0)")["open"]) }
        }
        #expect(try open() == [[], []])
        #expect(try source.begin(records.filter { $0.number == 1 }).isEmpty)
        #expect(try open() == [[], [[1, 1, 1], [3, 3, 0]]])
        #expect(try source.begin(records).isEmpty)
        #expect(try open() == [[[2, 4, 1]], [[1, 3, 1]]])
        #expect(try source.settle(unsent: records).isEmpty)
        #expect(try open() == [[[2, 4, 0]], [[1, 3, 0]]])
        #expect(try source.settle(delivered: records).isEmpty)
        #expect(try source.begin(records) == Set(records.map(\.id)))
    }

    @Test("While the host waits with records that it gave back, their consumer stays")
    func givenBackForLong() throws {
        try client.publish(1...1)
        let source = try source(lease: 3)
        let records = try source.pull(atLeast: 1)
        try source.begin(records)
        try source.settle(retry: records)
        func consumers() throws -> [String] {
            try client.api("CONSUMER.LIST.PUSHHOST")["consumers"]?.array?.compactMap { $0["created"]?.string } ?? []
        }
        let before = try consumers()
        try #require(before.count == 2)
        let bucket = "KV_PUSHHOST_RELAYS"
        let watch: JSON = [
            "durable_name": "watch", "ack_policy": "none", "deliver_policy": "new",
            "filter_subject": "$KV.PUSHHOST_RELAYS.relay.>",
        ]
        try client.api("CONSUMER.DURABLE.CREATE.\(bucket).watch", ["stream_name": .string(bucket), "config": watch])
        // The relay renews its key as often as it looks for consumers that stall.
        for _ in 0..<6 { try client.api("CONSUMER.MSG.NEXT.\(bucket).watch") }
        #expect(try consumers() == before)
        #expect(try source.pull(atLeast: 1).map(\.id) == records.map(\.id))
    }

    @Test("Records that were given back come again first, and count as not sent")
    func givenBack() throws {
        try client.publish(1...8)
        let source = try source()
        let records = try source.pull(atLeast: 8).filter { $0.number % 2 == 0 }
        try source.begin(records)
        #expect(try source.settle(delivered: [records[0]], retry: Array(records[1...])).isEmpty)
        let again = try source.pull(atLeast: 3)
        #expect(again.map(\.number) == [4, 6, 8])
        #expect(again.allSatisfy { $0.possiblySent == 0 })
        #expect(try source.settle(delivered: again).isEmpty)
    }

    @Test("What nobody holds is lost, and what is settled is not settled again")
    func unknown() throws {
        try client.publish(1...2)
        let source = try source()
        let records = try source.pull(atLeast: 2)
        try source.settle(delivered: [records[0]])
        #expect(try source.settle(delivered: records) == [records[0].id])
        #expect(try client.pending() == 0)
    }

    @Test("A stream that was deleted and created again begins anew with another identity")
    func recreated() throws {
        try client.publish(1...4)
        let source = try source(lease: 3)
        try source.settle(delivered: try source.pull(atLeast: 4))
        try client.publish(5...6)
        let held = try source.pull(atLeast: 2)
        let identity = try source.call("pull", ["limit": 1, "wait": 0])["identity"]
        try client.api("STREAM.DELETE.PUSHHOST")
        try client.createStream(partitions: 2, isLinked: false)
        try client.publish(11...16)
        // The host gives back what was revoked, and gets the records of the new stream, whose ids begin anew.
        try source.until("the records were revoked") {
            let others = try source.pull()
            #expect(others.isEmpty)
            return source.revoked.isSuperset(of: held.map(\.id))
        }
        #expect(try source.settle(retry: held) == Set(held.map(\.id)))
        var records: [NATSSourceDriver.Record] = []
        try source.until("the new records came, not only \(records.map(\.number))") {
            let more = try source.pull()
            try source.settle(delivered: more)
            records += more
            return records.count >= 6
        }
        #expect(Set(records.map(\.number)) == Set(11...16))
        #expect(records.allSatisfy { $0.possiblySent == 0 })
        #expect(try source.call("pull", ["limit": 1, "wait": 0])["identity"] != identity)
    }

    @Test("A purge removes what was not pulled, and the relay goes on")
    func purged() throws {
        try client.publish(1...4)
        let source = try source()
        let held = try source.pull(atLeast: 4)
        try client.publish(5...8)
        try client.api("STREAM.PURGE.PUSHHOST")
        try source.settle(retry: held)
        // What the source has fetched may still come; afterwards only new records do.
        try source.settle(delivered: try source.pull(atLeast: 4))
        try client.publish(9...10)
        var numbers: Set<Int64> = []
        try source.until("the new records came") {
            let records = try source.pull()
            try source.settle(delivered: records)
            numbers.formUnion(records.map(\.number))
            let pending = try client.pending()
            return numbers.isSuperset(of: [9, 10]) && pending == 0
        }
    }

    @Test("Without a stream, the error says what to do; the relay works as soon as there is one")
    func noStream() throws {
        try client.api("STREAM.DELETE.PUSHHOST")
        let source = try source()
        let error = try source.answer(to: try source.send("pull", ["limit": 1, "wait": 0]))["error"]
        let text = "There is no stream PUSHHOST: a host that delivers to nats creates it, or set NATS_STREAM."
        #expect(error?["message"]?.string == text)
        try client.api("STREAM.CREATE.PUSHHOST", ["name": "PUSHHOST", "subjects": ["PUSHHOST.>"], "storage": "file"])
        let other = try source.answer(to: try source.send("pull", ["limit": 1, "wait": 0]))["error"]
        #expect(other?["message"]?.string?.hasPrefix("The stream PUSHHOST was not created by pushhost") == true)
        try client.api("STREAM.DELETE.PUSHHOST")
        try client.createStream(partitions: 2, isLinked: false)
        try client.publish(1...1)
        #expect(try source.pull(atLeast: 1).map(\.number) == [1])
    }
}
