import JSONRPC
import Testing

/// An event of a framer, as a value.
enum Framed: Equatable {
    case line(String)
    case tooLong
}

/// Feeds a framer one stream in every division into chunks, and expects the same events each time.
struct FramerVerifier {
    var limit = 1 << 20

    /// Divides the stream into chunks of every size, and into two parts at every byte.
    func verify(_ stream: [UInt8], gives expected: [Framed], sourceLocation: SourceLocation = #_sourceLocation) {
        for size in stride(from: 1, through: max(1, stream.count), by: 1) {
            let chunks = stride(from: 0, to: stream.count, by: size).map { stream[$0..<min($0 + size, stream.count)] }
            let found = events(chunks)
            // One failure is enough; the others would probably be the same.
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

    /// Expects that a line is reported as soon as its LF is read, because a client that waits for a reply sends no more.
    private func verifyPromptness(_ stream: [UInt8], _ sourceLocation: SourceLocation) {
        var framer = LineFramer(limit: limit)
        var reported = 0
        for (index, byte) in stream.enumerated() {
            [byte].withUnsafeBytes { chunk in framer.consume(chunk) { _ in reported += 1 } }
            guard byte == UInt8(ascii: "\n") else { continue }
            let whole = events([stream[...index]], finishes: false).count
            #expect(reported == whole, "at byte \(index)", sourceLocation: sourceLocation)
        }
    }

    private func events(_ chunks: [ArraySlice<UInt8>], finishes: Bool = true) -> [Framed] {
        var framer = LineFramer(limit: limit)
        var found: [Framed] = []
        func append(_ event: LineFramer.Event) {
            switch event {
            case .line(let bytes): found.append(.line(String(decoding: bytes, as: UTF8.self)))
            case .tooLong: found.append(.tooLong)
            }
        }
        for chunk in chunks { chunk.withUnsafeBytes { framer.consume($0, append) } }
        if finishes { framer.finish(append) }
        return found
    }
}
