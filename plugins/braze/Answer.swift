import Foundation

/// What a server answered.
struct Answer: Sendable {
    let status: Int
    /// By name in lower case.
    let headers: [String: String]
    /// The body; of an answer that is no success it may be cut off.
    let body: [UInt8]

    init(status: Int, headers: [String: String] = [:], body: [UInt8]) {
        self.status = status
        self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
        self.body = body
    }
}

/// What came of a request.
enum Exchange: Sendable {
    case answer(Answer)
    /// No answer, and why; whether anything of the body may have reached the server.
    case failure(String, mayHaveArrived: Bool)
}
