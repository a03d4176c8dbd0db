internal import JSON

/// What became of the records of a batch.
///
/// A record that no list names was not attempted: it stays pending and is offered
/// again after a pause: the host's own, and at least ``retryAfter``.
public struct DeliveryResult: Equatable, Sendable {
    /// A record and why it was not taken.
    public struct Refusal: Equatable, Sendable {
        /// The record.
        public let id: Int64
        /// One sentence for people.
        public let reason: String

        /// A refusal of the record for that reason.
        public init(_ id: Int64, _ reason: String) {
            self.id = id
            self.reason = reason
        }
    }

    /// A remark for whoever flushes.
    public struct Diagnostic: Equatable, Sendable {
        /// A stable word for programs.
        public let reason: String
        /// One sentence for people.
        public let message: String

        /// A remark.
        public init(reason: String, _ message: String) {
            self.reason = reason
            self.message = message
        }
    }

    /// The records that are safely there; the host deletes them.
    public var accepted: [Int64] = []
    /// The records that will never be taken; they become dead letters.
    public var rejected: [Refusal] = []
    /// The records that may have arrived.
    ///
    /// They are offered once more, with ``DeliveryRecord/possiblySent``. Uncertain
    /// a second time, a record becomes a dead letter, as an increment does at once.
    public var uncertain: [Int64] = []
    /// The records that stay pending and are not offered again by this flush.
    public var held: [Refusal] = []
    /// The least time before anything more is delivered; the host's own pause may be longer.
    public var retryAfter: Duration?
    /// What an operator has to do; it ends the flush, and everything is kept.
    public var stop: String?
    /// Remarks.
    public var diagnostics: [Diagnostic] = []

    /// A result that names no record: nothing was attempted.
    public init() {}

    /// A result that took those records.
    ///
    /// - Parameter accepted: The numbers of the records.
    public init(accepted: [Int64]) { self.accepted = accepted }
}

extension DeliveryResult {
    /// The result as the wire has it; members that say nothing are left out.
    var json: JSON {
        func refusals(_ list: [Refusal]) -> JSON {
            JSON(list.map { JSON.object(JSON.Object([("id", .integer($0.id)), ("reason", .string($0.reason))])) })
        }
        var members: [(String, JSON)] = []
        if !accepted.isEmpty { members.append(("accepted", JSON(accepted.lazy.map(JSON.integer)))) }
        if !rejected.isEmpty { members.append(("rejected", refusals(rejected))) }
        if !uncertain.isEmpty { members.append(("uncertain", JSON(uncertain.lazy.map(JSON.integer)))) }
        if !held.isEmpty { members.append(("held", refusals(held))) }
        if let retryAfter { members.append(("retryAfter", .integer(retryAfter.milliseconds))) }
        if let stop { members.append(("stop", .string(stop))) }
        if !diagnostics.isEmpty {
            let list = diagnostics.map { ["reason": .string($0.reason), "message": .string($0.message)] as JSON }
            members.append(("diagnostics", JSON(list)))
        }
        return .object(JSON.Object(members))
    }
}

extension Duration {
    /// Whole milliseconds, rounded up so that nobody comes too early; never negative.
    fileprivate var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        let (sum, again) = product.addingReportingOverflow((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
        return overflow || again ? .max : sum
    }
}
