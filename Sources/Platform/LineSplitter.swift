/// Splits a stream of bytes into lines at LF.
///
/// It is for logs and recordings. The lines of the protocol are split by `LineFramer` of JSONRPC, which also implements the
/// protocol's rules on blank lines, CR, byte order marks and lines that are too long.
package struct LineSplitter {
    private let longest: Int
    /// The beginning of a line whose end has not arrived yet.
    package private(set) var unfinished: [UInt8] = []

    /// A splitter at the start of a stream.
    ///
    /// - Parameter longest: A longer line is split into pieces of this size, which limits the memory for a line without
    ///   end.
    package init(longest: Int = .max) { self.longest = longest }

    /// Consumes the next bytes of the stream.
    ///
    /// - Parameters:
    ///   - chunk: The bytes.
    ///   - body: Receives each line that the bytes complete, without its LF; valid only during the call.
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

    /// Passes an unfinished line to the body, if there is one.
    ///
    /// - Parameters:
    ///   - kept: The number of its last bytes that stay in the splitter, as the beginning of the next line.
    ///   - body: Receives the line.
    package mutating func finish(keeping kept: Int = 0, _ body: (UnsafeRawBufferPointer) -> Void) {
        guard unfinished.count > kept else { return }
        let rest = Array(unfinished.suffix(kept))
        unfinished.removeLast(rest.count)
        emit(body)
        unfinished = rest
    }

    /// Passes the full pieces of a line that is too long to the body.
    ///
    /// - Returns: The remaining bytes.
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
        // Moved out and back, so that its memory is used for the next line too.
        var line: [UInt8] = []
        swap(&line, &unfinished)
        line.withUnsafeBytes(body)
        line.removeAll(keepingCapacity: true)
        unfinished = line
    }
}
