import JSON
import Testing

@testable import Suites

/// How the records of idempotency keys are found again, and how the keys are stored for that.
struct IdempotencySearchTests {
    @Test(
        "A row has up to 128 keys that follow one another",
        arguments: [(1, 1), (128, 1), (129, 2), (256, 2), (257, 3)]
    )
    func rows(keys: Int, rows: Int) throws {
        try withStore { store in
            for number in 0..<keys { _ = try store.standard.save("client.\(number)", .event("e")) }
            try store.standard.commit()
            #expect(try sqlite(store.path(), "SELECT count(*) FROM idempotency_keys") == ["\(rows)"])
        }
    }

    @Test(
        "Keys follow one another if they differ in a number of up to 18 digits without leading zeros",
        arguments: [
            (["0", "1"], true), (["a0", "a1"], true), (["9", "10"], true), (["09", "10"], false),
            (["1", "2x"], false), (["a9", "a10"], true), (["199999999999999999", "200000000000000000"], true),
            (["1999999999999999999", "2000000000000000000"], false),
        ] as [([String], Bool)]
    )
    func numbers(keys: [String], areInOneRow: Bool) throws {
        try withStore { store in
            for key in keys { _ = try store.standard.save(key, .event("e")) }
            try store.standard.commit()
            let rows = areInOneRow ? 1 : 2
            #expect(try sqlite(store.path(), "SELECT count(*) FROM idempotency_keys") == ["\(rows)"])
            for key in keys { #expect(try store.standard.save(key, .event("e")).isRepeated) }
        }
    }

    @Test("A search with a user finds the record that was saved with that user, and refuses another user")
    func withUser() throws {
        try withStore { store in
            let suite = store.standard
            let saved = try suite.save("k", .event("a", user: ["braze_id": "ada"]))
            let same = try RepeatableSave("k", .event("a", user: ["braze_id": "ada"]))
            #expect(try suite.repeatableSaves.find(same) == Saved(id: saved.id, isRepeated: true))
            let other = try RepeatableSave("k", .event("a", user: ["braze_id": "bob"]))
            #expect(throws: SuiteError.keyReused(id: saved.id)) { try suite.repeatableSaves.find(other) }
        }
    }

    @Test("A search in a suite without a file finds nothing, and makes no file")
    func withoutFile() throws {
        try withStore { store in
            let save = try RepeatableSave("k", .event("a"))
            #expect(try store.standard.repeatableSaves.find(save) == nil)
            #expect(try store.names().isEmpty)
        }
    }

    @Test("What is saved with a key is compared with the bounds of its parts: name, value and time")
    func bounds() throws {
        try withStore { store in
            let suite = store.standard
            let event = try suite.save("e", .event("a", ["n": 1])).id
            #expect(throws: SuiteError.keyReused(id: event)) { try suite.save("e", .event(#"a{"n":1}"#)) }
            let timed = RecordContent(kind: .customAttribute, name: "a", value: 1, time: 23, user: nil)
            let attribute = try suite.save("k", timed, hasTime: true).id
            #expect(throws: SuiteError.keyReused(id: attribute)) { try suite.save("k", .attribute("a", 123)) }
        }
    }

    @Test("A key whose hash is damaged is an error that names its record, and adds none")
    func damaged() throws {
        try withStore { store in
            let suite = store.standard
            let id = try suite.save("k", .event("a")).id
            try suite.commit()
            try sqlite(store.path(), "UPDATE idempotency_keys SET fingerprints = x'00ff'")
            let damaged = SuiteError.unreadable("the idempotency key of the record \(id) is damaged")
            #expect(throws: damaged) { try suite.save("k", .event("a")) }
            #expect(try suite.pending.total(nil) == 1)
            suite.rollback()
        }
    }
}
