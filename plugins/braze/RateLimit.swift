/// When the next request may begin: so many within any window of that length, and not
/// before a server that said so takes requests again.
///
/// Times are durations since any fixed moment.
struct RateLimit: Equatable, Sendable {
    private let requests: Int
    let window: Duration
    /// The times of the last requests, a ring.
    private var times: [Duration] = []
    private var oldest = 0
    /// What the server's own window still takes, and when it ends.
    private var remaining: (count: Int, until: Duration)?
    private var closedUntil: Duration?

    init(requests: Int, per window: Duration) {
        self.requests = requests
        self.window = window
    }

    static func == (left: RateLimit, right: RateLimit) -> Bool {
        left.requests == right.requests && left.window == right.window
    }

    /// Takes a place for a request that begins now; else says how long there is none.
    mutating func pass(at now: Duration) -> Duration? {
        if let closedUntil, closedUntil > now { return closedUntil - now }
        if let remaining, remaining.until > now, remaining.count <= 0 { return remaining.until - now }
        if times.count == requests {
            let free = times[oldest] + window
            guard free <= now else { return free - now }
            times[oldest] = now
            oldest = (oldest + 1) % requests
        } else {
            times.append(now)
        }
        remaining?.count -= 1
        return nil
    }

    /// Learns from an answer.
    ///
    /// - Parameters:
    ///   - headers: What it says.
    ///   - isRefused: Whether it refused the request for the rate's sake.
    ///   - now: The time.
    mutating func learn(_ headers: RateHeaders, isRefused: Bool, at now: Duration) {
        if isRefused { closedUntil = max(closedUntil ?? now, now + (headers.pause ?? window)) }
        guard let count = headers.remaining, let reset = headers.reset else { return }
        let until = now + reset
        // Answers may overtake each other, and a window's end is told in whole seconds.
        if let known = remaining, known.until > now, until < known.until + .seconds(2) {
            remaining = (min(known.count, count), max(known.until, until))
        } else {
            remaining = (count, until)
        }
    }
}
