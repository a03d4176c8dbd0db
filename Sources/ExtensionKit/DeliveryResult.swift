internal import JSON

/// The outcome of the records of a batch.
///
/// A record that is in no list was not attempted: it stays pending and is offered
/// again after the host's own pause, or after ``retryAfter`` if that is longer.
public struct DeliveryResult: Equatable, Sendable {
    /// A record that was not delivered, and the reason.
    public struct Refusal: Equatable, Sendable {
        /// The record.
        public let id: Int64
        /// One sentence for people.
        public let reason: String

        /// A record that is refused for that reason.
        public init(_ id: Int64, _ reason: String) {
            self.id = id
            self.reason = reason
        }
    }

    /// A diagnostic for the caller of the flush.
    public struct Diagnostic: Equatable, Sendable {
        /// A stable word for programs.
        public let reason: String
        /// One sentence for people.
        public let message: String

        /// A diagnostic.
        public init(reason: String, _ message: String) {
            self.reason = reason
            self.message = message
        }
    }

    /// The records that the service has accepted; the host deletes them.
    public var accepted: [Int64] = []
    /// The records that the service will never accept; they become dead letters.
    public var rejected: [Refusal] = []
    /// The records that may have arrived.
    ///
    /// The host offers them once more, with ``DeliveryRecord/possiblySent``. A record
    /// that is uncertain a second time becomes a dead letter; an increment becomes one at once.
    public var uncertain: [Int64] = []
    /// The records that stay pending; this flush does not offer them again.
    public var held: [Refusal] = []
    /// The minimum time before the next delivery; the host's own pause may be longer.
    public var retryAfter: Duration?
    /// If set, the flush ends and all records are kept; it says what an operator has to do.
    public var stop: String?
    /// The diagnostics for the caller of the flush.
    public var diagnostics: [Diagnostic] = []

    /// A result that names no record: nothing was attempted.
    public init() {}

    /// A result in which those records were accepted.
    ///
    /// - Parameter accepted: The numbers of the records.
    public init(accepted: [Int64]) { self.accepted = accepted }
}

extension DeliveryResult {
    /// The result as a reply on the wire; empty members are left out.
    var json: JSON {
        func refusals(_ list: [Refusal]) -> JSON? {
            JSON(nonEmpty: list.map { ["id": .integer($0.id), "reason": .string($0.reason)] })
        }
        return JSON(present: [
            "accepted": JSON(nonEmpty: accepted), "rejected": refusals(rejected),
            "uncertain": JSON(nonEmpty: uncertain), "held": refusals(held),
            "retryAfter": retryAfter.map { .integer($0.wholeMilliseconds) }, "stop": stop.map(JSON.string),
            "diagnostics": JSON(
                nonEmpty: diagnostics.map { ["reason": .string($0.reason), "message": .string($0.message)] }
            ),
        ])
    }
}

extension Duration {
    /// Whole milliseconds, rounded up so that nothing starts too early; never negative.
    var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        let (sum, again) = product.addingReportingOverflow((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
        return overflow || again ? .max : sum
    }
}
