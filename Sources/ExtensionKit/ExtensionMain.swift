internal import Foundation
internal import JSON
internal import JSONRPC

extension NotificationContentExtension {
    /// Serves the host on stdin and stdout; what `@main` calls.
    public static func main() {
        ExtensionMain<Self>().run()
    }
}

/// What the host calls on an extension, as the contract has it.
enum ExtensionMethod: String, CaseIterable {
    case activate
    case didReceive
    case didReceiveResponse
    case interact
    case didDismiss
    case deactivate

    /// The contract's version that this kit speaks.
    static let contractVersion = "1.0"

    /// The parameters in positional order; a name that ends in `?` is optional.
    var parameters: [String] {
        switch self {
        case .activate: ["version", "bundle", "locale", "clock?", "seed?", "suites"]
        case .didReceive: ["notification", "request"]
        case .didReceiveResponse: ["notification", "actionIdentifier", "userText?"]
        case .interact: ["notification", "element", "value?"]
        case .didDismiss: ["notification"]
        case .deactivate: []
        }
    }
}

/// An extension's process: the host's calls, each given to the object of its presentation.
private final class ExtensionMain<Content: NotificationContentExtension> {
    /// How long a response's completion is awaited after the handler returned, in seconds.
    private let completionLimit = 5.0

    private let host = HostConnection()
    private var presentations: [String: (content: Content, context: ExtensionContext)] = [:]
    private var methods = MethodTable<(Arguments) throws -> JSON>()

    init() {
        add(.activate) { [unowned self] in
            if let seed = $0["seed"]?.integer { host.seed = UInt64(bitPattern: seed) }
            if let clock = try $0.optionalString("clock") { host.fixClock(clock) }
            host.locale = try $0.string("locale")
            return ["version": .string(ExtensionMethod.contractVersion)]
        }
        add(.didReceive) { [unowned self] in try didReceive($0) }
        add(.didDismiss) { [unowned self] in
            presentations[try $0.string("notification")] = nil
            return [:]
        }
        add(.deactivate) { _ in [:] }
        if Content.self is any NotificationResponseHandler.Type {
            add(.didReceiveResponse) { [unowned self] in try didReceiveResponse($0) }
        }
        if Content.self is any InteractionHandler.Type {
            add(.interact) { [unowned self] in try interact($0) }
        }
        host.session.onCall = { [unowned self] in answer($0) }
    }

    private func add(_ method: ExtensionMethod, _ handler: @escaping (Arguments) throws -> JSON) {
        methods.add(method.rawValue, method.parameters, handler)
    }

    func run() { host.run() }

    private func answer(_ call: Call) {
        do {
            guard let method = methods[call.method] else { throw RPCError.methodNotFound(call.method) }
            call.answer(.success(try method.handler(try method.signature.bind(call.params))))
        } catch {
            call.answer(.failure((error as? ExtensionError)?.wireError ?? RPCError(error)))
        }
    }

    // MARK: Calls about a presentation

    private func didReceive(_ arguments: Arguments) throws -> JSON {
        let identifier = try arguments.string("notification")
        let request = JSON.object(try arguments.object("request"))
        let known = presentations[identifier]
        let context = known?.context ?? ExtensionContext(notification: identifier, host: host)
        context.locale = request["locale"]?.string ?? host.locale
        let content = known?.content ?? Content(context: context)
        let notification = Notification(
            request: NotificationRequest(
                identifier: request["identifier"]?.string ?? identifier,
                content: NotificationContent(request["content"] ?? [:]),
                locale: request["locale"]?.string
            ),
            date: request["date"]?.string ?? ""
        )
        let result = try answer(context) { try content.didReceive(notification) }
        // A notification that was refused is not shown, so its object goes.
        presentations[identifier] = (content, context)
        return result
    }

    private func interact(_ arguments: Arguments) throws -> JSON {
        let (content, context) = try presentation(arguments)
        let interaction = Interaction(element: try arguments.string("element"), value: arguments["value"])
        return try answer(context) { try (content as? any InteractionHandler)?.interact(interaction) }
    }

    private func didReceiveResponse(_ arguments: Arguments) throws -> JSON {
        let (content, context) = try presentation(arguments)
        let response = NotificationResponse(
            actionIdentifier: try arguments.string("actionIdentifier"),
            userText: try arguments.optionalString("userText")
        )
        let completion = Completion()
        let changes = try answer(context) {
            try (content as? any NotificationResponseHandler)?.didReceive(response) { completion.complete($0) }
        }
        let option = completion.wait(seconds: completionLimit)
        if option == nil { warn("the completion handler for \(response.actionIdentifier) was never called") }
        if completion.calls > 1 { warn("the completion handler for \(response.actionIdentifier) was called twice") }
        let members = changes.object?.map { ($0.name, $0.value) } ?? []
        return .object(JSON.Object([("option", .string((option ?? .doNotDismiss).rawValue))] + members))
    }

    private func presentation(_ arguments: Arguments) throws -> (content: Content, context: ExtensionContext) {
        let identifier = try arguments.string("notification")
        guard let presentation = presentations[identifier] else {
            throw ExtensionError(reason: "unknownNotification", "the notification \(identifier) is not shown here")
        }
        return presentation
    }

    /// Runs the author's code; what it showed before it threw is forgotten.
    private func answer(_ context: ExtensionContext, _ body: () throws -> Void) throws -> JSON {
        do {
            try body()
        } catch {
            context.forgetChanges()
            throw error
        }
        return .object(JSON.Object(context.takeChanges()))
    }

    private func warn(_ message: String) {
        host.session.notify("log", params: ["level": "warning", "message": .string(message)])
    }
}

/// The one completion of a response, which may come from any thread.
private final class Completion: @unchecked Sendable {
    // Guarded by the condition.
    private let condition = NSCondition()
    private var option: NotificationContentExtensionResponseOption?
    private var count = 0

    var calls: Int { condition.withLock { count } }

    func complete(_ option: NotificationContentExtensionResponseOption) {
        condition.withLock {
            count += 1
            if count == 1 { self.option = option }
            condition.signal()
        }
    }

    func wait(seconds: Double) -> NotificationContentExtensionResponseOption? {
        let end = Date().addingTimeInterval(seconds)
        return condition.withLock {
            while option == nil && condition.wait(until: end) {}
            return option
        }
    }
}
