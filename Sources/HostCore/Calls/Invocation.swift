internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Notifications
internal import Platform
internal import Suites

/// One call of the contract while the host works on it.
final class Invocation: ScheduledCall {
    let call: Call
    let peer: Peer
    let arguments: Arguments
    let run: (Invocation) throws -> HostMethod.Outcome
    /// What the call touches; a notification on its way through other extensions touches more than its method says.
    var rules: AccessRules { didSet { peer.calls.update(self) } }
    /// What the call is about.
    var subject = Subject.suite { didSet { peer.calls.update(self) } }
    /// The suite that the call names or means, if its method has one.
    var suite: Suite?
    private var timeOfCall: Int64?

    /// What a call is about.
    enum Subject {
        /// Its suite, or nothing.
        case suite
        /// A presentation, and what the notification says that the call names.
        case presentation(Presentation, Payload)
        /// The notification that it brings.
        case reception(Reception)
    }

    init(
        call: Call,
        peer: Peer,
        arguments: Arguments,
        rules: AccessRules,
        run: @escaping (Invocation) throws -> HostMethod.Outcome
    ) {
        self.call = call
        self.peer = peer
        self.arguments = arguments
        self.rules = rules
        self.run = run
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

    /// The notification that the call brings, if it brings one.
    var reception: Reception? { if case .reception(let reception) = subject { reception } else { nil } }

    /// The extension that shows the notification; nil if the system does.
    var process: ExtensionProcess? { reception?.process ?? presentation?.process }

    /// The wall time of the call, read once however often the call is tried.
    func time(_ clock: Clock) -> Int64 {
        if let timeOfCall { return timeOfCall }
        let time = clock.wallTime()
        timeOfCall = time
        return time
    }

    // MARK: What it touches

    override var accesses: [Access] { rules.accesses(of: self) }
}

extension Invocation {
    /// The suite of a call whose method has one.
    var knownSuite: Suite {
        guard let suite else { preconditionFailure("\(call.method) has no suite") }
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
    var arrival: ReceivedNotification?
    /// The extension that shows it; nil if the system does.
    var process: ExtensionProcess?
    /// The presentation that shows it.
    var presentation: Presentation?
    /// Whether another extension has it now, which may change what it is.
    var isAway = false
    /// The suites of all extensions that may show it, while another extension may still change which one does.
    var suitesOfCandidates: [SuiteName]?
}
