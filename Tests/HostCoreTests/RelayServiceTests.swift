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
    @Test("A batch says until when its records may be sent, as the source said when they were begun")
    func sendUntil() throws {
        let bench = RelayBench(batchesAtOnce: 2)
        bench.source.beginsAtOnce = false
        bench.advance()
        for (ids, time) in [([1 as Int64, 2], "2026-01-01T00:00:07.250Z"), ([3, 4], nil)] {
            try bench.source.answerPull(ids)
            bench.advance()
            try bench.source.answerBegin(sendUntil: time)
            bench.advance()
        }
        let params = try bench.params
        #expect(params.map { $0["batch"]?.array?.count } == [2, 2])
        #expect(params.map { $0["sendUntil"] } == ["2026-01-01T00:00:07.250Z", nil])
    }

    @Test("Records are pulled into a window, delivered, and settled once the destination has accepted them")
    func delivered() throws {
        let bench = RelayBench()
        bench.advance()
        #expect(bench.source.pulls.map(\.limit) == [1_000])
        #expect(bench.source.pulls.map(\.wait) == [5_000])
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

    @Test("The relay pulls again once its window has room for 250 records", arguments: [(750, [250]), (751, [])])
    func room(second: Int, limits: [Int]) throws {
        let bench = RelayBench()
        bench.advance()
        for ids in [1...1_000, 1_001...1_000 + second] {
            try bench.source.answerPull(ids.map(Int64.init))
            bench.advance()
        }
        #expect(bench.source.pulls.map(\.limit) == limits)
    }

    @Test("The window has room for the batches under way and for one more")
    func window() throws {
        let bench = RelayBench(batchesAtOnce: 2)
        bench.advance()
        for first: Int64 in [1, 1_001, 2_001] {
            #expect(bench.source.pulls.map(\.limit) == [1_000])
            try bench.source.answerPull(Array(first..<first + 1_000))
            bench.advance()
        }
        #expect(bench.source.pulls.isEmpty)
    }

    @Test("A batch has the part of the rate limit that the source named last, and no identity of the queue")
    func share() throws {
        let bench = RelayBench(batchesAtOnce: 2)
        bench.destination.isReady = false
        bench.advance()
        try bench.source.answerPull([1], share: 0.5)
        bench.advance()
        #expect(bench.service.status.rateShare == 0.5)
        bench.service.setShare(0.25)
        #expect(bench.service.status.rateShare == 0.25)
        bench.destination.isReady = true
        bench.advance()
        try bench.source.answerPull([2], share: 0.75)
        bench.advance()
        #expect(try bench.params.map { $0["rateShare"]?.number } == [0.25, 0.75])
        #expect(try bench.params.allSatisfy { $0["suiteIdentity"] == nil })
    }

    @Test("An idempotent destination gets the queue's identity, and each record until it confirms it")
    func idempotent() throws {
        let bench = RelayBench()
        bench.destination.isIdempotent = true
        bench.advance()
        try bench.source.answerPull([1], possiblySent: 5)
        bench.advance()
        #expect(try bench.params.map { $0["suiteIdentity"] } == [.string(MemorySource.identity)])
        bench.destination.fail(DeliveryFailure("gone", mayHaveArrived: true))
        bench.advance()
        let settlement = try bench.source.answerSettlement()
        #expect(settlement.uncertain == [1] && settlement.dead.isEmpty)
    }

    @Test("A settlement that failed is repeated with all that came since, and the records are not delivered again")
    func repeatedSettlement() throws {
        let bench = RelayBench()
        bench.advance()
        try bench.source.answerPull([1, 2])
        bench.advance()
        bench.destination.accept()
        bench.advance()
        #expect(bench.service.deadline == nil)
        bench.source.settlements.removeFirst().1(.failure(SourceFailure(problem: "no", isGone: false)))
        while bench.source.settlements.isEmpty {
            #expect(bench.service.deadline != nil)
            bench.advance()
        }
        #expect(try bench.source.answerSettlement().delivered == [1, 2])
        bench.advance()
        #expect(bench.destination.batches.isEmpty)
        #expect(bench.service.status.kept == 0)
        #expect(!bench.service.isDone, "it waits for more records")
    }

    @Test("Settlements follow one another, even if a record that one gives back is handed out before its answer")
    func oneSettlementAtATime() throws {
        let bench = RelayBench()
        bench.advance()
        bench.service.revoke([8])
        try bench.source.answerPull([7, 8])
        bench.advance()
        try bench.source.answerPull([8])
        bench.destination.accept()
        bench.advance()
        #expect(bench.source.settlements.count == 1)
        #expect(try bench.source.answerSettlement().retry == [8])
        bench.advance()
        #expect(try bench.source.answerSettlement().delivered == [7])
        bench.advance()
        #expect(bench.batches == [[8]])
        #expect(bench.service.status.kept == 1)
    }

    @Test("A record that may have arrived is sent again only after the source has counted that")
    func uncertain() throws {
        let bench = RelayBench()
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

    @Test("Records that the destination did not take are not counted, and begun again after the source has stored that")
    func unsent() throws {
        let bench = RelayBench()
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
        #expect(bench.service.status.retries == 1)
    }

    @Test("Records that another relay had taken over when they were settled are not this host's any more")
    func lostWhileSettling() throws {
        let bench = RelayBench()
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
        let bench = RelayBench()
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
        let bench = RelayBench(log: log)
        for problem in ["busy", "busy", "full"] {
            while bench.source.pulls.isEmpty { bench.advance() }
            bench.source.pulls.removeFirst().completion(.failure(SourceFailure(problem: problem, isGone: false)))
        }
        for _ in 0..<2 { bench.service.sourceFailed(SourceFailure(problem: "it exited", isGone: true)) }
        log.flush()
        let lines = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self).split(separator: "\n")
        #expect(lines.map { $0.split(separator: ": ").last } == ["busy", "full", "it exited", "it exited"])
    }

    @Test("That a settlement is not stored is logged once while it lasts, and again the next time")
    func settlementLogged() throws {
        let pipe = Pipe()
        let log = LogSink(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        let bench = RelayBench(log: log)
        for id: Int64 in [1, 2] {
            bench.advance()
            try bench.source.answerPull([id])
            bench.advance()
            bench.destination.accept()
            for _ in 0..<3 {
                while bench.source.settlements.isEmpty { bench.advance() }
                bench.source.settlements.removeFirst().1(.failure(SourceFailure(problem: "no", isGone: false)))
            }
            while bench.source.settlements.isEmpty { bench.advance() }
            #expect(try bench.source.answerSettlement().delivered == [id])
        }
        log.flush()
        let lines = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self).split(separator: "\n")
        #expect(lines.count { $0.contains("stored nothing: no; the relay repeats it") } == 2, "\(lines)")
    }

    @Test("A relay that stops finishes its batch, and gives back what it did not send")
    func stopped() throws {
        let bench = RelayBench()
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
        #expect(!bench.service.isDone)
        #expect(try bench.source.answerSettlement().delivered == Array(1...1_000))
        bench.advance()
        #expect(!bench.service.isDone, "the source has not stored what was given back")
        #expect(try bench.source.answerSettlement().retry == [1_001])
        bench.advance()
        #expect(bench.service.isDone)
        #expect(bench.service.status.isStopping)
    }

    @Test("A record that the relay holds already breaks the contract, and the source starts anew")
    func doubled() throws {
        let bench = RelayBench()
        bench.advance()
        try bench.source.answerPull([1])
        bench.advance()
        try bench.source.answerPull([1])
        #expect(bench.source.ends == 1)
        #expect(bench.service.status.kept == 0)
    }

    @Test("Records that must not be sent again become dead letters without being sent")
    func dead() throws {
        let bench = RelayBench()
        bench.advance()
        try bench.source.answerPull([1], possiblySent: 2)
        bench.advance()
        #expect(bench.destination.batches.isEmpty)
        #expect(try bench.source.answerSettlement().dead.map(\.id) == [1])
        #expect(bench.service.status.rejected == 1 && bench.service.status.ambiguous == 1)
    }

    @Test("What the destination rejects, or cannot accept as it is, becomes a dead letter of the source")
    func rejected() throws {
        let bench = RelayBench()
        bench.advance()
        try bench.source.answerPull([1, 2])
        bench.advance()
        bench.destination.answer { _ in
            var reply = DeliveryReply()
            reply.verdicts = [1: .rejected("never"), 2: .held("no user")]
            return reply
        }
        bench.advance()
        let dead = try bench.source.answerSettlement().dead
        #expect(dead == [.init(id: 1, reason: "never"), .init(id: 2, reason: "no user")])
        #expect(bench.service.status.rejected == 2)
    }

    @Test("Records that cannot be read become dead letters, and the source is asked for others at once")
    func unreadable() throws {
        let bench = RelayBench()
        bench.advance()
        let reply = try PullReply(["records": [["id": 4]], "identity": .string(MemorySource.identity)])
        bench.source.pulls.removeFirst().completion(.success(reply))
        bench.advance()
        #expect(try bench.source.answerSettlement().dead.map(\.id) == [4])
        #expect(bench.service.status.rejected == 1 && bench.source.pulls.count == 1)
    }

    @Test("A source that refuses a pull makes the relay not ready, and is asked again within seconds")
    func failedPull() throws {
        let bench = RelayBench(longestPause: 300_000)
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

    @Test("A source that has no record and does not wait for one is asked again after a pause")
    func impatientSource() throws {
        let bench = RelayBench()
        bench.advance()
        let start = Clock.monotonic()
        try bench.source.answerPull([])
        bench.advance()
        #expect(bench.source.pulls.isEmpty)
        let deadline = try #require(bench.service.deadline)
        #expect((start + 1_000...Clock.monotonic() + 1_000).contains(deadline))
    }
}
