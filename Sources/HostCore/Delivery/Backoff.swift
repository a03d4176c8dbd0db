/// How long to wait after failures in a row: exponential, and half of it by chance.
///
/// By chance, so that hosts that failed together do not come back together; half, because a pause that is random as a
/// whole could be none at all.
struct Backoff {
    /// The failures in a row.
    private(set) var failures: Int
    private let base: Int64
    private let limit: Int64
    private var random: any RandomNumberGenerator

    init(_ settings: DeliverySettings, failures: Int, random: any RandomNumberGenerator) {
        base = settings.retryBase
        limit = settings.retryLimit
        self.failures = failures
        self.random = random
    }

    /// Counts a failure and gives the pause that it costs, in milliseconds.
    mutating func pause() -> Int64 {
        // Doubled at most so often that it cannot overflow.
        let longest = max(1, min(limit, base << min(Int64(failures), 20)))
        failures += 1
        return Int64.random(in: max(1, longest / 2)...longest, using: &random)
    }

    /// Forgets the failures.
    mutating func reset() { failures = 0 }
}
