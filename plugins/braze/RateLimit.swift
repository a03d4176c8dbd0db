/// A rate limit: a number of requests within any window of a length, of which this process may use a share, and none
/// during a pause that the server asked for.
///
/// Times are durations since a fixed moment.
struct RateLimit: Equatable, Sendable {
    private let requests: Int
    let window: Duration
    private var share: RateShare
    /// The times of the last requests, as a ring buffer.
    private var times: [Duration] = []
    private var oldest = 0
    /// The remaining requests of the server's own window, and its end.
    private var remaining: (count: Int, until: Duration)?
    private var closedUntil: Duration?

    init(requests: Int, per window: Duration) {
        self.requests = requests
        self.window = window
        share = RateShare(of: requests, per: window)
    }

    static func == (left: RateLimit, right: RateLimit) -> Bool {
        left.requests == right.requests && left.window == right.window
    }

    /// States the share of the limit that this process may use from now on.
    ///
    /// - Parameters:
    ///   - value: The share: more than 0, at most 1; nil if nobody else uses the limit.
    ///   - now: The time.
    mutating func use(share value: Double?, at now: Duration) { share.set(value, at: now) }

    /// Counts a request that starts now, or returns how long none may start.
    mutating func pass(at now: Duration) -> Duration? {
        if let closedUntil, closedUntil > now { return closedUntil - now }
        if let remaining, remaining.until > now, remaining.count <= 0 { return remaining.until - now }
        if let wait = wait(at: now) { return wait }
        if times.count == requests {
            times[oldest] = now
            oldest = (oldest + 1) % requests
        } else {
            times.append(now)
        }
        // Braze may state any number.
        if let known = remaining, known.count > 0 { remaining?.count -= 1 }
        return nil
    }

    /// How long the share of the limit is used up; nil if it is not.
    private mutating func wait(at now: Duration) -> Duration? {
        let (pace, lasts) = share.pace(at: now)
        // Nothing at all is allowed before the first share counts.
        guard let pace else { return lasts }
        guard times.count >= pace.requests else { return nil }
        let free = times[(oldest + times.count - pace.requests) % times.count] + pace.time
        return free <= now ? nil : min(free - now, lasts ?? free - now)
    }

    /// Updates the limit with the headers of a response.
    ///
    /// - Parameters:
    ///   - headers: The headers.
    ///   - isRefused: Whether the request was refused because of the rate.
    ///   - now: The time.
    mutating func update(with headers: RateHeaders, isRefused: Bool, at now: Duration) {
        if isRefused { closedUntil = max(closedUntil ?? now, now + (headers.pause ?? window)) }
        guard let count = headers.remaining, let reset = headers.reset else { return }
        let until = now + reset
        // Responses may arrive out of order, and the end of a window is given in whole seconds.
        if let known = remaining, known.until > now, until < known.until + .seconds(2) {
            remaining = (min(known.count, count), max(known.until, until))
        } else {
            remaining = (count, until)
        }
    }
}
