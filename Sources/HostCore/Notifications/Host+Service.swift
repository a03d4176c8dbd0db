internal import BrazeRules
internal import Contract
internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Logging
internal import Notifications
internal import Suites

extension Host {
    /// The service extension, if the payload asks for a change before it is shown.
    func service(for reception: Reception) -> ExtensionBundle? {
        guard let payload = reception.payload, payload.mutability == 1, payload.hasAlert else { return nil }
        return extensions.catalog(self).service
    }

    /// Lets the service extension change a notification before it is shown.
    func sendToService(
        _ bundle: ExtensionBundle,
        _ reception: Reception,
        _ invocation: Invocation
    ) throws(RPCError) {
        let arrival = try arrival(of: invocation, reception)
        reception.arrival = arrival
        leave(reception, invocation)
        let notification = JSON.string(arrival.notification)
        let service = extensions.process(bundle, host: self)
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
        _ arrival: Arrival
    ) {
        var arrival = arrival
        var (problem, cause): (String?, HostError?)
        switch result {
        case .success(let value):
            let author = bundle.identifier
            let reply = ServiceReply(
                value,
                changing: arrival.content,
                author: author,
                folder: attachments,
                depth: configuration.recordLimits.depth
            )
            arrival.change(to: reply.content, reply.diagnostics)
            (problem, cause) = (reply.problem, reply.problem.map { _ in .badExtensionReply })
        case .failure(let failure): (problem, cause) = (failure.reason.description, HostError(failure.reason))
        }
        if let problem {
            let text = "\(bundle.identifier) \(problem), so the original content is shown"
            arrival.note(Diagnostic("serviceFailed", text, cause: cause?.reason))
        }
        if let change = extensions.process(bundle, host: self).noticeChangedFiles() {
            arrival.note(Diagnostic("bundleChanged", change))
        }
        reception.arrival = arrival
        reception.process = extensions.process(forCategory: arrival.content.category, host: self)
        takeBack(reception, invocation)
        sweepAttachments()
    }

    /// Why the service extension was not asked about a payload whose author may have wished it; a phone says nothing.
    func whyNotServed(_ payload: Payload, _ arguments: Arguments) -> Diagnostic? {
        guard let mutability = payload.mutability, mutability != 0, let service = extensions.catalog(self).service
        else { return nil }
        let text: String
        if mutability != 1 {
            text = "mutable-content must be the integer 1, it is \(mutability)"
        } else if !payload.hasAlert {
            text = "there is no alert that it could change"
        } else {
            return nil
        }
        let path = arguments.path("payload") + "/aps/mutable-content"
        return Diagnostic("serviceSkipped", "\(service.identifier) was not asked: \(text)", path: path)
    }

    // MARK: Attachments

    /// Where the service extension may leave files; nowhere without `--fetch-attachments`.
    func attachmentFolder() -> AttachmentFolder? {
        guard configuration.fetchesAttachments, attachments == nil else { return attachments }
        do throws(AttachmentProblem) {
            attachments = try AttachmentFolder()
        } catch {
            logger.error("\(error.text), so the service extension may not fetch any")
        }
        return attachments
    }

    /// Removes what a service extension left that no notification shows, or will show.
    ///
    /// To be called when it is done with a call, while it works on no other one.
    private func sweepAttachments() {
        guard let attachments else { return }
        // A cancelled call is shown only if it was begun before.
        let coming = clients.flatMap { $0.calls.waiting.filter { !$0.isDropped } + $0.calls.running }
            .compactMap { ($0 as? Invocation)?.reception?.arrival }.flatMap(\.content.attachments)
        attachments.sweep(keeping: coming + notifications.visible.flatMap(\.attachments))
    }
}
