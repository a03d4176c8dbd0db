/// The beginning of an HTTP request: its method and path.
struct HTTPRequestHead: Equatable {
    /// Why a request is refused.
    enum Refusal: Error, Equatable {
        case malformed
        case tooLarge
        case version
        case method
    }

    /// The greatest length of a head in bytes.
    static let limit = 8 << 10

    /// Whether the response has no body.
    let isHead: Bool
    /// The path without a query.
    let path: String

    /// Reads a head.
    ///
    /// - Parameter bytes: What has arrived of the request.
    /// - Returns: Nil while the head is incomplete.
    /// - Throws: Why the request is refused.
    static func read(_ bytes: [UInt8]) throws(Refusal) -> HTTPRequestHead? {
        guard let end = end(of: bytes) else {
            guard bytes.count < limit else { throw .tooLarge }
            return nil
        }
        guard end <= limit else { throw .tooLarge }
        let text = String(decoding: bytes[..<end], as: UTF8.self)
        // A carriage return and a line feed are one Character.
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\r\n" || $0 == "\n" }
        let words = lines.first?.split(separator: " ", omittingEmptySubsequences: false) ?? []
        guard words.count == 3, !words[0].isEmpty, words[2].hasPrefix("HTTP/"), let path = path(of: words[1]) else {
            throw .malformed
        }
        guard words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else { throw .version }
        let fields = lines.dropFirst().prefix { !$0.isEmpty }
        // A line that begins with a space would continue another one; nobody sends that any more.
        guard fields.allSatisfy({ $0.contains(":") && !$0.hasPrefix(" ") && !$0.hasPrefix("\t") }) else {
            throw .malformed
        }
        if words[2] == "HTTP/1.1" {
            let hosts = fields.count { $0.prefix { $0 != ":" }.lowercased() == "host" }
            guard hosts == 1 else { throw .malformed }
        }
        guard words[0] == "GET" || words[0] == "HEAD" else { throw .method }
        return HTTPRequestHead(isHead: words[0] == "HEAD", path: path)
    }

    /// The position after the empty line; nil if it has not arrived.
    private static func end(of bytes: [UInt8]) -> Int? {
        var lineLength = 0
        for (index, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: "\n") {
                if lineLength == 0 { return index + 1 }
                lineLength = 0
            } else if byte != UInt8(ascii: "\r") {
                lineLength += 1
            }
        }
        return nil
    }

    /// The path of a target such as `/metrics?x=1` or `http://127.0.0.1:9090/metrics`.
    private static func path(of target: Substring) -> String? {
        var rest = target
        if rest.hasPrefix("http://") {
            rest = rest.dropFirst("http://".count).drop { $0 != "/" && $0 != "?" }
            if !rest.hasPrefix("/") { return "/" }
        }
        guard rest.hasPrefix("/") else { return nil }
        return String(rest.prefix { $0 != "?" })
    }
}
