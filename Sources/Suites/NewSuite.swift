internal import CSystem
internal import GRDB
internal import Platform

extension SuiteFile {
    /// Makes an empty suite, which appears under its name when it is complete and on the disk; the caller must have locked
    /// the folder.
    ///
    /// SQLite writes the first page of a new file in its place. If a sync of that fails, a power loss may leave a file that
    /// is no database, which nobody could open again.
    static func make(_ path: String) throws(SuiteError) {
        let url = URL(filePath: path)
        let (folder, name) = (Self.folder(of: path), url.deletingPathExtension().lastPathComponent)
        TemporarySuite.removeLeftovers(of: name, in: folder)
        let temporary = try TemporarySuite(of: name, in: folder)
        do {
            let queue = try DatabaseQueue(path: temporary.path, configuration: configuration)
            try queue.inDatabase { db in
                // The file is synced as a whole.
                try db.execute(sql: "PRAGMA synchronous = OFF")
                try prepare(db, path: path)
            }
            try queue.close()
        } catch {
            throw SuiteError(error)
        }
        try temporary.sync()
        try removeRemains(of: path, in: folder)
        try temporary.rename(to: path)
    }

    /// Removes the files of a suite that was removed without them, which SQLite would read into the new one.
    private static func removeRemains(of path: String, in folder: String) throws(SuiteError) {
        var found = false
        for file in SuiteFile.companions.map({ path + $0 }) {
            if unlink(file) == 0 {
                found = true
            } else if errno != ENOENT {
                throw SuiteError(systemError: errno, doing: "remove \(file)")
            }
        }
        guard found else { return }
        do throws(SystemError) { try Folders.sync(folder) } catch {
            throw SuiteError(systemError: error.number, doing: "sync \(folder)")
        }
    }

    /// The endings of the files that SQLite keeps beside a database.
    fileprivate static let companions = ["-journal", "-wal", "-shm"]
}

/// A file beside the suites of a folder, for a suite that is not complete; it is locked, and removed in the end.
///
/// A file without a name would leave nothing if the process is killed, but SQLite opens files by their names.
final class TemporarySuite {
    let path: String
    private let descriptor: Int32

    /// Creates an empty file that only its owner may read.
    init(of name: some CustomStringConvertible, in folder: String) throws(SuiteError) {
        while true {
            let path = "\(folder)/\(Self.prefix(name))\(String(UInt64.random(in: 0...UInt64.max), radix: 36))"
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw SuiteError(systemError: errno, doing: "make a file in \(folder)") }
            var status = stat()
            var error = -csystem_lock(descriptor, 1, 0)
            if error == 0, fstat(descriptor, &status) != 0 { error = errno }
            if error == 0, status.st_nlink > 0 {
                (self.path, self.descriptor) = (path, descriptor)
                return
            }
            unlink(path)
            close(descriptor)
            // Another process may have taken it for a leftover before it was locked.
            guard error == 0 || error == EWOULDBLOCK else {
                throw SuiteError(systemError: error, doing: "lock \(path)")
            }
        }
    }

    /// Makes its content durable.
    func sync() throws(SuiteError) {
        guard fsync(descriptor) == 0 else { throw SuiteError(systemError: errno, doing: "sync \(path)") }
    }

    /// Gives it the name of a suite, which the folder's next sync makes durable.
    func rename(to path: String) throws(SuiteError) {
        guard Platform.rename(self.path, path) == 0 else { throw SuiteError(systemError: errno, doing: "make \(path)") }
    }

    deinit {
        for file in [path] + SuiteFile.companions.map({ path + $0 }) { unlink(file) }
        csystem_unlock(descriptor)
        close(descriptor)
    }

    /// How the names of these files of a suite begin.
    private static func prefix(_ name: some CustomStringConvertible) -> String { ".\(name).new-" }

    /// Removes the files of a suite whose processes were killed, which their locks tell.
    static func removeLeftovers(of name: some CustomStringConvertible, in folder: String) {
        let files = (try? Folders.names(in: folder)) ?? []
        for file in files where file.hasPrefix(prefix(name)) {
            let path = "\(folder)/\(file)"
            let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            guard descriptor >= 0 else { continue }
            if csystem_lock(descriptor, 1, 0) == 0 { unlink(path) }
            csystem_unlock(descriptor)
            close(descriptor)
        }
    }
}
