internal import GRDB
internal import Platform

extension Suite {
    /// Copies the suite into the folder of another store, while any process uses it; the copy has the same identity.
    ///
    /// The copy has exactly what is committed when it begins. It appears under its name when it is complete, checked and
    /// durable. What was deleted from the suite is not in it.
    ///
    /// - Parameter target: The store whose folder gets the copy; the folder is created if it is missing.
    /// - Returns: The number of pending records in the copy.
    /// - Throws: ``SuiteError``, also if there is something in the place of the copy, which is not replaced.
    public func copy(to target: SuiteStore) throws(SuiteError) -> Int64 {
        try target.makeFolder()
        // A file without a name would leave nothing if the process is killed, but SQLite opens files by their names.
        let (temporary, descriptor) = try target.makeTemporaryFile(for: name)
        defer {
            close(descriptor)
            unlink(temporary)
        }
        // It reads like any other reader: saves go on meanwhile, only logs are not emptied. The copy has no log.
        let isCopied: Void? = try read { try $0.execute(sql: "VACUUM INTO ?", arguments: [temporary]) }
        guard isCopied != nil else { throw .unreadable("there is no suite \(name) in \(store.folder)") }
        let pending = try Self.checkCopy(temporary)
        let path = target.path(of: name)
        guard fsync(descriptor) == 0 else { throw SuiteError(systemError: errno, doing: "sync \(temporary)") }
        try target.withFolderLocked { () throws(SuiteError) in
            try target.requireAbsent(name)
            guard rename(temporary, path) == 0 else { throw SuiteError(systemError: errno, doing: "make \(path)") }
        }
        do throws(SystemError) { try Folders.sync(target.folder) } catch {
            throw SuiteError(systemError: error.number, doing: "sync \(target.folder)")
        }
        return pending
    }

    /// Checks that a copy can be read as a whole, and returns the number of its pending records.
    private static func checkCopy(_ path: String) throws(SuiteError) -> Int64 {
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

    /// Creates an empty file that only its owner may read, beside the suites.
    fileprivate func makeTemporaryFile(for name: SuiteName) throws(SuiteError) -> (path: String, descriptor: Int32) {
        var template = Array("\(folder)/.\(name).copy-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw SuiteError(systemError: errno, doing: "make a file in \(folder)") }
        return (String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self), descriptor)
    }
}
