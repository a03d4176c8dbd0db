import GRDB
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
}
