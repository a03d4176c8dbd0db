internal import Contract
internal import Delivery
internal import JSON
internal import JSONRPC
internal import Logging
internal import Platform
internal import Suites

/// The flushes: at most one of each suite at a time, for requests and for the policy.
final class FlushService {
    /// A flush that runs, and what belongs to it.
    private struct Running {
        let suite: Suite
        let run: FlushRun
        /// Held until the flush is over.
        let lock: FlushLock
        /// The request; nil for a flush of the policy.
        let invocation: Invocation?
    }

    private let store: SuiteStore
    private let settings: FlushSettings
    private let clock: Clock
    private let logger: Logger
    private unowned let delegate: any FlushServiceDelegate
    private var running: [SuiteName: Running] = [:]
    private var locks: FlushLocks
    private var schedule: FlushSchedule
    /// Whether the client sends no more requests, so that no flush waits for a destination.
    private var isExpedited = false
    /// Whether the host ends, so that no further batch is sent.
    private var isStopping = false

    init(
        store: SuiteStore,
        settings: FlushSettings,
        clock: Clock,
        logger: Logger,
        delegate: any FlushServiceDelegate
    ) {
        self.store = store
        self.settings = settings
        self.clock = clock
        self.logger = logger
        self.delegate = delegate
        locks = FlushLocks(clock: clock, logger: logger)
        schedule = FlushSchedule(settings.delivery.policy, held: settings.heldSuite)
    }

    // MARK: State

    /// The flushes that run, in the order of their suites' names.
    private var all: [Running] { running.sorted { $0.key.text < $1.key.text }.map(\.value) }

    /// Whether a flush of the suite runs.
    func isFlushing(_ suite: SuiteName) -> Bool { running[suite] != nil }

    /// Whether no flush is due, and none runs except those whose suite does not store what is known.
    var isQuiet: Bool {
        (schedule.nextFlush(unless: isFlushing) ?? .max) > Clock.monotonic()
            && running.values.allSatisfy { $0.run.flush.refusal != nil }
    }

    /// Whether everything that is known of batches is stored, or was tried for long.
    var isStored: Bool { !running.values.contains { $0.run.flush.isUnstored } }

    /// When ``expire()`` is due, in milliseconds of the monotonic clock.
    var deadline: Int64? {
        (running.values.map(\.run.deadline) + [schedule.nextFlush(unless: isFlushing)]).compactMap(\.self).min()
    }

    /// The running flushes as `status` shows them.
    var status: JSON { JSON(all.map { FlushReport($0.run, of: $0.suite, clock, settings).status }) }

    // MARK: Requests

    /// Flushes a suite: to the caller, which is answered at once, or to a destination.
    func flushPending(_ invocation: Invocation) throws -> HostMethod.Outcome {
        let arguments = invocation.arguments
        let suite = invocation.knownSuite
        let name = try arguments.optionalString("to") ?? "caller"
        guard name != "caller" else {
            let flush = try CallerFlush(invocation, clock)
            try checkIsNotFlushed(suite)
            return .done(try flush.run(&locks, delegate))
        }
        // Errors of the request are reported before it waits.
        let destination = try delegate.destination(name, path: arguments.path("to"))
        let user = try arguments.flushUser()
        guard arguments["lease"] == nil else {
            let text = "a lease is for a caller who takes the records; \(name) takes them itself"
            throw RPCError.invalidParams(path: arguments.path("lease"), text)
        }
        let limit = try arguments.optionalInteger("limit", in: 1...Int64.max) ?? .max
        try checkIsNotFlushed(suite)
        guard let flush = try prepare(suite, to: destination, user: user, limit: limit, for: invocation) else {
            if settings.delivery.deliversEmptyBatches, destination is BundleDestination {
                return delegate.deliverEmptyBatch(to: name, invocation)
            }
            let diagnostics = [delegate.missingSuite(suite, arguments)].compactMap(\.self)
            return .done(FlushProgress().result(remaining: 0, diagnostics))
        }
        delegate.hold(invocation)
        begin(flush)
        return .later
    }

    /// Checks that no flush of the policy is left that waits for the suite to store what it knows.
    ///
    /// A flush that goes on is waited for: while it does, it holds the suite's flush before every request.
    private func checkIsNotFlushed(_ suite: Suite) throws {
        if let refusal = running[suite.name]?.run.flush.refusal { throw refusal }
    }

    // MARK: A flush

    /// Prepares a flush; nothing is sent before it begins.
    ///
    /// - Returns: The flush; nil if nothing is pending.
    /// - Throws: What keeps the suite from being flushed.
    private func prepare(
        _ suite: Suite,
        to destination: any Destination,
        user: JSON? = nil,
        limit: Int64 = .max,
        for invocation: Invocation? = nil
    ) throws(SuiteError) -> Running? {
        var request = Flush.Request(newest: try suite.claims.newestRecord())
        guard request.newest > 0 else { return nil }
        try suite.leases.endExpiredLeases(now: clock.wallTime())
        let (lock, recovery) = try locks.acquire(suite)
        let totals = try suite.claims.deliveries().first { $0.destination == destination.name }
        let now = clock.wallTime()
        let start = Clock.monotonic()
        request.limit = limit
        request.batchesAtOnce = destination.batchesAtOnce
        request.user = user?.description
        request.reportInterval = settings.reportInterval
        var policy = settings.delivery.retry
        if invocation == nil { policy.patience = 0 }
        let flush = Flush(
            request,
            destination: Retry(
                policy,
                failures: totals?.failures ?? 0,
                // A wall clock that was set back must not delay records for years.
                nextTry: totals?.notBefore.map { start + min(max(0, $0 - now), DeliveryReply.longestPause) },
                start: start,
                seed: settings.seed
            ),
            problem: totals?.problem,
            queue: Retry(settings.heldSuite, seed: settings.seed),
            progress: FlushProgress(rejected: Int64(recovery.deadLetters.count), possiblySent: recovery.possiblySent),
            isRecovering: suite.isInTransaction,
            now: start
        )
        let run = FlushRun(
            flush,
            queue: suite.claims,
            named: suite.name.text,
            to: destination,
            user: request.user,
            clock: clock,
            logger: logger,
            start: start
        )
        run.delegate = self
        return Running(suite: suite, run: run, lock: lock, invocation: invocation)
    }

