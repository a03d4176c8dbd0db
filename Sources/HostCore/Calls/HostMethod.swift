internal import JSON
internal import JSONRPC

/// A method of the host: its accesses and its code.
enum HostMethod {
    /// Never waits, because no order matters: `ping`, `status`, cancellation.
    case free(FreeMethod)
    /// Waits for earlier calls with conflicting accesses.
    case ordered(OrderedMethod)

    /// The code of a method that never waits; it returns nil if the call is answered later.
    typealias FreeMethod = (Arguments, Peer, Call) throws -> JSON?

    /// What a method returns.
    enum Outcome {
        case done(JSON)
        /// The result is an object with the id of a record as its only member, which is written without being built.
        case saved(id: Int64)
        /// The call is answered later.
        case later
        /// Another extension must first change the notification; the call waits at its place.
        case away
        /// The call turned out to conflict with an earlier one, and waits for it.
        case blocked
    }
}

/// A method whose calls wait for earlier calls with conflicting accesses.
final class OrderedMethod {
    typealias Preparation = (Invocation) throws(RPCError) -> Void

    let rules: AccessRules
    /// Finds the suite or presentation of a call, on which its accesses depend.
    let prepare: Preparation
    let run: (Invocation) throws -> HostMethod.Outcome
    /// Frees what a call has that was answered before it ran.
    let drop: (Invocation) -> Void

    init(
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
    mutating func add(
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
    mutating func addFree(
        _ name: String,
        _ parameters: [String] = [],
        _ body: @escaping HostMethod.FreeMethod
    ) {
        add(name, parameters, .free(body))
    }
}
