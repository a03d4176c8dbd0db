internal import Foundation
internal import JSON
internal import Platform

/// The progress of a flush on one line of stderr, if that is a terminal.
struct ProgressBar {
    private let suite: String
    private let destination: String
    private let total: Int64
    private let start = Clock.monotonic()
    private var retries = 0
    private var wasPaused = false
    private var line = StatusLine()

    /// How many cells the bar has.
    private static let width: Int64 = 20
    /// How many milliseconds lie between two redraws.
    private static let redraw: Int64 = 200

    init(_ suite: String, to destination: String, total: Int64) {
        (self.suite, self.destination, self.total) = (suite, destination, max(1, total))
    }

    /// How often to ask for the progress, in milliseconds; nil if it is not shown.
    var interval: Int64? { line.isTerminal ? Self.redraw : nil }

    /// Draws the line again.
    ///
    /// - Parameter status: The result of `status`.
    mutating func show(_ status: JSON) {
        let running = status["deliveries"]?.array.map(Array.init) ?? []
        guard line.isTerminal, let flush = running.first(where: { $0["suite"]?.string == suite }) else { return }
        let pause = flush["retryAfter"]?.integer
        if pause != nil, !wasPaused { retries += 1 }
        wasPaused = pause != nil
        line.show(text(flush, pause, elapsed: max(1, Clock.monotonic() - start)))
    }

    /// Removes the line.
    mutating func remove() { line.remove() }

    private func text(_ flush: JSON, _ pause: Int64?, elapsed: Int64) -> String {
        let delivered = flush["delivered"]?.integer ?? 0
        let settled = min(total, delivered + (flush["rejected"]?.integer ?? 0))
        let full = Int(settled * Self.width / total)
        let bar = String(repeating: "#", count: full) + String(repeating: ".", count: Int(Self.width) - full)
        var parts = ["\(suite) to \(destination) [\(bar)] \(total - settled) remain, \(delivered * 1000 / elapsed)/s"]
        if retries > 0 { parts.append("\(retries) \(retries == 1 ? "retry" : "retries")") }
        if let pause { parts.append("next attempt in \((pause + 999) / 1000) s") }
        if pause != nil, let problem = flush["problem"]?.string { parts.append(problem) }
        return parts.joined(separator: ", ")
    }
}

/// One line of stderr that says how far long work is, if stderr is a terminal.
struct StatusLine {
    let isTerminal = isatty(STDERR_FILENO) == 1
    private var isShown = false

    /// Shows a text in place of the one before.
    mutating func show(_ text: String) {
        guard isTerminal else { return }
        Terminal.writeToError("\r\(PlainText.escaped(text).prefix(columns - 1))\u{1B}[K")
        isShown = true
    }

    /// Removes the line, before something else is printed.
    mutating func remove() {
        if isShown { Terminal.writeToError("\r\u{1B}[K") }
        isShown = false
    }

    /// The width of the terminal.
    private var columns: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1 else { return 80 }
        return Int(size.ws_col)
    }
}
