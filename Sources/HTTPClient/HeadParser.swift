/// Makes the head of an answer from its lines, one after the other.
///
/// Heads of interim answers (1xx) are skipped, and so are trailers.
struct HeadParser {
    /// The head of the answer, once its last line has arrived.
    private(set) var finished: HTTPHead?
    private var current: HTTPHead?

    /// Adds a line with its end.
    ///
    /// - Returns: The head, if the line was its last one.
    mutating func parse(_ line: String) -> HTTPHead? {
        let text = line.drop { $0 == " " || $0 == "\t" }
        if finished != nil { return nil }
        if line.hasPrefix("HTTP/") {
            let status = line.split(separator: " ").dropFirst().first.flatMap { Int($0.prefix { $0.isNumber }) }
            current = HTTPHead(status: status ?? 0)
            return nil
        }
        guard let head = current else { return nil }
        if text.allSatisfy(\.isNewline) {
            current = nil
            finished = head.status < 200 ? nil : head
            return finished
        }
        // A line that continues the one before is out of use since 2014 (RFC 7230) and carries nothing that is read.
        guard text.startIndex == line.startIndex, let colon = line.firstIndex(of: ":") else { return nil }
        let name = line[..<colon].lowercased()
        let value = String(line[line.index(after: colon)...].drop(while: \.isWhitespace).trimmedEnd)
        current?.headers[name] = head.headers[name].map { "\($0), \(value)" } ?? value
        return nil
    }
}

extension Substring {
    /// The text without white space at its end.
    fileprivate var trimmedEnd: Substring {
        var rest = self
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return rest
    }
}
