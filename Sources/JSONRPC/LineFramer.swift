internal import Foundation

/// Splits a stream of bytes into lines, one message each.
///
/// Lines end with LF. A CR before it, blank lines and one byte order mark at
/// the start of the stream are dropped; the stream is split before anything is
/// decoded, so a character cut by a read is whole again in its line. Bytes are
/// copied only when a line straddles two reads.
public struct LineFramer {
    /// The next item of the stream.
    public enum Event {
        /// A line without its end; the bytes are valid during the call alone.
        case line(UnsafeRawBufferPointer)
        /// A line longer than the limit; reported once, and its bytes are discarded.
        case tooLong
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The greatest length of a line in bytes, its end not counted.
    public let limit: Int

    /// The start of an incomplete line.
    private var partial: [UInt8] = []
    private var isSkipping = false
    private var isAtStart = true

    /// How many bytes of a line without an end yet are there; past the limit as many as can be.
    public var unfinishedLength: Int { isSkipping ? .max : partial.count }

    /// A framer at the start of a stream.
    ///
    /// - Parameter limit: The greatest length of a line in bytes.
    public init(limit: Int) {
        self.limit = limit
    }

    /// Consumes the next bytes of the stream and reports each line that they complete.
    ///
    /// - Parameters:
    ///   - chunk: The bytes.
    ///   - body: Called once an event, in order.
    public mutating func consume(_ chunk: UnsafeRawBufferPointer, _ body: (Event) -> Void) {
        var rest = chunk
        while let start = rest.baseAddress, let end = memchr(start, 0x0A, rest.count) {
            let count = UnsafeRawPointer(end) - start
            take(UnsafeRawBufferPointer(rebasing: rest[..<count]), completes: true, body)
            rest = UnsafeRawBufferPointer(rebasing: rest[(count + 1)...])
        }
        if !rest.isEmpty { take(rest, completes: false, body) }
    }

    /// Takes the end of the stream: a last line without LF counts as a line.
    ///
    /// - Parameter body: Called when there is such a line.
    public mutating func finish(_ body: (Event) -> Void) {
        take(UnsafeRawBufferPointer(start: nil, count: 0), completes: true, body)
    }

    private mutating func take(_ bytes: UnsafeRawBufferPointer, completes: Bool, _ body: (Event) -> Void) {
        if !isSkipping && length(with: bytes) > limit {
            isSkipping = true
            isAtStart = false
            partial = []
            body(.tooLong)
        }
        guard !isSkipping else {
            isSkipping = !completes
            return
        }
        guard completes else {
            partial.append(contentsOf: bytes)
            return
        }
        guard !partial.isEmpty else { return emit(bytes, body) }
        partial.append(contentsOf: bytes)
        // Taken out and put back, so that its memory serves the next line too: one may be megabytes long.
        var line: [UInt8] = []
        swap(&line, &partial)
        line.withUnsafeBytes { emit($0, body) }
        line.removeAll(keepingCapacity: true)
        partial = line
    }

    /// The length of the line so far, without what is not counted: a CR that may belong to its end, and the mark.
    private func length(with bytes: UnsafeRawBufferPointer) -> Int {
        let count = partial.count + bytes.count
        guard count > limit else { return count }
        let hasReturn = (bytes.last ?? partial.last) == UInt8(ascii: "\r")
        let hasMark = isAtStart && (partial.prefix(3) + bytes.prefix(3)).starts(with: LineFramer.byteOrderMark)
        return count - (hasReturn ? 1 : 0) - (hasMark ? LineFramer.byteOrderMark.count : 0)
    }

    private mutating func emit(_ bytes: UnsafeRawBufferPointer, _ body: (Event) -> Void) {
        var line = bytes[...]
        if isAtStart && line.starts(with: LineFramer.byteOrderMark) { line = line.dropFirst(3) }
        isAtStart = false
        if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
        guard line.contains(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }) else { return }
        body(.line(UnsafeRawBufferPointer(rebasing: line)))
    }
}
