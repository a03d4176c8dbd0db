// Findings about the process of an extension.

extension CheckReport {
    /// Reports lines on stdout that are not messages.
    func add(strayLines count: Int) {
        guard count > 0 else { return }
        let lines = count == 1 ? "1 line that is not a message" : "\(count) lines that are not messages"
        addFinding(
            .error,
            "stdout",
            "the extension wrote \(lines): a message is one line of JSON with \"jsonrpc\": \"2.0\"; print anything else "
                + "to stderr"
        )
    }

    /// Reports how a process ended after it was asked to stop.
    func add(endAfterStop code: Int32?, signal: Int32?, grace: Int64, milliseconds: Int64) {
        if signal != nil {
            let text = "the extension still ran \(grace) ms after the end of its stdin, and was ended by a signal"
            addFinding(.error, "stop", text + "; exit when stdin ends", milliseconds: milliseconds)
        } else if let code, code != 0 {
            let text = "the extension ended with its stdin, but with exit code \(code) instead of 0"
            addFinding(.error, "stop", text, milliseconds: milliseconds)
        } else {
            addFinding(.ok, "stop", "the extension ended with its stdin", milliseconds: milliseconds)
        }
    }

    /// Reports processes that the extension left behind.
    func add(orphans count: Int) {
        guard count > 0 else { return }
        let processes = count == 1 ? "a process" : "\(count) processes"
        addFinding(.error, "stop", "the extension left \(processes) behind, which had to be killed")
    }

    /// Reports a message that the extension logged, if its level is at least `warning`.
    func add(log level: String, _ message: String) {
        guard ["warning", "error", "critical"].contains(level) else { return }
        addFinding(.warning, "log", message)
    }
}
