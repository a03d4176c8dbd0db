import JSONRPC
import Testing

/// What a framer told, as a value.
enum Framed: Equatable {
    case line(String)
    case tooLong
}

/// Feeds a framer one stream cut in every way and expects the same events each time.
struct FramerVerifier {
    var limit = 1 << 20

    /// Cuts the stream at every chunk size and at every single byte.
    func verify(_ stream: [UInt8], gives expected: [Framed], sourceLocation: SourceLocation = #_sourceLocation) {
        for size in stride(from: 1, through: max(1, stream.count), by: 1) {
            let chunks = stride(from: 0, to: stream.count, by: size).map { stream[$0..<min($0 + size, stream.count)] }
            let found = events(chunks)
            // The first failure tells all; the others would say the same.
            guard found == expected else {
                Issue.record("\(found) in chunks of \(size)", sourceLocation: sourceLocation)
                return
            }
        }
        for cut in stream.indices {
            let found = events([stream[..<cut], [], stream[cut...]])
            guard found == expected else {
                Issue.record("\(found) when cut at \(cut)", sourceLocation: sourceLocation)
                return
            }
        }
        verifyPromptness(stream, sourceLocation)
    }

    func verify(_ stream: String, gives expected: [Framed], sourceLocation: SourceLocation = #_sourceLocation) {
        verify(Array(stream.utf8), gives: expected, sourceLocation: sourceLocation)
    }

    /// A line is told with its LF and not later: whoever waits for the reply sends nothing more.
    private func verifyPromptness(_ stream: [UInt8], _ sourceLocation: SourceLocation) {
        var framer = LineFramer(limit: limit)
        var told = 0
        for (index, byte) in stream.enumerated() {
            [byte].withUnsafeBytes { chunk in framer.consume(chunk) { _ in told += 1 } }
            guard byte == UInt8(ascii: "\n") else { continue }
            let whole = events([stream[...index]], finishes: false).count
            #expect(told == whole, "at byte \(index)", sourceLocation: sourceLocation)
        }
    }

    private func events(_ chunks: [ArraySlice<UInt8>], finishes: Bool = true) -> [Framed] {
        var framer = LineFramer(limit: limit)
        var found: [Framed] = []
        func note(_ event: LineFramer.Event) {
            switch event {
            case .line(let bytes): found.append(.line(String(decoding: bytes, as: UTF8.self)))
            case .tooLong: found.append(.tooLong)
            }
        }
        for chunk in chunks { chunk.withUnsafeBytes { framer.consume($0, note) } }
        if finishes { framer.finish(note) }
        return found
    }
}
