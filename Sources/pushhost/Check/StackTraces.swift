/// Finds the stack traces of several languages among lines of stderr.
struct StackTraces {
    /// How many lines of a trace are shown.
    private static let lineLimit = 10
    /// How many traces are reported; they repeat.
    private static let limit = 3

    private var traces: [(during: String, lines: [String])] = []
    /// The line before, which often holds the error itself.
    private var last = ""
    /// How many more lines belong to the trace.
    private var left = 0

    /// Reads a line.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - call: What the extension was doing.
    mutating func read(_ line: String, during call: String) {
        defer { last = line }
        if left > 0 {
            left -= 1
            traces[traces.count - 1].lines.append(line)
        } else if Self.begins(line) {
            traces.append((call, Self.isFrame(line) ? [last, line] : [line]))
            left = Self.lineLimit - 1
        }
    }

    /// Reports the traces that no finding shows already.
    func report(to report: CheckReport) {
        let shown = report.findings.compactMap(\.standardError).joined(separator: "\n")
        for trace in traces.filter({ !shown.contains($0.lines.joined(separator: "\n")) }).prefix(Self.limit) {
            report.add(
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
