internal import JSON
internal import JSONRPC

/// What became of records that a source handed out; a record is in at most one list.
public struct SourceSettlement: Sendable {
    /// A record that will never be accepted, and the reason.
    public typealias DeadLetter = DeliveryResult.Refusal

    /// The records that the destination accepted: they are removed from the queue.
    public var delivered: [Int64] = []
    /// The records that no destination will accept: they become dead letters with their reasons.
    public var dead: [DeadLetter] = []
    /// The records that may have arrived.
    ///
    /// The host keeps them, and begins them again before it delivers them once more. The attempt that was counted by
    /// ``SourceExtension/begin(_:)`` stays counted, whatever becomes of them.
    public var uncertain: [Int64] = []
    /// The records that the host gives back, which come again before later records of their users.
    ///
    /// They were not sent since they were pulled, or since they were last in ``uncertain`` or ``unsent``. If they were begun
    /// since then, that attempt does not count any more.
    public var retry: [Int64] = []
    /// The records that were begun and that the host did not send, for example because the destination asked for a pause.
    ///
    /// The host keeps them, and begins them again before it sends them. The attempt that was counted by
    /// ``SourceExtension/begin(_:)`` does not count any more.
    public var unsent: [Int64] = []

    /// A settlement of no record.
    public init() {}
}

extension SourceSettlement {
    /// Reads the params of `settle`.
    init(_ arguments: Arguments) throws {
        func ids(_ name: String) throws -> [Int64] { arguments[name] == nil ? [] : try arguments.ids(name) }
        delivered = try ids("delivered")
        uncertain = try ids("uncertain")
        retry = try ids("retry")
        unsent = try ids("unsent")
        guard arguments["dead"] != nil else { return }
        dead = try arguments.array("dead").enumerated().map { index, letter in
            guard let id = letter["id"]?.integer, let reason = letter["reason"]?.string else {
                let path = "/params/dead/\(index)"
                throw RPCError.invalidParams(path: path, "a dead letter must have an id and a reason")
            }
            return DeadLetter(id, reason)
        }
    }
}

extension Arguments {
    /// The ids of records in a list that must be present.
    func ids(_ name: String) throws -> [Int64] {
        guard let ids = try array(name).integers else {
            throw RPCError.invalidParams(path: "/params/\(name)", "\(name) must hold the ids of records")
        }
        return ids
    }
}
