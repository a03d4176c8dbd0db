internal import JSONRPC

/// Unexpected output on a process's stdout: lines that are not messages, and answers to no request.
struct StrayOutput {
    /// The maximum number of lines that are logged: the first ones help the author, a flood would only cost time.
    private static let logLimit = 20

    /// The number of lines that were not messages.
    private(set) var count = 0
    /// A sentence about the last unexpected line since the last call was sent; `nil` if there was none.
    private(set) var last: String?

    /// Forgets the last unexpected line, because a call begins that it cannot explain.
    mutating func forgetLast() { last = nil }

    /// Notes a response to no request, or a line that is not a message.
    ///
    /// - Parameters:
    ///   - report: What the session found.
    ///   - expected: The id of the request whose answer is due first.
    ///   - limit: The greatest length of a line in bytes.
    /// - Returns: The text for the log; `nil` if enough lines were logged.
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

    /// The line; with the error if it is JSON or begins like it, because unlike a stray print such a line does not explain
    /// itself.
    private static func describe(_ error: RPCError, _ line: String?) -> String {
        guard let line else { return error.message }
        let isOther = error.code == .parseError && !line.hasPrefix("{") && !line.hasPrefix("[")
        return isOther ? line : "\(line) (\(error.message))"
    }
}
