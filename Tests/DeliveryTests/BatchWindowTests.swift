import Suites
import Testing

@testable import Delivery

/// Which of the records that were read go into the next batch.
struct BatchWindowTests {
    private func window(_ records: [StoredRecord], newest: Int64 = .max) -> BatchWindow {
        var window = BatchWindow(newest: newest, limit: .max, batchesAtOnce: 2, user: nil)
        window.append(QueuePage(records, isOpenEnded: true))
        return window
    }

    private func event(_ id: Int64, _ user: String, suite: String = "s") -> StoredRecord {
        event(id, ofUser: #"{"braze_id":"\#(user)"}"#, suite: suite)
    }

    private func event(_ id: Int64, ofUser user: String, suite: String = "s") -> StoredRecord {
        StoredRecord(id: id, kind: .customEvent, name: "n", value: nil, time: 0, user: user, suite: suite)
    }

    /// A record with a value, of so many bytes.
    private func record(_ id: Int64, _ user: String, bytes: Int) -> StoredRecord {
        func record(_ value: String) -> StoredRecord {
            StoredRecord(
                id: id,
                kind: .customAttribute,
                name: "n",
                value: "\"\(value)\"",
                time: 0,
                user: #"{"braze_id":"\#(user)"}"#
            )
        }
        return record(String(repeating: "x", count: bytes - record("").bytes))
    }

    @Test("A user of whom a record waits is the same user after the end of a batch that another user is in, too")
    func batchOfTwoUsers() {
        var window = window([event(1, "a"), event(2, "b"), event(3, "b", suite: "t")])
        #expect(window.next() == [1, 2])
        window.endBatch(0)
        window.append(QueuePage([event(4, "b")], isOpenEnded: true))
        #expect(window.next() == [3])
        #expect(window.next() == nil, "the record 4 would overtake the record 3")
    }

    @Test("A user whose records were all sent is one user again later")
    func userAgain() {
        var window = window([event(1, "a")])
        #expect(window.next() == [1])
        window.endBatch(0)
        window.append(QueuePage([event(2, "a"), event(3, "b"), event(4, "a")], isOpenEnded: true))
        #expect(window.next(isProbe: true) == [2])
        #expect(window.next() == [3], "the record 4 would overtake the record 2")
    }

    @Test(
        "Two texts are one user if Braze finds the same profile by them",
        arguments: [
            (#"{"braze_id":"\u0061"}"#, #"{"braze_id":"a"}"#, true),
            (#"{"braze_id":"\u2028"}"#, "{\"braze_id\":\"\u{2028}\"}", true),
            (#"{"email":"a@example.com","external_id":"a"}"#, #"{"external_id":"a"}"#, true),
            (#"{"external_id":"a","_update_existing_only":true}"#, #"{"external_id":"a"}"#, true),
            (
                #"{"user_alias":{"alias_label":"l","alias_name":"n"}}"#,
                #"{"user_alias":{"alias_name":"n","alias_label":"l"}}"#, true
            ),
            (#"{"external_id":"a"}"#, #"{"braze_id":"a"}"#, false),
            (#"{"external_id":"a"}"#, #"{"external_id":"A"}"#, false),
            (#"{"external_id":"a\\"}"#, #"{"external_id":"a"}"#, false),
        ] as [(String, String, Bool)]
    )
    func users(one: String, other: String, isSame: Bool) {
        var window = window([event(1, ofUser: one), event(2, ofUser: other)])
        #expect(window.next(isProbe: true) == [1])
        let second: [Int64]? = isSame ? nil : [2]
        #expect(window.next() == second)
    }

    @Test("When a record is removed from a batch, the later records of its user may be sent besides the batch")
    func removedFromBatch() {
        var window = window([event(1, "a"), event(2, "b"), event(3, "a", suite: "t")])
        #expect(window.next() == [1, 2])
        #expect(window.next() == nil)
        window.remove([1], from: 0)
        #expect(window.records(of: 0).map(\.id) == [2])
        #expect(window.next() == [3])
    }

    @Test("A window keeps nothing of a user whose records were sent, or removed from a batch")
    func forgottenUsers() throws {
        var window = window([event(1, "a"), event(2, "b"), event(3, "a")])
        func size(_ table: String) throws -> Int {
            let value = Mirror(reflecting: window).descendant("keys", table)
            return Mirror(reflecting: try #require(value)).children.count
        }
        func sizes() throws -> [Int] { [try size("numbers"), try size("users")] }
        #expect(window.next() == [1, 2, 3])
        #expect(try sizes() == [2, 2])
        window.remove([2], from: 0)
        #expect(try sizes() == [1, 1])
        window.endBatch(0)
        #expect(try sizes() == [0, 0])
    }

    @Test("Records that are discarded make room for others")
    func discarded() {
        // Half of three mebibytes.
        let half = 3 << 19
        var window = window([record(1, "a", bytes: half), record(2, "b", bytes: half)])
        #expect(window.nextRead == nil)
        window.discard([1])
        #expect(window.nextRead?.bytes == half)
        #expect(window.nextRead?.records == 2_999)
    }

    @Test("Few records wait if they are fewer than a thousand, and smaller than a mebibyte")
    func low() {
        #expect(window((1...999).map { event($0, "a") }).isLow)
        #expect(!window((1...1_000).map { event($0, "a") }).isLow)
        #expect(window([record(1, "a", bytes: (1 << 20) - 1)]).isLow)
        #expect(!window([record(1, "a", bytes: 1 << 20)]).isLow)
    }

    @Test("A probe is sent alone: it waits for the batch under way, although its user has nothing in it")
    func probe() {
        var window = window([event(1, "a"), event(2, "b", suite: "t"), event(3, "c", suite: "t")])
        #expect(window.next() == [1])
        #expect(window.next(isProbe: true) == nil)
        window.endBatch(0)
        #expect(window.next(isProbe: true) == [2])
    }

    // A source hands out only the records of one user in the order of their ids.
    @Test("Records wait in the order in which they were read, also after a batch of which none is offered again")
    func orderOfReading() {
        var window = window([event(1, "a")])
        #expect(window.next() == [1])
        window.append(QueuePage([event(9, "b"), event(5, "c")], isOpenEnded: true))
        window.endBatch(0)
        #expect(window.next() == [9, 5])
    }

    @Test("Records that are offered again go before later ones of their user, and count again")
    func retried() {
        var window = BatchWindow(newest: 9, limit: 3, batchesAtOnce: 2, user: nil)
        window.append(QueuePage([event(1, "a"), event(2, "a"), event(3, "a", suite: "t"), event(4, "a", suite: "t")]))
        #expect(window.next() == [1, 2])
        window.endBatch(0, retrying: [event(2, "a")])
        #expect(window.next() == [2])
        window.endBatch(1)
        #expect(window.next() == [3])
        #expect(window.isExhausted, "three records were sent")
    }
}

extension BatchWindow {
    /// The ids of the next batch.
    fileprivate mutating func next(isProbe: Bool = false) -> [Int64]? {
        nextBatch(isProbe: isProbe)?.records.map(\.id)
    }
}
