internal import Configuration
internal import Delivery
internal import Logging
internal import Platform
internal import Suites

/// The owner of a feed.
protocol SourceFeedDelegate: AnyObject {
    /// The source has answered a pull; returns how the records are handled.
    func feed(_ feed: SourceFeed, didPull reply: PullReply) -> SourceFeed.Admission

    /// Something happened that concerns the flush of the records.
    func feed(_ feed: SourceFeed, didReport event: Flush.Event)
}

/// Pulls records from a source into a ``SourceQueue``, and lets the source store what became of them.
///
/// Times are milliseconds of the monotonic clock.
final class SourceFeed {
    /// The pause after a pull whose answer came at once without records, since the source does not wait.
    private static let emptyPause: Int64 = 1_000
    /// The longest pause before a source that fails is asked again, in milliseconds: its outage ends without a word.
    private static let longestPause: Int64 = 5_000
    /// How the source is asked again to store what became of records.
    private static let storing = RetryPolicy(base: 100, limit: 5_000, patience: .max)

    /// How pulled records are handled.
    struct Admission {
        /// Whether they are delivered; otherwise they are given back.
        var isOpen: Bool
        /// Whether the destination is idempotent.
        var isIdempotent: Bool
    }

    let queue = SourceQueue()
    weak var delegate: (any SourceFeedDelegate)?
    /// Whether the source hands out records.
    private(set) var isUp = false
    /// Why the source hands out no records; nil if it does.
    private(set) var problem: String?
    /// Why the source did not begin the last batch; nil if it did.
    private(set) var refusal: String?
    /// The number of records that were taken back, or lost when the source's process ended.
    private(set) var lost: Int64 = 0
    /// The number of records that became dead letters without being sent.
    private(set) var rejected: Int64 = 0
    /// The number of pulled records that may have been sent before.
    private(set) var ambiguous: Int64 = 0

    private let source: any RecordSource
    private let settings: RelaySettings
    private let logger: Logger
    /// Distinguishes the processes of the source: an answer of an earlier one means nothing.
    private var generation = 0
    private var isPulling = false
    private var isStoring = false
    /// The records that were revoked while a pull was under way, whose answer may have them.
    private var revokedWhilePulling: Set<Int64> = []
    private var pullRetry: Retry
    private var storeRetry: Retry
    /// When a source that does not wait for records is asked again.
    private var nextPull: Int64?
    /// When the first of consecutive settlements failed.
    private var firstFailure: Int64?

    init(
        _ source: any RecordSource,
        _ settings: RelaySettings,
        retry: RetryPolicy,
        seed: UInt64?,
        logger: Logger
    ) {
        self.source = source
        self.settings = settings
        self.logger = logger
        pullRetry = Retry(
            RetryPolicy(base: retry.base, limit: min(retry.limit, Self.longestPause), patience: .max),
            seed: seed
        )
        storeRetry = Retry(Self.storing, seed: seed)
    }

    /// When ``expire()`` is due, given whether records may be pulled then.
    func deadline(mayPull: Bool) -> Int64? {
        var next = Int64.max
        if mayPull, !isPulling { next = min(pullRetry.nextTry ?? .max, nextPull ?? .max) }
        if queue.hasOutcomes, !isStoring { next = min(next, storeRetry.nextTry ?? .max) }
        return next == .max ? nil : next
    }

    /// Ends the pauses that are over.
    func expire() {
        let now = Clock.monotonic()
        pullRetry.endPauseIfOver(at: now)
        storeRetry.endPauseIfOver(at: now)
        if let nextPull, nextPull <= now { self.nextPull = nil }
    }

    /// Whether this host keeps no record, and the source has stored what became of all.
    var isEmpty: Bool { queue.kept.isEmpty && !queue.hasOutcomes }

    /// Whether the source has stored nothing for so long.
    func hasFailed(for patience: Int64) -> Bool { firstFailure.map { Clock.monotonic() - $0 >= patience } ?? false }

    // MARK: Pull

    /// Pulls records, if nothing speaks against it; returns whether a pull began.
    func pull(limit: Int) -> Bool {
        guard !isPulling, nextPull == nil, pullRetry.nextTry == nil else { return false }
        isPulling = true
        let start = Clock.monotonic()
        source.pull(limit: limit, wait: settings.pullWait) { [weak self, generation] result in
            guard let self, generation == self.generation else { return }
            isPulling = false
            switch result {
            case .success(let reply): pulled(reply, after: Clock.monotonic() - start)
            case .failure(let failure): failed(failure)
            }
        }
        return true
    }

    private func pulled(_ reply: PullReply, after time: Int64) {
        let revoked = revokedWhilePulling
        revokedWhilePulling = []
        pullRetry.startOver()
        (isUp, problem) = (true, nil)
        guard let admission = delegate?.feed(self, didPull: reply) else { return }
        var dead = reply.unreadable
        var records: [StoredRecord] = []
        var returned: [Int64] = []
        // A record that was taken back comes again later, so none behind it in this answer may overtake it.
        var givesBack = !admission.isOpen
        for record in reply.records {
            if record.possiblySent > 0 { ambiguous += 1 }
            givesBack = givesBack || revoked.contains(record.id)
            if givesBack {
                returned.append(record.id)
            } else if let reason = AmbiguousDelivery.deadLetterReason(for: record, isIdempotent: admission.isIdempotent)
            {
                dead.append((record.id, reason))
            } else {
                records.append(record)
            }
        }
        guard queue.add(records, dead: dead, returned: returned) else {
            source.end()
            let text = "it handed out a record that the relay holds already"
            return failed(SourceFailure(problem: text, isGone: true))
        }
        rejected += Int64(dead.count)
        if reply.records.isEmpty && dead.isEmpty {
            // The source answered before the time was over, so it is not asked again at once.
            if time < settings.pullWait / 2 { nextPull = Clock.monotonic() + Self.emptyPause }
        } else {
            delegate?.feed(self, didReport: .available)
        }
    }

