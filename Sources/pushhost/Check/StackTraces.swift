/// Finds the stack traces of several languages among lines of stderr.
struct StackTraces {
    /// The maximum number of lines of a trace that are reported.
    private static let lineLimit = 10
    /// The maximum number of traces that are reported, because they repeat.
    private static let limit = 3

    private var traces: [(during: String, lines: [String])] = []
    /// The previous line, which often holds the error itself.
    private var last = ""
    /// The number of lines that still belong to the last trace.
    private var remainingLines = 0

    /// Reads a line.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - call: The call that the extension was handling.
    mutating func read(_ line: String, during call: String) {
        defer { last = line }
        if remainingLines > 0 {
            remainingLines -= 1
            traces[traces.count - 1].lines.append(line)
        } else if Self.begins(line) {
            traces.append((call, Self.isFrame(line) ? [last, line] : [line]))
            remainingLines = Self.lineLimit - 1
        }
    }

    /// Reports the traces that no finding shows already.
    func report(to report: CheckReport) {
        let shown = report.findings.compactMap(\.standardError).joined(separator: "\n")
        for trace in traces.filter({ !shown.contains($0.lines.joined(separator: "\n")) }).prefix(Self.limit) {
            report.addFinding(
                .error,
                "stderr",
                "it wrote a stack trace during \(trace.during); handle the error, and answer with one of its own",
                stderr: trace.lines.joined(separator: "\n")
            )
        }
    }

    private static func begins(_ line: String) -> Bool {
        let marks = [
            // Python, Swift, Go, Rust, Java.
            "Traceback (most recent call last)", "Fatal error: ", "*** Program crashed", "panic: ",
            "panicked at ", "Exception in thread ",
        ]
        return marks.contains { line.contains($0) } || isFrame(line)
    }

    /// Whether a line is a frame of Node, Java or Ruby.
    private static func isFrame(_ line: String) -> Bool {
        line.contains(#/^\s+at .+[:(].+:\d+(:\d+)?\)?$/#) || line.contains(#/^\s*(from )?\S+\.rb:\d+:in [`'].+'/#)
    }
}
