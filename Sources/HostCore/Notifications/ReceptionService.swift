internal import BrazeRules
internal import Contract
internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Notifications
internal import Platform
internal import Suites

/// Notifications that arrive: from the request to the extension that shows them.
final class ReceptionService {
    private let configuration: HostConfiguration
    private let extensions: ExtensionService
    private let personalization: Personalization
    private let content: ContentService
    private let display: NotificationDisplay

    init(
        _ configuration: HostConfiguration,
        _ extensions: ExtensionService,
        _ personalization: Personalization,
        _ content: ContentService,
        _ display: NotificationDisplay
    ) {
        self.configuration = configuration
        self.extensions = extensions
        self.personalization = personalization
        self.content = content
        self.display = display
        personalization.reception = self
        content.reception = self
    }

    /// Reads what a notification is, as far as that is known before other extensions had it.
    func prepare(_ invocation: Invocation) throws(RPCError) {
        let reception = Reception()
        invocation.subject = .reception(reception)
        reception.template = try invocation.arguments.template(depth: configuration.recordLimits.depth)
        if reception.template == nil { try read(try invocation.arguments.object("payload"), reception, invocation) }
        chooseRules(invocation)
    }

    /// Shows a notification, after the extensions had it that may change it: the one that renders its template, and
    /// the service extension if its payload asks for that.
    ///
    /// The call keeps its place meanwhile; only then is it known what it touches.
    func receive(_ invocation: Invocation) throws(any Error) -> HostMethod.Outcome {
        guard let reception = invocation.reception else { preconditionFailure("didReceive brings a notification") }
        // A reload may have come while it waited.
        route(reception)
        if reception.payload == nil, let template = reception.template {
            try personalization.send(template, reception, invocation)
        }
        if !reception.isAway, reception.payload != nil, reception.arrival == nil,
            let service = content.service(for: reception)
        {
            try content.send(service, reception, invocation)
        }
        guard !reception.isAway else { return .away }
        // It may be known only now whether a presentation is joined; whoever must be waited for is waited for again.
        guard invocation.peer.calls.blocker(of: invocation) == nil else { return .blocked }
        return try display.show(invocation, reception)
    }

    /// Lets a notification wait at its place until another extension is done with it.
    func leave(_ reception: Reception, _ invocation: Invocation) {
        reception.isAway = true
        chooseRules(invocation)
    }

    /// Takes a notification back that another extension is done with.
    func takeBack(_ reception: Reception, _ invocation: Invocation) {
        reception.isAway = false
        chooseRules(invocation)
        guard invocation.isWaiting else { return }
        invocation.peer.calls.enqueue(invocation, as: .waiting(since: Clock.monotonic()))
        invocation.peer.calls.reconsider(invocation)
    }

    /// Notes what the call touches, as far as is known.
    private func chooseRules(_ invocation: Invocation) {
        guard let reception = invocation.reception else { return }
        let isUndecided =
            reception.isAway || reception.payload == nil
            || (reception.arrival == nil && content.service(for: reception) != nil)
        reception.suitesOfCandidates =
            isUndecided
            ? extensions.catalog.bundles.filter { $0.point == .content }
                .flatMap { $0.applicationGroups.compactMap(SuiteName.init) } : nil
        let mayJoin = (reception.arrival?.content.thread ?? reception.payload?.thread)?.isEmpty == false
        invocation.rules = isUndecided ? .changeNotification : mayJoin ? .joinPresentation : .beginPresentation
    }

    /// Reads a payload and finds who shows it.
    ///
    /// - Throws: `payloadTooLarge` or `invalidPayload`.
    func read(
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
        // A key may have led to an empty text.
        if !payload.hasAlert { reception.process = nil }
    }

    /// Finds who shows a notification: the extension of its category, else the system; nobody if it has no alert.
    private func route(_ reception: Reception) {
        if let content = reception.arrival?.content {
            reception.process = process(for: content.category, hasAlert: content.hasAlert)
        } else if let payload = reception.payload {
            reception.process = process(for: payload.category, hasAlert: payload.hasAlert)
        }
    }

    private func process(for category: String, hasAlert: Bool) -> ExtensionProcess? {
        hasAlert ? extensions.process(forCategory: category) : nil
    }
}
