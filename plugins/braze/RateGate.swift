import Foundation

/// The one place that requests of all batches pass before they are sent.
actor RateGate {
    private let start = ContinuousClock.now
    private var limit: RateLimit

    init(_ limit: RateLimit) { self.limit = limit }

    /// Waits for a place.
    ///
    /// - Parameter deadline: When it must be there at the latest.
    /// - Returns: Nothing once there is a place; else how long there will be none.
    func pass(until deadline: ContinuousClock.Instant) async -> Duration? {
        while let wait = limit.pass(at: start.duration(to: .now)) {
            guard .now + wait <= deadline else { return wait }
            try? await Task.sleep(for: wait)
        }
        return nil
    }

    /// Learns from an answer.
    ///
    /// - Returns: How long nothing should be sent, where it says so.
    func learn(_ answer: Answer) -> Duration? {
        let headers = RateHeaders(answer.headers, now: Date().timeIntervalSince1970)
        let isRefused = answer.status == 429
        limit.learn(headers, isRefused: isRefused, at: start.duration(to: .now))
        return isRefused ? headers.pause ?? limit.window : answer.status >= 400 ? headers.retryAfter : nil
    }
}
