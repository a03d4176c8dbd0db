/// The share of a rate limit that this process may use, while other processes use the rest.
///
/// Shares that move from one process to another must not count twice within one window, and the processes share no clock.
/// So less counts at once, and more counts only after it was held for a whole window: the share at a time is the smallest
/// one of the window that ends then. At any moment of a window the shares held add up to at most one; no process sends more
/// in that window than the share it held at that moment allows, so together they stay within the limit.
///
/// A share is known from batches: one that falls and rises again while no batch arrives counts as unchanged.
struct RateShare: Equatable, Sendable {
    /// The longest time after which a greater share counts.
    ///
    /// A limit per hour must not keep a process from sending for an hour after another one has ended.
    static let longestDelay = Duration.seconds(60)

    /// After which time a greater share counts.
    private let delay: Duration
    /// The share that was stated last; nil for the whole limit, as long as none was stated.
    private var latest: Double?
    /// Earlier shares that are smaller, in ascending order, and when each ended.
    private var earlier: [(value: Double, end: Duration)] = []

    init(window: Duration) { delay = min(window, Self.longestDelay) }

    static func == (left: RateShare, right: RateShare) -> Bool {
        left.latest == right.latest && left.delay == right.delay
            && left.earlier.elementsEqual(right.earlier) { $0 == $1 }
    }

    /// States the share from now on.
    ///
    /// A process whose first share is not the whole limit had no share before.
    mutating func set(_ share: Double, at now: Duration) {
        let previous = latest ?? (share < 1 ? 0 : share)
        latest = share
        guard share != previous else { return }
        earlier.removeAll { $0.value >= previous }
        earlier.append((previous, now))
    }

    /// The share that counts at a time, and for how long at least if a greater one follows.
    mutating func current(at now: Duration) -> (share: Double, lasts: Duration?) {
        let latest = latest ?? 1
        earlier.removeAll { $0.value >= latest || $0.end + delay <= now }
        guard let first = earlier.first else { return (latest, nil) }
        return (first.value, first.end + delay - now)
    }
}
