import GRDB
import JSON
import Suites
import Testing

struct DeliveryTests {
    private func settlement(_ change: (inout Settlement) -> Void) -> Settlement {
        var settlement = Settlement()
        change(&settlement)
        return settlement
    }

    @Test("Records are read in the order in which they were saved, up to an id and without those of a valid lease")
    func deliverable() throws {
        try withStore { store in
            let suite = store.standard
            #expect(try suite.claims.deliverable(1...9, limit: 9, byteLimit: 9).isEmpty)
            #expect(try suite.claims.newestRecord() == 0)
            try suite.save("a", "b", "c", "d")
            _ = try suite.leases.take(limit: 1, byteLimit: .max, lease: Lease(token: "t", expires: 50), now: 0)
            try suite.commit()
            #expect(try suite.claims.newestRecord() == 4)
            #expect(try suite.leases.freeRecords(now: 0) == 3 && suite.leases.freeRecords(now: 50) == 4)
            #expect(try suite.claims.deliverable(1...3, limit: 9, byteLimit: 99).map(\.name) == ["b", "c"])
            #expect(try suite.claims.deliverable(1...4, limit: 1, byteLimit: 99).map(\.name) == ["b"])
            try suite.leases.endExpiredLeases(now: 49)
            #expect(!suite.isInTransaction)
            try suite.leases.endExpiredLeases(now: 50)
            #expect(try suite.claims.deliverable(1...4, limit: 9, byteLimit: 99).count == 4)
            try suite.commit()
        }
    }

    @Test("A record has the texts as they are stored")
    func texts() throws {
        try withStore { store in
            let suite = store.standard
            _ = try suite.pending.save(.event("e", ["a": 1.0], time: 7, user: ["braze_id": "ada"]))
            try suite.commit()
            let record = try #require(try suite.claims.deliverable(1...1, limit: 1, byteLimit: 1).first)
            #expect(record.value == #"{"a":1.0}"# && record.user == #"{"braze_id":"ada"}"# && record.time == 7)
        }
    }

    @Test("A settled claim deletes records, moves them to dead letters and marks ambiguous ones; others are unchanged")
    func settle() throws {
        try withStore { store in
            let suite = store.standard
            try suite.save("a", "b", "c", "d", "e")
            let claim = try suite.claims.claim(ids: [5, 1, 2, 3], for: "braze").id
            try suite.commit()
            let abandoned = try suite.claims.abandonedClaims()
            #expect(abandoned.map(\.claim) == [claim] && abandoned.map(\.destination) == ["braze"])
            #expect(abandoned.first?.records.map(\.name) == ["a", "b", "c", "e"])
            let outcome = settlement {
                $0.delivered = [1, 5]
                $0.deadLetters = [(2, "too long")]
                $0.ambiguousPending = [3]
                $0.ambiguousRecords = 1
            }
            try suite.claims.settle(claim, outcome, destination: "braze", now: 99)
            try suite.commit()
            #expect(try suite.all().map(\.content.name) == ["c", "d"])
            #expect(try suite.all().map(\.possiblySent) == [1, 0])
            #expect(try suite.pending.total(nil) == 2 && suite.deadLetters.total() == 1)
            let letter = try #require(try suite.deadLetters.page(limit: 9, byteLimit: 99).first)
            #expect(letter.id == 2 && letter.record?.name == "b" && letter.reason == "too long" && letter.died == 99)
            #expect(try suite.claims.abandonedClaims().isEmpty)
            let totals = try #require(try suite.claims.deliveries().first)
            #expect(totals.delivered == 2 && totals.rejected == 1 && totals.ambiguousDeliveries == 1)
        }
    }

