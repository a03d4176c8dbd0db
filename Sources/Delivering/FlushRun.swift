package import Delivery
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
package final class FlushRun {
    package let destination: any Destination
    /// When the flush began, in milliseconds of the monotonic clock.
    package let start: Int64
    package private(set) var flush: Flush
    private let queue: any RecordQueue
    private let queueName: String
    /// The identifier of the queue, for an idempotent destination.
    package var identity: String?
    /// The part of the destination's rate limit that this host may use; nil if it is all of it.
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
        self.flush = flush
        self.queue = queue
        queueName = name
        self.identity = identity
        self.destination = destination
        self.user = user
        self.clock = clock
        self.logger = logger
        self.start = start
    }

    /// When ``expire()`` is due, in milliseconds of the monotonic clock.
    package var deadline: Int64? { flush.readAhead != nil ? 0 : flush.deadline }

    /// Passes an event to the flush.
    package func handle(_ event: Flush.Event) { flush.handle(event, at: Clock.monotonic()) }

    /// Handles the deadlines that have passed, and reads ahead.
    package func expire() {
        handle(.expired)
        if let action = flush.readAhead { attempt(action) }
    }

    /// Performs the actions of the flush as far as the queue and the destination allow.
    ///
    /// - Returns: Whether anything was done.
    package func advance() -> Bool {
        var progressed = false
        while flush.hasBatch, destination.isReady, deliverBatch() { progressed = true }
        while let action = flush.next() {
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
                    configuration: destination.configuration
                )
            }
            try queue.settle(claim, settlement, destination: destination.name, state: state, now: now)
            handle(.settled(number))
        case .report, .reply, .end: delegate?.flush(self, wants: action)
        }
    }

    private func deliverBatch() -> Bool {
        guard let (number, records, isProbe) = flush.nextBatch() else { return false }
        let batch = OutgoingBatch(
            queue: records.first?.suite ?? queueName,
            identity: identity,
            records: records,
            user: user,
            isProbe: isProbe,
            rateShare: rateShare
        )
        destination.deliver(batch) { [weak self] outcome in
            guard let self else { return }
            if let diagnostic = outcome.diagnostic { handle(.diagnosed(diagnostic)) }
            switch outcome.result {
            case .success(let reply): handle(.answered(number, reply))
            case .failure(let failure):
                logger.warning("flushing \(queueName) to \(destination.name): \(failure.problem)")
                handle(.failed(number, failure))
            }
        }
        return true
    }
}
