import ExtensionKit
import HTTPClient
import JSON

/// Posts requests to one endpoint with one key, over reused connections.
final class HTTPTransport: Transport {
    private let client: HTTPClient
    private let url: String
    private let key: APIKey
    private let headers: [String: String]
    private let timeout: Duration

    /// A transport with a limited number of simultaneous requests.
    ///
    /// - Throws: If the process has no descriptors or memory left.
    convenience init(
        _ endpoint: Endpoint,
        _ key: APIKey,
        timeout: Duration,
        connections: Int,
        proxies: ProxySettings = .none
    ) throws(ConfigurationError) {
        do throws(HTTPClientError) {
            let client = try HTTPClient(
                userAgent: "pushhost-braze/1.0",
                connectionsPerHost: connections,
                proxies: proxies
            )
            self.init(client, endpoint, key, timeout: timeout)
        } catch {
            throw ConfigurationError(error.description)
        }
    }

    /// A transport that sends with that client.
    init(_ client: HTTPClient, _ endpoint: Endpoint, _ key: APIKey, timeout: Duration) {
        self.client = client
        url = endpoint.url.absoluteString
        self.key = key
        headers = [
            "Authorization": key.authorization, "Content-Type": "application/json", "Accept": "application/json",
        ]
        self.timeout = timeout
    }

    func post(_ body: [UInt8]) async -> Exchange {
        let answer = AnswerBody()
        let result = await client.send(request(body), to: answer)
        // The status of an error response is enough, even if its body is incomplete.
        if let head = result.head, result.failure == nil || !(200..<300).contains(head.status) {
            return exchange(head.status, head.headers, answer.bytes, result.mayHaveSentBody)
        }
        let reason: String
        switch result.failure {
        case .refusedByProxy(let status): return exchange(status, [:], [], result.mayHaveSentBody)
        case .timedOut: reason = "there was none within \(timeout)"
        case .cancelled: reason = "it was not awaited any longer"
        case .stopped: reason = "the answer has more than \(AnswerBody.sizeLimit) bytes"
        case .failed(let text): reason = text
        case nil: reason = "the connection ended"
        }
        return .failure("no answer of Braze: \(reason)", mayHaveArrived: result.mayHaveSentBody)
    }

    func planned(_ body: [UInt8]) -> DryRunResult.Request {
        let request = request(body)
        var headers = request.headers.mapValues(key.redacted)
        headers["Authorization"] = "Bearer \(key)"
        let json = (try? JSON(parsing: key.redacted(body))) ?? .null
        return DryRunResult.Request(method: "POST", url: key.redacted(request.url), headers: headers, body: json)
    }

    /// The request with a body.
    private func request(_ body: [UInt8]) -> HTTPRequest {
        HTTPRequest(url, body: body, headers: headers, timeout: timeout)
    }

    /// The exchange of a response head; if nothing was sent, a server error is not from Braze.
    private func exchange(_ status: Int, _ headers: [String: String], _ body: [UInt8], _ isSent: Bool) -> Exchange {
        guard isSent || status < 500 else {
            let text = "\(status) before anything was sent, as from a proxy that does not get through"
            return .failure(text, mayHaveArrived: false)
        }
        return .answer(Answer(status: status, headers: headers, body: body))
    }
}

/// Collects the body of a response up to a limit; the client's thread fills it before the result is returned.
private final class AnswerBody: HTTPReceiver, @unchecked Sendable {
    /// A response of Braze has a few hundred bytes, and some more for each failed object.
    static let sizeLimit = 1 << 20

    /// What has arrived.
    private(set) var bytes: [UInt8] = []

    func receive(_ head: HTTPHead) -> Bool { true }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard self.bytes.count + bytes.count <= Self.sizeLimit else { return false }
        self.bytes += bytes
        return true
    }
}
