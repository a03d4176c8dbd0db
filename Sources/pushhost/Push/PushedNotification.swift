internal import JSON
internal import Notifications

/// What is shown of a notification now.
struct PushedNotification {
    let id: JSON
    /// The identifier of the bundle that shows it; nil if the system does.
    let bundle: String?
    let content: JSON
    private let layout: JSON
    private(set) var view: JSON
    private(set) var actions: [JSON]
    private(set) var title: String
    private(set) var media: JSON?
    /// Why it is no longer shown; nil while it is.
    private(set) var end: String?
    /// What the app would be opened with.
    private(set) var opened: String?

    /// What a reply to `didReceive` shows.
    init(_ result: JSON) {
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
    var showsContent: Bool { bundle != nil && layout["defaultContentHidden"] != true }

    /// Whether nothing is shown at all.
    var isSilent: Bool { view["type"]?.string == nil && actions.isEmpty }

    /// The node with an id.
    func node(_ id: String) -> JSON? { view.viewNodes.first { $0["id"]?.string == id } }

    /// Takes over what a reply or a notification of the host shows.
    mutating func show(_ result: JSON) {
        if let view = result["view"] { self.view = view }
        if let actions = result["actions"]?.array { self.actions = Array(actions) }
        if let title = result["title"]?.string { self.title = title }
        media = result["media"] ?? media
        guard let option = result["option"]?.string else { return }
        if option != "doNotDismiss" { end = "The notification was dismissed." }
        if result["forwarded"] == true {
            opened = result["url"]?.string.map { "The app opens \($0)." } ?? "The app opens."
        }
    }

    /// Takes note that the presentation has ended.
    mutating func finish(_ reason: String) { end = end ?? "The presentation ended: \(reason)." }

    /// What can be pressed, in the order in which it is drawn.
    var targets: [Drawing.Target] {
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
