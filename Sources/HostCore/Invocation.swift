internal import Delivery
internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Platform
internal import Suites

/// One call while the host works on it.
final class Invocation {
    let call: Call
    let peer: Peer
    let order: HostMethod.Order
    let body: (Host, Invocation) throws -> HostMethod.Outcome
    let arguments: Arguments
    /// What a notification's payload says, where the call begins a presentation.
    var payload: Payload? { didSet { footprintMayHaveChanged() } }
    /// The presentation that the call is about.
    var presentation: Presentation? { didSet { footprintMayHaveChanged() } }
    /// Who shows the notification that the call is about; the system where no extension does.
    var process: ExtensionProcess? { didSet { footprintMayHaveChanged() } }
    /// What was received, once it was judged, where the call begins a presentation.
    var arrival: Arrival? { didSet { footprintMayHaveChanged() } }
    /// The payload as it came, if it is a template that must be rendered first.
    var template: Template?
    /// The suites of all who may show the notification, while another extension may still change what it is.
    var undecidedSuites: [SuiteName]? { didSet { footprintMayHaveChanged() } }
    /// The suite that the call names or means, where its method has one.
    var suite: Suite? { didSet { footprintMayHaveChanged() } }
    /// When the call began to wait, on the monotonic clock.
    var waitingSince: Int64?
    /// When the call first found its suite held by another process, on the monotonic clock.
    var busySince: Int64?
    /// When it is to be tried again.
    var retryAt: Int64?
    /// The attempts while its suite is held by another process.
    var retry: Retry?
    /// Whether it was answered while it waited.
    var isDone = false
    /// Where the call stands among the unfinished ones of its peer.
    var place: Place?
    /// Its number among the calls of its peer that waited or are worked on, in the order in which they came; 0 before.
    var number = 0
    /// What the index of unfinished calls holds of this one.
    var indexed: Footprint?
    /// Calls that are looked at again after this one.
    var followers: [Invocation] = []
    private var timeOfCall: Int64?

    enum Place { case waiting, inFlight }

    init(
        call: Call,
        peer: Peer,
        arguments: Arguments,
        order: HostMethod.Order,
        body: @escaping (Host, Invocation) throws -> HostMethod.Outcome
    ) {
        self.call = call
        self.peer = peer
        self.arguments = arguments
        self.order = order
        self.body = body
    }

    /// What the call touches; made only when another call is unfinished.
    var footprint: Footprint {
        switch order {
        case .append:
            Footprint(kind: .append, suites: suite.map { [$0.name] }, presentation: presentation?.identifier)
        case .suite: Footprint(kind: .suite, suites: suite.map { [$0.name] })
        case .key: Footprint(kind: touchesPending ? .suite : .defaults, suites: suite.map { [$0.name] })
        case .flush: Footprint(kind: .flush, suites: suite.map { [$0.name] })
        case .allSuites: Footprint(kind: .suite, suites: nil)
        case .listing: .listing
        case .reload: Footprint(kind: .reload)
        case .dismissal: Footprint(kind: .dismissal, presentation: presentation?.identifier)
        case .beginning where undecidedSuites != nil: Footprint(kind: .undecided, suites: undecidedSuites)
        case .beginning, .presentation:
            Footprint(
                kind: mayJoin ? .joining(extension: extensionIdentifier) : .call(extension: extensionIdentifier),
                suites: process?.bundle.applicationGroups.compactMap(SuiteName.init) ?? [],
                presentation: presentation?.identifier
            )
        }
    }

    /// Whether the call waits.
    var isWaiting: Bool { place == .waiting }

    /// Whether the call reloads the bundles.
    var isReload: Bool { if case .reload = order { true } else { false } }

    private func footprintMayHaveChanged() {
        if place != nil { peer.calls.update(self) }
    }

    /// Whether a call about a key may touch pending records: not where the key is an ordinary one.
    private var touchesPending: Bool {
        guard let key = arguments["key"]?.string else { return true }
        return RecordKind(storageKey: key) != nil
    }

    private var extensionIdentifier: String { process?.bundle.identifier ?? "" }

    /// Whether the call begins a presentation or joins one, as what is shown by then decides.
    private var mayJoin: Bool {
        guard case .beginning = order, presentation == nil else { return false }
        return (arrival?.content.thread ?? payload?.thread)?.isEmpty == false
    }

    /// The wall time of the call, read once however often it is tried.
    func time(_ host: Host) -> Int64 { time(host.clock) }

    /// The wall time of the call, read once however often it is tried.
    func time(_ clock: Clock) -> Int64 {
        if let timeOfCall { return timeOfCall }
        let time = clock.wallTime()
        timeOfCall = time
        return time
    }
}
