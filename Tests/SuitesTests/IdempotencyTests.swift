import Foundation
import JSON
import TestSupport
import Testing

@testable import Suites

/// Saves with an idempotency key: one record for each key, whatever happened to the record since.
struct IdempotencyTests {
    @Test("A key saves only one record, also after a commit, after a flush and through another connection")
    func once() throws {
        try withStore { store in
            let suite = store.standard
            let first = try suite.save("a-1", .event("a"))
            #expect(!first.isRepeated)
            #expect(try suite.save("a-1", .event("a")) == Saved(id: first.id, isRepeated: true))
            try suite.commit()
            #expect(try suite.save("a-1", .event("a")) == Saved(id: first.id, isRepeated: true))
            try suite.commit()
            #expect(try suite.takeAll().names == ["a"])
            #expect(try suite.save("a-1", .event("a")) == Saved(id: first.id, isRepeated: true))
            let other = SuiteStore(folder: store.folder).standard
            suite.rollback()
            #expect(try other.save("a-1", .event("a")) == Saved(id: first.id, isRepeated: true))
            try other.commit()
            #expect(try suite.pending.total(nil) == 0)
        }
    }

    @Test(
        "Keys that look alike but are not equal are different keys",
        arguments: [
            ["a", "a0", "a00", "a000", "0", "00", "1", "01", "10", "010", "a1", "a01", "a10", "a-1", "a1b", "١"],
            ["é", "e\u{301}", "é1", "e\u{301}1"],
            [
                "9" + String(repeating: "0", count: 18), String(repeating: "9", count: 30),
                "1" + String(repeating: "9", count: 18),
            ],
        ]
    )
    func distinct(keys: [String]) throws {
        try withStore { store in
            var ids: [Int64] = []
            for key in keys { ids.append(try store.standard.save(key, .event(key)).id) }
            #expect(Set(ids).count == keys.count)
            for (key, id) in zip(keys, ids) {
                #expect(try store.standard.save(key, .event(key)) == Saved(id: id, isRepeated: true))
            }
            try store.standard.commit()
            for (key, id) in zip(keys, ids).reversed() {
                #expect(try store.standard.save(key, .event(key)) == Saved(id: id, isRepeated: true))
            }
        }
    }

    @Test(
        "Each key is saved once, in any order, in ranges and with gaps, over commits and rollbacks",
        arguments: 1...5 as ClosedRange<UInt64>
    )
    func anyOrder(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        try withStore { store in
            var (suite, another) = (store.standard, nil as SuiteStore?)
            defer { another?.close() }
            var (known, fresh): ([String: Int64], [String: Int64]) = ([:], [:])
            for _ in 0..<2_000 {
                let start = Int.random(in: 0..<300, using: &generator)
                let stem = ["k", "k-", ""].randomElement(using: &generator) ?? ""
                for number in start..<start + Int.random(in: 1...4, using: &generator) {
                    // Records of other keys are between those of a range.
                    if Int.random(in: 0..<5, using: &generator) == 0 { _ = try suite.pending.save(.event("other")) }
                    let key = "\(stem)\(number)"
                    let saved = try suite.save(key, .event(key))
                    #expect(saved.isRepeated == ((known[key] ?? fresh[key]) != nil))
                    if let id = known[key] ?? fresh[key] { #expect(saved.id == id) } else { fresh[key] = saved.id }
                }
                switch Int.random(in: 0..<8, using: &generator) {
                case 0:
                    suite.rollback()
                    fresh = [:]
                case 1...3:
                    try suite.commit()
                    known.merge(fresh) { old, _ in old }
                    fresh = [:]
                    guard Bool.random(using: &generator) else { break }
                    let next = SuiteStore(folder: store.folder)
                    another?.close()
                    (suite, another) = (next.standard, next)
                default: break
                }
            }
            try suite.commit()
            known.merge(fresh) { old, _ in old }
            let pending = try suite.all().filter { $0.content.name != "other" }
            #expect(pending.count == known.count)
            #expect(pending.allSatisfy { known[$0.content.name] == $0.id })
            #expect(try sqlite(store.path(), "SELECT sum(count) FROM idempotency_keys") == ["\(known.count)"])
            #expect(try sqlite(store.path(), "SELECT records FROM counters WHERE kind = 5") == ["\(known.count)"])
        }
    }

    @Test("A thousand consecutive keys need only a few rows")
    func runs() throws {
        try withStore { store in
            for number in 0..<1_000 { _ = try store.standard.save("client.\(number)", .event("e")) }
            try store.standard.commit()
            #expect(try sqlite(store.path(), "SELECT count(*) FROM idempotency_keys") == ["8"])
            for number in [0, 127, 128, 999] {
                #expect(try store.standard.save("client.\(number)", .event("e")).isRepeated)
            }
        }
    }

    static let differences: [(String, RecordContent, Bool)] = [
        ("the name", .event("b", ["n": 1]), false),
        ("a property", .event("a", ["n": 2]), false),
        ("a property's type", .event("a", ["n": 1.0]), false),
        ("no properties", .event("a"), false),
        ("the kind", RecordContent(kind: .customAttribute, name: "a", value: ["n": 1], time: 0, user: nil), false),
        ("a user", .event("a", ["n": 1], user: ["external_id": "ada"]), false),
        ("a time of the caller's", .event("a", ["n": 1]), true),
    ]

    @Test("The same key with other content is refused, and saves nothing", arguments: differences)
    func reused(difference: (what: String, record: RecordContent, hasTime: Bool)) throws {
        try withStore { store in
            let suite = store.standard
            let id = try suite.save("k", .event("a", ["n": 1])).id
            for _ in 0..<2 {
                #expect(throws: SuiteError.keyReused(id: id), "\(difference.what)") {
                    try suite.save("k", difference.record, hasTime: difference.hasTime)
                }
                #expect(try suite.pending.total(nil) == 1)
                try suite.commit()
            }
        }
    }

