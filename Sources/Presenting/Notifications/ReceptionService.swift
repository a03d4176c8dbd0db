internal import BrazeRules
package import Calls
package import Configuration
internal import Contract
package import ExtensionHost
package import JSON
package import JSONRPC
package import Notifications
package import Platform
internal import Suites

/// Handles `didReceive`: passes each notification through the extensions that may change it, then shows it.
///
/// The personalization extension renders a template, and the service extension changes the content if the payload sets
/// `mutable-content`. ``Reception`` says what happens when. The call keeps its place in the order of calls; its accesses
/// are known only after those extensions have answered.
package final class ReceptionService {
    private let configuration: HostConfiguration
    private let extensions: Extensions
    private let personalization: Personalization
    private let presentations: Presentations
    private let attachments: Attachments
    private let display: NotificationDisplay
    private let outbox: Outbox

    package init(
        _ configuration: HostConfiguration,
        _ extensions: Extensions,
        _ personalization: Personalization,
        _ presentations: Presentations,
        _ attachments: Attachments,
        _ display: NotificationDisplay,
        _ outbox: Outbox
    ) {
        self.configuration = configuration
        self.extensions = extensions
        self.personalization = personalization
        self.presentations = presentations
        self.attachments = attachments
        self.display = display
        self.outbox = outbox
    }

    /// Reads the payload; that of a template is read only after it was rendered.
    package func prepare(_ invocation: Invocation) throws(RPCError) {
        let arguments = invocation.arguments
        let arrival: Arrival
        if let template = try arguments.template(depth: configuration.recordLimits.depth) {
            arrival = Arrival(.template(template))
        } else {
            arrival = Arrival(.payload(try payload(try arguments.object("payload"), arguments)))
        }
        invocation.object = arrival
        chooseExtension(arrival)
        updateRules(arrival, invocation)
    }

    /// Shows a notification, or sends it to the next extension that may change it.
    ///
    /// Called when no earlier call blocks this one, so again after each answer.
    package func proceed(_ invocation: Invocation) throws(any Error) -> HostMethod.Outcome {
        guard let arrival = invocation.arrival else { preconditionFailure("didReceive was not prepared") }
        // The bundles may have been reloaded while the call waited; `blocker` below finds the accesses again.
        chooseExtension(arrival)
        if case .template(let template) = arrival.reception { try render(template, arrival, invocation) }
        if case .payload(let payload) = arrival.reception, let bundle = serviceExtension(for: payload) {
            try change(payload, by: bundle, arrival, invocation)
        }
        guard !arrival.reception.isAway else { return .away }
        // The notification may turn out only now to join a presentation, so earlier calls may block this one again.
        guard invocation.peer.scheduler.blocker(of: invocation) == nil else { return .blocked }
        return try display.show(arrival, invocation)
    }

    /// Removes the files of a notification whose call was answered before it was shown.
    package func drop(_ invocation: Invocation) { attachments.remove(invocation.arrival?.attachments ?? []) }

    // MARK: Templates

    /// Lets the personalization extension render a template.
    ///
    /// - Throws: `noPersonalization`, or the error for another parameter.
    private func render(
        _ template: PersonalizationTemplate,
        _ arrival: Arrival,
        _ invocation: Invocation
    ) throws(RPCError) {
        let request = try personalization.request(template, invocation)
        handle(arrival, .sentToPersonalization, invocation)
        personalization.render(request, invocation.arguments) { [self] result in
            guard !invocation.call.isAnswered else { return }
            do throws(RPCError) {
                let reply = try result.get()
                var payload = try payload(reply.payload, isRendered: true, invocation.arguments)
                for diagnostic in reply.diagnostics { payload.addDiagnostic(diagnostic) }
                if let change = extensions.process(of: request.bundle).noticeChangedFiles() {
                    payload.addDiagnostic(Diagnostic("bundleChanged", change))
                }
                handle(arrival, .rendered(payload), invocation)
            } catch {
                outbox.finish(invocation.call, .failure(error), dependsOn: invocation.suite)
            }
        }
    }

    /// Reads a payload, with its texts in the language of the extension that shows it.
    ///
    /// - Throws: `payloadTooLarge` or `invalidPayload`.
    private func payload(_ object: JSON.Object, isRendered: Bool = false, _ arguments: Arguments) throws(RPCError)
        -> Payload
    {
        var payload = try Payload(
            object,
            path: arguments.path("payload"),
            depth: configuration.recordLimits.depth,
            isRendered: isRendered
        )
        let process = payload.hasAlert ? extensions.process(forCategory: payload.category) : nil
        payload.localize(
            LocalizedTextSource(
                bundle: process.map { ($0.bundle.identifier, $0.localizedStrings) },
                app: extensions.appStrings,
                locale: configuration.locale(named: try arguments.locale())
            )
        )
        return payload
    }

    // MARK: The service extension

    /// The service extension; nil unless the payload sets `mutable-content` and has an alert.
    private func serviceExtension(for payload: Payload) -> ExtensionBundle? {
        payload.mutableContent == 1 && payload.hasAlert ? extensions.catalog.service : nil
    }

    /// Calls `didReceive` of the service extension.
    private func change(
        _ payload: Payload,
        by bundle: ExtensionBundle,
        _ arrival: Arrival,
        _ invocation: Invocation
    ) throws(RPCError) {
        let service = extensions.process(of: bundle)
        var received = try display.makeReceivedNotification(payload, invocation)
        let (texts, mistakes) = display.texts(of: service, for: received)
        for mistake in mistakes { received.addDiagnostic(mistake) }
        handle(arrival, .sentToService, invocation)
        let notification = JSON.string(received.notification)
        service.call(
            "didReceive",
            params: JSON(present: ["notification": notification, "request": received.request, "texts": texts]),
            // The call concerns no presentation, which would end with its process, so a new process can answer it.
            outlivesProcess: true,
            timeWillExpire: {
                service.session?.notify("serviceExtensionTimeWillExpire", params: ["notification": notification])
            },
            completion: { [self, received] result in
                var changed = apply(result, of: bundle, to: received)
                if let change = service.noticeChangedFiles() {
                    changed.addDiagnostic(Diagnostic("bundleChanged", change))
                }
                handle(arrival, .changed(changed), invocation)
                attachments.sweep(keeping: presentations.visible.flatMap(\.attachments))
            }
        )
    }

    /// Applies the answer of the service extension; after a failure the content stays as it was.
    private func apply(
        _ result: Result<JSON, ExtensionFailure>,
        of bundle: ExtensionBundle,
        to received: ReceivedNotification
    ) -> ReceivedNotification {
        var received = received
        let failure: (problem: String, cause: HostError)?
        switch result {
        case .success(let value):
            let reply = ServiceExtensionReply(
                value,
                changing: received.content,
                author: bundle.identifier,
                folder: attachments.folder,
                depth: configuration.recordLimits.depth
            )
            received.replaceContent(with: reply)
            failure = reply.voidReason.map { ($0, .badExtensionReply) }
        case .failure(let error): failure = (error.reason.description, HostError(error.reason))
        }
        if let failure {
            let text = "\(bundle.identifier) \(failure.problem), so the original content is shown"
            received.addDiagnostic(Diagnostic("serviceFailed", text, cause: failure.cause.reason))
        }
        return received
    }

    // MARK: States

    /// Changes the state of a notification, and with it the accesses of its call.
    private func handle(_ arrival: Arrival, _ event: Reception.Event, _ invocation: Invocation) {
        arrival.handle(event)
        chooseExtension(arrival)
        updateRules(arrival, invocation)
        guard !arrival.reception.isAway, invocation.isWaiting else { return }
        invocation.peer.scheduler.enqueue(invocation, as: .waiting(since: Clock.monotonic()))
    }

    /// Chooses the extension that shows a notification; nil if the system shows it, or if it has no alert.
    private func chooseExtension(_ arrival: Arrival) {
        let process = { [extensions] (category: String, hasAlert: Bool) in
            hasAlert ? extensions.process(forCategory: category) : nil
        }
        switch arrival.reception {
        case .payload(let payload): arrival.process = process(payload.category, payload.hasAlert)
        case .ready(let received): arrival.process = process(received.content.category, received.content.hasAlert)
        case .template, .rendering, .changing, .shown: break
        }
    }

    /// Updates the access rules of the call to what is known about the notification.
    private func updateRules(_ arrival: Arrival, _ invocation: Invocation) {
        let thread: String?
        switch arrival.reception {
        case .template, .rendering, .changing: thread = nil
        case .payload(let payload): thread = serviceExtension(for: payload) == nil ? payload.thread : nil
        case .ready(let received): thread = received.content.thread
        case .shown: return
        }
        guard let thread else {
            arrival.suitesOfCandidates = extensions.contentBundles
                .flatMap { $0.applicationGroups.compactMap(SuiteName.init) }
            return invocation.rules = .changeNotification
        }
        arrival.suitesOfCandidates = nil
        invocation.rules = thread.isEmpty ? .beginPresentation : .joinPresentation
    }
}

