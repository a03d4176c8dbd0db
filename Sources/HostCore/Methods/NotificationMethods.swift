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
        _ display: NotificationDisplay,
        _ responses: ResponseService,
        _ presenting: PresentationService,
        _ presentations: Presentations,
        _ payloadChecks: CheckService,
        _ renders: RenderService
    ) {
        let findPresentation: OrderedMethod.Preparation = { invocation throws(RPCError) in
            let presentation = try presentations.presentation(invocation.arguments)
            invocation.object = NamedPresentation(presentation, presentation.payload)
        }
        let parameters = ["payload", "identifier?", "date?", "locale?", "verticalSizeClass?", "profile?", "expand?"]
        add("didReceive", parameters, .beginPresentation, prepare: reception.prepare, drop: reception.drop) {
            invocation in
            try reception.proceed(invocation)
        }
        add("expand", ["notification"], .callPresentation, prepare: findPresentation) { invocation in
            try display.expand(invocation)
        }
        add(
            "didReceiveResponse",
            ["notification", "actionIdentifier", "userText?"],
            .callPresentation,
            prepare: findPresentation
        ) { invocation in
            try responses.didReceiveResponse(invocation)
        }
        let interaction = ["notification", "element", "value?"]
        add("interact", interaction, .callPresentation, prepare: findPresentation) { invocation in
            try presenting.interact(invocation)
        }
        for method in ["mediaPlay", "mediaPause"] {
            add(method, ["notification"], .callPresentation, prepare: findPresentation) { invocation in
                try presenting.playMedia(invocation)
            }
        }
        let passing = ["notification", "milliseconds"]
        add("advanceClock", passing, .callPresentation, prepare: findPresentation) { invocation in
            try presenting.advanceClock(invocation)
        }
        add("dismiss", ["notification"], .dismiss, prepare: findPresentation) { invocation in
            let presentation = try presentations.live(invocation)
            presenting.end(presentation, reason: "dismissed by the client")
            return .done(["dismissed": true])
        }
        add("notifications", ["notification?"], .listPresentations) { invocation in
            guard invocation.arguments["notification"] == nil else {
                return .done(["notifications": [try presentations.presentation(invocation.arguments).detailedJSON]])
            }
            return .done(["notifications": JSON(presentations.visible.map(\.summaryJSON))])
        }
        add(
            "render",
            ["notification", "format", "scheme?", "width?"],
            .readPresentation,
            prepare: findPresentation
        ) { invocation in
            .done(try renders.render(invocation))
        }
        add("checkPayload", ["payload", "locale?", "template?", "profile?"], .readBundles) { invocation in
            try payloadChecks.checkPayload(invocation)
        }
        // Free: a phone too shows a notification with the categories that are registered at that moment.
        addFree("setNotificationCategories", ["categories"]) { arguments, _, _ in
            let path = arguments.path("categories")
            var categories: [NotificationCategory] = []
            for (index, value) in try arguments.array("categories").enumerated() {
                let category = try NotificationCategory(value, path: "\(path)/\(index)")
                guard !categories.contains(where: { $0.identifier.utf8.elementsEqual(category.identifier.utf8) }) else {
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
