import JSON
import Suites
import Testing

struct LeaseTests {
    private let lease = Lease(token: "token", expires: 1_000)

    @Test("A lease reserves its records, shows them as leased, and can be acknowledged once")
    func hold() throws {
        try withStore { store in
            let suite = store.standard
            try suite.save("a", "b", "c")
            let taken = try suite.leases.take(limit: 2, byteLimit: .max, lease: lease, now: 0)
            #expect(taken.records.map(\.content.name) == ["a", "b"])
            #expect(taken.remaining == 1)
            try suite.commit()
            #expect(try suite.all().map(\.isLeased) == [true, true, false])
            #expect(try suite.pending.total(nil) == 3)
            #expect(try suite.takeAll(now: 999).names == ["c"])
            #expect(try suite.takeAll(now: 999).names.isEmpty)
            #expect(try suite.leases.acknowledge("token", now: 999) == 2)
            #expect(throws: SuiteError.leaseExpired) { try suite.leases.acknowledge("token", now: 999) }
            try suite.commit()
            #expect(try suite.pending.total(nil) == 0)
        }
    }

    @Test("The records of an expired lease are available in their order, and can be leased again")
    func expiry() throws {
        try withStore { store in
            let suite = store.standard
            try suite.save("a", "b", "c")
            _ = try suite.leases.take(limit: 2, byteLimit: .max, lease: lease, now: 0)
            try suite.commit()
            let again = try suite.takeAll(lease: Lease(token: "next", expires: 2_000), now: 1_000)
            #expect(again.names == ["a", "b", "c"])
            #expect(again.remaining == 0)
            #expect(throws: SuiteError.leaseExpired) { try suite.leases.acknowledge("token", now: 1_500) }
            #expect(try suite.pending.total(nil) == 3)
            #expect(try suite.leases.acknowledge("next", now: 1_500) == 3)
        }
    }

    @Test(
        "Acknowledging an expired lease is an error and deletes nothing, whether or not its records were leased again"
    )
    func late() throws {
        try withStore { store in
            let suite = store.standard
            try suite.save("a")
            _ = try suite.takeAll(lease: lease)
            #expect(throws: SuiteError.leaseExpired) { try suite.leases.acknowledge("token", now: 1_000) }
            #expect(try suite.names() == ["a"])
            #expect(throws: SuiteError.leaseExpired) { try suite.leases.acknowledge("", now: 0) }
            #expect(throws: SuiteError.leaseExpired) { try suite.leases.acknowledge("tok'en", now: 0) }
            #expect(try suite.takeAll(now: 1_001).names == ["a"])
        }
    }

    @Test("A lease is stored in the file: another process sees it and can acknowledge it")
    func shared() throws {
        try withStore { store in
            try store.standard.save("a", "b")
            _ = try store.standard.takeAll(lease: lease)
            let other = SuiteStore(folder: store.folder).standard
            #expect(try other.takeAll(now: 1).names.isEmpty)
            #expect(try other.leases.acknowledge("token", now: 1) == 2)
            try other.commit()
            #expect(throws: SuiteError.leaseExpired) { try store.standard.leases.acknowledge("token", now: 1) }
            #expect(try store.standard.pending.total(nil) == 0)
        }
    }

    @Test("Records that are saved during a lease are available, and not acknowledged with it")
    func meanwhile() throws {
        try withStore { store in
            let suite = store.standard
            try suite.save("a")
            _ = try suite.takeAll(lease: lease)
            try suite.save("b")
            #expect(try suite.leases.acknowledge("token", now: 1) == 1)
            try suite.commit()
            #expect(try suite.names() == ["b"])
        }
    }

    @Test("A lease that was rolled back reserves nothing")
    func rollback() throws {
        try withStore { store in
            let suite = store.standard
            try suite.save("a")
            _ = try suite.leases.take(limit: 1, byteLimit: .max, lease: lease, now: 0)
            suite.rollback()
            #expect(throws: SuiteError.leaseExpired) { try suite.leases.acknowledge("token", now: 0) }
            #expect(try suite.takeAll().names == ["a"])
        }
    }

    @Test("Without available records there is no lease")
    func empty() throws {
        try withStore { store in
            let suite = store.standard
            try suite.save("a")
            _ = try suite.takeAll(lease: lease)
            #expect(try suite.takeAll(lease: Lease(token: "other", expires: 5_000)).names.isEmpty)
            #expect(throws: SuiteError.leaseExpired) { try suite.leases.acknowledge("other", now: 0) }
        }
    }

    @Test("The number of remaining records is right after leased records were removed")
    func removedUnderLease() throws {
        try withStore { store in
            let suite = store.standard
            try suite.save("a", "b")
            _ = try suite.takeAll(lease: lease)
            #expect(try suite.removeAll([.customEvent]) == 2)
            for number in 0..<3 { _ = try suite.pending.save(.attribute("k\(number)", 1)) }
            let taken = try suite.leases.take(limit: 1, byteLimit: .max, lease: nil, now: 0)
            #expect(taken.records.count == 1)
            #expect(taken.remaining == 2)
            #expect(try suite.leases.acknowledge("token", now: 0) == 0)
        }
    }

    @Test("Records that are removed count no longer for their own leases, and others are free")
    func removedUnderLeases() throws {
        try withStore { store in
            let suite = store.standard
            for token in ["one", "two"] {
                try suite.save("a")
                _ = try suite.takeAll(lease: Lease(token: token, expires: 1_000))
            }
            _ = try suite.pending.save(.attribute("k", 1))
            #expect(try suite.removeAll([.customEvent]) == 2)
            #expect(try suite.leases.freeRecords(now: 0) == 1)
            suite.rollback()
        }
    }

    @Test("A token is in use as long as its lease is stored, expired or not")
    func token() throws {
        try withStore { store in
            let suite = store.standard
            #expect(try !suite.leases.contains("token"))
            try suite.save("a")
            _ = try suite.takeAll(lease: lease)
            #expect(try suite.leases.contains("token") && !suite.leases.contains("other"))
            #expect(try suite.leases.acknowledge("token", now: 0) == 1)
            #expect(try !suite.leases.contains("token"))
            suite.rollback()
        }
    }
}
