import Foundation
import GRDB
import JSON
import TestSupport
import Testing

@testable import Suites

@Testing.Suite(.waits) struct LockTests {
    /// A process that holds a lock on a file until its stdin ends.
    private func holder(_ path: String, _ operation: String = "LOCK_EX") throws -> ChildProcess {
        let script = """
            import fcntl, sys
            file = open(sys.argv[1], 'a')
            fcntl.flock(file, fcntl.\(operation))
            print('held', flush=True)
            sys.stdin.read()
            """
        let child = try python(script, path)
        #expect(try child.readLine() == "held", "\(child.standardError)")
        return child
    }

    private func release(_ child: ChildProcess) throws {
        child.closeInput()
        #expect(try child.wait() == .code(0))
    }

    @Test(
        "While another process creates or opens a suite, opening it fails as busy; later it succeeds",
        arguments: ["LOCK_EX", "LOCK_SH"]
    )
    func creation(operation: String) throws {
        try withTemporaryDirectory { folder in
            let suite = SuiteStore(folder: folder).standard
            let other = try holder("\(folder)/.lock", operation)
            #expect(throws: SuiteError.busy) { try suite.pending.save(.event("a")) }
            #expect(try suite.all().isEmpty)
            try release(other)
            try suite.save("a")
            #expect(try suite.names() == ["a"])
        }
    }

    @Test("A suite that this process opens again keeps its log, when another process that used it ends")
    func reopening() throws {
        try withTemporaryDirectory { folder in
            let (first, second) = (SuiteStore(folder: folder), SuiteStore(folder: folder))
            try first.standard.save("a")
            #expect(try second.standard.names() == ["a"])
            // SQLite removes the log when its last user ends, which the locks of the others tell.
            let script = """
                import sqlite3, sys
                connection = sqlite3.connect(sys.argv[1])
                connection.execute('SELECT count(*) FROM sqlite_master').fetchone()
                connection.close()
                """
            let other = try python(script, first.path())
            #expect(try other.wait() == .code(0), "\(other.standardError)")
            #expect(FileManager.default.fileExists(atPath: first.path() + "-wal"))
            try first.standard.save("b")
            #expect(try second.standard.names() == ["a", "b"])
        }
    }

    @Test("While another process checkpoints, writing fails as busy, and reading succeeds")
    func checkpointing() throws {
        try withStore { store in
            try store.standard.save("a")
            let other = try holder("\(store.folder)/standard.lock")
            #expect(throws: SuiteError.busy) { try store.standard.pending.save(.event("b")) }
            #expect(!store.standard.isInTransaction)
            #expect(try store.standard.names() == ["a"])
            try release(other)
            try store.standard.save("b")
            #expect(try store.standard.names() == ["a", "b"])
        }
    }

    @Test("Another process that writes blocks writing only during its transactions")
    func writer() throws {
        try withStore { store in
            try store.standard.save("a")
            let other = try holder("\(store.folder)/standard.lock", "LOCK_SH")
            try store.standard.save("b")
            try release(other)
            #expect(try store.standard.names() == ["a", "b"])
        }
    }

    @Test("During a transaction of another connection, writing fails as busy, and reading sees the last commit")
    func transaction() throws {
        try withStore { store in
            try store.standard.save("a")
            let other = SuiteStore(folder: store.folder).standard
            _ = try other.pending.save(.event("b"))
            #expect(throws: SuiteError.busy) { try store.standard.pending.save(.event("c")) }
            #expect(throws: SuiteError.busy) { try store.standard.defaults.store(1, forKey: "k") }
            #expect(!store.standard.isInTransaction)
            #expect(try store.standard.names() == ["a"])
            #expect(try store.standard.pending.total(nil) == 1)
            try other.commit()
            try store.standard.save("c")
            #expect(try other.names() == ["a", "b", "c"])
        }
    }

    @Test("After a read that failed, the suite's later changes are seen")
    func failedRead() throws {
        struct Failure: Error {}
        try withStore { store in
            try store.standard.save("a")
            #expect(throws: SuiteError.self) { try store.standard.readState { _ in throw Failure() } }
            #expect(try store.standard.names() == ["a"])
            try SuiteStore(folder: store.folder).standard.save("b")
            #expect(try store.standard.names() == ["a", "b"])
        }
    }

    @Test("If the file of a lock cannot be opened, the error names it")
    func foreignFile() throws {
        try withTemporaryDirectory { folder in
            let suite = SuiteStore(folder: folder).standard
            try suite.save("a")
            // Nobody follows a link to a file of somebody else.
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/standard.flush",
                withDestinationPath: "\(folder)/other"
            )
            let error = #expect(throws: SuiteError.self) { _ = try suite.lockFlush() }
            #expect("\(try #require(error))".contains("cannot open \(folder)/standard.flush"), "\(error as Any)")
            #expect(!FileManager.default.fileExists(atPath: "\(folder)/other"))
        }
    }

    @Test("A lock ends with its holder, also while a process that is being started has a copy of the descriptor")
    func copiedDescriptor() throws {
        try withStore { store in
            let suite = store.standard
            try suite.save("a")
            let path = "\(store.folder)/standard.flush"
            var lock = try suite.lockFlush()
            #expect(lock != nil)
            let copy = dup(try #require(descriptors(of: path).first))
            defer { close(copy) }
            lock = nil
            #expect(descriptors(of: path) == [copy])
            #expect(try suite.lockFlush() != nil)
        }
    }

    @Test("A lock that the system refuses, although nobody has it, is an error and not a lock of somebody else")
    func refusedLock() throws {
        try withTemporaryDirectory { folder in
            let path = "\(folder)/lock"
            let lock = try FileLock(path: path)
            let own = try #require(descriptors(of: path).first)
            // O_PATH, which Swift does not import: a descriptor that can have no lock.
            let place = open(folder, 0o10_000_000)
            defer { close(place) }
            #expect(dup2(place, own) == own)
            let error = #expect(throws: SuiteError.self) { try lock.acquire(.exclusive) }
            #expect(error?.text.hasPrefix("cannot lock a suite: ") == true, "\(String(describing: error))")
        }
    }

    @Test("A mark on the file of a lock is there for the next process, until it is removed")
    func mark() throws {
        try withTemporaryDirectory { folder in
            let lock = try FileLock(path: "\(folder)/lock")
            #expect(!lock.isMarked)
            for isMarked in [true, true, false] {
                lock.isMarked = isMarked
                let next = try FileLock(path: "\(folder)/lock")
                #expect(next.isMarked == isMarked)
            }
        }
    }

    @Test(
        "An error of the system means that nothing could be stored if the disk is to blame",
        arguments: [ENOSPC, EDQUOT, EFBIG, EIO, EROFS, EACCES, ELOOP]
    )
    func systemErrors(number: Int32) {
        let text = "cannot open it: \(String(cString: strerror(number)))"
        let expected: SuiteError = [EACCES, ELOOP].contains(number) ? .unreadable(text) : .notStored(text)
        #expect(SuiteError(systemError: number, doing: "open it") == expected)
    }

    @Test("Without a free descriptor the error is about the limit, whether of the process or of the system")
    func descriptorErrors() {
        for number in [EMFILE, ENFILE] {
            guard case .tooManyFiles = SuiteError(systemError: number, doing: "open it") else {
                Issue.record("\(number) is not about the limit")
                continue
            }
        }
    }

    @Test("While another process checkpoints, no snapshot and no copy begins")
    func readers() throws {
        try withStore { store in
            try store.standard.save("a")
            let other = try FileLock(path: "\(store.folder)/standard.lock")
            #expect(try other.acquire(.exclusive))
            #expect(throws: SuiteError.busy) { _ = try SuiteSnapshot(store.standard) }
            #expect(throws: SuiteError.busy) { _ = try SuiteCopy(of: store.standard, to: "\(store.folder)/copy") }
            other.release()
            #expect(try SuiteSnapshot(store.standard) != nil)
        }
    }

    @Test("A snapshot whose end is the last use of a suite leaves the log as it is, since it has no lock to empty it")
    func lastReader() throws {
        try withStore { store in
            try store.standard.save("a")
            var snapshot = try SuiteSnapshot(store.standard)
            store.close()
            let log = size(store.path() + "-wal")
            #expect(log > 0)
            #expect(try snapshot?.total(.customEvent) == 1)
            snapshot = nil
            #expect(size(store.path() + "-wal") == log)
            #expect(try store.standard.names() == ["a"])
        }
    }

    @Test("A process that exits during a transaction leaves no changes and no lock")
    func death() throws {
        try withStore { store in
            try store.standard.save("a")
            let script = """
                import sqlite3, sys
                connection = sqlite3.connect(sys.argv[1], isolation_level=None)
                connection.execute('BEGIN IMMEDIATE')
                connection.execute("INSERT INTO pending (kind, name, time) VALUES (0, 'lost', 0)")
                print('held', flush=True)
                sys.stdin.read()
                """
            let other = try python(script, store.path())
            #expect(try other.readLine() == "held", "\(other.standardError)")
            #expect(throws: SuiteError.busy) { try store.standard.pending.save(.event("b")) }
            other.kill(9)
            #expect(try other.wait() == .signal(9))
            try store.standard.save("b")
            #expect(try store.standard.names() == ["a", "b"])
        }
    }

    @Test("A read that ended before the last row does not keep the suite's later changes from being seen")
    func earlyEnd() throws {
        try withStore { store in
            try store.standard.save("a", "b")
            let first = try store.standard.claims.deliverable(1...Int64.max, limit: 1, byteLimit: .max)
            #expect(first.map(\.name) == ["a"])
            try SuiteStore(folder: store.folder).standard.save("c")
            #expect(try store.standard.names() == ["a", "b", "c"])
        }
    }

    /// Whether nobody has a lock at the moment.
    private func isFree(_ path: String) throws -> Bool { try FileLock(path: path).acquire(.exclusive) }

    @Test("A transaction that cannot begin keeps no lock")
    func failedBeginning() throws {
        try withStore { store in
            try store.standard.save("a")
            func rename(_ table: String, to other: String) throws {
                try DatabaseQueue(path: store.path()).write {
                    try $0.execute(sql: "ALTER TABLE \(table) RENAME TO \(other)")
                }
            }
            // The transaction has begun when this is missed.
            try rename("imports", to: "elsewhere")
            #expect(throws: SuiteError.self) { try store.standard.pending.save(.event("b")) }
            #expect(!store.standard.isInTransaction)
            #expect(try isFree("\(store.folder)/standard.lock"))
            try rename("elsewhere", to: "imports")
            try store.standard.save("c")
            #expect(try store.standard.names() == ["a", "c"])
        }
    }

    @Test("A suite whose log was removed, and which cannot be opened again at the moment, keeps no lock")
    func failedReopening() throws {
        try withStore { store in
            try store.standard.save("a")
            try FileManager.default.removeItem(atPath: store.path() + "-wal")
            let opening = try FileLock(path: "\(store.folder)/.lock")
            #expect(try opening.acquire(.exclusive))
            #expect(throws: SuiteError.busy) { try store.standard.pending.save(.event("b")) }
            #expect(try isFree("\(store.folder)/standard.lock"))
            opening.release()
            try store.standard.save("c")
            #expect(try store.standard.names() == ["a", "c"])
        }
    }
}
