internal import GRDB
public import JSON
internal import Platform

/// A suite in numbers.
public struct SuiteSummary: Equatable, Sendable {
    /// The number of pending records.
    public let pending: Int64
    /// The number of dead letters.
    public let deadLetters: Int64
    /// The totals of every destination that the suite was flushed to, by name.
    public let deliveries: [DeliveryTotals]
    /// The number of pending records that may have been sent without a definite answer.
    public let possiblySent: Int64

    fileprivate init(_ suite: Suite) throws(SuiteError) {
        pending = try suite.pending.total(nil)
        deadLetters = try suite.deadLetters.total()
        deliveries = try suite.claims.deliveries()
        possiblySent = try suite.claims.possiblySentRecords()
    }
}

/// A summary that was read, and the files of the suite when they were read.
struct KnownSummary {
    fileprivate let files: Files
    fileprivate let summary: SuiteSummary

    /// The database and its log; as long as nobody commits anything, both stay as they are.
    fileprivate struct Files: Equatable {
        private let database: FileStamp
        /// Nil if the log is absent or empty: a process that only reads makes and removes an empty one.
        private let log: FileStamp?

        init?(_ path: String) {
            guard let database = FileStamp(of: path) else { return nil }
            self.database = database
            log = FileStamp(of: path + "-wal").flatMap { $0.size > 0 ? $0 : nil }
        }

        var isReliable: Bool { database.isReliable && log?.isReliable ?? true }
    }
}

extension SuiteStore {
    /// The numbers of a suite.
    ///
    /// The files of a suite are opened only if somebody changed them since the last call, and closed again if they were
    /// not open, so that a look at all suites closes no file that others use.
    ///
    /// - Parameter name: The suite.
    /// - Returns: The numbers, including the changes of the open transaction.
    /// - Throws: ``SuiteError`` when the suite cannot be read.
    public func summary(of name: SuiteName) throws(SuiteError) -> SuiteSummary {
        if let known = knownSummary(of: name) { return known }
        // Read before the suite, so that a change during or after that is noticed by the next call.
        let files = isChanging(name) ? nil : KnownSummary.Files(path(of: name))
        summaries[name] = nil
        let suite = suite(name)
        let wasOpen = suite.file != nil
        defer { if !wasOpen { suite.file = nil } }
        // Opens the file, whose lock is asked next.
        _ = try suite.read { _ in }
        // A commit is in the log before its sync, but readers see it only after that, without a further change of a file.
        let isSettled = files?.isReliable == true && suite.file?.hasNoWriter == true
        let summary = try SuiteSummary(suite)
        // Whether a claim is abandoned shows only in a lock, which no file shows.
        if let files, isSettled, try !suite.claims.exist() {
            summaries[name] = KnownSummary(files: files, summary: summary)
        }
        return summary
    }

    /// The numbers of a suite at the last look, if nobody has changed its files since; no file is opened.
    ///
    /// - Parameter name: The suite.
    /// - Returns: The numbers; nil if they are not known.
    public func knownSummary(of name: SuiteName) -> SuiteSummary? {
        guard !isChanging(name), let known = summaries[name], known.files == KnownSummary.Files(path(of: name)) else {
            return nil
        }
        return known.summary
    }
}

extension Suite {
    /// Opens another connection that only reads, and locks the file shared, as writers do; nil if the suite has no file.
    ///
    /// - Throws: ``SuiteError``; `busy` while another process checkpoints.
    func openReader() throws(SuiteError) -> (queue: DatabaseQueue, writersLock: FileLock)? {
        // The suite opens the file first, which fails if the file is not a suite.
        guard let path = try read({ try Suite.path($0) }) ?? nil else { return nil }
        let lock = try FileLock(path: String(path.dropLast("sqlite".count)) + "lock")
        guard try lock.acquire(.shared) else { throw .busy }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(0.05)
        configuration.allowsUnsafeTransactions = true
        configuration.foreignKeysEnabled = false
        do {
            return (try DatabaseQueue(path: path, configuration: configuration), lock)
        } catch {
            throw SuiteError(error)
        }
    }
}

/// A snapshot of a suite, read in pages while other connections change the suite.
public final class SuiteSnapshot {
    private let queue: DatabaseQueue
    /// Locked shared, as writers do: otherwise a checkpoint would wait for this reader, and writers for the checkpoint.
    private let writersLock: FileLock

    /// A snapshot of the committed state; nil if the suite has no file.
    ///
    /// - Parameter suite: The suite.
    /// - Throws: ``SuiteError``; `busy` while another process checkpoints.
    public init?(_ suite: Suite) throws(SuiteError) {
        guard let reader = try suite.openReader() else { return nil }
        (queue, writersLock) = reader
        do {
            try queue.inDatabase { db in
                try db.execute(sql: "BEGIN DEFERRED")
                // SQLite takes the snapshot at the first read.
                try suite.refuseWhileMerging(db)
            }
        } catch {
            throw SuiteError(error)
        }
    }

    /// The number of pending records of a kind.
    public func total(_ kind: RecordKind) throws(SuiteError) -> Int64 {
        try read { try Counters.fetch($0)[kind].records }
    }

    /// Pending records of a kind in order of their ids.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - after: Only records with greater ids.
    ///   - limit: The maximum number of records.
    ///   - damaged: Called for each row that cannot be read; the row is skipped.
    /// - Returns: The records.
    /// - Throws: ``SuiteError/unreadable(_:)`` when the file is damaged.
    public func records(
        _ kind: RecordKind,
        after: Int64,
        limit: Int64,
        damaged: (DamagedRecord) -> Void = { _ in }
    ) throws(SuiteError) -> [Record] {
        try read { db in
            try Record.fetch(db, kind, after: after, limit: limit, byteLimit: 64 << 10, onlyFree: false, damaged)
        }
    }

    /// Pending rows of unknown kinds, which reads by kind never return.
    public func recordsOfUnknownKind(limit: Int) throws(SuiteError) -> [DamagedRecord] {
        try read { try DamagedRecord.ofUnknownKind($0, limit: limit) }
    }

    /// Keys with their values, sorted by key.
    ///
    /// - Parameters:
    ///   - after: Only greater keys.
    ///   - limit: The maximum number of keys.
    /// - Returns: The pairs.
    /// - Throws: ``SuiteError/unreadable(_:)`` when the file is damaged.
    public func defaults(after: String?, limit: Int) throws(SuiteError) -> [(key: String, value: JSON)] {
        let rows = try read { db in
            try Row.fetchAll(db.cachedStatement(sql: Self.defaultsQuery(after: after)), arguments: [after, limit])
        }
        var pairs: [(key: String, value: JSON)] = []
        for row in rows { pairs.append((row.text(0) ?? "", try JSON(stored: row.text(1) ?? ""))) }
        return pairs
    }

    /// The query of a page of ``defaults(after:limit:)``.
    ///
    /// Two queries, because SQLite would not use the index if one said "?1 IS NULL OR key > ?1".
    static func defaultsQuery(after: String?) -> String {
        "SELECT key, value FROM defaults WHERE \(after == nil ? "?1 IS NULL" : "key > ?1") ORDER BY key LIMIT ?2"
    }

    private func read<Result>(_ body: (Database) throws -> Result) throws(SuiteError) -> Result {
        do {
            return try queue.inDatabase(body)
        } catch {
            throw SuiteError(error)
        }
    }
}

extension Suite {
    fileprivate static func path(_ db: Database) throws -> String? {
        try String.fetchOne(db, sql: "SELECT file FROM pragma_database_list WHERE name = 'main'")
    }
}
