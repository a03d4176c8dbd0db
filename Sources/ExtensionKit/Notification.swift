public import JSON

/// A notification that was received.
public struct Notification: Sendable {
    /// The request that was delivered.
    public let request: NotificationRequest
    /// The time of receipt in RFC 3339.
    public let date: String
}

/// A request to show a notification.
public struct NotificationRequest: Sendable {
    /// The sender's identifier, or one that the host generated if the sender gave none.
    public let identifier: String
    /// The content that is shown.
    public let content: NotificationContent
    /// The locale that the sender asked for.
    public let locale: String?
    /// The vertical size class, as `UITraitCollection.verticalSizeClass` on a phone; `nil` if it is not given.
    public let verticalSizeClass: UserInterfaceSizeClass?

    init(_ json: JSON, notification: String) {
        identifier = json["identifier"]?.string ?? notification
        content = NotificationContent(json["content"] ?? [:])
        locale = json["locale"]?.string
        verticalSizeClass = json["verticalSizeClass"]?.string.flatMap(UserInterfaceSizeClass.init)
    }
}

/// The space that a view has in one direction.
public enum UserInterfaceSizeClass: String, Sendable {
    /// Little space, such as the height of a phone in landscape.
    case compact
    /// The usual space.
    case regular
}

/// The content of a notification.
public struct NotificationContent: Sendable {
    /// The title.
    public let title: String
    /// The subtitle.
    public let subtitle: String
    /// The text.
    public let body: String
    /// The category, which selected the extension.
    public let categoryIdentifier: String
    /// The thread; later notifications of the same thread join the visible presentation.
    public let threadIdentifier: String
    /// The URLs of the attachments.
    public let attachments: [String]
    /// The whole payload, the dashboard's key-value pairs among its members.
    public let userInfo: UserInfo
    /// The content as it was received, for a mutable copy.
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
    /// The action of a swipe, which the host sends only if the category has the option `customDismissAction`.
    public static let dismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"

    /// The identifier of the button.
    public let actionIdentifier: String
    /// The text that the user entered, if the button has a text input.
    public let userText: String?
}

/// A touch of the view.
public struct Interaction: Sendable {
    /// The id of the node that was touched.
    public let element: String
    /// The value that the user entered, if the node takes one.
    public let value: JSON?
}
