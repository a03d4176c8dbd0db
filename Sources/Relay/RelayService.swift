package import Configuration
package import Delivering
package import Delivery
package import Logging
package import Platform
internal import Suites

/// The state of a relay, and its counts since it started.
struct RelayStatus: Equatable, Sendable {
    /// The name of the source.
    let source: String
    /// The name of the destination.
    let destination: String
    /// Whether the source hands out records and begins batches, and the destination may accept them.
    var isReady = false
    /// Whether the relay was asked to stop.
    var isStopping = false
    /// Whether the destination gets nothing for a while, because it failed, asked for a pause or was stopped.
    var isPaused = false
    /// How long that will last, in milliseconds.
    var pause: Int64?
    /// Why the destination fails; nil if it does not.
    var problem: String?
    /// Why the source fails; nil if it does not.
    var sourceProblem: String?
    /// The number of records in the source that are not settled, wherever they are; nil if the source does not say.
    var pending: Int64?
    /// The time of the oldest of them, in milliseconds since 1970; nil if nothing is pending or the source does not say.
    var oldest: Int64?
    /// The number of records that this relay keeps.
    var kept: Int64 = 0
    /// The part of the destination's rate limit that this relay may use; nil if the source does not say.
    var rateShare: Double?
    /// The number of records that the destination accepted.
    var delivered: Int64 = 0
    /// The number of records that became dead letters.
    var rejected: Int64 = 0
    /// How often a delivery of a record was ambiguous.
    var ambiguous: Int64 = 0
    /// How often a record was offered again.
    var retries: Int64 = 0
    /// The number of records that the source took back, or that were lost to it when its process ended.
    var lost: Int64 = 0

    init(source: String, destination: String) {
        self.source = source
        self.destination = destination
    }

    /// Adds the counts of a flush.
    mutating func add(_ progress: FlushProgress) {
        delivered += progress.delivered
        rejected += progress.deadLetters
        ambiguous += progress.ambiguousDeliveries
        retries += progress.retried
    }
}

