internal import Calls
internal import Configuration
package import Contract
package import Delivery
package import JSON
internal import JSONRPC
package import Logging
package import Platform
internal import Suites

/// The owner of a flush.
package protocol FlushRunDelegate: AnyObject {
    /// Performs an action of the flush that does not concern the queue: report, reply or end.
    func flush(_ run: FlushRun, wants action: Flush.Action)

    /// Handles that the transaction of the queue is lost, and with it all changes that other calls made in it.
    func flush(_ run: FlushRun, lostTransaction text: String)
}

/// Performs the actions of a ``Flush``: changes the queue and delivers batches.
///
/// A batch is claimed in one turn of the event loop and delivered in a later one: `Outbox` commits the claim and calls
/// `onTransactionEnd`, which `Engine` connects to ``FlushService``; this passes `.committed` to the flush, and ``advance()``
/// delivers the batch. Its settlement is committed in the same way.
package final class FlushRun {
    package let destination: any Destination
    /// The destination's settings when the flush began: a failure says nothing about later ones.
    private let settings: String
    /// When the flush began, in milliseconds of the monotonic clock.
    package let start: Int64
    package private(set) var machine: Flush
    private let queue: any RecordQueue
    private let queueName: String
    /// The identifier of the queue, for an idempotent destination.
    package var identity: String?
    /// The part of the destination's rate limit that this host may use; nil if it shares the limit with no other one.
    package var rateShare: Double?
    private let user: String?
    private let clock: Clock
    private let logger: Logger
    package weak var delegate: (any FlushRunDelegate)?

    /// A flush that begins.
    package init(
        _ flush: Flush,
        queue: any RecordQueue,
        named name: String,
        identity: String?,
        to destination: any Destination,
        user: String?,
        clock: Clock,
        logger: Logger,
        start: Int64
    ) {
        machine = flush
        self.queue = queue
        queueName = name
        self.identity = identity
        self.destination = destination
        settings = destination.settingsToHash
        self.user = user
        self.clock = clock
        self.logger = logger
        self.start = start
    }

    /// When ``expire()`` is due, in milliseconds of the monotonic clock; at once if there is something to read ahead.
    package var deadline: Int64? { machine.readAhead != nil ? 0 : machine.deadline }

    /// Passes an event to the flush.
    package func handle(_ event: Flush.Event) { machine.handle(event, at: Clock.monotonic()) }

    /// Handles the deadlines that have passed, and reads ahead.
    package func expire() {
        handle(.expired)
        if let action = machine.readAhead { attempt(action) }
    }

    /// Performs the actions of the flush as far as the queue and the destination allow.
    ///
    /// - Returns: Whether anything was done.
    package func advance() -> Bool {
        var progressed = false
        while machine.hasBatch, destination.isReady, deliverBatch() { progressed = true }
        while let action = machine.next() {
            progressed = true
            attempt(action)
        }
        return progressed
    }

    private func attempt(_ action: Flush.Action) {
        do throws(SuiteError) {
            try perform(action)
        } catch {
            if case .transactionLost(let text) = error { delegate?.flush(self, lostTransaction: text) }
            handle(error == .busy ? .busy(action) : .refused(action, error))
        }
    }

    private func perform(_ action: Flush.Action) throws(SuiteError) {
        switch action {
        case .read(let range, let records, let bytes):
            handle(.read(try queue.read(range, records: records, bytes: bytes)))
        case .claim(let number, let records):
            handle(.claimed(number, try queue.claim(records.map(\.id), for: destination.name)))
        case .settle(let number, let claim, let settlement, let change):
            let now = clock.wallTime()
            let state = change.map {
                DestinationState(
                    failures: $0.failures,
                    notBefore: $0.pause.map { now + $0 },
                    problem: $0.problem,
                    configuration: settings
                )
            }
            try queue.settle(claim, settlement, destination: destination.name, state: state, now: now)
            handle(.settled(number))
        case .report, .reply, .end: delegate?.flush(self, wants: action)
        }
    }

    private func deliverBatch() -> Bool {
        guard let (number, records, isProbe, sendUntil) = machine.nextBatch() else { return false }
        let batch = OutgoingBatch(
            queue: records.first?.suite ?? queueName,
            identity: identity,
            records: records,
            user: user,
            isProbe: isProbe,
            rateShare: rateShare,
            sendUntil: sendUntil
        )
        destination.deliver(batch) { [weak self] outcome in
            guard let self else { return }
            if let diagnostic = outcome.diagnostic { handle(.diagnosed(diagnostic)) }
            switch outcome.result {
            case .success(let reply): handle(.answered(number, reply))
            case .failure(let failure):
                var metadata: Logger.Metadata = ["batch": "\(number)"]
                if let first = records.first, let last = records.last { metadata["records"] = "\(first.id)-\(last.id)" }
                let text = "flushing \(queueName) to \(destination.name): \(failure.problem)"
                logger.warning("\(text)", metadata: metadata)
                handle(.failed(number, failure))
            }
        }
        return true
    }
}

