internal import Contract
internal import ExtensionHost
internal import JSON
internal import Platform

/// One notification shown by one extension, from `didReceive` until it is gone.
final class Presentation {
    /// One notification that it shows.
    struct Entry {
        let notification: String
        let payload: Payload
        let content: NotificationContent
        /// When it came, in milliseconds since 1970.
        let date: Int64

        init(_ arrival: Arrival) {
            notification = arrival.notification
            payload = arrival.payload
            content = arrival.content
            date = arrival.date
        }
    }

    private static let diagnosticLimit = 100

    /// The notification that began it.
    let identifier: String
    /// The notifications that it shows, the newest last; later ones of its thread joined.
    private(set) var entries: [Entry]
    /// Every identifier that leads to it: of what it shows, and of what its extension is about to get.
    var names: [String]
    /// Whether its extension was asked to show it; until then it is not lost with a process.
    var isSent = false
    /// Who shows it; the system itself where no extension does.
    let process: ExtensionProcess?
    let category: NotificationCategory?
    let thread: String
    var view: View
    /// What the extension set; the category's actions count until then.
    var ownActions: [NotificationAction]?
    /// What stands in place of the notification's title, where the extension may say that.
    var title: String?
    /// The button for media, once the extension asked for one.
    var media: MediaControl?
    /// Why it is gone, once it is.
    var end: String?
    /// What went wrong without an error of its own, until it is told.
    private var diagnostics: [Diagnostic] = []

    init(
        _ first: Entry,
        process: ExtensionProcess?,
        category: NotificationCategory?,
        view: View
    ) {
        identifier = first.notification
        entries = [first]
        names = [first.notification]
        self.process = process
        self.category = category
        thread = first.content.thread
        self.view = view
    }

    /// What the newest notification says.
    var payload: Payload { newest.payload }

    /// The files that its notifications show.
    var attachments: [NotificationAttachment] { entries.flatMap(\.content.attachments) }

    private var newest: Entry {
        guard let newest = entries.last else { preconditionFailure("a presentation shows what began it") }
        return newest
    }

    /// Adds a later notification of the thread, as its extension gets it.
    func add(_ entry: Entry) { entries.append(entry) }

    /// Takes a notification back that its extension refused.
    func remove(_ notification: String) {
        entries.removeAll { $0.notification == notification && $0.notification != identifier }
    }

    /// The buttons that are offered now.
    var actions: [NotificationAction] { ownActions ?? category?.actions ?? [] }

    /// Keeps a remark for the next reply about the presentation.
    func note(_ diagnostic: Diagnostic) {
        // The log has them all; a reply has those that tell enough.
        if diagnostics.count < Presentation.diagnosticLimit { diagnostics.append(diagnostic) }
    }

    /// The remarks since they were last told.
    func takeDiagnostics() -> [Diagnostic] {
        defer { diagnostics = [] }
        return diagnostics
    }

    /// What a reply and a notification about the presentation show.
    var display: [(String, JSON)] {
        var members: [(String, JSON)] = [("view", view.json), ("actions", JSON(actions.map(\.json)))]
        if let title { members.append(("title", .string(title))) }
        if let media { members.append(("media", media.json)) }
        return members
    }

    /// How the extension's view stands beside the system's own; null where the system shows it all.
    var layout: JSON {
        guard let bundle = process?.bundle else { return .null }
        return [
            "initialContentSizeRatio": .real(bundle.initialContentSizeRatio),
            "defaultContentHidden": .bool(bundle.defaultContentHidden),
            "overridesDefaultTitle": .bool(bundle.overridesDefaultTitle),
        ]
    }

    /// Its place in a list.
    var json: JSON { .object(JSON.Object(summary)) }

    /// Its place in a list, and what it shows now.
    var whole: JSON { .object(JSON.Object(summary + display.filter { $0.0 != "title" })) }

    private var summary: [(String, JSON)] {
        [
            ("notification", .string(identifier)),
            ("notifications", JSON(entries.map { .string($0.notification) })),
            ("extension", JSON(process?.bundle.identifier)),
            ("category", .string(newest.content.category)),
            ("date", .string(Timestamp.format(newest.date))),
            ("title", .string(title ?? newest.content.title)),
        ]
    }
}
