internal import Contract
internal import JSON
internal import JSONRPC
internal import Logging
internal import Platform
internal import Suites

/// Carries out a ``Flush``: reads and changes the suite in the turn's transaction, lets batches leave once
/// their claims are committed, and answers whoever asked.
final class Delivery {
    let suite: Suite
    let destination: Destination
    /// Whom records without a user are about, as JSON text.
    let user: String?
    /// The request that asked, where one did.
    let invocation: Invocation?
    /// The newest record when the flush began: what is saved later waits for the next one.
    private let newest: Int64

    unowned let host: Host
    private let right: FlushLock
    private var flush: Flush
    let start: Int64
    /// What is to be done, in order.
    private var todo: [Flush.Action] = []
    /// What was done in the open transaction.
    private var uncommitted: [Flush.Action] = []
    /// The claims of batches that are on their way.
    private var claims: [Int: Int64] = [:]
    /// Batches that are claimed and may leave: those for the file are written one a turn.
    private var ready: [(number: Int, records: [StoredRecord])] = []
    /// When the suite, which refused something, is to be tried again.
    private var retryAt: Int64?
    /// Since when nothing could be stored.
    private var failingSince: Int64?
    /// When subscribers were told last, and of how many records.
    var told: (at: Int64, records: Int64)?
    /// How the flush ended, once everything is settled.
    var ending: Flush.Ending?
    /// Whether whoever asked was answered.
    var isAnswered = false
    /// Whether no further batch is to leave.
    private var isCancelled = false
    /// Whether what was settled at the begin, of a host that died, is not committed yet.
    private var isBeginning: Bool
    /// Why the suite does not take what was settled, once that was tried for long; it is tried on.
    private(set) var refusal: SuiteError?

    init(
        suite: Suite,
        destination: Destination,
        user: JSON?,
        right: FlushLock,
        flush: Flush,
        newest: Int64,
        start: Int64,
        invocation: Invocation?,
        host: Host
    ) {
        self.suite = suite
        self.destination = destination
        self.user = user?.description
        self.right = right
        self.flush = flush
        self.newest = newest
        self.start = start
        self.invocation = invocation
        self.host = host
        isBeginning = suite.isInTransaction
        todo = self.flush.event(.time, now: start)
    }

    var progress: Flush.Progress { flush.progress }
    var problem: String? { flush.problem }

    /// When something is due, on the monotonic clock in milliseconds.
    var deadline: Int64? {
        if case .file = destination, !ready.isEmpty { return 0 }
        guard let retryAt else { return flush.deadline }
        return min(retryAt, flush.deadline ?? .max)
    }

    /// How long until the destination is tried again, while that is waited for.
    var pause: Int64? { flush.deadline.map { max(0, $0 - Clock.monotonic()) } }

    /// Whether nothing but a suite that refuses what was settled keeps it from its end.
    var isStuck: Bool { refusal != nil }
    /// Whether something of what is known already is to be stored still.
    var isUnstored: Bool { !isStuck && retryAt != nil }

    /// Keeps a remark for the reply.
    func note(_ diagnostic: Diagnostic) { flush.note(diagnostic) }

    func take(_ event: Flush.Event) { todo += flush.event(event, now: Clock.monotonic()) }

    /// No further batch leaves; those that are claimed and did not leave never will.
    func cancel() {
        isCancelled = true
        take(.cancelled)
        for (number, _) in ready { fail(number, "it was to stop") }
        ready = []
    }

    private func fail(_ number: Int, _ problem: String) {
        take(.failed(number, problem: problem, hasLeft: false, retryAfter: nil))
    }

    // MARK: The turn

    /// Does what is due by now.
    func expire(now: Int64) {
        if case .file = destination, let batch = ready.first {
            ready.removeFirst()
            take(host.fileDestination.deliver(batch.records, of: self), of: batch.number)
        }
        if let retryAt, retryAt <= now { self.retryAt = nil }
        if let deadline = flush.deadline, deadline <= now { take(.time) }
    }

    /// Does what is to be done, as far as the suite lets it.
    ///
    /// - Returns: Whether anything was done.
    func advance() -> Bool {
        if let invocation, invocation.call.isAnswered, !isAnswered {
            // Cancelled: the answer is out, and what is on its way is still settled.
            isAnswered = true
            cancel()
        }
        var progress = send()
        guard retryAt == nil else { return progress }
        while let action = todo.first {
            if case .finish(let ending) = action {
                // The last one; what was settled must be stored before anybody is told.
                guard uncommitted.isEmpty else { return progress }
                todo = []
                end(ending)
                return true
            }
            // Taken out first: where the transaction is lost, what was done in it comes back.
            todo.removeFirst()
            do throws(SuiteError) {
                try perform(action)
            } catch {
                guard refuse(action, error) else {
                    todo.insert(action, at: 0)
                    return progress
                }
            }
            progress = true
        }
        return progress
    }

