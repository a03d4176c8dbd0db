import JSON
import NotificationHTML
import Notifications

extension ShownNotification {
    /// What an extension shows.
    static func sample(
        view: JSON = ["type": "stack", "children": []],
        actions: JSON = [],
        content: JSON = ["title": "Title", "subtitle": "", "body": "Body", "attachments": []],
        layout: JSON = ["initialContentSizeRatio": 0.5, "defaultContentHidden": false, "overridesDefaultTitle": true],
        title: JSON? = nil,
        media: JSON? = nil
    ) -> ShownNotification {
        var members: [(String, JSON)] = [
            ("notification", "id"), ("extension", "com.example.game"), ("content", content), ("layout", layout),
            ("view", view), ("actions", actions),
        ]
        if let title { members.append(("title", title)) }
        if let media { members.append(("media", media)) }
        return ShownNotification(.object(JSON.Object(members)))
    }

    /// A view of one node.
    static func node(_ node: JSON) -> ShownNotification { sample(view: ["type": "stack", "children": JSON([node])]) }
}

extension HTMLRenderer {
    /// A renderer with changed settings.
    init(_ change: (inout Settings) -> Void) {
        var settings = Settings()
        change(&settings)
        self.init(settings)
    }

    /// Only what is seen once it is expanded.
    static var expanded: HTMLRenderer { HTMLRenderer { $0.parts = [.expanded] } }
    static var interactive: HTMLRenderer { HTMLRenderer { ($0.parts, $0.isInteractive) = ([.expanded], true) } }
}
