internal import JSON
package import JSONRPC
package import Platform
package import Suites

/// One call of a method of the contract, from its parsed params to its answer.
package final class Invocation: ScheduledCall {
    package let call: Call
    package let peer: Peer
    package let arguments: Arguments
    package let method: OrderedMethod
    /// The accesses of the call: those of its method, or others while another extension has the notification.
    package var rules: AccessRules {
        get { otherRules ?? method.rules }
        set {
            otherRules = newValue
            peer.calls.update(self)
        }
    }
    private var otherRules: AccessRules?
    /// What the call is about besides its suite; nil if its suite is all.
    @exclusivity(unchecked) package var object: (any CallObject)? { didSet { peer.calls.update(self) } }
    /// The suite that the call names, or its default; nil if the method has none.
    @exclusivity(unchecked) package var suite: Suite?
    @exclusivity(unchecked) private var timeOfCall: Int64?

    package init(_ call: Call, _ peer: Peer, _ arguments: Arguments, _ method: OrderedMethod) {
        self.call = call
        self.peer = peer
        self.arguments = arguments
        self.method = method
    }

    package override var isDropped: Bool { call.isAnswered }

    /// The wall time of the call; read once, even if the call is tried several times.
    package func time(_ clock: Clock) -> Int64 {
        if let timeOfCall { return timeOfCall }
        let time = clock.wallTime()
        timeOfCall = time
        return time
    }

    // MARK: Accesses

    package override var accesses: [Access] { rules.accesses(of: self) }
}

extension Invocation {
    /// The name of the method.
    package var methodName: String { arguments.signature.name }

    /// The suite of a call whose method has one.
    package var knownSuite: Suite {
        guard let suite else { preconditionFailure("\(methodName) has no suite") }
        return suite
    }
}

extension Invocation: CallSubject {
    package var suites: [SuiteName] { suite.map { [$0.name] } ?? object?.suites ?? [] }

    package var namesRecords: Bool {
        guard let key = arguments["key"]?.string else { return true }
        return RecordKind(storageKey: key) != nil
    }

    package var presentationIdentifier: String? { object?.presentationIdentifier }
    package var extensionIdentifier: String { object?.extensionIdentifier ?? "" }
}
