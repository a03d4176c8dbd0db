internal import Platform

/// How long to wait before something that failed is tried again.
///
/// Pauses grow exponentially, and half of each is random: hosts that failed together do not come back together. Only
/// half, because a pause that is random as a whole could be close to zero.
package struct RetryPolicy: Equatable, Sendable {
    /// The longest first pause, in milliseconds; each further failure doubles it.
    package var base: Int64
    /// The longest pause after any number of failures, in milliseconds.
    package var limit: Int64
    /// How long to go on without success, in milliseconds.
    package var patience: Int64

    package init(base: Int64, limit: Int64, patience: Int64) {
        self.base = base
        self.limit = limit
        self.patience = patience
    }

    /// The policy for a queue that another process holds: soon at first, and never more than a quarter of a second.
    ///
    /// - Parameter patience: How long to go on, in milliseconds.
    /// - Returns: The policy.
    package static func heldQueue(patience: Int64) -> RetryPolicy {
        RetryPolicy(base: 10, limit: 250, patience: patience)
    }

    /// The pause after some failures in a row, in milliseconds; never 0.
    func pause(afterFailures failures: Int, using random: inout some RandomNumberGenerator) -> Int64 {
        // The exponent is limited, so that the pause cannot overflow.
        let longest = max(1, min(limit, base << min(Int64(max(0, failures)), 20)))
        return Int64.random(in: max(1, longest / 2)...longest, using: &random)
    }
}

/// The failures in a row of something that is tried again by a ``RetryPolicy``.
///
/// Times are milliseconds of the monotonic clock.
package struct Retry {
    package private(set) var policy: RetryPolicy
    /// How many attempts in a row failed.
    package private(set) var failures: Int
    /// When the next attempt is due; nil while nothing stands in its way.
    package private(set) var nextTry: Int64?
    /// When the patience began: with the first failure or the last success.
    private var start: Int64?
    private var random: RandomGenerator

    /// No attempt yet.
    ///
    /// - Parameters:
    ///   - policy: How long to wait.
    ///   - failures: How many attempts failed before.
    ///   - nextTry: When the next attempt is due.
    ///   - start: When the patience begins; nil for the first failure.
    ///   - seed: Makes the pauses reproducible.
    package init(
        _ policy: RetryPolicy,
        failures: Int = 0,
        nextTry: Int64? = nil,
        start: Int64? = nil,
        seed: UInt64? = nil
    ) {
        self.policy = policy
        self.failures = failures
        self.nextTry = nextTry
        self.start = start
        random = RandomGenerator(seed: seed)
    }

    /// Whether the next attempt would come later than the patience lasts.
    package var isExhausted: Bool {
        guard let nextTry, let start else { return false }
        return nextTry - start > policy.patience
    }

    /// Counts a failure and schedules the next attempt.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - least: The shortest pause that is allowed.
    package mutating func fail(at now: Int64, pause least: Int64 = 0) {
        start = start ?? now
        let pause = policy.pause(afterFailures: failures, using: &random)
        failures += 1
        nextTry = max(nextTry ?? 0, now + max(least, pause))
    }

    /// Allows the next attempt if it is due.
    package mutating func expire(at now: Int64) {
        if let nextTry, nextTry <= now { self.nextTry = nil }
    }

    /// Starts over after a success; the patience begins with the next failure.
    package mutating func reset() { (failures, nextTry, start) = (0, nil, nil) }

    /// Forgets the failures; the pause and the patience stay.
    package mutating func forgetFailures() { failures = 0 }

    /// Lets the patience begin now.
    package mutating func restartPatience(at now: Int64) { start = now }

    /// Gives up at the next pause.
    package mutating func endPatience() { policy.patience = 0 }
}
