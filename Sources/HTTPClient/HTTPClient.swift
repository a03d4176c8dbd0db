internal import CCurl
internal import Foundation

/// Sends HTTP/1.1 requests with libcurl, and keeps connections to use them again.
///
/// One thread of its own waits for all of them and uses no processor time while
/// servers are silent. Redirects are not followed. No cookies, credentials or
/// cache are kept. Certificates are verified with the system's store. `http` goes
/// to this machine itself alone. A body of which a byte may have left is never
/// sent again. The client ends its thread when it is released.
public final class HTTPClient: Sendable {
    private let loop: TransferLoop

    /// Starts a client.
    ///
    /// - Parameters:
    ///   - userAgent: The `User-Agent` of every request.
    ///   - connectionsPerHost: How many connections to one host are open at once; further requests wait.
    ///   - proxies: The proxy for requests to other machines.
    /// - Throws: ``HTTPClientError`` if the process has no descriptors or memory left for it.
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

    /// Sends a request and waits until its answer has arrived, failed, or the time has passed.
    ///
    /// A cancelled task gets its result at once.
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
    /// A file of certificates to trust in place of the system's store.
    var certificates: String?
    /// For how many seconds a connection may have been idle to be used again: some networks forget older ones.
    var idleLimit = 118
}

/// A request, and who waits for its result.
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
