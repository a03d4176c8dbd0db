import Foundation
import JSON
import Suites
import Testing

struct DeadLetterTests {
    @Test("A dead letter keeps the record, or its bytes, and its id is never used again")
    func moved() throws {
        try withStore { store in
            let suite = store.standard
            let record = RecordContent.event("e", ["a": 1], time: 5, user: ["braze_id": "ada"])
            try suite.add(
                StagedRow(record, reason: "why", at: 8),
                StagedRow([0xFF, 0], kind: .userAttribute, reason: "what", at: 9)
            )
            #expect(try suite.pending.save(.event("f")) == 3)
            try suite.commit()
            let letters = try suite.deadLetters.page(limit: 9, byteLimit: 999)
            #expect(letters.map(\.id) == [1, 2] && letters.map(\.died) == [8, 9])
            #expect(letters[0].record?.value == ["a": 1] && letters[0].record?.user == ["braze_id": "ada"])
            #expect(letters[0].bytes == nil && letters[1].bytes == [0xFF, 0] && letters[1].record == nil)
            #expect(letters.map(\.kind) == [.customEvent, .userAttribute])
            #expect(letters.map(\.reason) == ["why", "what"] && letters[0].record?.time == 5)
            #expect(try suite.deadLetters.page(after: 1, limit: 9, byteLimit: 999).map(\.id) == [2])
            #expect(try suite.deadLetters.page(limit: 1, byteLimit: 999).map(\.id) == [1])
            #expect(try suite.deadLetters.total() == 2 && suite.pending.total(nil) == 1)
        }
    }

    @Test("Retried dead letters are pending again at their old positions; those of bytes are skipped")
    func retry() throws {
        try withStore { store in
            let suite = store.standard
            try suite.add(
                StagedRow(.event("a", ["n": 1]), reason: "no", at: 0),
                StagedRow([1], kind: nil, reason: "no", at: 0),
                StagedRow(.event("b"), reason: "no", at: 0)
            )
            try suite.save("c")
            #expect(try suite.deadLetters.retry([1, 77]).total == 2)
            #expect(try suite.deadLetters.remove([1, 2, 3, 77]).total == 3 && suite.deadLetters.remove(nil).total == 3)
            #expect(try suite.retry([1, 1, 77]) == 1)
            #expect(try suite.names() == ["a", "c"])
            #expect(try suite.retry(nil) == 1)
            try suite.commit()
            #expect(try suite.names() == ["a", "b", "c"])
            #expect(try suite.pending.total(.customEvent) == 3 && suite.deadLetters.total() == 1)
            #expect(try suite.discard(nil) == 1)
            #expect(try suite.deadLetters.total() == 0)
            suite.rollback()
            #expect(try suite.deadLetters.total() == 1)
        }
    }

    @Test("A dead letter of a kind that only a later version knows stays one, and can be discarded")
    func unknownKind() throws {
        try withStore { store in
            let suite = store.standard
            try suite.add(StagedRow(.event("a"), reason: "no", at: 0), StagedRow(.event("b"), reason: "no", at: 0))
            try suite.commit()
            try sqlite(store.path(), "UPDATE dead_letters SET kind = 9 WHERE id = 1")
            #expect(try suite.retry(nil) == 1)
            try suite.commit()
            #expect(try suite.names() == ["b"] && suite.deadLetters.total() == 1)
            #expect(try suite.deadLetters.page(limit: 9, byteLimit: 999).map(\.id) == [1])
            #expect(try suite.discard([1]) == 1)
            try suite.commit()
            #expect(try suite.deadLetters.total() == 0)
        }
    }

    @Test("A suite without a file gets none because its dead letters are retried or discarded")
    func noFile() throws {
        try withStore { store in
            let changed = [try store.standard.retry(nil), try store.standard.discard([1])]
            #expect(changed == [0, 0])
            #expect(!FileManager.default.fileExists(atPath: store.path()))
        }
    }

    @Test("All texts and bytes of a dead letter and its reason count, until it is retried or discarded")
    func bytes() throws {
        try withStore { store in
            let suite = store.standard
            let tight = SuiteStore(folder: store.folder, limits: SuiteLimits(records: 0)).standard
            func expectFull(_ records: Int64, _ bytes: Int64) {
                #expect(throws: SuiteError.full(records: records, bytes: bytes)) { try tight.pending.save(.event("x")) }
                tight.rollback()
            }
            // 2 + 7 + 9 bytes, and those of the reason.
            let record = RecordContent.event("ab", ["n": 1], user: ["u": "v"])
            try suite.add(
                StagedRow(record, reason: "no", at: 0),
                StagedRow([1, 2, 3], kind: .customEvent, reason: "why", at: 0)
            )
            try suite.commit()
            expectFull(2, 20 + 6)
            #expect(try suite.retry(nil) == 1)
            try suite.commit()
            expectFull(2, 18 + 6)
            var settlement = Settlement()
            settlement.deadLetters = [(1, "é!")]
            try suite.claims.settle(0, settlement, destination: "x", now: 0)
            try suite.commit()
            expectFull(2, 21 + 6)
            #expect(try suite.discard(nil) == 2)
            try suite.commit()
            expectFull(0, 0)
        }
    }

    @Test("Of a reason with U+0000 as much is counted as is stored")
    func zeroInReason() throws {
        try withStore(limits: SuiteLimits(records: 1)) { store in
            let suite = store.standard
            try suite.save("a")
            var settlement = Settlement()
            settlement.deadLetters = [(1, "b\0cd")]
            try suite.claims.settle(0, settlement, destination: "x", now: 0)
            try suite.commit()
            #expect(try suite.deadLetters.page(limit: 9, byteLimit: 999).map(\.reason) == ["b\u{FFFD}cd"])
            #expect(throws: SuiteError.full(records: 1, bytes: 1 + 6)) { try suite.pending.save(.event("x")) }
            suite.rollback()
            #expect(try suite.discard(nil) == 1)
            try suite.save("c")
            #expect(throws: SuiteError.full(records: 1, bytes: 1)) { try suite.pending.save(.event("d")) }
        }
    }

    @Test("Dead letters count towards the limits of a suite")
    func room() throws {
        try withStore(limits: SuiteLimits(records: 2)) { store in
            let suite = store.standard
            try suite.add(StagedRow(.event("a"), reason: "no", at: 0))
            try suite.save("b")
            #expect(throws: SuiteError.self) { try suite.pending.save(.event("c")) }
            #expect(throws: SuiteError.self) { try suite.add(StagedRow([1], kind: nil, reason: "no", at: 0)) }
            _ = try suite.discard([1])
            try suite.save("c")
        }
    }
}

extension Suites.Suite {
    fileprivate func retry(_ ids: [Int64]?) throws -> Int64 {
        var change = try deadLetters.retry(ids)
        return try change.finish()
    }

    fileprivate func discard(_ ids: [Int64]?) throws -> Int64 {
        var change = try deadLetters.remove(ids)
        return try change.finish()
    }
}
