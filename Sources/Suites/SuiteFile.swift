internal import CSuites
internal import CSystem
internal import GRDB
internal import Platform

/// An open suite: its SQLite connection and the locks around it.
///
/// - Important: Used by one thread.
final class SuiteFile {
    /// "push" in ASCII: marks our files in the SQLite header.
    private static let applicationID = 0x7075_7368

    /// The number of descriptors needed to open a suite: the folder's lock, the suite's lock, SQLite's three files, and
    /// two that are closed again.
    static let descriptors: Int32 = 7

    /// A file beside the database.
    private struct Companion {
        let path: String
        let identity: FileStamp.Identity?

        init(path: String) {
            self.path = path
            identity = FileStamp(of: path)?.identity
        }
    }

    let path: String
    /// When it was opened, in nanoseconds of the monotonic clock.
    let opened = Clock.monotonicNanoseconds()
    private let identity: FileStamp.Identity
    /// The write-ahead log and its index, which SQLite keeps open as long as the connection.
    private let log: Companion
    private let index: Companion
    /// The folder of these files, and its stamp when they were last found in place.
    private let folder: String
    private var lastStamp: FileStamp?
    private let queue: DatabaseQueue
    private var insertStatement: InsertStatement?
    private var stagingStatements: StagingStatements?
    private var knownSecret: SipHash.Secret?
    /// Whether this object has not made the folder's entry of the log durable yet, whoever made the log.
    private var hasNewLog = true
    /// Whether the log may differ on the disk from what processes read, because its syncs failed.
    ///
    /// The next process must know it too: it would take what is in the kernel's memory for the end of the log, and append
    /// frames to it that a power loss makes unreadable.
    private var isLogInDoubt: Bool {
        get { writersLock.isMarked }
        set { writersLock.isMarked = newValue }
    }
    /// Writers lock it shared, a checkpoint exclusively.
    private let writersLock: FileLock

    /// Opens a suite, or creates it; the caller must have locked the folder.
    init(path: String) throws(SuiteError) {
        self.path = path
        folder = Self.folder(of: path)
        identity = try SuiteFile.createFile(path)
        writersLock = try FileLock(path: String(path.dropLast("sqlite".count)) + "lock")
        do {
            queue = try DatabaseQueue(path: path, configuration: SuiteFile.configuration)
            try queue.inDatabase { try SuiteFile.prepare($0, path: path) }
            if !writersLock.isMarked { try queue.inDatabase(SuiteFile.syncLog) }
        } catch {
            // To the next process a suite whose first syncs failed looks complete, and a log as if it were on the disk.
            if (error as? DatabaseError)?.resultCode == .SQLITE_IOERR { writersLock.isMarked = true }
            throw SuiteError(error)
        }
        log = Companion(path: path + "-wal")
        index = Companion(path: path + "-shm")
    }

    /// The folder of a file, without a slash at its end.
    static func folder(of path: String) -> String {
        let folder = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
        return folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    }