    @Test("A record counts how often it may have been sent; as a dead letter that is retried, it counts as never sent")
    func twiceAmbiguous() throws {
        try withStore { store in
            let suite = store.standard
            try suite.save("a", "b")
            for times in 1...2 as ClosedRange<Int64> {
                let claim = try suite.claims.claim(ids: [1], for: "x").id
                let outcome = settlement {
                    $0.ambiguousPending = [1]
                    $0.ambiguousRecords = 1
                }
                try suite.claims.settle(claim, outcome, destination: "x", now: 0)
                try suite.commit()
                #expect(try suite.all().map(\.possiblySent) == [times, 0])
            }
            let claim = try suite.claims.claim(ids: [1], for: "x").id
            try suite.claims.settle(claim, settlement { $0.deadLetters = [(1, "?")] }, destination: "x", now: 0)
            var change = try suite.deadLetters.retry([1])
            #expect(try change.finish() == 1)
            try suite.commit()
            #expect(try suite.all().map(\.possiblySent) == [0, 0])
        }
    }

    @Test("Records that were removed during their delivery are skipped")
    func removedMeanwhile() throws {
        try withStore { store in
            let suite = store.standard
            try suite.save("a", "b")
            let claim = try suite.claims.claim(ids: [1, 2], for: "x").id
            _ = try suite.removeAll([.customEvent])
            let outcome = settlement {
                $0.delivered = [1]
                $0.deadLetters = [(2, "no")]
            }
            try suite.claims.settle(claim, outcome, destination: "x", now: 0)
            try suite.commit()
            #expect(try suite.pending.total(nil) == 0 && suite.deadLetters.total() == 0)
        }
    }

    @Test("The ids of records that are not pending any more are reported")
    func missing() throws {
        try withStore { store in
            let suite = store.standard
            #expect(try suite.claims.claim(ids: [1], for: "x").missing == [1])
            try suite.save("a", "b", "c", "d")
            #expect(try suite.claims.claim(ids: [4, 1, 2], for: "x").missing == [])
            let claim = try suite.claims.claim(ids: [2, 3], for: "x")
            #expect(claim.missing == [])
            try suite.claims.settle(claim.id, settlement { $0.delivered = [2] }, destination: "x", now: 0)
            #expect(try suite.claims.claim(ids: [1, 2, 3, 9], for: "x").missing == [2, 9])
        }
    }

    @Test(
        "Ids are converted to ranges and back",
        arguments: [[], [7], [1, 2, 3], [3, 1, 2, 9, 5, 6, 6]] as [[Int64]]
    )
    func runs(_ ids: [Int64]) throws {
        #expect(IDRuns(ids).runs.flatMap { Array($0) } == Set(ids).sorted())
        try withStore { store in
            let suite = store.standard
            for _ in 0..<10 { _ = try suite.pending.save(.event("e")) }
            _ = try suite.claims.claim(ids: ids, for: "x")
            try suite.commit()
            #expect(try suite.claims.abandonedClaims().flatMap(\.records).map(\.id) == Set(ids).sorted())
        }
    }

    @Test("A damaged record in a dead host's claim stays pending, and does not keep the others from being settled")
    func damagedClaim() throws {
        try withStore { store in
            let suite = store.standard
            try suite.save("a", "b", "c")
            _ = try suite.claims.claim(ids: [1, 2, 3], for: "x")
            try suite.commit()
            try DatabaseQueue(path: store.path()).write {
                try $0.execute(sql: "UPDATE pending SET kind = 9 WHERE id = 2")
            }
            let abandoned = try suite.claims.abandonedClaims()
            #expect(abandoned.flatMap(\.records).map(\.id) == [1, 3])
            try suite.claims.settle(abandoned[0].claim, Settlement(), destination: "x", now: 0)
            try suite.commit()
            var damaged: [Int64] = []
            let rest = try suite.claims.deliverable(1...9, limit: 9, byteLimit: 1 << 20) { damaged.append($0.id) }
            #expect(rest.map(\.id) == [1, 3] && damaged == [2])
        }
    }

    @Test("A claim that names all ids there are costs what the suite's records cost")
    func endlessClaim() throws {
        try withStore { store in
            let suite = store.standard
            try suite.save("a", "b")
            try DatabaseQueue(path: store.path()).write {
                try $0.execute(
                    sql: "INSERT INTO claims (destination, records) VALUES ('x', '1-9223372036854775807'), ('x', '2-3')"
                )
            }
            #expect(try suite.claims.abandonedRecords().runs == [1...Int64.max])
            #expect(try suite.claims.possiblySentRecords() == 2)
        }
    }

