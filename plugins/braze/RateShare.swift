import ExtensionKit

/// The share of a rate limit that this process may use, while other processes use the rest.
///
/// Shares that move from one process to another must not count twice within one window, and the processes share no clock.
/// So less counts at once, and more counts only when nobody else has used it for a whole window. In any window, each part
/// of the limit then belongs to at most one process: to the one that has it when the window begins, unless that one sends
/// nothing more with it and another may say so. Together they stay within the limit.
struct RateShare: Equatable, Sendable {
    /// The longest time after which a greater share counts.
    ///
    /// A limit per hour must not keep a process from sending for an hour after another one has ended.
    static let longestDelay = Duration.seconds(60)

    /// A part of the limit, and since when nobody else can have used it.
    private struct Part: Equatable, Sendable {
        let share: Double
        let since: Duration
    }

    /// After which time a greater share counts.
    private let delay: Duration
    /// Parts of the share in ascending order, the last one being all of it; empty as long as none was stated, which means
    /// the whole limit.
    private var parts: [Part] = []

    init(window: Duration) { delay = min(window, Self.longestDelay) }

    /// States the share from now on.
    ///
    /// Without ages, what exceeds the last share was used by others until now. A process whose first share is the whole
    /// limit shares it with nobody.
    mutating func set(_ share: Double, _ ages: [ShareAge], at now: Duration) {
        guard ages.isEmpty else {
            parts = ages.map { Part(share: $0.share, since: now - $0.age) }
            return
        }
        let first = share < 1 ? now : now - delay
        let since = parts.first { $0.share >= share }?.since ?? (parts.isEmpty ? first : now)
        parts = parts.filter { $0.share < share } + [Part(share: share, since: since)]
    }

    /// The share that counts at a time, and for how long at least if a greater one follows.
    func current(at now: Duration) -> (share: Double, lasts: Duration?) {
        guard !parts.isEmpty else { return (1, nil) }
        let share = parts.last { $0.since + delay <= now }?.share ?? 0
        return (share, parts.first { $0.since + delay > now }.map { $0.since + delay - now })
    }
}
