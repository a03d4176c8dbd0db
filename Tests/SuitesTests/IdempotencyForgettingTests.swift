import Foundation
import JSON
import TestSupport
import Testing

@testable import Suites

/// When an idempotency key is forgotten: neither too early nor never.
struct IdempotencyForgettingTests {
    @Test("If there are too many keys, the oldest are forgotten, in whatever order they are as texts")
    func byNumber() throws {
        try withStore(limits: SuiteLimits(idempotencyKeys: 3, idempotencyTime: 0)) { store in
            let suite = store.standard
            for (now, key) in ["z", "a", "m", "b", "y"].enumerated() {
                _ = try suite.save(key, .event(key), now: Int64(now))
                try suite.commit()
            }
            for key in ["m", "b", "y"] { #expect(try suite.save(key, .event(key)).isRepeated) }
            for key in ["z", "a"] { #expect(try !suite.save(key, .event(key)).isRepeated) }
        }
    }

    @Test("A key is forgotten only after its time has passed, and only when other keys are saved")
    func byTime() throws {
        try withStore(limits: SuiteLimits(idempotencyKeys: 1, idempotencyTime: 1_000)) { store in
            let suite = store.standard
            for (key, now) in [("a", 0), ("b", 500), ("c", 1_000)] as [(String, Int64)] {
                _ = try suite.save(key, .event(key), now: now)
                try suite.commit()
            }
            #expect(try suite.save("a", .event("a"), now: 1_400).isRepeated)
            _ = try suite.save("d", .event("d"), now: 1_400)
            try suite.commit()
            #expect(try suite.save("b", .event("b"), now: 1_400).isRepeated)
            #expect(try !suite.save("a", .event("a"), now: 1_400).isRepeated)
        }
    }

    @Test("Neither the number nor the time alone forgets a key, nor does a clock that was wrong temporarily")
    func both() throws {
        for limits in [
            SuiteLimits(idempotencyKeys: 2, idempotencyTime: 1_000_000),
            SuiteLimits(idempotencyKeys: 100, idempotencyTime: 0),
        ] {
            try withStore(limits: limits) { store in
                let suite = store.standard
                for number in 0..<20 {
                    // One of them is saved while the clock is wrong.
                    _ = try suite.save("k\(number)x", .event("e"), now: number == 10 ? 900_000 : Int64(number))
                    try suite.commit()
                }
                #expect(try suite.save("k0x", .event("e"), now: 20).isRepeated)
            }
        }
    }

    @Test("A key that was saved while the clock was years ahead does not keep the others from being forgotten")
    func wrongClock() throws {
        try withStore(limits: SuiteLimits(idempotencyKeys: 1, idempotencyTime: 0)) { store in
            let suite = store.standard
            for (key, now) in [("ahead", 2_000_000_000_000), ("a", 1), ("b", 2), ("c", 3)] as [(String, Int64)] {
                _ = try suite.save(key, .event(key), now: now)
                try suite.commit()
            }
            #expect(try sqlite(store.path(), "SELECT sum(count) FROM idempotency_keys") == ["1"])
        }
    }

    @Test("Keys in ranges do not exceed the number of keys, even after keys in rows of their own")
    func bounded() throws {
        try withStore(limits: SuiteLimits(idempotencyKeys: 100, idempotencyTime: 0)) { store in
            let suite = store.standard
            for number in 0..<1_000 { _ = try suite.save("k\(number)x", .event("e"), now: 0) }
            try suite.commit()
            for number in 0..<1_024 {
                _ = try suite.save("run\(number)", .event("e"), now: Int64(number) + 1)
                if number % 128 == 127 { try suite.commit() }
            }
            let keys = try sqlite(store.path(), "SELECT sum(count) FROM idempotency_keys").first.flatMap(Int.init)
            #expect(try #require(keys) <= 100 + 128)
        }
    }

    @Test("A lower limit takes effect with the next saves, a few rows at a time, and the total stays right")
    func lowered() throws {
        try withStore { store in
            for number in 0..<500 { _ = try store.standard.save("k\(number)x", .event("e")) }
            try store.standard.commit()
            let suite = SuiteStore(folder: store.folder, limits: SuiteLimits(idempotencyKeys: 10, idempotencyTime: 0))
                .standard
            var rows: [String] = []
            for number in 0..<300 {
                _ = try suite.save("new\(number)x", .event("e"), now: Int64(number) + 1)
                try suite.commit()
                if number % 100 == 99 {
                    rows += try sqlite(store.path(), "SELECT count(*) FROM idempotency_keys")
                    #expect(try sqlite(store.path(), "SELECT records FROM counters WHERE kind = 5") == rows.suffix(1))
                }
            }
            // Each commit added one row and removed two.
            #expect(rows == ["400", "300", "200"])
        }
    }

    @Test(
        "A row of many keys is forgotten as a whole, and then the next one waits for another commit",
        arguments: [2, 4]
    )
    func wholeRows(size: Int) throws {
        try withStore { store in
            for number in 0..<40 {
                _ = try store.standard.save("run\(number)", .event("e"))
                if number % size == size - 1 { try store.standard.commit() }
            }
            #expect(try sqlite(store.path(), "SELECT count(*) FROM idempotency_keys") == ["\(40 / size)"])
            let suite = SuiteStore(folder: store.folder, limits: SuiteLimits(idempotencyKeys: 1, idempotencyTime: 0))
                .standard
            _ = try suite.save("new", .event("e"), now: 1)
            try suite.commit()
            #expect(try sqlite(store.path(), "SELECT sum(count) FROM idempotency_keys") == ["\(41 - size)"])
        }
    }

    @Test("A row of many keys is kept while only some of them are too many")
    func partOfARow() throws {
        try withStore(limits: SuiteLimits(idempotencyKeys: 3, idempotencyTime: 0)) { store in
            let suite = store.standard
            for key in ["k1", "k2", "k3"] { _ = try suite.save(key, .event(key), now: 0) }
            try suite.commit()
            for (key, now, isKept) in [("a", 1, true), ("b", 2, true), ("c", 3, false)] as [(String, Int64, Bool)] {
                _ = try suite.save(key, .event(key), now: now)
                try suite.commit()
                #expect(try suite.save("k1", .event("k1"), now: now).isRepeated == isKept, "\(key)")
            }
        }
    }

    @Test("A row of many keys is as old as the last one of them")
    func ageOfARow() throws {
        try withStore(limits: SuiteLimits(idempotencyKeys: 1, idempotencyTime: 1_000)) { store in
            let suite = store.standard
            for (key, now) in [("k1", 0), ("k2", 900)] as [(String, Int64)] {
                _ = try suite.save(key, .event(key), now: now)
            }
            try suite.commit()
            for (key, now, isKept) in [("a", 1_500, true), ("b", 1_901, false)] as [(String, Int64, Bool)] {
                _ = try suite.save(key, .event(key), now: now)
                try suite.commit()
                #expect(try suite.save("k1", .event("k1"), now: now).isRepeated == isKept, "\(key)")
            }
        }
    }
}
