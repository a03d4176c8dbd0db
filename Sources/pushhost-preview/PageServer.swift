internal import CPreview
internal import FlyingFox
internal import FlyingSocks
internal import NotificationHTML
internal import Platform

/// The HTTP server: FlyingFox on the loopback interface.
actor PageServer {
    private let server: HTTPServer
    private let guardian: ConnectionGuard
    private let port: UInt16
    private var hasListened = false

    /// A server for a port that is free.
    init(port: UInt16, guardian: ConnectionGuard, handler: PageHandler) throws {
        (self.port, self.guardian) = (port, guardian)
        let configuration = HTTPServer.Configuration(
            address: try sockaddr_in.inet(ip4: "127.0.0.1", port: port),
            logger: .disabled
        )
        server = HTTPServer(config: configuration, handler: handler)
    }

    /// Runs until the process ends.
    ///
    /// The server stops if the process has no descriptor for a connection; once there is one, it runs again.
    ///
    /// - Throws: That it cannot listen, because another program has taken the port since it was chosen.
    func run() async throws {
        let watching = Task { [guardian, port] in
            while !Task.isCancelled {
                guardian.look(port: port)
                try? await Task.sleep(for: .milliseconds(ConnectionGuard.interval))
            }
        }
        defer { watching.cancel() }
        while !Task.isCancelled {
            do {
                try await server.run()
            } catch {
                guard hasListened else { throw error }
            }
            try? await Task.sleep(for: .milliseconds(ConnectionGuard.interval))
        }
    }

    /// Waits until connections are accepted.
    func waitUntilListening() async throws {
        try await server.waitUntilListening()
        hasListened = true
        guardian.look(port: port)
    }
}

/// Answers HTTP requests: the page, its style and script, and the WebSocket, below the token; nothing else.
struct PageHandler: HTTPHandler {
    let token: AccessToken
    let port: UInt16
    let allowsRemoteImages: Bool
    let windows: Windows
    let mailbox: WindowMailbox
    let guardian: ConnectionGuard

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        // A name that leads to this machine in another site's DNS makes its pages same-origin with this one.
        let hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
        guard let host = request.headers[.host], hosts.contains(host) else {
            return refusal(.forbidden, "This address is not that of the preview.")
        }
        let parts = request.target.path().split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].isEmpty, token.matches(parts[1]) else {
            return refusal(.notFound, "Not found. Use the whole address that pushhost preview printed.")
        }
        let origin = request.headers[HTTPHeader("Origin")]
        guard origin == nil || origin == "http://\(host)" else {
            return refusal(.forbidden, "A page of another origin may not use the preview.")
        }
        guard request.method == .GET else { return refusal(.methodNotAllowed, "Only GET is answered.") }
        guardian.admit(request.remoteAddress)
        if let file = cpreview_file(String(parts[2])) { return document(file.pointee) }
        switch parts[2] {
        case "notification.css":
            return response(.ok, "text/css; charset=utf-8", Data(HTMLRenderer.styleSheet.utf8))
        // A browser always names the origin here; a request without it is not from the page.
        case "socket" where origin != nil: return try await socket(request)
        case "socket": return refusal(.forbidden, "A WebSocket needs the header Origin.")
        default: return refusal(.notFound, "Not found.")
        }
    }

    private func socket(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let window = windows.open() else {
            return refusal(.serviceUnavailable, "Too many windows show the preview.")
        }
        let socket = WindowSocket(window: window, windows: windows, mailbox: mailbox)
        let response = try await WebSocketHTTPHandler(handler: socket).handleRequest(request)
        if case .httpBody = response.payload {
            windows.remove(window)
            return refusal(.badRequest, "This is not the handshake of a WebSocket.")
        }
        return response
    }

    // MARK: Responses

    private func document(_ file: cpreview_file) -> HTTPResponse {
        response(.ok, "\(String(cString: file.type)); charset=utf-8", Data(bytes: file.bytes, count: file.size))
    }

    private func refusal(_ status: HTTPStatusCode, _ text: String) -> HTTPResponse {
        response(status, "text/plain; charset=utf-8", Data("\(text)\n".utf8))
    }

    private func response(_ status: HTTPStatusCode, _ type: String, _ body: Data) -> HTTPResponse {
        let images = allowsRemoteImages ? "img-src data: http: https:" : "img-src data:"
        // Styles of single elements are widths and colours that the renderer computes; no style sheet is inline.
        let policy = [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "style-src-attr 'unsafe-inline'", images,
            "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        ]
        return HTTPResponse(
            statusCode: status,
            headers: [
                .contentType: type,
                .cacheControl: "no-store",
                HTTPHeader("Content-Security-Policy"): policy.joined(separator: "; "),
                HTTPHeader("Cross-Origin-Opener-Policy"): "same-origin",
                HTTPHeader("Cross-Origin-Resource-Policy"): "same-origin",
                // The address has the token, which no other site may learn.
                HTTPHeader("Referrer-Policy"): "no-referrer",
                HTTPHeader("X-Content-Type-Options"): "nosniff",
                HTTPHeader("X-Frame-Options"): "DENY",
            ],
            body: body
        )
    }
}

/// The secret part of the page's address, which lets anybody who knows it use the preview.
///
/// Every user of this machine can connect to the port, so the port alone protects nothing.
struct AccessToken: Sendable {
    /// 128 random bits as 32 hexadecimal digits.
    let text: String

    init() {
        var random = SystemRandomNumberGenerator()
        text = (0..<2).map { _ in
            let digits = String(random.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        .joined()
    }

    /// Compares in a time that does not depend on where the texts differ, so that it cannot be guessed digit by digit.
    func matches(_ other: some StringProtocol) -> Bool {
        let (own, other) = (Array(text.utf8), Array(other.utf8))
        guard own.count == other.count else { return false }
        return zip(own, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

/// Finds a port of the loopback interface for the server.
enum LoopbackPort {
    /// Why a port cannot be used.
    struct Problem: Error {
        let message: String
    }

    /// A port that can be listened at: the given one, or any if it is 0.
    static func free(_ port: UInt16) throws(Problem) -> UInt16 {
        #if os(Linux)
        let stream = Int32(SOCK_STREAM.rawValue)
        #else
        let stream = SOCK_STREAM
        #endif
        let descriptor = socket(AF_INET, stream, 0)
        guard descriptor >= 0 else { throw problem(port) }
        defer { close(descriptor) }
        var isReused: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutableBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { buffer -> Int32 in
                guard let start = buffer.baseAddress, bind(descriptor, start, size) == 0,
                    listen(descriptor, 1) == 0
                else { return -1 }
                return getsockname(descriptor, start, &size)
            }
        }
        guard result == 0 else { throw problem(port) }
        return UInt16(bigEndian: address.sin_port)
    }

    private static func problem(_ port: UInt16) -> Problem {
        let reason = String(cString: strerror(errno))
        return Problem(message: "--port \(port): 127.0.0.1:\(port) cannot be used: \(reason); name another port")
    }
}
