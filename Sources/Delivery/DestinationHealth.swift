internal import Contract
internal import Platform
internal import Suites

/// Tracks from a destination's answers whether, and with how many records, it may be tried now.
struct DestinationHealth {
    /// The part of an answer that concerns the destination as a whole.
    struct Observation {
        /// Whether any record was delivered.
        var delivered: Bool
        /// Whether the destination gave a verdict on any record.
        var decided: Bool
        /// Whether any record may have been sent.
        var isAmbiguous: Bool
        /// Why the batch was not answered; nil if it was.
        var problem: String?
    }

    /// The failures and the pause.
    private(set) var retry: Retry
    /// Why the last attempt failed.
    private(set) var problem: String?
    /// Whether the destination is tried with one record instead of thousands: the last answer was ambiguous, or
    /// records that may have been sent before wait and no answer of this flush was clear.
    private(set) var isProbing = false
    /// Whether an answer of this flush was unambiguous.
    private var hasClearAnswer = false

    init(_ retry: Retry, problem: String?) {
        self.retry = retry
        self.problem = problem
    }

    /// Whether a batch may be sent.
    var isOpen: Bool { retry.nextTry == nil }

    /// Ends the pause if it is over.
    mutating func endPauseIfOver(at now: Int64) { retry.endPauseIfOver(at: now) }

    /// Makes the flush end at the next pause.
    mutating func endPatience() { retry.endPatience() }

    /// Starts probing if one of the records may have been sent before.
    mutating func observe(waiting records: [StoredRecord]) {
        if !hasClearAnswer, records.contains(where: { $0.possiblySent > 0 }) { isProbing = true }
    }

    /// Updates the pause, the failures and the probing after an answer.
    ///
    /// - Returns: The change for the queue to store; nil if nothing changed.
    mutating func observe(_ reply: DeliveryReply, _ seen: Observation, at now: Int64) -> Flush.HealthChange? {
        if let stop = reply.stop {
            problem = stop
            return Flush.HealthChange(failures: retry.failures, pause: nil, problem: stop)
        }
        if seen.delivered { retry.restartPatience(at: now) }
        // During a pause another batch has failed, so only a success after the pause shows that the failure is over.
        if seen.decided, !seen.isAmbiguous, isOpen {
            let hadFailed = retry.failures > 0 || problem != nil
            (isProbing, hasClearAnswer, problem) = (false, true, nil)
            retry.clearFailureCount()
            if reply.retryAfter == nil {
                return hadFailed ? Flush.HealthChange(failures: 0, pause: nil, problem: nil) : nil
            }
        }
        guard seen.isAmbiguous || !seen.decided || reply.retryAfter != nil else { return nil }
        if seen.isAmbiguous { isProbing = true }
        problem = seen.problem ?? reply.diagnostics.first?.message ?? reason(reply, seen)
        // The pause that the destination requests is a lower bound: a pause of 0 ms must not cause a flood of requests.
        retry.fail(at: now, pause: reply.retryAfter ?? 0)
        return Flush.HealthChange(failures: retry.failures, pause: retry.nextTry.map { $0 - now }, problem: problem)
    }

    private func reason(_ reply: DeliveryReply, _ seen: Observation) -> String {
        if seen.isAmbiguous { return "it cannot say whether everything arrived" }
        return reply.retryAfter != nil ? "it asks for a pause" : "it accepted nothing"
    }
}

/// Whether the queue can be used now, or must not be tried until a pause is over.
struct QueueAccess {
    private(set) var retry: Retry
    /// Why the queue does not store settlements, once it has failed for longer than the patience.
    private(set) var refusal: SuiteError?

    init(_ retry: Retry) { self.retry = retry }

    /// Whether an action of the queue may be tried.
    var isOpen: Bool { retry.nextTry == nil }

    mutating func endPauseIfOver(at now: Int64) { retry.endPauseIfOver(at: now) }

    /// Counts a failure and begins a pause.
    mutating func fail(at now: Int64) {
        // Nothing is tried during a pause, so an event during one reports the failure that began the pause.
        if isOpen { retry.fail(at: now) }
    }

    /// Keeps the error for the reply and returns it as the client gets it; the queue is still tried.
    mutating func refuse(_ error: SuiteError) -> SuiteError {
        var refusal = error
        if case .transactionLost(let text) = error { refusal = .notStored(text) }
        self.refusal = refusal
        return refusal
    }

    /// Ends the pause, because the flush does not repeat the action that failed.
    mutating func resume() { retry.startOver() }

    /// Resets the failures after the queue has stored a change.
    mutating func restore() {
        retry.startOver()
        refusal = nil
    }
}
