internal import Dispatch

/// Sends HTTP/1.1 requests with libcurl, and reuses connections.
///
/// The client has one thread, which waits for all transfers and uses no processor time while
/// servers are silent. Redirects are not followed. No cookies, credentials or
/// cache are kept. Certificates are verified with the system's store. `http` is allowed
/// only to this machine itself. A body is never sent again once a byte of it may have been
/// sent. The client ends its thread when it is released.
public final class HTTPClient: Sendable {
    private let loop: TransferLoop

    /// Starts a client.
    ///
    /// - Parameters:
    ///   - userAgent: The `User-Agent` of every request.
    ///   - connectionsPerHost: The maximum number of open connections to one host; further requests wait.
    ///   - proxies: The proxy for requests to other machines.
    /// - Throws: ``HTTPClientError`` if the process has no descriptors or memory left for the client.
    public convenience init(
        userAgent: String,
        connectionsPerHost: Int,
        proxies: ProxySettings = .none
    ) throws(HTTPClientError) {
        try self.init(
            TransferOptions(userAgent: userAgent, proxies: proxies),
            connectionsPerHost: connectionsPerHost
        )
    }

    /// Starts a client with options that only tests change.
    init(_ options: TransferOptions, connectionsPerHost: Int) throws(HTTPClientError) {
        loop = try TransferLoop(options, connectionsPerHost: connectionsPerHost)
        let loop = loop
        DispatchQueue(label: "pushhost.http").async { loop.run() }
    }

    deinit { loop.stop() }

    /// Sends a request and waits until the response is complete, the exchange has failed, or it has timed out.
    ///
    /// If the task is cancelled, the result is returned at once.
    public func send(_ request: HTTPRequest, to receiver: any HTTPReceiver) async -> HTTPResult {
        let pending = PendingTransfer(request, receiver)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { loop.start(pending, $0) }
        } onCancel: {
            loop.cancel(pending)
        }
    }
}

/// Why the client could not be created, in one sentence.
public struct HTTPClientError: Error, CustomStringConvertible {
    /// The sentence.
    public let description: String
}

/// The options that all transfers of a client share.
struct TransferOptions: Sendable {
    let userAgent: String
    var proxies = ProxySettings.none
    /// A file of certificates to trust instead of the system's store.
    var certificates: String?
    /// How long an idle connection may be reused, in seconds; some networks silently drop older ones.
    var idleLimit = 118
}

/// A request with the receiver of its response and the continuation of its caller.
final class PendingTransfer: @unchecked Sendable {
    let request: HTTPRequest
    let receiver: any HTTPReceiver
    let deadline: ContinuousClock.Instant
    /// Guarded by the lock of the loop.
    var isCancelled = false
    /// Set by the loop before anything else sees this object.
    var continuation: CheckedContinuation<HTTPResult, Never>?

    init(_ request: HTTPRequest, _ receiver: any HTTPReceiver) {
        self.request = request
        self.receiver = receiver
        deadline = .now + request.timeout
    }
}

/// A request for ``HTTPClient``.
public struct HTTPRequest: Sendable {
    /// The URL: `https`, or `http` to this machine itself.
    public let url: String
    /// The body of a POST; `nil` makes the request a GET.
    public let body: [UInt8]?
    /// Header fields by name.
    public let headers: [String: String]
    /// The time limit of the whole exchange, from the call to the last byte of the response.
    public let timeout: Duration

    /// Describes a request.
    public init(_ url: String, body: [UInt8]? = nil, headers: [String: String] = [:], timeout: Duration) {
        self.url = url
        self.body = body
        self.headers = headers
        self.timeout = timeout
    }
}

/// The status and the header fields of a response.
public struct HTTPHead: Equatable, Sendable {
    /// The status, such as 200.
    public let status: Int
    /// The fields by name in lower case; the values of a repeated field are joined by commas.
    public internal(set) var headers: [String: String] = [:]
}

/// Receives a response while it arrives, on the client's thread; it must not block except for disk I/O.
public protocol HTTPReceiver: AnyObject, Sendable {
    /// Receives the head, once, before the body.
    ///
    /// - Returns: Whether to continue; if false, the exchange ends with ``HTTPFailure/stopped``.
    func receive(_ head: HTTPHead) -> Bool

    /// Receives the next bytes of the body.
    ///
    /// - Returns: Whether to continue; if false, the exchange ends with ``HTTPFailure/stopped``.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool
}

/// How an exchange ended.
public struct HTTPResult: Sendable {
    /// The head of the response; `nil` if it did not arrive completely.
    public let head: HTTPHead?
    /// Why the response is incomplete; `nil` if it is complete.
    public let failure: HTTPFailure?
    /// Whether a byte of the request's body may have been sent.
    public let mayHaveSentBody: Bool
}

/// Why a response is incomplete.
public enum HTTPFailure: Equatable, Sendable {
    /// The request's time limit was exceeded.
    case timedOut
    /// The task was cancelled.
    case cancelled
    /// The receiver stopped the exchange.
    case stopped
    /// The proxy answered with that status instead of connecting; no part of the request was sent.
    case refusedByProxy(status: Int)
    /// Any other failure, described in one sentence by libcurl or by this client.
    case failed(String)
}
