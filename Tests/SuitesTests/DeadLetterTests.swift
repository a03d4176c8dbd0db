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
            #expect(letters[1].kind == .userAttribute)
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

    @Test("A suite without a file gets none because its dead letters are retried or discarded")
    func noFile() throws {
        try withStore { store in
            let changed = [try store.standard.retry(nil), try store.standard.discard([1])]
            #expect(changed == [0, 0])
            #expect(!FileManager.default.fileExists(atPath: store.path()))
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
