internal import JSON
internal import JSONRPC

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
