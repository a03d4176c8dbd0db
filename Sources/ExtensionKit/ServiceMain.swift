internal import JSON
internal import JSONRPC

extension NotificationServiceExtension {
    /// Serves the host on stdin and stdout; what `@main` calls.
    public static func main() {
        ServiceMain { Self(context: $0) }.run()
    }
}

/// A service extension's process: creates an object for each notification.
///
/// `@unchecked`: only the main thread uses it; other threads pass it on in what they post to that thread.
private final class ServiceMain: @unchecked Sendable {
    /// A notification whose content handler was not called yet.
    private struct PendingNotification {
        let call: Call
        let service: any NotificationServiceExtension
        let context: ServiceContext
    }

    private let host = HostConnection()
    private let makeService: (ServiceContext) -> any NotificationServiceExtension
    private var pending: [String: PendingNotification] = [:]
    private var attachmentsFolder: String?

    init(makeService: @escaping (ServiceContext) -> any NotificationServiceExtension) {
        self.makeService = makeService
        host.add(ExtensionMethod.activate) { [unowned self] _, arguments in
            attachmentsFolder = try arguments.optionalString("attachments")
            host.texts = arguments["texts"] ?? [:]
            return try host.activate(arguments)
        }
        host.add(ExtensionMethod.didReceive) { [unowned self] in try didReceive($0, $1) }
        host.add(ExtensionMethod.serviceExtensionTimeWillExpire) { [unowned self] _, arguments in
            pending[try arguments.string("notification")]?.service.serviceExtensionTimeWillExpire()
            return [:]
        }
    }

    func run() { host.run() }

    private func didReceive(_ call: Call, _ arguments: Arguments) throws -> JSON? {
        let notification = try arguments.string("notification")
        let request = JSON.object(try arguments.object("request"))
        let locale = request["locale"]?.string.flatMap { $0.isEmpty ? nil : $0 } ?? host.locale
        let texts = ServiceContext.Texts(json: arguments["texts"] ?? host.texts, locale: locale)
        let context = ServiceContext(notification, host, attachmentsFolder: attachmentsFolder, texts: texts)
        let service = makeService(context)
        pending[notification] = PendingNotification(call: call, service: service, context: context)
        do {
            // Posted by the main thread too, since an error after the content refuses it.
            try service.didReceive(NotificationRequest(request)) { [self] content in
                host.post { [self] in deliver(notification, content) }
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
            return host.log(.warning, message)
        }
        let change = JSON.object(JSON.Object(content.changes))
        let result = JSON(present: ["content": change] + handled.context.members)
        handled.call.answer(Result.success(result).writable)
    }
}
