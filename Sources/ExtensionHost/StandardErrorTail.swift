/// The last lines of an extension's stderr, within a fixed size.
struct StandardErrorTail {
    static let limit = 4096

    private var bytes: [UInt8] = []
    private var line: [UInt8] = []
    /// How many bytes there were in all.
    private(set) var count = 0

    /// The tail as text, repaired where it is not UTF-8.
    var text: String { text(since: 0) }

    /// The tail of what came after the first so many bytes.
    func text(since start: Int) -> String {
        String(decoding: bytes.suffix(min(count - start, StandardErrorTail.limit)), as: UTF8.self)
    }

    /// Takes bytes, and tells each line that they complete.
    mutating func append(_ chunk: UnsafeRawBufferPointer, _ body: (String) -> Void) {
        count += chunk.count
        bytes.append(contentsOf: chunk)
        if bytes.count > 4 * StandardErrorTail.limit { bytes.removeFirst(bytes.count - StandardErrorTail.limit) }
        for byte in chunk {
            if byte != UInt8(ascii: "\n") { line.append(byte) }
            // A line without end must not grow without bound.
            if byte == UInt8(ascii: "\n") || line.count >= StandardErrorTail.limit { finish(body) }
        }
    }

    /// Tells a last line that has no end.
    mutating func finish(_ body: (String) -> Void) {
        if !line.isEmpty { body(String(decoding: line, as: UTF8.self)) }
        line.removeAll(keepingCapacity: true)
    }
}
