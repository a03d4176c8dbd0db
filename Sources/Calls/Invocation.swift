package import JSON
package import JSONRPC
package import Platform
package import Suites

/// One call of a method of the contract, from its parsed params to its answer.
///
/// Its ``Scheduler`` decides by its state and its accesses when it runs.
package final class Invocation {
    /// The state of a call; times are on the monotonic clock in milliseconds.
    package enum State {
        /// Its params were read.
        case parsed
        /// It waits for earlier calls.
        case waiting(since: Int64)
        /// Another extension has its notification, and may change its accesses; it keeps its place.
        case away(since: Int64)
        /// Another process has locked its suite.
        case busy(since: Int64, Retry)
        /// It was started and has not ended.
        case running
        case finished
    }

    package let call: Call
    package let peer: Peer
    package let arguments: Arguments
    package let method: OrderedMethod
    /// The accesses of the call: those of its method, or others while another extension has the notification.
    package var rules: AccessRules {
        get { otherRules ?? method.rules }
        set {
            otherRules = newValue
            peer.scheduler.update(self)
        }
    }
    private var otherRules: AccessRules?
    /// The subject of the call besides its suite; nil if its suite is all.
    @exclusivity(unchecked) package var object: (any CallObject)? { didSet { peer.scheduler.update(self) } }
    /// The suite that the call names, or its default; nil if the method has none.
    @exclusivity(unchecked) package var suite: Suite?
    @exclusivity(unchecked) private var timeOfCall: Int64?

    /// Changed only by the scheduler, except that a waiting call may change from one state of waiting to another.
    var state = State.parsed
    /// Its place in the order of its connection; 0 until it waits or runs.
    var number = 0
    /// The accesses that the scheduler has registered for it.
    var held: [Access] = []

    package init(_ call: Call, _ peer: Peer, _ arguments: Arguments, _ method: OrderedMethod) {
        self.call = call
        self.peer = peer
        self.arguments = arguments
        self.method = method
    }

    /// The wall time of the call; read once, even if the call is tried several times.
    package func time(_ clock: Clock) -> Int64 {
        if let timeOfCall { return timeOfCall }
        let time = clock.wallTime()
        timeOfCall = time
        return time
    }

    /// Its accesses now.
    var accesses: [Access] { rules.accesses(of: self) }

    /// Whether it was answered before it ran.
    package var isDropped: Bool { call.isAnswered }
}

extension Invocation {
    /// The name of the method.
    package var methodName: String { arguments.signature.name }

    /// The suite of a call whose method has one.
    package var knownSuite: Suite {
        guard let suite else { preconditionFailure("\(methodName) has no suite") }
        return suite
    }

    // MARK: Consequences of the state

    /// Whether it has not started.
    package var isWaiting: Bool {
        switch state {
        case .waiting, .away, .busy: true
        case .parsed, .running, .finished: false
        }
    }

    /// Whether it was started and has not ended.
    var isRunning: Bool { if case .running = state { true } else { false } }

    /// When to try it again, if another process has locked its suite.
    var retryTime: Int64? { if case .busy(_, let retry) = state { retry.nextTry } else { nil } }

    /// Since when it waits for earlier calls.
    var waitingSince: Int64? {
        switch state {
        case .waiting(let since), .away(let since): since
        case .parsed, .busy, .running, .finished: nil
        }
    }

    /// Since when it waits for the process that has locked its suite.
    var busySince: Int64? { if case .busy(let since, _) = state { since } else { nil } }
}

extension Invocation: CallSubject {
    var suites: [SuiteName] { suite.map { [$0.name] } ?? object?.suites ?? [] }

    package var namesRecords: Bool {
        guard let key = arguments["key"]?.string else { return true }
        return RecordKind(storageKey: key) != nil
    }

    var presentationIdentifier: String? { object?.presentationIdentifier }
    var extensionIdentifier: String { object?.extensionIdentifier ?? "" }
}

/// A method of the host: its accesses and its code.
package enum HostMethod {
    /// Never waits, because no order matters: `ping`, `subscribe`, cancellation.
    case free(FreeMethod)
    /// Waits for earlier calls with conflicting accesses.
    case ordered(OrderedMethod)

    /// The code of a method that never waits; it returns nil if the call is answered later.
    package typealias FreeMethod = (Arguments, Peer, Call) throws -> JSON?

    /// The outcome of a method.
    package enum Outcome {
        case done(JSON)
        /// The result is an object with the id of a record as its only member, which is written without being built.
        case saved(id: Int64)
        /// The call is answered later; the method has registered it with ``Scheduler/begin(_:)``, else it holds no accesses.
        case later
        /// Another extension must first change the notification; the call waits at its place.
        case away
        /// The call turned out to conflict with an earlier one, and waits for it.
        case blocked
    }
}

/// A method whose calls wait for earlier calls with conflicting accesses.
package final class OrderedMethod {
    package typealias Preparation = (Invocation) throws(RPCError) -> Void

    package let rules: AccessRules
    /// Finds the suite or presentation of a call, on which its accesses depend.
    package let prepare: Preparation
    package let run: (Invocation) throws -> HostMethod.Outcome
    /// Frees what a call has that was answered before it ran.
    package let drop: (Invocation) -> Void

    package init(
        _ rules: AccessRules,
        prepare: @escaping Preparation,
        run: @escaping (Invocation) throws -> HostMethod.Outcome,
        drop: @escaping (Invocation) -> Void = { _ in }
    ) {
        (self.rules, self.prepare, self.run, self.drop) = (rules, prepare, run, drop)
    }
}

extension MethodTable<HostMethod> {
    /// Adds a method with its accesses.
    package mutating func add(
        _ name: String,
        _ parameters: [String] = [],
        _ rules: AccessRules,
        prepare: @escaping OrderedMethod.Preparation = { _ in },
        drop: @escaping (Invocation) -> Void = { _ in },
        _ run: @escaping (Invocation) throws -> HostMethod.Outcome
    ) {
        add(name, parameters, .ordered(OrderedMethod(rules, prepare: prepare, run: run, drop: drop)))
    }

    /// Adds a method that never waits.
    package mutating func addFree(
        _ name: String,
        _ parameters: [String] = [],
        _ body: @escaping HostMethod.FreeMethod
    ) {
        add(name, parameters, .free(body))
    }
}

extension Arguments {
    /// A time in milliseconds since 1970, written with a time zone; nil if it is absent.
    package func time(_ name: String) throws(RPCError) -> Int64? {
        let format = "an RFC 3339 time with a zone, such as 2026-01-01T00:00:00Z"
        return try optional(name, ExpectedValue(format) { $0.string.flatMap(Timestamp.parse) })
    }

    /// The key that identifies the repetitions of a save; nil if it is absent.
    package func idempotencyKey() throws(RPCError) -> IdempotencyKey? {
        let name = "idempotencyKey"
        guard has(name) else { return nil }
        guard let text = text(name) else { throw mistyped(name, ExpectedValue.string.description) }
        guard let key = IdempotencyKey(text) else { throw mistyped(name, IdempotencyKey.rule) }
        return key
    }
}

extension JSONPointer {
    /// A JSON Pointer of these names and indices.
    package static func pointer(_ steps: [String]) -> String { steps.map { "/" + escape($0) }.joined() }
}
