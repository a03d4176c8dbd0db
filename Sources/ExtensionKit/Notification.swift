public import JSON
internal import JSONRPC

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

/// A button of the notification.
public struct NotificationAction: Equatable, Sendable {
    /// The options of a button.
    public enum Option: String, Sendable {
        /// The phone must be unlocked.
        case authenticationRequired
        /// The button is shown as destructive.
        case destructive
        /// The button opens the app.
        case foreground
    }

    /// The text input of a button, as in Apple's `UNTextInputNotificationAction`.
    public struct TextInput: Equatable, Sendable {
        /// The title of the button that sends the text.
        public let buttonTitle: String
        /// The placeholder of the empty field.
        public let placeholder: String

        /// A field.
        public init(buttonTitle: String = "", placeholder: String = "") {
            self.buttonTitle = buttonTitle
            self.placeholder = placeholder
        }
    }

    /// The identifier that the response names.
    public let identifier: String
    /// The visible title.
    public let title: String
    /// The options.
    public let options: [Option]
    /// The text input, if the button has one; the response has the text as `userText`.
    public let textInput: TextInput?

    /// A button.
    public init(identifier: String, title: String, options: [Option] = [], textInput: TextInput? = nil) {
        self.identifier = identifier
        self.title = title
        self.options = options
        self.textInput = textInput
    }

    /// Reads a button from its form on the wire; unknown options are left out.
    init(_ json: JSON) {
        identifier = json["identifier"]?.string ?? ""
        title = json["title"]?.string ?? ""
        options = json["options"]?.array?.compactMap { $0.string.flatMap(Option.init) } ?? []
        textInput = json["textInput"].map { json in
            TextInput(
                buttonTitle: json["buttonTitle"]?.string ?? "",
                placeholder: json["placeholder"]?.string ?? ""
            )
        }
    }

    var json: JSON {
        JSON(present: [
            "identifier": .string(identifier),
            "title": .string(title),
            "options": JSON(options.map { .string($0.rawValue) }),
            "textInput": textInput.map {
                ["buttonTitle": .string($0.buttonTitle), "placeholder": .string($0.placeholder)]
            },
        ])
    }
}

/// The payload's members, with methods whose errors name the key, its value and the expected type.
///
/// The dashboard sends all key-value pairs as strings, even numbers.
public struct UserInfo: Sendable {
    /// The members as received, of any type.
    public let json: JSON.Object

    /// The member of that key, of any type.
    ///
    /// - Parameter key: The key; case counts.
    public subscript(key: String) -> JSON? { json[key] }

    /// A required string; throws an error with the reason `invalidUserInfo` if it is missing or not a string.
    public func string(_ key: String) throws(ExtensionError) -> String {
        guard let value = try optionalString(key) else { throw wrong(key, "a string") }
        return value
    }

    /// A string, or `nil` if the key is absent; throws an error with the reason `invalidUserInfo` for other types.
    public func optionalString(_ key: String) throws(ExtensionError) -> String? {
        guard let value = json[key] else { return nil }
        guard let text = value.string else { throw wrong(key, "a string") }
        return text
    }

    /// The integer that a string spells; throws an error with the reason `invalidUserInfo` if it is not in the range.
    public func integer(_ key: String, in range: ClosedRange<Int> = .min ... .max) throws(ExtensionError) -> Int {
        guard let number = json[key]?.string.flatMap({ Int($0) }), range.contains(number) else {
            let bounds =
                switch (range.lowerBound, range.upperBound) {
                case (.min, .max): ""
                case (let least, .max): " of \(least) or more"
                case (let least, let most): " from \(least) to \(most)"
                }
            throw wrong(key, "a string that spells an integer" + bounds)
        }
        return number
    }

    private func wrong(_ key: String, _ needed: String) -> ExtensionError {
        let found = json[key].map { "is \($0) (\($0.typeName))" } ?? "is missing"
        return ExtensionError(
            reason: "invalidUserInfo",
            "the key-value pair \(key) must be \(needed), it \(found)",
            path: "/params/request/content/userInfo/" + JSONPointer.escape(key)
        )
    }
}
