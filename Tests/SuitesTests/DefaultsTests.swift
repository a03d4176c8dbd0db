import GRDB
import JSON
import Testing

@testable import Suites

struct DefaultsTests {
    @Test("A stored value is retrieved, replaced and removed")
    func cycle() throws {
        try withStore { store in
            let suite = store.standard
            #expect(try suite.defaults.retrieve(forKey: "k") == nil)
            try suite.defaults.store(["a": 1], forKey: "k")
            #expect(try suite.defaults.retrieve(forKey: "k") == ["a": 1])
            try suite.defaults.store(.null, forKey: "k")
            #expect(try suite.defaults.retrieve(forKey: "k") == .null)
            #expect(try suite.defaults.removeObject(forKey: "k"))
            #expect(try !suite.defaults.removeObject(forKey: "k"))
            #expect(try suite.defaults.retrieve(forKey: "k") == nil)
        }
    }

    @Test("Keys are compared exactly, including the empty one and one with quotes")
    func keys() throws {
        try withStore { store in
            let suite = store.standard
            let keys = ["", "a", "A", "ä", "a\u{308}", "'; DROP TABLE defaults; --", "𝄞"]
            for (number, key) in keys.enumerated() { try suite.defaults.store(.integer(Int64(number)), forKey: key) }
            try suite.commit()
            for (number, key) in keys.enumerated() {
                #expect(try suite.defaults.retrieve(forKey: key) == .integer(Int64(number)))
            }
        }
    }

    @Test("Suites of one folder share nothing")
    func apart() throws {
        try withStore { store in
            let other = store.suite(try #require(SuiteName("other")))
            try store.standard.defaults.store(1, forKey: "k")
            try other.defaults.store(2, forKey: "k")
            try store.standard.commit()
            try other.commit()
            #expect(try store.standard.defaults.retrieve(forKey: "k") == 1)
            #expect(try other.defaults.retrieve(forKey: "k") == 2)
            #expect(try store.names().map(\.text) == ["other", "standard"])
        }
    }

    @Test("Values do not count as pending records")
    func uncounted() throws {
        try withStore(limits: SuiteLimits(records: 1)) { store in
            for number in 0..<10 { try store.standard.defaults.store("long enough", forKey: "k\(number)") }
            #expect(try store.standard.pending.total(nil) == 0)
        }
    }

    @Test("A page of an export begins at its first key, instead of reading all keys before it")
    func pages() throws {
        try withStore { store in
            try store.standard.defaults.store(1, forKey: "k")
            try store.standard.commit()
            let plan = try DatabaseQueue(path: store.path()).read { db in
                try Row.fetchAll(
                    db,
                    sql: "EXPLAIN QUERY PLAN \(SuiteSnapshot.defaultsQuery(after: "k"))",
                    arguments: ["k", 1]
                )
                .map { $0["detail"] as String }
            }
            #expect(plan.count == 1 && plan[0].hasPrefix("SEARCH defaults USING INDEX"), "\(plan)")
            #expect(plan[0].hasSuffix("(key>?)"), "\(plan)")
        }
    }
}
