// What is said of how an extension's process behaved, whoever ran it.

extension CheckReport {
    /// Tells how many lines on stdout were no messages.
    func add(strayLines count: Int) {
        guard count > 0 else { return }
        let lines = count == 1 ? "1 line that is no message" : "\(count) lines that are no messages"
        add(.warning, "stdout", "the extension wrote \(lines); print to stderr instead")
    }

    /// Tells how the process ended that was asked to leave.
    func add(endAfterStop code: Int32?, signal: Int32?, grace: Int64, milliseconds: Int64) {
        if signal != nil {
            let text = "the extension was still there \(grace) ms after the end of its stdin and got a signal"
            add(.warning, "stop", text + "; end when stdin does", milliseconds: milliseconds)
        } else if let code, code != 0 {
            let text = "the extension ended with its stdin, but with exit code \(code)"
            add(.warning, "stop", text, milliseconds: milliseconds)
        } else {
            add(.ok, "stop", "the extension ended with its stdin", milliseconds: milliseconds)
        }
    }

    /// Tells how many processes were left when the extension's own had ended.
    func add(orphans count: Int) {
        guard count > 0 else { return }
        let processes = count == 1 ? "a process" : "\(count) processes"
        add(.error, "stop", "it left \(processes) behind, which had to be killed")
    }

    /// Tells what the extension logged, where it matters.
    func add(log level: String, _ message: String) {
        guard ["warning", "error", "critical"].contains(level) else { return }
        add(.warning, "log", message)
    }
}
