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
    package let actions: [NotificationAction]
    package let options: [String]
    /// Apple's further properties, which say how a locked screen and a summary look: kept, since neither is modelled.
    private let further: MemberList

    private init(_ identifier: String, _ actions: [NotificationAction]) {
        self.identifier = identifier
        self.actions = actions
        options = []
        further = [:]
    }

    /// Reads a category of a call.
    ///
    /// - Parameters:
    ///   - value: The category.
    ///   - path: A JSON Pointer to it in the request.
    /// - Throws: The error -32602, which names the invalid member.
    package init(_ value: JSON, path: String) throws(RPCError) {
        let members = try MemberReader(param: value, path: path, whole: "a category")
        identifier = try members.required("identifier", .nonEmptyString)
        actions = try NotificationAction.list(try members.objects("actions") ?? [])
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
