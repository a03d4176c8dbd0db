package import Contract
package import JSON
package import Suites

/// A destination's answer to a batch, checked against the batch.
package struct DeliveryReply: Equatable {
    /// The outcome of the delivery of one record.
    package enum Verdict: Equatable {
        case accepted
        /// The destination will never accept the record.
        case rejected(String)
        /// The record may have been sent.
        case uncertain
        /// The destination cannot accept the record as it is; it stays pending.
        case held(String)
    }

    /// The verdict of each record; records without one were not attempted.
    package var verdicts: [Int64: Verdict] = [:]
    /// The shortest pause before anything more is sent, in milliseconds.
    package var retryAfter: Int64?
    /// What an operator must do before anything more is sent.
    package var stop: String?
    /// The diagnostics of the destination.
    package var diagnostics: [Diagnostic] = []

    /// The longest pause that a destination may ask for, in milliseconds: a day.
    package static let longestPause: Int64 = 86_400_000

    /// An answer that only accepts some records.
    package init(accepting records: [Int64] = []) {
        for id in records { verdicts[id] = .accepted }
    }

    /// Reads an answer.
    ///
    /// - Parameters:
    ///   - value: The result of `deliver`.
    ///   - batch: The ids that were delivered.
    /// - Throws: An error that describes how the answer violates the contract.
    package init(_ value: JSON, batch: IDRuns) throws(ReplyError) {
        guard let object = value.object else { throw ReplyError("deliver must be answered with an object") }
        verdicts.reserveCapacity(batch.count)
        for (name, member) in object {
            switch name {
            case "accepted": try add(member, name, batch) { _ in .accepted }
            case "uncertain": try add(member, name, batch) { _ in .uncertain }
            case "rejected": try add(member, name, batch) { .rejected($0) }
            case "held": try add(member, name, batch) { .held($0) }
            case "retryAfter":
                guard let pause = member.integer, pause >= 0 else {
                    throw ReplyError("retryAfter must be a number of milliseconds")
                }
                retryAfter = min(pause, Self.longestPause)
            case "stop":
                guard let text = member.string, !text.isEmpty else {
                    throw ReplyError("stop must say what an operator has to do")
                }
                stop = text
            case "diagnostics": diagnostics = try Diagnostic.list(member)
            // A newer destination may send members that this host does not know.
            default: break
            }
        }
    }

    private mutating func add(
        _ list: JSON,
        _ name: String,
        _ batch: IDRuns,
        _ verdict: (String) -> Verdict
    ) throws(ReplyError) {
        guard let list = list.array else { throw ReplyError("\(name) must be an array") }
        guard name == "rejected" || name == "held" else {
            guard let ids = list.integers else { throw ReplyError("\(name) must hold ids") }
            for id in ids { try add(id, name, batch, verdict("")) }
            return
        }
        for element in list {
            guard let id = element["id"]?.integer, let reason = element["reason"]?.string else {
                throw ReplyError("\(name) must hold objects with id and reason")
            }
            try add(id, name, batch, verdict(reason))
        }
    }

    private mutating func add(
        _ id: Int64,
        _ name: String,
        _ batch: IDRuns,
        _ verdict: Verdict
    ) throws(ReplyError) {
        guard batch.contains(id) else {
            throw ReplyError("\(name) names the record \(id), which is not in the batch")
        }
        guard verdicts.updateValue(verdict, forKey: id) == nil else {
            throw ReplyError("it names the record \(id) twice")
        }
    }
}

/// Why a batch was not answered.
package struct DeliveryFailure: Error, Equatable {
    package let problem: String
    /// Whether the batch may have arrived nevertheless.
    package let mayHaveArrived: Bool
    /// The shortest pause before the next attempt, in milliseconds.
    package let retryAfter: Int64?

    package init(_ problem: String, mayHaveArrived: Bool, retryAfter: Int64? = nil) {
        self.problem = problem
        self.mayHaveArrived = mayHaveArrived
        self.retryAfter = retryAfter
    }
}

/// The outcome of the delivery of a batch.
package struct DeliveryOutcome {
    package let result: Result<DeliveryReply, DeliveryFailure>
    /// A diagnostic of the host about the delivery.
    package let diagnostic: Diagnostic?

    package init(_ result: Result<DeliveryReply, DeliveryFailure>, diagnostic: Diagnostic? = nil) {
        self.result = result
        self.diagnostic = diagnostic
    }
}
