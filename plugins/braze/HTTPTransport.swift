import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Posts with URLSession; connections are kept and used again.
///
/// Nothing is stored: no cookies, credentials or cache. Proxy and certificates are
/// the system's.
final class HTTPTransport: Transport {
    private let session: URLSession
    private let inbox: ResponseInbox
    private let request: URLRequest

    /// A transport to one endpoint with one key.
    init(_ endpoint: Endpoint, _ key: APIKey, timeout: Duration, connections: Int) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpMaximumConnectionsPerHost = connections
        // The session's own limit starts anew with each byte; the inbox has one for all of it.
        configuration.timeoutIntervalForRequest = 120
        inbox = ResponseInbox(timeout: timeout)
        session = URLSession(configuration: configuration, delegate: inbox, delegateQueue: inbox.queue)
        var request = URLRequest(url: endpoint.url)
        request.httpMethod = "POST"
        request.setValue(key.authorization, forHTTPHeaderField: "Authorization")
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        // An answer that is unpacked may be any size.
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        request.setValue("pushhost-braze/1.0", forHTTPHeaderField: "User-Agent")
        self.request = request
    }

    deinit { session.finishTasksAndInvalidate() }

    func post(_ body: [UInt8]) async -> Exchange {
        var request = request
        request.httpBody = Data(body)
        let task = session.dataTask(with: request)
        return await withCheckedContinuation { inbox.start(task, $0) }
    }
}
