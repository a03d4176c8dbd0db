internal import Foundation

/// Splits a stream of bytes into lines at LF, whatever the lines hold.
///
/// This is for logs, recordings and files. The lines of the protocol come from `LineFramer` of JSONRPC, which knows the
/// protocol's rules on blank lines, CR, byte order marks and lines that are too long, and which an extension uses too.
package struct LineSplitter {
    private let longest: Int
    /// The beginning of a line whose end has not come yet.
    package private(set) var unfinished: [UInt8] = []

    /// A splitter at the start of a stream.
    ///
    /// - Parameter longest: A longer line comes in pieces of this size, so that a line without end needs no more memory.
    package init(longest: Int = .max) { self.longest = longest }

    /// Takes the next bytes of the stream.
    ///
    /// - Parameters:
    ///   - chunk: The bytes.
    ///   - body: Receives each line that the bytes complete, without its LF; valid during the call only.
    package mutating func consume(_ chunk: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
        var rest = chunk
        while let start = rest.baseAddress, let end = memchr(start, 0x0A, rest.count) {
            let count = UnsafeRawPointer(end) - start
            let last = cut(UnsafeRawBufferPointer(rebasing: rest[..<count]), body)
            if unfinished.isEmpty {
                body(last)
            } else {
                unfinished.append(contentsOf: last)
                emit(body)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[(count + 1)...])
        }
        unfinished.append(contentsOf: cut(rest, body))
    }

    /// Gives what has no end as a line, if there is anything.
    ///
    /// - Parameters:
    ///   - kept: So many of its last bytes stay, as the beginning of what comes next.
    ///   - body: Receives the line.
    package mutating func finish(keeping kept: Int = 0, _ body: (UnsafeRawBufferPointer) -> Void) {
        guard unfinished.count > kept else { return }
        let rest = Array(unfinished.suffix(kept))
        unfinished.removeLast(rest.count)
        emit(body)
        unfinished = rest
    }

    /// Gives the full pieces of a line that is too long, and returns what is left of the bytes.
    private mutating func cut(
        _ bytes: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) -> UnsafeRawBufferPointer {
        var rest = bytes
        while rest.count >= longest - unfinished.count {
            let room = longest - unfinished.count
            unfinished.append(contentsOf: rest[..<room])
            rest = UnsafeRawBufferPointer(rebasing: rest[room...])
            emit(body)
        }
        return rest
    }

    private mutating func emit(_ body: (UnsafeRawBufferPointer) -> Void) {
        // Moved out and back, so that its memory serves the next line too.
        var line: [UInt8] = []
        swap(&line, &unfinished)
        line.withUnsafeBytes(body)
        line.removeAll(keepingCapacity: true)
        unfinished = line
    }
}
