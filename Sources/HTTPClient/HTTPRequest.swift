/// A request for ``HTTPClient``.
public struct HTTPRequest: Sendable {
    /// Where it goes: `https`, or `http` to this machine itself.
    public let url: String
    /// The body of a POST; `nil` makes the request a GET.
    public let body: [UInt8]?
    /// Header fields by name.
    public let headers: [String: String]
    /// How long the whole exchange may take, from the call to the last byte of the answer.
    public let timeout: Duration

    /// Describes a request.
    public init(_ url: String, body: [UInt8]? = nil, headers: [String: String] = [:], timeout: Duration) {
        self.url = url
        self.body = body
        self.headers = headers
        self.timeout = timeout
    }
}

/// The status and the header fields of an answer.
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
    /// - Returns: Whether the rest is wanted; if not, the exchange ends as ``HTTPFailure/stopped``.
    func receive(_ head: HTTPHead) -> Bool

    /// Receives the next bytes of the body.
    ///
    /// - Returns: Whether more is wanted; if not, the exchange ends as ``HTTPFailure/stopped``.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool
}

/// How an exchange ended.
public struct HTTPResult: Sendable {
    /// The head of the answer; `nil` if it did not arrive whole.
    public let head: HTTPHead?
    /// Why the answer is not whole; `nil` if it is.
    public let failure: HTTPFailure?
    /// Whether a byte of the request's body may have left this process.
    public let mayHaveSentBody: Bool
}

/// Why an answer is not whole.
public enum HTTPFailure: Equatable, Sendable {
    /// The request's time passed.
    case timedOut
    /// The task was cancelled.
    case cancelled
    /// The receiver wanted no more.
    case stopped
    /// The proxy answered with that status instead of connecting; nothing of the request was sent.
    case refusedByProxy(status: Int)
    /// Anything else, in one sentence of libcurl or of ours.
    case failed(String)
}
