internal import Platform

/// The last lines of an extension's stderr, within a fixed size.
struct StandardErrorTail {
    static let limit = 4096

    private var bytes: [UInt8] = []
    private var lines = LineSplitter(longest: limit)
    /// The number of bytes so far.
    private(set) var count = 0

    /// The tail as text, repaired where it is not UTF-8.
    var text: String { text(since: 0) }

    /// The tail of what came after the first so many bytes.
    func text(since start: Int) -> String {
        String(decoding: bytes.suffix(min(count - start, StandardErrorTail.limit)), as: UTF8.self)
    }

    /// Appends bytes and gives each line that they complete, unless it is empty.
    mutating func append(_ chunk: UnsafeRawBufferPointer, _ body: (String) -> Void) {
        count += chunk.count
        bytes.append(contentsOf: chunk)
        if bytes.count > 4 * StandardErrorTail.limit { bytes.removeFirst(bytes.count - StandardErrorTail.limit) }
        lines.consume(chunk) { if !$0.isEmpty { body(String(decoding: $0, as: UTF8.self)) } }
    }

    /// Gives a last line that has no end.
    mutating func finish(_ body: (String) -> Void) {
        lines.finish { body(String(decoding: $0, as: UTF8.self)) }
    }
}
