internal import Foundation
internal import GRDB

/// The folder of suites: one file a suite, opened when it is first needed.
///
/// - Important: Used by one thread.
public final class SuiteStore {
    /// Past this size of its write-ahead log a suite is checkpointed after a commit, in bytes.
    static let logLimit = 4 << 20
    /// The greatest number of files kept open.
    static let openLimit = 128

    /// The folder, as a path.
    public let folder: String
    /// How much each suite may hold.
    public let limits: SuiteLimits

    private var suites: [SuiteName: Suite] = [:]
    private var inTransaction: [Suite] = []

    /// A store; nothing is opened or made yet.
    ///
    /// - Parameters:
    ///   - folder: Where the files are; made when the first suite is.
    ///   - limits: How much each suite may hold.
    public init(folder: String, limits: SuiteLimits = SuiteLimits()) {
        self.folder = folder
        self.limits = limits
    }

    /// The version of the SQLite library that runs.
    public static let sqliteVersion: String = {
        let version = try? DatabaseQueue().inDatabase { try String.fetchOne($0, sql: "SELECT sqlite_version()") }
        return (version ?? nil) ?? "unknown"
    }()

    /// The suite of that name, whether it has a file or not.
    public func suite(_ name: SuiteName) -> Suite {
        if let suite = suites[name] { return suite }
        let suite = Suite(name: name, store: self)
        suites[name] = suite
        return suite
    }

    /// The suites that have a file, sorted by name.
    public func names() throws(SuiteError) -> [SuiteName] {
        guard try SuiteStore.exists(folder) else { return [] }
        let entries: [String]
        do {
            entries = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw .unreadable("cannot read the folder \(folder): \(error.localizedDescription)")
        }
        return entries.filter { $0.hasSuffix(".sqlite") }
            .compactMap { SuiteName(String($0.dropLast(".sqlite".count))) }
            .sorted { $0.text < $1.text }
    }

    /// Whether changes of any suite wait for a commit.
    public var hasTransactions: Bool { !inTransaction.isEmpty }

    /// The suites whose changes wait for a commit, in the order in which they were first changed.
    ///
    /// The caller commits each; the list begins anew.
    public func takeTransactions() -> [Suite] {
        defer { inTransaction.removeAll(keepingCapacity: true) }
        return inTransaction
    }

    /// Checkpoints what is large, or at a quiet moment all that is open.
    ///
    /// - Parameter isIdle: Whether nothing else is to be done now.
    public func checkpoint(isIdle: Bool) {
        for suite in suites.values { suite.checkpoint(isIdle: isIdle) }
    }

    /// Closes every file; nothing may be uncommitted.
    public func close() {
        checkpoint(isIdle: true)
        suites.removeAll()
        inTransaction.removeAll()
    }

    func opened(_ suite: Suite) { inTransaction.append(suite) }

    /// Opens a suite's file, and makes it where that is asked for.
    ///
    /// This happens under the folder's lock: two processes that open a new file
    /// at once would fail in each other's half-made schema, and might make two
    /// files whose names differ only in case.
    ///
    /// - Returns: The file; none where it is not there and not to be made.
    /// - Throws: ``SuiteError``; `busy` while another process holds the lock.
    func open(_ name: SuiteName, create: Bool) throws(SuiteError) -> SuiteFile? {
        let path = "\(folder)/\(name).sqlite"
        if try !Self.exists(path) {
            guard create else {
                try refuseOtherCase(name)
                return nil
            }
            try makeFolder()
        }
        return try withFolderLocked { () throws(SuiteError) in try openLocked(name, path) }
    }

    /// Does something while no process opens a suite of the folder.
    func withFolderLocked<Result>(_ body: () throws(SuiteError) -> Result) throws(SuiteError) -> Result {
        // Opened anew each time: the folder may have been removed and made again.
        let lock = try FileLock(path: "\(folder)/.lock")
        guard try lock.take(.exclusive) else { throw .busy }
        defer { lock.release() }
        return try body()
    }

    private func openLocked(_ name: SuiteName, _ path: String) throws(SuiteError) -> SuiteFile {
        if try !Self.exists(path) { try refuseOtherCase(name) }
        // Files are closed, suites stay: whoever holds one must not see another file than the next who asks.
        if suites.values.count(where: { $0.file != nil }) >= SuiteStore.openLimit {
            for suite in suites.values where !suite.isInTransaction { suite.file = nil }
        }
        return try SuiteFile(path: path)
    }

    /// Whether there is a file, or something else; what cannot be reached is an error, not nothing.
    private static func exists(_ path: String) throws(SuiteError) -> Bool {
        var status = stat()
        if lstat(path, &status) == 0 { return true }
        guard errno == ENOENT else { throw SuiteError(systemError: errno, doing: "reach \(path)") }
        return false
    }

    private func refuseOtherCase(_ name: SuiteName) throws(SuiteError) {
        if let other = try names().first(where: { $0.text.lowercased() == name.text.lowercased() }) {
            throw .nameTaken(other.text)
        }
    }

    /// Makes the folder and those above it that are missing; each is in the folder above it before anything is answered.
    private func makeFolder() throws(SuiteError) {
        var missing: [String] = []
        var path = folder
        while try !Self.exists(path) {
            missing.append(path)
            let parent = path.split(separator: "/").dropLast().joined(separator: "/")
            path = path.hasPrefix("/") ? "/\(parent)" : parent.isEmpty ? "." : parent
        }
        for path in missing.reversed() {
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
                throw .notStored("cannot make the folder \(path): \(String(cString: strerror(errno)))")
            }
        }
        // SQLite syncs the last one when it makes a log there.
        for path in missing { try Self.sync(parentOf: path) }
    }

    /// Makes the entry of a folder in the one above it survive a power loss.
    private static func sync(parentOf path: String) throws(SuiteError) {
        let parent = "\(path)/.."
        let descriptor = Foundation.open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SuiteError(systemError: errno, doing: "open \(parent)") }
        defer { Foundation.close(descriptor) }
        // Some file systems cannot sync a folder, and say so.
        guard fsync(descriptor) == 0 || errno == EINVAL else {
            throw SuiteError(systemError: errno, doing: "sync \(parent)")
        }
    }
}
