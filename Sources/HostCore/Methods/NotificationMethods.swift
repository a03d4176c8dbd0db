internal import ExtensionHost
internal import JSON
internal import JSONRPC

extension MethodTable<HostMethod> {
    /// The methods about notifications that a client calls.
    mutating func addNotificationMethods() {
        add("didReceive", ["payload", "identifier?", "date?", "locale?"], order: .beginning) { host, call in
            try host.didReceive(call)
        }
        add("didReceiveResponse", ["notification", "actionIdentifier", "userText?"], order: .presentation) { host, call in try host.didReceiveResponse(call) }
        add("interact", ["notification", "element", "value?"], order: .presentation) { host, call in try host.interact(call) }
        add("dismiss", ["notification"], order: .dismissal) { host, call in
            let presentation = try host.notifications.live(call)
            host.end(presentation, reason: "dismissed by the client")
            return .done(["dismissed": true])
        }
        add("notifications", order: .listing) { host, _ in
            .done(["notifications": JSON(host.notifications.visible.map(\.json))])
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

extension Host {
    // MARK: didReceive

    /// Shows a notification: in the extension of its category, else in the system's own view.
    fileprivate func didReceive(_ invocation: Invocation) throws -> HostMethod.Outcome {
        let arguments = invocation.arguments
        let date = try arguments.time("date") ?? invocation.time(self)
        let identifier = try arguments.optionalString("identifier")
        let locale = try arguments.optionalString("locale")
        guard let payload = invocation.payload else { preconditionFailure("a beginning has its payload") }
        let notification = chance.uuid()
        let process = invocation.process

        let entry = Presentation.Entry(notification: notification, payload: payload, date: date)
        let joined = process.flatMap { notifications.joinable($0, payload) }
        let presentation =
            try joined
            ?? Presentation(
                entry,
                process: process,
                category: notifications.categories.first { $0.identifier == payload.category },
                view: try View(payload.defaultView)
            )
        if joined == nil { notifications.begin(presentation) } else { notifications.join(notification, presentation) }
        for diagnostic in payload.diagnostics { presentation.note(diagnostic) }
        invocation.presentation = presentation
        let result = { [notification] in
            JSON.object(
                JSON.Object(
                    [("notification", .string(notification)), ("extension", JSON(process?.bundle.identifier))]
                        + presentation.display
                        + [("diagnostics", JSON(presentation.takeDiagnostics().map(\.json)))]
                )
            )
        }
        guard let process else {
            presentation.note(Diagnostic("noExtension", whyNoExtension(payload.category), path: "/params/payload/aps/category"))
            return .done(result())
        }
        var request: [(String, JSON)] = [
            ("identifier", .string(identifier ?? notification)),
            ("date", .string(Timestamp.format(date))),
            ("content", payload.content),
        ]
        if let locale { request.append(("locale", .string(locale))) }
        let params = [("request", JSON.object(JSON.Object(request)))]
        // What the extension saves meanwhile is about this notification's user.
        let willSend = { if joined != nil { presentation.add(entry) } }
        call(process, "didReceive", invocation, params, willSend: willSend) { outcome in
            switch outcome {
            case .success: return .success(result())
            case .failure(let error):
                // A refused notification is not shown; those that it joined are.
                if joined == nil {
                    self.end(presentation, reason: error.message)
                } else {
                    self.notifications.leave(notification, presentation, reason: error.message)
                }
                return .failure(error)
            }
        }
        return .later
    }

    /// Why the system shows a notification itself, with names that were perhaps meant.
    private func whyNoExtension(_ category: String) -> String {
        guard !category.isEmpty else { return "the payload names no category, so no extension shows it" }
        let catalog = extensions.catalog(self)
        let all = catalog.bundles.filter { $0.point == .content }.flatMap(\.categories)
        let near = Set(all.filter { EditDistance.isNear($0, category) }).sorted()
        var text = "no extension registered the category \(category)"
        if !near.isEmpty {
            text += "; did you mean \(near.joined(separator: " or "))?"
        } else {
            text += all.isEmpty ? "; there are no extensions" : "; there are \(Set(all).sorted().joined(separator: ", "))"
        }
        let problems = catalog.problems + catalog.bundles.flatMap(\.problems)
        if let problem = problems.first(where: { $0.message.contains("ExtensionCategory") }) { text += "; note \(problem)" }
        return text
    }

    // MARK: didReceiveResponse

    /// Lets the extension handle a button, or the app where the extension does not.
    fileprivate func didReceiveResponse(_ invocation: Invocation) throws -> HostMethod.Outcome {
        let arguments = invocation.arguments
        let presentation = try notifications.live(invocation)
        let identifier = try arguments.string("actionIdentifier")
        let userText = try arguments.optionalString("userText")
        try check(identifier, userText, of: presentation, arguments)
        let response = Response(presentation: presentation, action: identifier, userText: userText)

        let isDismissal = identifier == NotificationAction.dismissIdentifier
        if isDismissal, presentation.category?.options.contains("customDismissAction") != true {
            // iOS tells nobody of a dismissal that the category did not ask for.
            return .done(conclude(response, option: "dismiss", isForwarded: false))
        }
        guard let process = presentation.process else {
            return .done(conclude(response, option: isDismissal ? "dismiss" : "dismissAndForward", isForwarded: true))
        }
        var params: [(String, JSON)] = [("actionIdentifier", .string(identifier))]
        if let userText { params.append(("userText", .string(userText))) }
        call(process, "didReceiveResponse", invocation, params) { outcome in
            switch outcome {
            case .success(let value):
                let option = value["option"]?.string ?? ""
                return .success(self.conclude(response, option: option, isForwarded: option.hasPrefix("dismissAndForward")))
            case .failure(let error) where error.data?["cause"]?["code"]?.integer == -32601:
                // An extension without a response handler leaves its actions to the app.
                return .success(self.conclude(response, option: "dismissAndForward", isForwarded: true))
            case .failure(let error):
                return .failure(error)
            }
        }
        return .later
    }

    private struct Response {
        let presentation: Presentation
        let action: String
        let userText: String?
    }

    private func check(
        _ identifier: String,
        _ userText: String?,
        of presentation: Presentation,
        _ arguments: Arguments
    ) throws(RPCError) {
        let system = [NotificationAction.defaultIdentifier, NotificationAction.dismissIdentifier]
        let action = presentation.actions.first { $0.identifier == identifier }
        guard action != nil || system.contains(identifier) else {
            let offered = presentation.actions.map(\.identifier)
            throw HostError.unknownAction(
                "the action \(JSON.string(identifier)) is not offered; "
                    + (offered.isEmpty ? "no action is" : "offered: \(offered.joined(separator: ", "))"),
                path: arguments.path("actionIdentifier"),
                details: ["offered": JSON(offered.map(JSON.string))]
            )
        }
        let takesText = action?.textInput != nil
        if takesText, userText == nil {
            throw .invalidParams(path: arguments.path("userText"), "the action \(identifier) needs userText")
        }
        if !takesText, userText != nil {
            throw .invalidParams(path: arguments.path("userText"), "the action \(identifier) takes no text")
        }
    }

    /// The result of a response, after the presentation was ended where the option says so.
    private func conclude(_ response: Response, option: String, isForwarded: Bool) -> JSON {
        let presentation = response.presentation
        // Apple's name of the option; the guide's is the short one.
        let option = option == "dismissAndForwardAction" ? "dismissAndForward" : option
        var members: [(String, JSON)] = [("option", .string(option))]
        if option == "doNotDismiss" { members += presentation.display }
        members.append(("forwarded", .bool(isForwarded)))
        let diagnostics = presentation.takeDiagnostics()
        if !diagnostics.isEmpty { members.append(("diagnostics", JSON(diagnostics.map(\.json)))) }
        if isForwarded {
            openApplication(presentation, response.action, userText: response.userText)
        }
        if option != "doNotDismiss" { end(presentation, reason: "\(option) after \(response.action)") }
        return .object(JSON.Object(members))
    }

    /// Tells those who subscribed that the app gets an action.
    func openApplication(_ presentation: Presentation, _ action: String, userText: String?) {
        publish(.openApplication) {
            var members: [(String, JSON)] = [
                ("notification", .string(presentation.identifier)), ("actionIdentifier", .string(action)),
            ]
            if let userText { members.append(("userText", .string(userText))) }
            return .object(JSON.Object(members))
        }
    }

    // MARK: interact

    /// Hands a touch to the extension, where its plist lets people touch its view.
    fileprivate func interact(_ invocation: Invocation) throws -> HostMethod.Outcome {
        let arguments = invocation.arguments
        let presentation = try notifications.live(invocation)
        let element = try arguments.string("element")
        guard let process = presentation.process, process.bundle.userInteractionEnabled else {
            let who = presentation.process?.bundle.identifier
            throw HostError.interactionDisabled(
                who.map { "\($0) takes no touches: set UNNotificationExtensionUserInteractionEnabled in its Info.plist" }
                    ?? "the system's own view takes no touches",
                path: arguments.path("notification")
            )
        }
        guard presentation.view.elements.contains(element) else {
            throw HostError.unknownElement(
                "the view has no element \(JSON.string(element))",
                path: arguments.path("element")
            )
        }
        var params: [(String, JSON)] = [("element", .string(element))]
        if let value = arguments["value"] { params.append(("value", value)) }
        call(process, "interact", invocation, params) { outcome in
            outcome.map { _ in
                let diagnostics = presentation.takeDiagnostics()
                let told = diagnostics.isEmpty ? [] : [("diagnostics", JSON(diagnostics.map(\.json)))]
                return .object(JSON.Object(presentation.display + told))
            }
        }
        return .later
    }

    // MARK: Calls into extensions

    /// Calls an extension about the invocation's presentation and answers with what comes of it.
    private func call(
        _ process: ExtensionProcess,
        _ method: String,
        _ invocation: Invocation,
        _ params: [(String, JSON)],
        willSend: @escaping () -> Void = {},
        _ answer: @escaping (Result<JSON, RPCError>) -> Result<JSON, RPCError>
    ) {
        guard let presentation = invocation.presentation else { preconditionFailure("\(method) has no presentation") }
        let params = JSON.object(JSON.Object([("notification", .string(presentation.identifier))] + params))
        invocation.peer.inFlight.append(invocation)
        process.call(method, params: params, willSend: willSend) { result in
            invocation.peer.inFlight.removeAll { $0 === invocation }
            let outcome = result.flatMap { value in
                Result { try presentation.apply(value, needsOption: method == "didReceiveResponse") }
                    .map { value }
                    .mapError { ExtensionFailure(reason: .badReply("\($0)")) }
            }
            let mapped = outcome.mapError { RPCError($0, bundle: process.bundle) }
            self.finishLate(invocation.call) { answer(mapped) }
        }
    }

    /// Ends a presentation and tells its extension.
    func end(_ presentation: Presentation, reason: String) {
        guard presentation.end == nil else { return }
        notifications.end(presentation, reason: reason, host: self)
        presentation.process?.session?.notify("didDismiss", params: ["notification": .string(presentation.identifier)])
    }
}

extension Presentation {
    /// Takes what an extension's answer changes; what is absent stays.
    func apply(_ value: JSON, needsOption: Bool) throws {
        guard value.object != nil || value.isNull else { throw ReplyError(text: "the result must be an object") }
        let options = ["doNotDismiss", "dismiss", "dismissAndForward", "dismissAndForwardAction"]
        if needsOption, !options.contains(value["option"]?.string ?? "") {
            throw ReplyError(text: "option must be one of \(options.joined(separator: ", "))")
        }
        let newView = try value["view"].map { json in try Self.read(json) }
        let newActions = try value["actions"].map { json -> [NotificationAction] in
            guard let array = json.array else { throw ReplyError(text: "actions must be an array") }
            do throws(RPCError) {
                return try NotificationAction.list(array, path: "/result/actions")
            } catch {
                throw ReplyError(text: error.message)
            }
        }
        if let newView { view = newView }
        if let newActions { ownActions = newActions }
    }

    private static func read(_ json: JSON) throws(ReplyError) -> View {
        do throws(ViewError) {
            return try View(json)
        } catch {
            throw ReplyError(text: error.text)
        }
    }
}

/// Why an extension's answer is none.
struct ReplyError: Error, CustomStringConvertible {
    let text: String
    var description: String { text }
}
