internal import GRDB

/// How much a suite may hold.
public struct SuiteLimits: Sendable {
    /// The maximum number of pending records.
    public var records: Int64
    /// The maximum size of their names, values and users, and of the keys and values of `store`, in bytes.
    public var bytes: Int64
    /// The maximum size of one record's value in bytes.
    public var valueBytes: Int
    /// How many of the newest idempotency keys are kept regardless of their age.
    public var idempotencyKeys: Int64
    /// How long a key is kept regardless of how many are newer, in milliseconds.
    public var idempotencyTime: Int64

    /// Limits for a suite.
    public init(
        records: Int64 = 10_000_000,
        bytes: Int64 = 4 << 30,
        valueBytes: Int = .max,
        idempotencyKeys: Int64 = .max,
        idempotencyTime: Int64 = .max
    ) {
        self.records = records
        self.bytes = bytes
        self.valueBytes = valueBytes
        self.idempotencyKeys = idempotencyKeys
        self.idempotencyTime = idempotencyTime
    }
}

/// One App Group's storage: defaults, pending records and dead letters in a file.
///
/// The first change since the last commit opens a transaction that stays open
/// until ``commit()``; reads outside of a transaction are independent. A suite that was never
/// saved to has no file, and reads of it are empty.
///
/// - Important: Used by one thread.
public final class Suite {
    /// The suite's name.
    public let name: SuiteName
    let store: SuiteStore
    var file: SuiteFile?
    /// The changes of the open transaction to the counters; nil if none is open.
    var changes: Counters?
    /// The totals at the start of the open transaction.
    var totals = Counters()
    /// The room that unfinished imports take, as the open transaction knows it.
    var stagedRecords: Int64 = 0
    var stagedBytes: Int64 = 0
    /// The idempotency keys of the open transaction.
    var keys = TransactionKeys()
    /// Whether the defaults of an import are being moved to the others.
    var isMerging = false

    init(name: SuiteName, store: SuiteStore) {
        self.name = name
        self.store = store
    }

    /// How much the suite may hold.
    public var limits: SuiteLimits { store.limits }

    /// Whether changes wait for ``commit()``.
    public var isInTransaction: Bool { changes != nil }

    /// Whether the suite has a file: something was saved to it once, by any process.
    public func exists() throws(SuiteError) -> Bool {
        if file != nil { return true }
        return try SuiteStore.exists(store.path(of: name))
    }

    // MARK: Access

    /// Reads; in an open transaction its changes are seen.
    ///
    /// - Returns: The body's result, or nil if the suite has no file.
    func read<Result>(_ body: (Database) throws -> Result) throws(SuiteError) -> Result? {
        guard let file = try openFile(create: false) else { return nil }
        do {
            return try file.access(body)
        } catch {
            throw SuiteError(error)
        }
    }

    /// Changes the suite within the turn's transaction: by one statement, or by several in a savepoint of their own.
    func write<Result>(_ body: (Database) throws -> Result) throws(SuiteError) -> Result {
        try change { file in try file.access(body) }
    }

    /// Changes the file within the turn's transaction.
    func change<Result>(_ body: (SuiteFile) throws -> Result) throws(SuiteError) -> Result {
        let file = try fileInTransaction()
        do {
            return try body(file)
        } catch {
            // A full disk or an input/output error rolls back everything, not just the statement.
            let stands = (try? file.access { $0.isInsideTransaction }) ?? false
            guard stands else {
                end(file)
                throw .transactionLost(SuiteError(error).text)
            }
            throw (error as? SuiteError) ?? .notStored(SuiteError(error).text)
        }
    }

    /// The file, in which a transaction is open.
    private func fileInTransaction() throws(SuiteError) -> SuiteFile {
        // Its place is looked at under the lock, and so only once.
        if let file, try begin(file) { return file }
        guard let file = try openFile(create: true) else { throw .unreadable("the suite has no file") }
        guard try begin(file) else { throw .busy }
        return file
    }

    private func openFile(create: Bool) throws(SuiteError) -> SuiteFile? {
        // Saves to a file that was removed or replaced meanwhile would be lost.
        if let file, changes != nil || file.isInPlace { return file }
        try leaveFile()
        file = try store.open(name, create: create)
        if let file {
            do {
                _ = try file.access { try fetchTotals($0) }
            } catch {
                throw SuiteError(error)
            }
        }
        return file
    }

