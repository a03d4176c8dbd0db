internal import AttachmentRules
internal import Platform

/// A picture in a file of this machine.
package struct ImageFile {
    /// Why it cannot be shown, without the path, which may be that of a temporary folder.
    package struct Failure: Error, Equatable {
        package let reason: String
        /// How much was read to find that out.
        package var bytesRead = 0
    }

    /// The maximum size of a file: what a phone accepts as an image.
    package static let sizeLimit = 10 << 20

    /// The media type, such as `image/png`.
    package let mediaType: String
    package let bytes: [UInt8]

    /// Reads the file of a `file:` URL.
    ///
    /// - Throws: Why it cannot be shown.
    package init(url: String) throws(Failure) {
        guard let path = FileURL.path(url) else { throw Failure(reason: "there is no such file") }
        do throws(NamedFile.Problem) {
            bytes = try NamedFile.contents(at: path, limit: Self.sizeLimit)
        } catch {
            throw Failure(reason: error.text)
        }
        guard let mediaType = Self.mediaType(bytes) else {
            throw Failure(reason: "it is not a PNG, JPEG, GIF or WebP image", bytesRead: bytes.count)
        }
        self.mediaType = mediaType
    }

    /// The media type that the first bytes of a picture say: a page shows WebP too, which a phone does not attach.
    private static func mediaType(_ bytes: [UInt8]) -> String? {
        switch AttachmentType(of: Array(bytes.prefix(AttachmentType.signatureLength)), named: .png) {
        case .png: return "image/png"
        case .jpg: return "image/jpeg"
        case .gif: return "image/gif"
        default:
            let isWebP = bytes.starts(with: Array("RIFF".utf8)) && bytes.dropFirst(8).starts(with: Array("WEBP".utf8))
            return isWebP ? "image/webp" : nil
        }
    }
}

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
            let path = decoded(text.dropFirst(prefix.count - 1)),
            !path.hasPrefix("//"), !path.utf8.contains(0)
        else { return nil }
        return path
    }

    /// The text that a percent-encoded one stands for; nil if an escape is incomplete or the result is not UTF-8.
    private static func decoded(_ text: Substring) -> String? {
        let parts = text.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false)
        var bytes = Array(parts[0])
        for part in parts.dropFirst() {
            guard part.count >= 2, part.prefix(2).allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
                let byte = UInt8(String(decoding: part.prefix(2), as: UTF8.self), radix: 16)
            else { return nil }
            bytes += [byte] + part.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Whether a character needs no percent-encoding: an unreserved one, or the separator of the parts.
    private static func isUnencoded(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~", "/": true
        default: false
        }
    }
}
