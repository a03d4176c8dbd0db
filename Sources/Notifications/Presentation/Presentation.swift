package import Contract
package import JSON
internal import Platform

/// A notification that an extension or the system shows, from `didReceive` until it ends.
///
/// Later notifications of its thread may join it. One that was only delivered is a banner, which offers nothing and of
/// which no extension knows, until it is expanded.
package final class Presentation {
    /// One of the notifications that the presentation shows.
    package struct Entry {
        package let notification: String
        package let payload: Payload
        package let content: ReceivedContent
        /// The locale that the request named; nil if it named none.
        package let locale: String?
        /// The time of receipt, in milliseconds since 1970.
        let date: Int64

        package init(_ received: ReceivedNotification) {
            notification = received.notification
            payload = received.payload
            content = received.content
            locale = received.locale
            date = received.date
        }
    }

    private static let diagnosticLimit = 100

    /// The identifier of the notification that began it.
    package let identifier: String
    /// The notifications that it shows, the newest last.
    package private(set) var entries: [Entry]
    /// The identifiers of the notifications that it shows, and of those that its extension is about to receive.
    package var identifiers: [String]
    /// Whether its extension was asked to show it; until then it does not end with the extension's process.
    package var wasSent = false
    /// What is shown when it is expanded; nil once it is.
    package var delivered: ReceivedNotification?
    /// The extension that shows it; nil if the system does.
    package let presenter: (any Presenter)?
    package let category: NotificationCategory?
    package let thread: String
    package var view: ViewTree
    /// The actions that the extension set, which replace those of the category.
    package var extensionActions: [OfferedAction]?
    /// The title that the extension set, which replaces that of the notification.
    package private(set) var title: String?
    /// The media button, if the extension asked for one.
    package var media: MediaControl?
    /// Why it ended; nil while it is shown.
    package var endReason: String?
    /// The diagnostics for the next reply about the presentation.
    private var diagnostics: [Diagnostic] = []

    package init(
        _ first: Entry,
        presenter: (any Presenter)?,
        category: NotificationCategory?,
        view: ViewTree
    ) {
        identifier = first.notification
        entries = [first]
        identifiers = [first.notification]
        self.presenter = presenter
        self.category = category
        thread = first.content.thread
        self.view = view
    }

    /// The payload of the newest notification.
    package var payload: Payload { newest.payload }

    /// The files that its notifications show.
    package var attachments: [AttachedFile] { entries.flatMap(\.content.attachments) }

    /// The notification that it received last.
    package var newest: Entry {
        guard let newest = entries.last else { preconditionFailure("a presentation shows what began it") }
        return newest
    }

    /// Adds a later notification of the thread when its extension receives it.
    package func add(_ entry: Entry) { entries.append(entry) }

    /// Removes a notification that joined; the one that began the presentation cannot be removed.
    package func remove(_ notification: String) {
        entries.removeAll { $0.notification == notification && $0.notification != identifier }
    }

    /// The actions that are offered now.
    package var actions: [OfferedAction] { delivered == nil ? extensionActions ?? category?.actions ?? [] : [] }

    /// Applies an extension's reply.
    package func apply(_ reply: ContentExtensionReply) {
        if let newView = reply.view { view = newView }
        if let newActions = reply.actions { extensionActions = newActions }
        if let change = reply.media { media = MediaControl(change, wasPlaying: media?.isPlaying ?? false) }
        if let newTitle = reply.title {
            if presenter?.overridesDefaultTitle == true {
                title = newTitle
            } else {
                let text =
                    "the extension's title is not shown: its Info.plist lacks UNNotificationExtensionOverridesDefaultTitle"
                addDiagnostic(Diagnostic("titleIgnored", text))
            }
        }
        for diagnostic in reply.diagnostics { addDiagnostic(diagnostic) }
    }

    // MARK: Diagnostics

    /// Keeps a diagnostic for the next reply about the presentation.
    package func addDiagnostic(_ diagnostic: Diagnostic) {
        // The log gets all diagnostics, a reply only the first ones.
        if diagnostics.count < Presentation.diagnosticLimit { diagnostics.append(diagnostic) }
    }

    /// Returns the diagnostics since the last call and removes them.
    package func drainDiagnostics() -> [Diagnostic] {
        defer { diagnostics = [] }
        return diagnostics
    }

    // MARK: JSON

    /// The members that describe what is shown, in a reply or in a JSON-RPC notification to the client.
    package var shownMembers: MemberList {
        [
            "view": view.json, "actions": JSON(actions.map(\.json)), "title": title.map(JSON.string),
            "media": media?.json, "expanded": delivered == nil ? nil : false,
        ]
    }

    /// The members that describe one of its notifications wholly, as the reply to `didReceive` does.
    package func members(of notification: String, _ content: ReceivedContent) -> MemberList {
        [
            "notification": .string(notification),
            "extension": JSON(presenter?.identifier),
            "content": content.summary,
            "layout": layout,
        ] + shownMembers
    }

    /// The layout of the extension's view relative to the system's own; null if no extension shows the notification.
    package var layout: JSON {
        guard let presenter else { return .null }
        return [
            "initialContentSizeRatio": .real(presenter.initialContentSizeRatio),
            "defaultContentHidden": .bool(presenter.defaultContentHidden),
            "overridesDefaultTitle": .bool(presenter.overridesDefaultTitle),
        ]
    }

    /// The presentation as an entry of a list.
    package var summaryJSON: JSON {
        JSON(present: summary + ["expanded": delivered == nil ? nil : false])
    }

    /// The presentation as an entry of a list, with what it shows now.
    package var detailedJSON: JSON { JSON(present: summary + shownMembers) }

    private var summary: MemberList {
        [
            "notification": .string(identifier),
            "notifications": JSON(entries.map { .string($0.notification) }),
            "extension": JSON(presenter?.identifier),
            "category": .string(newest.content.category),
            "date": .string(Timestamp.format(newest.date)),
            "title": .string(title ?? newest.content.title),
        ]
    }
}

