import TestSupport
import Testing

@testable import HTTPClient

/// https to this machine, with a self-signed certificate (`Tests/Fixtures/tls`).
@Suite(.waits) struct TLSTests {
    private static let certificate = "\(repositoryRoot)/Tests/Fixtures/tls/loopback.pem"

    private let server: ScriptedServer

    init() throws { server = try ScriptedServer(certificate: Self.certificate) }

    private func send(_ client: HTTPClient, _ path: String) async -> HTTPResult {
        let request = HTTPRequest("https://\(server.authority)\(path)", body: [1], timeout: .seconds(60))
        return await client.send(request, to: Collector())
    }

    @Test("No byte of the body is sent to a server whose certificate the system does not trust")
    func untrusted() async throws {
        let result = await send(try HTTPClient(userAgent: "tests", connectionsPerHost: 1), "/ok")
        guard case .failed(let text) = result.failure else {
            Issue.record("\(result)")
            return
        }
        #expect(text.contains("certificate"))
        #expect(!result.mayHaveSentBody)
    }

    @Test(
        "A server with a trusted certificate receives the body, only once even if the connection ends without an answer"
    )
    func trusted() async throws {
        let options = TransferOptions(userAgent: "tests", certificates: Self.certificate, idleLimit: 3_600)
        let client = try HTTPClient(options, connectionsPerHost: 1)
        #expect(await send(client, "/once").failure == nil)
        let second = await send(client, "/once")
        #expect(second.failure != nil && second.mayHaveSentBody)
        #expect(await send(client, "/ok").failure == nil)
        let requests = try (0..<3).map { _ in try server.request() }
        #expect(requests == ["1 POST /once 1", "2 POST /once 1", "1 POST /ok 1"])
    }
}
