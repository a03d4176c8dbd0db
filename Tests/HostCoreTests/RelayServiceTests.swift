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

/// A relay with a source and a destination in memory.
@Suite struct RelayServiceTests {
    /// A source that answers when the test says so.
    private final class MemorySource: RecordSource {
        var pulls: [(limit: Int, completion: (Result<PullReply, SourceFailure>) -> Void)] = []
        /// Whether it answers at once that records may be sent.
        var beginsAtOnce = true
        var begins: [(ids: [Int64], completion: (Result<LostRecordsReply, SourceFailure>) -> Void)] = []
        /// All records that it was told to begin.
        private(set) var begun: [[Int64]] = []
        var settlements: [(SettleParams, (Result<LostRecordsReply, SourceFailure>) -> Void)] = []
        private(set) var ends = 0

        func pull(limit: Int, wait: Int64, completion: @escaping (Result<PullReply, SourceFailure>) -> Void) {
            pulls.append((limit, completion))
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
        func answerPull(_ ids: [Int64], users: Int64 = 100, possiblySent: Int64 = 0) throws {
            let reply = try Self.pulled(ids, users: users, possiblySent: possiblySent)
            pulls.removeFirst().completion(.success(reply))
        }

        static func pulled(_ ids: [Int64], users: Int64 = 100, possiblySent: Int64 = 0) throws -> PullReply {
            let records = ids.map { id -> JSON in
                [
                    "id": .integer(id), "suite": "s", "kind": "customEvent", "name": "e",
                    "time": "2026-01-01T00:00:00.000Z", "user": ["braze_id": .string("\(id % users)")],
                    "possiblySent": .integer(possiblySent),
                ]
            }
            return try PullReply([
                "records": JSON(records), "identity": "0123456789abcdef0123456789abcdef", "pending": 9,
            ])
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

    private final class Bench {
        let source = MemorySource()
        let destination: MemoryDestination
        let service: RelayService

        init(batchesAtOnce: Int = 1, longestPause: Int64 = 0, log: LogSink? = nil) {
            destination = MemoryDestination(batchesAtOnce: batchesAtOnce)
            var delivery = DeliverySettings()
            // Nothing pauses, so that no test waits.
            delivery.retry = RetryPolicy(base: longestPause, limit: longestPause, patience: 0)
            service = RelayService(
                RelaySettings(source: "memory", destination: "memory"),
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
    }

    @Test("A batch says until when its records may be sent, as the source said when they were begun")
    func sendUntil() throws {
        let bench = Bench(batchesAtOnce: 2)
        bench.source.beginsAtOnce = false
        bench.advance()
        for (ids, time) in [([1 as Int64, 2], "2026-01-01T00:00:07.250Z"), ([3, 4], nil)] {
            try bench.source.answerPull(ids)
            bench.advance()
            try bench.source.answerBegin(sendUntil: time)
            bench.advance()
        }
        let params = try bench.destination.batches.map { try JSON(parsing: $0.batch.params) }
        #expect(params.map { $0["batch"]?.array?.count } == [2, 2])
        #expect(params.map { $0["sendUntil"] } == ["2026-01-01T00:00:07.250Z", nil])
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
        #expect(bench.service.status.kept == 2_000)
        #expect(bench.service.status.pending == 9)
        bench.destination.accept()
        bench.advance()
        #expect(try bench.source.answerSettlement().delivered == Array(1...1_000))
        bench.advance()
        #expect(bench.batches == [Array(1_001...2_000)])
        #expect(bench.service.status.delivered == 1_000)
        #expect(bench.service.status.kept == 1_000)
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
        #expect(bench.service.status.kept == 0)
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
        #expect(bench.destination.batches.first?.batch.records.first?.possiblySent == 1)
        #expect(bench.service.status.ambiguous == 1)
    }

    // MARK: Begin

    @Test("A batch is sent once the source has stored that it may be; what is pulled ahead is not begun")
    func begun() throws {
        let bench = Bench()
        bench.source.beginsAtOnce = false
        bench.advance()
        try bench.source.answerPull(Array(1...1_000))
        bench.advance()
        try bench.source.answerPull(Array(1_001...2_000))
        for _ in 0..<10 { bench.advance() }
        #expect(bench.batches.isEmpty)
        #expect(bench.source.begun == [Array(1...1_000)])
        try bench.source.answerBegin()
        bench.advance()
        #expect(bench.batches == [Array(1...1_000)])
        for _ in 0..<10 { bench.advance() }
        #expect(bench.source.begun.count == 1)
        bench.destination.accept()
        bench.advance()
        #expect(bench.source.begun.last == Array(1_001...2_000))
    }

    @Test("Batches that are claimed while the source stores another one begin together")
    func begunTogether() throws {
        let bench = Bench(batchesAtOnce: 3)
        bench.source.beginsAtOnce = false
        bench.advance()
        try bench.source.answerPull([1, 2])
        bench.advance()
        for id in [3, 4] as [Int64] {
            try bench.source.answerPull([id])
            bench.advance()
        }
        try bench.source.answerBegin()
        bench.advance()
        #expect(bench.source.begun == [[1, 2], [3, 4]])
        #expect(bench.batches == [[1, 2]])
        try bench.source.answerBegin()
        bench.advance()
        #expect(bench.batches == [[1, 2], [3], [4]])
    }

    @Test("What the source does not store is not sent, and begun again; a relay that stops gives it back")
    func notBegun() throws {
        let bench = Bench()
        bench.source.beginsAtOnce = false
        bench.advance()
        try bench.source.answerPull([1, 2])
        for _ in 1...3 {
            while bench.source.begins.isEmpty { bench.advance() }
            bench.source.begins.removeFirst().completion(.failure(SourceFailure(problem: "no", isGone: false)))
            bench.advance()
        }
        #expect(bench.batches.isEmpty)
        #expect(!bench.service.status.isReady && bench.service.status.sourceProblem == "no")
        while bench.source.begins.isEmpty { bench.advance() }
        bench.service.stop()
        bench.advance()
        bench.source.begins.removeFirst().completion(.failure(SourceFailure(problem: "no", isGone: false)))
        bench.advance()
        let settlement = try bench.source.answerSettlement()
        #expect(settlement.retry == [1, 2] && settlement.unsent.isEmpty)
        bench.advance()
        #expect(bench.service.isDone && bench.batches.isEmpty)
        #expect(bench.source.begun.allSatisfy { $0 == [1, 2] })
    }

    @Test("A relay that stops while a batch begins does not send it, and says so")
    func stoppedWhileBeginning() throws {
        let bench = Bench(batchesAtOnce: 2)
        bench.source.beginsAtOnce = false
        bench.advance()
        try bench.source.answerPull([1, 2])
        bench.advance()
        try bench.source.answerPull([3])
        bench.advance()
        bench.service.stop()
        bench.advance()
        #expect(!bench.service.isDone)
        try bench.source.answerBegin()
        bench.advance()
        #expect(try bench.source.answerSettlement().unsent == [1, 2])
        bench.advance()
        #expect(try bench.source.answerSettlement().retry == [1, 2, 3])
        bench.advance()
        #expect(bench.service.isDone && bench.batches.isEmpty)
        #expect(bench.source.begun == [[1, 2]])
    }

    @Test("Records that another relay has taken over are not sent, and the others of their batch are")
    func lostWhileBeginning() throws {
        let bench = Bench()
        bench.source.beginsAtOnce = false
        bench.advance()
        try bench.source.answerPull([1, 2, 3])
        bench.advance()
        // One is revoked before the answer: it is given back once the batch is settled.
        bench.service.revoke([3])
        try bench.source.answerBegin(lost: [2])
        bench.advance()
        #expect(bench.batches == [[1]])
        #expect(bench.service.status.lost == 2)
        bench.destination.accept()
        bench.advance()
        let settlement = try bench.source.answerSettlement()
        #expect(settlement.delivered == [1] && settlement.unsent == [3])
        bench.advance()
        #expect(try bench.source.answerSettlement().retry == [3])
        bench.advance()
        #expect(bench.service.status.kept == 0)
    }

    @Test("A batch that was revoked while it begins is given back after the answer")
    func revokedWhileBeginning() throws {
        for isStored in [true, false] {
            let bench = Bench()
            bench.source.beginsAtOnce = false
            bench.advance()
            try bench.source.answerPull([1, 2])
            bench.advance()
            bench.service.revoke([1, 2])
            for _ in 0..<10 { bench.advance() }
            #expect(bench.source.settlements.isEmpty)
            if isStored {
                try bench.source.answerBegin()
            } else {
                bench.source.begins.removeFirst().completion(.failure(SourceFailure(problem: "no", isGone: false)))
            }
            var returned: [Int64] = []
            while returned.isEmpty {
                bench.advance()
                if !bench.source.settlements.isEmpty { returned = try bench.source.answerSettlement().retry }
            }
            #expect(returned == [1, 2])
            bench.advance()
            #expect(bench.batches.isEmpty && bench.service.status.kept == 0)
        }
    }

    @Test("Records that the destination did not take are not counted, and begun again after the source has stored that")
    func unsent() throws {
        let bench = Bench()
        bench.advance()
        try bench.source.answerPull([1, 2])
        bench.advance()
        bench.destination.answer { _ in DeliveryReply(accepting: [1]) }
        while bench.source.settlements.isEmpty { bench.advance() }
        for _ in 0..<100 { bench.advance() }
        #expect(bench.batches.isEmpty && bench.source.begun == [[1, 2]])
        let settlement = try bench.source.answerSettlement()
        #expect(settlement.delivered == [1] && settlement.unsent == [2] && settlement.uncertain.isEmpty)
        while bench.batches.isEmpty { bench.advance() }
        #expect(bench.source.begun == [[1, 2], [2]])
    }

    @Test("If the source ends while a batch begins, the batch is not sent, and a late answer means nothing")
    func sourceGoneWhileBeginning() throws {
        let bench = Bench()
        bench.source.beginsAtOnce = false
        bench.advance()
        try bench.source.answerPull([1, 2])
        bench.advance()
        bench.service.sourceFailed(SourceFailure(problem: "it exited", isGone: true))
        while bench.source.pulls.count < 2 { bench.advance() }
        bench.source.pulls.removeFirst()
        try bench.source.answerPull([1, 2])
        while bench.source.begins.count < 2 { bench.advance() }
        try bench.source.answerBegin()
        for _ in 0..<10 { bench.advance() }
        #expect(bench.batches.isEmpty)
        try bench.source.answerBegin()
        bench.advance()
        #expect(bench.batches == [[1, 2]])
    }

    @Test("Records that another relay had taken over when they were settled are not this host's any more")
    func lostWhileSettling() throws {
        let bench = Bench()
        bench.advance()
        try bench.source.answerPull([1, 2])
        bench.advance()
        bench.destination.answer { _ in DeliveryReply(accepting: [1]) }
        bench.advance()
        let settlement = try bench.source.answerSettlement(lost: [2])
        #expect(settlement.delivered == [1] && settlement.unsent == [2])
        bench.advance()
        #expect(bench.service.status.kept == 0 && bench.service.status.lost == 1)
        #expect(bench.batches.isEmpty)
    }

    // MARK: Failures

    @Test("When the source's process is gone, everything that was pulled is forgotten, and an old answer means nothing")
    func sourceGone() throws {
        let bench = Bench()
        bench.advance()
        try bench.source.answerPull([1, 2])
        bench.advance()
        let old = bench.source.pulls.removeFirst().completion
        bench.service.sourceFailed(SourceFailure(problem: "it exited", isGone: true))
        #expect(bench.service.status.kept == 0 && bench.service.status.lost == 2)
        #expect(!bench.service.status.isReady)
        old(.failure(SourceFailure(problem: "it exited", isGone: true)))
        bench.destination.accept()
        while bench.source.pulls.isEmpty { bench.advance() }
        #expect(bench.source.settlements.isEmpty)
        old(.success(try MemorySource.pulled([3])))
        bench.advance()
        #expect(bench.source.begun == [[1, 2]] && bench.source.pulls.count == 1)
        try bench.source.answerPull([1, 2], possiblySent: 1)
        while bench.destination.batches.isEmpty { bench.advance() }
        #expect(bench.service.status.lost == 2)
    }

    @Test("A problem of the source is logged once while it lasts, and the end of its process each time")
    func logged() throws {
        let pipe = Pipe()
        let log = LogSink(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        let bench = Bench(log: log)
        for problem in ["busy", "busy", "full"] {
            while bench.source.pulls.isEmpty { bench.advance() }
            bench.source.pulls.removeFirst().completion(.failure(SourceFailure(problem: problem, isGone: false)))
        }
        for _ in 0..<2 { bench.service.sourceFailed(SourceFailure(problem: "it exited", isGone: true)) }
        log.flush()
        let lines = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self).split(separator: "\n")
        #expect(lines.map { $0.split(separator: ": ").last } == ["busy", "full", "it exited", "it exited"])
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
        #expect(bench.service.status.kept == 0)
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

    @Test("A source that refuses a pull makes the relay not ready, and is asked again within seconds")
    func failedPull() throws {
        let bench = Bench(longestPause: 300_000)
        bench.advance()
        let start = Clock.monotonic()
        bench.source.pulls.removeFirst().completion(.failure(SourceFailure(problem: "no server", isGone: false)))
        #expect(!bench.service.status.isReady)
        #expect(bench.service.status.sourceProblem == "no server")
        bench.advance()
        #expect(bench.source.pulls.isEmpty)
        let deadline = try #require(bench.service.deadline)
        #expect((start...start + 6_000).contains(deadline))
    }
}
