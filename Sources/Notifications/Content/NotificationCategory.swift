package import JSON
package import JSONRPC

/// A registered category, which defines the buttons of its notifications.
package struct NotificationCategory {
    /// Apple's `UNNotificationCategoryOptions`.
    package static let knownOptions = [
        "customDismissAction", "allowInCarPlay", "hiddenPreviewsShowTitle", "hiddenPreviewsShowSubtitle",
        "allowAnnouncement",
    ]

    package let identifier: String
    package let actions: [OfferedAction]
    package let options: [String]
    /// Apple's further properties, which say how a locked screen and a summary look: kept, since neither is modelled.
    private let further: MemberList

    private init(_ identifier: String, _ actions: [OfferedAction]) {
        self.identifier = identifier
        self.actions = actions
        options = []
        further = [:]
    }

    /// Reads a category of a call from the value at a JSON Pointer in the request.
    ///
    /// - Throws: The error -32602, which names the invalid member.
    package init(_ value: JSON, path: String) throws(RPCError) {
        let members = try MemberReader(param: value, path: path, whole: "a category")
        identifier = try members.required("identifier", .nonEmptyString)
        actions = try OfferedAction.list(try members.objects("actions") ?? [])
        options = try members.optional("options", .words(Self.knownOptions)) ?? []
        let intents = try members.optional("intentIdentifiers", .strings)
        further = [
            "intentIdentifiers": intents.map { JSON($0.map(JSON.string)) },
            "hiddenPreviewsBodyPlaceholder": try members.optional("hiddenPreviewsBodyPlaceholder", .string)
                .map(JSON.string),
            "categorySummaryFormat": try members.optional("categorySummaryFormat", .string).map(JSON.string),
        ]
    }

    package var json: JSON {
        let members: MemberList = [
            "identifier": .string(identifier), "actions": JSON(actions.map(\.json)),
            "options": JSON(options.map(JSON.string)),
        ]
        return JSON(present: members + further)
    }

    /// The categories that Braze's SDK registers.
    ///
    /// The positive button opens the app; the other one only dismisses the notification.
    package static let builtIn: [NotificationCategory] = [
        NotificationCategory("ab_cat_accept_decline", pair("accept", "Accept", "decline", "Decline")),
        NotificationCategory("ab_cat_yes_no", pair("yes", "Yes", "no", "No")),
        NotificationCategory("ab_cat_confirm_cancel", pair("confirm", "Confirm", "cancel", "Cancel")),
        NotificationCategory("ab_cat_more", [OfferedAction("ab_pb_more", "More", options: ["foreground"])]),
    ]

    private static func pair(_ yes: String, _ yesTitle: String, _ no: String, _ noTitle: String) -> [OfferedAction] {
        [
            OfferedAction("ab_pb_" + yes, yesTitle, options: ["foreground"]),
            OfferedAction("ab_pb_" + no, noTitle),
        ]
    }
}

/// An action of a notification: a button, or one of the identifiers of the system.
package struct OfferedAction: Equatable {
    /// Apple's identifier of a tap on the notification itself.
    package static let defaultIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
    /// Apple's identifier of a dismissal.
    package static let dismissIdentifier = "com.apple.UNNotificationDismissActionIdentifier"
    /// Apple's `UNNotificationActionOptions`.
    package static let knownOptions = ["authenticationRequired", "destructive", "foreground"]

    package let identifier: String
    package let title: String
    package let options: [String]
    /// The titles of the button and the placeholder of the text field, as given; nil without text input.
    package let textInput: JSON?
    /// Apple's icon, kept as given: no client draws it.
    private let icon: JSON?
    /// The names of Apple's two kinds of icon; an icon has one of them.
    private static let iconNames = ["systemImageName", "templateImageName"]

    /// Whether it opens the app; any other action only goes to the app in the background.
    package var isForeground: Bool { options.contains("foreground") }

    init(_ identifier: String, _ title: String, options: [String] = []) {
        self.identifier = identifier
        self.title = title
        self.options = options
        textInput = nil
        icon = nil
    }

    /// Reads an action from a client or an extension.
    private init<Failure>(_ members: MemberReader<Failure>) throws(Failure) {
        identifier = try members.required("identifier", .nonEmptyString)
        title = try members.required("title", .nonEmptyString)
        options = try members.optional("options", .words(Self.knownOptions)) ?? []
        textInput = try members.optional("textInput", .object).map(JSON.object)
        icon = try members.optional(
            "icon",
            .any("an object with one text, \(Self.iconNames.joined(separator: " or "))", of: "object") { icon in
                icon.object?.count == 1 && Self.iconNames.contains { icon[$0]?.string?.isEmpty == false }
            }
        )
    }

    /// Reads actions, each of which must have a unique identifier.
    static func list<Failure>(_ readers: [MemberReader<Failure>]) throws(Failure) -> [OfferedAction] {
        var actions: [OfferedAction] = []
        for members in readers {
            let action = try OfferedAction(members)
            guard !actions.contains(where: { $0.identifier.utf8.elementsEqual(action.identifier.utf8) }) else {
                let problem = "repeats the identifier \(action.identifier) of an earlier action"
                throw members.error("\(problem); identifiers must be unique")
            }
            actions.append(action)
        }
        return actions
    }

    /// Reads the actions of a call from the array at a JSON Pointer in the request.
    ///
    /// - Throws: The error -32602, which names the invalid member.
    package static func list(_ array: JSON.Array, path: String) throws(RPCError) -> [OfferedAction] {
        let readers = try MemberReader<RPCError>.list(array) { error in
            .invalidParams(path: path + error.pointer, "\(error.name ?? "actions\(error.pointer)") \(error.problem)")
        }
        return try list(readers)
    }

    package var json: JSON {
        JSON(present: [
            "identifier": .string(identifier),
            "title": .string(title),
            "options": JSON(options.map(JSON.string)),
            "textInput": textInput,
            "icon": icon,
        ])
    }
}
