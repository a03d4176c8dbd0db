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