extension Arguments {
    /// The greatest length of a locale in bytes; RFC 5646 requires at least 35.
    private static let localeLimit = 100

    /// A locale; nil if it is absent.
    package func locale() throws(RPCError) -> String? {
        guard let text = try optionalString("locale") else { return nil }
        guard text.utf8.count <= Self.localeLimit else {
            throw mistyped("locale", "a language tag of at most \(Self.localeLimit) bytes")
        }
        return text
    }

    /// Converts a path in the params of an extension to the path of the same value in these params; nil if it is not from them.
    func clientPath(ofExtensionPath path: String) -> String? {
        let userInfo = "/params/request/content/userInfo"
        let clientPath = path.hasPrefix(userInfo) ? "/params/payload" + path.dropFirst(userInfo.count) : path
        for parameter in signature.parameters {
            let prefix = "/params/\(parameter.name)"
            guard clientPath == prefix || clientPath.hasPrefix(prefix + "/") else { continue }
            return self.path(parameter.name) + clientPath.dropFirst(prefix.count)
        }
        return nil
    }

    /// The payload as a template with its profile; nil if the call gives no profile.
    func template(of given: JSON.Object? = nil, depth: Int) throws(RPCError) -> PersonalizationTemplate? {
        guard let profile = try optionalObject("profile") else { return nil }
        let payload = if let given { given } else { try object("payload") }
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
    package func params(locale: String, date: Int64) -> JSON {
        [
            "payload": .object(payload), "profile": .object(profile), "locale": .string(locale),
            "date": .string(Timestamp.format(date)),
        ]
    }
}

extension Extensions {
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
package final class Personalization {
    /// A call of the extension that can be made.
    package struct Request {
        /// The extension.
        package let bundle: ExtensionBundle
        fileprivate let params: JSON
    }

    private let configuration: HostConfiguration
    private let clock: Clock
    private let extensions: Extensions

    package init(_ configuration: HostConfiguration, _ clock: Clock, _ extensions: Extensions) {
        self.configuration = configuration
        self.clock = clock
        self.extensions = extensions
    }

    /// Reads what the extension needs to render the template of a call.
    ///
    /// - Throws: `noPersonalization`, or the error for another parameter.
    package func request(_ template: PersonalizationTemplate, _ invocation: Invocation) throws(RPCError) -> Request {
        let arguments = invocation.arguments
        let bundle = try extensions.renderer(arguments)
        let date = try arguments.time("date") ?? invocation.time(clock)
        // Errors of the other parameters are reported before the extension is called.
        _ = try (arguments.optionalString("identifier"), arguments.verticalSizeClass())
        let locale = configuration.locale(named: try arguments.locale())
        return Request(bundle: bundle, params: template.params(locale: locale, date: date))
    }

    /// Calls `personalize` of the extension.
    ///
    /// - Parameters:
    ///   - request: The call.
    ///   - arguments: Those of the call that delivers the template.
    ///   - completion: Gets the rendered payload; or the extension's error, or `messageAborted` if the template aborts
    ///     the message.
    package func render(
        _ request: Request,
        _ arguments: Arguments,
        completion: @escaping (Result<PersonalizationReply, RPCError>) -> Void
    ) {
        extensions.process(of: request.bundle).call(
            "personalize",
            params: request.params,
            // The call concerns no presentation, which would end with its process, so a new process can answer it.
            outlivesProcess: true,
            completion: { result in
                completion(Result { () throws(RPCError) in try Self.reply(result, of: request.bundle, arguments) })
            }
        )
    }

    private static func reply(
        _ result: Result<JSON, ExtensionFailure>,
        of bundle: ExtensionBundle,
        _ arguments: Arguments
    ) throws(RPCError) -> PersonalizationReply {
        let value = try result.mapError { RPCError($0, bundle: bundle, arguments) }.get()
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
