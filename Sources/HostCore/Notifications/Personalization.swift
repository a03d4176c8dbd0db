internal import BrazeRules
internal import Contract
internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Notifications
internal import Platform

extension Arguments {
    /// The template that a call brings, if it names a profile to render it with.
    func template(depth: Int) throws(RPCError) -> PersonalizationTemplate? {
        guard let profile = try optionalObject("profile") else { return nil }
        let payload = try object("payload")
        guard JSON.object(payload).nests(within: depth) else {
            throw HostError.invalidPayload("the payload nests at most \(depth) deep", path: path("payload"))
        }
        guard JSON.object(profile).nests(within: depth) else {
            throw RPCError.invalidParams(path: path("profile"), "the profile nests at most \(depth) deep")
        }
        return PersonalizationTemplate(payload: payload, profile: profile)
    }
}

/// Has templates rendered before anything else reads a payload.
final class Personalization {
    private let configuration: HostConfiguration
    private let clock: Clock
    private let extensions: ExtensionService
    private let outbox: Outbox
    /// Where a notification waits meanwhile.
    weak var reception: ReceptionService?

    init(
        _ configuration: HostConfiguration,
        _ clock: Clock,
        _ extensions: ExtensionService,
        _ outbox: Outbox
    ) {
        self.configuration = configuration
        self.clock = clock
        self.extensions = extensions
        self.outbox = outbox
    }

    /// Has a payload rendered before anything else reads it.
    ///
    /// - Throws: `noPersonalization`, or what is wrong with the other params.
    func send(
        _ template: PersonalizationTemplate,
        _ reception: Reception,
        _ invocation: Invocation
    ) throws(RPCError) {
        let arguments = invocation.arguments
        guard let bundle = extensions.catalog.personalization else {
            throw HostError.noPersonalization(
                "there is a profile, and no extension that renders templates: add one such as plugins/liquid "
                    + "with --plugins, or leave the profile out",
                path: arguments.path("profile")
            )
        }
        let date = try arguments.time("date") ?? invocation.time(clock)
        // What is wrong with the call is told before anything is rendered.
        _ = try (arguments.optionalString("identifier"), arguments.verticalSizeClass())
        let params: JSON = [
            "payload": .object(template.payload),
            "profile": .object(template.profile),
            "locale": .string(try arguments.locale() ?? configuration.locale),
            "date": .string(Timestamp.format(date)),
        ]
        self.reception?.leave(reception, invocation)
        extensions.process(of: bundle).call(
            "personalize",
            params: params,
            // The call is about nothing that is lost with a process.
            outlivesProcess: true,
            completion: { self.take($0, of: bundle, for: invocation, reception) }
        )
    }

    /// Takes what became of a template; without a payload nothing is shown.
    private func take(
        _ result: Result<JSON, ExtensionFailure>,
        of bundle: ExtensionBundle,
        for invocation: Invocation,
        _ reception: Reception
    ) {
        guard !invocation.call.isAnswered else { return }
        do throws(RPCError) {
            let reply: PersonalizationReply
            switch result {
            case .success(let value): reply = try personalization(value, of: bundle, invocation.arguments)
            case .failure(let failure): throw RPCError(failure, bundle: bundle, invocation.arguments)
            }
            var remarks = reply.diagnostics
            if let change = extensions.process(of: bundle).noticeChangedFiles() {
                remarks.append(Diagnostic("bundleChanged", change))
            }
            try self.reception?.read(reply.payload, diagnostics: remarks, reception, invocation)
            self.reception?.takeBack(reception, invocation)
        } catch {
            outbox.finish(invocation.call, .failure(error), dependsOn: invocation.suite)
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
