public import JSON

/// A notification that was received.
public struct Notification: Sendable {
    /// What was asked to be shown.
    public let request: NotificationRequest
    /// When it was received, as RFC 3339.
    public let date: String
}

/// What was asked to be shown.
public struct NotificationRequest: Sendable {
    /// The identifier that the sender gave, or one of the host's.
    public let identifier: String
    /// What is shown.
    public let content: NotificationContent
    /// The locale that the sender asked for.
    public let locale: String?
    /// How much height the view has, as `UITraitCollection.verticalSizeClass` says on a phone; `nil` if nobody said.
    public let verticalSizeClass: UserInterfaceSizeClass?

    init(_ json: JSON, notification: String) {
        identifier = json["identifier"]?.string ?? notification
        content = NotificationContent(json["content"] ?? [:])
        locale = json["locale"]?.string
        verticalSizeClass = json["verticalSizeClass"]?.string.flatMap(UserInterfaceSizeClass.init)
    }
}

/// How much room a view has in one direction.
public enum UserInterfaceSizeClass: String, Sendable {
    /// Little, as vertically on a phone held sideways.
    case compact
    /// As much as usual.
    case regular
}

/// What a notification shows.
public struct NotificationContent: Sendable {
    /// The title.
    public let title: String
    /// The subtitle.
    public let subtitle: String
    /// The text.
    public let body: String
    /// The category, by which the extension was found.
    public let categoryIdentifier: String
    /// The thread; later notifications of it join the visible one.
    public let threadIdentifier: String
    /// The URLs of the attachments.
    public let attachments: [String]
    /// The whole payload, the dashboard's key-value pairs among its members.
    public let userInfo: UserInfo
    /// The content as it came, for a copy that may be changed.
    let json: JSON

    init(_ json: JSON) {
        self.json = json
        title = json["title"]?.string ?? ""
        subtitle = json["subtitle"]?.string ?? ""
        body = json["body"]?.string ?? ""
        categoryIdentifier = json["categoryIdentifier"]?.string ?? ""
        threadIdentifier = json["threadIdentifier"]?.string ?? ""
        attachments = json["attachments"]?.array?.compactMap { $0["url"]?.string } ?? []
        userInfo = UserInfo(json: json["userInfo"]?.object ?? JSON.Object([]))
    }
}

/// A press of a button.
public struct NotificationResponse: Sendable {
    /// The action of a tap on the notification itself.
    public static let defaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
    /// The action of a swipe, which comes only if the category has `customDismissAction`.
    public static let dismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"

    /// Which button.
    public let actionIdentifier: String
    /// The text that was entered, where the button takes one.
    public let userText: String?
}

/// A touch of the view.
public struct Interaction: Sendable {
    /// The id of the node that was touched.
    public let element: String
    /// What was entered, where the node takes a value.
    public let value: JSON?
}
