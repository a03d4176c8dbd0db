public import JSON

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The content of a notification, for a service extension to change.
///
/// Members that are not changed keep their values in the host, even those that this kit does not know.
public struct MutableNotificationContent: Sendable {
    /// The title.
    public var title: String
    /// The subtitle.
    public var subtitle: String
    /// The body; title, subtitle and body must not all be empty.
    public var body: String
    /// The category, which selects the content extension that shows the notification.
    public var categoryIdentifier: String
    /// The thread; later notifications of the same thread join the visible presentation.
    public var threadIdentifier: String
    /// The number on the app's icon.
    public var badge: Int64?
    /// The sound: a name, or an object as in the payload.
    public var sound: JSON?
    /// The image that is shown while the app starts.
    public var launchImageName: String?
    /// The identifier of the app's content that the notification is about.
    public var targetContentIdentifier: String?
    /// The interruption level: `passive`, `active`, `time-sensitive` or `critical`.
    public var interruptionLevel: String?
    /// The relevance among the app's notifications, from 0 to 1.
    public var relevanceScore: Double?
    /// The criteria by which a focus filters notifications.
    public var filterCriteria: String?
    /// The attached files.
    public var attachments: [NotificationAttachment] = []
    /// The whole payload.
    public var userInfo: JSON.Object

    /// The content as it was received, for comparison.
    private let original: JSON.Object

    init(_ content: NotificationContent) {
        original = content.json.object ?? JSON.Object([])
        title = content.title
        subtitle = content.subtitle
        body = content.body
        categoryIdentifier = content.categoryIdentifier
        threadIdentifier = content.threadIdentifier
        badge = original["badge"]?.integer
        sound = original["sound"]
        launchImageName = original["launchImageName"]?.string
        targetContentIdentifier = original["targetContentIdentifier"]?.string
        interruptionLevel = original["interruptionLevel"]?.string
        relevanceScore = original["relevanceScore"]?.number
        filterCriteria = original["filterCriteria"]?.string
        userInfo = content.userInfo.json
    }

    /// The changed members of the content, as on the wire; null removes a member.
    var changes: [(String, JSON)] {
        let members: [(String, JSON)] = [
            ("title", .string(title)), ("subtitle", .string(subtitle)), ("body", .string(body)),
            ("categoryIdentifier", .string(categoryIdentifier)), ("threadIdentifier", .string(threadIdentifier)),
            ("badge", badge.map(JSON.integer) ?? .null), ("sound", sound ?? .null),
            ("launchImageName", JSON(launchImageName)), ("targetContentIdentifier", JSON(targetContentIdentifier)),
            ("interruptionLevel", JSON(interruptionLevel)), ("filterCriteria", JSON(filterCriteria)),
            ("attachments", JSON(attachments.map(\.json))), ("userInfo", .object(userInfo)),
        ]
        let changed = members.filter { $0.1 != original[$0.0] ?? .null }
        // Compared as numbers, since the payload may have an integer.
        guard relevanceScore != original["relevanceScore"]?.number else { return changed }
        return changed + [("relevanceScore", relevanceScore.map(JSON.real) ?? .null)]
    }
}

extension NotificationContent {
    /// A mutable copy.
    public func mutableCopy() -> MutableNotificationContent { MutableNotificationContent(self) }
}

/// A file that is attached to a notification.
public struct NotificationAttachment: Equatable, Sendable {
    /// The identifier, unique among the notification's attachments.
    public let identifier: String
    /// The file, in ``ServiceContext/attachmentsFolder``.
    public let url: URL
    /// The type of the file, as a file name extension such as `png`.
    public let type: String

    /// An attachment.
    public init(identifier: String, url: URL, type: String) {
        self.identifier = identifier
        self.url = url
        self.type = type
    }

    var json: JSON {
        ["identifier": .string(identifier), "url": .string(url.absoluteString), "type": .string(type)]
    }
}
