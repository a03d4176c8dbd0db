package import Contract
package import JSON
package import Suites

/// A destination's answer to a dry run: what it would do with a batch, checked against the batch.
package struct DryRunReply: Equatable {
    /// The requests that it would make, in order, as the contract's `PlannedRequest`.
    package var requests: [JSON]
    /// How many records it would reject.
    package var rejected = 0
    /// How many records it would hold.
    package var held = 0
    /// What an operator must do before the records can be delivered.
    package var stop: String?
    /// The diagnostics of the destination, and one for each reason why it would reject or hold records.
    package var diagnostics: [Diagnostic] = []

    /// An answer of those requests.
    package init(_ requests: [JSON]) { self.requests = requests }

    /// Reads an answer.
    ///
    /// - Parameters:
    ///   - value: The result of `deliver`.
    ///   - batch: The ids of the batch.
    /// - Throws: An error that describes how the answer violates the contract.
    package init(_ value: JSON, batch: IDRuns) throws(ReplyError) {
        let reply = try DeliveryReply(value, batch: batch)
        var (rejections, holds): ([String], [String]) = ([], [])
        (requests, stop) = ([], reply.stop)
        for (_, verdict) in reply.verdicts.sorted(by: { $0.key < $1.key }) {
            switch verdict {
            case .accepted, .uncertain:
                throw ReplyError("a dry run was answered like a delivery, so records may have been sent")
            case .rejected(let reason):
                rejections.append(reason)
            case .held(let reason):
                holds.append(reason)
            }
        }
        (rejected, held) = (rejections.count, holds.count)
        guard reply.stop == nil else { return }
        requests = try Self.requests(value["requests"], limit: batch.count)
        diagnostics = Self.counted(rejections).map { count, reason in
            Diagnostic("wouldBeRejected", "\(Self.records(count)) would become dead letters: \(reason)")
        }
        diagnostics += Self.counted(holds).map { count, reason in
            Diagnostic("wouldBeHeld", "\(Self.records(count)) would stay pending: \(reason)")
        }
        diagnostics += reply.diagnostics
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
