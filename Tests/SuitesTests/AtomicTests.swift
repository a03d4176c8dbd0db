import JSON
import Suites
import TestSupport
import Testing

/// Several changes as one.
struct AtomicTests {
    private struct Stop: Error {}

    @Test("Where the body throws nothing of it stays, and what was there before does")
    func failure() throws {
        try withStore { store in
            let suite = store.standard
            try suite.save("before")
            _ = try suite.save(.event("in the turn"))
            #expect(throws: Stop.self) {
                try suite.atomically {
                    _ = try suite.save(.event("lost"))
                    _ = try suite.bury(.event("lost"), reason: "r", at: 1)
                    try suite.store(1, forKey: "k")
                    #expect(try suite.total(nil) == 3)
                    throw Stop()
                }
            }
            #expect(try suite.total(nil) == 2)
            try suite.commit()
            #expect(try suite.names() == ["before", "in the turn"])
            #expect(try suite.deadLetters(limit: 9, byteLimit: .max).isEmpty)
            #expect(try suite.retrieve(forKey: "k") == nil)
            #expect(try SuiteStore(folder: store.folder).standard.total(nil) == 2)
        }
    }

    @Test("Where it does not, all of it does; a change that is refused within does not end it")
    func success() throws {
        try withStore(limits: SuiteLimits(valueBytes: 10)) { store in
            let suite = store.standard
            let id = try suite.atomically {
                #expect(throws: SuiteError.self) { try suite.save(.event("e", ["k": "a long, long text"])) }
                try suite.store([1, 1.0, true], forKey: "k")
                return try suite.save(.event("e"))
            }
            try suite.commit()
            #expect(try suite.all().map(\.id) == [id])
            #expect(try suite.retrieve(forKey: "k") == [1, 1.0, true])
        }
    }

    @Test("A full suite takes nothing of it")
    func full() throws {
        try withStore(limits: SuiteLimits(records: 2)) { store in
            let suite = store.standard
            #expect(throws: SuiteError.self) {
                try suite.atomically { for name in ["a", "b", "c"] { _ = try suite.save(.event(name)) } }
            }
            try suite.commit()
            #expect(try suite.total(nil) == 0)
            try suite.save("a", "b")
        }
    }

    @Test("Defaults are listed by key, up to a limit; of a suite without a file there are none")
    func defaults() throws {
        try withStore { store in
            let suite = store.standard
            #expect(try suite.defaults(byteLimit: 0).isEmpty)
            try suite.store(1.0, forKey: "b")
            try suite.store("ä", forKey: "a")
            #expect(try suite.defaults(byteLimit: 9).map(\.key) == ["a", "b"])
            #expect(try suite.defaults(byteLimit: 9).map(\.value) == ["ä", 1.0])
            #expect(throws: SuiteError.tooLarge(bytes: 8)) { try suite.defaults(byteLimit: 8) }
        }
    }
}
