internal import Calls
internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Notifications
internal import Presenting

extension MethodTable<HostMethod> {
    /// Adds the methods that a client calls about notifications.
    mutating func addNotificationMethods(
        _ reception: ReceptionService,
        _ responses: ResponseService,
        _ presenting: PresentationService,
        _ presentations: Presentations,
        _ checks: CheckService,
        _ renders: RenderService
    ) {
        let findPresentation: OrderedMethod.Preparation = { call throws(RPCError) in
            let presentation = try presentations.presentation(call.arguments)
            call.object = NamedPresentation(presentation, presentation.payload)
        }
        let parameters = ["payload", "identifier?", "date?", "locale?", "verticalSizeClass?", "profile?"]
        add("didReceive", parameters, .beginPresentation, prepare: reception.prepare, drop: reception.drop) { call in
            try reception.receive(call)
        }
        add(
            "didReceiveResponse",
            ["notification", "actionIdentifier", "userText?"],
            .callPresentation,
            prepare: findPresentation
        ) { call in
            try responses.didReceiveResponse(call)
        }
        let interaction = ["notification", "element", "value?"]
        add("interact", interaction, .callPresentation, prepare: findPresentation) { call in
            try presenting.interact(call)
        }
        for method in ["mediaPlay", "mediaPause"] {
            add(method, ["notification"], .callPresentation, prepare: findPresentation) { call in
                try presenting.playMedia(call)
            }
        }
        add("dismiss", ["notification"], .dismiss, prepare: findPresentation) { call in
            let presentation = try presentations.live(call)
            presenting.end(presentation, reason: "dismissed by the client")
            return .done(["dismissed": true])
        }
        add("notifications", ["notification?"], .listPresentations) { call in
            guard call.arguments["notification"] == nil else {
                return .done(["notifications": [try presentations.presentation(call.arguments).detailedJSON]])
            }
            return .done(["notifications": JSON(presentations.visible.map(\.summaryJSON))])
        }
        add(
            "render",
            ["notification", "format", "scheme?"],
            .readPresentation,
            prepare: findPresentation
        ) { call in
            .done(try renders.render(call))
        }
        add("checkPayload", ["payload", "locale?", "template?", "profile?"], .readBundles) { call in
            try checks.checkPayload(call)
        }
        addFree("setNotificationCategories", ["categories"]) { arguments, _, _ in
            let path = arguments.path("categories")
            var categories: [NotificationCategory] = []
            for (index, value) in try arguments.array("categories").enumerated() {
                let category = try NotificationCategory(value, path: "\(path)/\(index)")
                guard !categories.contains(where: { $0.identifier == category.identifier }) else {
                    throw RPCError.invalidParams(path: "\(path)/\(index)", "\(category.identifier) is there twice")
                }
                categories.append(category)
            }
            presentations.registered = categories
            return ["categories": JSON(presentations.categories.map(\.json))]
        }
        addFree("getNotificationCategories") { _, _, _ in
            ["categories": JSON(presentations.categories.map(\.json))]
        }
    }
}
