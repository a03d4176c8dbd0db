public import Foundation
public import JSON

/// What a notification will show, for a service extension to change.
///
/// Members that are left as they were stay so, whatever the host knows of them.
public struct MutableNotificationContent: Sendable {
    /// The title.
    public var title: String
    /// The subtitle.
    public var subtitle: String
    /// The text; title, subtitle and text must not all be emptied.
    public var body: String
    /// The category, by which the extension that shows it is found.
    public var categoryIdentifier: String
    /// The thread; later notifications of it join the visible one.
    public var threadIdentifier: String
    /// The number on the app's icon.
    public var badge: Int64?
    /// The sound: a name, or an object as in the payload.
    public var sound: JSON?
    /// The image that is shown while the app starts.
    public var launchImageName: String?
    /// What in the app it is about.
    public var targetContentIdentifier: String?
    /// How it interrupts: `passive`, `active`, `time-sensitive` or `critical`.
    public var interruptionLevel: String?
    /// Its weight among the app's notifications, from 0 to 1.
    public var relevanceScore: Double?
    /// What a focus is filtered by.
    public var filterCriteria: String?
    /// The files that it shows.
    public var attachments: [NotificationAttachment] = []
    /// The whole payload.
    public var userInfo: JSON.Object

    /// As it came; what differs from that is a change.
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

    /// What was changed, as members of the wire's content; null takes a member away.
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
        // As numbers: the payload may have an integer there.
        guard relevanceScore != original["relevanceScore"]?.number else { return changed }
        return changed + [("relevanceScore", relevanceScore.map(JSON.real) ?? .null)]
    }
}

extension NotificationContent {
    /// A copy that may be changed.
    public func mutableCopy() -> MutableNotificationContent { MutableNotificationContent(self) }
}

/// A file that a notification shows.
public struct NotificationAttachment: Equatable, Sendable {
    /// What it is called among the attachments of its notification.
    public let identifier: String
    /// The file, in ``ServiceContext/attachmentsFolder``.
    public let url: URL
    /// What kind of file it is, as the extension of its name, such as `png`.
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
