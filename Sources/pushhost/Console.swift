internal import CSystem
internal import HostClient
internal import JSON
internal import Notifications
internal import Platform
internal import Synchronization
internal import Terminal

/// The console of the command that runs.
var console: Console { CommandContext.current.console }

/// What a command gets from its process; tests run a command in their own process with another one.
struct CommandContext: Sendable {
    @TaskLocal static var current = CommandContext()

    var console = Console.standard
    /// The descriptor of stdin.
    var input = STDIN_FILENO
    /// The descriptor of the terminal at stdout, if a notification is played there.
    var screen = STDOUT_FILENO
    /// The path that starts this program again; nil for this process's own.
    var program: String?
    /// All variables of the environment; nil for the process's own.
    var variables: [String: String]?
    /// Makes the signals that interrupt the command.
    var makeSignals: @Sendable () -> SignalSource = { SignalSource() }

    /// All variables of the environment.
    var environment: [String: String] { variables ?? ProcessInfo.processInfo.environment }
}

/// Where a command writes: the only way to stdout and stderr.
///
/// Text from outside must be escaped before it gets here, except JSON, errors and warnings.
final class Console: Sendable {
    /// Writes to one end, and returns the number of bytes that were written; negative with `errno` if it failed.
    typealias End = @Sendable (UnsafeBufferPointer<UInt8>) -> Int

    /// The console of the process.
    static let standard = Console(
        output: { Platform.write(STDOUT_FILENO, $0.baseAddress, $0.count) },
        error: { Platform.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    )

    private let output: End
    private let error: End
    /// What the terminal at stdout can show; nil for what the process's terminal says now.
    private let given: TerminalCapabilities?
    /// Whether stdout is a terminal, perhaps without keys at stdin.
    private var isTerminal: Bool { given?.isInteractive ?? (isatty(STDOUT_FILENO) == 1) }
    /// The error number of the first write to stdout that failed.
    private let failure = Mutex<Int32?>(nil)

    /// A console over two ends, and with a terminal if one is given.
    init(output: @escaping End, error: @escaping End, terminal: TerminalCapabilities? = nil) {
        (self.output, self.error, given) = (output, error, terminal)
    }

    // MARK: The terminal

    /// What the terminal at stdout can show; without one there are no colours, and 80 columns.
    var terminal: TerminalCapabilities {
        given ?? TerminalCapabilities(environment: CommandContext.current.environment)
    }

    /// The width of the terminal at stderr; nil if there is none.
    var errorColumns: Int? {
        if let given { return given.isInteractive ? given.columns : nil }
        guard isatty(STDERR_FILENO) == 1 else { return nil }
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1 else { return 80 }
        return Int(size.ws_col)
    }

    // MARK: stdout

    /// Whether stdout cannot be written any more, so that a command that goes on for ever ends.
    var isLost: Bool { failure.withLock { $0 != nil } }

    /// Prints a line to stdout.
    func print(_ text: String) { write(text + "\n") }

    /// Prints a value as one line, with an escape in place of each character that would control a terminal.
    func print(_ value: JSON) {
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
    func write(_ text: String) { failure.withLock { if $0 == nil { $0 = Self.write(text, to: output) } } }

    /// Writes a list to stdout; through the user's `PAGER` if that is set, and the list is longer than the terminal at stdout.
    func page(_ text: String) {
        let pager = CommandContext.current.environment["PAGER"] ?? ""
        guard !pager.isEmpty, isTerminal, text.utf8.count(where: { $0 == UInt8(ascii: "\n") }) >= terminal.rows
        else { return write(text) }
        // As git does; the user's own LESS stays.
        guard let pipe = popen("export LESS=${LESS-FRX}; \(pager)", "w") else { return write(text) }
        // A pager that is left before the end of the text wants no more of it; one that the shell does not find shows nothing.
        fputs(text, pipe)
        if pclose(pipe) == 127 << 8 { write(text) }
    }

    /// Says that output was lost, if it was.
    ///
    /// - Parameter code: The exit code of the command.
    /// - Returns: The code to exit with in its place: 141 without a word if the reader is gone, as a shell reports a program that
    ///   SIGPIPE ended (git does so too); 74 after a message if stdout could not be written for another reason; 128 plus the
    ///   number of a signal that asked a command to end which then failed, for example because it waited for input.
    func reportLostOutput(exitCode code: Int32) -> Int32 {
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

    // MARK: stderr

    /// Writes to stderr as much as can be written; nobody can be told about the rest.
    func writeToError(_ text: String) { _ = Self.write(text, to: error) }

    func writeError(_ text: String) { writeToError("Error: \(PlainText.escaped(text))\n") }

    func writeWarning(_ text: String) { writeToError("Warning: \(PlainText.escaped(text))\n") }

    /// - Returns: The error number if not everything was written.
    private static func write(_ text: String, to end: End) -> Int32? {
        var text = text
        return text.withUTF8 { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = end(UnsafeBufferPointer(rebasing: rest))
                if count >= 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return errno }
            }
            return nil
        }
    }
}

/// One line of stderr that says how far long work is, if stderr is a terminal.
struct StatusLine {
    private var isShown = false

    /// Shows a text in place of the one before.
    mutating func show(_ text: String) {
        guard let columns = console.errorColumns else { return }
        console.writeToError("\r\(PlainText.escaped(text).prefix(columns - 1))\u{1B}[K")
        isShown = true
    }

    /// Removes the line, before something else is printed.
    mutating func remove() {
        if isShown { console.writeToError("\r\u{1B}[K") }
        isShown = false
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
        return "'\(replacingScalars("'", with: "'\\''"))'"
    }

    /// The text with spaces after it, or before it, up to a width in columns.
    func padding(to width: Int, atStart: Bool = false) -> String {
        let space = String(repeating: " ", count: max(0, width - TextWidth.of(self)))
        return atStart ? space + self : self + space
    }
}
