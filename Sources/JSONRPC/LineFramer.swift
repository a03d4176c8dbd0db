#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Splits a stream of bytes into lines, one message each.
///
/// Lines end with LF, or another byte that is chosen. A CR before it, blank lines and one byte order mark at
/// the start of the stream are dropped. The stream is split before anything is
/// decoded, so a character that two reads divide is whole in its line. Bytes are
/// copied only when a line straddles two reads.
public struct LineFramer {
    /// The next item of the stream.
    public enum Event {
        /// A line without its end; the bytes are valid only during the call.
        case line(UnsafeRawBufferPointer)
        /// A line longer than the limit; reported once, and its bytes are discarded.
        case tooLong
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The greatest length of a line in bytes, without its end.
    public let limit: Int

    /// The byte that ends a line.
    private let delimiter: UInt8
    /// The start of an incomplete line.
    private var partial: [UInt8] = []
    private var isSkipping = false
    private var isAtStart = true

    /// The number of bytes of the current line that were read; `Int.max` for a line that is too long.
    public var unfinishedLength: Int { isSkipping ? .max : partial.count }

    /// A framer at the start of a stream.
    ///
    /// - Parameters:
    ///   - limit: The greatest length of a line in bytes.
    ///   - delimiter: The byte that ends a line.
    public init(limit: Int, delimiter: UInt8 = 0x0A) {
        (self.limit, self.delimiter) = (limit, delimiter)
    }

    /// Reads the next bytes of the stream and reports each line that they complete.
    ///
    /// - Parameters:
    ///   - chunk: The bytes.
    ///   - body: Called once for each event, in order.
    public mutating func consume(_ chunk: UnsafeRawBufferPointer, _ body: (Event) -> Void) {
        consume(chunk, with: ()) { _, event in body(event) }
    }

    /// Reads the next bytes of the stream and reports each line that they complete.
    ///
    /// - Parameters:
    ///   - chunk: The bytes.
    ///   - context: Passed to the closure, so that it need not capture anything: a capture is retained for each line.
    ///   - body: Called once for each event, in order.
    mutating func consume<Context>(
        _ chunk: UnsafeRawBufferPointer,
        with context: Context,
        _ body: (Context, Event) -> Void
    ) {
        var rest = chunk
        while let start = rest.baseAddress, let end = memchr(start, Int32(delimiter), rest.count) {
            let count = UnsafeRawPointer(end) - start
            append(UnsafeRawBufferPointer(rebasing: rest[..<count]), endsLine: true, context, body)
            rest = UnsafeRawBufferPointer(rebasing: rest[(count + 1)...])
        }
        if !rest.isEmpty { append(rest, endsLine: false, context, body) }
    }

    /// Reads the end of the stream: a last line without LF counts as a line.
    ///
    /// - Parameter body: Called if there is such a line.
    public mutating func finish(_ body: (Event) -> Void) {
        append(UnsafeRawBufferPointer(start: nil, count: 0), endsLine: true, ()) { _, event in body(event) }
    }

    /// Appends bytes to the current line, and reports the line if it ends here.
    private mutating func append<Context>(
        _ bytes: UnsafeRawBufferPointer,
        endsLine: Bool,
        _ context: Context,
        _ body: (Context, Event) -> Void
    ) {
        if !isSkipping && length(with: bytes) > limit {
            isSkipping = true
            isAtStart = false
            partial = []
            body(context, .tooLong)
        }
        guard !isSkipping else {
            isSkipping = !endsLine
            return
        }
        guard endsLine else {
            partial.append(contentsOf: bytes)
            return
        }
        guard !partial.isEmpty else { return report(bytes, context, body) }
        partial.append(contentsOf: bytes)
        // Swapped out and back, so that the memory serves the next line too: a line may have megabytes.
        var line: [UInt8] = []
        swap(&line, &partial)
        line.withUnsafeBytes { report($0, context, body) }
        line.removeAll(keepingCapacity: true)
        partial = line
    }

    /// Reports a line without its CR and without a byte order mark, unless it is blank.
    private mutating func report<Context>(
        _ bytes: UnsafeRawBufferPointer,
        _ context: Context,
        _ body: (Context, Event) -> Void
    ) {
        var line = bytes[...]
        if isAtStart && line.starts(with: LineFramer.byteOrderMark) { line = line.dropFirst(3) }
        isAtStart = false
        if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
        guard line.contains(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }) else { return }
        body(context, .line(UnsafeRawBufferPointer(rebasing: line)))
    }

    /// The length of the line so far, except a CR that may belong to its end and the byte order mark.
    private func length(with bytes: UnsafeRawBufferPointer) -> Int {
        let count = partial.count + bytes.count
        guard count > limit else { return count }
        let hasReturn = (bytes.last ?? partial.last) == UInt8(ascii: "\r")
        let hasMark = isAtStart && (partial.prefix(3) + bytes.prefix(3)).starts(with: LineFramer.byteOrderMark)
        return count - (hasReturn ? 1 : 0) - (hasMark ? LineFramer.byteOrderMark.count : 0)
    }
}

/// Recognises a message that is spread over many lines, as pretty-printed JSON is.
///
/// Its first line is answered with an error that says so. The lines that
/// continue it are dropped, so that one mistake costs one error and not one
/// for each line. A line that is a whole message is never dropped.
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
