internal import BrazeRules
internal import Contract
internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Logging
internal import Notifications
internal import Suites

/// Calls the service extension, which may change the content of notifications before they are shown.
final class ServiceExtensionClient {
    private let configuration: HostConfiguration
    private let extensions: ExtensionService
    private let display: NotificationDisplay
    private let attachments: Attachments
    /// Shows the notification after the extension answered.
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

    /// The service extension; nil unless the payload sets `mutable-content` and has an alert.
    func bundle(for reception: Reception) -> ExtensionBundle? {
        guard let payload = reception.payload, payload.mutableContent == 1, payload.hasAlert else { return nil }
        return extensions.catalog.service
    }

    /// Calls `didReceive` of the service extension; the notification waits for the answer.
    func callExtension(
        _ bundle: ExtensionBundle,
        _ reception: Reception,
        _ invocation: Invocation
    ) throws(RPCError) {
        let received = try display.receivedNotification(of: invocation, reception)
        reception.received = received
        self.reception?.suspend(reception, invocation)
        let notification = JSON.string(received.notification)
        let service = extensions.process(of: bundle)
        service.call(
            "didReceive",
            params: ["notification": notification, "request": received.request],
            // The call concerns no presentation, which would end with its process, so a new process can answer it.
            outlivesProcess: true,
            timeWillExpire: {
                service.session?.notify("serviceExtensionTimeWillExpire", params: ["notification": notification])
            },
            completion: { self.handleResult($0, of: bundle, for: invocation, reception, received) }
        )
    }

    /// Applies the answer of the service extension; after a failure the original content is shown.
    private func handleResult(
        _ result: Result<JSON, ExtensionFailure>,
        of bundle: ExtensionBundle,
        for invocation: Invocation,
        _ reception: Reception,
        _ received: ReceivedNotification
    ) {
        var received = received
        var (problem, cause): (String?, HostError?)
        switch result {
        case .success(let value):
            let author = bundle.identifier
            let reply = ServiceExtensionReply(
                value,
                changing: received.content,
                author: author,
                folder: attachments.folder,
                depth: configuration.recordLimits.depth
            )
            received.replaceContent(with: reply)
            (problem, cause) = (reply.voidReason, reply.voidReason.map { _ in .badExtensionReply })
        case .failure(let failure): (problem, cause) = (failure.reason.description, HostError(failure.reason))
        }
        if let problem {
            let text = "\(bundle.identifier) \(problem), so the original content is shown"
            received.addDiagnostic(Diagnostic("serviceFailed", text, cause: cause?.reason))
        }
        if let change = extensions.process(of: bundle).noticeChangedFiles() {
            received.addDiagnostic(Diagnostic("bundleChanged", change))
        }
        reception.received = received
        reception.process = extensions.process(forCategory: received.content.category)
        self.reception?.resume(reception, invocation)
        attachments.sweep()
    }
}
