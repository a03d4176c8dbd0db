internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Notifications

extension MethodTable<HostMethod> {
    /// The methods about notifications that a client calls.
    mutating func addNotificationMethods() {
        let parameters = ["payload", "identifier?", "date?", "locale?", "verticalSizeClass?", "profile?"]
        add("didReceive", parameters, order: .beginning) { host, call in try host.didReceive(call) }
        add("didReceiveResponse", ["notification", "actionIdentifier", "userText?"], order: .presentation) {
            host,
            call in try host.didReceiveResponse(call)
        }
        add("interact", ["notification", "element", "value?"], order: .presentation) { host, call in
            try host.interact(call)
        }
        for method in ["mediaPlay", "mediaPause"] {
            add(method, ["notification"], order: .presentation) { host, call in try host.playMedia(call) }
        }
        add("dismiss", ["notification"], order: .dismissal) { host, call in
            let presentation = try host.notifications.live(call)
            host.end(presentation, reason: "dismissed by the client")
            return .done(["dismissed": true])
        }
        add("notifications", ["notification?"], order: .listing) { host, call in
            guard call.arguments["notification"] == nil else {
                return .done(["notifications": [try host.notifications.presentation(call.arguments).detailedJSON]])
            }
            return .done(["notifications": JSON(host.notifications.visible.map(\.summaryJSON))])
        }
        addFree("setNotificationCategories", ["categories"]) { host, call in
            let path = call.arguments.path("categories")
            var categories: [NotificationCategory] = []
            for (index, value) in try call.arguments.array("categories").enumerated() {
                let category = try NotificationCategory(value, path: "\(path)/\(index)")
                guard !categories.contains(where: { $0.identifier == category.identifier }) else {
                    throw RPCError.invalidParams(path: "\(path)/\(index)", "\(category.identifier) is there twice")
                }
                categories.append(category)
            }
            host.notifications.registered = categories
            return .done(["categories": JSON(host.notifications.categories.map(\.json))])
        }
        addFree("getNotificationCategories") { host, _ in
            .done(["categories": JSON(host.notifications.categories.map(\.json))])
        }
    }
}