    static var configuration: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(0.05)
        // A transaction stays open over many accesses.
        configuration.allowsUnsafeTransactions = true
        configuration.foreignKeysEnabled = false
        return configuration
    }

    /// Creates the file, unless it exists, with mode 0600; SQLite creates its other files with the same mode.
    ///
    /// An existing file is not opened: to close it would end the locks of all connections of this process, by which other
    /// processes know that its log is used.
    private static func createFile(_ path: String) throws(SuiteError) -> FileStamp.Identity {
        var status = stat()
        if lstat(path, &status) != 0, errno == ENOENT { try make(path) }
        guard lstat(path, &status) == 0, Platform.access(path, R_OK | W_OK) == 0 else {
            throw SuiteError(systemError: errno, doing: "open \(path)")
        }
        guard status.st_mode & S_IFMT != S_IFLNK else { throw SuiteError(systemError: ELOOP, doing: "open \(path)") }
        return FileStamp(status).identity
    }

    static func prepare(_ db: Database, path: String) throws {
        let application = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") ?? 0
        if application == applicationID {
            guard version == Schema.version else {
                throw SuiteError.unreadable(
                    "\(path) has version \(version) of the file format, and this pushhost reads version \(Schema.version) "
                        + "only; use the pushhost that wrote it, or move the file away to start with an empty suite"
                )
            }
        } else if application != 0 || tables != 0 {
            throw SuiteError.unreadable("it is a SQLite file of another program")
        }
        if application != applicationID {
            try db.execute(
                sql: """
                    BEGIN IMMEDIATE;
                    \(Schema.tables)
                    PRAGMA application_id = \(applicationID);
                    PRAGMA user_version = \(Schema.version);
                    COMMIT
                    """
            )
        }
        // Read back: on file systems without shared memory SQLite stays in another mode.
        guard try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL") == "wal" else {
            throw SuiteError.unreadable("its file system does not allow SQLite's WAL mode")
        }
        // GRDB sets `synchronous` to NORMAL if it enables WAL mode itself, so it is set here, after the mode.
        try db.execute(sql: "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA wal_autocheckpoint = 0")
    }

    /// Makes durable what is in the log: the process that wrote it may have been killed before its sync ended, and what
    /// this one reads there and answers must survive a power loss.
    private static func syncLog(_ db: Database) throws {
        let result = csuites_sync_log(UnsafeMutableRawPointer(db.sqliteConnection))
        guard result == 0 else { throw DatabaseError(resultCode: ResultCode(rawValue: result)) }
    }

    /// Calls a closure with the connection.
    func access<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try queue.inDatabase(body)
    }

    /// The statement of every save, prepared on first use.
    func saveStatement() throws -> InsertStatement {
        if let insertStatement { return insertStatement }
        let statement = try access { try InsertStatement($0) }
        insertStatement = statement
        return statement
    }

    /// The identity of the suite: 32 hexadecimal digits that stay the same as long as the file, and that a copy shares.
    func suiteIdentity() throws -> String {
        // Derived from the secret, which it does not reveal.
        try digest(of: "identity")
    }

    /// The hash of a text under the file's secret, as 32 hexadecimal digits.
    func digest(of text: String) throws -> String {
        let secret = try secret()
        let (first, second) = Array(text.utf8).withUnsafeBytes { SipHash.hash($0, secret: secret) }
        return [first, second].map {
            let digits = String($0, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// The key of the fingerprints' hashes, read on first use.
    func secret() throws -> SipHash.Secret {
        if let knownSecret { return knownSecret }
        let bytes = try access { try Data.fetchOne($0, sql: "SELECT bytes FROM secret") }
        guard let secret = bytes.flatMap(SipHash.Secret.init) else {
            throw SuiteError.unreadable("it has lost the secret of its idempotency keys")
        }
        knownSecret = secret
        return secret
    }

    /// The statements of imports, prepared on first use.
    func importStatements() throws -> StagingStatements {
        if let stagingStatements { return stagingStatements }
        let statements = try access { try StagingStatements($0) }
        stagingStatements = statements
        return statements
    }

    deinit { (insertStatement, stagingStatements) = (nil, nil) }

    /// Makes the name of a new log durable, on which every commit depends.
    ///
    /// SQLite does it too, but ignores an error. The system may then have forgotten that the folder has changed, so that a
    /// later sync would not write it: it is changed again.
    func syncName() throws(SuiteError) {
        guard hasNewLog else { return }
        let change = open("\(folder)/.sync", O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if change >= 0 {
            close(change)
            unlink("\(folder)/.sync")
        }
        do throws(SystemError) {
            try Folders.sync(folder)
        } catch {
            throw SuiteError(systemError: error.number, doing: "sync \(folder)")
        }
        hasNewLog = false
    }

    /// Acquires the writers' lock; returns false while another process checkpoints.
    func beginWriting() throws(SuiteError) -> Bool { try writersLock.acquire(.shared) }

    func endWriting() { writersLock.release() }

    /// Whether no connection writes now; to be called outside of transactions.
    var hasNoWriter: Bool {
        guard (try? writersLock.acquire(.exclusive)) == true else { return false }
        writersLock.release()
        return true
    }

    /// Discards the open transaction, if there is one.
    func rollback() {
        _ = try? access { db in
            if db.isInsideTransaction { try db.execute(sql: "ROLLBACK") }
        }
    }

    /// Makes sure that a commit that failed never takes effect; the caller has the writers' lock.
    ///
    /// If the sync of the log fails, the refused transaction is in the log already, with its mark of a commit. A rollback
    /// forgets it in memory only, so the next process that recovers the log would find it. A transaction that changes
    /// nothing overwrites its first frame, which breaks the chain of checksums over the others.
    ///
    /// - Returns: Whether that is certain also after a power loss. Otherwise it is certain after a kill only, and
    ///   ``isLogInDoubt`` is set.
    func revokeRefusedCommit(_ error: any Error) -> Bool {
        switch (error as? DatabaseError)?.extendedResultCode {
        // The mark of the commit was not written; nil is an error before the commit.
        case nil, .SQLITE_FULL?, .SQLITE_IOERR_WRITE?, .SQLITE_BUSY?, .SQLITE_BUSY_SNAPSHOT?, .SQLITE_BUSY_RECOVERY?:
            return true
        default: break
        }
        // Before the attempt, which may take long on such a disk, so that a kill does not hide the doubt.
        isLogInDoubt = true
        do {
            try access { try $0.execute(sql: "PRAGMA user_version = \(Schema.version)") }
            isLogInDoubt = false
            return true
        } catch {
            return false
        }
    }

    /// Writes the log into the database after a sync of the log failed twice.
    ///
    /// After a failed sync the kernel may drop what it could not write, and report success next time. A frame that is
    /// appended to such a log could be lost although its own sync succeeded, so the log must begin again first.
    ///
    /// - Throws: An error while the disk still fails; ``SuiteError/busy`` while another process uses the log.
    func emptyDoubtfulLog() throws(SuiteError) {
        guard isLogInDoubt else { return }
        guard try writersLock.acquire(.exclusive) else { throw .busy }
        defer { writersLock.release() }
        do {
            let isBusy = try access { try Int.fetchOne($0, sql: SuiteFile.checkpointing) }
            guard isBusy == 0 else { throw SuiteError.busy }
        } catch {
            throw SuiteError(error)
        }
        isLogInDoubt = false
    }

    /// Checkpoints the write-ahead log, unless another process is writing.
    ///
    /// SQLite before 3.51.3 can corrupt a file when one connection writes while
    /// another checkpoints ("WAL-reset bug", sqlite.org/wal.html). Debian 12 ships
    /// 3.40, so the two never overlap here: writers lock it shared.
    func checkpoint() {
        guard (try? writersLock.acquire(.exclusive)) == true else { return }
        defer { writersLock.release() }
        _ = try? access { db in try db.execute(sql: SuiteFile.checkpointing) }
    }

    private static let checkpointing = "PRAGMA wal_checkpoint(TRUNCATE)"

    /// Begins a checkpoint on the connection's thread, unless another process is writing; ``endWriting()`` must follow.
    func beginCheckpoint(onEnd: @escaping @Sendable () -> Void) -> BackgroundStatement? {
        guard (try? writersLock.acquire(.exclusive)) == true else { return nil }
        return begin(SuiteFile.checkpointing, onEnd: onEnd)
    }

    /// Begins to execute a statement on the connection's thread.
    func begin(_ sql: String, onEnd: @escaping @Sendable () -> Void) -> BackgroundStatement {
        BackgroundStatement(queue, sql, onEnd: onEnd)
    }

    // MARK: Removed or replaced files

    /// Whether the database, its log and the log's index at their paths are still the files that were opened.
    ///
    /// SQLite removes them only with the last connection to the file, so they stay the same while this connection is
    /// open unless somebody else removes them.
    ///
    /// In most cases it suffices to check the folder: its time changes whenever an entry is added, removed or renamed.
    var isInPlace: Bool {
        let stamp = FileStamp(of: folder)
        if let stamp, stamp == lastStamp { return true }
        lastStamp = nil
        guard isLogInPlace && isInPlace(index) else { return false }
        // The stamp was read before the files were checked, so a change since then gives the folder another stamp.
        lastStamp = stamp.flatMap { $0.isReliable ? $0 : nil }
        return true
    }

    private var isLogInPlace: Bool { isDatabaseInPlace && isInPlace(log) }

    var isDatabaseInPlace: Bool { leads(path, to: identity) }

    /// The size of the write-ahead log in bytes.
    var logSize: Int { FileStamp(of: log.path).map { Int($0.size) } ?? 0 }

    private func isInPlace(_ companion: Companion) -> Bool { leads(companion.path, to: companion.identity) }

    /// Whether a path leads to a file that was opened.
    ///
    /// If the system cannot tell, as on a failing disk, nothing was removed as far as anybody knows: a commit is in the
    /// file, and must not be called lost.
    private func leads(_ path: String, to identity: FileStamp.Identity?) -> Bool {
        guard let stamp = FileStamp(of: path) else { return errno != ENOENT && errno != ENOTDIR }
        return stamp.identity == identity
    }

    /// Whether the log's index was removed and another process has created a new one.
    ///
    /// That process has read everything that was committed to the log before, and may have written to the log since.
    /// This connection uses the old index, so it must neither checkpoint the log nor remove it when it closes.
    var hasOtherIndex: Bool {
        let identity = FileStamp(of: index.path)?.identity
        return isLogInPlace && identity != nil && identity != index.identity
    }

    /// Leaves the log to the other connections when this one closes.
    func keepLogOnClose() {
        _ = try? access { db in csuites_keep_log_on_close(UnsafeMutableRawPointer(db.sqliteConnection)) }
    }

    /// Checkpoints the log after the log or its index was removed or replaced.
    ///
    /// This connection still has its log open, which a newly started process cannot find. Afterwards the file must be
    /// opened again, since this connection would write to a log that has no name. Another process that has the old log
    /// open finds it empty and does the same. The caller must have locked the folder, so that no process opens the file.
    ///
    /// - Throws: ``SuiteError/busy`` while another process is writing, or an error if the database cannot be written.
    func rescueLog() throws(SuiteError) {
        guard try writersLock.acquire(.exclusive) else { throw .busy }
        defer { writersLock.release() }
        let isEmpty: Bool
        do {
            isEmpty = try access { db in
                let frames = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(PASSIVE)")?[1] as Int?
                let isBusy = try Int.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
                guard isBusy == 0 else { throw SuiteError.busy }
                return frames == 0
            }
        } catch {
            throw SuiteError(error)
        }
        guard !isEmpty else {
            // Another process has rescued the log already, and uses the log that is at the path now.
            keepLogOnClose()
            return
        }
        // A log that somebody put in its place is now older than the database, or is not a log at all; SQLite must not
        // read it. A remaining file of the old pair would not match a new one.
        for companion in [log, index] { unlink(companion.path) }
    }
}

extension SuiteFile {
    /// The number of free pages of 4 KiB that a file keeps for the next saves.
    private static let freePageLimit = 256
    /// The maximum number of used pages for which a file is vacuumed: 4 MiB, which takes a few milliseconds.
    private static let usedPageLimit = 1_024

    /// Returns free space to the file system if few pages are in use, unless another process checkpoints the file.
    ///
    /// SQLite's `auto_vacuum` would also return space while many pages are in use, but it would slow down every save by
    /// 5 % of SQLite's time (measured), and a suite is small after a flush.
    ///
    /// - Returns: Whether a vacuum was attempted. The log then has the smaller database, or a part of it if the disk
    ///   is full; the next checkpoint empties the log.
    func shrink() -> Bool {
        guard (try? beginWriting()) == true else { return false }
        defer { endWriting() }
        var isTried = false
        do {
            try access { db in
                let free = try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
                guard free > Self.freePageLimit else { return }
                let used = (try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0) - free
                guard used <= Self.usedPageLimit, used < free else { return }
                isTried = true
                // Records must not be copied to a temporary file elsewhere.
                try db.execute(sql: "PRAGMA temp_store = MEMORY; VACUUM")
            }
        } catch {
            _ = revokeRefusedCommit(error)
        }
        return isTried
    }
}

/// A statement that SQLite executes on the thread of its connection's queue, while the host's thread goes on.
///
/// Every other use of the connection waits for its end, because the queue runs one block after the other.
final class BackgroundStatement: @unchecked Sendable {
    private let queue: DatabaseQueue
    // Written in the queue's block, and read only after a later block of the same queue has run.
    private var failure: (any Error)?

    /// Begins to execute a statement without parameters; `onEnd` is called once on another thread.
    init(_ queue: DatabaseQueue, _ sql: String, onEnd: @escaping @Sendable () -> Void) {
        self.queue = queue
        queue.asyncWriteWithoutTransaction { [self] db in
            do { try db.cachedStatement(sql: sql).execute() } catch { failure = error }
            onEnd()
        }
    }

    /// Waits for the end of the statement, and throws its error.
    func wait() throws {
        queue.inDatabase { _ in }
        if let failure { throw failure }
    }
}
