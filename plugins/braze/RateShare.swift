/// The share of a rate limit that this process may use, while other processes use the rest.
///
/// The processes share no clock, and parts move from one to another at any moment. So each spreads its requests over
/// short slots of the window: when a part moves, its old owner has used no more of it than belongs to the time before.
/// What a share grows by counts after a slot, and a window has one slot less than fits into it. So whatever moves, all
/// processes together keep the limit, if each has ten requests in a window; if it has fewer, each may send one too many.
struct RateShare: Sendable {
    /// At most that many requests within any time of that length.
    struct Pace: Equatable, Sendable {
        let requests: Int
        let time: Duration
    }

    /// The least number of slots of a window.
    private static let slots = 20
    /// The longest slot, unless it would have no request.
    private static let slot = Duration.seconds(1)
    /// From that number of slots on, one is left out.
    private static let strictSlots = 10
    /// The longest time after which a greater share counts, although a limit may allow few requests in an hour.
    static let longestDelay = Duration.seconds(60)
    /// What is added to a number of requests before it is rounded down, because a share such as 1/3 is not exact.
    private static let tolerance = 1e-9

    private let requests: Int
    private let window: Duration
    /// The share that was stated last; nil for the whole limit, which nobody shares.
    private var stated: Double?
    /// The share that counts until then.
    private var before = (share: 0.0, until: Duration.zero)

    init(of requests: Int, per window: Duration) { (self.requests, self.window) = (requests, window) }

    /// States the share from now on: a smaller one counts at once, and a greater one after a slot.
    mutating func set(_ share: Double?, at now: Duration) {
        guard share != stated else { return }
        let counting = stated.map { before.until > now ? before.share : $0 } ?? 0
        stated = share
        guard let share else { return }
        let isGreater = share > counting
        before = (min(counting, share), isGreater ? now + min(pace(of: share).time, Self.longestDelay) : now)
    }

    /// How fast the process may send at a time, nil if not at all, and how long that lasts if more follows.
    func pace(at now: Duration) -> (pace: Pace?, lasts: Duration?) {
        guard let stated else { return (Pace(requests: requests, time: window), nil) }
        guard before.until > now else { return (pace(of: stated), nil) }
        return (before.share > 0 ? pace(of: before.share) : nil, before.until - now)
    }

    private func pace(of share: Double) -> Pace {
        // A source may state any share above 0, and no `Duration` is long enough for the smallest.
        let part = max(share * Double(requests), 1e-9)
        let whole = Int(part + Self.tolerance)
        // If not even one request fits into a window, it is one request in a longer window.
        guard whole > 0 else { return Pace(requests: 1, time: window / part) }
        let count = max(1, whole / max(Self.slots, Int((window / Self.slot).rounded(.up))))
        let slots = whole / count
        return Pace(requests: count, time: window / (slots < Self.strictSlots ? slots : slots - 1))
    }
}
