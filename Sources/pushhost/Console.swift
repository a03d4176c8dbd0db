internal import CSystem
internal import Foundation
internal import HostClient
internal import JSON
internal import Notifications
internal import Platform
internal import Synchronization

/// Writes what commands print; text from outside must be escaped before it gets here, except JSON, errors and warnings.
enum Console {
    /// The error number of the first write to stdout that failed.
    private static let failure = Mutex<Int32?>(nil)

    /// Whether stdout cannot be written any more, so that a command that goes on for ever ends.
    static var isLost: Bool { failure.withLock { $0 != nil } }

    /// Prints a line to stdout.
    static func print(_ text: String) { write(text + "\n") }

    /// Prints a value as one line, with an escape in place of each character that would control a terminal.
    static func print(_ value: JSON) {
        let text = value.description
        // JSON requires escapes only below U+0020; U+0080 to U+009F begin with C2.
        guard text.utf8.contains(where: { $0 == 0x7F || $0 == 0xC2 }) else { return print(text) }
        print(
            text.unicodeScalars.reduce(into: "") { line, scalar in
                if (0x7F...0x9F).contains(scalar.value) {
                    line += "\\u00" + String(scalar.value, radix: 16)
                } else {
                    line.unicodeScalars.append(scalar)
                }
            }
        )
    }

    /// Writes to stdout; after a failure nothing more is written, and ``reportLostOutput(exitCode:)`` says so.
    static func write(_ text: String) {
        failure.withLock { if $0 == nil { $0 = write(text, to: STDOUT_FILENO) } }
    }

    /// Writes to stderr as much as can be written; nobody can be told about the rest.
    static func writeToError(_ text: String) { _ = write(text, to: STDERR_FILENO) }

    static func writeError(_ text: String) { writeToError("Error: \(PlainText.escaped(text))\n") }

    static func writeWarning(_ text: String) { writeToError("Warning: \(PlainText.escaped(text))\n") }

    /// Reports output that could not be written, and returns the code to exit with instead of `code`.
    ///
    /// - Returns: 141 without a word if the reader is gone, as a shell reports a program that SIGPIPE ended; 74 after a
    ///   message if the output could not be written for another reason; 128 plus the number of a signal that asked a
    ///   command to end which then failed, for example because it waited for input; else `code`.
    static func reportLostOutput(exitCode code: Int32) -> Int32 {
        switch failure.withLock({ $0 }) {
        case nil:
            let signal = csystem_ending_signal()
            return code != 0 && signal != 0 ? 128 + signal : code
        case EPIPE?: return 128 + SIGPIPE
        case let number?:
            writeError("stdout cannot be written: \(String(cString: strerror(number)))")
            return EX_IOERR
        }
    }

    /// - Returns: The error number if not everything was written.
    private static func write(_ text: String, to descriptor: Int32) -> Int32? {
        var text = text
        return text.withUTF8 { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Foundation.write(descriptor, UnsafeBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count >= 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return errno }
            }
            return nil
        }
    }
}

/// One line of stderr that says how far long work is, if stderr is a terminal.
struct StatusLine {
    let isTerminal = isatty(STDERR_FILENO) == 1
    private var isShown = false

    /// Shows a text in place of the one before.
    mutating func show(_ text: String) {
        guard isTerminal else { return }
        Console.writeToError("\r\(PlainText.escaped(text).prefix(columns - 1))\u{1B}[K")
        isShown = true
    }

    /// Removes the line, before something else is printed.
    mutating func remove() {
        if isShown { Console.writeToError("\r\u{1B}[K") }
        isShown = false
    }

    /// The width of the terminal.
    private var columns: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1 else { return 80 }
        return Int(size.ws_col)
    }
}

/// A table for people: columns as wide as their widest cell, two spaces between them.
struct Table {
    /// A column: its title, and whether it has numbers, which are aligned to the right.
    struct Column {
        let title: String
        var isNumber = false

        init(_ title: String, isNumber: Bool = false) { (self.title, self.isNumber) = (title, isNumber) }
    }

    let columns: [Column]
    /// The cells; they may contain text from outside, which is escaped here.
    var rows: [[String]] = []

    init(_ columns: [Column]) { self.columns = columns }

    var text: String {
        let lines = ([columns.map(\.title)] + rows).map { $0.map(PlainText.escaped) }
        let widths = columns.indices.map { column in lines.map { TextWidth.of($0[column]) }.max() ?? 0 }
        return lines.map { cells in
            let padded = columns.indices.map { cells[$0].padding(to: widths[$0], atStart: columns[$0].isNumber) }
            let line = padded.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed()) + "\n"
        }
        .joined()
    }
}

extension String {
    /// The text as one word of a shell.
    var quotedForShell: String {
        if wholeMatch(of: /[A-Za-z0-9.\/_+:@-]+/) != nil { return self }
        return "'\(replacing("'", with: "'\\''"))'"
    }

    /// The text with spaces after it, or before it, up to a width in columns.
    func padding(to width: Int, atStart: Bool = false) -> String {
        let space = String(repeating: " ", count: max(0, width - TextWidth.of(self)))
        return atStart ? space + self : self + space
    }
}
