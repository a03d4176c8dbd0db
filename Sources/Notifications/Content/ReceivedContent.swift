package import Contract
package import JSON
package import JSONRPC
internal import Platform

/// The content of a notification, from its payload and the changes of a service extension.
package struct ReceivedContent {
    var title: String
    var subtitle: String
    var body: String
    /// The identifier of the category; empty if there is none.
    package var category: String
    /// The identifier of the thread; empty if there is none.
    package var thread: String
    package var attachments: [AttachedFile] = []
    /// Further members, by the names of ``ContentMember``.
    private var extras: [(name: String, value: JSON)]
    var userInfo: JSON.Object

    /// The content of a payload.
    init(_ payload: Payload) {
        title = payload.title
        subtitle = payload.subtitle
        body = payload.body
        category = payload.category
        thread = payload.thread
        extras = payload.extras
        userInfo = payload.userInfo
    }

    /// A further member; nil if it is absent.
    subscript(member: ContentMember) -> JSON? {
        get { extras.first { $0.name == member.name }?.value }
        set {
            extras.removeAll { $0.name == member.name }
            if let newValue { extras.append((member.name, newValue)) }
        }
    }

    /// Whether there is a text that a phone would show as an alert; otherwise no extension runs.
    package var hasAlert: Bool { !title.isEmpty || !subtitle.isEmpty || !body.isEmpty }

    /// The content as extensions receive it, with Apple's names.
    package var json: JSON {
        let texts: MemberList = [
            "title": .string(title), "subtitle": .string(subtitle), "body": .string(body),
            "categoryIdentifier": .string(category), "threadIdentifier": .string(thread),
            "attachments": JSON(attachments.map(\.json)),
        ]
        return JSON(present: texts + MemberList(extras.map { ($0, $1) }) + ["userInfo": .object(userInfo)])
    }

    /// The part of the content that the system itself shows, above or below an extension's view.
    package var summary: JSON {
        [
            "title": .string(title), "subtitle": .string(subtitle), "body": .string(body),
            "attachments": JSON(attachments.map(\.json)),
        ]
    }

    /// The system's own view of the notification, which a phone shows if no extension does.
    package var defaultView: JSON {
        let texts = [("title", title), ("subtitle", subtitle), ("body", body)].filter { !$0.1.isEmpty }
        let children = texts.map { id, text -> JSON in ["type": "text", "id": .string(id), "text": .string(text)] }
        return ["type": "stack", "id": "notification", "children": JSON(children)]
    }
}

/// A member of a notification's content other than its texts: its names and its allowed values.
struct ContentMember: Sendable {
    /// Its name in the content, which is Apple's.
    let name: String
    /// Its name in `aps`, or in the alert.
    let key: String
    /// Whether it is a member of the alert.
    var isOfAlert = false
    let expected: ExpectedValue<JSON>

    /// Every such member.
    static let all: [ContentMember] = [
        ContentMember(name: "badge", key: "badge", expected: .any("an integer") { $0.integer != nil }),
        ContentMember(
            name: "sound",
            key: "sound",
            expected: .any("a string or an object") { $0.string != nil || $0.object != nil }
        ),
        ContentMember(name: "launchImageName", key: "launch-image", isOfAlert: true, expected: string),
        ContentMember(name: "targetContentIdentifier", key: "target-content-id", expected: string),
        ContentMember(
            name: "interruptionLevel",
            key: "interruption-level",
            expected: .any("passive, active, time-sensitive or critical") {
                ["passive", "active", "time-sensitive", "critical"].contains($0.string)
            }
        ),
        ContentMember(
            name: "relevanceScore",
            key: "relevance-score",
            expected: .any("a number from 0 to 1") { $0.number.map { (0...1).contains($0) } ?? false }
        ),
        ContentMember(name: "filterCriteria", key: "filter-criteria", expected: string),
    ]

    private static let string = ExpectedValue<JSON>.any("a string") { $0.string != nil }
}

/// A notification that was received, with the content to show.
package struct ReceivedNotification {
    package let payload: Payload
    /// The identifier that the host assigned.
    package let notification: String
    /// The identifier that the sender assigned; the host's if the sender assigned none.
    let identifier: String
    /// The time of receipt, in milliseconds since 1970.
    let date: Int64
    package let locale: String?
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
