import Delivery
import JSON
import Logging
import Platform
import Suites
import TestSupport
import Testing

@testable import HostCore

/// A relay with a source and a destination in memory.
@Suite struct RelayServiceTests {
    /// A source that answers when the test says so.
    private final class MemorySource: RecordSource {
        var pulls: [(limit: Int, completion: (Result<PullReply, SourceFailure>) -> Void)] = []
        var settlements: [(SourceSettlement, (Result<SettleReply, SourceFailure>) -> Void)] = []
        private(set) var ends = 0

        func pull(limit: Int, wait: Int64, completion: @escaping (Result<PullReply, SourceFailure>) -> Void) {
            pulls.append((limit, completion))
        }

        func settle(
            _ settlement: SourceSettlement,
            completion: @escaping (Result<SettleReply, SourceFailure>) -> Void
        ) {
            settlements.append((settlement, completion))
        }

        func end() { ends += 1 }

        /// Answers the oldest pull with events of that many users.
        func answerPull(_ ids: [Int64], users: Int64 = 100, possiblySent: Int64 = 0) throws {
            let records = ids.map { id -> JSON in
                [
                    "id": .integer(id), "suite": "s", "kind": "customEvent", "name": "e",
                    "time": "2026-01-01T00:00:00.000Z", "user": ["braze_id": .string("\(id % users)")],
                    "possiblySent": .integer(possiblySent),
                ]
            }
            let reply: JSON = [
                "records": JSON(records), "identity": "0123456789abcdef0123456789abcdef", "pending": 9,
            ]
            pulls.removeFirst().completion(.success(try PullReply(reply)))
        }

        /// Answers the oldest settlement, and returns it.
        func answerSettlement(lost: [Int64] = []) throws -> SourceSettlement {
            let (settlement, completion) = settlements.removeFirst()
            completion(.success(try SettleReply(["lost": .array(JSON.Array(integers: lost))])))
            return settlement
        }
    }

    private final class Bench {
        let source = MemorySource()
        let destination: MemoryDestination
        let service: RelayService

        init(batchesAtOnce: Int = 1) {
            destination = MemoryDestination(batchesAtOnce: batchesAtOnce)
            var delivery = DeliverySettings()
            // Nothing pauses, so that no test waits.
            delivery.retry = RetryPolicy(base: 0, limit: 0, patience: 0)
            service = RelayService(
                RelaySettings(source: "memory", destination: "memory"),
                from: source,
                to: destination,
                delivery: delivery,
                seed: 1,
                clock: Clock(start: 1_000),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            )
        }

        /// Does everything that is possible now, as the event loop does.
        func advance() {
            service.expire()
            while service.advance() {}
        }

        var batches: [[Int64]] { destination.batches.map { $0.batch.records.map(\.id) } }
    }

    @Test("Records are pulled into a window, delivered, and settled once the destination has accepted them")
    func delivered() throws {
        let bench = Bench()
        bench.advance()
        #expect(bench.source.pulls.map(\.limit) == [1_000])
        try bench.source.answerPull(Array(1...1_000))
        bench.advance()
        #expect(bench.batches == [Array(1...1_000)])
        #expect(bench.source.pulls.map(\.limit) == [1_000], "the next batch is pulled meanwhile")
        try bench.source.answerPull(Array(1_001...2_000))
        bench.advance()
        #expect(bench.source.pulls.isEmpty, "the window is full")
        #expect(bench.service.status.held == 2_000)
        #expect(bench.service.status.pending == 9)
        bench.destination.accept()
        bench.advance()
        #expect(try bench.source.answerSettlement().delivered == Array(1...1_000))
        bench.advance()
        #expect(bench.batches == [Array(1_001...2_000)])
        #expect(bench.service.status.delivered == 1_000)
        #expect(bench.service.status.held == 1_000)
        #expect(bench.source.pulls.count == 1)
    }

    @Test("A settlement that failed is repeated with all that came since, and the records are not delivered again")
    func repeatedSettlement() throws {
        let bench = Bench()
        bench.advance()
        try bench.source.answerPull([1, 2])
        bench.advance()
        bench.destination.accept()
        bench.advance()
        bench.source.settlements.removeFirst().1(.failure(SourceFailure(problem: "no", isGone: false)))
        while bench.source.settlements.isEmpty { bench.advance() }
        #expect(try bench.source.answerSettlement().delivered == [1, 2])
        bench.advance()
        #expect(bench.destination.batches.isEmpty)
        #expect(bench.service.status.held == 0)
    }

