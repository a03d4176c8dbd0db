import Foundation
import TestSupport
import Testing

@testable import HTTPClient
@testable import braze

/// The transport against a server that behaves badly: what it makes of that may not cost a record.
@Suite(.hangs, .serialized) struct HTTPTransportTests {
    private let server: RudeServer

    init() throws { server = try RudeServer() }

    private func transport(_ way: String, scheme: String = "http", timeout: Duration = .seconds(30)) throws
        -> HTTPTransport
    {
        let endpoint = try Endpoint("\(scheme)://127.0.0.1:\(server.port)/\(way)", from: "E")
        return try HTTPTransport(endpoint, try APIKey("k", from: "K"), timeout: timeout, connections: 1)
    }

    private let body = [UInt8](repeating: UInt8(ascii: "x"), count: 100_000)

    /// The status of an answer; else whether the body may have arrived.
    private func outcome(_ exchange: Exchange) -> String {
        switch exchange {
        case .answer(let answer): "\(answer.status)"
        case .failure(_, let mayHaveArrived): mayHaveArrived ? "uncertain" : "not attempted"
        }
    }

    @Test("Answers come as they are, with their bodies")
    func answers() async throws {
        for (way, status) in [("ok", "201"), ("401", "401"), ("302", "302"), ("ok", "201")] {
            #expect(outcome(try await transport(way).post(body)) == status)
            #expect(try server.body() == way)
        }
        guard case .answer(let answer) = try await transport("ok").post(body) else {
            Issue.record("no answer")
            return
        }
        #expect(answer.body == Array(#"{"message":"success"}"#.utf8))
    }

    @Test("What gets no whole answer is uncertain", arguments: ["drop", "cutSuccess", "endless"])
    func uncertain(way: String) async throws {
        let transport = try transport(way)
        #expect(outcome(await transport.post(body)) == "uncertain")
        #expect(try server.body() == way)
    }

    @Test("An answer that does not come is awaited for a bounded time")
    func stall() async throws {
        #expect(outcome(try await transport("stall", timeout: .milliseconds(300)).post(body)) == "uncertain")
    }

    @Test("A refusal counts by its status and headers, whatever becomes of its body")
    func cut() async throws {
        guard case .answer(let answer) = try await transport("cut").post(body) else {
            Issue.record("no answer")
            return
        }
        #expect(answer.status == 429)
        #expect(answer.headers["x-ratelimit-reset"] == "9")
    }

    @Test("A body is never sent a second time, though the connection that was kept ends without an answer")
    func reuse() async throws {
        // One transport for both, so that the second request comes on the connection of the first, however late.
        let endpoint = try Endpoint("http://127.0.0.1:\(server.port)/once", from: "E")
        let options = TransferOptions(userAgent: "tests", idleLimit: 3_600)
        let client = try HTTPClient(options, connectionsPerHost: 1)
        let transport = HTTPTransport(client, endpoint, try APIKey("k", from: "K"), timeout: .seconds(30))
        #expect(outcome(await transport.post(body)) == "201")
        #expect(outcome(await transport.post(body)) == "uncertain")
        #expect(outcome(try await self.transport("ok").post(body)) == "201")
        #expect(try [server.body(), server.body(), server.body()] == ["once", "once", "ok"])
    }

    @Test("Where no connection came about, nothing was attempted")
    func unreachable() async throws {
        // The server never answers the begin of TLS, which it takes for one of a line.
        let secure = try transport("ok", scheme: "https", timeout: .milliseconds(300))
        #expect(outcome(await secure.post(body)) == "not attempted")
        let endpoint = try Endpoint("http://127.0.0.1:1", from: "E")
        let transport = try HTTPTransport(endpoint, try APIKey("k", from: "K"), timeout: .seconds(30), connections: 1)
        #expect(outcome(await transport.post(body)) == "not attempted")
    }
}
