import Foundation
import GRDB
import JSON
import TestSupport
import Testing

@testable import Suites

/// The effects of a full disk on a suite.
///
/// A limit on the size of files simulates the full disk, because it needs no
/// privilege and works in every container. It applies to a whole process, so
/// each of these tests runs in a process of its own.
@Testing.Suite(.exits) struct LostTransactionTests {
    @Test("A full disk at the commit loses the whole transaction and is reported, and the next save succeeds")
    func atCommit() async {
        await #expect(processExitsWith: .success) {
            try withStore { store in
                let suite = store.standard
                try suite.save("kept")
                limitFiles(to: size(store.path() + "-wal") + 8_192)
                _ = try suite.pending.save(.event("small"))
                _ = try suite.pending.save(.event(bytes: 500_000))
                expectLost { () throws(SuiteError) in try suite.commit() }
                try expectOnly(["kept"], in: suite, of: store)
                limitFiles(to: nil)
                try suite.save("after")
                try expectOnly(["kept", "after"], in: suite, of: store)
                #expect(try suite.pending.total(nil) == 2)
            }
        }
    }

    @Test("A full disk during a transaction loses its earlier saves, and the next save begins a new transaction")
    func inTheMiddle() async {
        await #expect(processExitsWith: .success) {
            try withStore { store in
                let suite = store.standard
                try suite.save("kept")
                limitFiles(to: size(store.path() + "-wal") + 1_000_000)
                var error: SuiteError?
                for _ in 0..<1_000 where error == nil {
                    do throws(SuiteError) { _ = try suite.pending.save(.event(bytes: 50_000)) } catch let found {
                        error = found
                    }
                }
                guard case .transactionLost = error else {
                    Issue.record("\(String(describing: error)) is not transactionLost")
                    return
                }
                #expect(!suite.isInTransaction)
                try expectOnly(["kept"], in: suite, of: store)
                // There is still no space for large records, but for small ones.
                try suite.save("small")
                limitFiles(to: nil)
                try suite.save("after")
                try expectOnly(["kept", "small", "after"], in: suite, of: store)
            }
        }
    }

    @Test("A read that rolls the open transaction back, as on a full disk, loses all of it", arguments: [false, true])
    func inRead(isSavedAgain: Bool) throws {
        try withStore { store in
            let suite = store.standard
            try suite.save("kept")
            _ = try suite.save("key", .event("lost"))
            // SQLite does this itself if a read has to write pages of the transaction to the log first, and cannot.
            let error = #expect(throws: SuiteError.self) {
                try suite.read { db in
                    try db.execute(sql: "ROLLBACK")
                    throw DatabaseError(resultCode: .SQLITE_FULL)
                }
            }
            let isLost = SuiteError.transactionLost(try #require(error).text)
            #expect(suite.isInTransaction, "the answers of its saves still wait")
            if isSavedAgain {
                #expect(throws: isLost) { try suite.pending.save(.event("refused")) }
            } else {
                #expect(throws: isLost) { try suite.commit() }
            }
            #expect(!suite.isInTransaction)
            try expectOnly(["kept"], in: suite, of: store)
            #expect(try !suite.save("key", .event("again")).isRepeated)
            try suite.commit()
            try expectOnly(["kept", "again"], in: suite, of: store)
            #expect(size("\(store.folder)/standard.lock") == 0, "nothing of it is in the log")
        }
    }

    @Test("A full disk when a suite is created is an error, and later the suite can be created")
    func atCreation() async {
        await #expect(processExitsWith: .success) {
            try withStore { store in
                limitFiles(to: 4_096)
                for _ in 0..<3 {
                    #expect(throws: SuiteError.self) {
                        _ = try store.standard.pending.save(.event("a"))
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

    @Test("No space is reserved in a file that is larger than this process may write, which would end it")
    func reserve() async {
        await #expect(processExitsWith: .success) {
            try withTemporaryDirectory { folder in
                let (reserve, path) = (Reserve(folder: folder), "\(folder)/.reserve")
                limitFiles(to: Int(Reserve.size) - 1)
                signal(SIGXFSZ, SIG_DFL)
                reserve.restore()
                #expect(!FileManager.default.fileExists(atPath: path))
                limitFiles(to: Int(Reserve.size))
                reserve.restore()
                #expect(size(path) == Int(Reserve.size))
            }
        }
    }

    @Test("Records whose removal a full disk undoes are not returned")
    func take() async {
        await #expect(processExitsWith: .success) {
            try withStore { store in
                let suite = store.standard
                for _ in 0..<50 { _ = try suite.pending.save(.event(bytes: 10_000)) }
                try suite.commit()
                store.checkpoint(isIdle: true)
                limitFiles(to: 32)
                expectLost { () throws(SuiteError) in
                    _ = try suite.leases.take(limit: .max, byteLimit: .max, lease: nil, now: 0)
                    try suite.commit()
                }
                limitFiles(to: nil)
                #expect(try suite.pending.total(nil) == 50)
                #expect(try suite.takeAll().names.count == 50)
            }
        }
    }
}
