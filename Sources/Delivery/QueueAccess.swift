internal import Platform
internal import Suites

/// Whether the queue can be used now, or must not be tried until a pause is over.
struct QueueAccess {
    private(set) var retry: Retry
    /// Why the queue does not store settlements, once it has failed for longer than the patience.
    private(set) var refusal: SuiteError?

    init(_ retry: Retry) { self.retry = retry }

    /// Whether an action of the queue may be tried.
    var isOpen: Bool { retry.nextTry == nil }

    mutating func expire(at now: Int64) { retry.expire(at: now) }

    /// Counts a failure and begins a pause.
    mutating func fail(at now: Int64) {
        // Nothing is tried during a pause, so an event during one reports the failure that began the pause.
        if isOpen { retry.fail(at: now) }
    }

    /// Records the error for the reply; the queue is still tried.
    mutating func refuse(_ error: SuiteError) {
        if case .transactionLost(let text) = error { refusal = .notStored(text) } else { refusal = error }
    }

    /// Ends the pause, because the flush does not repeat the action that failed.
    mutating func resume() { retry.reset() }

    /// Resets the failures after the queue has stored a change.
    mutating func restore() {
        retry.reset()
        refusal = nil
    }
}
