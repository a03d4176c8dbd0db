internal import JSONRPC

/// What a process wrote on its stdout that is no answer to any request.
struct StrayOutput {
    /// How many lines are logged: the first few help the author, a flood only costs time.
    private static let logLimit = 20

    /// The number of lines that were no messages.
    private(set) var count = 0
    /// The last line that was unexpected since the last call was sent, in a sentence.
    private(set) var last: String?

    /// A call begins: what came before says nothing about it.
    mutating func forgetLast() { last = nil }

    /// Notes a response that answers no request, or a line that is no message.
    ///
    /// - Parameters:
    ///   - report: What the session found.
    ///   - expected: The id of the request whose answer is due first.
    ///   - limit: The greatest length of a line in bytes.
    /// - Returns: The text for the log; `nil` if enough lines are there.
    mutating func note(_ report: Session.Report, expected: Int64?, limit: Int) -> String? {
        switch report {
        case .failedNotification: return nil
        case .strayResponse(let id):
            let hint = expected.map { "; the request that waits has the id \($0)" } ?? ""
            last = "it answered the id \(id), which no request has\(hint)"
            return "it answered \(id), which no request has"
        case .invalidMessage(let error, let line):
            count += 1
            let text = Self.describe(error, line)
            last =
                error.reason == "lineTooLong"
                ? "a line on its stdout is longer than \(limit) bytes and was skipped"
                : "a line on its stdout is no message: \(text)"
            return count <= Self.logLimit ? "a line on its stdout is no message and was skipped: \(text)" : nil
        }
    }

    /// The line, with what is wrong if it is JSON: a stray print explains itself, an answer without `jsonrpc` does not.
    private static func describe(_ error: RPCError, _ line: String?) -> String {
        guard let line else { return error.message }
        return error.code == .parseError ? line : "\(line) (\(error.message))"
    }
}
