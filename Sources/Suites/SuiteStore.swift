internal import CSystem
internal import Foundation
internal import GRDB
internal import Platform

/// The folder of suites: one file a suite, opened when it is first needed.
///
/// - Important: Used by one thread.
public final class SuiteStore {
    /// Past this size of its write-ahead log a suite is checkpointed after a commit, in bytes.
    static let logLimit = 4 << 20
    /// The limit between two slices of a long job: nothing else is served during a checkpoint.
    static let sliceLogLimit = 1 << 20
    /// The greatest number of files kept open.
    static let openLimit = 128

    /// The folder, as a path.
    public let folder: String
    /// How much each suite may hold.
    public let limits: SuiteLimits

    private var suites: [SuiteName: Suite] = [:]
    private var inTransaction: [Suite] = []
    private var unfinished: [SuiteName: Suite] = [:]
    let reserve: Reserve

    /// A store; nothing is opened or made yet.
    ///
    /// - Parameters:
    ///   - folder: Where the files are; made when the first suite is.
    ///   - limits: How much each suite may hold.
    public init(folder: String, limits: SuiteLimits = SuiteLimits()) {
        self.folder = folder
        self.limits = limits
        reserve = Reserve(folder: folder)
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
        try makeRoom(for: 1)
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

    /// Whether so many suites keep their files open for a commit that it should not wait for the end of the turn.
    public var isCrowded: Bool { inTransaction.count >= SuiteStore.openLimit }

    /// The suites with uncommitted changes, in the order of their first change.
    ///
    /// The caller must commit each of them; the list is reset.
    public func takeTransactions() -> [Suite] {
        defer { inTransaction.removeAll(keepingCapacity: true) }
        return inTransaction
    }

    /// Checkpoints what is large, or at a quiet moment all that is open.
    ///
    /// - Parameter isIdle: Whether there is nothing else to do.
    public func checkpoint(isIdle: Bool) {
        for suite in suites.values { suite.checkpoint(isIdle: isIdle) }
        if isIdle, suites.values.contains(where: { $0.file != nil }) { reserve.restore() }
    }

    /// Closes every file; nothing may be uncommitted.
    public func close() {
        checkpoint(isIdle: true)
        suites.removeAll()
        unfinished.removeAll()
        inTransaction.removeAll()
    }

    /// The suites in which unfinished imports were seen, of this process, another one or one that died; the list
    /// begins anew.
    public func takeUnfinishedImports() -> [Suite] {
        guard !unfinished.isEmpty else { return [] }
        defer { unfinished.removeAll() }
        return unfinished.values.sorted { $0.name.text < $1.name.text }
    }

    func noteUnfinishedImport(_ suite: Suite) { unfinished[suite.name] = suite }

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
        let path = path(of: name)
        if try !Self.exists(path) {
            guard create else {
                try refuseOtherCase(name)
                return nil
            }
            try makeFolder()
        }
        try makeRoom(for: SuiteFile.descriptors)
        return try withFolderLocked { () throws(SuiteError) in try openLocked(name, path) }
    }

    /// Does something while no process opens a suite of the folder.
    func withFolderLocked<Result>(_ body: () throws(SuiteError) -> Result) throws(SuiteError) -> Result {
        // Opened each time: the folder may have been removed and created again.
        let lock = try FileLock(path: "\(folder)/.lock")
        guard try lock.take(.exclusive) else { throw .busy }
        defer { lock.release() }
        return try body()
    }

    private func openLocked(_ name: SuiteName, _ path: String) throws(SuiteError) -> SuiteFile {
        if try !Self.exists(path) { try refuseOtherCase(name) }
        do throws(SuiteError) {
            return try SuiteFile(path: path)
        } catch {
            // SQLite needs some room only to look into a file.
            guard !reserve.isReleased, reserve.release() else { throw error }
            return try SuiteFile(path: path)
        }
    }

    /// Where a suite's file is, or would be.
    func path(of name: SuiteName) -> String { "\(folder)/\(name).sqlite" }

    /// Sees to it that there are descriptors for what is to be opened: SQLite must not meet the limit half way.
    ///
    /// - Throws: ``SuiteError/tooManyFiles(limit:)``; where ``hasTransactions``, a commit makes room.
    private func makeRoom(for count: Int32) throws(SuiteError) {
        let open = suites.values.count { $0.file != nil }
        guard open >= SuiteStore.openLimit || csystem_can_open(count) == 0 else { return }
        // Files are closed but `Suite` objects stay, so that all users of a suite share one object.
        for suite in suites.values where !suite.isInTransaction { suite.file = nil }
        guard csystem_can_open(count) == 1 else { throw .tooManyFiles }
    }

    /// Whether there is a file, or something else; what cannot be reached is an error, not nothing.
    static func exists(_ path: String) throws(SuiteError) -> Bool {
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
        do throws(SystemError) {
            try Folders.sync(parent)
        } catch {
            throw SuiteError(systemError: error.number, doing: "sync \(parent)")
        }
    }
}
