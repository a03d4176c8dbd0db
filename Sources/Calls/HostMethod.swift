package import JSON
package import JSONRPC
internal import Platform
package import Suites

/// A method of the host: its accesses and its code.
package enum HostMethod {
    /// Never waits, because no order matters: `ping`, `status`, cancellation.
    case free(FreeMethod)
    /// Waits for earlier calls with conflicting accesses.
    case ordered(OrderedMethod)

    /// The code of a method that never waits; it returns nil if the call is answered later.
    package typealias FreeMethod = (Arguments, Peer, Call) throws -> JSON?

    /// What a method returns.
    package enum Outcome {
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
