internal import Platform

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
        let count = buffer.withUnsafeMutableBytes { Platform.read(input, $0.baseAddress, $0.count) }
        return Array(buffer.prefix(max(0, count)))
    }

    private func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Platform.write(output, $0.baseAddress, $0.count) }
            if count > 0 {
                bytes = bytes.dropFirst(count)
            } else if errno != EINTR, errno != EAGAIN {
                return
            }
        }
    }
}

/// A key that was pressed.
package enum TerminalKey: Equatable, Sendable {
    case character(Character)
    case enter, tab, backTab, backspace, delete, escape
    case up, down, left, right, home, end, pageUp, pageDown
    /// Control and a letter.
    case control(Character)
}

/// Turns the bytes that a terminal sends into keys.
package struct TerminalKeyParser {
    private var bytes: [UInt8] = []

    package init() {}

    /// The keys in what was read at once; the start of a character is kept until its rest comes.
    ///
    /// An escape character at the end is the key Escape: a terminal sends a sequence in one piece.
    package mutating func keys(in input: some Sequence<UInt8>) -> [TerminalKey] {
        bytes += input
        var keys: [TerminalKey] = []
        while let first = bytes.first {
            if first == 0x1B {
                if let key = sequence() { keys.append(key) }
            } else if first < 0x20 || first == 0x7F {
                bytes.removeFirst()
                keys.append(Self.control(first))
            } else {
                let count = Self.length(first)
                guard bytes.count >= count else { break }
                let text = String(decoding: bytes.prefix(count), as: UTF8.self)
                bytes.removeFirst(count)
                keys += text.map { .character($0) }
            }
        }
        return keys
    }

    private static func control(_ byte: UInt8) -> TerminalKey {
        switch byte {
        case 0x09: .tab
        case 0x0A, 0x0D: .enter
        case 0x08, 0x7F: .backspace
        default: .control(Character(Unicode.Scalar(byte + 0x60)))
        }
    }

    private static func length(_ first: UInt8) -> Int {
        switch first {
        case 0xC0..<0xE0: 2
        case 0xE0..<0xF0: 3
        case 0xF0...: 4
        default: 1
        }
    }

    /// The key of a sequence that begins with escape; nil for one that means nothing here.
    private mutating func sequence() -> TerminalKey? {
        guard bytes.count > 1, bytes[1] == UInt8(ascii: "[") || bytes[1] == UInt8(ascii: "O") else {
            bytes.removeFirst()
            return .escape
        }
        // Parameters, then one final byte.
        guard let end = bytes.indices.dropFirst(2).first(where: { (0x40...0x7E).contains(bytes[$0]) }) else {
            bytes.removeAll()
            return nil
        }
        let parameters = String(decoding: bytes[2..<end], as: UTF8.self)
        let final = bytes[end]
        bytes.removeFirst(end + 1)
        switch (final, parameters.split(separator: ";").first) {
        case (UInt8(ascii: "A"), _): return .up
        case (UInt8(ascii: "B"), _): return .down
        case (UInt8(ascii: "C"), _): return .right
        case (UInt8(ascii: "D"), _): return .left
        case (UInt8(ascii: "H"), _), (UInt8(ascii: "~"), "1"), (UInt8(ascii: "~"), "7"): return .home
        case (UInt8(ascii: "F"), _), (UInt8(ascii: "~"), "4"), (UInt8(ascii: "~"), "8"): return .end
        case (UInt8(ascii: "Z"), _): return .backTab
        case (UInt8(ascii: "~"), "3"): return .delete
        case (UInt8(ascii: "~"), "5"): return .pageUp
        case (UInt8(ascii: "~"), "6"): return .pageDown
        default: return nil
        }
    }
}
