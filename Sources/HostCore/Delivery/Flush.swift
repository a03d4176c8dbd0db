internal import Contract
internal import Suites

/// One flush of a suite to a destination, without any input or output.
///
/// Times are milliseconds of the monotonic clock. Each event returns what is to
/// be done, in order. Records go claim → deliver → settle: a batch is claimed in
/// the suite before it leaves, and settled there when its answer is known.
struct Flush {
    /// What happened.
    enum Event {
        /// The flush begins, or the time of ``deadline`` came.
        case time
        /// Records were read.
        case read([StoredRecord], isEnd: Bool)
        /// Some of the rows that were read are no records.
        case damaged([DamagedRecord])
        /// Somebody removed records of a batch that did not leave yet.
        case removed(Int, Set<Int64>)
        /// A batch was answered.
        case answered(Int, DeliveryReply)
        /// A batch was not answered; where it never left, none of it can be there.
        case failed(Int, problem: String, hasLeft: Bool, retryAfter: Int64?)
        /// Nobody will wait any longer than for what is on its way.
        case hurried
        /// No further batch is to leave.
        case cancelled
        /// The suite refused something.
        case refused(SuiteError)
    }

    /// What to do.
    enum Action: Equatable {
        /// Read the next records.
        case read(after: Int64, records: Int, bytes: Int)
        /// Note the batch in the suite and, once that is committed, let it leave.
        case claim(Int, [StoredRecord])
        /// Note in the suite what became of a batch.
        case settle(Int, Settlement)
        /// Note in the suite how often the destination failed and when it may be tried again.
        case note(failures: Int, pause: Int64?, problem: String?)
        /// Tell whoever asked how it ended; nothing is on its way any more.
        case finish(Ending)
    }

    /// How a flush ended.
    enum Ending: Equatable {
        /// Everything that could be taken was.
        case done
        /// An operator has to act, as the destination says.
        case stopped(String)
        /// The destination takes nothing now; with the pause until it may be tried again.
        case unavailable(problem: String, retryAfter: Int64)
        /// It was to stop.
        case cancelled
        /// The suite refused something.
        case refused(SuiteError)
    }

    /// What was done so far.
    struct Progress: Equatable {
        var delivered: Int64 = 0
        var rejected: Int64 = 0
        var possiblySent: Int64 = 0
        /// Records that stay pending because the destination cannot take them as they are, by its reasons.
        var held: [String: Int64] = [:]
        var diagnostics: [Diagnostic] = []

        var heldRecords: Int64 { held.values.reduce(0, +) }
    }

    /// The greatest number of reasons and of remarks that are told.
    private static let toldLimit = 20

    private(set) var progress = Progress()
    /// When ``Event/time`` is due.
    private(set) var deadline: Int64?
    /// Why nothing was taken last.
    private(set) var problem: String?

    private let batchesAtOnce: Int
    private var patience: Int64
    private var left: Int64
    private var queue: DeliveryQueue
    private var nextBatch = 0
    private var backoff: Backoff
    private var lastRead: Int64 = 0
    private var isReading = false
    private var hasReadAll = false
    private var lastProgress: Int64
    /// Whether the destination's last answer was ambiguous, or nothing is known of it yet while ambiguous records
    /// wait: then one record tries it, not thousands.
    private(set) var isProbing = false
    /// Whether an answer of this flush said what became of every record.
    private var hasClearAnswer = false
    private var ending: Ending?
    private var isFinished = false

    /// A flush.
    ///
    /// - Parameters:
    ///   - limit: The greatest number of records that are offered.
    ///   - batchesAtOnce: How many batches may be on their way.
    ///   - backoff: The destination's failures so far.
    ///   - pause: How long nothing may be sent yet.
    ///   - problem: Why that is.
    ///   - possiblySent: How many records a host that died may have sent.
    ///   - rejected: How many of these became dead letters.
    ///   - patience: How long it goes on while nothing is taken.
    ///   - user: Whom records without a user are about, as JSON text.
    ///   - now: The time.
    init(
        limit: Int64,
        batchesAtOnce: Int,
        backoff: Backoff,
        pause: Int64?,
        problem: String?,
        possiblySent: Int64,
        rejected: Int64 = 0,
        patience: Int64,
        user: String? = nil,
        now: Int64
    ) {
        left = limit
        self.batchesAtOnce = batchesAtOnce
        self.backoff = backoff
        self.patience = patience
        queue = DeliveryQueue(user: user)
        self.problem = problem
        progress.possiblySent = possiblySent
        progress.rejected = rejected
        lastProgress = now
        deadline = pause.map { now + $0 }
    }

    /// Whether batches are on their way.
    var isDelivering: Bool { queue.onTheirWay > 0 }

    mutating func event(_ event: Event, now: Int64) -> [Action] {
        var actions: [Action] = []
        switch event {
        case .time: break
        case .read(let records, let isEnd):
            isReading = false
            hasReadAll = isEnd
            lastRead = max(lastRead, records.last?.id ?? 0)
            queue.append(records)
            if !hasClearAnswer, records.contains(where: { $0.timesUncertain > 0 }) { isProbing = true }
        case .damaged(let rows):
            lastRead = max(lastRead, rows.map(\.id).max() ?? 0)
            for row in rows { note(row.diagnostic) }
        case .removed(let batch, let ids): actions = remove(ids, from: batch)
        case .answered(let batch, let reply):
            actions = take(reply, of: batch, now)
        case .failed(let batch, let problem, let hasLeft, let retryAfter):
            var reply = DeliveryReply()
            for record in queue.batch(batch) ?? [] where hasLeft { reply.verdicts[record.id] = .uncertain }
            reply.retryAfter = retryAfter
            actions = take(reply, of: batch, problem: problem, now)
        case .hurried: patience = 0
        case .cancelled: ending = ending ?? .cancelled
        case .refused(let error): ending = .refused(error)
        }
        return actions + proceed(now)
    }

