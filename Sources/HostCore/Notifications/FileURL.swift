internal import Foundation

/// Paths as `file:` URLs (RFC 8089), in which attachments are named on the wire.
enum FileURL {
    /// The URL of an absolute path.
    static func text(_ path: String) -> String {
        var text = "file://"
        for byte in path.utf8 {
            let scalar = Unicode.Scalar(byte)
            if isPlain(scalar) {
                text.unicodeScalars.append(scalar)
            } else {
                text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return text
    }

    /// The absolute path of a URL on this machine; nothing where it is none.
    static func path(_ text: String) -> String? {
        let beginnings = ["file:///", "file://localhost/", "file:/"]
        guard let beginning = beginnings.first(where: text.hasPrefix), !text.contains("?"), !text.contains("#"),
            let path = text.dropFirst(beginning.count - 1).removingPercentEncoding,
            !path.hasPrefix("//"), !path.utf8.contains(0)
        else { return nil }
        return path
    }

    /// Whether a byte stands for itself: an unreserved character, or what separates the parts.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~", "/": true
        default: false
        }
    }
}
