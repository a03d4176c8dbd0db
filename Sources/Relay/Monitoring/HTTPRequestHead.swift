internal import Platform

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

    /// Reads a head; nil while it is incomplete.
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

/// An HTTP response with a text as its body.
struct HTTPAnswer: Equatable {
    let status: Int
    let contentType: String
    let body: String

    /// An answer; by default its body is plain text.
    init(_ status: Int, _ body: String, contentType: String = "text/plain; charset=utf-8") {
        (self.status, self.body, self.contentType) = (status, body, contentType)
    }

    /// The answer to a request that is refused.
    init(_ refusal: HTTPRequestHead.Refusal) {
        switch refusal {
        case .malformed: self.init(400, "This is no HTTP request.\n")
        case .tooLarge: self.init(431, "The head of the request exceeds \(HTTPRequestHead.limit) bytes.\n")
        case .version: self.init(505, "This speaks HTTP/1.1 and HTTP/1.0.\n")
        case .method: self.init(405, "Only GET and HEAD are answered.\n")
        }
    }

    private var reason: String {
        switch status {
        case 200: "OK"
        case 400: "Bad Request"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 431: "Request Header Fields Too Large"
        case 503: "Service Unavailable"
        case 505: "HTTP Version Not Supported"
        default: preconditionFailure("no answer has the status \(status)")
        }
    }

    /// The bytes to send; the time is in milliseconds since 1970.
    func bytes(isHead: Bool, time: Int64) -> [UInt8] {
        var head = "HTTP/1.1 \(status) \(reason)\r\nDate: \(HTTPTime.format(time))\r\nContent-Type: \(contentType)\r\n"
        if status == 405 { head += "Allow: GET, HEAD\r\n" }
        head += "Content-Length: \(body.utf8.count)\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n"
        return Array(head.utf8) + (isHead ? [] : Array(body.utf8))
    }
}

/// Times in the heads of HTTP, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPTime {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// A time in milliseconds since 1970, which must not be before that year.
    static func format(_ milliseconds: Int64) -> String {
        let seconds = max(0, milliseconds) / 1_000
        let day = seconds / 86_400
        let date = GregorianCalendar.date(afterDays: day)
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let clock = [seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60].map(two).joined(separator: ":")
        let month = months[Int(date.month) - 1]
        return "\(days[Int(day % 7)]), \(two(date.day)) \(month) \(date.year) \(clock) GMT"
    }
}
