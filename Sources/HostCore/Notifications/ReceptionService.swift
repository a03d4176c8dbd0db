internal import BrazeRules
internal import Contract
internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Notifications
internal import Platform
internal import Suites

/// Handles `didReceive`: passes each notification through the extensions that may change it, then shows it.
final class ReceptionService {
    private let configuration: HostConfiguration
    private let extensions: ExtensionService
    private let personalization: Personalization
    private let service: ServiceExtensionClient
    private let display: NotificationDisplay

    init(
        _ configuration: HostConfiguration,
        _ extensions: ExtensionService,
        _ personalization: Personalization,
        _ service: ServiceExtensionClient,
        _ display: NotificationDisplay
    ) {
        self.configuration = configuration
        self.extensions = extensions
        self.personalization = personalization
        self.service = service
        self.display = display
        personalization.reception = self
        service.reception = self
    }

    /// Reads the payload; that of a template is read only after it was rendered.
    func prepare(_ invocation: Invocation) throws(RPCError) {
        let reception = Reception()
        invocation.subject = .reception(reception)
        reception.template = try invocation.arguments.template(depth: configuration.recordLimits.depth)
        if reception.template == nil {
            try readPayload(try invocation.arguments.object("payload"), reception, invocation)
        }
        updateRules(invocation)
    }

    /// Shows a notification after the extensions that may change it have answered: the personalization extension renders
    /// a template, and the service extension changes the content if the payload sets `mutable-content`.
    ///
    /// The call keeps its place in the order of calls; its accesses are known only after those answers.
    func receive(_ invocation: Invocation) throws(any Error) -> HostMethod.Outcome {
        guard let reception = invocation.reception else { preconditionFailure("didReceive was not prepared") }
        // The bundles may have been reloaded while the call waited.
        updateProcess(of: reception)
        if reception.payload == nil, let template = reception.template {
            try personalization.render(template, reception, invocation)
        }
        if !reception.isAway, reception.payload != nil, reception.received == nil,
            let bundle = service.bundle(for: reception)
        {
            try service.callExtension(bundle, reception, invocation)
        }
        guard !reception.isAway else { return .away }
        // The notification may turn out only now to join a presentation, so earlier calls may block this one again.
        guard invocation.peer.calls.blocker(of: invocation) == nil else { return .blocked }
        return try display.show(invocation, reception)
    }

    /// Suspends the handling of a notification until another extension answers; the call keeps its place.
    func suspend(_ reception: Reception, _ invocation: Invocation) {
        reception.isAway = true
        updateRules(invocation)
    }

    /// Resumes the handling of a notification after another extension answered.
    func resume(_ reception: Reception, _ invocation: Invocation) {
        reception.isAway = false
        updateRules(invocation)
        guard invocation.isWaiting else { return }
        invocation.peer.calls.enqueue(invocation, as: .waiting(since: Clock.monotonic()))
        invocation.peer.calls.reconsider(invocation)
    }

    /// Updates the access rules of the call to what is known about the notification.
    private func updateRules(_ invocation: Invocation) {
        guard let reception = invocation.reception else { return }
        let isUndecided =
            reception.isAway || reception.payload == nil
            || (reception.received == nil && service.bundle(for: reception) != nil)
        reception.suitesOfCandidates =
            isUndecided
            ? extensions.catalog.bundles.filter { $0.point == .content }
                .flatMap { $0.applicationGroups.compactMap(SuiteName.init) } : nil
        let mayJoin = (reception.received?.content.thread ?? reception.payload?.thread)?.isEmpty == false
        invocation.rules = isUndecided ? .changeNotification : mayJoin ? .joinPresentation : .beginPresentation
    }

    /// Reads a payload, and chooses the extension that shows it.
    ///
    /// - Throws: `payloadTooLarge` or `invalidPayload`.
    func readPayload(
        _ object: JSON.Object,
        diagnostics: [Diagnostic] = [],
        _ reception: Reception,
        _ invocation: Invocation
    ) throws(RPCError) {
        let arguments = invocation.arguments
        var payload = try Payload(
            object,
            path: arguments.path("payload"),
            depth: configuration.recordLimits.depth,
            isRendered: reception.template != nil
        )
        for diagnostic in diagnostics { payload.addDiagnostic(diagnostic) }
        reception.process = process(for: payload.category, hasAlert: payload.hasAlert)
        payload.localize(
            LocalizedTextSource(
                bundle: reception.process?.bundle.identifier,
                strings: reception.process?.localizedStrings,
                locale: try arguments.locale() ?? configuration.locale
            )
        )
        reception.payload = payload
        // A localization key may have been replaced by an empty text, so that no alert is left.
        if !payload.hasAlert { reception.process = nil }
    }

    /// Chooses the extension that shows a notification; nil if the system shows it, or if it has no alert.
    private func updateProcess(of reception: Reception) {
        if let content = reception.received?.content {
            reception.process = process(for: content.category, hasAlert: content.hasAlert)
        } else if let payload = reception.payload {
            reception.process = process(for: payload.category, hasAlert: payload.hasAlert)
        }
    }

    private func process(for category: String, hasAlert: Bool) -> ExtensionProcess? {
        hasAlert ? extensions.process(forCategory: category) : nil
    }
}
