internal import JSON
internal import JSONRPC
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
    /// What the call is about besides its suite; nil if its suite is all.
    @exclusivity(unchecked) var object: (any CallObject)? { didSet { peer.calls.update(self) } }
    /// The suite that the call names, or its default; nil if the method has none.
    @exclusivity(unchecked) var suite: Suite?
    @exclusivity(unchecked) private var timeOfCall: Int64?

    init(_ call: Call, _ peer: Peer, _ arguments: Arguments, _ method: OrderedMethod) {
        self.call = call
        self.peer = peer
        self.arguments = arguments
        self.method = method
    }

    override var isDropped: Bool { call.isAnswered }

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
    var suites: [SuiteName] { suite.map { [$0.name] } ?? object?.suites ?? [] }

    var namesRecords: Bool {
        guard let key = arguments["key"]?.string else { return true }
        return RecordKind(storageKey: key) != nil
    }

    var presentationIdentifier: String? { object?.presentationIdentifier }
    var extensionIdentifier: String { object?.extensionIdentifier ?? "" }
}
