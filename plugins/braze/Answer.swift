/// A response of the server.
struct Answer: Sendable {
    let status: Int
    /// The headers by name in lower case.
    let headers: [String: String]
    /// The body; that of an error response may be incomplete.
    let body: [UInt8]

    init(status: Int, headers: [String: String] = [:], body: [UInt8]) {
        self.status = status
        self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
        self.body = body
    }
}

/// The outcome of a request at the transport level.
enum Exchange: Sendable {
    case answer(Answer)
    /// No response: the reason, and whether the server may have received any of the body.
    case failure(String, mayHaveArrived: Bool)
}
