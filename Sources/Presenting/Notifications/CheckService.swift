internal import BrazeRules
package import Calls
package import Configuration
internal import Contract
internal import ExtensionHost
internal import JSON
package import JSONRPC
internal import Localization
internal import Notifications
package import Platform

/// Checks payloads without delivering them: nothing is shown or stored, and the only process that is started is that of
/// the extension that renders templates.
package final class CheckService {
    private let configuration: HostConfiguration
    private let clock: Clock
    private let extensions: Extensions
    private let presentations: Presentations
    private let outbox: Outbox

    package init(
        _ configuration: HostConfiguration,
        _ clock: Clock,
        _ extensions: Extensions,
        _ presentations: Presentations,
        _ outbox: Outbox
    ) {
        self.configuration = configuration
        self.clock = clock
        self.extensions = extensions
        self.presentations = presentations
        self.outbox = outbox
    }

    /// Checks the payload of a call; a template first by the extension that renders it.
    package func checkPayload(_ invocation: Invocation) throws(RPCError) -> HostMethod.Outcome {
        let arguments = invocation.arguments
        var payload = try arguments.value("payload")
        var surroundings = try surroundings(arguments)
        if let text = payload.string {
            surroundings.text = Array(text.utf8)
            do throws(JSONParseError) {
                payload = try JSON(authored: text)
            } catch {
                return .done(PayloadCheck(error, surroundings).json)
            }
        }
        let isTemplate = try arguments.optional("template", .bool) ?? false
        surroundings.isTemplate = isTemplate
        guard let object = payload.object, payload.nests(within: surroundings.depth) else {
            return .done(PayloadCheck(payload, surroundings).json)
        }
        let template = try arguments.template(of: object, depth: surroundings.depth)
        surroundings.isTemplate = isTemplate || template != nil
        guard surroundings.isTemplate else { return .done(PayloadCheck(payload, surroundings).json) }
        guard template != nil || extensions.catalog.personalization != nil else {
            if UnrenderedLiquid.mayBeTemplate(payload) {
                let text = "no extension checks templates; add one such as plugins/liquid with --plugins"
                surroundings.templateFindings = [
                    PayloadFinding(ofTemplate: .information, "uncheckedTemplate", path: nil, text)
                ]
            }
            return .done(PayloadCheck(payload, surroundings).json)
        }
        let call = TemplateCall(
            invocation: invocation,
            bundle: try extensions.renderer(arguments),
            payload: object,
            profile: template?.profile
        )
        check(call, surroundings)
        return .later
    }

    private func surroundings(_ arguments: Arguments) throws(RPCError) -> PayloadCheck.Surroundings {
        var surroundings = PayloadCheck.Surroundings()
        surroundings.extensions = extensions.contentBundles.map { bundle in
            PayloadCheck.ContentExtension(
                identifier: bundle.identifier,
                categories: bundle.categories,
                keys: bundle.userInfoKeys,
                strings: extensions.strings(of: bundle)
            )
        }
        surroundings.app = extensions.appStrings
        surroundings.categories = Set(presentations.categories.map(\.identifier))
        surroundings.problem = extensions.categoryProblem
        surroundings.folders = extensions.searchedFolders
        surroundings.locale = configuration.locale(named: try arguments.locale())
        surroundings.depth = configuration.recordLimits.depth
        return surroundings
    }

    // MARK: Templates

    /// A call with a template.
    private struct TemplateCall {
        let invocation: Invocation
        /// The extension that renders templates.
        let bundle: ExtensionBundle
        let payload: JSON.Object
        /// The profile with which it is rendered; nil if only its syntax is checked.
        let profile: JSON.Object?

        var arguments: Arguments { invocation.arguments }
    }

    /// Lets the extension check the syntax of every template, and render them if there is a profile and no mistake.
    private func check(_ call: TemplateCall, _ surroundings: PayloadCheck.Surroundings) {
        call.invocation.peer.scheduler.begin(call.invocation)
        extensions.process(of: call.bundle).call(
            "checkTemplates",
            params: ["payload": .object(call.payload)],
            outlivesProcess: true
        ) { result in
            var surroundings = surroundings
            do throws(RPCError) {
                surroundings.templateFindings = try self.findings(result, call)
            } catch {
                return self.finish(call, .failure(error))
            }
            guard let profile = call.profile, !call.invocation.call.isAnswered,
                !surroundings.templateFindings.contains(where: { $0.level == .error })
            else { return self.finish(call, .success(PayloadCheck(.object(call.payload), surroundings).json)) }
            self.render(call, profile, surroundings)
        }
    }

    /// The findings of the extension, or why it checked nothing.
    private func findings(
        _ result: Result<JSON, ExtensionFailure>,
        _ call: TemplateCall
    ) throws(RPCError) -> [PayloadFinding] {
        switch result {
        case .success(let value):
            return try read(call) { () throws(ReplyError) in try TemplateCheckReply(value).findings }
        case .failure(let failure):
            switch failure.reason {
            // It may render templates without being able to check them.
            case .refused(let error) where error.code == .methodNotFound:
                guard call.profile == nil, UnrenderedLiquid.mayBeTemplate(.object(call.payload)) else { return [] }
                let text = "\(call.bundle.identifier) checks no templates without a profile; give a profile"
                return [PayloadFinding(ofTemplate: .information, "uncheckedTemplate", path: nil, text)]
            // Rendering will say so too.
            case .refused, .exited, .cannotStart:
                guard call.profile == nil else { return [] }
                let text = "the templates are not checked: \(RPCError(failure, bundle: call.bundle, call.arguments))"
                return [PayloadFinding(ofTemplate: .warning, "uncheckedTemplate", path: nil, text)]
            default: throw RPCError(failure, bundle: call.bundle, call.arguments)
            }
        }
    }

    /// Renders the templates, and checks what they become.
    private func render(_ call: TemplateCall, _ profile: JSON.Object, _ surroundings: PayloadCheck.Surroundings) {
        let template = PersonalizationTemplate(payload: call.payload, profile: profile)
        extensions.process(of: call.bundle).call(
            "personalize",
            params: template.params(locale: surroundings.locale, date: call.invocation.time(clock)),
            outlivesProcess: true
        ) { result in
            do throws(RPCError) {
                self.finish(call, .success(try self.check(result, of: call, surroundings).json))
            } catch {
                self.finish(call, .failure(error))
            }
        }
    }

    private func check(
        _ result: Result<JSON, ExtensionFailure>,
        of call: TemplateCall,
        _ surroundings: PayloadCheck.Surroundings
    ) throws(RPCError) -> PayloadCheck {
        var surroundings = surroundings
        var payload = call.payload
        switch result {
        case .success(let value):
            let reply = try read(call) { () throws(ReplyError) in
                try PersonalizationReply(value, place: PayloadFinding.path)
            }
            surroundings.templateFindings += reply.diagnostics.map {
                PayloadFinding(ofTemplate: .warning, $0.reason, path: $0.path, $0.message)
            }
            // The same may have been found without rendering.
            var seen: Set<PayloadFinding> = []
            surroundings.templateFindings.removeAll { !seen.insert($0).inserted }
            guard let reason = reply.abort else {
                (surroundings.isTemplate, surroundings.isRendered, payload) = (false, true, reply.payload)
                break
            }
            let text = "with this profile, the template aborts the message: \(reason.excerpt())"
            surroundings.templateFindings.append(
                PayloadFinding(.warning, "messageAborted", "", text, "change nothing if the user is to get no message")
            )
        case .failure(let failure):
            guard case .refused(let error) = failure.reason, let path = error.data?["path"]?.string else {
                throw RPCError(failure, bundle: call.bundle, call.arguments)
            }
            surroundings.templateFindings.append(
                PayloadFinding(
                    ofTemplate: .error,
                    error.reason ?? "extensionRefused",
                    path: PayloadFinding.path(path),
                    error.message
                )
            )
        }
        return PayloadCheck(.object(payload), surroundings)
    }

    private func read<Reply>(
        _ call: TemplateCall,
        _ body: () throws(ReplyError) -> Reply
    ) throws(RPCError) -> Reply {
        do throws(ReplyError) {
            return try body()
        } catch {
            let failure = ExtensionFailure(reason: .badReply(error.text), wasSent: true)
            throw RPCError(failure, bundle: call.bundle, call.arguments)
        }
    }

    private func finish(_ call: TemplateCall, _ result: Result<JSON, RPCError>) {
        call.invocation.peer.scheduler.end(call.invocation)
        if !call.invocation.call.isAnswered { outbox.finish(call.invocation.call, result) }
    }
}
