internal import Dispatch
internal import JSON
internal import JSONRPC
internal import Synchronization

extension NotificationServiceExtension {
    /// Serves the host on stdin and stdout; what `@main` calls.
    public static func main() {
        ServiceMain<Self>().run()
    }
}

/// A service extension's process: creates an object for each notification.
private final class ServiceMain<Service: NotificationServiceExtension> {
    /// A notification whose content handler was not called yet.
    private struct PendingNotification {
        let call: Call
        let service: Service
        let context: ServiceContext
    }

    private let host = HostConnection()
    private let mailbox = Mailbox<(notification: String, content: MutableNotificationContent)>()
    private var pending: [String: PendingNotification] = [:]
    private var attachmentsFolder: String?
    /// The methods; a handler returns nil if it answers later.
    private var methods = MethodTable<(Call, Arguments) throws -> JSON?>()

    init() {
        add(.activate) { [unowned self] _, arguments in
            attachmentsFolder = try arguments.optionalString("attachments")
            return try host.activate(arguments)
        }
        add(.didReceive) { [unowned self] in try didReceive($0, $1) }
        add(.serviceExtensionTimeWillExpire) { [unowned self] _, arguments in
            pending[try arguments.string("notification")]?.service.serviceExtensionTimeWillExpire()
            return [:]
        }
        add(.deactivate) { _, _ in [:] }
        host.session.onCall = { [unowned self] in answer($0) }
    }

    private func add(_ method: ExtensionMethod, _ handler: @escaping (Call, Arguments) throws -> JSON?) {
        methods.add(method.rawValue, method.parameters, handler)
    }

    func run() { host.run(mailbox) { deliver($0, $1) } }

    private func answer(_ call: Call) {
        do {
            guard let method = methods[call] else { throw RPCError.methodNotFound(call.method) }
            if let result = try method.handler(call, try method.signature.bind(call, allowsUnknown: true)) {
                call.answer(.success(result))
            }
        } catch {
            call.answer(.failure((error as? ExtensionError)?.wireError ?? RPCError(error)))
        }
    }

    private func didReceive(_ call: Call, _ arguments: Arguments) throws -> JSON? {
        let notification = try arguments.string("notification")
        let request = JSON.object(try arguments.object("request"))
        let context = ServiceContext(attachmentsFolder: attachmentsFolder, locale: host.locale)
        let service = Service(context: context)
        pending[notification] = PendingNotification(call: call, service: service, context: context)
        do {
            try service.didReceive(NotificationRequest(request, notification: notification)) { [mailbox] in
                mailbox.post((notification, $0))
            }
        } catch {
            pending[notification] = nil
            throw error
        }
        return nil
    }

    /// Replies with the content that the content handler received; only its first call counts.
    private func deliver(_ notification: String, _ content: MutableNotificationContent) {
        guard let handled = pending.removeValue(forKey: notification) else {
            let message = "the content handler for \(notification) was called after the reply; the call has no effect"
            return host.session.notify("log", params: ["level": "warning", "message": .string(message)])
        }
        let change = JSON.object(JSON.Object(content.changes))
        let result = JSON(present: ["content": change] + handled.context.members)
        handled.call.answer(Result.success(result).writable)
    }
}

/// The completion handler of one response; any thread may call it.
final class Completion: Sendable {
    private struct State {
        var option: NotificationContentExtensionResponseOption?
        var count = 0
        var isMissing = false
    }

    private let action: String
    private let state = Mutex(State())
    private let called = DispatchSemaphore(value: 0)

    /// A completion handler for the response with that action identifier.
    init(action: String) { self.action = action }

    func complete(_ option: NotificationContentExtensionResponseOption) {
        state.withLock { state in
            state.count += 1
            if state.option == nil && !state.isMissing { state.option = option }
        }
        called.signal()
    }

    /// Waits for the call and returns its option, or `doNotDismiss` if it is not called in time.
    func wait(seconds: Double) -> NotificationContentExtensionResponseOption {
        _ = called.wait(timeout: .now() + seconds)
        return state.withLock { state in
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
