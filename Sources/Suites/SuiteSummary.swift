internal import GRDB
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
        let summary = try SuiteSummary(suite)
        // Whether a claim is abandoned shows only in a lock, which no file shows.
        if let files, files.isReliable, try !suite.claims.exist() {
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
