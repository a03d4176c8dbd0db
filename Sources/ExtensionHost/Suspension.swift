/// Whether a signal stopped a process, and how often the process was continued.
struct Suspension {
    /// How often a stopped process is continued during one call.
    ///
    /// A process that keeps stopping itself misses its deadline.
    private static let continueLimit = 3

    private(set) var isStopped = false
    private var continued = 0

    /// Notes that the process was stopped, or that it runs again.
    mutating func setStopped(_ isStopped: Bool) { self.isStopped = isStopped }

    /// Allows the full number of continuations again, because a call begins.
    mutating func resetCount() { continued = 0 }

    /// Counts a continuation.
    ///
    /// - Returns: Whether the process is stopped and may be continued.
    mutating func beginContinuing() -> Bool {
        guard isStopped, continued < Self.continueLimit else { return false }
        isStopped = false
        continued += 1
        return true
    }
}
