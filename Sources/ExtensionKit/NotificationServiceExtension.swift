public import JSON
internal import Platform
internal import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A service extension; the host creates one object for each notification.
///
/// Mirrors Apple's `UNNotificationServiceExtension`: it may change a
/// notification with `mutable-content` 1 before it is shown. Mark the class
/// `@main`.
public protocol NotificationServiceExtension: AnyObject {
    /// Creates the object that changes one notification.
    ///
    /// - Parameter context: The object's interface to the host.
    init(context: ServiceContext)

    /// Handles a notification.
    ///
    /// If the content handler is not called in time, the host ends the process
    /// and shows the original content.
    ///
    /// - Parameters:
    ///   - request: The notification.
    ///   - contentHandler: Call it once with the content to show: a changed `request.content.mutableCopy()`. It may be
    ///     called on any thread, and after this method has returned.
    /// - Throws: An ``ExtensionError`` if the content cannot be changed: the original is shown, with a diagnostic.
    func didReceive(
        _ request: NotificationRequest,
        withContentHandler contentHandler: @escaping @Sendable (MutableNotificationContent) -> Void
    ) throws

    /// Called shortly before the deadline if the content handler was not called yet: the last chance to call it.
    func serviceExtensionTimeWillExpire()
}

extension NotificationServiceExtension {
    /// Does nothing.
    public func serviceExtensionTimeWillExpire() {}
}

/// The interface of a service extension to the host; any thread may use it.
public final class ServiceContext: Sendable {
    /// The folder for attached files, which are removed with the notification.
    ///
    /// `nil` if the host was started without `--fetch-attachments`: then nothing may be fetched.
    public let attachmentsFolder: String?
    /// The locale of notifications that name none.
    public let locale: String

    private let notification: String
    private let host: HostConnection
    private let texts: Texts
    private let diagnostics = Mutex<[JSON]>([])

    /// The texts of the bundle for the locale of the notification.
    struct Texts {
        let json: JSON
        let locale: String
    }

    init(_ notification: String, _ host: HostConnection, attachmentsFolder: String?, texts: Texts) {
        self.notification = notification
        self.host = host
        self.attachmentsFolder = attachmentsFolder
        self.texts = texts
        locale = host.locale
    }

    /// A text of the bundle's table `Localizable`, as ``ExtensionContext/localizedString(forKey:_:)`` gives it.
    ///
    /// - Parameters:
    ///   - key: The text's key.
    ///   - arguments: The values for the placeholders of the text: `%@`, or `%1$@` for the first.
    /// - Returns: The text. If no text is found, the key, and the host logs a warning.
    public func localizedString(forKey key: String, _ arguments: any CustomStringConvertible...) -> String {
        host.text(forKey: key, arguments.map(\.description), in: texts.json, locale: texts.locale)
    }

    /// Writes into the host's log.
    ///
    /// - Parameters:
    ///   - level: The severity.
    ///   - message: One sentence for people.
    public func log(_ level: LogLevel, _ message: String) { host.log(level, message, about: notification) }

    /// Adds a diagnostic to the reply that the sender of the notification gets.
    ///
    /// - Parameters:
    ///   - reason: A stable word for programs.
    ///   - message: One sentence for people.
    public func addDiagnostic(reason: String, _ message: String) {
        let diagnostic: JSON = ["reason": .string(reason), "message": .string(message)]
        diagnostics.withLock { $0.append(diagnostic) }
    }

    /// The diagnostics so far, as a member of the result.
    var members: MemberList {
        ["diagnostics": JSON(nonEmpty: diagnostics.withLock { $0 })]
    }
}

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
    /// How urgent the notification is.
    public var interruptionLevel: NotificationInterruptionLevel?
    /// The relevance among the app's notifications, from 0 to 1.
    public var relevanceScore: Double?
    /// The criteria by which a focus filters notifications.
    public var filterCriteria: String?
    /// The attached files.
    public var attachments: [NotificationAttachment]
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
        badge = content.badge
        sound = content.sound
        launchImageName = content.launchImageName
        targetContentIdentifier = content.targetContentIdentifier
        interruptionLevel = content.interruptionLevel
        relevanceScore = content.relevanceScore
        filterCriteria = content.filterCriteria
        attachments = content.attachments
        userInfo = content.userInfo.json
    }

    /// The changed members of the content, as on the wire; null removes a member.
    var changes: [(String, JSON)] {
        let members: [(String, JSON)] = [
            ("title", .string(title)), ("subtitle", .string(subtitle)), ("body", .string(body)),
            ("categoryIdentifier", .string(categoryIdentifier)), ("threadIdentifier", .string(threadIdentifier)),
            ("badge", badge.map(JSON.integer) ?? .null), ("sound", sound ?? .null),
            ("launchImageName", JSON(launchImageName)), ("targetContentIdentifier", JSON(targetContentIdentifier)),
            ("interruptionLevel", JSON(interruptionLevel?.rawValue)), ("filterCriteria", JSON(filterCriteria)),
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
    /// The file; a service extension puts it into ``ServiceContext/attachmentsFolder``.
    public let url: URL
    /// The type of the file, as a file name extension such as `png`.
    public let type: String

    /// An attachment.
    public init(identifier: String, url: URL, type: String) {
        self.identifier = identifier
        self.url = url
        self.type = type
    }

    /// An attachment on the wire; nil if its URL is none.
    init?(_ json: JSON) {
        guard let url = json["url"]?.string.flatMap(URL.init) else { return nil }
        self.init(identifier: json["identifier"]?.string ?? "", url: url, type: json["type"]?.string ?? "")
    }

    var json: JSON {
        ["identifier": .string(identifier), "url": .string(url.absoluteString), "type": .string(type)]
    }
}
