internal import JSON
internal import JSONRPC
internal import Logging
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

    private unowned let host: Host
    private let right: FlushLock
    private var flush: Flush
    private let start = Clock.monotonic()
    /// What is to be done, in order.
    private var todo: [Flush.Action] = []
    /// What was done in the open transaction.
    private var uncommitted: [Flush.Action] = []
    /// The claims of batches that are on their way.
    private var claims: [Int: Int64] = [:]
    /// Batches for the file, which are written one a turn.
    private var fileBatches: [(number: Int, records: [StoredRecord])] = []
    /// When the suite is to be tried again, and since when it fails.
    private var retry: (at: Int64, since: Int64)?
    /// When subscribers were told last, and of how many records.
    private var told: (at: Int64, records: Int64)?
    /// How the flush ended, once everything is settled.
    private(set) var ending: Flush.Ending?
    /// Whether whoever asked was answered.
    private var isAnswered = false

    init(
        suite: Suite,
        destination: Destination,
        user: JSON?,
        right: FlushLock,
        flush: Flush,
        newest: Int64,
        invocation: Invocation?,
        host: Host
    ) {
        self.suite = suite
        self.destination = destination
        self.user = user?.description
        self.right = right
        self.flush = flush
        self.newest = newest
        self.invocation = invocation
        self.host = host
        take(.time)
    }

    var progress: Flush.Progress { flush.progress }
    var problem: String? { flush.problem }

    /// When something is due, on the monotonic clock in milliseconds.
    var deadline: Int64? {
        if !fileBatches.isEmpty { return 0 }
        guard let retry else { return flush.deadline }
        return min(retry.at, flush.deadline ?? .max)
    }

    /// How long until the destination is tried again, while that is waited for.
    var pause: Int64? { flush.deadline.map { max(0, $0 - Clock.monotonic()) } }

    /// Whether nothing but a suite that refuses what was settled keeps it from its end.
    var isStuck: Bool { isAnswered && ending == nil }

    func take(_ event: Flush.Event) { todo += flush.event(event, now: Clock.monotonic()) }

    /// No further batch leaves; those that are claimed and did not leave never will.
    func cancel() {
        take(.cancelled)
        for (number, _) in fileBatches { fail(number, "it was to stop") }
        fileBatches = []
    }

    private func fail(_ number: Int, _ problem: String) {
        take(.failed(number, problem: problem, hasLeft: false, retryAfter: nil))
    }

    // MARK: The turn

    /// Does what is due by now.
    func expire(now: Int64) {
        if let batch = fileBatches.first {
            fileBatches.removeFirst()
            take(host.fileDestination.deliver(batch.records, of: self), of: batch.number)
        }
        if let retry, retry.at <= now { self.retry?.at = 0 }
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
        guard retry.map({ $0.at == 0 }) ?? true else { return false }
        var progress = false
        while let action = todo.first {
            if case .finish(let ending) = action {
                // The last one; what was settled must be stored before anybody is told.
                guard uncommitted.isEmpty else { return progress }
                todo = []
                end(ending)
                return true
            }
            todo.removeFirst()
            do throws(SuiteError) {
                try perform(action)
                retry = nil
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
            let read = try suite.deliverable(after + 1...newest, limit: records, byteLimit: bytes)
            take(.read(read, isEnd: read.last.map { $0.id == newest } ?? true))
        case .claim(let number, let records):
            claims[number] = try suite.claim(IDRuns(records.lazy.map(\.id)), for: destination.name)
            uncommitted.append(action)
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
        let now = Clock.monotonic()
        let since = retry?.since ?? now
        let isWaiting = error == .busy && now - since < host.configuration.busyLimit
        switch action {
        case .settle: break
        case .claim(let number, _) where !isWaiting:
            take(.refused(error))
            fail(number, error.text)
            return true
        case .read where !isWaiting:
            take(.read([], isEnd: true))
            take(.refused(error))
            return true
        case .note where !isWaiting: return true
        default: break
        }
        retry = (now + min(1_000, max(10, (now - since) / 4)), since)
        // Whoever asked is told in time; the settlement is tried on.
        if now - since >= host.configuration.busyLimit { answer(.refused(error)) }
        return false
    }

    /// The turn's transaction of the suite is durable.
    func committed() {
        let done = uncommitted
        uncommitted = []
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
        for action in undone {
            switch action {
            case .claim(let number, _):
                claims[number] = nil
                take(.refused(error))
                fail(number, error.text)
            case .settle:
                let now = Clock.monotonic()
                todo.insert(action, at: 0)
                retry = (now + 100, retry?.since ?? now)
            default: break
            }
        }
    }

    // MARK: Batches

    private func leave(_ number: Int, _ records: [StoredRecord]) {
        switch destination {
        case .file: fileBatches.append((number, records))
        case .bundle(let name):
            host.deliver(records, of: self, to: name) { [weak self] in self?.take($0, of: number) }
        }
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

    // MARK: Telling

    /// How often subscribers are told, in milliseconds; where time is fixed they are told of every batch.
    private static let tellingPause: Int64 = 100

    private func tell(isLast: Bool = false) {
        let now = Clock.monotonic()
        let isFixed = host.configuration.isReproducible
        let records = progress.delivered + progress.rejected
        guard records != told?.records ?? 0,
            isFixed || isLast || told.map({ now - $0.at >= Self.tellingPause }) ?? true
        else { return }
        told = (now, records)
        host.publish(.progress) { [self] in
            var members: [(String, JSON)] = [
                ("suite", .string(suite.name.text)), ("to", .string(destination.name)),
                ("delivered", .integer(progress.delivered)), ("rejected", .integer(progress.rejected)),
                ("remaining", .integer((try? suite.freeRecords(now: host.clock.wallTime())) ?? 0)),
            ]
            // A rate is never the same twice.
            if !isFixed {
                members.append(("rate", .integer(progress.delivered * 1000 / max(1, now - start))))
            }
            return .object(JSON.Object(members))
        }
    }

    private func end(_ ending: Flush.Ending) {
        tell(isLast: true)
        self.ending = ending
        answer(ending)
    }

    private func answer(_ ending: Flush.Ending) {
        guard !isAnswered else { return }
        isAnswered = true
        guard let invocation else { return }
        host.finish(invocation, host.result(of: self, ending))
    }
}
