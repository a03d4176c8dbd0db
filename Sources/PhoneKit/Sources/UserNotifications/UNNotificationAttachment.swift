public import Foundation
package import JSON

/// A file that is attached to a notification.
open class UNNotificationAttachment: NSObject, NSCopying, @unchecked Sendable {
    /// The identifier, unique among the notification's attachments.
    public let identifier: String
    /// The file.
    public let url: URL
    /// The uniform type identifier of the file.
    public let type: String
    /// What the creator said about the file.
    package let options: [AnyHashable: Any]

    private init(stored identifier: String, url: URL, type: String, options: [AnyHashable: Any]) {
        (self.identifier, self.url, self.type, self.options) = (identifier, url, type, options)
    }

    /// An attachment of a file, which must exist and be of a type that a phone attaches.
    ///
    /// - Throws: `UNError` as on a phone.
    public required convenience init(identifier: String, url URL: URL, options: [AnyHashable: Any]? = nil) throws {
        guard URL.isFileURL else { throw UNError(.attachmentInvalidURL, "the attachment \(URL) is no file") }
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: URL.path) else {
            throw UNError(.attachmentInvalidURL, "the file \(URL.path) does not exist")
        }
        let hint = options?[UNNotificationAttachmentOptionsTypeHintKey] as? String
        guard let type = hint.flatMap(AttachmentType.init(hint:)) ?? AttachmentType(pathExtension: URL.pathExtension)
        else {
            let name = hint ?? URL.pathExtension
            throw UNError(.attachmentUnrecognizedType, "the type \"\(name)\" of \(URL.lastPathComponent) is not known")
        }
        let size = (attributes[.size] as? NSNumber)?.intValue ?? 0
        guard size <= type.sizeLimit else {
            throw UNError(.attachmentInvalidFileSize, "the file \(URL.lastPathComponent) has \(size) bytes")
        }
        self.init(
            stored: identifier.isEmpty ? UUID().uuidString : identifier,
            url: URL,
            type: type.identifier,
            options: options ?? [:]
        )
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationAttachment)?.wire == wire }
    open override var hash: Int { identifier.hashValue }

    /// An attachment that the host sent, whose file it has checked.
    convenience init?(wire: JSON) {
        guard let url = wire["url"]?.string.flatMap(URL.init(string:)) else { return nil }
        let suffix = wire["type"]?.string ?? url.pathExtension
        self.init(
            stored: wire["identifier"]?.string ?? url.absoluteString,
            url: url,
            type: AttachmentType(hint: suffix)?.identifier ?? suffix,
            options: [:]
        )
    }

    /// The attachment as on the wire, where a type is the suffix of a file.
    package var wire: JSON {
        let suffix = AttachmentType(hint: type)?.suffix ?? url.pathExtension
        return ["identifier": .string(identifier), "url": .string(url.absoluteString), "type": .string(suffix)]
    }

    /// The same attachment with its file in another place.
    package func moved(to url: URL) -> UNNotificationAttachment {
        UNNotificationAttachment(stored: identifier, url: url, type: type, options: options)
    }
}

/// The uniform type identifier of an attachment whose file name has no extension.
public let UNNotificationAttachmentOptionsTypeHintKey = "UNNotificationAttachmentOptionsTypeHintKey"
/// Whether the thumbnail is hidden.
public let UNNotificationAttachmentOptionsThumbnailHiddenKey = "UNNotificationAttachmentOptionsThumbnailHiddenKey"
/// Which part of the image the thumbnail shows.
public let UNNotificationAttachmentOptionsThumbnailClippingRectKey =
    "UNNotificationAttachmentOptionsThumbnailClippingRectKey"
/// The time of the film that the thumbnail shows.
public let UNNotificationAttachmentOptionsThumbnailTimeKey = "UNNotificationAttachmentOptionsThumbnailTimeKey"

/// A type of file that a phone attaches.
struct AttachmentType {
    /// The uniform type identifier.
    let identifier: String
    /// The usual extension of a file's name.
    let suffix: String
    private let otherSuffixes: [String]
    private let kind: Kind

    private enum Kind: Int {
        case image = 10
        case sound = 5
        case film = 50
    }

    /// The maximum number of bytes.
    var sizeLimit: Int { kind.rawValue << 20 }

    private static let all: [AttachmentType] = [
        AttachmentType("public.jpeg", "jpg", ["jpeg", "jpe"], .image),
        AttachmentType("com.compuserve.gif", "gif", [], .image),
        AttachmentType("public.png", "png", [], .image),
        AttachmentType("public.aiff-audio", "aif", ["aiff"], .sound),
        AttachmentType("com.microsoft.waveform-audio", "wav", ["wave"], .sound),
        AttachmentType("public.mp3", "mp3", [], .sound),
        AttachmentType("public.mpeg-4-audio", "m4a", [], .sound),
        AttachmentType("public.mpeg", "mpg", ["mpeg"], .film),
        AttachmentType("public.mpeg-2-video", "mpg", ["m2v"], .film),
        AttachmentType("public.mpeg-4", "mp4", [], .film),
        AttachmentType("public.avi", "avi", [], .film),
    ]

    private init(_ identifier: String, _ suffix: String, _ otherSuffixes: [String], _ kind: Kind) {
        (self.identifier, self.suffix, self.otherSuffixes, self.kind) = (identifier, suffix, otherSuffixes, kind)
    }

    /// The type of files whose names have that extension.
    init?(pathExtension: String) {
        let suffix = pathExtension.lowercased()
        guard let type = Self.all.first(where: { $0.suffix == suffix || $0.otherSuffixes.contains(suffix) }) else {
            return nil
        }
        self = type
    }

    /// The type with that uniform type identifier; extensions of names are accepted too, as on a phone.
    init?(hint: String) {
        guard let type = Self.all.first(where: { $0.identifier == hint }) ?? AttachmentType(pathExtension: hint) else {
            return nil
        }
        self = type
    }
}

/// An error of the notification center.
public struct UNError: CustomNSError, Equatable, Sendable {
    /// The kinds of error.
    public enum Code: Int, Sendable {
        case notificationsNotAllowed = 1
        case attachmentInvalidURL = 100
        case attachmentUnrecognizedType = 101
        case attachmentInvalidFileSize = 102
        case attachmentNotInDataStore = 103
        case attachmentMoveIntoDataStoreFailed = 104
        case attachmentCorrupt = 105
        case notificationInvalidNoDate = 1400
        case notificationInvalidNoContent = 1401
        case contentProvidingObjectNotAllowed = 1500
        case contentProvidingInvalid = 1501
        case badgeInputInvalid = 1600
    }

    /// The domain of these errors.
    public static let errorDomain = "UNErrorDomain"

    /// The kind.
    public let code: Code
    private let text: String

    init(_ code: Code, _ text: String) { (self.code, self.text) = (code, text) }

    /// An error of that kind.
    public init(_ code: Code) { self.init(code, "\(code)") }

    /// The number of the kind.
    public var errorCode: Int { code.rawValue }
    /// What is wrong, for `localizedDescription`.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: text] }
}
