import ExtensionKit

/// The rate limiter that the requests of all batches share.
actor RateGate {
    private let now: @Sendable () -> Duration
    private var limit: RateLimit

    /// - Parameters:
    ///   - limit: The limit.
    ///   - now: The time since a fixed moment.
    init(_ limit: RateLimit, now: @escaping @Sendable () -> Duration = RateGate.elapsed()) {
        self.limit = limit
        self.now = now
    }

    /// A clock that starts now.
    private static func elapsed() -> @Sendable () -> Duration {
        let start = ContinuousClock.now
        return { start.duration(to: .now) }
    }

    /// States the share of the limit that this process may use from now on, also for batches that are under way.
    func use(share: Double?) { limit.use(share: share, at: now()) }

    /// Waits until another request may be sent.
    ///
    /// - Parameter deadline: The end of the wait.
    /// - Returns: Nil if a request may be sent; else how long none may be sent.
    func pass(until deadline: ContinuousClock.Instant) async -> Duration? {
        while let wait = limit.pass(at: now()) {
            guard .now + wait <= deadline else { return wait }
            try? await Task.sleep(for: wait)
        }
        return nil
    }

    /// Updates the limit with the headers of a response.
    ///
    /// - Returns: How long to pause, if the response says so.
    func update(with answer: Answer) -> Duration? {
        let headers = RateHeaders(answer.headers, now: Date().timeIntervalSince1970)
        let isRefused = answer.status == 429
        limit.update(with: headers, isRefused: isRefused, at: now())
        return isRefused ? headers.pause ?? limit.window : answer.status >= 400 ? headers.retryAfter : nil
    }
}
