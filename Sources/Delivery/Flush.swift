package import Platform
package import Suites

/// One flush of a queue to a destination, as a state machine without input or output.
///
/// ``handle(_:at:)`` receives events; ``next()`` and ``nextBatch()`` return what the caller must do. Each batch is
/// claimed in the queue before it is sent, and settled there once its answer is known; both are effective when the
/// queue's transaction is committed. Times are milliseconds of the monotonic clock.
package struct Flush {
    package private(set) var progress: FlushProgress
    private var window: BatchWindow
    private var batches = BatchTable()
    private var health: DestinationHealth
    private var access: QueueAccess
    private var reports: ReportPacer
    private var ending: Ending?
    private var announcement = Announcement.open
    /// Whether an ambiguous record may be offered until it is confirmed.
    private let isIdempotent: Bool
    /// Whether records that the destination cannot accept as they are become dead letters.
    private let rejectsHeldRecords: Bool
    /// The records that were revoked while a batch with them was sent, by the number of the batch.
    private var revokedInBatches: [Int: Set<Int64>] = [:]
    /// Whether the transaction in which the flush began is still open.
    ///
    /// If it is lost, the records that a dead host or an earlier flush sent are unsettled again, and must be settled
    /// before they may be sent.
    private var isInFirstTransaction: Bool
    /// The time of the last event.
    private var now: Int64

    /// How far the ending was announced: not at all, the reply is due, the reply was returned, `end` was returned.
    private enum Announcement { case open, due(Ending), replied, over }

    /// A flush that begins.
    ///
    /// - Parameters:
    ///   - request: The parameters.
    ///   - destinationRetry: The failures of the destination so far.
    ///   - problem: Why the destination failed.
    ///   - queueRetry: The retry state for a queue that another process has locked.
    ///   - progress: The outcome of the records that a host was sending when it died.
    ///   - beganInTransaction: Whether the queue has a transaction open, in which those records may be settled.
    ///   - now: The current time.
    package init(
        _ request: Request,
        destinationRetry: Retry,
        problem: String? = nil,
        queueRetry: Retry,
        progress: FlushProgress = FlushProgress(),
        beganInTransaction: Bool = false,
        now: Int64
    ) {
        self.progress = progress
        isInFirstTransaction = beganInTransaction
        isIdempotent = request.isIdempotent
        rejectsHeldRecords = request.rejectsHeldRecords
        self.now = now
        window = BatchWindow(
            newest: request.newest,
            limit: request.limit,
            batchesAtOnce: request.batchesAtOnce,
            user: request.user
        )
        health = DestinationHealth(destinationRetry, problem: problem)
        health.endPauseIfOver(at: now)
        access = QueueAccess(queueRetry)
        reports = ReportPacer(interval: request.reportInterval)
        endIfDone()
    }

    // MARK: State

    /// When ``Event/expired`` is due.
    package var deadline: Int64? { [health.retry.nextTry, access.retry.nextTry].compactMap(\.self).min() }

    /// The remaining pause before the destination is tried again, in milliseconds.
    package func pause(at now: Int64) -> Int64? { health.retry.nextTry.map { max(0, $0 - now) } }

    /// Why the last attempt at the destination failed.
    package var problem: String? { health.problem }

    /// Why the queue does not store settlements, if it has failed for longer than the patience; the flush keeps trying.
    package var refusal: SuiteError? { access.refusal }

    /// Whether a change waits for another attempt to store it, within the patience.
    package var isRetryingStore: Bool { refusal == nil && access.retry.nextTry != nil }

    /// Whether a batch may be sent.
    package var hasBatch: Bool { ending == nil && health.isOpen && batches.firstReady != nil }

    // MARK: Actions

    /// The next batch to send; the flush marks it as sent.
    package mutating func nextBatch() -> (number: Int, records: [StoredRecord], isProbe: Bool, sendUntil: Int64?)? {
        guard hasBatch, let (number, sendUntil) = batches.sendFirstReady() else { return nil }
        let records = window.records(of: number)
        return (number, records, health.isProbing || records.contains { $0.possiblySent > 0 }, sendUntil)
    }

    /// The next action.
    ///
    /// An action of the queue is returned until an event reports its outcome, any other action once.
    package mutating func next() -> Action? {
        if reports.consumeReport(progress, at: now) { return .report }
        if case .due(let ending) = announcement {
            announcement = .replied
            return .reply(ending)
        }
        if access.isOpen, let action = queueAction() { return action }
        return batches.isEmpty ? ending.flatMap { finalAction($0) } : nil
    }

    private mutating func queueAction() -> Action? {
        if let batch = batches.firstDecided {
            return .settle(batch.number, claim: batch.claim, batch.settlement, batch.change)
        }
        guard ending == nil, health.isOpen else { return nil }
        if window.isLow, let action = readAction { return action }
        if let number = batches.firstUnclaimed { return .claim(number, window.records(of: number)) }
        guard let batch = window.nextBatch(isProbe: health.isProbing) else { return nil }
        batches.add(batch.number)
        return .claim(batch.number, batch.records)
    }

    private var readAction: Action? {
        window.nextRead.map { .read($0.range, records: $0.records, bytes: $0.bytes) }
    }

    /// The read that prepares the next batches while the destination has one; nil if there is nothing to read now.
    ///
    /// Performed after the batches were written to the destination, so that it does not delay them.
    package var readAhead: Action? {
        ending == nil && health.isOpen && access.isOpen && batches.isAwaiting ? readAction : nil
    }

    private mutating func finalAction(_ ending: Ending) -> Action? {
        if reports.consumeFinalReport(progress, at: now) { return .report }
        switch announcement {
        case .open, .due:
            announcement = .replied
            return .reply(ending)
        case .replied:
            announcement = .over
            return .end(ending)
        case .over: return nil
        }
    }

    // MARK: Events

    package mutating func handle(_ event: Event, at now: Int64) {
        self.now = now
        health.endPauseIfOver(at: now)
        access.endPauseIfOver(at: now)
        switch event {
        case .expired: break
        case .read(let page): read(page)
        case .claimed(let number, let claim): claimed(number, claim)
        case .settled(let number): batches.settled(number)
        case .busy(let action): refused(action, .busy)
        case .refused(let action, let error): refused(action, error)
        case .committed: committed { $0.committed() }
        case .lost(let error): lost(error)
        case .claimsDurable(let claims, let sendUntil):
            committed {
                $0.claimsDurable(claims, sendUntil: sendUntil)
                return false
            }
        case .claimsRefused(let claims): claimsRefused(claims)
        case .settlementsDurable(let claims): committed { $0.settlementsDurable(of: claims) }
        case .settlementsLost(let error): settlementsLost(error)
        case .available: window.resume()
        case .revoked(let ids): revoked(ids)
        case .answered(let number, let reply): decided(number, reply)
        case .failed(let number, let failure):
            var reply = DeliveryReply()
            for record in window.records(of: number) where failure.mayHaveArrived {
                reply.verdicts[record.id] = .ambiguous
            }
            reply.retryAfter = failure.retryAfter
            decided(number, reply, problem: failure.problem)
        case .diagnosed(let diagnostic): progress.add(diagnostic)
        case .expedited: health.endPatience()
        case .cancelled: endFlush(with: .cancelled)
        }
        endIfDone()
    }

    private mutating func read(_ page: QueuePage) {
        window.append(page)
        health.observe(waiting: page.records)
        for row in page.damaged { progress.add(row.diagnostic) }
    }

    private mutating func claimed(_ number: Int, _ claim: QueueClaim) {
        batches.claimed(number, claim)
        removeFromUnsent(number, claim.missing)
    }

    /// Removes records from a batch that was not sent; without any record left, its claim is settled if it has one.
    private mutating func removeFromUnsent(_ number: Int, _ ids: Set<Int64>) {
        window.remove(ids, from: number)
        guard window.records(of: number).isEmpty else { return }
        window.endBatch(number)
        batches.withdraw(number)
    }

    private mutating func revoked(_ ids: Set<Int64>) {
        window.discard(ids)
        for number in batches.unsent { removeFromUnsent(number, ids) }
        for number in batches.sent {
            revokedInBatches[number, default: []].formUnion(ids.intersection(window.records(of: number).map(\.id)))
        }
    }

    private mutating func refused(_ action: Action, _ error: SuiteError) {
        access.fail(at: now)
        let mayTryAgain = error == .busy && !access.retry.isExhausted
        switch action {
        case .settle:
            // The flush keeps trying to store the outcome of sent records; only the reply stops waiting for that.
            guard access.retry.isExhausted, access.refusal == nil else { return }
            let refusal = Ending.refused(access.refuse(error))
            endFlush(with: refusal)
            if case .open = announcement { announcement = .due(refusal) }
        case .read, .claim:
            if case .claim(let number, let records) = action {
                batches.remove(number)
                window.endBatch(number, retrying: records)
            }
            guard !mayTryAgain else { return }
            access.resume()
            endFlush(with: .refused(error))
        case .report, .reply, .end: preconditionFailure("\(action) is not an action of the queue")
        }
    }

    private mutating func committed(_ update: (inout BatchTable) -> Bool) {
        isInFirstTransaction = false
        access.restore()
        let hasSettled = update(&batches)
        if ending != nil { withdraw() }
        if hasSettled { reports.committed(progress, at: now) }
    }

    private mutating func claimsRefused(_ claims: Set<Int64>) {
        let unclaimed = batches.removeClaims(claims)
        guard !unclaimed.isEmpty else { return }
        for number in unclaimed { window.endBatch(number, retrying: window.records(of: number)) }
        if ending == nil { access.fail(at: now) }
    }

    private mutating func lost(_ error: SuiteError) {
        if isInFirstTransaction { endFlush(with: .refused(error)) }
        let unclaimed = batches.removeLostClaims()
        for number in unclaimed { window.endBatch(number, retrying: window.records(of: number)) }
        if !unclaimed.isEmpty { endFlush(with: .refused(error)) }
        settlementsLost(error)
    }

    private mutating func settlementsLost(_ error: SuiteError) {
        guard batches.reopenSettlements(), let batch = batches.firstDecided else { return }
        refused(.settle(batch.number, claim: batch.claim, batch.settlement, batch.change), error)
    }

    private mutating func decided(_ number: Int, _ reply: DeliveryReply, problem: String? = nil) {
        guard batches.isSent(number) else { return }
        let records = window.records(of: number)
        var settlement = Settlement()
        var retried: [StoredRecord] = []
        var undecided = 0
        let revoked = revokedInBatches.removeValue(forKey: number) ?? []
        for record in records {
            let mayRetry = !revoked.contains(record.id)
            switch reply.verdicts[record.id] {
            case .accepted: settlement.delivered.append(record.id)
            case .rejected(let reason): settlement.deadLetters.append((record.id, reason))
            case .held(let reason) where rejectsHeldRecords: settlement.deadLetters.append((record.id, reason))
            case .held(let reason): progress.addHeld(reason)
            case .ambiguous:
                guard AmbiguousDelivery.add(record, to: &settlement, isIdempotent: isIdempotent) else { break }
                undecided += 1
                if mayRetry { retried.append(record.afterAmbiguousDelivery) }
            case nil:
                undecided += 1
                if mayRetry { retried.append(record) }
            }
        }
        window.endBatch(number, retrying: retried)
        progress.add(settlement, reply.diagnostics)
        progress.addRetried(retried.count)
        let seen = DestinationHealth.Observation(
            delivered: !settlement.delivered.isEmpty,
            decided: undecided < records.count,
            isAmbiguous: settlement.ambiguousRecords > 0,
            problem: problem
        )
        let change = ending == nil ? health.observe(reply, seen, at: now) : nil
        batches.decided(number, settlement, change)
        if let stop = reply.stop { endFlush(with: .stopped(stop)) }
    }

    /// Ends the flush if no batch is under way and no further one can be sent now.
    private mutating func endIfDone() {
        guard ending == nil, !batches.hasUnderWay else { return }
        if window.isExhausted, batches.firstReady == nil {
            endFlush(with: .done)
        } else if health.retry.isExhausted, let pause = pause(at: now) {
            endFlush(with: .unavailable(problem: problem ?? "it accepts nothing now", retryAfter: pause))
        }
    }

    /// Ends the flush: nothing more is sent.
    ///
    /// An error of the queue replaces any other ending.
    private mutating func endFlush(with ending: Ending) {
        if case .refused = ending { self.ending = ending } else { self.ending = self.ending ?? ending }
        withdraw()
    }

    /// Withdraws the batches that were not sent; ``committed(_:)`` does it again for those whose claims were being stored.
    private mutating func withdraw() {
        for number in batches.withdraw() { window.endBatch(number, retrying: window.records(of: number)) }
    }
}
