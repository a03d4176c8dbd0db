import Contract
import JSON
import JSONRPC
import Suites

@testable import Delivery

extension FuzzTarget {
    static let deliveries = [FuzzTarget("delivery", checkDelivery), FuzzTarget("source", checkSource)]
}

/// The answers of a destination are refused with a sentence, or speak of records of the batch only.
private func checkDelivery(_ input: [UInt8]) throws {
    var input = FuzzInput(input)
    let kind = input.byte() % 3
    guard let value = try? JSON(parsing: input.bytes) else { return }
    let ids: [Int64] = [1, 2, 3, 7, 9, .max - 1, .max]
    do {
        switch kind {
        case 0:
            let reply = try DeliveryReply(value, batch: IDRuns(ids))
            try require(Set(reply.verdicts.keys).isSubset(of: ids), "it speaks of records of other batches")
            try require((0...DeliveryReply.longestPause).contains(reply.retryAfter ?? 0), "the pause is too long")
            try require(reply.stop?.isEmpty != true, "it stops without a word")
        case 1:
            let reply = try DryRunReply(value, batch: IDRuns(ids))
            try require(reply.requests.count <= ids.count, "it has more requests than records")
            try require(reply.rejected + reply.held <= ids.count, "it has more verdicts than records")
            try require(reply.requests.allSatisfy { $0["url"]?.string != nil }, "a request has no url")
        default:
            let reply = try CheckReply(value)
            let again = try CheckReply(reply.json)
            try require(again == reply, "\(reply.json) is read as another answer")
        }
    } catch let error as ReplyError {
        try require(!error.text.isEmpty, "the refusal has no text")
    }
}

/// The answers of a source are refused with a sentence; records are the same if they were kept as texts, and all of them
/// are written to a destination as JSON.
private func checkSource(_ bytes: [UInt8]) throws {
    let names = Names(["result"])
    func pulled(_ list: TextList?) throws -> PullReply? {
        let parsed = try? bytes.withUnsafeBytes { try JSON.parse($0, names, keeping: list) }
        guard case .object(let message) = parsed, let result = message[0] else { return nil }
        for method in ["begin", "settle"] {
            do throws(ReplyError) {
                _ = try LostRecordsReply(result, to: method)
            } catch {
                try require(error.text.hasPrefix(method) || !error.text.isEmpty, "the refusal has no text")
            }
        }
        do throws(ReplyError) {
            return try PullReply(result)
        } catch {
            try require(!error.text.isEmpty, "the refusal has no text")
            return nil
        }
    }
    let (texts, trees) = (try pulled(TextList("records", in: "result")), try pulled(nil))
    try require((texts == nil) == (trees == nil), "only one of texts and trees is accepted")
    guard let texts, let trees else { return }
    try require(texts.unreadable.map(\.id) == trees.unreadable.map(\.id), "other records are unreadable")
    try require(texts.records.map(\.id) == trees.records.map(\.id), "the records are others")
    try require(texts.share == trees.share && texts.pending == trees.pending, "the counts are others")
    try require(texts.records.allSatisfy { $0.id > 0 && $0.possiblySent >= 0 }, "a record has impossible numbers")
    for reply in [texts, trees] {
        let batch = OutgoingBatch(queue: "q", records: reply.records, user: nil, rateShare: reply.share)
        try require(batch.ids.count == reply.records.count, "it has \(batch.ids.count) ids")
        let value = try require(try? JSON(parsing: batch.params), "the batch is no JSON")
        try require(value["batch"]?.array?.count == reply.records.count, "records are missing")
    }
}
