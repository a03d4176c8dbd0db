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
    /// The host keeps them and may deliver them once more. The source counts the attempt: if this process dies now, they
    /// come again with a `possiblySent` that is higher by the attempts that were reported and by one for
    /// the attempt that may be under way.
    public var uncertain: [Int64] = []
    /// The records that the host gives back, which come again before later records of their users.
    ///
    /// They were not sent since they were pulled, or since they were last reported uncertain.
    public var retry: [Int64] = []

    /// A settlement of no record.
    public init() {}
}

extension SourceSettlement {
    /// Reads the params of `settle`.
    init(_ arguments: Arguments) throws {
        delivered = try Self.ids("delivered", arguments)
        uncertain = try Self.ids("uncertain", arguments)
        retry = try Self.ids("retry", arguments)
        guard arguments["dead"] != nil else { return }
        dead = try arguments.array("dead").enumerated().map { index, letter in
            guard let id = letter["id"]?.integer, let reason = letter["reason"]?.string else {
                let path = "/params/dead/\(index)"
                throw RPCError.invalidParams(path: path, "a dead letter must have an id and a reason")
            }
            return DeadLetter(id, reason)
        }
    }

    private static func ids(_ name: String, _ arguments: Arguments) throws -> [Int64] {
        guard arguments[name] != nil else { return [] }
        guard let ids = try arguments.array(name).integers else {
            throw RPCError.invalidParams(path: "/params/\(name)", "\(name) must hold the ids of records")
        }
        return ids
    }
}
