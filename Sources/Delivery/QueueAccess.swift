internal import Suites

/// Whether the queue can be used now, or is left alone until the next attempt.
struct QueueAccess {
    private(set) var retry: Retry
    /// Why the queue does not store what is known, once that lasts longer than the patience.
    private(set) var refusal: SuiteError?

    init(_ retry: Retry) { self.retry = retry }

    /// Whether an action of the queue may be tried.
    var isOpen: Bool { retry.nextTry == nil }

    mutating func expire(at now: Int64) { retry.expire(at: now) }

    /// Leaves the queue alone for a while.
    mutating func fail(at now: Int64) {
        // During a pause nothing is tried, so this is the failure that led to it.
        if isOpen { retry.fail(at: now) }
    }

    /// Gives up on the request; the queue is still tried.
    mutating func refuse(_ error: SuiteError) {
        if case .transactionLost(let text) = error { refusal = .notStored(text) } else { refusal = error }
    }

    /// Ends the pause: nothing that the queue refused is tried again.
    mutating func resume() { retry.reset() }

    /// The queue took a change.
    mutating func restore() {
        retry.reset()
        refusal = nil
    }
}
