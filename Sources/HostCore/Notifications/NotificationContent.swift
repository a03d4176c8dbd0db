internal import JSON

/// What a notification shows: what its payload says, changed by a service extension where one was asked.
struct NotificationContent {
    var title: String
    var subtitle: String
    var body: String
    var category: String
    var thread: String
    var attachments: [NotificationAttachment] = []
    /// Further members, by the names of ``ContentMember``.
    private var extras: [(name: String, value: JSON)]
    var userInfo: JSON.Object

    /// What a payload says.
    init(_ payload: Payload) {
        title = payload.title
        subtitle = payload.subtitle
        body = payload.body
        category = payload.category
        thread = payload.thread
        extras = payload.extras
        userInfo = payload.userInfo
    }

    /// A further member; `nil` where there is none.
    subscript(member: ContentMember) -> JSON? {
        get { extras.first { $0.name == member.name }?.value }
        set {
            extras.removeAll { $0.name == member.name }
            if let newValue { extras.append((member.name, newValue)) }
        }
    }

    /// Whether there is a text that a phone would show as an alert; without one no extension runs.
    var hasAlert: Bool { !title.isEmpty || !subtitle.isEmpty || !body.isEmpty }

    /// The content as an extension gets it, with Apple's names.
    var json: JSON {
        let members: [(String, JSON)] = [
            ("title", .string(title)),
            ("subtitle", .string(subtitle)),
            ("body", .string(body)),
            ("categoryIdentifier", .string(category)),
            ("threadIdentifier", .string(thread)),
            ("attachments", JSON(attachments.map(\.json))),
        ]
        return .object(JSON.Object(members + extras.map { ($0, $1) } + [("userInfo", .object(userInfo))]))
    }

    /// What the system itself shows of the notification, above or below an extension's view.
    var summary: JSON {
        [
            "title": .string(title), "subtitle": .string(subtitle), "body": .string(body),
            "attachments": JSON(attachments.map(\.json)),
        ]
    }

    /// The system's own view of the notification, which a phone shows where no extension does.
    var defaultView: JSON {
        let texts = [("title", title), ("subtitle", subtitle), ("body", body)].filter { !$0.1.isEmpty }
        let children = texts.map { id, text -> JSON in ["type": "text", "id": .string(id), "text": .string(text)] }
        return ["type": "stack", "id": "notification", "children": JSON(children)]
    }
}

/// A file that a notification shows.
struct NotificationAttachment: Equatable {
    let identifier: String
    /// Where the file is, links resolved.
    let path: String
    /// What kind of file it is, as the extension of its name, such as `png`.
    let type: String

    var json: JSON {
        ["identifier": .string(identifier), "url": .string(FileURL.text(path)), "type": .string(type)]
    }
}

/// A member of a content besides its texts: its names, and which values it takes.
struct ContentMember: Sendable {
    /// Its name in a content, which is Apple's.
    let name: String
    /// Its name in `aps`, or in the alert.
    let key: String
    var isOfAlert = false
    /// The values in words.
    let needed: String
    let takes: @Sendable (JSON) -> Bool

    /// Every such member.
    static let all: [ContentMember] = [
        ContentMember(name: "badge", key: "badge", needed: "an integer") { $0.integer != nil },
        ContentMember(name: "sound", key: "sound", needed: "a string or an object") {
            $0.string != nil || $0.object != nil
        },
        ContentMember(name: "launchImageName", key: "launch-image", isOfAlert: true, needed: "a string") {
            $0.string != nil
        },
        ContentMember(name: "targetContentIdentifier", key: "target-content-id", needed: "a string") {
            $0.string != nil
        },
        ContentMember(
            name: "interruptionLevel",
            key: "interruption-level",
            needed: "passive, active, time-sensitive or critical"
        ) { ["passive", "active", "time-sensitive", "critical"].contains($0.string) },
        ContentMember(name: "relevanceScore", key: "relevance-score", needed: "a number from 0 to 1") {
            $0.number.map { (0...1).contains($0) } ?? false
        },
        ContentMember(name: "filterCriteria", key: "filter-criteria", needed: "a string") { $0.string != nil },
    ]
}
