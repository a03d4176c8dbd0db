internal import CSuites
internal import CSystem
internal import Dispatch
internal import GRDB
internal import JSON
internal import Platform
internal import Synchronization

/// A folder of suites, with one file for each suite, which is opened on first use.
///
/// - Important: Used by one thread.
public final class SuiteStore {
    /// The size of a write-ahead log in bytes above which it is checkpointed after a commit.
    static let logLimit = 4 << 20
    /// The same limit between two slices of a long job; it is lower because a checkpoint blocks all other calls.
    static let sliceLogLimit = 1 << 20
    /// The maximum number of suites whose files are kept open.
    static let openLimit = 128

    /// The folder, as a path.
    public let folder: String
    /// The limits of each suite.
    public let limits: SuiteLimits

    /// The number of suites at which those are forgotten first that nothing uses.
    private static let forgettingCount = 4 * openLimit

    private var suites: [SuiteName: Suite] = [:]
    private var forgettingCount = SuiteStore.forgettingCount
    private var inTransaction: [Suite] = []
    private var withUnfinishedImports: [SuiteName: Suite] = [:]
    /// The numbers of suites when they were last read, for ``summary(of:)``.
    var summaries: [SuiteName: KnownSummary] = [:]
    let reserve: Reserve
    /// Whether this object has made the folder's entry durable, whoever made the folder.
    private var isFolderDurable = false

    /// A store; opens and creates nothing yet.
    ///
    /// - Parameters:
    ///   - folder: The folder of the files; created with the first suite.
    ///   - limits: The limits of each suite.
    public init(folder: String, limits: SuiteLimits = SuiteLimits()) {
        self.folder = folder
        self.limits = limits
        reserve = Reserve(folder: folder)
    }

    /// Lets SQLite take and give back memory with other functions than malloc and free; must be called before a store is
    /// made.
    ///
    /// - Parameters:
    ///   - allocate: Returns a block of at least that many bytes, or NULL.
    ///   - free: Takes a block back; does nothing for NULL.
    ///   - size: Returns the number of bytes that fit in a block.
    /// - Returns: Whether SQLite accepted the functions; false if it is in use already.
    @discardableResult
    public static func useMemory(
        allocate: @escaping @convention(c) (Int) -> UnsafeMutableRawPointer?,
        free: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void,
        size: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Int
    ) -> Bool {
        csuites_use_memory(allocate, free, size) == 0
    }

    /// The version of the loaded SQLite library.
    public static let sqliteVersion: String = {
        try? prepareDispatch()
        let version = try? DatabaseQueue().inDatabase { try String.fetchOne($0, sql: "SELECT sqlite_version()") }
        return (version ?? nil) ?? "unknown"
    }()

    /// The version of the file format of suites.
    public static var schemaVersion: Int { Schema.version }

    /// The suite with that name, whether or not it has a file.
    public func suite(_ name: SuiteName) -> Suite {
        if let suite = suites[name] { return suite }
        if suites.count >= forgettingCount { forgetUnused() }
        let suite = Suite(name: name, store: self)
        suites[name] = suite
        return suite
    }

    /// Whether the suite has changes that are not committed, or not yet.
    func isChanging(_ name: SuiteName) -> Bool {
        suites[name].map { $0.isInTransaction || $0.isInBackground } ?? false
    }

    /// Forgets suites that have no open file and that nobody else refers to, such as names that were only asked for.
    private func forgetUnused() {
        for name in Array(suites.keys) where suites[name]?.file == nil {
            // In a variable, because the dictionary's reference counts too.
            var suite = suites.removeValue(forKey: name)
            if suite != nil, !isKnownUniquelyReferenced(&suite) { suites[name] = suite }
        }
        // So that the search costs little for each suite, whatever remains.
        forgettingCount = max(Self.forgettingCount, 2 * suites.count)
    }

    /// The suites that have a file, sorted by name.
    public func names() throws(SuiteError) -> [SuiteName] {
        guard try SuiteStore.exists(folder) else { return [] }
        try makeRoom(for: 1)
        let entries: [String]
        do throws(SystemError) {
            entries = try Folders.names(in: folder)
        } catch {
            throw .unreadable("cannot read the folder \(folder): \(error)")
        }
        return entries.filter { $0.hasSuffix(".sqlite") }
            .compactMap { SuiteName(String($0.dropLast(".sqlite".count))) }
            .sorted { $0.text < $1.text }
    }

    /// Whether changes of any suite wait for a commit.
    public var hasTransactions: Bool { !inTransaction.isEmpty }

    /// Whether the space that is reserved on the disk is in use, for deletions on a full disk.
    public var isReserveReleased: Bool { reserve.isReleased }

    /// Whether so many suites have open transactions, and thus open files, that they should be committed now instead of
    /// at the end of the event loop's iteration.
    public var isCrowded: Bool { inTransaction.count >= SuiteStore.openLimit }

