internal import Delivery
internal import Logging
internal import Platform
internal import Suites

/// What the owner of a flush does for it.
protocol FlushRunDelegate: AnyObject {
    /// Reports, replies or ends, as the flush decided.
    func flush(_ run: FlushRun, wants action: Flush.Action)

    /// The transaction of the queue is lost; everything that was done in it has to be known as lost now.
    func flush(_ run: FlushRun, lostTransaction text: String)
}

/// Carries out what a ``Flush`` decides: changes the queue and delivers batches.
final class FlushRun {
    let destination: any Destination
    /// When the flush began, in milliseconds of the monotonic clock.
    let start: Int64
    private(set) var flush: Flush
    private let queue: any RecordQueue
    private let queueName: String
    private let user: String?
    private let clock: Clock
    private let logger: Logger
    weak var delegate: (any FlushRunDelegate)?

    /// A flush that begins.
    ///
    /// - Parameters:
    ///   - flush: What decides.
    ///   - queue: Where the records are.
    ///   - name: The name of the queue.
    ///   - destination: Where the records go.
    ///   - user: The user of records that name none, as JSON text.
    ///   - clock: The wall time.
    ///   - logger: Takes the failures.
    ///   - start: The time, in milliseconds of the monotonic clock.
    init(
        _ flush: Flush,
        queue: any RecordQueue,
        named name: String,
        to destination: any Destination,
        user: String?,
        clock: Clock,
        logger: Logger,
        start: Int64
    ) {
        self.flush = flush
        self.queue = queue
        queueName = name
        self.destination = destination
        self.user = user
        self.clock = clock
        self.logger = logger
        self.start = start
    }

    /// When ``expire()`` is due, in milliseconds of the monotonic clock.
    var deadline: Int64? { destination.isBlocking && flush.hasBatch ? 0 : flush.deadline }

    /// Tells the flush what happened.
    func handle(_ event: Flush.Event) { flush.handle(event, at: Clock.monotonic()) }

    /// Lets what is due happen.
    func expire() {
        handle(.expired)
        if destination.isBlocking { _ = deliverBatch() }
    }

    /// Does what the flush wants done, as far as the queue and the destination allow it.
    ///
    /// - Returns: Whether anything was done.
    func advance() -> Bool {
        var progressed = false
        while flush.hasBatch, !destination.isBlocking, destination.isReady, deliverBatch() { progressed = true }
        while let action = flush.next() {
            progressed = true
            do throws(SuiteError) {
                try perform(action)
            } catch {
                if case .transactionLost(let text) = error { delegate?.flush(self, lostTransaction: text) }
                handle(error == .busy ? .busy(action) : .refused(action, error))
            }
        }
        return progressed
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
                DestinationState(failures: $0.failures, notBefore: $0.pause.map { now + $0 }, problem: $0.problem)
            }
            try queue.settle(claim, settlement, destination: destination.name, state: state, now: now)
            handle(.settled(number))
        case .report, .reply, .end: delegate?.flush(self, wants: action)
        }
    }

    private func deliverBatch() -> Bool {
        guard let (number, records, isProbe) = flush.nextBatch() else { return false }
        let batch = DeliveryBatch(queue: queueName, records: records, user: user, isProbe: isProbe)
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
