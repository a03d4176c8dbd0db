package import JSON

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
    /// Why it is no longer shown; nil while it is.
    package private(set) var end: String?
    /// What the app does with the response; nil if it does not get it.
    package private(set) var opened: String?

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
    package var isSilent: Bool { view["type"]?.string == nil && actions.isEmpty }

    /// The node with an id.
    package func node(_ id: String) -> JSON? { view.viewNodes.first { $0["id"]?.string == id } }

    /// Takes over what a reply or a notification of the host shows.
    package mutating func show(_ result: JSON) {
        if let view = result["view"] { self.view = view }
        if let actions = result["actions"]?.array { self.actions = Array(actions) }
        if let title = result["title"]?.string { (self.title, extensionTitle) = (title, title) }
        media = result["media"] ?? media
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

    /// What can be pressed, in the order in which it is drawn.
    package var targets: [Drawing.Target] {
        guard end == nil else { return [] }
        return Self.targets(view) + actions.compactMap { $0["identifier"]?.string.map { .action($0) } }
    }

    private static func targets(_ node: JSON) -> [Drawing.Target] {
        let own = node["id"]?.string.map { [Drawing.Target.element($0)] } ?? []
        switch node["type"]?.string {
        case "button", "field": return own
        case "card": return node["matched"] == true ? [] : own
        case "carousel":
            let pages = node.childNodes
            let page = Int(clamping: node["page"]?.integer ?? 0)
            return (pages.indices.contains(page) ? targets(pages[page]) : []) + own
        default: return node.childNodes.flatMap(targets)
        }
    }
}
