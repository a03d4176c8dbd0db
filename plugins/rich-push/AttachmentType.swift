/// A type of file that may be attached: what Braze's `ab.att.type` may say.
enum AttachmentType: String, CaseIterable {
    case aif
    case gif
    case jpg
    case m4a
    case mp3
    case mp4
    case png
    case wav

    /// What kind of medium it is, as the first part of its media types.
    private var kind: String {
        switch self {
        case .gif, .jpg, .png: "image"
        case .aif, .m4a, .mp3, .wav: "audio"
        case .mp4: "video"
        }
    }

    /// The greatest size in bytes that a phone attaches (developer.apple.com, "UNNotificationAttachment").
    var limit: Int64 {
        switch kind {
        case "image": 10 << 20
        case "audio": 5 << 20
        default: 50 << 20
        }
    }

    /// Whether a server that sends such a file may say so: many know no better than that it is bytes.
    func isPlausible(_ mediaType: String) -> Bool {
        let mediaType = mediaType.lowercased()
        return mediaType.hasPrefix(kind + "/") || mediaType.hasSuffix("/octet-stream")
    }
}
