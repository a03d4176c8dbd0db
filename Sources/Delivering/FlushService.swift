package import Calls
internal import Contract
package import Delivery
package import JSON
package import JSONRPC
package import Logging
package import Platform
package import Suites

/// Runs flushes for requests and for the policy, at most one of each suite at a time.
package final class FlushService {
    /// A running flush with its suite, lock and request.
    private struct Running {
        let suite: Suite
        let run: FlushRun
        /// Kept until the flush is over.
        let lock: FlushLock
        /// The request; nil for a flush of the policy.
        let invocation: Invocation?
    }

    private let store: SuiteStore
    private let settings: FlushSettings
    private let clock: Clock
    private let logger: Logger
    private let outbox: Outbox
    private let publisher: Publisher
    private let identifiers: IdentifierGenerator
    private let find: DestinationFinder
    private let advice: SuiteDiagnostics
    private var running: [SuiteName: Running] = [:]
    private var locks: FlushLocks
    /// Decides which suites are flushed without a request.
    package let policy: FlushPolicyService
    /// Whether the client sends no more requests, so that no flush waits for a destination.
    private var isExpedited = false
    /// Whether the host is stopping, so that no further batch is sent.
    private var isStopping = false

    package init(
        _ settings: FlushSettings,
        _ store: SuiteStore,
        _ clock: Clock,
        _ identifiers: IdentifierGenerator,
        _ outbox: Outbox,
        _ publisher: Publisher,
        _ logger: Logger,
        destination find: @escaping DestinationFinder
    ) {
        self.store = store
        self.settings = settings
        self.clock = clock
        self.identifiers = identifiers
        self.outbox = outbox
        self.publisher = publisher
        self.logger = logger
        self.find = find
        advice = SuiteDiagnostics(store: store)
        locks = FlushLocks(clock: clock, logger: logger)
        policy = FlushPolicyService(store: store, settings: settings, logger: logger)
    }

    // MARK: State

    /// The running flushes, in the order of their suites' names.
    private var all: [Running] { running.sorted { $0.key.text < $1.key.text }.map(\.value) }

    /// Whether a flush of the suite runs.
    func isFlushing(_ suite: SuiteName) -> Bool { running[suite] != nil }

    /// Whether no flush is due, and none runs except those whose suite cannot store the results of their batches.
    package var isQuiet: Bool {
        (policy.nextFlush(unless: isFlushing) ?? .max) > Clock.monotonic()
            && running.values.allSatisfy { $0.run.flush.refusal != nil }
    }

    /// Whether the results of all batches are stored, except those that a suite has refused for long.
    package var isStored: Bool { !running.values.contains { $0.run.flush.isUnstored } }

    /// When ``expire()`` is due, in milliseconds of the monotonic clock.
    package var deadline: Int64? {
        var next = policy.nextFlush(unless: isFlushing) ?? .max
        for entry in running.values { next = min(next, entry.run.deadline ?? .max) }
        return next == .max ? nil : next
    }

    /// The running flushes as `status` shows them.
    package var status: JSON { JSON(all.map { FlushReport($0.run, of: $0.suite, clock, settings).status }) }

    // MARK: Requests

    /// Flushes a suite: to the caller, which is answered at once, or to a destination.
    package func flushPending(_ invocation: Invocation) throws -> HostMethod.Outcome {
        let arguments = invocation.arguments
        if try arguments.optionalBool("dryRun") ?? false {
            return try FlushDryRun(invocation, find, clock, outbox).run(advice)
        }
        let suite = invocation.knownSuite
        let name = try arguments.optionalString("to") ?? "caller"
        guard name != "caller" else {
            let flush = try CallerFlush(invocation, clock)
            try checkNoUnstoredFlush(of: suite)
            return .done(try flush.run(&locks, isIdempotent: isIdempotent, advice, identifiers))
        }
        // An invalid request is refused here, before it would wait for a running flush.
        let destination = try find(name, arguments.path("to"))
        let user = try arguments.flushUser()
        guard arguments["lease"] == nil else {
            let text = "a lease is for a caller who takes the records; \(name) takes them itself"
            throw RPCError.invalidParams(path: arguments.path("lease"), text)
        }
        let limit = try arguments.optionalInteger("limit", in: 1...Int64.max) ?? .max
        try checkNoUnstoredFlush(of: suite)
        guard let flush = try prepareFlush(of: suite, to: destination, user: user, limit: limit, for: invocation) else {
            if settings.delivery.deliversEmptyBatches, let destination = destination as? BundleDestination {
                return deliverNothing(to: destination, invocation)
            }
            let diagnostics = [advice.missingSuite(suite, arguments)].compactMap(\.self)
            return .done(FlushProgress().result(remaining: 0, diagnostics))
        }
        invocation.peer.scheduler.begin(invocation)
        begin(flush)
        return .later
    }

    private func deliverNothing(to destination: BundleDestination, _ invocation: Invocation) -> HostMethod.Outcome {
        invocation.peer.scheduler.begin(invocation)
        destination.deliverNothing(of: invocation.knownSuite.name, invocation.arguments) { [outbox] result in
            invocation.peer.scheduler.end(invocation)
            outbox.finish(invocation.call, result, dependsOn: invocation.suite)
        }
        return .later
    }

    /// Checks whether the destination that a call names can be reached and would accept records; none is sent.
    package func checkDestination(_ invocation: Invocation) throws(RPCError) -> HostMethod.Outcome {
        let arguments = invocation.arguments
        let (name, path) = (try arguments.name("to"), arguments.path("to"))
        guard name != "caller" else {
            throw .invalidParams(path: path, "the caller takes the records itself; name a destination")
        }
        let destination = try find(name, path)
        invocation.peer.scheduler.begin(invocation)
        destination.check(arguments) { [outbox] reply in
            invocation.peer.scheduler.end(invocation)
            outbox.finish(invocation.call, reply.map(\.json))
        }
        return .later
    }

    /// Whether the destination of a name is idempotent; false if no destination has the name.
    private func isIdempotent(_ name: String) -> Bool { (try? find(name, nil))?.isIdempotent ?? false }

    /// Checks that no flush of the policy still waits for the suite to store the results of its batches.
    ///
    /// A request never meets any other flush of the policy: such a flush holds the access to the suite's flush, so the
    /// request waits for its end.
    private func checkNoUnstoredFlush(of suite: Suite) throws {
        if let refusal = running[suite.name]?.run.flush.refusal { throw refusal }
    }

    // MARK: A flush

    /// Prepares a flush; nothing is sent before it begins.
    ///
    /// - Returns: The flush; nil if nothing is pending.
    /// - Throws: An error if the suite cannot be flushed.
    private func prepareFlush(
        of suite: Suite,
        to destination: any Destination,
        user: JSON? = nil,
        limit: Int64 = .max,
        for invocation: Invocation? = nil
    ) throws(SuiteError) -> Running? {
        var request = Flush.Request(newest: try suite.claims.newestRecord())
        guard request.newest > 0 else { return nil }
        try suite.leases.endExpiredLeases(now: clock.wallTime())
        let (lock, recovery) = try locks.acquire(suite, isIdempotent: isIdempotent)
        let state = try suite.claims.state(of: destination.name, configuration: destination.configuration)
        let now = clock.wallTime()
        let start = Clock.monotonic()
        request.limit = limit
        request.batchesAtOnce = destination.batchesAtOnce
        request.isIdempotent = destination.isIdempotent
        request.user = user?.description
        request.reportInterval = settings.reportInterval
        var retryPolicy = settings.delivery.retry
        if invocation == nil { retryPolicy.patience = 0 }
        let flush = Flush(
            request,
            destination: Retry(
                retryPolicy,
                failures: state.failures,
                // A wall clock that was set back must not delay records for years.
                nextTry: state.notBefore.map { start + min(max(0, $0 - now), DeliveryReply.longestPause) },
                start: start,
                seed: settings.seed
            ),
            problem: state.problem,
            queue: Retry(settings.lockedSuite, seed: settings.seed),
            progress: FlushProgress(rejected: Int64(recovery.deadLetters.count), possiblySent: recovery.possiblySent),
            isRecovering: suite.isInTransaction,
            now: start
        )
        let run = FlushRun(
            flush,
            queue: suite.claims,
            named: suite.name.text,
            identity: destination.isIdempotent ? try suite.identity() : nil,
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
        if flush.invocation == nil { publisher.client?.scheduler.holdFlush(of: flush.suite.name) }
    }

    /// Begins the flushes of the policy that are due.
    ///
    /// - Returns: Whether any began.
    private func beginDueFlushes() -> Bool {
        var anyBegan = false
        for name in policy.removeDueSuites(unless: isFlushing) {
            // Without a look into the file, since most suites have nothing to deliver in most rounds.
            if store.knownSummary(of: name)?.pending == 0 {
                policy.flushDidBegin(name)
                continue
            }
            let suite = store.suite(name)
            do {
                let destination = try find(settings.delivery.policyDestination, nil)
                let flush = try prepareFlush(of: suite, to: destination)
                policy.flushDidBegin(name)
                guard let flush else {
                    _ = try? store.summary(of: name)
                    continue
                }
                begin(flush)
                anyBegan = true
            } catch {
                if case .transactionLost(let text) = error as? SuiteError { outbox.lose(suite, text) }
                policy.flushDidNotBegin(name, error)
            }
        }
        return anyBegan
    }

    // MARK: The event loop

    /// Begins to apply the policy.
    package func start() { policy.start() }

    /// The transaction of a suite is durable.
    package func committed(_ suite: SuiteName) {
        locks.release(suite)
        running[suite]?.run.handle(.committed)
    }

    /// The transaction of a suite is lost.
    package func lost(_ suite: SuiteName, _ error: SuiteError) {
        locks.release(suite)
        running[suite]?.run.handle(.lost(error))
    }

    /// Lets every flush handle the deadlines that have passed.
    package func expire() { for flush in all { flush.run.expire() } }

    /// Advances every flush as far as suites and destinations allow, and begins the flushes of the policy that are due.
    ///
    /// - Returns: Whether anything was done.
    package func advance() -> Bool {
        var progressed = false
        for flush in all {
            // The client cancelled the request, which is answered; the batches that were sent are still settled.
            if flush.invocation?.call.isAnswered == true { flush.run.handle(.cancelled) }
            progressed = flush.run.advance() || progressed
        }
        return beginDueFlushes() || progressed
    }

    /// Makes every flush end instead of waiting for its destination, as the client sends no more requests.
    package func expedite() {
        guard !isExpedited else { return }
        isExpedited = true
        for flush in all { flush.run.handle(.expedited) }
    }

    /// Sends no further batch, and begins no further flush.
    package func stop() {
        isStopping = true
        policy.stop()
        for flush in all { flush.run.handle(.cancelled) }
    }
}

extension FlushService: FlushRunDelegate {
    package func flush(_ run: FlushRun, wants action: Flush.Action) {
        guard let flush = running.values.first(where: { $0.run === run }) else { return }
        switch action {
        case .report:
            let report = FlushReport(run, of: flush.suite, clock, settings)
            publisher.publish(.progress) { report.notification }
            if let call = flush.invocation?.call { publisher.publishProgress(of: call, report.settled, report.text) }
        case .reply(let ending):
            guard let invocation = flush.invocation else {
                publisher.client?.scheduler.releaseFlush(of: flush.suite.name)
                return
            }
            if !invocation.call.isAnswered {
                let result = FlushReport(run, of: flush.suite, clock, settings).result(ending)
                outbox.finish(invocation.call, result, dependsOn: flush.suite)
            }
            invocation.peer.scheduler.end(invocation)
        case .end(let ending):
            let name = flush.suite.name
            running[name] = nil
            if flush.invocation == nil { policy.flushDidEnd(name, ending, destination: run.destination.name) }
        case .read, .claim, .settle: preconditionFailure("\(action) is an action of the queue")
        }
    }

    package func flush(_ run: FlushRun, lostTransaction text: String) {
        outbox.lose(running.values.first { $0.run === run }?.suite, text)
    }
}

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
