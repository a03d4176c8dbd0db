internal import JSON

/// Splits a stream of bytes into messages that follow headers, as in the base protocol of the Language Server Protocol.
///
/// A message is the number of bytes that `Content-Length` names, after an empty line; other headers are ignored, except
/// that a `Content-Type` must not name another character set than UTF-8. After a mistake whose message has no known end,
/// bytes are discarded up to the next `Content-Length`, so that one mistake is reported once. Bytes are copied only when
/// a message straddles two reads.
struct HeaderFramer {
    /// The next item of the stream.
    enum Event {
        /// A message without its headers; the bytes are valid only during the call.
        case message(UnsafeRawBufferPointer)
        /// A message longer than the limit; reported once, and its bytes are discarded.
        case tooLong
        /// Headers that cannot be read, or the end of the stream within a message; the sentence says what to correct.
        case invalid(String)
    }

    /// The greatest number of bytes of a message's headers.
    static let headerLimit = 4 << 10

    private static let name = Array("content-length:".utf8)
    private static let typeName = Array("content-type:".utf8)

    private enum State {
        /// The headers are read, of which ``partial`` has the start.
        case headers
        /// A message is read, of which ``partial`` has the start.
        case message(count: Int)
        /// The rest of a message is discarded.
        case skipping(count: Int)
        /// Bytes are discarded up to the next `Content-Length`; ``partial`` has what may be its start.
        case searching
    }

    /// The greatest length of a message in bytes.
    let limit: Int

    private var state = State.headers
    private var partial: [UInt8] = []

    /// The number of bytes of the current message or headers that were read; `Int.max` for those that are discarded.
    var unfinishedLength: Int {
        switch state {
        case .headers, .message, .searching: partial.count
        case .skipping: .max
        }
    }

    init(limit: Int) {
        self.limit = limit
    }

    /// Whether a stream that starts with some bytes has headers; nil if there are too few of them.
    static func begins(_ bytes: some Collection<UInt8>) -> Bool? {
        if starts(bytes, with: name) || starts(bytes, with: typeName) { return true }
        let isStart = [name, typeName].contains { $0.starts(with: bytes.lazy.map(lowercased)) }
        return isStart ? nil : false
    }

    /// Reads the next bytes of the stream and reports each message that they complete.
    ///
    /// - Parameters:
    ///   - chunk: The bytes.
    ///   - body: Called once for each event, in order. Returns false for a message that is not JSON, whose length may
    ///     be wrong: bytes are then discarded up to the next `Content-Length`.
    mutating func consume(_ chunk: UnsafeRawBufferPointer, _ body: (Event) -> Bool) {
        var rest = chunk[...]
        while !rest.isEmpty {
            switch state {
            case .headers: readHeaders(&rest, body)
            case .message(let count): readMessage(count, &rest, body)
            case .skipping(let count):
                let skipped = min(count, rest.count)
                rest = rest.dropFirst(skipped)
                state = skipped == count ? .headers : .skipping(count: count - skipped)
            case .searching: search(&rest)
            }
        }
    }

    /// Reads the end of the stream, which must not lie within a message.
    ///
    /// - Parameter body: Called if it does.
    mutating func finish(_ body: (Event) -> Bool) {
        switch state {
        case .message(let count):
            _ = body(.invalid("the input ended after \(partial.count) of the \(count) bytes that Content-Length names"))
        case .headers where partial.contains(where: { !Self.isSpace($0) }):
            _ = body(.invalid("the input ended within the headers of a message"))
        case .headers, .skipping, .searching: break
        }
        reset(.headers)
    }

    private mutating func reset(_ state: State) {
        self.state = state
        partial.removeAll(keepingCapacity: partial.capacity <= 1 << 20)
    }

    /// Takes bytes up to the empty line after the headers.
    private mutating func readHeaders(_ rest: inout Slice<UnsafeRawBufferPointer>, _ body: (Event) -> Bool) {
        while let byte = rest.popFirst() {
            partial.append(byte)
            guard byte == UInt8(ascii: "\n") || partial.count > Self.headerLimit else { continue }
            if partial.count > Self.headerLimit {
                _ = body(.invalid("the headers of a message have at most \(Self.headerLimit) bytes"))
                return reset(.searching)
            }
            // Empty lines before the headers are ignored.
            if partial.allSatisfy(Self.isSpace) { partial.removeAll() }
            guard partial.suffix(2) == [0x0A, 0x0A] || partial.suffix(3) == [0x0A, 0x0D, 0x0A] else {
                let line = partial.dropLast().split(separator: 0x0A).last ?? []
                guard let text = Self.mistake(inLine: line) else { continue }
                _ = body(.invalid(text))
                reset(.searching)
                // The next message may begin in this line, as messages have no end of their own.
                for byte in line + [0x0A] { search(byte) }
                return
            }
            return begin(Self.Headers(partial), body)
        }
    }

