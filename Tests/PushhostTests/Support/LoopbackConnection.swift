import Foundation
import JSON
import TestSupport

/// A connection to a server on this machine that can send requests byte by byte.
final class LoopbackConnection {
    /// The response of a server.
    struct Response {
        let status: Int
        /// By name, in lower case.
        let headers: [String: String]
        let body: String

        var json: JSON { get throws { try JSON(parsing: body) } }
    }

    private let descriptor: Int32
    private var buffer: [UInt8] = []

    init(port: Int) throws {
        #if os(Linux)
        let stream = Int32(SOCK_STREAM.rawValue)
        #else
        let stream = SOCK_STREAM
        #endif
        descriptor = socket(AF_INET, stream, 0)
        guard descriptor >= 0 else { throw Self.failure("cannot create a socket") }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var patience = timeval(tv_sec: Int(ChildProcess.patience), tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafeBytes(of: &address) { bytes in
            let address = bytes.assumingMemoryBound(to: sockaddr.self)
            return connect(descriptor, address.baseAddress, socklen_t(bytes.count))
        }
        guard result == 0 else {
            let failure = Self.failure("cannot connect to port \(port)")
            close(descriptor)
            throw failure
        }
    }

    deinit { close(descriptor) }

    /// Sends a request with the length of its body.
    func send(_ method: String, _ path: String, headers: [String: String] = [:], body: String = "") throws {
        let lines = headers.map { "\($0.key): \($0.value)\r\n" }.sorted().joined()
        try send(
            "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(lines)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        )
    }

    /// Sends a text unchanged.
    func send(_ text: String) throws { try send(bytes: Array(text.utf8)) }

    /// Sends bytes unchanged.
    func send(bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw Self.failure("cannot send") }
            rest = rest.dropFirst(count)
        }
    }

    /// The next response, which must have a `Content-Length`.
    func response() throws -> Response {
        let head = try receive(upTo: Array("\r\n\r\n".utf8))
        let lines = head.split(separator: "\r\n").map(String.init)
        let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        let pairs = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (parts[0].lowercased(), parts.last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "")
        }
        let headers = Dictionary(pairs) { first, _ in first }
        guard let status, let length = headers["content-length"].flatMap({ Int($0) }) else {
            throw TestFailure("this is not a response with a length: \(head)")
        }
        return Response(status: status, headers: headers, body: try receive(length))
    }

    /// The next bytes, as a text.
    func receive(_ count: Int) throws -> String { String(decoding: try receive(bytes: count), as: UTF8.self) }

    /// The next bytes.
    func receive(bytes count: Int) throws -> [UInt8] {
        while buffer.count < count { try fill() }
        defer { buffer.removeFirst(count) }
        return Array(buffer.prefix(count))
    }

    /// All remaining bytes until the connection ends.
    func readToEnd() throws -> String {
        while try receiveChunk() {}
        defer { buffer = [] }
        return String(decoding: buffer, as: UTF8.self)
    }

    /// The text up to the end of an end mark.
    func receive(upTo end: [UInt8]) throws -> String {
        var searched = 0
        while true {
            let found = buffer.indices.dropFirst(searched).first { buffer[$0...].starts(with: end) }
            if let found { return try receive(found + end.count) }
            searched = max(0, buffer.count - end.count + 1)
            try fill()
        }
    }

    private func fill() throws {
        guard try receiveChunk() else { throw TestFailure("the connection ended after \(buffer.count) bytes") }
    }

    /// Returns false at the end of the connection.
    private func receiveChunk() throws -> Bool {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        var count = 0
        repeat { count = read(descriptor, &chunk, chunk.count) } while count < 0 && errno == EINTR
        guard count >= 0 else { throw Self.failure("cannot receive") }
        buffer += chunk.prefix(count)
        return count > 0
    }

    private static func failure(_ what: String) -> TestFailure {
        TestFailure("\(what): \(String(cString: strerror(errno)))")
    }
}
