/// Recognises a message that is spread over many lines, as pretty-printed JSON is.
///
/// Its first line is answered with an error that says so. The lines that
/// continue it are dropped, so that one mistake costs one error and not one
/// for each line. A line that is a message by itself is never dropped.
struct SplitMessage {
    /// How many brackets of the message are open.
    private var depth = 0

    /// Whether lines of a message are being dropped.
    var isOpen: Bool { depth > 0 }

    /// Begins such a message if a line that is not JSON ends like one: pretty-printers break lines only after `{`, `[`
    /// and `,`.
    mutating func begin(_ line: UnsafeRawBufferPointer) {
        depth = 0
        guard let first = line.first, Self.opens(first) else { return }
        guard let last = line.last(where: { !Self.isSpace($0) }), Self.opens(last) || last == UInt8(ascii: ",") else {
            return
        }
        depth = max(0, Self.depth(line))
    }

    /// Ends the message, because a line came that is one of its own.
    mutating func end() { depth = 0 }

    /// Whether a line continues the message: it is indented, or closes what is open.
    ///
    /// Any other line ends the message and is read as one of its own.
    mutating func takes(_ line: UnsafeRawBufferPointer) -> Bool {
        guard depth > 0, let first = line.first, Self.isSpace(first) || Self.closes(first) else {
            depth = 0
            return false
        }
        depth = max(0, depth + Self.depth(line))
        return true
    }

    /// How many brackets a line opens, less those that it closes; brackets in strings do not count.
    private static func depth(_ line: UnsafeRawBufferPointer) -> Int {
        var depth = 0
        var (isInString, isEscaped) = (false, false)
        for byte in line {
            if isInString {
                if !isEscaped, byte == UInt8(ascii: "\"") { isInString = false }
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            } else if byte == UInt8(ascii: "\"") {
                isInString = true
            } else if opens(byte) {
                depth += 1
            } else if closes(byte) {
                depth -= 1
            }
        }
        return depth
    }

    private static func opens(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") }
    private static func closes(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") }
    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
