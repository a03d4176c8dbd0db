internal import HostClient
internal import Platform

/// How far a check is: shown on a terminal while it runs, and ended at its deadline.
final class CheckProgress {
    /// How many milliseconds lie between two redraws.
    private static let redraw: Int64 = 100

    private let title: String
    /// The longest time for the check, in milliseconds.
    private let limit: Int64
    private let start = Clock.monotonic()
    private var line = StatusLine()
    private var lastRedraw: Int64 = 0
    private var calls = 0
    /// The method that is called.
    private var current = ""
    /// Whether something was left out because the time was over.
    private(set) var isCut = false

    /// - Parameters:
    ///   - title: What is checked.
    ///   - limit: The longest time for the check, in milliseconds.
    init(_ title: String, limit: Int) { (self.title, self.limit) = (title, Int64(limit)) }

    /// What the report says if the check was cut.
    var reason: String {
        "the check took longer than \(limit) ms, so the rest of it was left out; raise the limit with --deadline"
    }

    /// Shows that the next call begins.
    ///
    /// - Returns: Whether there is time for it.
    func begin(_ call: String) -> Bool {
        guard Clock.monotonic() - start < limit else {
            isCut = true
            return false
        }
        (calls, current) = (calls + 1, call)
        show()
        return true
    }

    /// Shows what runs, and notices the deadline in the midst of a call.
    ///
    /// - Returns: Whether there is time for more.
    func pass() -> Bool {
        show()
        if Clock.monotonic() - start >= limit { isCut = true }
        return !isCut
    }

    /// Shows what runs, at most ten times a second.
    private func show() {
        let now = Clock.monotonic()
        guard now - lastRedraw >= Self.redraw else { return }
        lastRedraw = now
        line.show("\(title): \(current), call \(calls), \((now - start) / 1_000) s")
    }

    /// Removes what it shows, before something else is printed.
    func remove() { line.remove() }
}
