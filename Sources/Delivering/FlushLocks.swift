internal import Delivery
internal import Logging
internal import Platform
internal import Suites

/// The flush locks of suites, and the recovery of batches that were unanswered when their host died.
struct FlushLocks {
    /// The records that a dead host was delivering.
    struct Recovery {
        /// How many records it may have sent.
        var possiblySent: Int64 = 0
        /// The records that became dead letters.
        var deadLetters: [Int64] = []
    }

    private let clock: Clock
    private let logger: Logger
    /// Locks that are kept until the open transaction of the suite ends.
    private var kept: [SuiteName: FlushLock] = [:]

    init(clock: Clock, logger: Logger) {
        self.clock = clock
        self.logger = logger
    }

    /// Acquires the lock of a suite, and settles the batches that were unanswered when their host died.
    ///
    /// - Throws: ``SuiteError/beingFlushed`` while another process flushes the suite.
    func acquire(
        _ suite: Suite,
        isIdempotent: (String) -> Bool
    ) throws(SuiteError) -> (lock: FlushLock, recovery: Recovery) {
        // The flush before this one has settled everything in the open transaction.
        if let lock = kept[suite.name] { return (lock, Recovery()) }
        guard let lock = try suite.lockFlush() else { throw .beingFlushed }
        var recovery = Recovery()
        for abandoned in try suite.claims.abandonedClaims() {
            let settlement = AmbiguousDelivery.settlement(
                of: abandoned.records,
                isIdempotent: isIdempotent(abandoned.destination)
            )
            let now = clock.wallTime()
            try suite.claims.settle(abandoned.claim, settlement, destination: abandoned.destination, now: now)
            recovery.possiblySent += settlement.possiblySent
            recovery.deadLetters += settlement.deadLetters.map(\.id)
            guard settlement.possiblySent > 0 else { continue }
            logger.notice(
                "\(suite.name): a host ended while \(settlement.possiblySent) records were on their way to \(abandoned.destination)"
            )
        }
        return (lock, recovery)
    }

    /// Keeps a lock until the open transaction of the suite ends; without a transaction there is nothing to protect.
    mutating func keep(_ lock: FlushLock, of suite: Suite) {
        if suite.isInTransaction { kept[suite.name] = lock }
    }

    /// Releases a kept lock after the transaction ended.
    mutating func release(_ suite: SuiteName) { kept[suite] = nil }
}