    /// The suites with uncommitted changes, in the order of their first change.
    ///
    /// The caller must commit each of them; the list is reset.
    public func drainTransactions() -> [Suite] {
        defer { inTransaction.removeAll(keepingCapacity: true) }
        return inTransaction
    }

    /// Checkpoints suites with large logs, or all open suites if the host is idle.
    ///
    /// - Parameter isIdle: Whether the host has nothing else to do.
    public func checkpoint(isIdle: Bool) {
        for suite in suites.values { suite.checkpoint(isIdle: isIdle) }
        if isIdle, suites.values.contains(where: { $0.file != nil }) { reserve.restore() }
    }

    /// Closes every file; there must be no uncommitted changes.
    public func close() {
        checkpoint(isIdle: true)
        suites.removeAll()
        withUnfinishedImports.removeAll()
        inTransaction.removeAll()
    }

    /// Whether ``drainUnfinishedImports()`` returns any.
    public var hasUnfinishedImports: Bool { !withUnfinishedImports.isEmpty }

    /// The suites in which unfinished imports of any process, alive or dead, were seen since the last call; the list is
    /// reset.
    public func drainUnfinishedImports() -> [Suite] {
        guard !withUnfinishedImports.isEmpty else { return [] }
        defer { withUnfinishedImports.removeAll() }
        return withUnfinishedImports.values.sorted { $0.name.text < $1.name.text }
    }

    func addUnfinishedImport(_ suite: Suite) { withUnfinishedImports[suite.name] = suite }

    /// Notes that a suite has an open transaction, again if its last one was lost since the list was reset.
    func didBeginTransaction(_ suite: Suite) {
        if !inTransaction.contains(where: { $0 === suite }) { inTransaction.append(suite) }
    }

    /// Opens a suite's file, and creates it first if `create` is set.
    ///
    /// This happens under the folder's lock: two processes that open a new file
    /// at once would fail in each other's incomplete schema, and might create two
    /// files whose names differ only in case.
    ///
    /// - Returns: The file; nil if it does not exist and `create` is not set.
    /// - Throws: ``SuiteError``; `busy` while another process has the lock.
    func open(_ name: SuiteName, create: Bool) throws(SuiteError) -> SuiteFile? {
        let path = path(of: name)
        if try !Self.exists(path) {
            guard create else {
                try refuseOtherCase(name)
                return nil
            }
            try makeFolder()
        }
        try Self.prepareDispatch()
        try makeRoom(for: SuiteFile.descriptors)
        return try withFolderLocked { () throws(SuiteError) in try openLocked(name, path) }
    }

    /// Runs a closure while no process opens a suite of the folder.
    func withFolderLocked<Result>(_ body: () throws(SuiteError) -> Result) throws(SuiteError) -> Result {
        // Opened each time: the folder may have been removed and created again.
        let lock = try FileLock(path: "\(folder)/.lock")
        guard try lock.acquire(.exclusive) else { throw .busy }
        defer { lock.release() }
        return try body()
    }

    private func openLocked(_ name: SuiteName, _ path: String) throws(SuiteError) -> SuiteFile {
        if try !Self.exists(path) { try refuseOtherCase(name) }
        do throws(SuiteError) {
            return try SuiteFile(path: path)
        } catch {
            // SQLite needs some disk space even to read a file.
            guard !reserve.isReleased, reserve.releaseIfFull() else { throw error }
            return try SuiteFile(path: path)
        }
    }

    /// The path of a suite's file, whether or not it exists.
    func path(of name: SuiteName) -> String { "\(folder)/\(name).sqlite" }

    /// Ensures that enough descriptors are free, closing suites if necessary: SQLite must not reach the limit halfway.
    ///
    /// - Throws: ``SuiteError/tooManyFiles(limit:)``. If ``hasTransactions`` is true, a commit frees descriptors.
    private func makeRoom(for count: Int32) throws(SuiteError) {
        let open = suites.values.count { $0.file != nil }
        guard open >= SuiteStore.openLimit || csystem_can_open(count) == 0 else { return }
        // Files are closed but `Suite` objects stay, so that all users of a suite share one object. The ones that were opened
        // first are closed, and no more than necessary.
        let closable = suites.values.filter { $0.file != nil && !$0.isInTransaction && !$0.isInBackground }
        for suite in closable.sorted(by: { ($0.file?.opened ?? 0) < ($1.file?.opened ?? 0) }) {
            // Otherwise SQLite would remove, on closing, a log that another process uses.
            if suite.file?.isInPlace == true { suite.file = nil } else { _ = try? suite.closeDisplacedFile() }
            if csystem_can_open(count) == 1 { return }
        }
        guard csystem_can_open(count) == 1 else { throw .tooManyFilesNow }
    }

