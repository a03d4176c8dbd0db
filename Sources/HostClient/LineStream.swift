internal import Foundation
internal import JSONRPC
internal import Platform

/// Lines to and from another process, over two descriptors that are closed in the end.
final class LineStream {
    /// The maximum length of a line in bytes; no reply of a host is longer.
    private static let lineLimit = 1 << 30

    /// Where the other process reads; -1 if that was closed.
    private(set) var input: Int32
    /// Where the other process writes; -1 after the end.
    private(set) var output: Int32
    private var framer = LineFramer(limit: lineLimit)
    private var lines: [[UInt8]] = []
    /// The bytes that the descriptor has not accepted yet.
    private var unwritten: [UInt8] = []

    /// A stream over two descriptors, which become nonblocking.
    init(input: Int32, output: Int32) {
        (self.input, self.output) = (input, output)
        for end in [input, output] { Descriptors.setNonblocking(end) }
    }

    deinit { for descriptor in [input, output] where descriptor >= 0 { close(descriptor) } }

    /// Whether the other process writes no more and every line was taken.
    var isAtEnd: Bool { output < 0 && lines.isEmpty }

    /// Whether a line was read and not taken.
    var hasLine: Bool { !lines.isEmpty }

    /// Whether everything was written that must be.
    var isWritten: Bool { unwritten.isEmpty }

    /// The next line that was read; nil if there is none.
    func takeLine() -> [UInt8]? { lines.isEmpty ? nil : lines.removeFirst() }

    /// Adds the descriptors for which something is to be done.
    func add(to descriptors: inout PollSet) {
        if output >= 0 { descriptors.add(output, for: .reading) }
        if input >= 0, !unwritten.isEmpty { descriptors.add(input, for: .writing) }
    }

    /// Writes as many bytes as possible at once; the rest is written by ``flush()``.
    func write(_ bytes: some Sequence<UInt8>) {
        unwritten += bytes
        flush()
    }

    /// Writes what was not accepted before.
    func flush() {
        while !unwritten.isEmpty, input >= 0 {
            let count = unwritten.withUnsafeBytes { Foundation.write(input, $0.baseAddress, $0.count) }
            if count > 0 {
                unwritten.removeFirst(count)
            } else if errno == EAGAIN {
                return
            } else if errno != EINTR {
                // The other process no longer reads; the end of its output is noticed elsewhere.
                closeInput()
            }
        }
    }

    /// Closes the descriptor that the other process reads, and drops unwritten bytes.
    func closeInput() {
        if input >= 0 { close(input) }
        input = -1
        unwritten = []
    }

    /// Reads what is there.
    func read() {
        let (bytes, isEnd) = Self.read(output)
        bytes.withUnsafeBytes { framer.consume($0) { keepLine($0) } }
        guard isEnd else { return }
        framer.finish { keepLine($0) }
        close(output)
        output = -1
    }

    private func keepLine(_ event: LineFramer.Event) {
        if case .line(let line) = event { lines.append(Array(line)) }
    }

    /// Reads once from a descriptor.
    ///
    /// - Returns: The bytes, and whether there will be no more.
    static func read(_ descriptor: Int32) -> (bytes: ArraySlice<UInt8>, isEnd: Bool) {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = buffer.withUnsafeMutableBytes { Foundation.read(descriptor, $0.baseAddress, $0.count) }
        return (buffer.prefix(max(0, count)), count == 0 || count < 0 && errno != EAGAIN && errno != EINTR)
    }
}
