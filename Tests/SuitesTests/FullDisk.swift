import Foundation
import GRDB
import JSON
import TestSupport
import Testing

@testable import Suites

/// Limits the size of the files of this process; nil removes the limit.
func limitFiles(to bytes: Int?) {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    limit.rlim_cur = bytes.map { rlim_t($0) } ?? limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
}

func expectLost(_ body: () throws(SuiteError) -> Void) {
    do throws(SuiteError) {
        try body()
        Issue.record("no error came")
    } catch {
        guard case .transactionLost(let text) = error else {
            Issue.record("\(error) is not transactionLost")
            return
        }
        #expect(!text.isEmpty)
    }
}

func expectOnly(_ names: [String], in suite: Suites.Suite, of store: SuiteStore) throws {
    #expect(try suite.names() == names)
    #expect(try suite.pending.total(nil) == Int64(names.count))
    let again = SuiteStore(folder: store.folder).standard
    #expect(try again.names() == names)
    #expect(try again.pending.total(nil) == Int64(names.count))
}

extension Suites.Suite {
    /// Lets changes such as `INSERT ON main.pending` fail in this connection, as if there were no room for them.
    func refuse(_ changes: String) throws {
        try write { db in
            try db.execute(
                sql: "CREATE TEMP TRIGGER full BEFORE \(changes) BEGIN SELECT RAISE(ABORT, 'no room'); END"
            )
        }
        try commit()
    }

    func refuseNothing() throws {
        try write { try $0.execute(sql: "DROP TRIGGER full") }
        try commit()
    }
}
