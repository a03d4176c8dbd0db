internal import BrazeRules
internal import Contract
internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Logging
internal import Notifications
internal import Suites

extension Host {
    /// Sends a notification to the extension that may change it before it is shown, if there is one: to the one that
    /// renders its template, and then to the service extension, as its payload asks for that.
    ///
    /// The call waits at its place among the others until the extension is done with it; only then is it known what
    /// the call touches.
    ///
    /// - Returns: Whether the notification went there.
    /// - Throws: Why it cannot be shown.
    func sendAhead(_ invocation: Invocation) throws(RPCError) -> Bool {
        guard case .beginning = invocation.order, invocation.arrival == nil else { return false }
        guard let template = invocation.template, invocation.payload == nil else {
            return try sendToService(invocation)
        }
        try sendToPersonalization(template, invocation)
        return true
    }

    /// Notes that another extension may still change what a notification is.
    func leaveUndecided(_ invocation: Invocation) {
        invocation.undecidedSuites = extensions.catalog(self).bundles
            .filter { $0.point == .content }
            .flatMap { $0.applicationGroups.compactMap(SuiteName.init) }
        if !invocation.isWaiting { wait(invocation) }
    }

    /// Lets the service extension change a notification before it is shown, if its payload asks for that.
    ///
    /// - Returns: Whether the notification went there.
    private func sendToService(_ invocation: Invocation) throws(RPCError) -> Bool {
        guard let payload = invocation.payload, payload.mutableContent == 1,
            let bundle = extensions.catalog(self).service,
            payload.hasAlert
        else { return false }
        let arrival = try arrival(of: invocation)
        invocation.arrival = arrival
        leaveUndecided(invocation)
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
            completion: { self.take($0, of: bundle, for: invocation, arrival) }
        )
        return true
    }

    /// Takes what the service extension answered; whatever that is, the notification is shown.
    private func take(
        _ result: Result<JSON, ExtensionFailure>,
        of bundle: ExtensionBundle,
        for invocation: Invocation,
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
                folder: attachments,
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
        if let change = extensions.process(bundle, host: self).noticeChangedFiles() {
            arrival.addDiagnostic(Diagnostic("bundleChanged", change))
        }
        invocation.undecidedSuites = nil
        invocation.arrival = arrival
        invocation.process = extensions.process(forCategory: arrival.content.category, host: self)
        sweepAttachments()
    }

    /// Why the service extension was not asked about a payload whose author may have wished it; a phone says nothing.
    func whyNotServed(_ payload: Payload, _ arguments: Arguments) -> Diagnostic? {
        guard let mutability = payload.mutableContent, mutability != 0, let service = extensions.catalog(self).service
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
        do throws(AttachmentError) {
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
        let coming = clients.flatMap { $0.waiting.filter { !$0.call.isAnswered } + $0.inFlight }
            .compactMap(\.arrival).flatMap(\.content.attachments)
        attachments.removeAll(except: coming + notifications.visible.flatMap(\.attachments))
    }
}
