package import JSON
package import JSONRPC

/// A URL that an extension asks its app to open: an absolute URL, in the characters of RFC 3986.
///
/// The host itself opens nothing, so any scheme is allowed, including an app's own.
package struct ApplicationURL {
    /// The maximum length in characters, as in the contract's documents.
    package static let limit = 2048
    /// The expected JSON value.
    package static let expected = ExpectedValue<ApplicationURL>(
        "an absolute URL such as https://example.com/a or myapp://a, percent-encoded, of at most \(limit) characters"
    ) { $0.string.flatMap(ApplicationURL.init) }

    package let text: String

    /// Parses a URL; nil if the text is not a valid one.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.limit, let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon + 1 < bytes.count,
            Self.isScheme(bytes[..<colon]), Self.isEncoded(bytes[(colon + 1)...])
        else { return nil }
        self.text = text
    }

    private static func isScheme(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, isLetter(first) else { return false }
        return bytes.allSatisfy { isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }
    }

    private static func isEncoded(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard rest.count >= 2, rest.prefix(2).allSatisfy(isHexDigit) else { return false }
                rest = rest.dropFirst(2)
            } else if !isLetter(byte), !isDigit(byte), !"-._~:/?#[]@!$&'()*+,;=".utf8.contains(byte) {
                return false
            }
        }
        return true
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }
}

/// What the app opens: the URL of its extension or else, after a tap, the link of Braze in the payload.
package struct ApplicationLink {
    package let url: ApplicationURL
    /// Whether Braze's SDK shows it in a web view of the app.
    package let usesWebView: Bool

    /// The members of a reply or of a JSON-RPC notification.
    package var members: MemberList {
        ["url": .string(url.text), "useWebView": usesWebView ? true : nil]
    }
}

extension Presentation {
    /// The link with which an action opens the app: the URL that the extension asks for, or that of the payload.
    ///
    /// It is nil if the app is only opened.
    package func link(of action: String, _ url: ApplicationURL?) -> ApplicationLink? {
        if let url { return ApplicationLink(url: url, usesWebView: false) }
        guard action == OfferedAction.defaultIdentifier,
            let url = payload.userInfo["ab_uri"]?.string.flatMap(ApplicationURL.init)
        else { return nil }
        let flag = payload.userInfo["ab_use_webview"]
        return ApplicationLink(url: url, usesWebView: flag == true || flag == 1 || flag == "true")
    }
}