/// Delivers the records of a source to a destination until it is stopped.
///
/// It keeps a window of pulled records, which one long-lived flush delivers. Times are milliseconds of the monotonic clock.
package final class RelayService {
    /// The maximum number of records in a pull.
    private static let pullRecords = 1_000
    /// The least room in the window for which it is worth to pull.
    private static let leastPull = 250

    private enum Phase: Equatable {
        case running
        /// The destination does nothing until an operator acts, so nothing is pulled before that time.
        case stopped(until: Int64)
        /// Batches under way are finished and what became of all records is stored.
        case stopping
        /// The host is ending its processes, so nothing more is called.
        case ended
    }

    private let settings: RelaySettings
    private let feed: SourceFeed
    private let destination: any Destination
    private let retry: RetryPolicy
    private let seed: UInt64?
    private let clock: Clock
    private let logger: Logger

    private var run: FlushRun?
    private var phase = Phase.running
    /// The identifier of the source's queue.
    private var identity: String?
    /// The counts of the flushes that ended, and what the source said last.
    private var base: RelayStatus

    /// A relay that pulls nothing before ``advance()``.
    package init(
        _ settings: RelaySettings,
        from source: any RecordSource,
        to destination: any Destination,
        delivery: DeliverySettings,
        seed: UInt64?,
        clock: Clock,
        logger: Logger
    ) {
        self.settings = settings
        self.destination = destination
        self.seed = seed
        self.clock = clock
        self.logger = logger
        retry = RetryPolicy(base: delivery.retry.base, limit: delivery.retry.limit, patience: .max)
        feed = SourceFeed(source, settings, retry: retry, seed: seed, logger: logger)
        base = RelayStatus(source: settings.source, destination: settings.destination)
        feed.delegate = self
    }

    // MARK: State

    /// The state and the counts.
    var status: RelayStatus {
        var status = base
        let now = Clock.monotonic()
        status.isReady = feed.isUp && feed.refusal == nil && phase == .running
        status.isStopping = phase == .stopping || phase == .ended
        status.sourceProblem = feed.problem ?? feed.refusal
        status.kept = Int64(feed.queue.kept.count)
        status.lost = feed.lost
        status.rejected += feed.rejected
        status.ambiguous += feed.ambiguous
        if let flush = run?.machine {
            status.add(flush.progress)
            status.pause = flush.pause(at: now)
            status.problem = flush.problem
        }
        if case .stopped(let end) = phase { status.pause = max(0, end - now) }
        status.isPaused = status.pause != nil
        return status
    }

    /// Whether the relay was stopped and nothing is left to do.
    package var isDone: Bool {
        guard phase == .stopping else { return phase == .ended }
        // A source that stores nothing would keep the flush open, too.
        return run == nil && feed.isEmpty || feed.hasFailed(for: settings.stopPatience)
    }

    /// When ``expire()`` is due.
    package var deadline: Int64? {
        var next = min(run?.deadline ?? .max, feed.deadline(mayPull: phase == .running) ?? .max)
        if case .stopped(let end) = phase { next = min(next, end) }
        return next == .max ? nil : next
    }

    // MARK: The event loop

    /// Handles the deadlines that have passed.
    package func expire() {
        feed.expire()
        if case .stopped(let end) = phase, end <= Clock.monotonic() { phase = .running }
        // Otherwise the source would give back records that may have been sent.
        if phase == .stopping, feed.hasFailed(for: settings.stopPatience) { feed.endSource() }
        run?.expire()
    }

    /// Does what is possible now: delivers, stores what became of records, and pulls.
    ///
    /// - Returns: Whether anything was done.
    package func advance() -> Bool {
        guard phase != .ended else { return false }
        if phase == .running, run == nil { begin() }
        var progressed = run?.advance() ?? false
        progressed = beginSending() || progressed
        progressed = feed.store() || progressed
        return pull() || progressed
    }

    /// Finishes the batches under way, stores what became of them and gives the other records back.
    package func stop() {
        guard phase != .stopping, phase != .ended else { return }
        phase = .stopping
        run?.handle(.cancelled)
        if run == nil { feed.queue.returnAll() }
    }

    /// Does nothing more, because the host ends its processes; a call would start them again.
    package func end() { phase = .ended }

    // MARK: Messages of the source

    /// The source took records back: they are not sent any more.
    package func revoke(_ ids: [Int64]) { feed.revoke(ids) }

    /// The source changed the part of the rate limit that this host may use.
    package func setShare(_ share: Double) {
        base.rateShare = share
        if let run { update(run) }
    }

    /// The source failed.
    package func sourceFailed(_ failure: SourceFailure) { feed.failed(failure) }

    // MARK: The flush

    /// Lets the source store that the claimed batches may be sent, once the destination can have them.
    private func beginSending() -> Bool {
        guard phase != .stopping else { return feed.refuseSending() }
        return destination.isReady && feed.beginSending()
    }

    private func pull() -> Bool {
        guard phase == .running, let run, run.machine.pause(at: Clock.monotonic()) == nil else { return false }
        let window = Self.pullRecords * (destination.batchesAtOnce + 1)
        let limit = min(Self.pullRecords, window - feed.queue.kept.count)
        return limit >= Self.leastPull && feed.pull(limit: limit)
    }

    private func begin() {
        let start = Clock.monotonic()
        var request = Flush.Request(newest: .max)
        request.batchesAtOnce = destination.batchesAtOnce
        request.isIdempotent = destination.isIdempotent
        request.rejectsHeldRecords = true
        request.reportInterval = .max
        let flush = Flush(
            request,
            destinationRetry: Retry(retry, start: start, seed: seed),
            queueRetry: Retry(.lockedQueue(patience: .max), seed: seed),
            now: start
        )
        let run = FlushRun(
            flush,
            queue: feed.queue,
            named: settings.source,
            identity: nil,
            to: destination,
            user: nil,
            clock: clock,
            logger: logger,
            start: start
        )
        run.delegate = self
        self.run = run
        update(run)
    }

    private func update(_ run: FlushRun) {
        run.identity = destination.isIdempotent ? identity : nil
        run.rateShare = base.rateShare
    }

    private func end(_ run: FlushRun, _ ending: Flush.Ending) {
        base.add(run.machine.progress)
        self.run = nil
        feed.queue.returnAll()
        guard phase == .running else { return }
        let problem =
            switch ending {
            case .stopped(let text): text
            case .unavailable(let text, _): text
            case .refused(let error): error.text
            case .done, .cancelled: "the flush ended"
            }
        base.problem = problem
        logger.error(
            "\(settings.destination) accepts no records until an operator acts: \(problem); next try in \(retry.limit) ms"
        )
        phase = .stopped(until: Clock.monotonic() + retry.limit)
    }
}

extension RelayService: SourceFeedDelegate {
    func feed(_ feed: SourceFeed, didPull reply: PullReply) -> SourceFeed.Admission {
        (base.pending, base.oldest, base.rateShare) = (reply.pending, reply.oldest, reply.share)
        identity = reply.identity
        if let run { update(run) }
        return SourceFeed.Admission(isOpen: phase == .running, isIdempotent: destination.isIdempotent)
    }

    func feed(_ feed: SourceFeed, didReport event: Flush.Event) { run?.handle(event) }
}

extension RelayService: FlushRunDelegate {
    package func flush(_ run: FlushRun, wants action: Flush.Action) {
        if case .end(let ending) = action, self.run === run { end(run, ending) }
    }

    package func flush(_ run: FlushRun, lostTransaction text: String) {
        preconditionFailure("the queue of a source has no transactions: \(text)")
    }
}
