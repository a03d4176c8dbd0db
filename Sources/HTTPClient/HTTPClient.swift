internal import CCurl
internal import Foundation

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
        Thread.detachNewThread { loop.run() }
    }

    deinit { loop.stop() }

    /// Sends a request and waits until the response is complete, the exchange has failed, or it has timed out.
    ///
    /// If the task is cancelled, the result is returned at once.
    public func send(_ request: HTTPRequest, to receiver: any HTTPReceiver) async -> HTTPResult {
        let order = TransferOrder(request, receiver)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { loop.start(order, $0) }
        } onCancel: {
            loop.cancel(order)
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
final class TransferOrder: @unchecked Sendable {
    let request: HTTPRequest
    let receiver: any HTTPReceiver
    let deadline: ContinuousClock.Instant
    /// Guarded by the lock of the loop.
    var isCancelled = false
    /// Set by the loop before anything else sees the order.
    var continuation: CheckedContinuation<HTTPResult, Never>?

    init(_ request: HTTPRequest, _ receiver: any HTTPReceiver) {
        self.request = request
        self.receiver = receiver
        deadline = .now + request.timeout
    }
}
