import JSON
import Suites
import Testing

struct TakeTests {
    private func filled(_ store: SuiteStore) throws -> Suites.Suite {
        let suite = store.standard
        _ = try suite.save(.field("email", "a@b.c"))
        _ = try suite.save(.attribute("first", 1))
        try suite.save("one", "two")
        _ = try suite.save(.attribute("second", 2))
        try suite.commit()
        return suite
    }

    @Test("Events come first, then custom attributes, then user attributes, each in order of capture")
    func order() throws {
        try withStore { store in
            let taken = try filled(store).takeAll()
            #expect(taken.names == ["one", "two", "first", "second", "email"])
            #expect(taken.remaining == 0)
            #expect(try store.standard.all().isEmpty)
        }
    }

    @Test("A limit takes the first ones and tells how many remain")
    func limit() throws {
        try withStore { store in
            let suite = try filled(store)
            var names: [String] = []
            for remaining in [2, 0] as [Int64] {
                let taken = try suite.takeRecords(limit: 3, byteLimit: .max, lease: nil, now: 0)
                names += taken.records.map(\.content.name)
                #expect(taken.remaining == remaining)
            }
            try suite.commit()
            #expect(names == ["one", "two", "first", "second", "email"])
            #expect(try suite.takeRecords(limit: 3, byteLimit: .max, lease: nil, now: 0).records.isEmpty)
        }
    }

    @Test("A limit of bytes holds over all kinds, and one record is taken at least")
    func byteLimit() throws {
        try withStore { store in
            let suite = store.standard
            for _ in 0..<3 { _ = try suite.save(.event(bytes: 100)) }
            _ = try suite.save(.attribute("k", 1))
            let first = try suite.takeRecords(limit: 9, byteLimit: 1, lease: nil, now: 0)
            #expect(first.records.count == 1 && first.remaining == 3)
            let second = try suite.takeRecords(limit: 9, byteLimit: 101, lease: nil, now: 0)
            #expect(second.records.count == 2 && second.remaining == 1)
            #expect(try suite.takeRecords(limit: 9, byteLimit: 101, lease: nil, now: 0).records.count == 1)
        }
    }

    @Test("What was taken without a lease is gone once committed, and back after a rollback")
    func rollback() throws {
        try withStore { store in
            let suite = try filled(store)
            _ = try suite.takeRecords(limit: 2, byteLimit: .max, lease: nil, now: 0)
            suite.rollback()
            #expect(try suite.total(nil) == 5)
            #expect(try suite.takeAll().names.count == 5)
            #expect(try SuiteStore(folder: store.folder).standard.total(nil) == 0)
        }
    }

    @Test("Taking from a suite that was never saved to makes no file")
    func absent() throws {
        try withStore { store in
            let taken = try store.standard.takeAll()
            #expect(taken.names.isEmpty && taken.remaining == 0)
            #expect(try store.names().isEmpty)
        }
    }
}
