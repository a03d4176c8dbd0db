internal import BrazeRules
internal import Contract
internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Notifications
internal import Platform

extension Arguments {
    /// The template that a call brings, if it names a profile to render it with.
    func template(_ host: Host) throws(RPCError) -> PersonalizationTemplate? {
        guard let profile = try optionalObject("profile") else { return nil }
        let payload = try object("payload")
        let depth = host.configuration.recordLimits.depth
        guard JSON.object(payload).nests(within: depth) else {
            throw HostError.invalidPayload("the payload nests at most \(depth) deep", path: path("payload"))
        }
        guard JSON.object(profile).nests(within: depth) else {
            throw RPCError.invalidParams(path: path("profile"), "the profile nests at most \(depth) deep")
        }
        return PersonalizationTemplate(payload: payload, profile: profile)
    }
}

extension Host {
    /// Has a payload rendered before anything else reads it.
    ///
    /// - Throws: `noPersonalization`, or what is wrong with the other params.
    func sendToPersonalization(_ template: PersonalizationTemplate, _ invocation: Invocation) throws(RPCError) {
        let arguments = invocation.arguments
        guard let bundle = extensions.catalog(self).personalization else {
            throw HostError.noPersonalization(
                "there is a profile, and no extension that renders templates: add one such as plugins/liquid "
                    + "with --plugins, or leave the profile out",
                path: arguments.path("profile")
            )
        }
        let date = try arguments.time("date") ?? invocation.time(self)
        // What is wrong with the call is told before anything is rendered.
        _ = try (arguments.optionalString("identifier"), arguments.verticalSizeClass())
        let params: JSON = [
            "payload": .object(template.payload),
            "profile": .object(template.profile),
            "locale": .string(try arguments.locale() ?? configuration.locale),
            "date": .string(Timestamp.format(date)),
        ]
        leaveUndecided(invocation)
        extensions.process(bundle, host: self).call(
            "personalize",
            params: params,
            // The call is about nothing that is lost with a process.
            outlivesProcess: true,
            completion: { self.take($0, of: bundle, for: invocation) }
        )
    }

    /// Takes what became of a template; without a payload nothing is shown.
    private func take(
        _ result: Result<JSON, ExtensionFailure>,
        of bundle: ExtensionBundle,
        for invocation: Invocation
    ) {
        guard !invocation.call.isAnswered else { return }
        do throws(RPCError) {
            let reply: PersonalizationReply
            switch result {
            case .success(let value): reply = try personalization(value, of: bundle, invocation.arguments)
            case .failure(let failure): throw RPCError(failure, bundle: bundle, invocation.arguments)
            }
            var remarks = reply.diagnostics
            if let change = extensions.process(bundle, host: self).noticeChangedFiles() {
                remarks.append(Diagnostic("bundleChanged", change))
            }
            try notifications.read(reply.payload, remarks: remarks, invocation, host: self)
            invocation.undecidedSuites = nil
            // Behind a reload it is judged when that is done.
            if !invocation.peer.isReloading { _ = try sendAhead(invocation) }
        } catch {
            finish(invocation, .failure(error))
        }
    }

    /// Judges an answer: a payload, or the wish that nothing is sent.
    private func personalization(
        _ value: JSON,
        of bundle: ExtensionBundle,
        _ arguments: Arguments
    ) throws(RPCError) -> PersonalizationReply {
        let reply: PersonalizationReply
        do throws(ReplyError) {
            reply = try PersonalizationReply(value, place: arguments.place)
        } catch {
            throw RPCError(ExtensionFailure(reason: .badReply(error.text), wasSent: true), bundle: bundle, arguments)
        }
        guard let text = reply.abort else { return reply }
        throw HostError.messageAborted(
            "the template aborts the message, so nothing is shown: \(text.excerpt())",
            details: ["extension": .string(bundle.identifier), "aborted": .string(text.excerpt(1_000))]
        )
        .with(reply.diagnostics)
    }
}