    private func perform(_ action: Flush.Action) throws(SuiteError) {
        switch action {
        case .read(let after, let records, let bytes):
            guard after < newest else { return take(.read([], isEnd: true)) }
            var damaged: [DamagedRecord] = []
            let read = try suite.deliverable(after + 1...newest, limit: records, byteLimit: bytes) {
                damaged.append($0)
            }
            if !damaged.isEmpty { take(.damaged(damaged)) }
            let last = [read.last?.id, damaged.last?.id].compactMap { $0 }.max()
            take(.read(read, isEnd: last ?? newest == newest))
        case .claim(let number, _) where isCancelled: fail(number, "it was to stop")
        case .claim(let number, let records):
            claims[number] = try suite.claim(IDRuns(records.lazy.map(\.id)), for: destination.name)
            // From here on nobody else can remove any.
            let removed = (try? suite.missing(records.map(\.id))) ?? []
            if !removed.isEmpty { take(.removed(number, removed)) }
            uncommitted.append(.claim(number, records.filter { !removed.contains($0.id) }))
        case .settle(let number, let settlement):
            guard let claim = claims[number] else { return }
            try suite.settle(claim, settlement, destination: destination.name, now: host.clock.wallTime())
            uncommitted.append(action)
        case .note(let failures, let pause, let problem):
            var totals = DeliveryTotals(destination: destination.name)
            totals.failures = failures
            totals.notBefore = pause.map { host.clock.wallTime() + $0 }
            totals.problem = problem
            try suite.note(totals)
            uncommitted.append(action)
        case .finish: break
        }
    }

    /// Takes the suite's refusal.
    ///
    /// - Returns: Whether the action is given up: not when it is settled what became of records, which must be stored.
    private func refuse(_ action: Flush.Action, _ error: SuiteError) -> Bool {
        if case .transactionLost(let text) = error { host.lose(suite, text) }
        let isWaiting = error == .busy && Clock.monotonic() - (failingSince ?? .max) < host.configuration.busyLimit
        switch action {
        case .settle: break
        case .claim(let number, _) where !isWaiting:
            take(.refused(error))
            fail(number, error.text)
            return true
        case .read where !isWaiting:
            // In this order: nothing more to read would end the flush as if all was well.
            take(.refused(error))
            take(.read([], isEnd: true))
            return true
        case .note where !isWaiting: return true
        default: break
        }
        tryLater(error)
        return false
    }

    /// Lets the suite be for a while; after a longer one whoever waits for the flush is told, and it is tried on.
    private func tryLater(_ error: SuiteError) {
        let now = Clock.monotonic()
        let since = failingSince ?? now
        failingSince = since
        retryAt = now + min(1_000, max(10, (now - since) / 4))
        guard now - since >= host.configuration.busyLimit else { return }
        if case .transactionLost(let text) = error { refusal = .notStored(text) } else { refusal = error }
        isCancelled = true
        take(.refused(error))
        answer(.refused(error))
        host.letGo(self)
    }

    /// The turn's transaction of the suite is durable.
    func committed() {
        let done = uncommitted
        uncommitted = []
        isBeginning = false
        (failingSince, refusal) = (nil, nil)
        for action in done {
            switch action {
            case .claim(let number, let records): leave(number, records)
            case .settle(let number, _):
                claims[number] = nil
                tell()
            default: break
            }
        }
    }

    /// The turn's transaction of the suite is lost, and with it all that was done in it.
    func lost(_ error: SuiteError) {
        let undone = uncommitted
        uncommitted = []
        // What a dead host had on its way is not settled, so nothing may leave.
        if isBeginning { take(.refused(error)) }
        for action in undone {
            switch action {
            case .claim(let number, _):
                claims[number] = nil
                take(.refused(error))
                fail(number, error.text)
            case .settle:
                todo.insert(action, at: 0)
                tryLater(error)
            default: break
            }
        }
    }

    // MARK: Batches

    private func leave(_ number: Int, _ records: [StoredRecord]) {
        // All of it may have been removed before it left.
        guard !records.isEmpty else { return }
        guard !isCancelled else { return fail(number, "it was to stop") }
        ready.append((number, records))
    }

    /// Lets batches leave for a bundle; not while an old process of it is finishing others.
    ///
    /// - Returns: Whether any left.
    private func send() -> Bool {
        guard case .bundle(let name) = destination, !ready.isEmpty, !host.isLeaving(name) else { return false }
        let leaving = ready
        ready = []
        for (number, records) in leaving {
            let isProbe = flush.isProbing || records.contains { $0.timesUncertain > 0 }
            host.deliver(records, of: self, to: name, isProbe: isProbe) { [weak self] in self?.take($0, of: number) }
        }
        return true
    }

    private func take(_ result: Result<DeliveryReply, DeliveryFailure>, of number: Int) {
        switch result {
        case .success(let reply): take(.answered(number, reply))
        case .failure(let failure):
            host.logger.warning("flushing \(suite.name) to \(destination.name): \(failure.problem)")
            take(
                .failed(number, problem: failure.problem, hasLeft: failure.hasLeft, retryAfter: failure.retryAfter)
            )
        }
    }
}
