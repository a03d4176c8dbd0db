import Foundation
import JSON
import Suites
import TestSupport
import Testing

/// What a full disk does to a suite.
///
/// The disk is made full with a limit on the size of files, which needs no
/// privilege and works in every container; it holds for a whole process, so
/// each of these tests runs in a process of its own.
@Testing.Suite(.hangs) struct LostTransactionTests {
    @Test("A full disk at the commit loses the whole transaction, tells so, and the next save works")
    func atCommit() async {
        await #expect(processExitsWith: .success) {
            try withStore { store in
                let suite = store.standard
                try suite.save("kept")
                limitFiles(to: size(store.path() + "-wal") + 8_192)
                _ = try suite.save(.event("small"))
                _ = try suite.save(.event(bytes: 500_000))
                expectLost { () throws(SuiteError) in try suite.commit() }
                try expectOnly(["kept"], in: suite, of: store)
                limitFiles(to: nil)
                try suite.save("after")
                try expectOnly(["kept", "after"], in: suite, of: store)
                #expect(try suite.total(nil) == 2)
            }
        }
    }

    @Test("A full disk in the middle of a transaction loses what came before in it; the next save begins anew")
    func inTheMiddle() async {
        await #expect(processExitsWith: .success) {
            try withStore { store in
                let suite = store.standard
                try suite.save("kept")
                limitFiles(to: size(store.path() + "-wal") + 1_000_000)
                var error: SuiteError?
                for _ in 0..<1_000 where error == nil {
                    do throws(SuiteError) { _ = try suite.save(.event(bytes: 50_000)) } catch let found {
                        error = found
                    }
                }
                guard case .transactionLost = error else {
                    Issue.record("\(String(describing: error)) is not transactionLost")
                    return
                }
                #expect(!suite.isInTransaction)
                try expectOnly(["kept"], in: suite, of: store)
                // The disk is still full for large ones, yet small ones fit.
                try suite.save("small")
                limitFiles(to: nil)
                try suite.save("after")
                try expectOnly(["kept", "small", "after"], in: suite, of: store)
            }
        }
    }

    @Test("A full disk when the suite is made is an error; later it can be made")
    func atCreation() async {
        await #expect(processExitsWith: .success) {
            try withStore { store in
                limitFiles(to: 4_096)
                for _ in 0..<3 {
                    #expect(throws: SuiteError.self) {
                        _ = try store.standard.save(.event("a"))
                        try store.standard.commit()
                    }
                    store.standard.rollback()
                }
                limitFiles(to: nil)
                try store.standard.save("b")
                try expectOnly(["b"], in: store.standard, of: store)
            }
        }
    }

    @Test("A take that a full disk undoes gives nothing away")
    func take() async {
        await #expect(processExitsWith: .success) {
            try withStore { store in
                let suite = store.standard
                for _ in 0..<50 { _ = try suite.save(.event(bytes: 10_000)) }
                try suite.commit()
                store.checkpoint(isIdle: true)
                limitFiles(to: 32)
                expectLost { () throws(SuiteError) in
                    _ = try suite.takeRecords(limit: .max, byteLimit: .max, lease: nil, now: 0)
                    try suite.commit()
                }
                limitFiles(to: nil)
                #expect(try suite.total(nil) == 50)
                #expect(try suite.takeAll().names.count == 50)
            }
        }
    }
}

/// Limits how large any file of this process may become; without a limit it is as it was.
private func limitFiles(to bytes: Int?) {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    limit.rlim_cur = bytes.map { rlim_t($0) } ?? limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
}

private func expectLost(_ body: () throws(SuiteError) -> Void) {
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

private func expectOnly(_ names: [String], in suite: Suites.Suite, of store: SuiteStore) throws {
    #expect(try suite.names() == names)
    #expect(try suite.total(nil) == Int64(names.count))
    let again = SuiteStore(folder: store.folder).standard
    #expect(try again.names() == names)
    #expect(try again.total(nil) == Int64(names.count))
}