    // MARK: Answers

    private mutating func take(
        _ reply: DeliveryReply,
        of batch: Int,
        problem: String? = nil,
        _ now: Int64
    ) -> [Action] {
        guard let records = queue.batch(batch) else { return [] }
        var settlement = Settlement()
        var again: [StoredRecord] = []
        for record in records {
            switch reply.verdicts[record.id] {
            case .accepted: settlement.delivered.append(record.id)
            case .rejected(let reason): settlement.buried.append((record.id, reason))
            case .held(let reason): hold(reason)
            case .uncertain:
                if Doubt.add(record, to: &settlement) { again.append(record.inDoubt) }
            case nil: again.append(record)
            }
        }
        left += Int64(again.count)
        queue.end(batch, again: again)
        progress.delivered += Int64(settlement.delivered.count)
        progress.rejected += Int64(settlement.buried.count)
        progress.possiblySent += settlement.possiblySent
        for diagnostic in reply.diagnostics { note(diagnostic) }
        let took = again.count < records.count
        return [.settle(batch, settlement)] + judge(reply, settlement, took: took, problem, now)
    }

    /// Keeps a remark, once and up to a limit, for whoever asked.
    mutating func note(_ diagnostic: Diagnostic) {
        guard progress.diagnostics.count < Self.toldLimit, !progress.diagnostics.contains(diagnostic) else { return }
        progress.diagnostics.append(diagnostic)
    }

    private mutating func remove(_ ids: Set<Int64>, from batch: Int) -> [Action] {
        left += Int64(queue.remove(ids, from: batch))
        guard queue.batch(batch)?.isEmpty == true else { return [] }
        queue.end(batch, again: [])
        return [.settle(batch, Settlement())]
    }

    private mutating func hold(_ reason: String) {
        let isTold = progress.held[reason] != nil || progress.held.count < Self.toldLimit
        progress.held[isTold ? reason : "other reasons", default: 0] += 1
    }

    /// Decides from an answer when the destination may be tried again.
    private mutating func judge(
        _ reply: DeliveryReply,
        _ settlement: Settlement,
        took: Bool,
        _ problem: String?,
        _ now: Int64
    ) -> [Action] {
        guard ending == nil else { return [] }
        if let stop = reply.stop {
            ending = .stopped(stop)
            self.problem = stop
            return [.note(failures: backoff.failures, pause: nil, problem: stop)]
        }
        if !settlement.delivered.isEmpty { lastProgress = now }
        let isInDoubt = settlement.possiblySent > 0
        // Another batch may have failed meanwhile; only a success that follows a failure says that it is over.
        if took, !isInDoubt, deadline == nil {
            isProbing = false
            hasClearAnswer = true
            let failed = backoff.failures > 0 || self.problem != nil
            backoff.reset()
            self.problem = nil
            if reply.retryAfter == nil { return failed ? [.note(failures: 0, pause: nil, problem: nil)] : [] }
        }
        guard isInDoubt || !took || reply.retryAfter != nil else { return [] }
        if isInDoubt { isProbing = true }
        // What the destination asks for is the least pause: one of 0 ms must not make a storm of requests.
        let pause = max(reply.retryAfter ?? 0, backoff.pause())
        let why =
            isInDoubt
            ? "it cannot say whether everything arrived"
            : reply.retryAfter != nil ? "it asks for a pause" : "it took nothing"
        self.problem = problem ?? reply.diagnostics.first?.message ?? why
        let end = max(deadline ?? 0, now + pause)
        deadline = end
        return [.note(failures: backoff.failures, pause: end - now, problem: self.problem)]
    }

    // MARK: What is next

    /// Whether nothing is left to be offered.
    private var isThrough: Bool { hasReadAll && queue.isEmpty || left == 0 }

    private mutating func proceed(_ now: Int64) -> [Action] {
        if let ending { return finish(ending) }
        if let deadline, deadline > now {
            // Whatever is on its way is waited for in any case.
            guard !isDelivering else { return [] }
            if isThrough { return finish(.done) }
            guard deadline > lastProgress + patience else { return [] }
            return finish(.unavailable(problem: problem ?? "it takes nothing now", retryAfter: deadline - now))
        }
        deadline = nil
        var actions = read()
        while queue.onTheirWay < (isProbing ? 1 : batchesAtOnce) {
            let limit = min(left, Int64(isProbing ? 1 : DeliveryQueue.batchRecords))
            let records = queue.takeBatch(nextBatch, limit: Int(limit))
            guard !records.isEmpty else { break }
            left -= Int64(records.count)
            actions.append(.claim(nextBatch, records))
            nextBatch += 1
        }
        return !isDelivering && !isReading && isThrough ? actions + finish(.done) : actions
    }

    private mutating func read() -> [Action] {
        let room = queue.room
        guard !isReading, !hasReadAll, left > 0, room.records >= DeliveryQueue.batchRecords, room.bytes > 0 else {
            return []
        }
        isReading = true
        return [.read(after: lastRead, records: room.records, bytes: room.bytes)]
    }

    private mutating func finish(_ ending: Ending) -> [Action] {
        self.ending = ending
        deadline = nil
        guard !isDelivering, !isReading, !isFinished else { return [] }
        isFinished = true
        return [.finish(ending)]
    }
}