    @Test("A settlement stores the state of its destination, and one without a state leaves it as it is")
    func state() throws {
        try withStore { store in
            let suite = store.standard
            try suite.save("a")
            let state = DestinationState(failures: 3, notBefore: 77, problem: "503")
            try suite.claims.settle(0, Settlement(), destination: "braze", state: state, now: 0)
            try suite.claims.settle(0, settlement { $0.delivered = [1] }, destination: "braze", now: 0)
            try suite.commit()
            var totals = DeliveryTotals(destination: "braze")
            totals.delivered = 1
            totals.failures = 3
            totals.notBefore = 77
            totals.problem = "503"
            #expect(try suite.claims.deliveries() == [totals])
        }
    }

    @Test("The state of a destination is forgotten when its configuration changes, and stays otherwise")
    func configuration() throws {
        try withStore { store in
            let suite = store.standard
            try suite.save("a")
            let state = DestinationState(failures: 3, notBefore: 77, problem: "503", configuration: "KEY=secret")
            try suite.claims.settle(0, Settlement(), destination: "braze", state: state, now: 0)
            try suite.commit()
            #expect(try suite.claims.refreshedState(of: "braze", configuration: "KEY=secret") == state)
            #expect(!suite.isInTransaction)
            #expect(try suite.claims.refreshedState(of: "file", configuration: "") == DestinationState())
            #expect(try !sqlite(store.path(), "SELECT configuration FROM deliveries").joined().contains("secret"))
            let fresh = DestinationState(configuration: "KEY=other")
            #expect(try suite.claims.refreshedState(of: "braze", configuration: "KEY=other") == fresh)
            try suite.commit()
            #expect(try suite.claims.deliveries().map(\.problem) == [nil])
            #expect(try suite.claims.refreshedState(of: "braze", configuration: "KEY=other") == fresh)
        }
    }

    @Test(
        "A number of failures, a pause or a problem alone is a state, too",
        arguments: [
            DestinationState(failures: 1, configuration: "x"), DestinationState(notBefore: 7, configuration: "x"),
            DestinationState(problem: "503", configuration: "x"),
        ]
    )
    func partOfAState(state: DestinationState) throws {
        try withStore { store in
            let claims = store.standard.claims
            try store.standard.save("a")
            try claims.settle(0, Settlement(), destination: "braze", state: state, now: 0)
            try store.standard.commit()
            #expect(try claims.refreshedState(of: "braze", configuration: "x") == state)
            let fresh = DestinationState(configuration: "y")
            #expect(try claims.refreshedState(of: "braze", configuration: "y") == fresh)
        }
    }

    @Test("A file that an earlier program made keeps the state of its destinations, and gets the configuration later")
    func configurationOfEarlierFile() throws {
        try withStore { store in
            let state = DestinationState(failures: 3, notBefore: 77, problem: "503", configuration: "x")
            try store.standard.claims.settle(0, Settlement(), destination: "braze", state: state, now: 0)
            try store.standard.commit()
            try sqlite(store.path(), "ALTER TABLE deliveries DROP COLUMN configuration")
            let claims = store.standard.claims
            #expect(try claims.refreshedState(of: "braze", configuration: "x") == state)
            try claims.settle(0, Settlement(), destination: "braze", state: state, now: 0)
            try store.standard.commit()
            #expect(try claims.refreshedState(of: "braze", configuration: "x") == state)
            #expect(try claims.refreshedState(of: "braze", configuration: "y").problem == nil)
        }
    }

    @Test("Only one holder has the flush lock, which is released with the holder")
    func lock() throws {
        try withStore { store in
            let suite = store.standard
            try suite.save("a")
            var lock = try suite.lockFlush()
            #expect(lock != nil)
            #expect(try suite.lockFlush() == nil)
            lock = nil
            #expect(try suite.lockFlush() != nil)
        }
    }
}
