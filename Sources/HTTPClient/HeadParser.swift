/// Parses the head of a response line by line.
///
/// Heads of interim responses (1xx) and trailers are skipped.
struct HeadParser {
    /// The head of the response, once its last line has arrived.
    private(set) var finished: HTTPHead?
    private var current: HTTPHead?

    /// Parses the next line, including its line break.
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
        // Lines that continue the previous one are obsolete since 2014 (RFC 7230), and no value read here uses them.
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