/// Reports a flush to clients: its progress, status and result.
struct FlushReport {
    private let suite: Suite
    private let destination: String
    private let flush: Flush
    private let clock: Clock
    /// How long the flush has run, in milliseconds; nil if reports must not depend on the speed.
    private let elapsed: Int64?
    /// How long the flush pauses before the next attempt, in milliseconds.
    private let pause: Int64?

    init(_ run: FlushRun, of suite: Suite, _ clock: Clock, _ configuration: HostConfiguration) {
        let now = Clock.monotonic()
        self.suite = suite
        self.clock = clock
        destination = run.destination.name
        flush = run.machine
        elapsed = configuration.isLockStep ? nil : max(1, now - run.start)
        pause = flush.pause(at: now)
    }

    /// The members that name the flush.
    private var identification: MemberList {
        ["suite": .string(suite.name.text), "to": .string(destination)]
    }

    /// Counts the records that are still pending and not leased; reads the suite and the clock, so once for each message.
    private func countRemaining() -> Result<Int64, SuiteError> {
        Result { () throws(SuiteError) in try suite.leases.freeRecords(now: clock.wallTime()) }
    }

    /// The flush as `status` shows it.
    var status: JSON {
        let now: MemberList = ["retryAfter": pause.map(JSON.integer), "problem": flush.problem.map(JSON.string)]
        return JSON(present: identification + flush.progress.members + now)
    }

    /// The number of records that were delivered or became dead letters.
    var settled: Int64 { flush.progress.settled }

    /// The progress in words.
    var text: String {
        "\(flush.progress.delivered) delivered to \(destination), \(flush.progress.deadLetters) rejected"
    }

    /// The params of `$/progress`.
    var notification: JSON {
        let counts: MemberList = [
            "delivered": .integer(flush.progress.delivered), "rejected": .integer(flush.progress.deadLetters),
            "remaining": (try? countRemaining().get()).map(JSON.integer),
            "rate": elapsed.map { .integer(flush.progress.delivered * 1000 / $0) },
        ]
        return JSON(present: identification + counts)
    }

    /// The answer to `flushPending`; an error has the counts, and no diagnostics.
    func result(_ ending: Flush.Ending) -> Result<JSON, RPCError> {
        let remaining = countRemaining()
        // Absent if the suite cannot be read, because 0 would say that nothing is pending.
        let counts = flush.progress.members + ["remaining": (try? remaining.get()).map(JSON.integer)]
        switch ending {
        case .done, .cancelled:
            // Only the end of the host cancels a flush that still has to be answered, and what was delivered is no failure.
            return remaining.map { flush.progress.result(remaining: $0) }
                .mapError { RPCError($0, suite: suite.name).with(counts) }
        case .stopped(let text):
            return .failure(HostError.stopped(destination, text).with(counts))
        case .unavailable(let problem, let pause):
            let text = "\(destination) accepts no records now: \(problem); try again in \(pause) ms"
            return .failure(HostError.destinationUnavailable(text).with(counts + ["retryAfter": .integer(pause)]))
        case .refused(let error): return .failure(RPCError(error, suite: suite.name).with(counts))
        }
    }
}

extension FlushProgress {
    /// The counts under the names of the contract.
    fileprivate var members: MemberList {
        [
            "delivered": .integer(delivered), "rejected": .integer(deadLetters),
            "possiblySent": .integer(ambiguousDeliveries), "held": JSON(positive: heldRecords),
        ]
    }

    /// The result of `flushPending`, with these diagnostics or those of the flush.
    package func result(remaining: Int64, _ others: [Diagnostic]? = nil) -> JSON {
        let diagnostics = (others ?? diagnostics).map(\.json)
        return JSON(present: members + ["remaining": .integer(remaining), "diagnostics": JSON(diagnostics)])
    }
}

extension RPCError {
    /// The same error with further members in its data.
    fileprivate func with(_ members: MemberList) -> RPCError {
        RPCError(code: code, message: message, data: JSON(present: (data?.members ?? [:]) + members))
    }
}
