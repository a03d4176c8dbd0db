/// A type of file that a phone attaches (developer.apple.com, "UNNotificationAttachment").
enum AttachmentType: String, CaseIterable {
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
    static let named = allCases.filter { ![.avi, .mpg].contains($0) }

    /// The kind of medium, which is the first part of its media types.
    private var kind: String {
        switch self {
        case .gif, .jpg, .png: "image"
        case .aif, .m4a, .mp3, .wav: "audio"
        case .avi, .mp4, .mpg: "video"
        }
    }

    /// The maximum size in bytes that a phone attaches.
    var limit: Int {
        switch kind {
        case "image": 10 << 20
        case "audio": 5 << 20
        default: 50 << 20
        }
    }

    /// The maximum size of any type.
    static let maximumLimit = allCases.map(\.limit).max() ?? 0

    /// Whether a server may send a file of this type with that media type; many servers only say `octet-stream`.
    func isPlausible(_ mediaType: String) -> Bool {
        let mediaType = mediaType.lowercased()
        return mediaType.hasPrefix(kind + "/") || mediaType.hasSuffix("/octet-stream")
    }
}
