internal import ExtensionHost
internal import JSON
internal import JSONRPC

extension Host {
    /// Hands a touch to the extension, where its plist lets people touch its view.
    func interact(_ invocation: Invocation) throws -> HostMethod.Outcome {
        let arguments = invocation.arguments
        let presentation = try notifications.live(invocation)
        let element = try arguments.string("element")
        guard let process = presentation.process, process.bundle.userInteractionEnabled else {
            let who = presentation.process?.bundle.identifier
            throw HostError.interactionDisabled(
                who.map {
                    "\($0) takes no touches: set UNNotificationExtensionUserInteractionEnabled in its Info.plist"
                }
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
        if let value = arguments["value"] {
            let depth = configuration.recordLimits.depth
            guard value.nests(within: depth) else {
                throw RPCError.invalidParams(path: arguments.path("value"), "value nests at most \(depth) deep")
            }
            params.append(("value", value))
        }
        call(process, "interact", invocation, params) { outcome in
            outcome.map { _ in
                let diagnostics = presentation.takeDiagnostics()
                let told = diagnostics.isEmpty ? [] : [("diagnostics", JSON(diagnostics.map(\.json)))]
                return .object(JSON.Object(presentation.display + told))
            }
        }
        return .later
    }

    /// Calls an extension about the invocation's presentation and answers with what comes of it.
    func call(
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
        let outlives = method == "didReceive" && !presentation.isSent
        process.call(method, params: params, outlivesProcess: outlives, willSend: willSend) { result in
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

    /// Ends a presentation and tells its extension, and subscribers where they know of it.
    func end(_ presentation: Presentation, reason: String, isTold: Bool = true) {
        guard presentation.end == nil else { return }
        notifications.end(presentation, reason: reason, host: self, isTold: isTold)
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
