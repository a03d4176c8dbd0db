internal import Platform

/// The last lines of an extension's stderr, within a fixed size.
struct StandardErrorTail {
    static let limit = 4096

    private var bytes: [UInt8] = []
    private var lines = LineSplitter(longest: limit)
    /// The number of bytes that were appended.
    private(set) var count = 0

    /// The tail as text; invalid UTF-8 is replaced.
    var text: String { text(since: 0) }

    /// The tail of the output after its first `start` bytes.
    func text(since start: Int) -> String {
        String(decoding: bytes.suffix(min(count - start, StandardErrorTail.limit)), as: UTF8.self)
    }

    /// Appends bytes and passes each line that they complete to the body, except empty lines.
    mutating func append(_ chunk: UnsafeRawBufferPointer, _ body: (String) -> Void) {
        count += chunk.count
        bytes.append(contentsOf: chunk)
        if bytes.count > 4 * StandardErrorTail.limit { bytes.removeFirst(bytes.count - StandardErrorTail.limit) }
        lines.consume(chunk) { if !$0.isEmpty { body(String(decoding: $0, as: UTF8.self)) } }
    }

    /// Passes the last line to the body if it has no LF.
    mutating func finish(_ body: (String) -> Void) {
        lines.finish { body(String(decoding: $0, as: UTF8.self)) }
    }
}
