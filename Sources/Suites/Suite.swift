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
            throw SuiteError(error)
        }
    }

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

    /// Changes the suite within the open transaction.
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
            let isStillOpen = (try? file.access { $0.isInsideTransaction }) ?? false
            guard isStillOpen else {
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
                return try fetchTotals(db)
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
            _ = try file.access { try fetchTotals($0) }
        } catch {
            throw SuiteError(error)
        }
    }

    /// Reads the totals of the suite, and notes unfinished imports and their counts.
    ///
    /// One query reads both, because it is part of every transaction.
    private func fetchTotals(_ db: Database) throws -> Counters {
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
            counters.staged = Counters.Count(records: row.count(1), bytes: row.count(2))
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
        file.endWriting()
    }
}
