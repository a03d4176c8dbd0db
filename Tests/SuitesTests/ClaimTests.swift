import Foundation
import GRDB
import JSON
import Testing

@testable import Suites

struct ClaimTests {
    @Test("Nothing is claimed if it cannot be read which of the records are still pending")
    func unreadable() throws {
        try withStore { store in
            let suite = store.standard
            try suite.save("a")
            try suite.write { try $0.execute(sql: "ALTER TABLE pending RENAME TO elsewhere") }
            #expect(throws: SuiteError.self) { try suite.claims.claim(ids: [1], for: "x") }
            #expect(try suite.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM claims") } == 0)
            suite.rollback()
        }
    }

    @Test("The claims of dead hosts are merged, however they overlap")
    func merged() throws {
        try withStore { store in
            let suite = store.standard
            let claims: [[Int64]] = [[4, 5], [8], [1, 2], [2, 3]]
            for ids in claims { _ = try suite.claims.claim(ids: ids, for: "x") }
            try suite.commit()
            #expect(try suite.claims.abandonedRecords().runs == [1...5, 8...8])
        }
    }

    @Test("A claim is stored as runs of ids")
    func text() throws {
        try withStore { store in
            let suite = store.standard
            _ = try suite.claims.claim(ids: [3, 1, 2, 5], for: "x")
            #expect(try suite.read { try String.fetchOne($0, sql: "SELECT records FROM claims") } == "1-3,5")
            suite.rollback()
        }
    }

    @Test("A claim without valid runs is an error that shows it", arguments: ["0", "0-3", "5-1", "1-2-3", "1,x"])
    func invalid(text: String) throws {
        try withStore { store in
            let suite = store.standard
            try suite.write {
                try $0.execute(sql: "INSERT INTO claims (destination, records) VALUES ('x', ?)", arguments: [text])
            }
            let invalid = SuiteError.unreadable("it has a claim with invalid record ids: \(text)")
            #expect(throws: invalid) { try suite.claims.abandonedRecords() }
            #expect(throws: invalid) { try suite.claims.abandonedClaims() }
            suite.rollback()
        }
    }

    @Test("A record that may have been sent counts once, and only while it is pending")
    func possiblySent() throws {
        try withStore { store in
            let suite = store.standard
            try suite.save("a", "b", "c", "d")
            var settlement = Settlement()
            settlement.ambiguousPending = [1, 4]
            settlement.ambiguousRecords = 2
            try suite.claims.settle(0, settlement, destination: "x", now: 0)
            #expect(try suite.claims.possiblySentRecords() == 2)
            // Without claims, nobody needs to know whether a process flushes the suite.
            #expect(!FileManager.default.fileExists(atPath: "\(store.folder)/standard.flush"))
            for ids in [[1, 2], [2, 3, 77]] as [[Int64]] { _ = try suite.claims.claim(ids: ids, for: "x") }
            #expect(try suite.claims.possiblySentRecords() == 4)
            try suite.commit()
        }
    }

    @Test("Delivered records do not count any more, whatever their kinds and sizes")
    func delivered() throws {
        try withStore { store in
            let suite = store.standard
            _ = try suite.pending.save(.event("played", ["n": 1], user: ["braze_id": "ada"]))
            _ = try suite.pending.save(.attribute("k", 1))
            _ = try suite.pending.save(.field("email", "a@b.c"))
            try suite.save("last", "rest")
            var settlement = Settlement()
            settlement.delivered = [1, 2, 3, 4]
            try suite.claims.settle(0, settlement, destination: "x", now: 0)
            try suite.commit()
            #expect(try RecordKind.allCases.map { try suite.pending.total($0) } == [1, 0, 0])
            // The bytes can only be read from the error of a full suite.
            let tight = SuiteStore(folder: store.folder, limits: SuiteLimits(records: 0)).standard
            #expect(throws: SuiteError.full(records: 1, bytes: 4)) { try tight.pending.save(.event("x")) }
            tight.rollback()
        }
    }

    @Test("Two outcomes are equal only if all of their parts are")
    func equality() {
        func outcome(_ change: (inout Settlement) -> Void) -> Settlement {
            var settlement = Settlement()
            settlement.delivered = [1]
            settlement.deadLetters = [(2, "no")]
            settlement.ambiguousPending = [3]
            settlement.ambiguousRecords = 1
            change(&settlement)
            return settlement
        }
        let outcomes = [
            outcome { _ in }, outcome { $0.delivered = [] }, outcome { $0.deadLetters = [(2, "?")] },
            outcome { $0.deadLetters = [(4, "no")] }, outcome { $0.deadLetters = [] },
            outcome { $0.ambiguousPending = [] }, outcome { $0.ambiguousRecords = 2 },
        ]
        #expect(outcomes.map { $0 == outcomes[0] } == [true] + Array(repeating: false, count: 6))
    }
}
