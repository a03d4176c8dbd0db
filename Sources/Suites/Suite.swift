internal import GRDB

/// One App Group's storage: defaults, pending records and dead letters in a file.
///
/// The first change since the last commit opens a transaction that stays open
/// until ``commit()``; reads outside a transaction are independent. A suite has no file
/// until something is saved in it; reading it then returns nothing.
///
/// - Important: Used by one thread.
public final class Suite {
    /// The suite's name.
    public let name: SuiteName
    let store: SuiteStore
    @exclusivity(unchecked) var file: SuiteFile?
    /// The numbers of the suite, as the open transaction sees them.
    @exclusivity(unchecked) var counters: SuiteCounters
    /// The idempotency keys of the open transaction.
    var keys = TransactionKeys()
    /// The statement that runs on the connection's thread.
    @exclusivity(unchecked) var background: Background?
    /// Why a read rolled the open transaction back; nil if none did.
    ///
    /// A read may have to write pages of the transaction to the log first. The caller of the read need not know that, but
    /// nothing may be added to what is left of the transaction.
    private var rollbackOfRead: SuiteError?

    init(name: SuiteName, store: SuiteStore) {
        self.name = name
        self.store = store
        counters = SuiteCounters(store.limits)
    }

    // MARK: Contents

    /// The pending records.
    public var pending: PendingRecords { PendingRecords(suite: self) }
    /// The saves with idempotency keys.
    public var repeatableSaves: RepeatableSaves { RepeatableSaves(suite: self) }
    /// The leases of callers.
    public var leases: Leases { Leases(suite: self) }
    /// The records that a flush sends.
    public var claims: Claims { Claims(suite: self) }
    /// The dead letters.
    public var deadLetters: DeadLetters { DeadLetters(suite: self) }
    /// The keys and values of applications.
    public var defaults: Defaults { Defaults(suite: self) }
    /// The remains of abandoned imports.
    public var imports: ImportSweep { ImportSweep(suite: self) }

    /// The limits of the suite.
    public var limits: SuiteLimits { store.limits }

    /// Whether changes wait for ``commit()``.
    public var isInTransaction: Bool { counters.changes != nil }

    /// Whether the suite has a file, created by this or any other process.
    public func exists() throws(SuiteError) -> Bool {
        if file != nil { return true }
        return try SuiteStore.exists(store.path(of: name))
    }

    // MARK: Access

    /// Reads from the suite, including the changes of the open transaction.
    ///
    /// - Returns: The body's result, or nil if the suite has no file.
    func read<Result>(_ body: (Database) throws -> Result) throws(SuiteError) -> Result? {
        try readFile { try $0.access(body) }
    }

    /// The identity of the suite's file, as 32 hexadecimal digits; nil if there is no file.
    ///
    /// It stays the same as long as the file exists. A copy of the file has the same identity.
    public func identity() throws(SuiteError) -> String? { try readFile { try $0.suiteIdentity() } }

    /// The hash of a text, which does not reveal it and differs from that of another suite; nil if there is no file.
    func digest(of text: String) throws(SuiteError) -> String? { try readFile { try $0.digest(of: text) } }

    private func readFile<Result>(_ body: (SuiteFile) throws -> Result) throws(SuiteError) -> Result? {
        requireForeground()
        guard let file = try openFile(create: false) else { return nil }
        do {
            return try body(file)
        } catch {
            let error = SuiteError(error)
            if isInTransaction, !isOpen(file) { rollbackOfRead = error }
            throw error
        }
    }

    /// Whether SQLite has a transaction of the file open.
    private func isOpen(_ file: SuiteFile) -> Bool { (try? file.access { $0.isInsideTransaction }) ?? false }

    /// Reads with several statements that all see the same state of the file.
    func readState<Result>(_ body: (Database) throws -> Result) throws(SuiteError) -> Result? {
        try read { db in
            guard !db.isInsideTransaction else { return try body(db) }
            try db.cachedStatement(sql: "BEGIN DEFERRED").execute()
            do {
                let result = try body(db)
                try db.cachedStatement(sql: "COMMIT").execute()
                return result
            } catch {
                if db.isInsideTransaction { try db.execute(sql: "ROLLBACK") }
                throw error
            }
        }
    }

