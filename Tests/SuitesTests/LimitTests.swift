import JSON
import Suites
import Testing

struct LimitTests {
    @Test("A suite accepts records up to its limit, refuses the next one, and keeps the old ones")
    func records() throws {
        try withStore(limits: SuiteLimits(records: 3)) { store in
            let suite = store.standard
            try suite.save("a", "b", "c")
            let error = SuiteError.full(records: 3, bytes: 3)
            #expect(throws: error) { try suite.pending.save(.event("d")) }
            #expect(throws: error) { try suite.pending.save(.attribute("d", 1)) }
            try suite.commit()
            #expect(try suite.names() == ["a", "b", "c"])
            _ = try suite.leases.take(limit: 1, byteLimit: .max, lease: nil, now: 0)
            _ = try suite.pending.save(.event("d"))
            #expect(throws: error) { try suite.pending.save(.event("e")) }
            try suite.commit()
            #expect(try suite.names() == ["b", "c", "d"])
        }
    }

    @Test("Of several records all are saved, or none")
    func several() throws {
        try withStore(limits: SuiteLimits(records: 3, bytes: 20, valueBytes: 9)) { store in
            let suite = store.standard
            try suite.save("a")
            let full = SuiteError.full(records: 1, bytes: 1)
            #expect(throws: full) { try suite.pending.save([.event("b"), .event("c"), .event("d")]) }
            #expect(throws: full) { try suite.pending.save([.event("b"), .event(bytes: 19)]) }
            let large = SuiteError.recordTooLarge(bytes: 11, limit: 9)
            #expect(throws: large) { try suite.pending.save([.event("b"), .event("c", ["a": "123"])]) }
            #expect(try suite.names() == ["a"])
            #expect(try suite.pending.save([.event("b"), .event("c")]) == [2, 3])
            try suite.commit()
            #expect(try suite.names() == ["a", "b", "c"])
        }
    }

    @Test("The values and users of several records count before one of them is saved")
    func severalSizes() throws {
        try withStore(limits: SuiteLimits(bytes: 20)) { store in
            let suite = store.standard
            // 1 + 9 bytes, and 2 + 9 bytes
            let first = RecordContent.event("b", ["a": "1"])
            #expect(throws: SuiteError.full(records: 0, bytes: 0)) {
                try suite.pending.save([first, .event("cc", user: ["u": "1"])])
            }
            #expect(try suite.pending.save([first, .event("c", user: ["u": "1"])]) == [1, 2])
            try suite.commit()
            #expect(try suite.all().map(\.bytes) == [10, 10])
        }
    }

    @Test("If one of several records cannot be stored, none is, and the transaction is lost")
    func severalUnstored() throws {
        try withStore { store in
            let suite = store.standard
            try suite.save("before")
            try suite.refuse("INSERT ON main.pending WHEN NEW.name = 'c'")
            _ = try suite.pending.save(.event("a"))
            expectLost { () throws(SuiteError) in _ = try suite.pending.save([.event("b"), .event("c")]) }
            #expect(!suite.isInTransaction)
            try suite.refuseNothing()
            #expect(try suite.names() == ["before"])
        }
    }

    @Test("A value may have as many bytes as its limit says, and not one more")
    func value() throws {
        try withStore(limits: SuiteLimits(valueBytes: 9)) { store in
            let suite = store.standard
            let large = SuiteError.recordTooLarge(bytes: 10, limit: 9)
            #expect(throws: large) { try suite.pending.save(.event("a", ["a": "12"])) }
            #expect(throws: large) { try suite.pending.save([.event("a", ["a": "12"])]) }
            _ = try suite.pending.save(.event("b", ["a": "1"]))
            _ = try suite.pending.save([.event("c", ["a": "1"])])
            try suite.commit()
            #expect(try suite.names() == ["b", "c"])
        }
    }

    @Test("The size of names, values and users is counted in bytes of UTF-8")
    func bytes() throws {
        try withStore(limits: SuiteLimits(bytes: 30)) { store in
            let suite = store.standard
            // 2 + 7 + 10 bytes
            _ = try suite.pending.save(.event("ä", ["a": 1], user: ["u": "ä"]))
            #expect(throws: SuiteError.full(records: 1, bytes: 19)) { try suite.pending.save(.event(bytes: 12)) }
            _ = try suite.pending.save(.event(bytes: 11))
            #expect(throws: SuiteError.full(records: 2, bytes: 30)) { try suite.pending.save(.event("x")) }
            try suite.commit()
            #expect(try suite.pending.total(nil) == 2)
            #expect(try suite.all().map(\.bytes) == [19, 11])
        }
    }

    @Test("A full suite is full for every process, also after reopening")
    func others() throws {
        let limits = SuiteLimits(records: 2)
        try withStore(limits: limits) { store in
            let other = SuiteStore(folder: store.folder, limits: limits).standard
            try store.standard.save("a")
            try other.save("b")
            #expect(throws: SuiteError.full(records: 2, bytes: 2)) { try store.standard.pending.save(.event("c")) }
            store.standard.rollback()
            let again = SuiteStore(folder: store.folder, limits: limits).standard
            #expect(throws: SuiteError.full(records: 2, bytes: 2)) { try again.pending.save(.event("c")) }
        }
    }

    @Test("Leased records count towards the limits")
    func leased() throws {
        try withStore(limits: SuiteLimits(records: 1)) { store in
            try store.standard.save("a")
            _ = try store.standard.takeAll(lease: Lease(token: "t", expires: 10))
            #expect(throws: SuiteError.full(records: 1, bytes: 1)) { try store.standard.pending.save(.event("b")) }
            #expect(try store.standard.leases.acknowledge("t", now: 0) == 1)
            _ = try store.standard.pending.save(.event("b"))
        }
    }

    @Test("Defaults count with the bytes of their keys and values, and free them when they are removed")
    func defaults() throws {
        try withStore(limits: SuiteLimits(records: 1, bytes: 30)) { store in
            let suite = store.standard
            // 2 + 12 bytes
            try suite.defaults.store(.string("0123456789"), forKey: "ä")
            #expect(throws: SuiteError.full(records: 0, bytes: 14)) { try suite.pending.save(.event(bytes: 17)) }
            #expect(throws: SuiteError.full(records: 0, bytes: 14)) {
                try suite.defaults.store(.string("0123456789abcd"), forKey: "k")
            }
            _ = try suite.pending.save(.event(bytes: 10))
            try suite.commit()
            // A value that replaces another one counts alone, and one that is not longer is always accepted.
            try suite.defaults.store(.string("0123456789abcdef"), forKey: "ä")
            #expect(throws: SuiteError.full(records: 1, bytes: 30)) { try suite.defaults.store(1, forKey: "") }
            try suite.defaults.store(1, forKey: "ä")
            try suite.commit()
            let other = SuiteStore(folder: store.folder, limits: store.limits).standard
            #expect(throws: SuiteError.full(records: 1, bytes: 13)) {
                try other.defaults.store(.string("0123456789abcdef"), forKey: "k")
            }
            other.rollback()
            #expect(try suite.defaults.removeObject(forKey: "ä"))
            try suite.defaults.store(.string("0123456789abcdef"), forKey: "k")
            suite.rollback()
            #expect(throws: SuiteError.full(records: 1, bytes: 13)) {
                try suite.defaults.store(.string("0123456789abcdef"), forKey: "k")
            }
            suite.rollback()
        }
    }
}
