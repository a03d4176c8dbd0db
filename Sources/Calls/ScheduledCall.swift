package import Platform

/// The state and the accesses of a call, from which its ``Scheduler`` decides when it runs.
package class ScheduledCall {
    /// The state of a call; times are on the monotonic clock in milliseconds.
    package enum State {
        /// Its params were read.
        case parsed
        /// It waits for earlier calls.
        case waiting(since: Int64)
        /// Another extension has its notification, and may change its accesses; it keeps its place.
        case away(since: Int64)
        /// Another process has locked its suite.
        case busy(since: Int64, Retry)
        /// It was started and has not ended.
        case running
        case finished
    }

    /// Changed only by the scheduler, except that a waiting call may change from one state of waiting to another.
    var state = State.parsed
    /// Its place in the order of its connection; 0 until it waits or runs.
    var number = 0
    /// The accesses that the scheduler has registered for it.
    var held: [Access] = []
    /// The calls that wait for it.
    var followers: [ScheduledCall] = []

    /// Its accesses now.
    var accesses: [Access] { [] }

    /// Whether it was answered before it ran.
    package var isDropped: Bool { false }

    /// Whether it has not started.
    package var isWaiting: Bool {
        switch state {
        case .waiting, .away, .busy: true
        case .parsed, .running, .finished: false
        }
    }

    /// Whether it was started and has not ended.
    var isRunning: Bool { if case .running = state { true } else { false } }

    /// When to try it again, if another process has locked its suite.
    var retryTime: Int64? { if case .busy(_, let retry) = state { retry.nextTry } else { nil } }

    /// Since when it waits for earlier calls.
    var waitingSince: Int64? {
        switch state {
        case .waiting(let since), .away(let since): since
        default: nil
        }
    }

    /// Since when it waits for the process that has locked its suite.
    var busySince: Int64? { if case .busy(let since, _) = state { since } else { nil } }
}
