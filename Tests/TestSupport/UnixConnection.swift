import CSystem
import Foundation

/// A connection to a Unix domain socket, for raw bytes and lines.
public final class UnixConnection {
    private let descriptor: Int32
    private var buffer: [UInt8] = []

    /// Connects to the socket at a path.
    public init(_ path: String) throws {
        descriptor = csystem_connect(path, Int32(ChildProcess.patience * 1_000))
        guard descriptor >= 0 else {
            throw TestFailure("cannot connect to \(path): \(String(cString: strerror(-descriptor)))")
        }
    }

    deinit { close(descriptor) }

    /// Writes as many bytes as the other end accepts without waiting.
    ///
    /// - Returns: The number of bytes that were written.
    public func writeSome(_ bytes: some Collection<UInt8>) -> Int {
        max(0, Array(bytes).withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) })
    }

    /// Writes all bytes.
    public func write(_ text: String) throws {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            try wait(POLLOUT, for: "room to write")
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EAGAIN else {
                throw TestFailure("writing failed: \(String(cString: strerror(errno)))")
            }
            rest = rest.dropFirst(max(0, count))
        }
    }

    /// Ends the stream to the other end, from which more can be read.
    public func endInput() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Reads the next line, without its newline; nil at the end.
    public func readLine() throws -> String? {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                defer { buffer.removeFirst(end + 1) }
                return String(decoding: buffer[..<end], as: UTF8.self)
            }
            try wait(POLLIN, for: "a line")
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EAGAIN { continue }
            // A reset is the end of a connection with unread bytes.
            guard count > 0 else { return nil }
            buffer += chunk.prefix(count)
        }
    }

    private func wait(_ events: Int32, for goal: String) throws {
        var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        guard poll(&entry, 1, Int32(ChildProcess.patience * 1_000)) != 0 else {
            throw TestFailure("the socket did not provide \(goal) in time")
        }
    }
}
