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
    /// A URL of an image set in an asset catalog, or of a file in one, stands for the best file of the set.
    ///
    /// - Throws: Why it cannot be shown.
    package init(url: String) throws(Failure) { self = try Self.files(url: url).light }

    /// Reads the file of a `file:` URL, and the one for dark appearance that an image set of an asset catalog may have.
    ///
    /// - Throws: Why it cannot be shown.
    package static func files(url: String) throws(Failure) -> (light: ImageFile, dark: ImageFile?) {
        guard let path = FileURL.path(url) else { throw Failure(reason: "there is no such file") }
        guard let set = AssetSet(path: path) else { return (try ImageFile(path: path), nil) }
        guard let light = set.light else { throw Failure(reason: "the image set has no file for an iPhone") }
        return (try ImageFile(path: light, isInSet: true), set.dark.flatMap { try? ImageFile(path: $0, isInSet: true) })
    }

    /// Reads a file, which may be a drawing only if it is in a set, as on a phone.
    private init(path: String, isInSet: Bool = false) throws(Failure) {
        do throws(NamedFile.Problem) {
            bytes = try NamedFile.contents(at: path, limit: Self.sizeLimit)
        } catch {
            throw Failure(reason: error.text)
        }
        if let mediaType = Self.mediaType(bytes) {
            self.mediaType = mediaType
        } else if isInSet, Self.isDrawing(bytes) {
            mediaType = "image/svg+xml"
        } else {
            let types = isInSet ? "PNG, JPEG, GIF, WebP or SVG" : "PNG, JPEG, GIF or WebP"
            throw Failure(reason: "it is not a \(types) image", bytesRead: bytes.count)
        }
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

    /// Whether the bytes begin as an SVG document does.
    private static func isDrawing(_ bytes: [UInt8]) -> Bool {
        let start = String(decoding: bytes.prefix(1_000), as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        return start.hasPrefix("<svg") || start.hasPrefix("<?xml") && start.contains("<svg")
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
