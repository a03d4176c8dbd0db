import JSON
import Suites
import TestSupport
import Testing

/// The totals, which a suite maintains instead of counting, compared with the contents of the file.
struct CounterTests {
    private func check(_ suite: Suites.Suite, _ store: SuiteStore) throws {
        for kind in RecordKind.allCases { #expect(try suite.pending.total(kind) == Int64(try suite.all(kind).count)) }
        #expect(try suite.pending.total(nil) == Int64(try suite.all().count))
        guard !suite.isInTransaction else { return }
        let again = SuiteStore(folder: store.folder).standard
        #expect(try again.pending.total(nil) == suite.pending.total(nil))
        // The bytes can only be read from the error of a full suite.
        let tight = SuiteStore(folder: store.folder, limits: SuiteLimits(records: 0)).standard
        let bytes = try suite.all().reduce(0) { $0 + $1.bytes }
        #expect(throws: SuiteError.full(records: try suite.pending.total(nil), bytes: bytes)) {
            try tight.pending.save(.event("x"))
        }
        tight.rollback()
    }

    @Test("Totals are right in a transaction, after its commit, after a rollback and in another process")
    func each() throws {
        try withStore { store in
            let suite = store.standard
            try suite.save("a", "b")
            try check(suite, store)
            _ = try suite.pending.save(.event("ä", ["k": "ö"]))
            try check(suite, store)
            suite.rollback()
            try check(suite, store)
            #expect(try suite.pending.total(nil) == 2)
            _ = try suite.leases.take(limit: 1, byteLimit: .max, lease: nil, now: 0)
            try check(suite, store)
            suite.rollback()
            try check(suite, store)
            _ = try suite.removeAll([.customEvent])
            try check(suite, store)
            try suite.commit()
            try check(suite, store)
            #expect(try suite.pending.total(nil) == 0)
        }
    }

    @Test("Two stores on one folder see each other's changes")
    func two() throws {
        try withStore { store in
            let one = store.standard
            let two = SuiteStore(folder: store.folder).standard
            try one.save("a")
            #expect(try two.pending.total(nil) == 1)
            try two.save("b")
            #expect(try one.pending.total(nil) == 2)
            #expect(try one.takeAll().names == ["a", "b"])
            #expect(try two.pending.total(nil) == 0)
            try check(two, store)
        }
    }

    @Test("Totals stay right over a thousand random steps of two stores", arguments: [1, 2, 3] as [UInt64])
    func random(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        try withStore { store in
            let suites = [store.standard, SuiteStore(folder: store.folder).standard]
            var now: Int64 = 0
            for step in 0..<1_000 {
                now += 1
                let suite = suites[Int.random(in: 0...1, using: &generator)]
                for _ in 0..<Int.random(in: 1...3, using: &generator) {
                    try change(suite, step: step, now: now, using: &generator)
                }
                if Int.random(in: 0..<5, using: &generator) == 0 { suite.rollback() } else { try suite.commit() }
                #expect(try suite.pending.total(nil) == Int64(try suite.all().count))
            }
            try check(suites[0], store)
            try check(suites[1], store)
        }
    }

    @Test("If the totals cannot be stored, nothing of the transaction is, and the next one begins")
    func unstoredTotals() throws {
        try withStore { store in
            let suite = store.standard
            try suite.save("before")
            try suite.refuse("UPDATE ON main.counters")
            _ = try suite.pending.save(.event("lost"))
            expectLost { () throws(SuiteError) in try suite.commit() }
            try suite.refuseNothing()
            try suite.save("after")
            #expect(try suite.names() == ["before", "after"])
            #expect(try suite.pending.total(nil) == 2)
        }
    }

    private func change(
        _ suite: Suites.Suite,
        step: Int,
        now: Int64,
        using generator: inout SeededGenerator
    ) throws {
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<5: _ = try suite.pending.save(.event("ä\(step)", ["n": .integer(now)]))
        case 5: _ = try suite.pending.save(.attribute("k", .random(depth: 2, using: &generator)))
        case 6: _ = try suite.pending.save(.field("email", .null))
        case 7: _ = try suite.leases.take(limit: 4, byteLimit: 100, lease: nil, now: now)
        case 8:
            let lease = Lease(token: "\(step)-\(generator.next())", expires: now + 3)
            let taken = try suite.leases.take(limit: 4, byteLimit: .max, lease: lease, now: now)
            guard Bool.random(using: &generator), !taken.records.isEmpty else { return }
            #expect(try suite.leases.acknowledge(lease.token, now: now + 2) == Int64(taken.records.count))
        default: _ = try suite.removeAll([RecordKind.allCases[Int.random(in: 0..<3, using: &generator)]])
        }
    }

    @Test("The totals of defaults and of dead letters in the file are those of its rows")
    func otherRows() throws {
        try withStore { store in
            let suite = store.standard
            for (key, value) in [("k", 1), ("ä", 2), ("k", 345), ("l", 6)] as [(String, Int64)] {
                try suite.defaults.store(.integer(value), forKey: key)
            }
            #expect(try suite.defaults.removeObject(forKey: "l"))
            try suite.add(StagedRow(.event("e", ["a": 1]), reason: "no", at: 0), StagedRow(.event("f")))
            try suite.commit()
            // 1 + 7, and 2 bytes of the reason; 1 + 3, and 2 + 1 bytes
            let sql = "SELECT records || ' of ' || bytes FROM counters WHERE kind IN (3, 4) ORDER BY kind"
            #expect(try sqlite(store.path(), sql) == ["1 of 10", "2 of 7"])
        }
    }
}
