internal import ExtensionHost
internal import JSON

/// One notification shown by one extension, from `didReceive` until it is gone.
final class Presentation {
    /// The notification that began it.
    let identifier: String
    /// Every notification that it shows; later ones of its thread joined.
    var notifications: [String]
    /// Who shows it; the system itself where no extension does.
    let process: ExtensionProcess?
    let category: NotificationCategory?
    let thread: String
    /// What the newest notification says.
    var payload: Payload
    /// When the newest notification came, in milliseconds since 1970.
    var date: Int64
    var view: View
    /// What the extension set; the category's actions count until then.
    var ownActions: [NotificationAction]?
    /// Why it is gone, once it is.
    var end: String?
    /// What went wrong without an error of its own, until it is told.
    private var diagnostics: [Diagnostic] = []

    init(
        identifier: String,
        process: ExtensionProcess?,
        category: NotificationCategory?,
        payload: Payload,
        view: View,
        date: Int64
    ) {
        self.identifier = identifier
        notifications = [identifier]
        self.process = process
        self.category = category
        self.payload = payload
        thread = payload.thread
        self.view = view
        self.date = date
    }

    /// The buttons that are offered now.
    var actions: [NotificationAction] { ownActions ?? category?.actions ?? [] }

    /// Keeps a remark for the next reply about the presentation.
    func note(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }

    /// The remarks since they were last told.
    func takeDiagnostics() -> [Diagnostic] {
        defer { diagnostics = [] }
        return diagnostics
    }

    /// What a reply and a notification about the presentation show.
    var display: [(String, JSON)] {
        [("view", view.json), ("actions", JSON(actions.map(\.json)))]
    }

    /// The notification's place in a list.
    var json: JSON {
        [
            "notification": .string(identifier),
            "notifications": JSON(notifications.map(JSON.string)),
            "extension": JSON(process?.bundle.identifier),
            "category": .string(payload.category),
            "date": .string(Timestamp.format(date)),
            "title": .string(payload.title),
        ]
    }
}
