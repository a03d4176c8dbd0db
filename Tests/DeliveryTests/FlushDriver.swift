import Platform
import Suites

@testable import Delivery

/// Drives a flush: performs and commits the actions on its queue at once, and answers for its destination when the test
/// says so.
struct FlushDriver {
    /// The actions of the flush after an event.
    struct Steps {
        var reads: [ClosedRange<Int64>] = []
        var sent: [(records: [StoredRecord], isProbe: Bool)] = []
        var settlements: [Settlement] = []
        var changes: [Flush.HealthChange] = []
        var reports = 0
        var ending: Flush.Ending?

        var batches: [[Int64]] { sent.map { $0.records.map(\.id) } }
        var isNothing: Bool { sent.isEmpty && settlements.isEmpty && ending == nil }
    }

    private(set) var flush: Flush
    /// The number of the batch that was sent last.
    private(set) var lastSent = -1
    /// The batch that the queue refuses to claim.
    var refused: Int?
    private let records: [StoredRecord]
    private let damaged: [DamagedRecord]

    init(
        _ records: [StoredRecord],
        damaged: [DamagedRecord] = [],
        limit: Int64 = .max,
        atOnce: Int = 2,
        pause: Int64? = nil,
        isIdempotent: Bool = false,
        patience: Int64 = 60_000,
        reportInterval: Int64 = 0
    ) {
        self.records = records
        self.damaged = damaged
        var request = Flush.Request(newest: max(records.last?.id ?? 1, damaged.last?.id ?? 1))
        request.limit = limit
        request.batchesAtOnce = atOnce
        request.isIdempotent = isIdempotent
        request.reportInterval = reportInterval
        let policy = RetryPolicy(base: 1_000, limit: 300_000, patience: patience)
        flush = Flush(
            request,
            destinationRetry: Retry(policy, nextTry: pause, start: 0, seed: 1),
            queueRetry: Retry(.lockedQueue(patience: 5_000), seed: 1),
            now: 0
        )
    }

    /// Begins the flush.
    mutating func begin() -> Steps { run(0) }

    /// Passes an event to the flush and performs its actions.
    mutating func handle(_ event: Flush.Event, at now: Int64) -> Steps {
        flush.handle(event, at: now)
        return run(now)
    }

    /// Accepts records of a batch; the others count as not attempted.
    mutating func accept(_ ids: some Sequence<Int64>, of batch: Int, at now: Int64) -> Steps {
        handle(.answered(batch, DeliveryReply(accepting: Array(ids))), at: now)
    }

    private mutating func run(_ now: Int64) -> Steps {
        var steps = Steps()
        var isOver = false
        while !isOver {
            while let action = flush.next() { perform(action, &steps, now) }
            flush.handle(.committed, at: now)
            isOver = true
            while let batch = flush.nextBatch() {
                steps.sent.append((batch.records, batch.isProbe))
                lastSent = batch.number
            }
            if let action = flush.next() ?? flush.readAhead {
                perform(action, &steps, now)
                isOver = false
            }
        }
        return steps
    }

    private mutating func perform(_ action: Flush.Action, _ steps: inout Steps, _ now: Int64) {
        switch action {
        case .read(let range, let count, _):
            steps.reads.append(range)
            let page = records.filter { range.contains($0.id) }.prefix(count)
            flush.handle(.read(QueuePage(Array(page), damaged: damaged.filter { range.contains($0.id) })), at: now)
        case .claim(refused, _): flush.handle(.refused(action, .notStored("full disk")), at: now)
        case .claim(let number, _): flush.handle(.claimed(number, QueueClaim(Int64(number + 1))), at: now)
        case .settle(let number, _, let settlement, let change):
            steps.settlements.append(settlement)
            if let change { steps.changes.append(change) }
            flush.handle(.settled(number), at: now)
        case .report: steps.reports += 1
        case .reply: break
        case .end(let ending): steps.ending = ending
        }
    }
}

/// A record of a flush: an event, or with a value a change of an attribute.
func record(_ id: Int64, user: String? = nil, possiblySent: Int64 = 0, value: String? = nil) -> StoredRecord {
    StoredRecord(
        id: id,
        kind: value == nil ? .customEvent : .customAttribute,
        name: "n",
        value: value,
        time: 0,
        user: user.map { #"{"braze_id":"\#($0)"}"# },
        possiblySent: possiblySent
    )
}

func settlement(_ change: (inout Settlement) -> Void) -> Settlement {
    var settlement = Settlement()
    change(&settlement)
    return settlement
}

extension DeliveryFailure {
    /// The failure of a destination that exited during a batch.
    static let exited = DeliveryFailure("gone", mayHaveArrived: true)
}
