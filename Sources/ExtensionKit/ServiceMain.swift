internal import JSON
internal import JSONRPC

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
    private var methods = CallHandlers()

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
        host.session.onCall = { [unowned self] in methods.answer($0) }
    }

    private func add(_ method: ExtensionMethod, _ handler: @escaping (Call, Arguments) throws -> JSON?) {
        methods.add(method.rawValue, method.parameters, handler)
    }

    func run() { host.run(mailbox) { deliver($0, $1) } }

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
