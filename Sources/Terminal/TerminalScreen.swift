internal import Foundation

/// The whole terminal, with keys read one by one and a screen of its own, until ``close()``.
package final class TerminalScreen {
    private let input: Int32
    private let output: Int32
    private var normal = termios()
    private var isOpen = false

    /// Takes the terminal over.
    ///
    /// - Returns: nil if stdin is not a terminal.
    package init?(input: Int32 = 0, output: Int32 = 1) {
        (self.input, self.output) = (input, output)
        guard tcgetattr(input, &normal) == 0 else { return nil }
        open()
    }

    private func open() {
        isOpen = true
        var raw = normal
        cfmakeraw(&raw)
        // Lines still end in LF, which goes to the first column.
        raw.c_oflag = normal.c_oflag
        tcsetattr(input, TCSADRAIN, &raw)
        // The other screen; no cursor.
        write("\u{1B}[?1049h\u{1B}[?25l")
    }

    /// Gives the terminal back as it was.
    package func close() {
        guard isOpen else { return }
        isOpen = false
        write("\u{1B}[?25h\u{1B}[?1049l")
        tcsetattr(input, TCSADRAIN, &normal)
    }

    deinit { close() }

    /// Stops this job, as Control-Z does outside of the screen, with the terminal as it was; goes on when it is continued.
    package func suspend() {
        close()
        kill(0, SIGTSTP)
        tcgetattr(input, &normal)
        open()
    }

    /// Shows lines from the top of the screen on; what was there before goes.
    package func show(_ lines: [String]) {
        // Each line clears its rest, so that nothing flickers.
        write("\u{1B}[H" + lines.map { "\($0)\u{1B}[K" }.joined(separator: "\n") + "\u{1B}[J")
    }

    /// The bytes that were typed; empty at the end of the input.
    package func read() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 1_024)
        let count = buffer.withUnsafeMutableBytes { Foundation.read(input, $0.baseAddress, $0.count) }
        return Array(buffer.prefix(max(0, count)))
    }

    private func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Foundation.write(output, $0.baseAddress, $0.count) }
            if count > 0 {
                bytes = bytes.dropFirst(count)
            } else if errno != EINTR, errno != EAGAIN {
                return
            }
        }
    }
}
