internal import JSON
internal import JSONRPC
internal import Synchronization

extension NotificationContentExtension {
    /// Serves the host on stdin and stdout; what `@main` calls.
    public static func main() {
        ContentMain<Self>().run()
    }
}

/// A content extension's process: passes each call of the host to the object of its presentation.
private final class ContentMain<Content: NotificationContentExtension> {
    private struct Presentation {
        let content: Content
        /// The newest notification that it shows, which a response answers.
        var notification: DeliveredNotification
        let context: ExtensionContext
        /// The completion of the last response, which the author may still call a second time by mistake.
        var completion: Completion?
    }

    private let host = HostConnection()
    private var presentations: [String: Presentation] = [:]

    init() {
        add(.activate) { [unowned self] in
            host.texts = $0["texts"] ?? [:]
            return try host.activate($0, needs: Content.contractVersion)
        }
        add(.didReceive) { [unowned self] in try didReceive($0) }
        add(.advanceClock) { [unowned self] in try host.setClock($0.string("time")) }
        add(.didDismiss) { [unowned self] in
            let ended = presentations.removeValue(forKey: try $0.string("notification"))
            (ended?.content as? any DismissalHandler)?.didDismiss()
            return [:]
        }
        if Content.self is any NotificationResponseHandler.Type {
            add(.didReceiveResponse) { [unowned self] in try didReceiveResponse($0) }
        }
        if Content.self is any InteractionHandler.Type {
            add(.interact) { [unowned self] in try interact($0) }
        }
        if Content.self is any MediaHandler.Type {
            add(.mediaPlay) { [unowned self] in try media($0) { try $0.mediaPlay() } }
            add(.mediaPause) { [unowned self] in try media($0) { try $0.mediaPause() } }
        }
    }

    private func add(_ method: ExtensionMethod, _ handler: @escaping (Arguments) throws -> JSON) {
        host.add(method) { _, arguments in try handler(arguments) }
    }

    func run() { host.run() }

    // MARK: Calls about a presentation

    private func didReceive(_ arguments: Arguments) throws -> JSON {
        let identifier = try arguments.string("notification")
        let request = JSON.object(try arguments.object("request"))
        let known = presentations[identifier]
        let context = known?.context ?? ExtensionContext(notification: identifier, host: host)
        if arguments["actions"] != nil {
            context.setOfferedActions(try arguments.array("actions").map(NotificationAction.init))
        }
        // An empty locale names none. Texts are present if they differ from those for the host's locale.
        let locale = request["locale"]?.string.flatMap { $0.isEmpty ? nil : $0 } ?? host.locale
        context.setLocale(locale, texts: arguments["texts"] ?? host.texts)
        let notification = DeliveredNotification(
            request: NotificationRequest(request),
            date: request["date"]?.string ?? ""
        )
        var presentation =
            known ?? Presentation(content: Content(context: context), notification: notification, context: context)
        presentation.notification = notification
        let result = try answer(presentation) { try $0.didReceive(notification) }
        // A refused notification is not shown, so its object is kept only now.
        presentations[identifier] = presentation
        return result
    }

    private func interact(_ arguments: Arguments) throws -> JSON {
        let interaction = Interaction(element: try arguments.string("element"), value: arguments["value"])
        return try answer(try presentation(arguments)) { try ($0 as? any InteractionHandler)?.interact(interaction) }
    }

    private func media(_ arguments: Arguments, _ body: (any MediaHandler) throws -> Void) throws -> JSON {
        try answer(try presentation(arguments)) { content in
            guard let handler = content as? any MediaHandler else { return }
            try body(handler)
        }
    }

    private func didReceiveResponse(_ arguments: Arguments) throws -> JSON {
        var presentation = try presentation(arguments)
        let response = NotificationResponse(
            notification: presentation.notification,
            actionIdentifier: try arguments.string("actionIdentifier"),
            userText: try arguments.optionalString("userText")
        )
        let completion = Completion(action: response.actionIdentifier) { [host] in host.post {} }
        var option = NotificationContentExtensionResponseOption.doNotDismiss
        var url: String?
        let earlier = presentation.completion?.removeDiagnostic()
        presentation.completion = completion
        presentations[try arguments.string("notification")] = presentation
        let changes = try answer(presentation, diagnostics: [earlier].compactMap { $0 }) { content in
            try (content as? any NotificationResponseHandler)?.didReceive(response) { completion.complete($0) }
            // Other threads may save meanwhile.
            _ = host.run(while: { !completion.isCalled }, for: Content.completionLimit)
            option = completion.end()
            url = option == .dismissAndForwardAction ? presentation.context.applicationURL : nil
        }
        let reply: MemberList = ["option": .string(option.rawValue), "url": url.map(JSON.string)]
        return JSON(present: reply + changes.members)
    }

    private func presentation(_ arguments: Arguments) throws -> Presentation {
        let identifier = try arguments.string("notification")
        guard let presentation = presentations[identifier] else {
            throw ExtensionError(reason: "unknownNotification", "the notification \(identifier) is not shown here")
        }
        return presentation
    }

    /// Runs the author's code, and undoes its changes if it throws.
    private func answer(
        _ presentation: Presentation,
        diagnostics earlier: [JSON] = [],
        _ body: (Content) throws -> Void
    ) throws -> JSON {
        let context = presentation.context
        context.beginCall()
        do {
            try body(presentation.content)
            // Read first, as the body reads the URL: both are gone once the changes are taken.
            let diagnostics =
                earlier + [presentation.completion?.removeDiagnostic()].compactMap { $0 } + context.diagnostics
            return JSON(present: try context.takeChanges() + ["diagnostics": JSON(nonEmpty: diagnostics)])
        } catch {
            context.endCall()
            throw error
        }
    }
}

/// The completion handler of one response; any thread may call it.
private final class Completion: Sendable {
    private struct State {
        var option: NotificationContentExtensionResponseOption?
        var count = 0
        var isMissing = false
    }

    private let action: String
    private let state = Mutex(State())
    private let didComplete: @Sendable () -> Void

    /// A completion handler for the response with that action identifier.
    init(action: String, didComplete: @escaping @Sendable () -> Void) {
        self.action = action
        self.didComplete = didComplete
    }

    var isCalled: Bool { state.withLock { $0.option != nil } }

    func complete(_ option: NotificationContentExtensionResponseOption) {
        state.withLock { state in
            state.count += 1
            if state.option == nil && !state.isMissing { state.option = option }
        }
        didComplete()
    }

    /// The option of the first call, or `doNotDismiss` if there was none until now.
    func end() -> NotificationContentExtensionResponseOption {
        state.withLock { state in
            state.isMissing = state.option == nil
            return state.option ?? .doNotDismiss
        }
    }

    /// A diagnostic of the author's mistakes since the last call; each mistake is reported once.
    func removeDiagnostic() -> JSON? {
        state.withLock { state in
            defer {
                state.isMissing = false
                state.count = min(state.count, 1)
            }
            if state.isMissing {
                return diagnostic("completionMissing", "was not called in time, so the notification stays")
            }
            return state.count > 1
                ? diagnostic("completionTwice", "was called \(state.count) times; the first counts") : nil
        }
    }

    private func diagnostic(_ reason: String, _ text: String) -> JSON {
        ["reason": .string(reason), "message": .string("the completion handler for \(action) \(text)")]
    }
}