    @Test("The host's own time, and the order of members, do not make a difference")
    func sameContent() throws {
        try withStore { store in
            let suite = store.standard
            let user: JSON = ["user_alias": ["alias_name": "n", "alias_label": "l"]]
            _ = try suite.save(
                "k",
                .event("a", ["x": ["p": 1, "q": [["r": 2, "s": 3]]], "y": 2], time: 1, user: user)
            )
            let same = RecordContent.event(
                "a",
                ["y": 2, "x": ["q": [["s": 3, "r": 2]], "p": 1]],
                time: 2,
                user: ["user_alias": ["alias_label": "l", "alias_name": "n"]]
            )
            #expect(try suite.save("k", same).isRepeated)
            _ = try suite.save("t", .event("a", time: 7), hasTime: true)
            #expect(try suite.save("t", .event("a", time: 7), hasTime: true).isRepeated)
            #expect(throws: SuiteError.self) { try suite.save("t", .event("a", time: 8), hasTime: true) }
        }
    }

    @Test("A search without a user finds a record that was saved with one, and still refuses other content")
    func withoutUser() throws {
        try withStore { store in
            let suite = store.standard
            let saved = try suite.save("k", .event("a", user: ["braze_id": "ada"]))
            #expect(try suite.repeatableSaves.find(.init("k", .event("a"))) == Saved(id: saved.id, isRepeated: true))
            #expect(try suite.repeatableSaves.find(.init("other", .event("a"))) == nil)
            #expect(throws: SuiteError.keyReused(id: saved.id)) {
                try suite.repeatableSaves.find(.init("k", .event("b")))
            }
        }
    }

    @Test("A rollback removes the keys together with the records")
    func rollback() throws {
        try withStore { store in
            let suite = store.standard
            for key in ["k-1", "k-2", "other"] { _ = try suite.save(key, .event("a")) }
            suite.rollback()
            for key in ["k-1", "k-2", "other"] { #expect(try !suite.save(key, .event("b")).isRepeated) }
            try suite.commit()
            #expect(try suite.pending.total(nil) == 3)
        }
    }

    @Test("If a key cannot be stored, neither is its record, so that a repeated save adds only one")
    func unstoredKey() throws {
        try withStore { store in
            let suite = store.standard
            try suite.save("before")
            try suite.refuse("INSERT ON main.idempotency_keys")
            // The first key is kept in memory until one that cannot be stored with it, since a record lies between.
            _ = try suite.save("k-1", .event("a"))
            _ = try suite.pending.save(.event("between"))
            let second = try RepeatableSave("k-2", .event("b"))
            expectLost { () throws(SuiteError) in _ = try suite.repeatableSaves.save(second) }
            try suite.commit()
            #expect(try suite.names() == ["before"])
            try suite.refuseNothing()
            for _ in 1...2 { _ = try suite.save("k-2", .event("b")) }
            try suite.commit()
            #expect(try suite.names() == ["before", "b"])
        }
    }

    @Test("A full suite still answers repeated saves, and keys do not count towards its limits")
    func full() throws {
        try withStore(limits: SuiteLimits(records: 1)) { store in
            let suite = store.standard
            let id = try suite.save("k", .event("a")).id
            #expect(try suite.save("k", .event("a")) == Saved(id: id, isRepeated: true))
            #expect(throws: SuiteError.full(records: 1, bytes: 1)) { try suite.save("l", .event("b")) }
            try suite.commit()
            #expect(try suite.takeAll().names == ["a"])
            #expect(try !suite.save("l", .event("b")).isRepeated)
        }
    }

    @Test(
        "An invalid key is refused",
        arguments: ["", "a\0", "\0", String(repeating: "a", count: 256), String(repeating: "é", count: 256)]
    )
    func refused(text: String) { #expect(IdempotencyKey(text) == nil) }

    @Test("A key has at most 255 characters, of any number of bytes", arguments: ["a", "é", "🎈"])
    func longest(character: String) throws {
        let key = String(repeating: character, count: 255)
        try withStore { store in
            _ = try store.standard.save(key, .event("a"))
            try store.standard.commit()
            #expect(try store.standard.save(key, .event("a")).isRepeated)
        }
    }
}

extension IdempotencyKey {
    init?(_ text: String) {
        var text = text
        guard let key = text.withUTF8({ IdempotencyKey(UnsafeRawBufferPointer($0)) }) else { return nil }
        self = key
    }
}

extension RepeatableSave {
    init(_ key: String, _ record: RecordContent, hasTime: Bool = false, now: Int64 = 0) throws {
        self.init(record, key: try #require(IdempotencyKey(key)), hasTime: hasTime, now: now)
    }
}

extension Suites.Suite {
    func save(_ key: String, _ record: RecordContent, hasTime: Bool = false, now: Int64 = 0) throws -> Saved {
        try repeatableSaves.save(RepeatableSave(key, record, hasTime: hasTime, now: now))
    }
}
