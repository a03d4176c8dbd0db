/// The rate limit headers of a response (braze.com, "API rate limits").
struct RateHeaders: Equatable, Sendable {
    /// The longest window: Braze's limits are per hour at most.
    private static let longestWindow = 3_600.0
    /// The longest pause that a server may ask for.
    private static let longestPause = 24.0 * 3_600

    /// The remaining requests of the window.
    private(set) var remaining: Int?
    /// The time until the window ends.
    private(set) var reset: Duration?
    /// The pause that the server asks for.
    private(set) var retryAfter: Duration?

    /// Reads the headers, whose names are in lower case.
    ///
    /// Times are compared with the server's own `Date`, so that the clock of this machine does not matter. A pause
    /// that is zero, negative or in the past counts as absent.
    ///
    /// - Parameters:
    ///   - headers: The headers.
    ///   - now: The time in seconds since 1970, for responses without a `Date`.
    init(_ headers: [String: String], now: Double) {
        let serverTime = headers["date"].flatMap(HTTPDate.parse)
        let now = serverTime ?? now
        remaining = headers["x-ratelimit-remaining"].flatMap { Int($0) }
        reset = headers["x-ratelimit-reset"].flatMap { Double($0) }.flatMap { value in
            // The remaining seconds, a time in seconds, or a time in milliseconds, depending on the contract.
            let seconds = value < 1e8 ? value : value < 1e11 ? value - now : value / 1_000 - now
            return Self.pause(seconds, longest: Self.longestWindow)
        }
        let pause = headers["x-ratelimit-retry-after"] ?? headers["retry-after"]
        retryAfter = pause.flatMap { text in
            if let seconds = Double(text) { return Self.pause(seconds, longest: Self.longestPause) }
            let longest = serverTime == nil ? Self.longestWindow : Self.longestPause
            return HTTPDate.parse(text).flatMap { Self.pause($0 - now, longest: longest) }
        }
    }

    /// How long to pause after a response that refuses a request because of the rate.
    var pause: Duration? { retryAfter ?? reset }

    private static func pause(_ seconds: Double, longest: Double) -> Duration? {
        seconds.isFinite && seconds > 0 ? .milliseconds(Int64((min(seconds, longest) * 1_000).rounded(.up))) : nil
    }
}