    /// Whether something exists at the path; throws if that cannot be determined.
    static func exists(_ path: String) throws(SuiteError) -> Bool {
        var status = stat()
        if lstat(path, &status) == 0 { return true }
        guard errno == ENOENT else { throw SuiteError(systemError: errno, doing: "reach \(path)") }
        return false
    }

    func refuseOtherCase(_ name: SuiteName) throws(SuiteError) {
        if let other = try names().first(where: { $0.text.lowercased() == name.text.lowercased() }) {
            throw .nameTaken(other.text)
        }
    }

    /// Creates the folder and its missing parents, each durable before the next one, and before any save is acknowledged.
    func makeFolder() throws(SuiteError) {
        var missing: [String] = []
        var path = folder
        while try !Self.exists(path) {
            missing.append(path)
            let parent = path.split(separator: "/").dropLast().joined(separator: "/")
            path = path.hasPrefix("/") ? "/\(parent)" : parent.isEmpty ? "." : parent
        }
        guard !isFolderDurable || !missing.isEmpty else { return }
        // Whoever made the folder that is there may have died, or may have failed to sync it.
        try Self.sync(parentOf: path)
        for path in missing.reversed() {
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
                throw .notStored("cannot make the folder \(path): \(String(cString: strerror(errno)))")
            }
            do throws(SuiteError) {
                try Self.sync(parentOf: path)
            } catch {
                // The system may have forgotten that the parent has changed, so that a later sync would not write it. A
                // new folder changes it again.
                rmdir(path)
                throw error
            }
        }
        isFolderDurable = true
    }

    /// Makes a folder's entry in its parent durable.
    private static func sync(parentOf path: String) throws(SuiteError) {
        let parent = "\(path)/.."
        do throws(SystemError) {
            try Folders.sync(parent)
        } catch {
            throw SuiteError(systemError: error.number, doing: "sync \(parent)")
        }
    }
}

extension SuiteStore {
    /// The descriptors that are kept open for libdispatch.
    private static let placeholders = Mutex<[Int32]>([])

    /// Keeps as many descriptors open as libdispatch needs, until the first suite is opened.
    ///
    /// GRDB uses libdispatch, which on Linux opens descriptors when the first connection is closed, and terminates the
    /// process if it cannot: one for events, one to wake the thread that waits for events, and one for timers. A host that
    /// opens no suite does without, and so without libdispatch's threads, which take long to start.
    public static func reserveDescriptors() {
        #if os(Linux)
        placeholders.withLock { placeholders in
            placeholders = (0..<3).map { _ in fcntl(0, F_DUPFD_CLOEXEC, 3) }.filter { $0 >= 0 }
        }
        #endif
    }

    private static let isDispatchReady = Mutex(false)

    /// Starts libdispatch, unless it has started; must be called before the first connection is made, while no other
    /// thread opens descriptors.
    ///
    /// - Throws: That this process may start no threads, for which libdispatch would wait without a word.
    static func prepareDispatch() throws(SuiteError) {
        try isDispatchReady.withLock { isReady throws(SuiteError) in
            guard !isReady else { return }
            let error = csystem_try_threads()
            let doing = "start threads, which ulimit -u, ulimit -s or a container limits"
            guard error == 0 else { throw SuiteError(systemError: error, doing: doing) }
            openDescriptors()
            isReady = true
        }
    }

    /// Makes libdispatch open its descriptors now, in place of those that were kept.
    private static func openDescriptors() {
        let reserved = placeholders.withLock(\.self)
        guard let last = reserved.max() else { return }
        // A new descriptor gets the lowest free number, so libdispatch has as many as were kept when as many are open.
        let open = { (0...last).count { fcntl($0, F_GETFD) >= 0 } }
        let wanted = open()
        for descriptor in reserved { Platform.close(descriptor) }
        // It has the one for timers only once a timer was not due at once; on a busy system that takes several.
        for _ in 0..<20 where open() < wanted {
            let isReady = DispatchSemaphore(value: 0)
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { isReady.signal() }
            isReady.wait()
        }
    }
}

/// The name of a suite, in the form of an App Group identifier; safe as a file name.
public struct SuiteName: Hashable, Sendable, CustomStringConvertible {
    /// The name, compared exactly.
    public let text: String

    /// The suite for clients that do not name one.
    public static let standard = SuiteName(unchecked: "standard")

    /// The rule for names, for error messages.
    public static let rule = SuiteNameForm.rule

    private init(unchecked text: String) { self.text = text }

    /// A name; nil if the text breaks ``rule``.
    public init?(_ text: String) {
        guard SuiteNameForm.matches(text) else { return nil }
        self.text = text
    }

    /// Whether the name has these bytes.
    public func isEqual(to bytes: UnsafeRawBufferPointer) -> Bool {
        text.isEqual(to: bytes)
    }

    /// The name itself.
    public var description: String { text }
}
