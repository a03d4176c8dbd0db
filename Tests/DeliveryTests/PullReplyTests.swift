import Contract
import JSON
import Suites
import Testing

@testable import Delivery

/// What a source answers, which may be anything.
struct PullReplyTests {
    private static let identity = "0123456789abcdef0123456789abcdef"
    private static let record: JSON.Object = [
        "id": 1, "suite": "s", "kind": "customAttribute", "key": "k", "value": [1], "time": "2026-01-01T00:00:00.000Z",
    ]
    private static let event: JSON.Object = [
        "id": 2, "suite": "s", "kind": "customEvent", "name": "n", "time": "2026-01-01T00:00:00.001Z",
    ]

    private func reply(_ records: JSON.Object..., others: JSON.Object = [:]) throws -> PullReply {
        let reply: JSON.Object = ["records": JSON(records.map { .object($0) }), "identity": .string(Self.identity)]
        return try PullReply(.object(others.reduce(into: reply) { $0 = $0.setting($1.name, to: $1.value) }))
    }

    /// The reason why a record is unreadable.
    private func reason(_ record: JSON.Object) throws -> String {
        let reply = try reply(record, Self.event.setting("id", to: 9))
        #expect(reply.records.map(\.id) == [9], "the others are read")
        #expect(reply.unreadable.map(\.id) == [1])
        return try #require(reply.unreadable.first).reason
    }

    @Test("A reply has the records, and what the source knows of its queue")
    func whole() throws {
        let user: JSON = ["external_id": "u"]
        let field: JSON.Object = [
            "id": 3, "suite": "t", "kind": "userAttribute", "field": "f", "value": .null, "user": user,
            "time": "2026-01-01T00:00:01Z", "possiblySent": 2,
        ]
        let others: JSON.Object = ["share": 0.25, "pending": 7, "oldest": "2026-01-01T00:00:00.001Z"]
        let reply = try reply(Self.record, Self.event.setting("properties", to: ["p": 1]), field, others: others)
        #expect(reply.records.map(\.id) == [1, 2, 3])
        #expect(reply.records.map(\.kind) == [.customAttribute, .customEvent, .userAttribute])
        #expect(reply.records.map(\.name) == ["k", "n", "f"])
        #expect(reply.records.map(\.value) == ["[1]", #"{"p":1}"#, nil])
        #expect(reply.records.map(\.suite) == ["s", "s", "t"])
        #expect(reply.records.map(\.user) == [nil, nil, #"{"external_id":"u"}"#])
        #expect(reply.records.map(\.possiblySent) == [0, 0, 2])
        #expect(reply.records.map(\.time) == [1_767_225_600_000, 1_767_225_600_001, 1_767_225_601_000])
        #expect(reply.unreadable.isEmpty && reply.identity == Self.identity)
        #expect(reply.share == 0.25 && reply.pending == 7 && reply.oldest == 1_767_225_600_001)
        #expect(try self.reply(others: ["share": 1]).share == 1)
        let negative = Self.record.setting("possiblySent", to: .integer(-1))
        #expect(try self.reply(negative).records.map(\.possiblySent) == [0])
        let many = Self.record.setting("possiblySent", to: .integer(.max))
        #expect(try self.reply(many).records.map(\.possiblySent) == [1 << 53])
    }

    @Test(
        "A record of which a part is missing or wrong becomes a dead letter, and says which",
        arguments: [
            ("kind", nil, "its kind is unknown"), ("kind", "event", "its kind is unknown"),
            ("key", nil, "it has no name"), ("key", 1, "it has no name"), ("suite", nil, "it has no suite"),
            ("time", nil, "its time is invalid"), ("time", "now", "its time is invalid"),
            // Null would remove the attribute.
            ("value", nil, "it has no value"),
            ("user", 1, "its user is not an object"), ("user", .null, "its user is not an object"),
        ] as [(String, JSON?, String)]
    )
    func unreadable(member: String, value: JSON?, problem: String) throws {
        let rest = JSON.Object(Self.record.filter { $0.name != member }.map { ($0.name, $0.value) })
        let record = value.map { rest.setting(member, to: $0) } ?? rest
        #expect(try reason(record) == "the record cannot be read: \(problem)")
    }

    @Test("Properties of an event are an object or absent", arguments: [.null, [], "p"] as [JSON])
    func properties(value: JSON) throws {
        let record = Self.event.setting("id", to: 1).setting("properties", to: value)
        #expect(try reason(record) == "the record cannot be read: its properties are not an object")
        #expect(try reply(Self.event).records.map(\.value) == [nil])
    }

    @Test(
        "A reply that breaks the contract is refused as a whole",
        arguments: [
            [], ["identity": .string(identity)], ["records": [], "identity": "0123"],
            ["records": [], "identity": "0123456789ABCDEF0123456789ABCDEF"],
            ["records": [1], "identity": .string(identity)],
            ["records": [["id": 0]], "identity": .string(identity)],
            ["records": [["id": 1], ["id": 1]], "identity": .string(identity)],
            ["records": [], "identity": .string(identity), "share": 0],
            ["records": [], "identity": .string(identity), "share": 1.5],
            ["records": [], "identity": .string(identity), "share": "1"],
        ] as [JSON]
    )
    func refused(reply: JSON) {
        #expect(throws: ReplyError.self) { try PullReply(reply) }
    }

    @Test("The answer to begin or settle names the records that are lost, and until when the others may be sent")
    func lost() throws {
        let reply = try LostRecordsReply(["lost": [1, 2], "sendUntil": "2026-01-01T00:00:00.001Z"], to: "begin")
        #expect(reply.lost == [1, 2] && reply.sendUntil == 1_767_225_600_001)
        let empty = try LostRecordsReply([:], to: "settle")
        #expect(empty.lost.isEmpty && empty.sendUntil == nil)
        for wrong in [[], ["lost": 1], ["lost": ["1"]], ["sendUntil": "later"], ["sendUntil": 1]] as [JSON] {
            #expect(throws: ReplyError.self) { try LostRecordsReply(wrong, to: "begin") }
        }
    }
}