    /// Like ``change(_:)``, for a body that needs only the database.
    ///
    /// The body must use a savepoint if it executes several statements.
    func write<Result>(_ body: (Database) throws -> Result) throws(SuiteError) -> Result {
        try change { file in try file.access(body) }
    }

    /// Changes the file within the open transaction, which this opens if necessary.
    func change<Result>(_ body: (SuiteFile) throws -> Result) throws(SuiteError) -> Result {
        let file = try fileInTransaction()
        do {
            return try body(file)
        } catch {
            // A full disk or an input/output error rolls back everything, not just the statement.
            guard isOpen(file) else {
                endTransaction(file)
                throw .transactionLost(SuiteError(error).text)
            }
            throw (error as? SuiteError) ?? .notStored(SuiteError(error).text)
        }
    }

    /// The file, in which a transaction is open.
    private func fileInTransaction() throws(SuiteError) -> SuiteFile {
        requireForeground()
        // `begin` checks under the lock that the file is in place, so it need not be checked before.
        if let file, try begin(file) { return file }
        guard let file = try openFile(create: true) else { throw .unreadable("the suite has no file") }
        guard try begin(file) else { throw .busy }
        return file
    }

    private func openFile(create: Bool) throws(SuiteError) -> SuiteFile? {
        // Saves to a file that was removed or replaced meanwhile would be lost.
        if let file, isInTransaction || file.isInPlace { return file }
        try closeDisplacedFile()
        file = try store.open(name, create: create)
        // A transaction, for which the file is created, notes them itself.
        if let file, !create { try noteUnfinishedImports(file) }
        return file
    }

    /// Closes the file after the database, its log or the log's index was removed or replaced; first moves committed
    /// data from the log to the database.
    ///
    /// - Returns: Whether the last commit is certainly in the database. It may be missing if another process has
    ///   meanwhile continued with a new index.
    @discardableResult
    func closeDisplacedFile() throws(SuiteError) -> Bool {
        guard let file, file.isDatabaseInPlace else {
            self.file = nil
            return false
        }
        let isAlone: Bool
        do {
            isAlone = try store.withFolderLocked { () throws(SuiteError) in
                guard !file.hasOtherIndex else {
                    file.keepLogOnClose()
                    return false
                }
                try file.rescueLog()
                return true
            }
        } catch SuiteError.busy {
            throw .busy
        } catch {
            throw .notStored("its log was removed and cannot be moved into its file: \(error.text)")
        }
        self.file = nil
        return isAlone
    }

    /// Throws `busy` while the defaults of a published import are being moved, since callers would see only some of
    /// them.
    func refuseWhileMerging(_ db: Database) throws {
        let statement = try db.cachedStatement(sql: "SELECT EXISTS (SELECT * FROM imports WHERE published)")
        guard try Bool.fetchOne(statement) ?? false else { return }
        store.addUnfinishedImport(self)
        throw SuiteError.busy
    }

    /// The totals, including the changes of the open transaction.
    func currentCounters() throws(SuiteError) -> Counters {
        isInTransaction ? counters.current : try read { try Counters.fetch($0) } ?? Counters()
    }

    // MARK: The transaction

    /// Begins a transaction, unless one is open.
    ///
    /// - Returns: Whether a transaction is open; false if the database, its log or the log's index was removed or
    ///   replaced.
    private func begin(_ file: SuiteFile) throws(SuiteError) -> Bool {
        if let rollbackOfRead {
            endTransaction(file)
            throw .transactionLost(rollbackOfRead.text)
        }
        guard !isInTransaction else { return true }
        try file.emptyDoubtfulLog()
        try file.syncName()
        guard try file.beginWriting() else { throw .busy }
        // Checked under the lock, so that no other process recovers the log at the same time.
        guard file.isInPlace else {
            file.endWriting()
            return false
        }
        do {
            let totals = try file.access { db in
                try db.cachedStatement(sql: "BEGIN IMMEDIATE").execute()
                return try readTotalsAndNoteImports(db)
            }
            counters.beginTransaction(totals)
            store.didBeginTransaction(self)
        } catch {
            file.rollback()
            file.endWriting()
            throw SuiteError(error)
        }
        return true
    }

