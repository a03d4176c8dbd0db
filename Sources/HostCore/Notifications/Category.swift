internal import JSON
internal import JSONRPC

/// A button of a notification.
struct NotificationAction: Equatable {
    static let defaultIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
    static let dismissIdentifier = "com.apple.UNNotificationDismissActionIdentifier"
    static let knownOptions = ["authenticationRequired", "destructive", "foreground"]

    let identifier: String
    let title: String
    let options: [String]
    /// The button and placeholder of a text field, where the action takes text.
    let textInput: JSON?

    init(_ identifier: String, _ title: String, options: [String] = []) {
        self.identifier = identifier
        self.title = title
        self.options = options
        textInput = nil
    }

    /// Reads an action of a client or an extension.
    init(_ value: JSON, path: String) throws(RPCError) {
        identifier = try Members.string(value, "identifier", path: path)
        title = try Members.string(value, "title", path: path)
        options = try Members.words(value, "options", of: NotificationAction.knownOptions, path: path)
        textInput = value["textInput"]
        if let textInput, textInput.object == nil {
            throw .invalidParams(path: path + "/textInput", "textInput must be an object, it is \(textInput.typeName)")
        }
    }

    static func list(_ array: JSON.Array, path: String) throws(RPCError) -> [NotificationAction] {
        var actions: [NotificationAction] = []
        for (index, value) in array.enumerated() {
            let action = try NotificationAction(value, path: "\(path)/\(index)")
            guard !actions.contains(where: { $0.identifier == action.identifier }) else {
                throw .invalidParams(path: "\(path)/\(index)", "the action \(action.identifier) is there twice")
            }
            actions.append(action)
        }
        return actions
    }

    var json: JSON {
        var members: [(String, JSON)] = [
            ("identifier", .string(identifier)),
            ("title", .string(title)),
            ("options", JSON(options.map(JSON.string))),
        ]
        if let textInput { members.append(("textInput", textInput)) }
        return .object(JSON.Object(members))
    }
}

/// A registered category: the buttons that its notifications have.
struct NotificationCategory {
    static let knownOptions = [
        "customDismissAction", "allowInCarPlay", "hiddenPreviewsShowTitle", "hiddenPreviewsShowSubtitle",
        "allowAnnouncement",
    ]

    let identifier: String
    let actions: [NotificationAction]
    let options: [String]

    init(_ identifier: String, _ actions: [NotificationAction]) {
        self.identifier = identifier
        self.actions = actions
        options = []
    }

    init(_ value: JSON, path: String) throws(RPCError) {
        identifier = try Members.string(value, "identifier", path: path)
        switch value["actions"] {
        case nil: actions = []
        case .array(let array): actions = try NotificationAction.list(array, path: path + "/actions")
        default: throw .invalidParams(path: path + "/actions", "actions must be an array")
        }
        options = try Members.words(value, "options", of: NotificationCategory.knownOptions, path: path)
    }

    var json: JSON {
        [
            "identifier": .string(identifier),
            "actions": JSON(actions.map(\.json)),
            "options": JSON(options.map(JSON.string)),
        ]
    }

    /// The categories that Braze's SDK registers: the positive button opens the app, the other only dismisses.
    static let builtIn: [NotificationCategory] = [
        NotificationCategory("ab_cat_accept_decline", pair("accept", "Accept", "decline", "Decline")),
        NotificationCategory("ab_cat_yes_no", pair("yes", "Yes", "no", "No")),
        NotificationCategory("ab_cat_confirm_cancel", pair("confirm", "Confirm", "cancel", "Cancel")),
        NotificationCategory("ab_cat_more", [NotificationAction("ab_pb_more", "More", options: ["foreground"])]),
    ]

    private static func pair(_ yes: String, _ yesTitle: String, _ no: String, _ noTitle: String) -> [NotificationAction]
    {
        [
            NotificationAction("ab_pb_" + yes, yesTitle, options: ["foreground"]),
            NotificationAction("ab_pb_" + no, noTitle),
        ]
    }
}

/// Reads members of the objects in params.
enum Members {
    static func string(_ value: JSON, _ name: String, path: String) throws(RPCError) -> String {
        guard value.object != nil else {
            throw .invalidParams(path: path, "this must be an object, it is \(value.typeName)")
        }
        guard let text = value[name]?.string, !text.isEmpty else {
            throw .invalidParams(path: "\(path)/\(name)", "\(name) must be a non-empty string")
        }
        return text
    }

    static func words(_ value: JSON, _ name: String, of known: [String], path: String) throws(RPCError) -> [String] {
        guard let list = value[name] else { return [] }
        guard let words = list.array?.map(\.string), words.allSatisfy({ $0.map(known.contains) ?? false }) else {
            let text = "\(name) must be an array of these words: \(known.joined(separator: ", "))"
            throw .invalidParams(path: "\(path)/\(name)", text)
        }
        return words.compactMap { $0 }
    }
}
