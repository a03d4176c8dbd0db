internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Suites

/// One end of a connection: a client, or an extension that calls the host.
final class Peer {
    enum Role {
        case client
        case `extension`(ExtensionProcess)
    }

    let role: Role
    /// A client's connection.
    var session: Session?
    /// Whether it began with the handshake of the Model Context Protocol, so that its `ping` is that protocol's.
    var hasModelContext = false
    /// The topics that the peer subscribed to.
    var topics: Set<Topic> = []

    /// The calls that were not answered or are still worked on.
    var calls = UnfinishedCalls()
    /// Calls that wait: for an earlier one, or for a suite that another process holds.
    var waiting: [Invocation] { calls.waiting }
    /// Calls that extensions are working on.
    var inFlight: [Invocation] { calls.inFlight }

    /// Messages that came while they may not be carried out yet.
    private var inbox: [(session: Session, message: Message)] = []
    /// Members of a batch whose first ones are not answered yet, in lock-step.
    private var members: [Call] = []

    init(_ role: Role) { self.role = role }

    /// How many calls of this peer have no answer yet; one that was cancelled has, although its work goes on.
    var unansweredCount: Int { (inFlight + waiting).count { !$0.call.isAnswered } }

    /// Whether every call of this peer that was begun is done.
    var isIdle: Bool { waiting.isEmpty && inFlight.isEmpty }

    /// Whether a reload waits or is under way.
    var isReloading: Bool { calls.hasReload }

    /// Whether messages of this peer wait to be carried out.
    var hasBacklog: Bool { !inbox.isEmpty || !members.isEmpty }

    /// Takes a message: carries it out, or keeps it until that is allowed.
    func deliver(_ message: Message, of session: Session, host: Host) {
        if !hasBacklog && host.mayProceed(self, session) {
            session.receive(message)
        } else {
            inbox.append((session, message))
        }
    }

    /// Takes a call; only members of a batch can come while it may not be carried out.
    func take(_ call: Call, host: Host) {
        // A member behind a `shutdown` of its batch.
        if case .client = role, host.isStopping { return host.finish(call, .failure(HostError.hostIsStopping)) }
        if members.isEmpty && (!host.isLockStep || host.mayProceed(self, call.session)) {
            host.handle(call, of: self)
        } else {
            members.append(call)
        }
    }

    /// Carries out what was kept, as far as it is allowed now.
    ///
    /// - Returns: Whether anything was carried out.
    func advance(host: Host) -> Bool {
        var progress = false
        while let call = members.first, host.mayProceed(self, call.session) {
            members.removeFirst()
            host.handle(call, of: self)
            progress = true
        }
        var done = 0
        while members.isEmpty, done < inbox.count, host.mayProceed(self, inbox[done].session) {
            done += 1
            inbox[done - 1].session.receive(inbox[done - 1].message)
        }
        inbox.removeFirst(done)
        return progress || done > 0
    }

    /// Gives away the members of a batch that will not be carried out.
    func takeMembers() -> [Call] {
        defer { members = [] }
        return members
    }
}

/// What a client can subscribe to; the names are those of the notifications.
enum Topic: String, CaseIterable {
    case viewDidChange
    case didDismiss
    case openApplication
    case progress = "$/progress"
    case log = "$/log"
}

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
    /// Where the call is at the service extension, which may change what it is: the suites of whoever may show it.
    var suitesAtService: [SuiteName]? { didSet { footprintMayHaveChanged() } }
    /// The suite that the call names or means, where its method has one.
    var suite: Suite? { didSet { footprintMayHaveChanged() } }
    /// When the call began to wait, on the monotonic clock.
    var waitingSince: Int64?
    /// When the call first found its suite held by another process, on the monotonic clock.
    var busySince: Int64?
    /// When it is to be tried again.
    var retryAt: Int64?
    /// Whether it was answered while it waited.
    var isDone = false
    /// Where the call stands among the unfinished ones of its peer, and what it touches as that peer knows it.
    var place: Place?
    private var timeOfCall: Int64?

    enum Place {
        case waiting(Footprint)
        case inFlight(Footprint)
    }

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
        case .beginning where suitesAtService != nil: Footprint(kind: .undecided, suites: suitesAtService)
        case .beginning, .presentation:
            Footprint(
                kind: mayJoin ? .joining(extension: extensionIdentifier) : .call(extension: extensionIdentifier),
                suites: process?.bundle.applicationGroups.compactMap(SuiteName.init) ?? [],
                presentation: presentation?.identifier
            )
        }
    }

    /// Whether the call waits.
    var isWaiting: Bool { if case .waiting = place { true } else { false } }

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
    func time(_ host: Host) -> Int64 {
        if let timeOfCall { return timeOfCall }
        let time = host.clock.wallTime()
        timeOfCall = time
        return time
    }
}

/// A method of the host: what it touches and what it does.
enum HostMethod {
    /// Never waits and touches no suite: `ping`, `status`, cancellation.
    case free((Host, FreeCall) throws -> Outcome)
    /// Waits for the earlier calls that matter to it.
    case ordered(Order, (Host, Invocation) throws -> Outcome)

    /// Which earlier calls a method waits for; the suite is found from the call's `suite`.
    enum Order {
        case append
        case suite
        /// Reads or changes the value of a key of the suite; three keys stand for pending records.
        case key
        /// Flushes the suite, perhaps to a destination that takes its time.
        case flush
        case allSuites
        case listing
        /// Waits for every call about presentations, and they for it.
        case reload
        /// A call about a presentation, named by `notification`.
        case presentation
        /// Ends a presentation, named by `notification`.
        case dismissal
        /// Begins a presentation.
        case beginning
    }

    /// What a method gives at once.
    enum Outcome {
        case done(JSON)
        /// Somebody answers later through ``Host/finish(_:_:)``.
        case later
    }
}

/// A call of a method that never waits.
struct FreeCall {
    let call: Call
    let peer: Peer
    let arguments: Arguments
}

extension MethodTable<HostMethod> {
    /// Adds a method with what it waits for.
    mutating func add(
        _ name: String,
        _ parameters: [String] = [],
        order: HostMethod.Order,
        _ body: @escaping (Host, Invocation) throws -> HostMethod.Outcome
    ) {
        add(name, parameters, .ordered(order, body))
    }

    /// Adds a method that never waits.
    mutating func addFree(
        _ name: String,
        _ parameters: [String] = [],
        _ body: @escaping (Host, FreeCall) throws -> HostMethod.Outcome
    ) {
        add(name, parameters, .free(body))
    }
}
