import Foundation

/// A TCP connection to a port of 127.0.0.1, for raw bytes.
public final class LoopbackClient {
    /// The socket, for poll(2).
    public let descriptor: Int32
    private var input: [UInt8] = []
    /// Whether the other end has ended the stream, or reset the connection.
    public private(set) var isAtEnd = false

    /// Connects to a port.
    public init(port: UInt16) throws {
        #if os(Linux)
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafeBytes(of: &address) { bytes in
            connect(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count))
        }
        guard result == 0 else {
            let reason = String(cString: strerror(errno))
            close(descriptor)
            throw TestFailure("cannot connect to port \(port): \(reason)")
        }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    deinit { close(descriptor) }

    /// Writes as much of a text as the other end accepts without waiting.
    ///
    /// - Returns: The number of bytes.
    @discardableResult
    public func write(_ text: String) -> Int {
        Array(text.utf8).withUnsafeBytes { max(0, send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))) }
    }

    /// Ends the stream to the other end, from which more can be read.
    public func endOutput() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Reads what has arrived.
    ///
    /// - Returns: Everything that was read since the beginning.
    @discardableResult
    public func readAvailable() -> String {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while !isAtEnd {
            let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EAGAIN { break }
            if count <= 0 { isAtEnd = true } else { input += chunk.prefix(count) }
        }
        return String(decoding: input, as: UTF8.self)
    }

    /// Reads until the other end ends the stream.
    public func readToEnd() throws -> String {
        while !isAtEnd {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, Int32(ChildProcess.patience * 1_000)) > 0 else {
                throw TestFailure("the connection did not end in time")
            }
            readAvailable()
        }
        return readAvailable()
    }

    /// Asks an HTTP server at a port for a path.
    ///
    /// - Returns: The status and the body.
    public static func get(_ path: String, port: UInt16) throws -> (status: Int, body: String) {
        let connection = try LoopbackClient(port: port)
        connection.write("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
        return try HTTPText(try connection.readToEnd()).answer
    }
}

/// An HTTP response as it was read.
public struct HTTPText {
    /// The status.
    public let status: Int
    /// The fields of the head by their names in lower case.
    public let fields: [String: String]
    /// The body.
    public let body: String

    /// The status and the body.
    public var answer: (status: Int, body: String) { (status, body) }

    /// Reads a response.
    ///
    /// - Throws: If it is none, or if its body is not as long as it says.
    public init(_ text: String) throws {
        let bytes = Array(text.utf8)
        let mark = Array("\r\n\r\n".utf8)
        guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: mark) }) else {
            throw TestFailure("this is no HTTP response: \(text)")
        }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        let words = lines.first?.split(separator: " ", maxSplits: 2) ?? []
        guard words.count == 3, words[0] == "HTTP/1.1", let status = Int(words[1]) else {
            throw TestFailure("this is no status line: \(lines.first ?? "")")
        }
        self.status = status
        fields = Dictionary(
            uniqueKeysWithValues: lines.dropFirst().map { line in
                let parts = line.split(separator: ":", maxSplits: 1)
                return (parts[0].lowercased(), parts.count == 2 ? parts[1].trimmingCharacters(in: .whitespaces) : "")
            }
        )
        body = String(decoding: bytes[(end + mark.count)...], as: UTF8.self)
    }
}
