internal import BrazeRules
internal import Contract
internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Logging
internal import Notifications
internal import Suites

/// Lets the service extension change notifications before they are shown.
final class ContentService {
    private let configuration: HostConfiguration
    private let extensions: ExtensionService
    private let display: NotificationDisplay
    private let attachments: Attachments
    /// Where a notification waits meanwhile.
    weak var reception: ReceptionService?

    init(
        _ configuration: HostConfiguration,
        _ extensions: ExtensionService,
        _ display: NotificationDisplay,
        _ attachments: Attachments
    ) {
        self.configuration = configuration
        self.extensions = extensions
        self.display = display
        self.attachments = attachments
    }

    /// The service extension, if the payload asks for a change before it is shown.
    func service(for reception: Reception) -> ExtensionBundle? {
        guard let payload = reception.payload, payload.mutableContent == 1, payload.hasAlert else { return nil }
        return extensions.catalog.service
    }

    /// Lets the service extension change a notification before it is shown.
    func send(
        _ bundle: ExtensionBundle,
        _ reception: Reception,
        _ invocation: Invocation
    ) throws(RPCError) {
        let arrival = try display.arrival(of: invocation, reception)
        reception.arrival = arrival
        self.reception?.leave(reception, invocation)
        let notification = JSON.string(arrival.notification)
        let service = extensions.process(of: bundle)
        service.call(
            "didReceive",
            params: ["notification": notification, "request": arrival.request],
            // The call is about nothing that is lost with a process.
            outlivesProcess: true,
            timeWillExpire: {
                service.session?.notify("serviceExtensionTimeWillExpire", params: ["notification": notification])
            },
            completion: { self.take($0, of: bundle, for: invocation, reception, arrival) }
        )
    }

    /// Takes what the service extension answered; whatever that is, the notification is shown.
    private func take(
        _ result: Result<JSON, ExtensionFailure>,
        of bundle: ExtensionBundle,
        for invocation: Invocation,
        _ reception: Reception,
        _ arrival: ReceivedNotification
    ) {
        var arrival = arrival
        var (problem, cause): (String?, HostError?)
        switch result {
        case .success(let value):
            let author = bundle.identifier
            let reply = ServiceExtensionReply(
                value,
                changing: arrival.content,
                author: author,
                folder: attachments.folder,
                depth: configuration.recordLimits.depth
            )
            arrival.replaceContent(with: reply)
            (problem, cause) = (reply.voidReason, reply.voidReason.map { _ in .badExtensionReply })
        case .failure(let failure): (problem, cause) = (failure.reason.description, HostError(failure.reason))
        }
        if let problem {
            let text = "\(bundle.identifier) \(problem), so the original content is shown"
            arrival.addDiagnostic(Diagnostic("serviceFailed", text, cause: cause?.reason))
        }
        if let change = extensions.process(of: bundle).noticeChangedFiles() {
            arrival.addDiagnostic(Diagnostic("bundleChanged", change))
        }
        reception.arrival = arrival
        reception.process = extensions.process(forCategory: arrival.content.category)
        self.reception?.takeBack(reception, invocation)
        attachments.sweep()
    }
}