    private func noteUnfinishedImports(_ file: SuiteFile) throws(SuiteError) {
        do {
            _ = try file.access { try readTotalsAndNoteImports($0) }
        } catch {
            throw SuiteError(error)
        }
    }

    /// Reads the totals of the suite, and notes unfinished imports and their counts.
    ///
    /// One query reads both, because it is part of every transaction.
    private func readTotalsAndNoteImports(_ db: Database) throws -> Counters {
        let statement = try db.cachedStatement(
            sql: """
                SELECT kind, records, bytes FROM counters
                UNION ALL SELECT NULL, sum(records), sum(bytes) FROM imports
                """
        )
        var totals = Counters()
        counters.staged = Counters.Count()
        let rows = try Row.fetchCursor(statement)
        while let row = try rows.next() {
            guard row.hasNull(atIndex: 0) else {
                totals.setTotal(from: row)
                continue
            }
            // The sum of no rows is NULL.
            guard !row.hasNull(atIndex: 1) else { continue }
            store.addUnfinishedImport(self)
            counters.staged = Counters.Count(records: row.amount(1), bytes: row.amount(2))
        }
        return totals
    }

    /// Discards every change since the last commit.
    public func rollback() {
        requireForeground()
        guard let file, isInTransaction else { return }
        file.rollback()
        endTransaction(file)
    }

    func endTransaction(_ file: SuiteFile) {
        counters.endTransaction()
        keys = TransactionKeys()
        rollbackOfRead = nil
        file.endWriting()
    }
}

/// The end of a transaction: on the caller's thread, or on the connection's own while the caller goes on.
extension Suite {
    /// The statement that runs on the connection's thread.
    enum Background {
        case commit(BackgroundStatement)
        case checkpoint(BackgroundStatement)
    }

    /// Whether a commit or a checkpoint runs on the connection's thread.
    var isInBackground: Bool { background != nil }

    // MARK: Commit

    /// Makes every change since the last commit durable; on return it survives a power loss.
    ///
    /// - Throws: ``SuiteError/transactionLost(_:)``; then no change since the last commit is in the suite.
    public func commit() throws(SuiteError) {
        requireForeground()
        guard let file, isInTransaction else { return }
        do {
            try prepareCommit(file)
            try file.access { try $0.cachedStatement(sql: "COMMIT").execute() }
        } catch {
            throw lost(error, file)
        }
        try concludeCommit(file)
    }

    /// Begins to make every change since the last commit durable, on the connection's thread.
    ///
    /// - Parameter onEnd: Called once, on any thread, when ``finishCommit()`` would not wait; not called if there is
    ///   nothing to commit.
    /// - Returns: Whether there is something to commit, so that ``finishCommit()`` must follow.
    /// - Throws: ``SuiteError/transactionLost(_:)``; then no change since the last commit is in the suite.
    public func beginCommit(onEnd: @escaping @Sendable () -> Void) throws(SuiteError) -> Bool {
        requireForeground()
        guard let file, isInTransaction else { return false }
        do {
            try prepareCommit(file)
        } catch {
            throw lost(error, file)
        }
        background = .commit(file.begin("COMMIT", onEnd: onEnd))
        return true
    }

    /// Ends the commit that was begun, and waits for it if necessary; on return the changes survive a power loss.
    ///
    /// - Throws: ``SuiteError/transactionLost(_:)``; then no change of that transaction is in the suite.
    public func finishCommit() throws(SuiteError) {
        guard case .commit(let statement)? = background, let file else { return }
        background = nil
        do {
            try statement.wait()
        } catch {
            throw lost(error, file)
        }
        try concludeCommit(file)
    }

