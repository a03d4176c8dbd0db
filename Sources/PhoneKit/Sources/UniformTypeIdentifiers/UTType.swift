public import Foundation

/// A type of file, as an identifier, an extension of a file's name or a MIME type names it.
public struct UTType: Hashable, Sendable {
    /// The identifier, such as `public.png`.
    public let identifier: String
    /// The usual extension of a file's name.
    public let preferredFilenameExtension: String?
    /// The usual MIME type.
    public let preferredMIMEType: String?

    private init(known identifier: String, _ suffix: String? = nil, _ mime: String? = nil) {
        (self.identifier, preferredFilenameExtension, preferredMIMEType) = (identifier, suffix, mime)
    }

    /// The type with that identifier.
    public init?(_ identifier: String) {
        guard let known = Self.all.first(where: { $0.identifier == identifier }) else { return nil }
        self = known
    }

    /// The type of files whose names end like this.
    public init?(filenameExtension: String) {
        let aliases = ["jpg": "jpeg", "aif": "aiff", "mpeg": "mpg", "htm": "html"]
        let suffix = aliases[filenameExtension.lowercased()] ?? filenameExtension.lowercased()
        guard let known = Self.all.first(where: { $0.preferredFilenameExtension == suffix }) else { return nil }
        self = known
    }

    /// The type of data with that MIME type.
    public init?(mimeType: String) {
        guard let known = Self.all.first(where: { $0.preferredMIMEType == mimeType.lowercased() }) else { return nil }
        self = known
    }

    /// Whether it is a kind of the other.
    public func conforms(to type: UTType) -> Bool {
        if self == type || type == .data { return true }
        let kinds: [UTType: String] = [
            .image: "image/", .audio: "audio/", .movie: "video/", .video: "video/", .text: "text/",
        ]
        return kinds[type].flatMap { preferredMIMEType?.hasPrefix($0) } ?? false
    }

    /// Any image.
    public static let image = UTType(known: "public.image")
    /// Any sound.
    public static let audio = UTType(known: "public.audio")
    /// Any film.
    public static let movie = UTType(known: "public.movie")
    /// Any film without sound.
    public static let video = UTType(known: "public.video")
    /// Any text.
    public static let text = UTType(known: "public.text")
    /// Any data.
    public static let data = UTType(known: "public.data")
    /// An image in JPEG.
    public static let jpeg = UTType(known: "public.jpeg", "jpeg", "image/jpeg")
    /// An image in PNG.
    public static let png = UTType(known: "public.png", "png", "image/png")
    /// An image in GIF.
    public static let gif = UTType(known: "com.compuserve.gif", "gif", "image/gif")
    /// An image in WebP.
    public static let webP = UTType(known: "org.webmproject.webp", "webp", "image/webp")
    /// An image in HEIC.
    public static let heic = UTType(known: "public.heic", "heic", "image/heic")
    /// A sound in AIFF.
    public static let aiff = UTType(known: "public.aiff-audio", "aiff", "audio/aiff")
    /// A sound in WAV.
    public static let wav = UTType(known: "com.microsoft.waveform-audio", "wav", "audio/vnd.wave")
    /// A sound in MP3.
    public static let mp3 = UTType(known: "public.mp3", "mp3", "audio/mpeg")
    /// A sound in MPEG 4.
    public static let mpeg4Audio = UTType(known: "public.mpeg-4-audio", "m4a", "audio/mp4")
    /// A film in MPEG.
    public static let mpeg = UTType(known: "public.mpeg", "mpg", "video/mpeg")
    /// A film in MPEG 2.
    public static let mpeg2Video = UTType(known: "public.mpeg-2-video", "m2v", "video/mpeg2")
    /// A film in MPEG 4.
    public static let mpeg4Movie = UTType(known: "public.mpeg-4", "mp4", "video/mp4")
    /// A film in AVI.
    public static let avi = UTType(known: "public.avi", "avi", "video/avi")
    /// A film of QuickTime.
    public static let quickTimeMovie = UTType(known: "com.apple.quicktime-movie", "mov", "video/quicktime")
    /// A page.
    public static let html = UTType(known: "public.html", "html", "text/html")
    /// JSON.
    public static let json = UTType(known: "public.json", "json", "application/json")
    /// A document in PDF.
    public static let pdf = UTType(known: "com.adobe.pdf", "pdf", "application/pdf")
    /// A plain text.
    public static let plainText = UTType(known: "public.plain-text", "txt", "text/plain")

    private static let all = [
        image, audio, movie, video, text, data, jpeg, png, gif, webP, heic, aiff, wav, mp3, mpeg4Audio, mpeg,
        mpeg2Video,
        mpeg4Movie, avi, quickTimeMovie, html, json, pdf, plainText,
    ]
}

extension URL {
    /// The URL with the extension that the type has, if it has another.
    public func appendingPathExtension(for contentType: UTType) -> URL {
        guard let suffix = contentType.preferredFilenameExtension, pathExtension != suffix else { return self }
        return appendingPathExtension(suffix)
    }

    /// The URL with a name and the extension that the type has.
    public func appendingPathComponent(_ partialName: String, conformingTo contentType: UTType) -> URL {
        appendingPathComponent(partialName).appendingPathExtension(for: contentType)
    }

    /// Adds a name and the extension that the type has.
    public mutating func appendPathComponent(_ partialName: String, conformingTo contentType: UTType) {
        self = appendingPathComponent(partialName, conformingTo: contentType)
    }
}