/// The extension that shows a presentation: the properties that the presentation needs.
package protocol Presenter: AnyObject {
    /// The identifier of the extension's bundle.
    var identifier: String { get }
    /// `UNNotificationExtensionInitialContentSizeRatio`: height divided by width.
    var initialContentSizeRatio: Double { get }
    /// `UNNotificationExtensionDefaultContentHidden`.
    var defaultContentHidden: Bool { get }
    /// `UNNotificationExtensionOverridesDefaultTitle`.
    var overridesDefaultTitle: Bool { get }
}

/// What a client knows of a notification that a host shows.
package struct ShownNotification {
    package let id: JSON
    /// The identifier of the bundle that shows it; nil if the system does.
    package let bundle: String?
    package let content: JSON
    package let layout: JSON
    package private(set) var view: JSON
    package private(set) var actions: [JSON]
    /// The title that is shown: the notification's, unless the extension set one.
    package private(set) var title: String
    /// The title that the extension set; nil if it set none.
    package private(set) var extensionTitle: String?
    package private(set) var media: JSON?
    /// Whether its extension shows it, and not only the banner is there.
    package private(set) var isExpanded = true
    /// Why it is no longer shown; nil while it is.
    package private(set) var end: String?
    /// What the app does with the response; nil if it does not get it.
    package private(set) var opened: String?
    /// With what the app was opened, as `openApplication` says it; nil if it was not.
    package private(set) var application: JSON?

    /// What a reply to `didReceive` shows.
    package init(_ result: JSON) {
        id = result["notification"] ?? .null
        bundle = result["extension"]?.string
        content = result["content"] ?? [:]
        layout = result["layout"] ?? .null
        view = [:]
        actions = []
        title = result["content"]?["title"]?.string ?? ""
        show(result)
    }

    /// Whether the system shows title and body below the view of the extension.
    package var showsContent: Bool { bundle != nil && layout["defaultContentHidden"] != true }

    /// Whether nothing is shown at all.
    package var showsNothing: Bool { !isExpanded || view["type"]?.string == nil && actions.isEmpty }

    /// The node with an id.
    package func node(_ id: String) -> JSON? { view.viewNodes.first { $0["id"]?.string == id } }

    /// Takes over what a reply or a notification of the host shows.
    package mutating func show(_ result: JSON) {
        if let view = result["view"] { self.view = view }
        if let actions = result["actions"]?.array { self.actions = Array(actions) }
        if let title = result["title"]?.string { (self.title, extensionTitle) = (title, title) }
        media = result["media"] ?? media
        isExpanded = result["expanded"] != false
        guard let option = result["option"]?.string else { return }
        if option != "doNotDismiss" { end = "The notification was dismissed." }
        guard result["forwarded"] == true else { return }
        if result["background"] == true {
            opened = "The app handles the action in the background."
        } else {
            opened = result["url"]?.string.map { "The app opens \($0)." } ?? "The app opens."
        }
    }

    /// Takes note that the presentation has ended.
    package mutating func finish(_ reason: String) { end = end ?? "The presentation ended: \(reason)." }

    /// Takes note that the app was opened.
    package mutating func open(_ params: JSON) { application = params }

    /// What can be pressed, in the order in which it is drawn.
    package var targets: [Drawing.Target] {
        guard end == nil else { return [] }
        return Self.targets(view) + actions.compactMap { $0["identifier"]?.string.map { .action($0) } }
    }

    private static func targets(_ node: JSON) -> [Drawing.Target] {
        let own = node["id"]?.string.map { [Drawing.Target.element($0)] } ?? []
        switch node["type"]?.string {
        case "button", "field", "media": return own
        case "card": return node["matched"] == true ? [] : own
        case "carousel":
            let pages = node.childNodes
            let page = Int(clamping: node["page"]?.integer ?? 0)
            return (pages.indices.contains(page) ? targets(pages[page]) : []) + own
        default: return node.childNodes.flatMap(targets)
        }
    }
}
