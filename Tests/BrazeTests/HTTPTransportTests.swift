import Foundation
import TestSupport
import Testing

@testable import HTTPClient
@testable import braze

/// The transport with a misbehaving server: it must never report a request that may have arrived as not attempted.
@Suite(.waits, .serialized) struct HTTPTransportTests {
    private let server: MisbehavingServer

    init() throws { server = try MisbehavingServer() }

    private func transport(_ path: String, scheme: String = "http", timeout: Duration = .seconds(30)) throws
        -> HTTPTransport
    {
        let endpoint = try Endpoint("\(scheme)://127.0.0.1:\(server.port)/\(path)", from: "E")
        return try HTTPTransport(endpoint, try APIKey("k", from: "K"), timeout: timeout, connections: 1)
    }

    private let body = [UInt8](repeating: UInt8(ascii: "x"), count: 100_000)

    /// The status of an answer; for a failure, whether the body may have arrived.
    private func outcome(_ exchange: Exchange) -> String {
        switch exchange {
        case .answer(let answer): "\(answer.status)"
        case .failure(_, let mayHaveArrived): mayHaveArrived ? "uncertain" : "not attempted"
        }
    }

    @Test("An answer is returned with its status and body")
    func answers() async throws {
        for (path, status) in [("ok", "201"), ("401", "401"), ("302", "302"), ("ok", "201")] {
            #expect(outcome(try await transport(path).post(body)) == status)
            #expect(try server.nextPath() == path)
        }
        guard case .answer(let answer) = try await transport("ok").post(body) else {
            Issue.record("no answer")
            return
        }
        #expect(answer.body == Array(#"{"message":"success"}"#.utf8))
    }

    @Test("A request without a complete answer is uncertain", arguments: ["drop", "cutSuccess", "endless"])
    func uncertain(path: String) async throws {
        let transport = try transport(path)
        #expect(outcome(await transport.post(body)) == "uncertain")
        #expect(try server.nextPath() == path)
    }

    @Test("A missing answer is awaited until the timeout")
    func stall() async throws {
        #expect(outcome(try await transport("stall", timeout: .seconds(5)).post(body)) == "uncertain")
    }

    @Test("The status and headers of a refusal are used even if its body is truncated")
    func cut() async throws {
        guard case .answer(let answer) = try await transport("cut").post(body) else {
            Issue.record("no answer")
            return
        }
        #expect(answer.status == 429)
        #expect(answer.headers["x-ratelimit-reset"] == "9")
    }

    @Test("A body is never sent a second time, even if a reused connection ends without an answer")
    func reuse() async throws {
        // With one client and a high idle limit, the second request reuses the connection of the first.
        let endpoint = try Endpoint("http://127.0.0.1:\(server.port)/once", from: "E")
        let options = TransferOptions(userAgent: "tests", idleLimit: 3_600)
        let client = try HTTPClient(options, connectionsPerHost: 1)
        let transport = HTTPTransport(client, endpoint, try APIKey("k", from: "K"), timeout: .seconds(30))
        #expect(outcome(await transport.post(body)) == "201")
        #expect(outcome(await transport.post(body)) == "uncertain")
        #expect(outcome(try await self.transport("ok").post(body)) == "201")
        #expect(try [server.nextPath(), server.nextPath(), server.nextPath()] == ["once", "once", "ok"])
    }

    @Test("If no connection can be made, the request counts as not attempted")
    func unreachable() async throws {
        // The server does not speak TLS: it takes the handshake for an incomplete request line, and never answers.
        let secure = try transport("ok", scheme: "https", timeout: .milliseconds(300))
        #expect(outcome(await secure.post(body)) == "not attempted")
        let endpoint = try Endpoint("http://127.0.0.1:1", from: "E")
        let transport = try HTTPTransport(endpoint, try APIKey("k", from: "K"), timeout: .seconds(30), connections: 1)
        #expect(outcome(await transport.post(body)) == "not attempted")
    }
}
