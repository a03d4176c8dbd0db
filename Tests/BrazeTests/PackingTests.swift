import BrazeRules
import ExtensionKit
import JSON
import TestSupport
import Testing

@testable import braze

@Suite struct PackingTests {
    private func bodies(
        _ records: [DeliveryRecord],
        limits: RequestLimits = RequestLimits(),
        options: MappingOptions = MappingOptions()
    ) throws -> [JSON] {
        try pack(records, limits: limits, options: options).requests.map { try $0.json }
    }

    private func ids(_ records: [DeliveryRecord], limits: RequestLimits = RequestLimits()) throws -> [[Int64]] {
        try pack(records, limits: limits).requests.map(\.records)
    }

    // MARK: Merging

    @Test("Plain values of one user share an object, with the last value of each key")
    func folding() throws {
        let records = [
            attribute(1, "k", 1), attribute(2, "k", 9, of: "other"), attribute(3, "l", [1, 2]),
            attribute(4, "k", "last"),
            attribute(5, "m", ["nested": 1]), attribute(6, "m", ["more": 2]),
        ]
        #expect(
            try bodies(records) == [
                [
                    "attributes": [
                        ["external_id": "ada", "l": [1, 2], "k": "last", "m": ["more": 2]],
                        ["external_id": "other", "k": 9],
                    ]
                ]
            ]
        )
        #expect(try ids(records) == [[1, 3, 4, 5, 6, 2]])
    }

    @Test(
        "Values before and after a change of the same key are not merged",
        arguments: [
            .null, ["inc": 1], ["add": ["a"]], ["remove": ["a"]], ["add": ["a"], "remove": ["b"]],
            ["$add": [["id": 1]]],
        ] as [JSON]
    )
    func changes(change: JSON) throws {
        let records = [
            attribute(1, "k", 1), attribute(2, "k", change), attribute(3, "l", 1), attribute(4, "k", change),
            attribute(5, "k", 2), attribute(6, "k", 3), attribute(7, "l", 2),
        ]
        #expect(
            try bodies(records) == [
                [
                    "attributes": [
                        ["external_id": "ada", "k": 1, "l": 2], ["external_id": "ada", "k": change],
                        ["external_id": "ada", "k": change], ["external_id": "ada", "k": 3],
                    ]
                ]
            ]
        )
    }

    @Test("$update is sent in an object of its own that asks for merging, which other objects must not share")
    func update() throws {
        let change: JSON = [
            "$update": [["$identifier_key": "id", "$identifier_value": 4, "$new_object": ["breed": "goldfish"]]]
        ]
        let records = [
            attribute(1, "plain", ["a": 1]), attribute(2, "pets", change), attribute(3, "score", 1),
            attribute(4, "other", ["b": 2]),
        ]
        #expect(
            try bodies(records) == [
                [
                    "attributes": [
                        ["external_id": "ada", "plain": ["a": 1], "score": 1, "other": ["b": 2]],
                        ["external_id": "ada", "pets": change, "_merge_objects": true],
                    ]
                ]
            ]
        )
    }

    @Test("A record with $merge is sent as a plain object that asks for merging, which other objects must not share")
    func merge() throws {
        let records = [
            attribute(1, "k", ["a": 1]), attribute(2, "k", ["$merge": ["b": 2]]),
            attribute(3, "k", ["$merge": ["c": 3]]),
            attribute(4, "score", 1), attribute(5, "k", ["d": 4]),
        ]
        #expect(
            try bodies(records) == [
                [
                    "attributes": [
                        ["external_id": "ada", "k": ["a": 1], "score": 1],
                        ["external_id": "ada", "k": ["b": 2], "_merge_objects": true],
                        ["external_id": "ada", "k": ["c": 3], "_merge_objects": true],
                        ["external_id": "ada", "k": ["d": 4]],
                    ]
                ]
            ]
        )
    }

    @Test("A user's _update_existing_only decides for its records, in objects of their own, and in their order")
    func updateOnly() throws {
        func records(_ flag: Bool) -> [DeliveryRecord] {
            let user: JSON = ["external_id": "ada", "_update_existing_only": .bool(flag)]
            let flagged = DeliveryRecord(id: 2, .customAttribute(key: "l", value: 2), time: "t", user: user.object)
            let content = DeliveryRecord.Content.customEvent(name: "E", properties: nil)
            let event = DeliveryRecord(id: 4, content, time: "t", user: user.object)
            return [attribute(1, "k", 1), flagged, attribute(3, "m", 3), event]
        }
        let only: JSON = ["external_id": "ada", "l": 2, "_update_existing_only": true]
        let event: JSON = ["external_id": "ada", "name": "E", "time": "t", "_update_existing_only": true]
        #expect(
            try bodies(records(true)) == [
                ["attributes": [["external_id": "ada", "k": 1, "m": 3], only], "events": [event]]
            ]
        )
        let all = try bodies(records(false), options: MappingOptions(updatesExistingOnly: true))
        let attributes = all[0]["attributes"]?.array?.map { $0["_update_existing_only"] }
        #expect(attributes == [true, nil])
        #expect(all[0]["events"]?[0]?["_update_existing_only"] == nil)
    }

    @Test("All records of merged objects are sent, in order")
    func merging() throws {
        let records = [attribute(1, "k", ["a": 1]), attribute(2, "k", ["b": 2]), attribute(3, "k", 1)]
        #expect(try bodies(records)[0]["attributes"]?.array?.count == 1)
        let merged = try bodies(records, options: MappingOptions(mergesObjects: true))
        #expect(merged[0]["attributes"]?.array?.map { $0["k"] } == [["a": 1], ["b": 2], 1])
    }

    @Test("Keys that look equal but differ in their code points are two keys")
    func lookAlikes() throws {
        let object = try bodies([attribute(1, "\u{E9}", 1), attribute(2, "e\u{301}", 2)])[0]["attributes"]?[0]
        #expect(object?.object?.count == 3)
    }

    // MARK: Order

    @Test("An attribute that was saved after an event of its user goes into a later request")
    func order() throws {
        #expect(try ids([attribute(1, "k", 1), event(2), event(3)]) == [[1, 2, 3]])
        #expect(try ids([event(1), attribute(2, "k", 1), event(3), attribute(4, "k", 2)]) == [[1], [2, 3], [4]])
        // Records of other users fill the first request.
        #expect(try ids([event(1), attribute(2, "k", 1), attribute(3, "k", 1, of: "eve")]) == [[3, 1], [2]])
    }

    @Test("A user's records never go back to an earlier request", arguments: [1, 2, 3] as [UInt64])
    func random(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let records = (Int64(0)..<600).map { id -> DeliveryRecord in
            let user = "user-\(Int.random(in: 0..<20, using: &generator))"
            return Bool.random(using: &generator)
                ? event(id, user) : attribute(id, "k\(Int.random(in: 0..<3, using: &generator))", ["inc": 1], of: user)
        }
        let (requests, users) = try pack(records, limits: RequestLimits(objects: 10))
        var seen: [Int: [Int64]] = [:]
        var all: [Int64] = []
        for request in requests {
            #expect(request.objects.count <= 10)
            // Within a request, Braze applies attributes before events.
            for record in request.objects.flatMap(\.records) {
                seen[record.userIndex, default: []].append(record.id)
                all.append(record.id)
            }
        }
        #expect(users.count == 20)
        #expect(all.sorted() == records.map(\.id))
        // Merging may move an attribute before one of another key, but never past an event or a change of the same key.
        for (user, ids) in seen {
            let own = records.filter { $0.user?["external_id"]?.string == userName(users[user]) }
            let events = own.filter(isEvent).map(\.id)
            #expect(ids.filter(Set(events).contains) == events)
            for key in ["k0", "k1", "k2"] {
                let expected = own.filter { isEvent($0) || has($0, key) }.map(\.id)
                #expect(ids.filter(Set(expected).contains) == expected)
            }
        }
    }

    private func isEvent(_ record: DeliveryRecord) -> Bool {
        if case .customEvent = record.content { true } else { false }
    }

    private func has(_ record: DeliveryRecord, _ wanted: String) -> Bool {
        if case .customAttribute(wanted, _) = record.content { true } else { false }
    }

    private func userName(_ user: Identity) -> String? {
        try? JSON(parsing: Array("{".utf8) + user.member + Array("}".utf8))["external_id"]?.string
    }

    // MARK: Limits

    @Test("A request contains at most the configured number of objects, in total or in each array")
    func objects() throws {
        let records = (0..<100).map { event($0, "a\($0)") } + (100..<200).map { attribute($0, "k", 1, of: "b\($0)") }
        #expect(try pack(records).requests.map(\.objects.count) == [75, 75, 50])
        let legacy = RequestLimits(countsEachArray: true)
        #expect(try pack(records, limits: legacy).requests.map(\.objects.count) == [150, 50])
    }

    @Test("A body is never larger than the limit, and an object that exceeds it alone is rejected")
    func bytes() throws {
        let limits = RequestLimits(bytes: 1_000)
        let records =
            (0..<50).map { event($0, "u\($0)", "e", ["k": .string(String(repeating: "x", count: Int($0)))]) }
            + (50..<100).map { attribute($0, "k\($0)", .string(String(repeating: "y", count: 100)), of: "u\($0 % 3)") }
        let requests = try pack(records, limits: limits).requests
        #expect(requests.allSatisfy { $0.body.count <= 1_000 })
        #expect(requests.flatMap(\.records).sorted() == records.map(\.id))
        let large = event(
            1,
            "a",
            "e",
            ["k": .string(String(repeating: "x", count: 250)), "l": .string(String(repeating: "x", count: 250))]
        )
        func refusal(limit: Int) -> Unsendable? {
            do { _ = try pack([large], limits: RequestLimits(bytes: limit)) } catch { return error as? Unsendable }
            return nil
        }
        let least = try #require((500..<800).first { refusal(limit: $0) == nil })
        #expect(refusal(limit: 500) == .rejected("it makes a request of \(least) bytes; one has at most 500"))
    }

    @Test("A full request still accepts attributes that merge into an object of their user")
    func full() throws {
        let records = (0..<75).map { attribute($0, "k", 1, of: "u\($0)") } + [attribute(75, "l", 1, of: "u0")]
        #expect(try pack(records).requests.count == 1)
    }

    @Test(
        "Requests that are taken while records are added are the same as those taken at the end",
        arguments: [RequestLimits(objects: 3), RequestLimits(objects: 3, countsEachArray: true)]
    )
    func early(limits: RequestLimits) throws {
        let records =
            (0..<10).map { event($0, "u\($0 % 2)") } + [attribute(10, "k", 1, of: "u0"), event(11, "u0")]
            + (12..<30).map { event($0, "u\($0 % 4)") }
        var mapping = Mapping(MappingOptions())
        var packing = Packing(limits, MappingOptions())
        var taken: [TrackRequest] = []
        for record in records {
            let record = try mapping.encode(record)
            try packing.add(record, of: mapping.users[record.userIndex])
            taken += packing.takeFull(mapping.users)
        }
        #expect(taken.isEmpty == limits.countsEachArray, "a request of events has room for attributes in their array")
        #expect(try taken + packing.finish(mapping.users) == pack(records, limits: limits).requests)
    }

    // MARK: Order of requests

    @Test("A request that is added later waits only for earlier ones that are not finished")
    func laterRoutes() {
        var order = RequestOrder([[1], [2]])
        #expect([order.next(), order.next(), order.next()] == [0, 1, nil])
        order.finish(0)
        order.add([1])
        #expect(order.next() == 2)
        order.add([1, 2])
        order.finish(2)
        #expect(order.next() == nil)
        order.finish(1)
        #expect(order.next() == 3)
    }

    @Test("A request waits only for earlier ones with a common user")
    func routes() {
        var order = RequestOrder([[1, 2], [3], [2, 3], [2], [4]])
        #expect([order.next(), order.next(), order.next(), order.next()] == [0, 1, 4, nil])
        order.finish(0)
        #expect(order.next() == nil)
        order.finish(1)
        #expect(order.next() == 2)
        #expect(order.next() == nil)
        order.finish(2)
        #expect(order.next() == 3)
    }
}
