internal import JSON
internal import JSONRPC

/// A method of the host: what it touches and what it does.
enum HostMethod {
    /// Never waits and touches nothing that calls compete for: `ping`, `status`, cancellation.
    case free((Host, FreeCall) throws -> Outcome)
    /// Waits for the earlier calls that matter to it.
    case ordered(AccessRules, Preparation, (Host, Invocation) throws -> Outcome)

    /// How it is found what a call is about, before it is known whether it must wait.
    enum Preparation {
        case nothing
        case suite
        /// The suite, and the notification if one is named.
        case save
        /// The suite, and that the notification exists if one is named.
        case key
        case presentation
        case reception
    }

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
        of preparation: HostMethod.Preparation = .suite,
        _ body: @escaping (Host, Invocation) throws -> HostMethod.Outcome
    ) {
        add(name, parameters, .ordered(rules, preparation, body))
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
