internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Notifications
internal import Platform
internal import Suites

/// One call of a method of the contract, from its parsed params to its answer.
final class Invocation: ScheduledCall {
    let call: Call
    let peer: Peer
    let arguments: Arguments
    let method: OrderedMethod
    /// The accesses of the call: those of its method, or others while another extension has the notification.
    var rules: AccessRules {
        get { otherRules ?? method.rules }
        set {
            otherRules = newValue
            peer.calls.update(self)
        }
    }
    private var otherRules: AccessRules?
    /// The object of the call.
    @exclusivity(unchecked) var subject = Subject.suite { didSet { peer.calls.update(self) } }
    /// The suite that the call names, or its default; nil if the method has none.
    @exclusivity(unchecked) var suite: Suite?
    @exclusivity(unchecked) private var timeOfCall: Int64?

    /// The object of a call.
    enum Subject {
        /// Its suite, or nothing.
        case suite
        /// A presentation, and the payload of the notification that the call names.
        case presentation(Presentation, Payload)
        /// A notification that the call delivers to the host.
        case reception(Reception)
    }

    init(_ call: Call, _ peer: Peer, _ arguments: Arguments, _ method: OrderedMethod) {
        self.call = call
        self.peer = peer
        self.arguments = arguments
        self.method = method
    }

    override var isDropped: Bool { call.isAnswered }

    /// The presentation that the call is about, if it is known.
    var presentation: Presentation? {
        switch subject {
        case .suite: nil
        case .presentation(let presentation, _): presentation
        case .reception(let reception): reception.presentation
        }
    }

    /// The notification that the call delivers, if it delivers one.
    var reception: Reception? { if case .reception(let reception) = subject { reception } else { nil } }

    /// The extension that shows the notification; nil if the system does.
    var process: ExtensionProcess? { reception?.process ?? presentation?.process }

    /// The wall time of the call; read once, even if the call is tried several times.
    func time(_ clock: Clock) -> Int64 {
        if let timeOfCall { return timeOfCall }
        let time = clock.wallTime()
        timeOfCall = time
        return time
    }

    // MARK: Accesses

    override var accesses: [Access] { rules.accesses(of: self) }
}

extension Invocation {
    /// The name of the method.
    var methodName: String { arguments.signature.name }

    /// The suite of a call whose method has one.
    var knownSuite: Suite {
        guard let suite else { preconditionFailure("\(methodName) has no suite") }
        return suite
    }
}

extension Invocation: CallSubject {
    var suites: [SuiteName] {
        if let suite { return [suite.name] }
        if let suites = reception?.suitesOfCandidates { return suites }
        return process?.bundle.applicationGroups.compactMap(SuiteName.init) ?? []
    }

    var namesRecords: Bool {
        guard let key = arguments["key"]?.string else { return true }
        return RecordKind(storageKey: key) != nil
    }

    var presentationIdentifier: String? { presentation?.identifier }
    var extensionIdentifier: String { process?.bundle.identifier ?? "" }
}

/// A notification between its arrival and its presentation.
final class Reception {
    /// The payload as it came, if it is a template that must be rendered first.
    var template: PersonalizationTemplate?
    /// What the payload says, once it is rendered.
    var payload: Payload?
    /// What is shown, once the payload was read for the service extension.
    var received: ReceivedNotification?
    /// The extension that shows it; nil if the system does.
    var process: ExtensionProcess?
    /// The presentation that shows it.
    var presentation: Presentation?
    /// Whether another extension has it now, which may change what it is.
    var isAway = false
    /// The suites of all extensions that may show it, while another extension may still change which one does.
    var suitesOfCandidates: [SuiteName]?
}
