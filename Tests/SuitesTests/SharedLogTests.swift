import Foundation
import GRDB
import JSON
import TestSupport
import Testing

@testable import Suites

/// The log of a suite while other connections use it: after somebody removed it, and after a commit that failed.
@Testing.Suite(.waits) struct SharedLogTests {
    /// What another program executes to save a record whose id is the next one.
    private func insert(_ name: String, id: Int) -> [String] {
        [
            "INSERT INTO pending (id, kind, name, time) VALUES (\(id), 0, '\(name)', 0)",
            "UPDATE counters SET records = records + 1 WHERE kind IN (0, 6)",
        ]
    }

    /// Removes the index of the log, with a new one of which another process saves b and much else, and is killed.
    private func saveBeside(_ store: SuiteStore) throws {
        try FileManager.default.removeItem(atPath: store.path() + "-shm")
        let script = """
            import os, signal, sqlite3, sys
            other = sqlite3.connect(sys.argv[1], isolation_level=None)
            other.execute('PRAGMA wal_autocheckpoint = 0')
            for statement in sys.argv[2:]: other.execute(statement)
            other.execute('CREATE TABLE large AS SELECT zeroblob(2000000)')
            os.kill(os.getpid(), signal.SIGKILL)
            """
        let statements = insert("b", id: 2)
        let other = try python(script, store.path(), statements[0], statements[1])
        #expect(try other.wait() == .signal(SIGKILL), "\(other.standardError)")
    }

    @Test("If another process goes on with a new index of the log, neither its records nor those of this one are lost")
    func otherIndex() throws {
        try withStore { store in
            try store.standard.save("a")
            try FileManager.default.removeItem(atPath: store.path() + "-shm")
            try sqlite(store.path(), insert("b", id: 2).joined(separator: ";"))
            try store.standard.save("c")
            #expect(try store.standard.names() == ["a", "b", "c"])
            #expect(try sqlite(store.path(), "SELECT name FROM pending ORDER BY id") == ["a", "b", "c"])
        }
    }

    @Test("A commit is called lost if another process has a new index of the log, since that process may overwrite it")
    func commitWithOtherIndex() throws {
        try withStore { store in
            try store.standard.save("a")
            _ = try store.standard.pending.save(.event("open"))
            try FileManager.default.removeItem(atPath: store.path() + "-shm")
            try sqlite(store.path(), "SELECT count(*) FROM pending")
            #expect(throws: SuiteError.transactionLost("its log was removed while another process used it")) {
                try store.standard.commit()
            }
            try store.standard.save("c")
            #expect(try store.standard.names().filter { $0 != "open" } == ["a", "c"])
        }
    }

    @Test("While another connection reads a log that was removed, the suite is busy, and afterwards nothing is lost")
    func removedWhileRead() throws {
        try withStore { store in
            try store.standard.save("a")
            let reader = try reader(of: store)
            // Its frames cannot be moved into the file before the reader ends.
            try store.standard.save("b")
            try FileManager.default.removeItem(atPath: store.path() + "-wal")
            #expect(throws: SuiteError.busy) { try store.standard.pending.save(.event("c")) }
            try reader.close()
            #expect(try store.standard.names() == ["a", "b"])
            try store.standard.save("c")
            #expect(try sqlite(store.path(), "SELECT name FROM pending ORDER BY id") == ["a", "b", "c"])
        }
    }

    @Test(
        "The new log of another process, which has moved the removed one into the file already, stays",
        arguments: [false, true]
    )
    func rescuedByAnother(isKilled: Bool) throws {
        try withStore { store in
            try store.standard.save("a")
            let script = """
                import os, sqlite3, sys
                def connect(): return sqlite3.connect(sys.argv[1], isolation_level=None)
                other = connect()
                other.execute('SELECT count(*) FROM pending').fetchone()
                print('open', flush=True)
                sys.stdin.readline()
                other.execute('PRAGMA wal_checkpoint(TRUNCATE)').fetchone()
                other.close()
                os.unlink(sys.argv[1] + '-shm')
                other = connect()
                for statement in sys.argv[2:]: other.execute(statement)
                print('saved', flush=True)
                sys.stdin.read()
                """
            let statements = insert("b", id: 2)
            let other = try python(script, store.path(), statements[0], statements[1])
            #expect(try other.readLine() == "open", "\(other.standardError)")
            try FileManager.default.removeItem(atPath: store.path() + "-wal")
            try other.write(line: "")
            #expect(try other.readLine() == "saved", "\(other.standardError)")
            // Then only the log has its record.
            if isKilled {
                other.kill(SIGKILL)
                _ = try other.wait()
            }
            try store.standard.save("c")
            #expect(try store.standard.names() == ["a", "b", "c"])
            guard !isKilled else { return }
            other.closeInput()
            #expect(try other.wait() == .code(0), "\(other.standardError)")
        }
    }

    @Test("A suite that is closed to make room for others leaves the log to a process that has a new index of it")
    func closedForOthers() throws {
        try withStore { store in
            try store.standard.save("a")
            try saveBeside(store)
            for number in 1...SuiteStore.openLimit {
                try store.suite(try #require(SuiteName("s\(number)"))).save("c")
            }
            #expect(store.standard.file == nil)
            #expect(try store.standard.names() == ["a", "b"])
        }
    }

    @Test("A large log is not emptied between two slices of a job while another process has a new index of it")
    func betweenSlices() throws {
        try withStore { store in
            try store.standard.save("a")
            try saveBeside(store)
            #expect(size(store.path() + "-wal") > SuiteStore.sliceLogLimit)
            store.standard.checkpoint(isIdle: false, isBetweenSlices: true)
            #expect(try store.standard.names() == ["a", "b"])
        }
    }

    @Test("After a commit that could not be revoked either, the log is emptied before the next save")
    func doubt() throws {
        try withStore { store in
            let suite = store.standard
            try suite.save("a")
            _ = try suite.pending.save(.event("lost"))
            // Neither the commit nor what revokes it can write then.
            try suite.write { try $0.execute(sql: "PRAGMA query_only = ON") }
            let error = #expect(throws: SuiteError.self) { try suite.commit() }
            #expect(error?.text.contains("the disk still fails") == true, "\(String(describing: error))")
            _ = try suite.read { try $0.execute(sql: "PRAGMA query_only = OFF") }

            let reader = try reader(of: store)
            #expect(throws: SuiteError.busy) { try suite.pending.save(.event("b")) }
            try reader.close()
            try suite.save("b")
            #expect(try suite.names() == ["a", "b"])
            #expect(size("\(store.folder)/standard.lock") == 0, "the next process has no doubt")
        }
    }

    @Test("After a commit that was revoked, a save need not wait for readers")
    func revoked() throws {
        try withStore { store in
            let suite = store.standard
            try suite.save("a")
            try suite.refuse("UPDATE ON main.counters")
            _ = try suite.pending.save(.event("lost"))
            let error = #expect(throws: SuiteError.self) { try suite.commit() }
            #expect(error?.text.contains("the disk still fails") == false, "\(String(describing: error))")
            let snapshot = try #require(try SuiteSnapshot(suite))
            try suite.refuseNothing()
            try suite.save("b")
            #expect(try suite.names() == ["a", "b"])
            #expect(try snapshot.total(.customEvent) == 1)
        }
    }

    /// A connection that reads the present state of a suite until it is closed.
    private func reader(of store: SuiteStore) throws -> DatabaseQueue {
        var configuration = GRDB.Configuration()
        configuration.allowsUnsafeTransactions = true
        let reader = try DatabaseQueue(path: store.path(), configuration: configuration)
        try reader.inDatabase { try $0.execute(sql: "BEGIN; SELECT count(*) FROM pending") }
        return reader
    }
}
