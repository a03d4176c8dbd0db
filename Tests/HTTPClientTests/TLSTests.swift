import TestSupport
import Testing

@testable import HTTPClient

/// https to this machine, with a certificate that nobody signed but itself (`Tests/Fixtures/tls`).
@Suite(.hangs) struct TLSTests {
    private static let certificate = "\(repositoryRoot)/Tests/Fixtures/tls/loopback.pem"

    private let server: ObedientServer

    init() throws { server = try ObedientServer(certificate: Self.certificate) }

    private func send(_ client: HTTPClient, _ path: String) async -> HTTPResult {
        let request = HTTPRequest("https://\(server.authority)\(path)", body: [1], timeout: .seconds(60))
        return await client.send(request, to: Collector())
    }

    @Test("A certificate that the system does not trust gets no byte of the body")
    func untrusted() async throws {
        let result = await send(try HTTPClient(userAgent: "tests", connectionsPerHost: 1), "/ok")
        guard case .failed(let text) = result.failure else {
            Issue.record("\(result)")
            return
        }
        #expect(text.contains("certificate"))
        #expect(!result.mayHaveSentBody)
    }

    @Test("One that is trusted does, and a body is not sent again if the connection ends without an answer")
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