    /// Closes the file after a part of it was removed or replaced; committed data is saved first.
    ///
    /// - Returns: Whether what was committed last is there too: not certainly where another process went on without
    ///   this one.
    @discardableResult
    private func leaveFile() throws(SuiteError) -> Bool {
        guard let file, file.isDatabaseInPlace else {
            self.file = nil
            return false
        }
        let isAlone: Bool
        do {
            isAlone = try store.withFolderLocked { () throws(SuiteError) in
                guard !file.hasOtherIndex else {
                    file.leaveLog()
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

    // MARK: The transaction

    /// Begins the turn's transaction, unless it is open.
    ///
    /// - Returns: Whether it is; false if a part of the file was removed or replaced.
    private func begin(_ file: SuiteFile) throws(SuiteError) -> Bool {
        guard changes == nil else { return true }
        guard try file.beginWriting() else { throw .busy }
        // Checked under the lock, so that no other process recovers the log at the same time.
        guard file.isInPlace else {
            file.endWriting()
            return false
        }
        do {
            totals = try file.access { db in
                try db.cachedStatement(sql: "BEGIN IMMEDIATE").execute()
                return try fetchTotals(db)
            }
            changes = Counters()
            store.opened(self)
        } catch {
            file.rollback()
            file.endWriting()
            throw SuiteError(error)
        }
        return true
    }

    /// Makes every change since the last commit durable; on return it survives a power loss.
    ///
    /// - Throws: ``SuiteError/transactionLost(_:)``: nothing since the last commit is in the suite.
    public func commit() throws(SuiteError) {
        guard let file, isInTransaction else { return }
        do {
            try file.access { db in
                try finishKeys(db)
                try changes?.add(db)
                try db.cachedStatement(sql: "COMMIT").execute()
            }
        } catch {
            file.rollback()
            end(file)
            throw .transactionLost(SuiteError(error).text)
        }
        end(file)
        // In a log without a name it would not survive this process.
        guard file.isInPlace else { return try moveCommitted(file) }
    }

    private func moveCommitted(_ file: SuiteFile) throws(SuiteError) {
        let isHere = file.isDatabaseInPlace
        let inUse = "its log was removed while another process used it"
        let isSafe: Bool
        do {
            isSafe = try leaveFile()
        } catch {
            throw .transactionLost(error == .busy ? inUse : error.text)
        }
        guard isSafe else { throw .transactionLost(isHere ? inUse : "the file was removed or replaced meanwhile") }
    }

    /// Forgets every change since the last commit.
    public func rollback() {
        guard let file, changes != nil else { return }
        file.rollback()
        end(file)
    }

    private func end(_ file: SuiteFile) {
        changes = nil
        keys = TransactionKeys()
        file.endWriting()
    }

    // MARK: The file

    /// Moves the write-ahead log into the database once it is large, or at a quiet moment, when freed space goes back too.
    ///
    /// - Parameters:
    ///   - isIdle: Whether there is nothing else to do.
    ///   - isBetweenSlices: Whether a long job continues afterwards; then a smaller log is checkpointed at once.
    public func checkpoint(isIdle: Bool, isBetweenSlices: Bool = false) {
        guard let file, changes == nil else { return }
        guard !isIdle || file.isInPlace else {
            _ = try? leaveFile()
            return
        }
        let isVacuumed = isIdle && file.shrink()
        let size = file.logSize
        let limit = isBetweenSlices ? SuiteStore.sliceLogLimit : SuiteStore.logLimit
        if isVacuumed || size > limit || (isIdle && size > 0) || store.reserve.isReleased { file.checkpoint() }
        // At once: the next save must not have that room.
        if store.reserve.isReleased { store.reserve.restore() }
    }

    /// SQLite's own word on a setting of this connection, for tests.
    public func pragma(_ name: String) throws(SuiteError) -> String? {
        try read { try String.fetchOne($0, sql: "SELECT * FROM pragma_\(name)") } ?? nil
    }
}

extension SuiteFile {
    func rollback() {
        _ = try? access { db in
            if db.isInsideTransaction { try db.execute(sql: "ROLLBACK") }
        }
    }
}
