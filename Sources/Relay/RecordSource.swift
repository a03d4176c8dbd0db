package import Delivery
internal import Suites

/// A source of records for a relay.
package protocol RecordSource: AnyObject {
    /// Asks for records, which the source then hands out to no other host. None may be sent before ``begin(_:completion:)``.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of records.
    ///   - wait: How long to wait for records, in milliseconds.
    ///   - completion: Called once.
    func pull(limit: Int, wait: Int64, completion: @escaping (Result<PullReply, SourceFailure>) -> Void)

    /// Stores that records may be sent from now on.
    ///
    /// - Parameters:
    ///   - ids: The records; not empty.
    ///   - completion: Called once; after a failure none of the records may be sent.
    func begin(_ ids: [Int64], completion: @escaping (Result<StoredReply, SourceFailure>) -> Void)

    /// Stores what became of records.
    ///
    /// - Parameters:
    ///   - settlement: What became of them; not empty.
    ///   - completion: Called once.
    func settle(_ settlement: SourceSettlement, completion: @escaping (Result<StoredReply, SourceFailure>) -> Void)

    /// Ends the source's process, because it violated the contract; the next call starts another one.
    func end()
}

/// Why a source did not answer.
package struct SourceFailure: Error {
    /// What happened, as a sentence.
    package let problem: String
    /// Whether the source's process does not know any more which records this host holds, or never did.
    package let isGone: Bool
    /// The shortest pause before the next call, in milliseconds.
    package var retryAfter: Int64 = 0

    /// A failure with its problem as a sentence.
    package init(problem: String, isGone: Bool, retryAfter: Int64 = 0) {
        (self.problem, self.isGone, self.retryAfter) = (problem, isGone, retryAfter)
    }
}

/// The params of `settle`.
package struct SourceSettlement: Equatable {
    var delivered: [Int64] = []
    var dead: [DeadRecord] = []
    var uncertain: [Int64] = []
    var retry: [Int64] = []
    var unsent: [Int64] = []

    /// A record that becomes a dead letter of the source.
    struct DeadRecord: Equatable {
        let id: Int64
        let reason: String
    }

    var isEmpty: Bool {
        delivered.isEmpty && dead.isEmpty && uncertain.isEmpty && retry.isEmpty && unsent.isEmpty
    }

    /// Adds what became of the records of a batch.
    mutating func add(_ settlement: Settlement) {
        delivered += settlement.delivered
        dead += settlement.deadLetters.map { DeadRecord(id: $0.id, reason: $0.reason) }
        uncertain += settlement.uncertain
    }
}
