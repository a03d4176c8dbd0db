/// The pauses between attempts at an operation that fails.
///
/// Pauses grow exponentially. Half of each pause is random, so that hosts that failed together do not all retry at the
/// same time; only half, because an entirely random pause could be close to zero.
package struct RetryPolicy: Equatable, Sendable {
    /// The longest first pause, in milliseconds; each further failure doubles it.
    package var base: Int64
    /// The longest pause after any number of failures, in milliseconds.
    package var limit: Int64
    /// How long to retry without success, in milliseconds.
    package var patience: Int64

    package init(base: Int64, limit: Int64, patience: Int64) {
        self.base = base
        self.limit = limit
        self.patience = patience
    }

    /// The policy for a queue that another process has locked: short pauses at first, never more than a quarter of a second.
    package static func lockedQueue(patience: Int64) -> RetryPolicy {
        RetryPolicy(base: 10, limit: 250, patience: patience)
    }

    /// The pause after a failure that followed so many others, in milliseconds; never 0.
    func pause(earlierFailures: Int, using random: inout some RandomNumberGenerator) -> Int64 {
        // The exponent is limited, so that the pause cannot overflow.
        let longest = max(1, min(limit, base << min(Int64(max(0, earlierFailures)), 20)))
        return Int64.random(in: max(1, longest / 2)...longest, using: &random)
    }
}

/// The consecutive failures of an operation that is retried with a ``RetryPolicy``.
///
/// Times are milliseconds of the monotonic clock.
package struct Retry {
    package private(set) var policy: RetryPolicy
    /// The number of consecutive attempts that failed.
    package private(set) var failures: Int
    /// When the next attempt is due; nil if there is no pause.
    package private(set) var nextTry: Int64?
    /// When the patience began: at the first failure, or earlier if the caller set or restarted it.
    private var start: Int64?
    private var random: RandomGenerator

    /// No attempt yet.
    ///
    /// - Parameters:
    ///   - policy: The policy.
    ///   - failures: The number of earlier attempts that failed.
    ///   - nextTry: When the next attempt is due.
    ///   - start: When the patience begins; nil to begin it at the first failure.
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

    /// Whether the patience ends before the next attempt.
    package var isExhausted: Bool {
        guard let nextTry, let start else { return false }
        return nextTry - start > policy.patience
    }

    /// Counts a failure and schedules the next attempt, after a pause of at least that many milliseconds.
    package mutating func fail(at now: Int64, pause least: Int64 = 0) {
        start = start ?? now
        let pause = policy.pause(earlierFailures: failures, using: &random)
        failures += 1
        nextTry = max(nextTry ?? 0, now + max(least, pause))
    }

    /// Allows the next attempt if it is due.
    package mutating func endPauseIfOver(at now: Int64) {
        if let nextTry, nextTry <= now { self.nextTry = nil }
    }

    /// Forgets the failures and the pause after a success; the patience begins at the next failure.
    package mutating func startOver() { (failures, nextTry, start) = (0, nil, nil) }

    /// Lets the pauses grow from the shortest one again; the current pause and the patience stay.
    package mutating func clearFailureCount() { failures = 0 }

    /// Begins the patience now, because something succeeded.
    package mutating func restartPatience(at now: Int64) { start = now }

    /// Ends the patience: the next pause exhausts it.
    package mutating func endPatience() { policy.patience = 0 }
}
