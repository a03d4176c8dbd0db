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
        /// The record may have been sent; `uncertain` on the wire.
        case ambiguous
        /// The destination cannot accept the record as it is; it stays pending.
        case held(String)
    }

    /// The verdict of each record; records without one were not attempted.
    package var verdicts: [Int64: Verdict] = [:]
    /// The shortest pause before anything more is sent, in milliseconds.
    package var retryAfter: Int64?
    /// The action that an operator must take before anything more is sent.
    package var stop: String?
    /// The diagnostics of the destination.
    package var diagnostics: [Diagnostic] = []

    /// The longest pause that a destination may ask for, in milliseconds: a day.
    package static let longestPause: Int64 = 86_400_000

    /// An answer that only accepts some records.
    package init(accepting records: [Int64] = []) {
        for id in records { verdicts[id] = .accepted }
    }

    /// Reads the result of `deliver` for a batch.
    package init(_ value: JSON, batch: IDRuns) throws(ReplyError) {
        guard let object = value.object else { throw ReplyError("deliver must be answered with an object") }
        verdicts.reserveCapacity(batch.count)
        for (name, member) in object {
            switch name {
            case "accepted": try addIDs(member, name, batch, .accepted)
            case "uncertain": try addIDs(member, name, batch, .ambiguous)
            case "rejected": try addReasoned(member, name, batch, Verdict.rejected)
            case "held": try addReasoned(member, name, batch, Verdict.held)
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

    private mutating func addIDs(
        _ list: JSON,
        _ name: String,
        _ batch: IDRuns,
        _ verdict: Verdict
    ) throws(ReplyError) {
        guard let list = list.array else { throw ReplyError("\(name) must be an array") }
        guard let ids = list.integers else { throw ReplyError("\(name) must hold ids") }
        for id in ids { try add(id, name, batch, verdict) }
    }

    private mutating func addReasoned(
        _ list: JSON,
        _ name: String,
        _ batch: IDRuns,
        _ verdict: (String) -> Verdict
    ) throws(ReplyError) {
        guard let list = list.array else { throw ReplyError("\(name) must be an array") }
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

/// A destination's answer to a dry run: what it would do with a batch, checked against the batch.
package struct DryRunReply: Equatable {
    /// The requests that it would make, in order, as the contract's `PlannedRequest`; none if it stops.
    package var requests: [JSON]
    /// How many records it would reject.
    package var rejected = 0
    /// How many records it would leave pending.
    package var held = 0
    /// The action that an operator must take before the records can be delivered.
    package var stop: String?
    /// The diagnostics of the destination, and one for each reason why it would reject records or leave them pending.
    package var diagnostics: [Diagnostic] = []

    /// An answer of those requests.
    package init(_ requests: [JSON]) { self.requests = requests }

    /// Reads the result of a dry run for a batch.
    package init(_ value: JSON, batch: IDRuns) throws(ReplyError) {
        let reply = try DeliveryReply(value, batch: batch)
        var (rejections, heldReasons): ([String], [String]) = ([], [])
        (requests, stop) = ([], reply.stop)
        for (_, verdict) in reply.verdicts.sorted(by: { $0.key < $1.key }) {
            switch verdict {
            case .accepted, .ambiguous:
                throw ReplyError("a dry run was answered like a delivery, so records may have been sent")
            case .rejected(let reason):
                rejections.append(reason)
            case .held(let reason):
                heldReasons.append(reason)
            }
        }
        (rejected, held) = (rejections.count, heldReasons.count)
        diagnostics = Self.counted(rejections).map { count, reason in
            Diagnostic("wouldBeRejected", "\(Self.records(count)) would become dead letters: \(reason)")
        }
        diagnostics += Self.counted(heldReasons).map { count, reason in
            Diagnostic("wouldBeHeld", "\(Self.records(count)) would stay pending: \(reason)")
        }
        diagnostics += reply.diagnostics
        if stop == nil { requests = try Self.requests(value["requests"], limit: batch.count) }
    }

    /// Each reason once, in order, with the number of its occurrences.
    private static func counted(_ reasons: [String]) -> [(Int, String)] {
        var seen: Set<String> = []
        let counts = reasons.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        return reasons.filter { seen.insert($0).inserted }.map { (counts[$0] ?? 0, $0) }
    }

    private static func records(_ count: Int) -> String { count == 1 ? "1 record" : "\(count) records" }

    private static func requests(_ list: JSON?, limit: Int) throws(ReplyError) -> [JSON] {
        guard let list = list?.array else { throw ReplyError("a dry run must be answered with requests") }
        guard list.count <= limit else { throw ReplyError("there are more requests than records in the batch") }
        for request in list {
            guard request["method"]?.string != nil, request["url"]?.string != nil else {
                throw ReplyError("each of the requests must have a method and a url")
            }
            let headers = request["headers"]
            guard headers == nil || headers?.object?.allSatisfy({ $0.value.string != nil }) == true else {
                throw ReplyError("the headers of a request must be texts")
            }
        }
        return Array(list)
    }
}

/// A destination's answer to `check`: whether it can be reached and would accept records.
package struct CheckReply: Equatable {
    /// Whether its service answered.
    package let isReachable: Bool
    /// Whether the service accepts the key and would accept records; nil if the answer does not say.
    package let isAccepted: Bool?
    /// How long the service took, in milliseconds.
    package let milliseconds: Int64?
    /// The service's own time as the destination wrote it, supposedly RFC 3339; not checked.
    package let date: String?
    /// A sentence for people.
    package let message: String

    package init(
        isReachable: Bool,
        isAccepted: Bool?,
        milliseconds: Int64? = nil,
        date: String? = nil,
        message: String
    ) {
        self.isReachable = isReachable
        self.isAccepted = isAccepted
        self.milliseconds = milliseconds
        self.date = date
        self.message = message
    }

    /// Reads the result of `check`.
    package init(_ value: JSON) throws(ReplyError) {
        guard let isReachable = value["reachable"]?.bool else {
            throw ReplyError("the answer to check must have reachable, true or false")
        }
        guard let message = value["message"]?.string, !message.isEmpty else {
            throw ReplyError("the answer to check must have a message")
        }
        self.isReachable = isReachable
        self.message = message
        isAccepted = value["accepted"]?.bool
        milliseconds = value["milliseconds"]?.integer
        date = value["date"]?.string
    }

    /// The answer on the wire.
    package var json: JSON {
        JSON(present: [
            "reachable": .bool(isReachable), "accepted": isAccepted.map(JSON.bool),
            "milliseconds": milliseconds.map(JSON.integer), "date": date.map(JSON.string), "message": .string(message),
        ])
    }
}
