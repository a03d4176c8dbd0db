public import JSON

/// A content extension, as its author writes it: one object a presentation.
///
/// Mirrors Apple's `UNNotificationContentExtension`, so that code moves between
/// a phone and here with few edits. Mark the class `@main`.
public protocol NotificationContentExtension: AnyObject {
    /// Makes the object that shows one notification, and later ones of its thread.
    ///
    /// - Parameter context: What the object shows and saves through.
    init(context: ExtensionContext)

    /// Takes a notification; called again for a later one of the same thread.
    ///
    /// - Parameter notification: What was received.
    /// - Throws: An ``ExtensionError`` refuses the notification: it is not shown.
    func didReceive(_ notification: Notification) throws
}

/// A content extension that handles the buttons of its notifications itself.
///
/// Without it every button goes to the app.
public protocol NotificationResponseHandler: NotificationContentExtension {
    /// Takes a press of a button.
    ///
    /// - Parameters:
    ///   - response: Which button, and the text where it takes one.
    ///   - completion: To be called exactly once, on any thread, with what becomes of the notification.
    /// - Throws: An ``ExtensionError`` refuses the press; the notification stays.
    func didReceive(
        _ response: NotificationResponse,
        completionHandler completion: @escaping @Sendable (NotificationContentExtensionResponseOption) -> Void
    ) throws
}

/// A content extension whose view people may touch.
///
/// Its `Info.plist` must set `UNNotificationExtensionUserInteractionEnabled`.
public protocol InteractionHandler: NotificationContentExtension {
    /// Takes a touch of an element of the view.
    ///
    /// - Parameter interaction: Which element, and the value where it has one.
    /// - Throws: An ``ExtensionError`` refuses the touch; the view stays as it was.
    func interact(_ interaction: Interaction) throws
}

/// What becomes of a notification after a response.
public enum NotificationContentExtensionResponseOption: String, Sendable {
    /// It stays.
    case doNotDismiss
    /// It goes.
    case dismiss
    /// It goes, and the app is opened with the action.
    case dismissAndForwardAction
}

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

/// A button of the notification.
public struct NotificationAction: Equatable, Sendable {
    /// What a button does besides being pressed.
    public enum Option: String, Sendable {
        /// Needs an unlocked phone.
        case authenticationRequired
        /// Is shown as something that destroys.
        case destructive
        /// Opens the app.
        case foreground
    }

    /// What the response will name.
    public let identifier: String
    /// What people read.
    public let title: String
    /// What it does besides.
    public let options: [Option]

    /// A button.
    public init(identifier: String, title: String, options: [Option] = []) {
        self.identifier = identifier
        self.title = title
        self.options = options
    }

    var json: JSON {
        [
            "identifier": .string(identifier),
            "title": .string(title),
            "options": JSON(options.map { .string($0.rawValue) }),
        ]
    }
}