    /// Begins the message after headers.
    private mutating func begin(_ headers: Headers, _ body: (Event) -> Bool) {
        guard let count = headers.length else {
            _ = body(.invalid(headers.lengthMistake))
            return reset(.searching)
        }
        if let charset = headers.foreignCharset {
            _ = body(.invalid("messages are UTF-8, and this Content-Type names \(charset)"))
            return reset(count == 0 ? .headers : .skipping(count: count))
        }
        guard count <= limit else {
            _ = body(.tooLong)
            return reset(.skipping(count: count))
        }
        reset(count == 0 ? .headers : .message(count: count))
    }

    private mutating func readMessage(
        _ count: Int,
        _ rest: inout Slice<UnsafeRawBufferPointer>,
        _ body: (Event) -> Bool
    ) {
        let bytes = rest.prefix(count - partial.count)
        rest = rest.dropFirst(bytes.count)
        guard partial.count + bytes.count == count else { return partial.append(contentsOf: bytes) }
        guard !partial.isEmpty else {
            return state = body(.message(UnsafeRawBufferPointer(rebasing: bytes))) ? .headers : .searching
        }
        partial.append(contentsOf: bytes)
        let isJSON = partial.withUnsafeBytes { body(.message($0)) }
        reset(isJSON ? .headers : .searching)
    }

    /// Discards bytes up to `Content-Length:`, with which headers begin again.
    private mutating func search(_ rest: inout Slice<UnsafeRawBufferPointer>) {
        while case .searching = state, let byte = rest.popFirst() { search(byte) }
    }

    private mutating func search(_ byte: UInt8) {
        partial.append(byte)
        guard case .searching = state else { return }
        while !Self.name.starts(with: partial.lazy.map(Self.lowercased)) { partial.removeFirst() }
        if partial.count == Self.name.count { state = .headers }
    }

    // MARK: Headers

    /// What the headers of one message say.
    private struct Headers {
        /// The values of `Content-Length`, as they are written.
        private var lengths: [String] = []
        /// The character set that a `Content-Type` names, if it is not UTF-8.
        private(set) var foreignCharset: String?

        init(_ bytes: [UInt8]) {
            for line in bytes.split(separator: 0x0A) {
                if starts(line, with: name) {
                    lengths.append(text(line.dropFirst(name.count)))
                } else if starts(line, with: typeName) {
                    foreignCharset = Self.charset(text(line.dropFirst(typeName.count)))
                }
            }
        }

        /// The number of bytes of the message; nil if it is missing, no number, or given twice with different values.
        var length: Int? {
            guard let text = lengths.first, lengths.allSatisfy({ $0 == text }) else { return nil }
            guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            return Int(text)
        }

        /// Why there is no length.
        var lengthMistake: String {
            guard let text = lengths.first else {
                return "a message needs the header Content-Length, the number of its bytes"
            }
            return "Content-Length must be the number of bytes of the message, this is \(text.excerpt())"
        }

        /// The character set of a media type, unless it is UTF-8 or absent.
        private static func charset(_ type: String) -> String? {
            for parameter in type.split(separator: ";").dropFirst() {
                let parts = parameter.split(separator: "=", maxSplits: 1)
                guard parts.count == 2, trimmed(parts[0]).lowercased() == "charset" else { continue }
                let value = trimmed(parts[1]).filter { $0 != "\"" }
                return ["utf-8", "utf8"].contains(value.lowercased()) ? nil : value.excerpt()
            }
            return nil
        }
    }

    /// What is wrong with a line that is no header.
    private static func mistake(inLine line: ArraySlice<UInt8>) -> String? {
        if line.first == UInt8(ascii: "{") || line.first == UInt8(ascii: "[") {
            return "this message has no headers; the first one had, so each needs its Content-Length"
        }
        guard line.contains(UInt8(ascii: ":")) || line.allSatisfy(isSpace) else {
            return "a header is a name, a colon and a value, this is \(text(line).excerpt())"
        }
        return nil
    }

    private static func starts(_ bytes: some Collection<UInt8>, with name: [UInt8]) -> Bool {
        bytes.lazy.map(lowercased).starts(with: name)
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0D, 0x0A].contains(byte) }
    private static func trimmed(_ text: Substring) -> String { HeaderFramer.text(Array(text.utf8)[...]) }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        let start = bytes.drop(while: isSpace)
        let count = start.reversed().drop(while: isSpace).count
        return String(decoding: start.prefix(count), as: UTF8.self)
    }
}
