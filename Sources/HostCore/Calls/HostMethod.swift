internal import JSON
internal import JSONRPC

/// A method of the host: what it touches and what it does.
enum HostMethod {
    /// Never waits and touches nothing that calls compete for: `ping`, `status`, cancellation.
    case free((FreeCall) throws -> Outcome)
    /// Waits for the earlier calls that matter to it.
    ///
    /// `prepare` finds what a call is about, before it is known whether the call must wait.
    case ordered(AccessRules, prepare: Preparation, run: (Invocation) throws -> Outcome)

    typealias Preparation = (Invocation) throws(RPCError) -> Void

    /// What a method returns.
    enum Outcome {
        case done(JSON)
        /// The call is answered later.
        case later
        /// Another extension decides first what the call is about; the call waits at its place.
        case away
        /// It turned out to touch what an earlier call holds; the call waits again.
        case blocked
    }
}

/// A call of a method that never waits.
struct FreeCall {
    let call: Call
    let peer: Peer
    let arguments: Arguments
}

extension MethodTable<HostMethod> {
    /// Adds a method with what it touches.
    mutating func add(
        _ name: String,
        _ parameters: [String] = [],
        _ rules: AccessRules,
        prepare: @escaping HostMethod.Preparation = { _ in },
        _ run: @escaping (Invocation) throws -> HostMethod.Outcome
    ) {
        add(name, parameters, .ordered(rules, prepare: prepare, run: run))
    }

    /// Adds a method that never waits.
    mutating func addFree(
        _ name: String,
        _ parameters: [String] = [],
        _ body: @escaping (FreeCall) throws -> HostMethod.Outcome
    ) {
        add(name, parameters, .free(body))
    }
}
