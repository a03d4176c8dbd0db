import Foundation

/// What an answer says of the rate (braze.com, "API rate limits").
struct RateHeaders: Equatable, Sendable {
    /// The longest pause that is taken from a header: windows are an hour at most.
    private static let longest = 24.0 * 3_600

    /// How many requests the window still takes.
    private(set) var remaining: Int?
    /// When the window ends.
    private(set) var reset: Duration?
    /// The pause that the server asks for.
    private(set) var retryAfter: Duration?

    /// Reads the headers, whose names are in lower case.
    ///
    /// - Parameters:
    ///   - headers: The headers.
    ///   - now: The time in seconds since 1970.
    init(_ headers: [String: String], now: Double) {
        remaining = headers["x-ratelimit-remaining"].flatMap { Int($0) }
        reset = headers["x-ratelimit-reset"].flatMap { Double($0) }.flatMap { value in
            // Seconds until then, a time in seconds, or one in milliseconds: contracts differ.
            Self.pause(value < 1e8 ? value : value < 1e11 ? value - now : value / 1_000 - now)
        }
        let pause = headers["x-ratelimit-retry-after"] ?? headers["retry-after"]
        retryAfter = pause.flatMap { text in
            (Double(text) ?? Self.date(text).map { $0 - now }).flatMap(Self.pause)
        }
    }

    /// How long nothing should be sent after an answer that refuses for the rate's sake, where that is said.
    var pause: Duration? { retryAfter ?? reset }

    private static func pause(_ seconds: Double) -> Duration? {
        seconds.isFinite ? .milliseconds(Int64((min(max(seconds, 0), longest) * 1_000).rounded(.up))) : nil
    }

    private static func date(_ text: String) -> Double? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.date(from: text)?.timeIntervalSince1970
    }
}
