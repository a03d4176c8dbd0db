package import Calls
package import Configuration
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
    private struct Entry {
        let suite: Suite
        let run: FlushRun
        /// Kept until the flush is over.
        let lock: FlushLock
        /// The request; nil for a flush of the policy.
        let invocation: Invocation?
    }

    private let store: SuiteStore
    private let configuration: HostConfiguration
    private let clock: Clock
    private let logger: Logger
    private let outbox: Outbox
    private let publisher: Publisher
    private let identifiers: IdentifierGenerator
    private let find: DestinationFinder
    private let advice: SuiteDiagnostics
    private var running: [SuiteName: Entry] = [:]
    private var locks: FlushLocks
    /// Decides which suites are flushed without a request.
    package let policy: FlushPolicyService
    /// Whether the client sends no more requests, so that no flush waits for a destination.
    private var isExpedited = false
    /// Whether the host is stopping, so that no further batch is sent.
    private var isStopping = false

    package init(
        _ configuration: HostConfiguration,
        _ store: SuiteStore,
        _ clock: Clock,
        _ identifiers: IdentifierGenerator,
        _ outbox: Outbox,
        _ publisher: Publisher,
        _ logger: Logger,
        destination find: @escaping DestinationFinder
    ) {
        self.store = store
        self.configuration = configuration
        self.clock = clock
        self.identifiers = identifiers
        self.outbox = outbox
        self.publisher = publisher
        self.logger = logger
        self.find = find
        advice = SuiteDiagnostics(store: store)
        locks = FlushLocks(clock: clock, logger: logger)
        policy = FlushPolicyService(store: store, configuration: configuration, logger: logger)
    }

    // MARK: State

    /// The running flushes, in the order of their suites' names.
    private var all: [Entry] { running.sorted { $0.key.text < $1.key.text }.map(\.value) }

    /// Whether a flush of the suite runs.
    func isFlushing(_ suite: SuiteName) -> Bool { running[suite] != nil }

    /// Whether no flush is due, and none runs except those whose suite cannot store the results of their batches.
    package var isQuiet: Bool {
        (policy.nextFlush(unless: isFlushing) ?? .max) > Clock.monotonic()
            && running.values.allSatisfy { $0.run.machine.refusal != nil }
    }

    /// Whether the results of all batches are stored, except those that a suite has refused for long.
    package var isStored: Bool { !running.values.contains { $0.run.machine.isRetryingStore } }

    /// When ``expire()`` is due, in milliseconds of the monotonic clock.
    package var deadline: Int64? {
        var next = policy.nextFlush(unless: isFlushing) ?? .max
        for entry in running.values { next = min(next, entry.run.deadline ?? .max) }
        return next == .max ? nil : next
    }

    /// The running flushes as `status` shows them.
    package var status: JSON { JSON(all.map { FlushReport($0.run, of: $0.suite, clock, configuration).status }) }

    // MARK: Requests

    /// Flushes a suite: to the caller, which is answered at once, or to a destination.
    package func flushPending(_ invocation: Invocation) throws -> HostMethod.Outcome {
        let arguments = invocation.arguments
        if try arguments.optionalBool("dryRun") ?? false {
            return try FlushDryRun(invocation, find, clock, outbox).run(advice)
        }
        let suite = invocation.knownSuite
        let name = try arguments.optionalString("to") ?? CallerFlush.name
        guard name != CallerFlush.name else {
            let flush = try CallerFlush(invocation, clock)
            try checkNotRefused(of: suite)
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
        try checkNotRefused(of: suite)
        guard let entry = try prepareFlush(of: suite, to: destination, user: user, limit: limit, for: invocation) else {
            if configuration.delivery.deliversEmptyBatches, let destination = destination as? BundleDestination {
                return deliverNothing(to: destination, invocation)
            }
            let diagnostics = [advice.missingSuite(suite, arguments)].compactMap(\.self)
            return .done(FlushProgress().result(remaining: 0, diagnostics))
        }
        invocation.peer.scheduler.begin(invocation)
        begin(entry)
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
        guard name != CallerFlush.name else {
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

    /// Throws why the suite does not store the results of a flush of the policy, if it has failed for longer than the patience.
    ///
    /// A request never meets any other flush of the policy: such a flush holds the access to the suite's flush, so the
    /// request waits for its end.
    private func checkNotRefused(of suite: Suite) throws {
        if let refusal = running[suite.name]?.run.machine.refusal { throw refusal }
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
    ) throws(SuiteError) -> Entry? {
        var request = Flush.Request(newest: try suite.claims.newestRecord())
        guard request.newest > 0 else { return nil }
        try suite.leases.endExpiredLeases(now: clock.wallTime())
        let (lock, recovery) = try locks.acquireAndRecover(suite, isIdempotent: isIdempotent)
        let state = try suite.claims.refreshedState(of: destination.name, configuration: destination.settingsToHash)
        let now = clock.wallTime()
        let start = Clock.monotonic()
        request.limit = limit
        request.batchesAtOnce = destination.batchesAtOnce
        request.isIdempotent = destination.isIdempotent
        request.user = user?.description
        request.reportInterval = configuration.reportInterval
        var retryPolicy = configuration.delivery.retry
        if invocation == nil { retryPolicy.patience = 0 }
        let flush = Flush(
            request,
            destinationRetry: Retry(
                retryPolicy,
                failures: state.failures,
                // A wall clock that was set back must not delay records for years.
                nextTry: state.notBefore.map { start + min(max(0, $0 - now), DeliveryReply.longestPause) },
                start: start,
                seed: configuration.seed
            ),
            problem: state.problem,
            queueRetry: Retry(configuration.lockedSuite, seed: configuration.seed),
            progress: FlushProgress(
                deadLetters: Int64(recovery.deadLetters.count),
                ambiguousDeliveries: recovery.ambiguousRecords
            ),
            beganInTransaction: suite.isInTransaction,
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
        return Entry(suite: suite, run: run, lock: lock, invocation: invocation)
    }

    private func begin(_ entry: Entry) {
        running[entry.suite.name] = entry
        if isExpedited { entry.run.handle(.expedited) }
        if isStopping { entry.run.handle(.cancelled) }
        if entry.invocation == nil { publisher.client?.scheduler.holdFlush(of: entry.suite.name) }
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
                let destination = try find(configuration.delivery.policyDestination, nil)
                let entry = try prepareFlush(of: suite, to: destination)
                policy.flushDidBegin(name)
                guard let entry else {
                    _ = try? store.summary(of: name)
                    continue
                }
                begin(entry)
                anyBegan = true
            } catch {
                if case .transactionLost(let text) = error as? SuiteError { outbox.lose(suite, text) }
                policy.flushDidNotBegin(name, error)
                // Expired leases were ended in a transaction, which other hosts must not wait for.
                if suite.isInTransaction { anyBegan = true }
            }
        }
        return anyBegan
    }

    // MARK: The event loop

    /// Begins to apply the policy.
    package func start() { policy.start() }

    /// The transaction of a suite is durable.
    package func committed(_ suite: SuiteName) {
        locks.dropKept(suite)
        running[suite]?.run.handle(.committed)
    }

    /// The transaction of a suite is lost.
    package func lost(_ suite: SuiteName, _ error: SuiteError) {
        locks.dropKept(suite)
        running[suite]?.run.handle(.lost(error))
    }

    /// Lets every flush handle the deadlines that have passed.
    package func expire() { for entry in all { entry.run.expire() } }

    /// Advances every flush as far as suites and destinations allow, and begins the flushes of the policy that are due.
    ///
    /// - Returns: Whether anything was done.
    package func advance() -> Bool {
        var progressed = false
        for entry in all {
            // The client cancelled the request, which is answered; the batches that were sent are still settled. A flush that
            // has answered it has ended, so this changes nothing.
            if entry.invocation?.call.isAnswered == true { entry.run.handle(.cancelled) }
            progressed = entry.run.advance() || progressed
        }
        return beginDueFlushes() || progressed
    }

    /// Makes every flush end instead of waiting for its destination, as the client sends no more requests.
    package func expedite() {
        guard !isExpedited else { return }
        isExpedited = true
        for entry in all { entry.run.handle(.expedited) }
    }

    /// Sends no further batch, and begins no further flush.
    package func stop() {
        isStopping = true
        policy.stop()
        for entry in all { entry.run.handle(.cancelled) }
    }
}

extension FlushService: FlushRunDelegate {
    package func flush(_ run: FlushRun, wants action: Flush.Action) {
        guard let entry = running.values.first(where: { $0.run === run }) else { return }
        switch action {
        case .report:
            let report = FlushReport(run, of: entry.suite, clock, configuration)
            publisher.publish(.progress) { report.notification }
            if let call = entry.invocation?.call { publisher.publishProgress(of: call, report.settled, report.text) }
        case .reply(let ending):
            guard let invocation = entry.invocation else {
                publisher.client?.scheduler.releaseFlush(of: entry.suite.name)
                return
            }
            if !invocation.call.isAnswered {
                let result = FlushReport(run, of: entry.suite, clock, configuration).result(ending)
                outbox.finish(invocation.call, result, dependsOn: entry.suite)
            }
            invocation.peer.scheduler.end(invocation)
        case .end(let ending):
            let name = entry.suite.name
            running[name] = nil
            if entry.invocation == nil { policy.flushDidEnd(name, ending, destination: run.destination.name) }
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
        var ambiguousRecords: Int64 = 0
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

    /// Acquires the lock of a suite, settles the batches that were unanswered when their host died, and logs them.
    ///
    /// - Throws: ``SuiteError/beingFlushed`` while another process flushes the suite.
    func acquireAndRecover(
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
            recovery.ambiguousRecords += settlement.ambiguousRecords
            recovery.deadLetters += settlement.deadLetters.map(\.id)
            guard settlement.ambiguousRecords > 0 else { continue }
            logger.notice(
                "\(suite.name): a host ended while \(settlement.ambiguousRecords) records were on their way to \(abandoned.destination)"
            )
        }
        return (lock, recovery)
    }

    /// Keeps a lock until the open transaction of the suite ends; without a transaction there is nothing to protect.
    mutating func keepUntilCommit(_ lock: FlushLock, of suite: Suite) {
        if suite.isInTransaction { kept[suite.name] = lock }
    }

    /// Drops a kept lock after the transaction ended; `FlushLock` is released when nothing refers to it any more.
    mutating func dropKept(_ suite: SuiteName) { kept[suite] = nil }
}
