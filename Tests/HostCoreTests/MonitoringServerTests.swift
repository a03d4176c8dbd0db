import Foundation
import Logging
import Platform
import TestSupport
import Testing

@testable import HostCore
@testable import Relay

/// The HTTP responder, driven by the test as the event loop drives it.
@Suite(.waits) struct MonitoringServerTests {
    private final class Service: MonitoredService {
        var metrics = [Metric("x", .gauge, "x", 1)]
        var notReadyReason: String?
    }

    private let service = Service()
    private let server: MonitoringServer

    init() throws {
        server = MonitoringServer(try LoopbackListener(port: 0), service, Logger(label: "tests"))
    }

    /// Lets the server handle events until a condition holds, which a client may make true too.
    private func run(alongside client: LoopbackClient? = nil, until isDone: () -> Bool) throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { buffer.deallocate() }
        while !isDone() {
            var set = PollSet()
            server.forEachDescriptor { set.add($0, for: $1) }
            // The end of the server's stream may arrive when the server has nothing left to wait for.
            if let client { set.add(client.descriptor, for: .reading) }
            guard set.wait(milliseconds: Int32(ChildProcess.patience * 1_000)) > 0 else {
                throw TestFailure("the server waits for nothing that happens")
            }
            for descriptor in set.ready where descriptor != client?.descriptor {
                server.ready(descriptor, buffer: buffer)
            }
        }
    }

    private func ask(_ request: String) throws -> HTTPText {
        let client = try LoopbackClient(port: server.port)
        client.write(request)
        try run(alongside: client) {
            client.readAvailable()
            return client.isAtEnd
        }
        return try HTTPText(client.readAvailable())
    }

    private func get(_ target: String) throws -> HTTPText {
        try ask("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
    }

    @Test("Metrics, liveness and readiness have their pages, and any other path is an error that names these")
    func pages() throws {
        let metrics = try get("/metrics")
        #expect(metrics.status == 200)
        #expect(metrics.fields["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
        #expect(metrics.body == "# HELP x x\n# TYPE x gauge\nx 1\n")
        #expect(metrics.fields["content-length"] == "\(metrics.body.utf8.count)")
        #expect(metrics.fields["connection"] == "close")
        #expect(metrics.fields["date"]?.wholeMatch(of: /\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/) != nil)
        #expect(try get("/healthz").answer == (200, "ok\n"))
        #expect(try get("/readyz").answer == (200, "ready\n"))
        service.notReadyReason = "the destination stopped"
        #expect(try get("/readyz").answer == (503, "not ready: the destination stopped\n"))
        #expect(try get("/healthz").status == 200)
        for target in ["/", "/metrics/", "/Metrics", "/metrics%00", "http://x"] {
            #expect(try get(target).answer == (404, "There are /metrics, /healthz and /readyz.\n"), "\(target)")
        }
        #expect(try get("/metrics?name=x").status == 200)
        #expect(try get("http://127.0.0.1:1/metrics").status == 200)
    }

    @Test("It listens at 127.0.0.1, and at no other address of the machine")
    func loopback() throws {
        #if os(Linux)
        let other = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(other) }
        // Linux has all addresses that begin with 127.
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = server.port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0002).bigEndian
        let result = withUnsafeBytes(of: &address) { bytes in
            connect(other, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count))
        }
        #expect(result == -1 && errno == ECONNREFUSED)
        #endif
        _ = try LoopbackClient(port: server.port)
    }

    @Test("HEAD has the head of GET and no body")
    func head() throws {
        let answer = try ask("HEAD /metrics HTTP/1.0\r\n\r\n")
        #expect(answer.status == 200 && answer.body.isEmpty)
        #expect(answer.fields["content-length"] == "\("# HELP x x\n# TYPE x gauge\nx 1\n".utf8.count)")
    }

    @Test(
        "A request that is not understood is refused with its status",
        arguments: [
            ("POST /metrics HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc", 405),
            ("GET /metrics HTTP/1.1\r\n\r\n", 400), ("GET /metrics HTTP/2.0\r\nHost: a\r\n\r\n", 505),
            ("GET /metrics HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400), ("GET  /metrics HTTP/1.1\r\n\r\n", 400),
            ("GET metrics HTTP/1.0\r\n\r\n", 400), ("hello\r\n\r\n", 400), ("\r\n\r\n", 400), ("\n", 400),
            ("GET /metrics HTTP/1.0\r\nno colon\r\n\r\n", 400), ("GET /metrics HTTP/1.0\r\na: b\r\n c\r\n\r\n", 400),
            ("\u{16}\u{3}\u{1}\u{2}\n\n", 400), ("GET /" + String(repeating: "x", count: 9_000), 431),
            ("GET / HTTP/1.0\r\na: " + String(repeating: "x", count: 9_000) + "\r\n\r\n", 431),
        ]
    )
    func refused(request: String, status: Int) throws {
        let answer = try ask(request)
        #expect(answer.status == status)
        #expect((answer.fields["allow"] != nil) == (status == 405))
    }

    @Test("A request may arrive in pieces, and a client that ends before its request is complete gets nothing")
    func pieces() throws {
        let client = try LoopbackClient(port: server.port)
        for piece in "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n" {
            client.write(String(piece))
            try run(alongside: client) {
                client.readAvailable()
                return client.isAtEnd || piece != "\n" && server.connectionCount == 1
            }
        }
        try run(alongside: client) {
            client.readAvailable()
            return client.isAtEnd
        }
        #expect(try HTTPText(client.readAvailable()).status == 200)
        let other = try LoopbackClient(port: server.port)
        other.write("GET /hea")
        other.endOutput()
        try run { other.readAvailable().isEmpty && other.isAtEnd }
        #expect(server.connectionCount <= 1)
    }

    @Test("A slow client is cut off at the deadline of the loop, whether it sends or reads slowly")
    func slow() throws {
        // More than the buffers of a connection hold.
        service.metrics = [Metric("x", .gauge, String(repeating: "x", count: 32 << 20), 1)]
        let clients = try [LoopbackClient(port: server.port), LoopbackClient(port: server.port)]
        clients[0].write("GET /me")
        clients[1].write("GET /metrics HTTP/1.0\r\n\r\n")
        #expect(server.deadline == nil)
        let start = Clock.monotonic()
        try run { server.connectionCount == 2 }
        let deadline = try #require(server.deadline)
        #expect(deadline >= start + MonitoringServer.patience)
        server.expire(now: deadline - 1)
        #expect(server.connectionCount == 2)
        server.expire(now: deadline + MonitoringServer.patience)
        #expect(server.connectionCount == 0 && server.deadline == nil)
        #expect(try clients[0].readToEnd().isEmpty)
    }

    @Test("If there are too many connections, the oldest is closed, and a new one is answered")
    func many() throws {
        let idle = try (0..<MonitoringServer.limit).map { _ in try LoopbackClient(port: server.port) }
        try run { server.connectionCount == MonitoringServer.limit }
        #expect(try get("/healthz").status == 200)
        #expect(server.connectionCount <= MonitoringServer.limit)
        idle.forEach { $0.readAvailable() }
        #expect(idle.map(\.isAtEnd) == [true] + Array(repeating: false, count: idle.count - 1))
    }

    @Test("Random bytes never stop the server")
    func random() throws {
        var random = SeededGenerator(seed: 7)
        let pieces = ["GET", "HEAD", " ", "/", "metrics", "HTTP/1.1", "\r\n", "\n", "\r", ":", "Host", "\0", "é", "?"]
        for _ in 0..<300 {
            let client = try LoopbackClient(port: server.port)
            client.write(
                (0..<Int.random(in: 0..<12, using: &random)).map { _ in
                    pieces.randomElement(using: &random) ?? ""
                }.joined()
            )
            client.endOutput()
            try run(alongside: client) {
                client.readAvailable()
                return client.isAtEnd
            }
        }
        #expect(try get("/healthz").status == 200)
    }

    @Test("A port that another program uses is an error")
    func taken() throws {
        #expect(throws: SystemError(EADDRINUSE)) {
            try LoopbackListener(port: server.port)
        }
    }

    @Test("Times in heads are those of RFC 9110")
    func time() {
        #expect(HTTPTime.format(784_111_777_999) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPTime.format(0) == "Thu, 01 Jan 1970 00:00:00 GMT")
        #expect(HTTPTime.format(1_709_251_199_000) == "Thu, 29 Feb 2024 23:59:59 GMT")
    }
}
