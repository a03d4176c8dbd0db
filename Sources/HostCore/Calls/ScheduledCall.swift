internal import Delivery

/// A call as its ``Scheduler`` sees it: where it stands, and what it touches.
class ScheduledCall {
    /// Where a call stands; times are on the monotonic clock in milliseconds.
    enum State {
        /// Its params were read.
        case parsed
        /// It waits for earlier calls.
        case waiting(since: Int64)
        /// Another extension has it, which may change what it touches; it keeps its place.
        case away(since: Int64)
        /// Another process holds its suite.
        case busy(since: Int64, Retry)
        /// It was started and is not over.
        case running
        case finished
    }

    /// Changed by the scheduler alone, except that a waiting call may move between the states of waiting.
    var state = State.parsed
    /// Its place in the order of its connection; 0 until it waits or runs.
    var number = 0
    /// What the scheduler has noted that it holds.
    var held: [Access] = []
    /// The calls that are parked behind it.
    var followers: [ScheduledCall] = []

    /// What it touches now.
    var accesses: [Access] { [] }

    /// Whether it was answered before it ran.
    var isDropped: Bool { false }

    /// Whether it has not started.
    var isWaiting: Bool {
        switch state {
        case .waiting, .away, .busy: true
        case .parsed, .running, .finished: false
        }
    }

    /// Whether it was started and is not over.
    var isRunning: Bool { if case .running = state { true } else { false } }

    /// When it is to be tried again, if another process holds its suite.
    var retryTime: Int64? { if case .busy(_, let retry) = state { retry.nextTry } else { nil } }

    /// Since when it waits for earlier calls.
    var waitingSince: Int64? {
        switch state {
        case .waiting(let since), .away(let since): since
        default: nil
        }
    }

    /// Since when another process keeps it from its suite.
    var busySince: Int64? { if case .busy(let since, _) = state { since } else { nil } }
}
