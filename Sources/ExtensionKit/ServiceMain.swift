internal import JSON
internal import JSONRPC

extension NotificationServiceExtension {
    /// Serves the host on stdin and stdout; what `@main` calls.
    public static func main() {
        ServiceMain<Self>().run()
    }
}

/// A service extension's process: each notification is given to an object of its own.
private final class ServiceMain<Service: NotificationServiceExtension> {
    /// A notification whose content was not handed over yet.
    private struct Work {
        let call: Call
        let service: Service
        let context: ServiceContext
    }

    private let host = HostConnection()
    private let mailbox = Mailbox<(notification: String, content: MutableNotificationContent)>()
    private var works: [String: Work] = [:]
    private var attachmentsFolder: String?
    /// The methods; none gives what is answered later.
    private var methods = MethodTable<(Call, Arguments) throws -> JSON?>()

    init() {
        add(.activate) { [unowned self] _, arguments in
            attachmentsFolder = try arguments.optionalString("attachments")
            return try host.activate(arguments)
        }
        add(.didReceive) { [unowned self] in try didReceive($0, $1) }
        add(.serviceExtensionTimeWillExpire) { [unowned self] _, arguments in
            works[try arguments.string("notification")]?.service.serviceExtensionTimeWillExpire()
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
            guard let method = methods[call.method] else { throw RPCError.methodNotFound(call.method) }
            if let result = try method.handler(call, try method.signature.bind(call.params, allowsUnknown: true)) {
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
        works[notification] = Work(call: call, service: service, context: context)
        do {
            try service.didReceive(NotificationRequest(request, notification: notification)) { [mailbox] in
                mailbox.post((notification, $0))
            }
        } catch {
            works[notification] = nil
            throw error
        }
        return nil
    }

    /// Answers with what was handed over; the first content of a notification counts.
    private func deliver(_ notification: String, _ content: MutableNotificationContent) {
        guard let work = works.removeValue(forKey: notification) else {
            let message = "the content handler for \(notification) was called when that was answered; nothing changes"
            return host.session.notify("log", params: ["level": "warning", "message": .string(message)])
        }
        let change = JSON.object(JSON.Object(content.changes))
        work.call.answer(.success(.object(JSON.Object([("content", change)] + work.context.members))))
    }
}
