/// A type of file that a phone attaches (developer.apple.com, "UNNotificationAttachment").
///
/// A phone checks attachments after the service extension: here the host does, and rich-push while it downloads.
package enum AttachmentType: String, CaseIterable, Sendable {
    case aif
    case avi
    case gif
    case jpg
    case m4a
    case mp3
    case mp4
    case mpg
    case png
    case wav

    /// The values of Braze's `ab.att.type`.
    package static let named = allCases.filter { ![.avi, .mpg].contains($0) }

    /// The type for the suffix of a file's name, in any case; `nil` if a phone attaches no such file.
    package init?(suffix: String) {
        switch suffix.lowercased() {
        case "jpeg": self = .jpg
        case "aiff", "aifc": self = .aif
        case "mpeg": self = .mpg
        case "m4v": self = .mp4
        case let suffix: self.init(rawValue: suffix)
        }
    }

    /// The kind of medium, which is the first part of its media types.
    package var kind: String {
        switch self {
        case .gif, .jpg, .png: "image"
        case .aif, .m4a, .mp3, .wav: "audio"
        case .avi, .mp4, .mpg: "video"
        }
    }

    /// The maximum size in bytes that a phone attaches.
    package var limit: Int {
        switch kind {
        case "image": 10 << 20
        case "audio": 5 << 20
        default: 50 << 20
        }
    }

    /// The maximum size of any type.
    package static let maximumLimit = allCases.map(\.limit).max() ?? 0

    /// Whether a server may send a file of this type with that media type; many servers only say `octet-stream`.
    package func isPlausible(_ mediaType: String) -> Bool {
        let mediaType = mediaType.lowercased()
        return mediaType.hasPrefix(kind + "/") || mediaType.hasSuffix("/octet-stream")
    }
}

extension AttachmentType {
    /// How many bytes at the start of a file are needed to detect its type.
    package static let signatureLength = 12

    /// The major brands of MPEG-4 files that contain, or may contain, video.
    ///
    /// A phone does not attach pictures in this format or QuickTime files.
    private static let filmBrands = ["iso", "mp4", "avc", "M4V", "MSNV", "dash", "mmp4", "F4V", "f4v", "3gp", "3g2"]
    private static let soundBrands = ["M4A", "M4B", "F4A"]

    /// Detects the type from the first bytes of a file; `nil` if a phone attaches no such file.
    ///
    /// - Parameters:
    ///   - start: The first ``signatureLength`` bytes, or all of a shorter file.
    ///   - name: The type that the payload or the extension names: it decides between audio and video if the bytes do not.
    package init?(of start: [UInt8], named name: AttachmentType) {
        func has(_ text: String, at offset: Int = 0) -> Bool { start.dropFirst(offset).starts(with: text.utf8) }
        if start.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpg
        } else if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if has("GIF87a") || has("GIF89a") {
            self = .gif
        } else if has("RIFF"), has("WAVE", at: 8) {
            self = .wav
        } else if has("RIFF"), has("AVI ", at: 8) {
            self = .avi
        } else if has("FORM"), has("AIFF", at: 8) || has("AIFC", at: 8) {
            self = .aif
        } else if has("ftyp", at: 4), Self.soundBrands.contains(where: { has($0, at: 8) }) {
            self = .m4a
        } else if has("ftyp", at: 4), Self.filmBrands.contains(where: { has($0, at: 8) }) {
            self = name == .m4a ? .m4a : .mp4
        } else if start.starts(with: [0x00, 0x00, 0x01, 0xBA]) || start.starts(with: [0x00, 0x00, 0x01, 0xB3]) {
            // A pack header or a sequence header, of MPEG-1 or MPEG-2.
            self = .mpg
        } else if has("ID3") || Self.isLayerIII(start) {
            self = .mp3
        } else {
            return nil
        }
    }

    /// Whether bytes begin with the header of a frame of MPEG audio layer III (ISO/IEC 11172-3, 2.4.1.3).
    private static func isLayerIII(_ start: [UInt8]) -> Bool {
        guard start.count >= 4, start[0] == 0xFF, start[1] & 0xE0 == 0xE0 else { return false }
        let (version, layer) = (start[1] >> 3 & 3, start[1] >> 1 & 3)
        let (bitRate, sampleRate) = (start[2] >> 4, start[2] >> 2 & 3)
        return version != 1 && layer == 1 && bitRate != 15 && sampleRate != 3
    }
}