    @Test("A record that may have arrived is sent again only after the source has counted that")
    func uncertain() throws {
        let bench = Bench()
        bench.advance()
        try bench.source.answerPull([1])
        bench.advance()
        bench.destination.fail(DeliveryFailure("gone", mayHaveArrived: true))
        while bench.source.settlements.isEmpty { bench.advance() }
        for _ in 0..<100 { bench.advance() }
        #expect(bench.destination.batches.isEmpty)
        #expect(try bench.source.answerSettlement().uncertain == [1])
        while bench.destination.batches.isEmpty { bench.advance() }
        #expect(bench.destination.batches.first?.batch.records.first?.timesUncertain == 1)
        #expect(bench.service.status.ambiguous == 1)
    }

    @Test("When the source's process is gone, everything that was pulled is forgotten, and an old answer means nothing")
    func sourceGone() throws {
        let bench = Bench()
        bench.advance()
        try bench.source.answerPull([1, 2])
        bench.advance()
        let old = bench.source.pulls.removeFirst().completion
        bench.service.sourceFailed(SourceFailure(problem: "it exited", isGone: true))
        #expect(bench.service.status.held == 0 && bench.service.status.lost == 2)
        #expect(!bench.service.status.isReady)
        old(.failure(SourceFailure(problem: "it exited", isGone: true)))
        bench.destination.accept()
        while bench.source.pulls.isEmpty { bench.advance() }
        #expect(bench.source.settlements.isEmpty)
        try bench.source.answerPull([1, 2], possiblySent: 1)
        while bench.destination.batches.isEmpty { bench.advance() }
        #expect(bench.service.status.lost == 2)
    }

    @Test("Records that are revoked are given back, except those that are being sent, which are settled")
    func revoked() throws {
        let bench = Bench()
        bench.advance()
        try bench.source.answerPull([1, 2])
        bench.advance()
        bench.service.revoke([2, 8])
        try bench.source.answerPull([7, 8])
        bench.advance()
        #expect(try bench.source.answerSettlement().retry == [8])
        bench.destination.accept()
        while bench.source.settlements.isEmpty { bench.advance() }
        #expect(try bench.source.answerSettlement().delivered == [1, 2])
        bench.advance()
        #expect(bench.batches == [[7]])
        #expect(bench.service.status.lost == 1)
    }

    @Test("Records behind one that was revoked during the pull are given back with it, so that the order holds")
    func revokedBeforeOthers() throws {
        let bench = Bench()
        bench.advance()
        bench.service.revoke([2, 3])
        try bench.source.answerPull([1, 2, 3, 4, 5], users: 1)
        bench.advance()
        #expect(try bench.source.answerSettlement().retry == [2, 3, 4, 5])
        bench.advance()
        #expect(bench.batches == [[1]])
    }

    @Test("A relay that stops finishes its batch, and gives back what it did not send")
    func stopped() throws {
        let bench = Bench()
        bench.advance()
        try bench.source.answerPull(Array(1...1_000), users: 1)
        bench.advance()
        try bench.source.answerPull([1_001], users: 1)
        bench.advance()
        bench.service.stop()
        bench.advance()
        #expect(!bench.service.isDone)
        bench.destination.accept()
        bench.advance()
        #expect(try bench.source.answerSettlement().delivered == Array(1...1_000))
        bench.advance()
        #expect(try bench.source.answerSettlement().retry == [1_001])
        bench.advance()
        #expect(bench.service.isDone)
        #expect(bench.service.status.isStopping)
    }

    @Test("A record that the relay holds already breaks the contract, and the source starts anew")
    func doubled() throws {
        let bench = Bench()
        bench.advance()
        try bench.source.answerPull([1])
        bench.advance()
        try bench.source.answerPull([1])
        #expect(bench.source.ends == 1)
        #expect(bench.service.status.held == 0)
    }

    @Test("Records that must not be sent again become dead letters without being sent")
    func dead() throws {
        let bench = Bench()
        bench.advance()
        try bench.source.answerPull([1], possiblySent: 2)
        bench.advance()
        #expect(bench.destination.batches.isEmpty)
        #expect(try bench.source.answerSettlement().dead.map(\.id) == [1])
        #expect(bench.service.status.rejected == 1)
    }

    @Test("An attribute without a value becomes a dead letter; null would remove the attribute")
    func absentValue() throws {
        func reply(_ members: (String, JSON)...) throws -> PullReply {
            let record: [(String, JSON)] = [
                ("id", 1), ("suite", "s"), ("kind", "customAttribute"), ("key", "k"),
                ("time", "2026-01-01T00:00:00.000Z"),
            ]
            let records: JSON = [.object(JSON.Object(record + members))]
            return try PullReply(["records": records, "identity": "0123456789abcdef0123456789abcdef"])
        }
        #expect(try reply(("value", .null)).records.map(\.value) == [nil])
        #expect(try reply().unreadable.map(\.reason) == ["the record cannot be read: it has no value"])
    }
}
