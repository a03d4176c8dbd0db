import TestSupport
import Testing

@testable import HTTPClient

@Suite(.waits) struct HTTPClientTests {
    private let server: ScriptedServer
    private let client: HTTPClient

    init() throws {
        server = try ScriptedServer()
        client = try HTTPClient(TransferOptions(userAgent: "tests", idleLimit: 3_600), connectionsPerHost: 1)
    }

    private func url(_ path: String) -> String { "http://\(server.authority)\(path)" }

    private func send(
        _ path: String,
        body: [UInt8]? = nil,
        timeout: Duration = .seconds(60),
        to collector: Collector = Collector()
    ) async -> HTTPResult {
        await client.send(HTTPRequest(url(path), body: body, timeout: timeout), to: collector)
    }

    @Test("An answer has its status, fields and body; cookies are not sent back, and the connection is reused")
    func answer() async throws {
        for number in 1...2 {
            let collector = Collector()
            let result = await send("/fields", to: collector)
            #expect(result.failure == nil && result.head?.status == 200)
            #expect(result.head?.headers["x-a"] == "1, 2")
            #expect(collector.heads == [result.head].compactMap { $0 })
            #expect(collector.text == "hello")
            #expect(try server.request() == "\(number) GET /fields 0")
        }
    }

    @Test("A body is sent whole, without Expect: 100-continue", arguments: [0, 1, 100_000, 3_000_000])
    func post(size: Int) async throws {
        let result = await send("/ok", body: [UInt8](repeating: 7, count: size))
        #expect(result.head?.status == 200 && result.failure == nil)
        #expect(result.mayHaveSentBody == (size > 0))
        #expect(try server.request() == "1 POST /ok \(size)")
    }

    @Test("An interim response is skipped, and a redirect is not followed")
    func others() async throws {
        let interim = Collector()
        #expect(await send("/interim", to: interim).head?.headers["link"] == nil)
        #expect(interim.heads.map(\.status) == [200] && interim.text == "hello")
        let redirect = await send("/redirect")
        #expect(redirect.head?.status == 302 && redirect.head?.headers["location"] == "/ok")
        #expect(try [server.request(), server.request()] == ["1 GET /interim 0", "2 GET /redirect 0"])
    }

    @Test(
        "A truncated answer, and one that is too large, are errors of their own kind",
        arguments: ["/half-head", "/half-body", "/endless-head"]
    )
    func broken(path: String) async {
        let result = await send(path, body: [1])
        guard case .failed = result.failure else {
            Issue.record("\(path) ended as \(result)")
            return
        }
        #expect((result.head != nil) == (path == "/half-body"))
        #expect(result.mayHaveSentBody)
    }

    @Test("A receiver can stop an endless answer")
    func stopped() async {
        let collector = Collector(limit: 1 << 20)
        let result = await send("/endless-body", to: collector)
        #expect(result.failure == .stopped && result.head?.status == 200)
        #expect(collector.body.count < 2 << 20)
    }

    /// A timeout that does not expire while other tests keep this one from going on, which may take many minutes.
    private static let never = Duration.seconds(1_000_000)

    /// Posts a byte in a task of its own, and waits for the head of an answer whose rest never arrives.
    private func stall(timeout: Duration) async throws -> Task<HTTPResult, Never> {
        var task: Task<HTTPResult, Never>?
        await withCheckedContinuation { continuation in
            let collector = Collector { continuation.resume() }
            task = Task { await send("/stalls", body: [1], timeout: timeout, to: collector) }
        }
        return try #require(task)
    }

    @Test("A silent server is awaited until the timeout")
    func silence() async {
        let result = await send("/silent", body: [1], timeout: .seconds(5))
        #expect(result.failure == .timedOut && result.mayHaveSentBody && result.head == nil)
    }

    @Test("A request's timeout includes the time of its answer, and the time in which it waits for a connection")
    func timeouts() async throws {
        let holding = try await stall(timeout: Self.never)
        let waiting = await send("/ok", body: [1], timeout: .milliseconds(100))
        #expect(waiting.failure == .timedOut && !waiting.mayHaveSentBody)
        holding.cancel()
        _ = await holding.value
        let result = try await stall(timeout: .seconds(10)).value
        #expect(result.failure == .timedOut && result.mayHaveSentBody && result.head?.status == 200)
        #expect(await send("/ok").failure == nil, "the client serves on")
    }

    @Test("A cancelled task returns a result, and a task that was cancelled before sends nothing")
    func cancellation() async throws {
        let task = try await stall(timeout: Self.never)
        task.cancel()
        let result = await task.value
        #expect(result.failure == .cancelled && result.mayHaveSentBody)
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await send("/ok", body: [1])
        }
        let nothing = await late.value
        #expect(nothing.failure == .cancelled && !nothing.mayHaveSentBody)
        #expect(await send("/fields").failure == nil)
        #expect(try [server.request(), server.request()] == ["1 POST /stalls 1", "1 GET /fields 0"])
    }

    @Test("Concurrent requests share the permitted connections")
    func connections() async throws {
        await withTaskGroup(of: HTTPResult.self) { group in
            for _ in 0..<5 { group.addTask { await send("/ok") } }
            for await result in group { #expect(result.failure == nil) }
        }
        for number in 1...5 { #expect(try server.request() == "\(number) GET /ok 0") }
    }

    @Test("If a reused connection ends without an answer, a request with a body is not sent again, and one without is")
    func reuse() async throws {
        #expect(await send("/once", body: [1]).failure == nil)
        let second = await send("/once", body: [2, 2])
        #expect(second.failure == .failed("the connection ended without an answer") && second.mayHaveSentBody)
        #expect(await send("/once").failure == nil)
        #expect(await send("/once").failure == nil, "a request without a body is sent again")
        let requests = try (0..<5).map { _ in try server.request() }
        let posts = ["1 POST /once 1", "2 POST /once 2"]
        #expect(requests == posts + ["1 GET /once 0", "2 GET /once 0", "1 GET /once 0"])
    }

    @Test(
        "Only https, and http to this machine, are permitted",
        arguments: [
            "http://example.com/", "http://0.0.0.0/", "ftp://127.0.0.1/", "file:///etc/passwd", "127.0.0.1", "",
            "https://user@127.0.0.1/", "http://127.0.0.1@example.com/", "http://127.0.0.1\\@example.com/",
        ]
    )
    func refused(url: String) async {
        let result = await client.send(HTTPRequest(url, body: [1], timeout: .seconds(60)), to: Collector())
        guard case .failed(let text) = result.failure else {
            Issue.record("\(url) ended as \(result)")
            return
        }
        #expect(text.hasPrefix("libcurl does not send it: "), "\(text)")
        #expect(!result.mayHaveSentBody)
    }

    @Test(
        "The loopback address of IPv6 is this machine, too",
        .enabled(if: (try? ScriptedServer(host: "::1")) != nil)
    )
    func version6() async throws {
        let server = try ScriptedServer(host: "::1")
        let request = HTTPRequest("http://\(server.authority)/ok", timeout: .seconds(60))
        #expect(await client.send(request, to: Collector()).failure == nil)
    }
}
