internal import JSON

/// A notification that was received and is not shown yet.
struct Arrival {
    let payload: Payload
    /// What it will be called.
    let notification: String
    /// What its sender calls it; else the same.
    let identifier: String
    /// When it came, in milliseconds since 1970.
    let date: Int64
    let locale: String?
    /// What it shows.
    private(set) var content: NotificationContent
    /// Remarks for the author of the payload.
    private(set) var diagnostics: [Diagnostic]

    init(_ payload: Payload, notification: String, identifier: String?, date: Int64, locale: String?) {
        self.payload = payload
        self.notification = notification
        self.identifier = identifier ?? notification
        self.date = date
        self.locale = locale
        content = NotificationContent(payload)
        diagnostics = payload.diagnostics
    }

    mutating func note(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }

    /// Takes what a service extension made of it.
    mutating func change(to content: NotificationContent, _ remarks: [Diagnostic]) {
        self.content = content
        diagnostics += remarks
    }

    /// What an extension is told of it.
    var request: JSON {
        var members: [(String, JSON)] = [
            ("identifier", .string(identifier)),
            ("date", .string(Timestamp.format(date))),
            ("content", content.json),
        ]
        if let locale { members.append(("locale", .string(locale))) }
        return .object(JSON.Object(members))
    }
}
