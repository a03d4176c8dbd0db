internal import Foundation

/// Converts paths to `file:` URLs (RFC 8089), which name attachments on the wire, and back.
enum FileURL {
    /// The URL of an absolute path.
    static func text(_ path: String) -> String {
        var text = "file://"
        for byte in path.utf8 {
            let scalar = Unicode.Scalar(byte)
            if isUnencoded(scalar) {
                text.unicodeScalars.append(scalar)
            } else {
                text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return text
    }

    /// The absolute path of a `file:` URL on this machine; nil if the text is not such a URL.
    static func path(_ text: String) -> String? {
        let prefixes = ["file:///", "file://localhost/", "file:/"]
        guard let prefix = prefixes.first(where: text.hasPrefix), !text.contains("?"), !text.contains("#"),
            let path = text.dropFirst(prefix.count - 1).removingPercentEncoding,
            !path.hasPrefix("//"), !path.utf8.contains(0)
        else { return nil }
        return path
    }

    /// Whether a character needs no percent-encoding: an unreserved one, or the separator of the parts.
    private static func isUnencoded(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~", "/": true
        default: false
        }
    }
}