    /// The source failed; if its process is gone, what it had handed out belongs to nobody and comes again.
    func failed(_ failure: SourceFailure) {
        if failure.isGone || problem != failure.problem {
            logger.warning("the source \(settings.source) failed: \(failure.problem)")
        }
        (isUp, problem) = (false, failure.problem)
        let now = Clock.monotonic()
        pullRetry.endPauseIfOver(at: now)
        pullRetry.fail(at: now, pause: failure.retryAfter)
        guard failure.isGone else { return }
        generation += 1
        (isPulling, isStoring, revokedWhilePulling) = (false, false, [])
        storeRetry.startOver()
        (firstFailure, refusal) = (nil, nil)
        let (records, claims) = queue.clear()
        stopSending(records)
        delegate?.feed(self, didReport: .settlementsDurable(of: claims))
    }

    /// Ends the process of the source, so that what is being sent counts as possibly sent.
    func endSource() { source.end() }

    // MARK: Sending

    /// Lets the source store that records may be sent, if it must and may now.
    ///
    /// - Returns: Whether anything was done.
    func beginSending() -> Bool {
        guard let records = queue.beginSending() else { return false }
        source.begin(records) { [weak self, generation] result in
            guard let self, generation == self.generation else { return }
            switch result {
            case .success(let reply): begun(reply)
            case .failure(let failure) where failure.isGone: failed(failure)
            case .failure(let failure): notBegun(records, failure)
            }
        }
        return true
    }

    private func begun(_ reply: LostRecordsReply) {
        refusal = nil
        let claims = queue.begun()
        if !reply.lost.isEmpty {
            let text = "\(reply.lost.count) records belong to another relay now; they are not sent"
            logger.notice("\(text)", metadata: Self.metadata(reply.lost))
            drop(reply.lost)
        }
        delegate?.feed(self, didReport: .claimsDurable(claims, sendUntil: reply.sendUntil))
    }

    private func notBegun(_ records: [Int64], _ failure: SourceFailure) {
        let text = "the source \(settings.source) did not begin a batch: \(failure.problem)"
        if refusal == nil { logger.warning("\(text); the relay repeats it", metadata: Self.metadata(records)) }
        refusal = failure.problem
        delegate?.feed(self, didReport: .claimsRefused(queue.notBegun()))
    }

    /// Does not send the records that the source was not asked about yet.
    ///
    /// - Returns: Whether there are any.
    func refuseSending() -> Bool {
        let claims = queue.withdraw()
        guard !claims.isEmpty else { return false }
        delegate?.feed(self, didReport: .claimsRefused(claims))
        return true
    }

    // MARK: Settlements

    /// Lets the source store what became of records, if it must and may now.
    ///
    /// - Returns: Whether anything was done.
    func store() -> Bool {
        guard !isStoring, storeRetry.nextTry == nil, let settlement = queue.beginStoring() else { return false }
        guard !settlement.isEmpty else {
            delegate?.feed(self, didReport: .settlementsDurable(of: queue.stored()))
            return true
        }
        isStoring = true
        source.settle(settlement) { [weak self, generation] result in
            guard let self, generation == self.generation else { return }
            isStoring = false
            switch result {
            case .success(let reply): stored(reply)
            case .failure(let failure) where failure.isGone: failed(failure)
            case .failure(let failure): notStored(settlement, failure)
            }
        }
        return true
    }

    private func stored(_ reply: LostRecordsReply) {
        storeRetry.startOver()
        firstFailure = nil
        let claims = queue.stored()
        if !reply.lost.isEmpty {
            let text = "\(reply.lost.count) records belong to another relay now; they may be delivered twice"
            logger.warning("\(text)", metadata: Self.metadata(reply.lost))
            drop(reply.lost)
        }
        delegate?.feed(self, didReport: .settlementsDurable(of: claims))
    }

    private func drop(_ lost: Set<Int64>) {
        if isPulling { revokedWhilePulling.formUnion(lost) }
        stopSending(queue.drop(lost))
    }

    private func notStored(_ settlement: SettleParams, _ failure: SourceFailure) {
        let text = "the source \(settings.source) stored nothing: \(failure.problem)"
        if firstFailure == nil {
            logger.warning("\(text); the relay repeats it", metadata: Self.metadata(settlement.ids))
        }
        let now = Clock.monotonic()
        firstFailure = firstFailure ?? now
        storeRetry.fail(at: now, pause: failure.retryAfter)
        queue.notStored()
        delegate?.feed(self, didReport: .settlementsLost(.notStored(text)))
    }

    /// Which records a line of the log is about, as the lines of flushes say it.
    private static func metadata(_ records: some Collection<Int64>) -> Logger.Metadata {
        guard let first = records.min(), let last = records.max() else { return [:] }
        return ["records": "\(first)-\(last)"]
    }

    // MARK: Records that are taken back

    /// The source took records back: they are given back, those that are being sent when it is known whether they arrived.
    func revoke(_ ids: some Sequence<Int64>) {
        if isPulling { revokedWhilePulling.formUnion(ids) }
        stopSending(queue.recall(ids))
    }

    private func stopSending(_ records: Set<Int64>) {
        guard !records.isEmpty else { return }
        lost += Int64(records.count)
        delegate?.feed(self, didReport: .revoked(records))
    }
}
