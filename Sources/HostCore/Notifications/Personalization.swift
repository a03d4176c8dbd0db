internal import BrazeRules
internal import Contract
internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Notifications
internal import Platform

extension Arguments {
    /// The payload as a template with its profile; nil if the call gives no profile.
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

extension PersonalizationTemplate {
    /// The params of `personalize`.
    func params(locale: String, date: Int64) -> JSON {
        [
            "payload": .object(payload), "profile": .object(profile), "locale": .string(locale),
            "date": .string(Timestamp.format(date)),
        ]
    }
}

extension ExtensionService {
    /// The extension that renders the template of a call with a profile.
    func renderer(_ arguments: Arguments) throws(RPCError) -> ExtensionBundle {
        guard let bundle = catalog.personalization else {
            throw HostError.noPersonalization(
                "the call gives a profile, but no extension renders templates: add one such as plugins/liquid "
                    + "with --plugins, or leave the profile out",
                path: arguments.path("profile")
            )
        }
        return bundle
    }
}

/// Calls the personalization extension, which renders a payload before the host reads it.
final class Personalization {
    private let configuration: HostConfiguration
    private let clock: Clock
    private let extensions: ExtensionService
    private let outbox: Outbox
    /// Continues with the notification after the extension answered.
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

    /// Calls `personalize` of the extension; the notification waits for the answer.
    ///
    /// - Throws: `noPersonalization`, or the error for another parameter.
    func render(
        _ template: PersonalizationTemplate,
        _ reception: Reception,
        _ invocation: Invocation
    ) throws(RPCError) {
        let arguments = invocation.arguments
        let bundle = try extensions.renderer(arguments)
        let date = try arguments.time("date") ?? invocation.time(clock)
        // Errors of the other parameters are reported before the extension is called.
        _ = try (arguments.optionalString("identifier"), arguments.verticalSizeClass())
        let params = template.params(locale: try arguments.locale() ?? configuration.locale, date: date)
        self.reception?.suspend(reception, invocation)
        extensions.process(of: bundle).call(
            "personalize",
            params: params,
            // The call concerns no presentation, which would end with its process, so a new process can answer it.
            outlivesProcess: true,
            completion: { self.handleResult($0, of: bundle, for: invocation, reception) }
        )
    }

    /// Continues with the rendered payload, or answers the call with an error.
    private func handleResult(
        _ result: Result<JSON, ExtensionFailure>,
        of bundle: ExtensionBundle,
        for invocation: Invocation,
        _ reception: Reception
    ) {
        guard !invocation.call.isAnswered else { return }
        do throws(RPCError) {
            let reply: PersonalizationReply
            switch result {
            case .success(let value): reply = try readReply(value, of: bundle, invocation.arguments)
            case .failure(let failure): throw RPCError(failure, bundle: bundle, invocation.arguments)
            }
            var diagnostics = reply.diagnostics
            if let change = extensions.process(of: bundle).noticeChangedFiles() {
                diagnostics.append(Diagnostic("bundleChanged", change))
            }
            try self.reception?.readPayload(reply.payload, diagnostics: diagnostics, reception, invocation)
            self.reception?.resume(reception, invocation)
        } catch {
            outbox.finish(invocation.call, .failure(error), dependsOn: invocation.suite)
        }
    }

    /// Reads the extension's reply.
    ///
    /// - Throws: `badExtensionReply`, or `messageAborted` if the template aborts the message.
    private func readReply(
        _ value: JSON,
        of bundle: ExtensionBundle,
        _ arguments: Arguments
    ) throws(RPCError) -> PersonalizationReply {
        let reply: PersonalizationReply
        do throws(ReplyError) {
            reply = try PersonalizationReply(value, place: arguments.clientPath(ofExtensionPath:))
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