    /// Makes sure that nothing runs on the connection's thread.
    ///
    /// Every use of the suite begins with this: between the beginning and the end of a commit or a checkpoint it would make
    /// the event loop wait for the disk.
    func requireForeground() {
        precondition(background == nil, "\(name) is used while a commit of it runs beside the event loop")
    }

    /// Writes what a transaction changed besides its records.
    private func prepareCommit(_ file: SuiteFile) throws {
        if let rollbackOfRead { throw rollbackOfRead }
        try file.access { db in
            try repeatableSaves.finishKeys(db)
            try counters.changes?.addToTotals(db)
        }
    }

    /// Rolls a transaction back that could not be committed, and makes sure that no later start finds it in the log.
    private func lost(_ error: any Error, _ file: SuiteFile) -> SuiteError {
        file.rollback()
        let text = SuiteError(error).text
        let isRevoked = file.revokeRefusedCommit(error)
        endTransaction(file)
        guard isRevoked else {
            return .transactionLost(
                "\(text); the disk still fails, so a power loss before the next change of the suite can bring this one back"
            )
        }
        return .transactionLost(text)
    }

    private func concludeCommit(_ file: SuiteFile) throws(SuiteError) {
        endTransaction(file)
        // If the log was removed, the commit is in a file without a name and would not survive this process.
        guard file.isInPlace else { return try rescueCommit(file) }
    }

    private func rescueCommit(_ file: SuiteFile) throws(SuiteError) {
        let isHere = file.isDatabaseInPlace
        let inUse = "its log was removed while another process used it"
        let isSafe: Bool
        do {
            isSafe = try closeDisplacedFile()
        } catch {
            throw .transactionLost(error == .busy ? inUse : error.text)
        }
        guard isSafe else { throw .transactionLost(isHere ? inUse : "the file was removed or replaced meanwhile") }
    }

    // MARK: Checkpoints

    /// Checkpoints the write-ahead log if it is large or the host is idle; an idle host also returns free space to the
    /// file system.
    ///
    /// - Parameters:
    ///   - isIdle: Whether the host has nothing else to do.
    ///   - isBetweenSlices: Whether a long job continues afterwards; then a smaller log is checkpointed at once.
    public func checkpoint(isIdle: Bool, isBetweenSlices: Bool = false) {
        requireForeground()
        guard let file, !isInTransaction else { return }
        // Another process may go on with a new index of the log, which must not be emptied then.
        guard file.isInPlace else {
            _ = try? closeDisplacedFile()
            return
        }
        let isVacuumed = isIdle && file.shrink()
        let size = file.logSize
        let limit = isBetweenSlices ? SuiteStore.sliceLogLimit : SuiteStore.logLimit
        if isVacuumed || size > limit || (isIdle && size > 0) || store.reserve.isReleased { file.checkpoint() }
        // At once, so that the next save cannot use this space.
        if store.reserve.isReleased { store.reserve.restore() }
    }

    /// Begins to checkpoint the write-ahead log on the connection's thread, if it is large.
    ///
    /// - Parameter onEnd: Called once, on any thread, when ``finishCheckpoint()`` would not wait; not called if the log is
    ///   not checkpointed.
    /// - Returns: Whether it is checkpointed, so that ``finishCheckpoint()`` should follow.
    public func beginCheckpoint(onEnd: @escaping @Sendable () -> Void) -> Bool {
        requireForeground()
        guard let file, !isInTransaction, file.logSize > SuiteStore.logLimit,
            let statement = file.beginCheckpoint(onEnd: onEnd)
        else { return false }
        background = .checkpoint(statement)
        return true
    }

    /// Ends the checkpoint that was begun; waits for it if necessary.
    public func finishCheckpoint() {
        guard case .checkpoint(let statement)? = background, let file else { return }
        background = nil
        // A log that is not checkpointed now is checkpointed after a later commit.
        _ = try? statement.wait()
        file.endWriting()
    }
}
