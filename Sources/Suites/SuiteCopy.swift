internal import GRDB
internal import Platform
internal import Synchronization

/// A copy of a suite into another folder, made on any thread while any process uses the suite.
///
/// The copy has the same identity, and exactly what is committed when it begins. It appears under its name when it is
/// complete, checked and durable. What was deleted from the suite is not in it.
public final class SuiteCopy: Sendable {
    private let name: SuiteName
    private let folder: String
    private let queue: DatabaseQueue
    /// Locked shared, as writers do: otherwise a checkpoint would wait for this reader, and writers for the checkpoint.
    nonisolated(unsafe) private let writersLock: FileLock
    private let isCancelled = Atomic(false)

    /// A copy that is to be made.
    ///
    /// - Parameters:
    ///   - suite: The suite.
    ///   - folder: The folder that gets the copy, which is created if it is missing.
    /// - Throws: ``SuiteError``, also if the suite has no file; `busy` while another process checkpoints.
    public init(of suite: Suite, to folder: String) throws(SuiteError) {
        (name, self.folder) = (suite.name, folder)
        guard let reader = try suite.openReader() else {
            throw .unreadable("there is no suite \(suite.name) in \(suite.store.folder)")
        }
        (queue, writersLock) = reader
    }

    /// Makes the copy, and waits for the disk.
    ///
    /// - Returns: The number of pending records in the copy.
    /// - Throws: ``SuiteError``, also if there is something in the place of the copy, which is not replaced.
    public func make() throws(SuiteError) -> Int64 {
        let target = SuiteStore(folder: folder)
        try target.makeFolder()
        TemporarySuite.removeLeftovers(of: name, in: folder)
        let temporary = try TemporarySuite(of: name, in: folder)
        guard !isCancelled.load(ordering: .relaxed) else { throw .notStored("the copy was cancelled") }
        do {
            // It reads like any other reader: saves go on meanwhile, only logs are not emptied. The copy has no log.
            try queue.inDatabase { try $0.execute(sql: "VACUUM INTO ?", arguments: [temporary.path]) }
        } catch {
            throw SuiteError(error)
        }
        let pending = try Self.check(temporary.path)
        let path = target.path(of: name)
        try temporary.sync()
        try target.withFolderLocked { () throws(SuiteError) in
            try target.requireAbsent(name)
            try temporary.rename(to: path)
        }
        do throws(SystemError) { try Folders.sync(folder) } catch {
            throw SuiteError(systemError: error.number, doing: "sync \(folder)")
        }
        return pending
    }

    /// Lets the copy fail soon, and leave nothing, unless it is almost complete; may be called from another thread.
    public func cancel() {
        isCancelled.store(true, ordering: .relaxed)
        queue.interrupt()
    }

    /// Checks that a copy can be read as a whole, and returns the number of its pending records.
    private static func check(_ path: String) throws(SuiteError) -> Int64 {
        var configuration = Configuration()
        configuration.readonly = true
        do {
            return try DatabaseQueue(path: path, configuration: configuration).inDatabase { db in
                let found = try String.fetchOne(db, sql: "PRAGMA integrity_check") ?? "nothing"
                guard found == "ok" else { throw SuiteError.unreadable("its copy is damaged: \(found)") }
                return try Int64.fetchOne(db, sql: "SELECT sum(records) FROM counters WHERE kind <= 2") ?? 0
            }
        } catch {
            throw SuiteError(error)
        }
    }
}

extension SuiteStore {
    /// Throws an error if the folder has a file of the suite, or a suite whose name differs only in case.
    ///
    /// SQLite would read a log without its database into the database that is put beside it.
    public func requireAbsent(_ name: SuiteName) throws(SuiteError) {
        let path = path(of: name)
        for file in [path, path + "-wal", path + "-shm"] {
            if try Self.exists(file) { throw .notStored("\(file) exists, and a copy replaces nothing") }
        }
        try refuseOtherCase(name)
    }
}
