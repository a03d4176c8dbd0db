import GRDB
import JSON
import Suites
import Testing

struct TakeTests {
    private func filled(_ store: SuiteStore) throws -> Suites.Suite {
        let suite = store.standard
        _ = try suite.pending.save(.field("email", "a@b.c"))
        _ = try suite.pending.save(.attribute("first", 1))
        try suite.save("one", "two")
        _ = try suite.pending.save(.attribute("second", 2))
        try suite.commit()
        return suite
    }

    @Test("Events are first, then custom attributes, then user attributes, each in the order in which they were saved")
    func order() throws {
        try withStore { store in
            let taken = try filled(store).takeAll()
            #expect(taken.names == ["one", "two", "first", "second", "email"])
            #expect(taken.remaining == 0)
            #expect(try store.standard.all().isEmpty)
        }
    }

    @Test("A limit takes the first records, and the result has the number of the others")
    func limit() throws {
        try withStore { store in
            let suite = try filled(store)
            var names: [String] = []
            for remaining in [2, 0] as [Int64] {
                let taken = try suite.leases.take(limit: 3, byteLimit: .max, lease: nil, now: 0)
                names += taken.records.map(\.content.name)
                #expect(taken.remaining == remaining)
            }
            try suite.commit()
            #expect(names == ["one", "two", "first", "second", "email"])
            #expect(try suite.leases.take(limit: 3, byteLimit: .max, lease: nil, now: 0).records.isEmpty)
        }
    }

    @Test("A limit of bytes applies to all kinds together, and at least one record is taken")
    func byteLimit() throws {
        try withStore { store in
            let suite = store.standard
            for _ in 0..<3 { _ = try suite.pending.save(.event(bytes: 100)) }
            _ = try suite.pending.save(.attribute("k", 1))
            let first = try suite.leases.take(limit: 9, byteLimit: 1, lease: nil, now: 0)
            #expect(first.records.count == 1 && first.remaining == 3)
            let second = try suite.leases.take(limit: 9, byteLimit: 101, lease: nil, now: 0)
            #expect(second.records.count == 2 && second.remaining == 1)
            #expect(try suite.leases.take(limit: 9, byteLimit: 101, lease: nil, now: 0).records.count == 1)
        }
    }

    @Test("Records that are taken without a lease are deleted by the commit, and pending again after a rollback")
    func rollback() throws {
        try withStore { store in
            let suite = try filled(store)
            _ = try suite.leases.take(limit: 2, byteLimit: .max, lease: nil, now: 0)
            suite.rollback()
            #expect(try suite.pending.total(nil) == 5)
            #expect(try suite.takeAll().names.count == 5)
            #expect(try SuiteStore(folder: store.folder).standard.pending.total(nil) == 0)
        }
    }

    @Test("Damaged records are reported, and neither taken nor in the way of others")
    func damaged() throws {
        try withStore { store in
            let suite = store.standard
            try suite.save("a", "b", "c")
            try DatabaseQueue(path: store.path()).write { db in
                try db.execute(sql: "UPDATE pending SET kind = 9 WHERE id = 1")
                try db.execute(sql: "UPDATE pending SET value = '{' WHERE id = 2")
            }
            var damaged: [Int64] = []
            let taken = try suite.leases.take(limit: 9, byteLimit: .max, lease: nil, now: 0) { damaged.append($0.id) }
            #expect(taken.records.map(\.id) == [3] && taken.remaining == 2)
            #expect(damaged.sorted() == [1, 2])
            suite.rollback()
        }
    }

    @Test("Taking from a suite without saves creates no file")
    func absent() throws {
        try withStore { store in
            let taken = try store.standard.takeAll()
            #expect(taken.names.isEmpty && taken.remaining == 0)
            #expect(try store.names().isEmpty)
        }
    }
}