    private func begin(_ flush: Running) {
        running[flush.suite.name] = flush
        if isExpedited { flush.run.handle(.expedited) }
        if isStopping { flush.run.handle(.cancelled) }
        if flush.invocation == nil { delegate.holdFlush(of: flush.suite.name) }
    }

    private func end(_ flush: Running, _ ending: Flush.Ending) {
        let name = flush.suite.name
        running[name] = nil
        guard flush.invocation == nil else { return }
        let (problem, pause): (String, Int64)
        switch ending {
        case .unavailable(let text, let retryAfter): (problem, pause) = (text, retryAfter)
        case .stopped(let text): (problem, pause) = (text, settings.delivery.retry.limit)
        case .refused(let error): (problem, pause) = (error.text, settings.delivery.retry.base)
        case .done, .cancelled: return
        }
        logger.warning("flushing \(name) to \(flush.run.destination.name): \(problem); next attempt in \(pause) ms")
        schedule.postpone(name, until: Clock.monotonic() + pause)
    }

    // MARK: The policy

    /// Begins to follow the policy.
    func start() { schedule.start(at: Clock.monotonic()) }

    /// A record was saved in a suite.
    func saved(in suite: SuiteName) { schedule.add(suite, after: .save, at: Clock.monotonic()) }

    /// A notification opened the app, which shares these suites.
    func forwarded(_ suites: [SuiteName]) {
        for suite in suites { schedule.add(suite, after: .forward, at: Clock.monotonic()) }
    }

    /// Begins the flushes that the policy wants now.
    ///
    /// - Returns: Whether any began.
    private func followPolicy() -> Bool {
        let now = Clock.monotonic()
        if schedule.beginRound(at: now) {
            do throws(SuiteError) {
                for name in try store.names() { schedule.add(name, at: now) }
            } catch {
                logger.error("looking for suites to flush: \(error.text)")
            }
        }
        return schedule.removeDue(at: now, unless: isFlushing).reduce(false) { beginPolicyFlush(of: $1) || $0 }
    }

    private func beginPolicyFlush(of name: SuiteName) -> Bool {
        let (suite, destination) = (store.suite(name), settings.delivery.policyDestination)
        do {
            let flush = try prepare(suite, to: delegate.destination(destination, path: nil))
            schedule.didBegin(name)
            flush.map(begin)
            return flush != nil
        } catch let error as SuiteError where error.isPassing {
            schedule.postponeHeld(name, at: Clock.monotonic())
        } catch {
            if case .transactionLost(let text) = error as? SuiteError { delegate.lose(suite, text) }
            logger.error("flushing \(name) to \(destination): \(error)")
            schedule.postpone(name, until: Clock.monotonic() + settings.delivery.retry.limit)
        }
        return false
    }

    // MARK: The event loop

    /// The transaction of a suite is durable.
    func committed(_ suite: SuiteName) {
        locks.release(suite)
        running[suite]?.run.handle(.committed)
    }

    /// The transaction of a suite is lost.
    func lost(_ suite: SuiteName, _ error: SuiteError) {
        locks.release(suite)
        running[suite]?.run.handle(.lost(error))
    }

    /// Lets what is due happen.
    func expire() { for flush in all { flush.run.expire() } }

    /// Goes on with every flush, as far as suites and destinations allow it, and begins those that the policy wants.
    ///
    /// - Returns: Whether anything was done.
    func advance() -> Bool {
        var progressed = false
        for flush in all {
            // Cancelled by the client, it has its answer; what was sent is still settled.
            if flush.invocation?.call.isAnswered == true { flush.run.handle(.cancelled) }
            progressed = flush.run.advance() || progressed
        }
        return followPolicy() || progressed
    }

    /// Lets no flush wait for its destination any more: the client sends no more requests.
    func expedite() {
        guard !isExpedited else { return }
        isExpedited = true
        for flush in all { flush.run.handle(.expedited) }
    }

    /// Sends no further batch, and begins no flush.
    func stop() {
        isStopping = true
        schedule.stop()
        for flush in all { flush.run.handle(.cancelled) }
    }
}

extension FlushService: FlushRunDelegate {
    func flush(_ run: FlushRun, wants action: Flush.Action) {
        guard let flush = running.values.first(where: { $0.run === run }) else { return }
        switch action {
        case .report: delegate.publish(FlushReport(run, of: flush.suite, clock, settings), for: flush.invocation)
        case .reply(let ending):
            guard let invocation = flush.invocation else { return delegate.releaseFlush(of: flush.suite.name) }
            if !invocation.call.isAnswered {
                delegate.finish(invocation, FlushReport(run, of: flush.suite, clock, settings).result(ending))
            }
            delegate.release(invocation)
        case .end(let ending): end(flush, ending)
        case .read, .claim, .settle: preconditionFailure("\(action) is an action of the queue")
        }
    }

    func flush(_ run: FlushRun, lostTransaction text: String) {
        delegate.lose(running.values.first { $0.run === run }?.suite, text)
    }
}
