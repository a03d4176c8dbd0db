package import Contract
package import JSON
internal import Platform

/// A notification that was received and is not yet shown.
package struct ReceivedNotification {
    package let payload: Payload
    /// The identifier that the host assigned.
    package let notification: String
    /// The identifier that the sender assigned; the host's if the sender assigned none.
    let identifier: String
    /// The time of receipt, in milliseconds since 1970.
    let date: Int64
    let locale: String?
    let verticalSizeClass: VerticalSizeClass?
    /// The content to show.
    package private(set) var content: NotificationContent
    /// Diagnostics for the author of the payload.
    package private(set) var diagnostics: [Diagnostic]

    package init(
        _ payload: Payload,
        notification: String,
        identifier: String?,
        date: Int64,
        locale: String?,
        verticalSizeClass: VerticalSizeClass?
    ) {
        self.payload = payload
        self.notification = notification
        self.identifier = identifier ?? notification
        self.date = date
        self.locale = locale
        self.verticalSizeClass = verticalSizeClass
        content = NotificationContent(payload)
        diagnostics = payload.diagnostics
    }

    /// Adds a diagnostic for the author of the payload.
    package mutating func addDiagnostic(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }

    /// Replaces the content with the one that a service extension returned.
    package mutating func replaceContent(with reply: ServiceExtensionReply) {
        content = reply.content
        diagnostics += reply.diagnostics
    }

    /// The notification as extensions receive it: Apple's `UNNotificationRequest` and the date.
    package var request: JSON {
        JSON(present: [
            "identifier": .string(identifier),
            "date": .string(Timestamp.format(date)),
            "content": content.json,
            "locale": locale.map(JSON.string),
            "verticalSizeClass": verticalSizeClass.map { .string($0.rawValue) },
        ])
    }
}
