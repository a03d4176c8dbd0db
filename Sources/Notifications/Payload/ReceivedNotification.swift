package import Contract
package import JSON
package import JSONRPC
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
    package private(set) var content: ReceivedContent
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
        content = ReceivedContent(payload)
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

/// A payload whose texts are templates, and the profile to render them with.
package struct PersonalizationTemplate {
    package let payload: JSON.Object
    /// The data that Braze has about the user and the message, by the names that its templates use.
    package let profile: JSON.Object

    package init(payload: JSON.Object, profile: JSON.Object) {
        self.payload = payload
        self.profile = profile
    }
}

/// The height available to a view, as in Apple's `UIUserInterfaceSizeClass`.
package enum VerticalSizeClass: String, CaseIterable, Sendable {
    /// Little height, as on a phone in landscape orientation.
    case compact
    case regular
}

extension Arguments {
    /// The size class in the call's arguments; nil if it is absent.
    package func verticalSizeClass() throws(RPCError) -> VerticalSizeClass? {
        try optional(
            "verticalSizeClass",
            ExpectedValue("compact or regular") { value in
                value.string.flatMap(VerticalSizeClass.init)
            }
        )
    }
}
