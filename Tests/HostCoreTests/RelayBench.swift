import Delivery
import Foundation
import JSON
import Logging
import Platform
import Suites
import TestSupport
import Testing

@testable import Configuration
@testable import HostCore
@testable import Relay

/// A source that answers when the test says so.
final class MemorySource: RecordSource {
    var pulls: [(limit: Int, wait: Int64, completion: (Result<PullReply, SourceFailure>) -> Void)] = []
    /// Whether it answers at once that records may be sent.
    var beginsAtOnce = true
    var begins: [(ids: [Int64], completion: (Result<LostRecordsReply, SourceFailure>) -> Void)] = []
    /// All records that it was told to begin.
    private(set) var begun: [[Int64]] = []
    var settlements: [(SettleParams, (Result<LostRecordsReply, SourceFailure>) -> Void)] = []
    private(set) var ends = 0

    func pull(limit: Int, wait: Int64, completion: @escaping (Result<PullReply, SourceFailure>) -> Void) {
        pulls.append((limit, wait, completion))
    }

    func begin(_ ids: [Int64], completion: @escaping (Result<LostRecordsReply, SourceFailure>) -> Void) {
        begun.append(ids)
        begins.append((ids, completion))
        if beginsAtOnce { try? answerBegin() }
    }

    func settle(
        _ settlement: SettleParams,
        completion: @escaping (Result<LostRecordsReply, SourceFailure>) -> Void
    ) {
        settlements.append((settlement, completion))
    }

    func end() { ends += 1 }

    /// Answers the oldest pull with events of that many users.
    func answerPull(_ ids: [Int64], users: Int64 = 100, possiblySent: Int64 = 0, share: Double? = nil) throws {
        let reply = try Self.pulled(ids, users: users, possiblySent: possiblySent, share: share)
        pulls.removeFirst().completion(.success(reply))
    }

    /// The identifier of its queue.
    static let identity = "0123456789abcdef0123456789abcdef"

    static func pulled(
        _ ids: [Int64],
        users: Int64 = 100,
        possiblySent: Int64 = 0,
        share: Double? = nil
    ) throws -> PullReply {
        let records = ids.map { id -> JSON in
            [
                "id": .integer(id), "suite": "s", "kind": "customEvent", "name": "e",
                "time": "2026-01-01T00:00:00.000Z", "user": ["braze_id": .string("\(id % users)")],
                "possiblySent": .integer(possiblySent),
            ]
        }
        return try PullReply(
            JSON(present: [
                "records": JSON(records), "identity": .string(identity), "pending": 9, "share": share.map(JSON.real),
            ])
        )
    }

    /// Answers that records may be sent.
    func answerBegin(lost: [Int64] = [], sendUntil: String? = nil) throws {
        let reply = try Self.reply(lost, sendUntil: sendUntil, to: "begin")
        begins.removeFirst().completion(.success(reply))
    }

    /// Answers the oldest settlement, and returns it.
    func answerSettlement(lost: [Int64] = []) throws -> SettleParams {
        let (settlement, completion) = settlements.removeFirst()
        completion(.success(try Self.reply(lost, to: "settle")))
        return settlement
    }

    /// Fails the oldest settlement.
    func failSettlement(_ failure: SourceFailure) { settlements.removeFirst().1(.failure(failure)) }

    private static func reply(
        _ lost: [Int64],
        sendUntil: String? = nil,
        to method: String
    ) throws -> LostRecordsReply {
        let lost = JSON.array(JSON.Array(integers: lost))
        return try LostRecordsReply(
            JSON(present: ["lost": lost, "sendUntil": sendUntil.map(JSON.string)]),
            to: method
        )
    }
}

/// A relay with a source and a destination in memory.
final class RelayBench {
    let source = MemorySource()
    let destination: MemoryDestination
    let service: RelayService

    init(batchesAtOnce: Int = 1, longestPause: Int64 = 0, stopPatience: Int64 = 60_000, log: LogSink? = nil) {
        destination = MemoryDestination(batchesAtOnce: batchesAtOnce)
        var settings = RelaySettings(source: "memory", destination: "memory")
        settings.stopPatience = stopPatience
        var delivery = DeliverySettings()
        // Nothing pauses, so that no test waits.
        delivery.retry = RetryPolicy(base: longestPause, limit: longestPause, patience: 0)
        service = RelayService(
            settings,
            from: source,
            to: destination,
            delivery: delivery,
            seed: 1,
            clock: Clock(start: 1_000),
            logger: Logger(label: "test") {
                guard let log else { return SwiftLogNoOpLogHandler() }
                return SinkLogHandler(label: $0, level: .info, sink: log, format: .text)
            }
        )
    }

    /// Does everything that is possible now, as the event loop does.
    func advance() {
        service.expire()
        while service.advance() {}
    }

    var batches: [[Int64]] { destination.batches.map { $0.batch.records.map(\.id) } }

    /// The params of the batches that wait for an answer.
    var params: [JSON] { get throws { try destination.batches.map { try JSON(parsing: $0.batch.params) } } }
}
