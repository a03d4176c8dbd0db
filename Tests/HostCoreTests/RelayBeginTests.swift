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

/// A relay before it sends: what it begins, gives back and has revoked.
@Suite struct RelayBeginTests {
    @Test("A batch is sent once the source has stored that it may be; what is pulled ahead is not begun")
    func begun() throws {
        let bench = RelayBench()
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
        let bench = RelayBench(batchesAtOnce: 3)
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
        let bench = RelayBench()
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

    @Test("Once the source begins a batch that it had refused to begin, the relay is ready again")
    func begunLater() throws {
        let bench = RelayBench()
        bench.source.beginsAtOnce = false
        bench.advance()
        try bench.source.answerPull([1, 2])
        bench.advance()
        bench.source.begins.removeFirst().completion(.failure(SourceFailure(problem: "no", isGone: false)))
        #expect(!bench.service.status.isReady)
        while bench.source.begins.isEmpty { bench.advance() }
        try bench.source.answerBegin()
        bench.advance()
        #expect(bench.batches == [[1, 2]])
        #expect(bench.service.status.isReady && bench.service.status.sourceProblem == nil)
    }

    @Test("That a batch is not begun is logged once while it lasts, and again the next time")
    func refusalLogged() throws {
        let pipe = Pipe()
        let log = LogSink(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        let bench = RelayBench(log: log)
        bench.source.beginsAtOnce = false
        bench.advance()
        for (id, refusals) in [(1 as Int64, 3), (2, 2)] {
            try bench.source.answerPull([id])
            for _ in 0..<refusals {
                while bench.source.begins.isEmpty { bench.advance() }
                bench.source.begins.removeFirst().completion(.failure(SourceFailure(problem: "no", isGone: false)))
            }
            while bench.source.begins.isEmpty { bench.advance() }
            try bench.source.answerBegin()
            bench.advance()
            bench.destination.accept()
            bench.advance()
        }
        log.flush()
        let lines = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self).split(separator: "\n")
        #expect(lines.count { $0.contains("did not begin a batch: no; the relay repeats it") } == 2, "\(lines)")
    }

    @Test("A relay that stops while a batch begins does not send it, and says so")
    func stoppedWhileBeginning() throws {
        let bench = RelayBench(batchesAtOnce: 2)
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
        let bench = RelayBench()
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

    @Test("What another relay has taken over is given back if a pull that was under way brings it")
    func lostWhilePulling() throws {
        let bench = RelayBench()
        bench.source.beginsAtOnce = false
        bench.advance()
        try bench.source.answerPull([1, 2])
        bench.advance()
        try bench.source.answerBegin(lost: [2])
        try bench.source.answerPull([2, 3])
        bench.advance()
        #expect(try bench.source.answerSettlement().retry == [2, 3])
        bench.advance()
        #expect(bench.batches == [[1]])
    }

    @Test("Of a batch that is revoked before the source was asked about it, the source hears only that it gets it back")
    func revokedBeforeBeginning() throws {
        let bench = RelayBench()
        bench.destination.isReady = false
        bench.advance()
        try bench.source.answerPull([1, 2])
        bench.advance()
        bench.service.revoke([1, 2])
        bench.advance()
        try #require(bench.source.settlements.count == 1)
        #expect(try bench.source.answerSettlement().retry == [1, 2])
        bench.destination.isReady = true
        bench.advance()
        #expect(bench.service.status.kept == 0 && bench.source.begun.isEmpty)
    }

    @Test("A batch that was revoked while it begins is given back after the answer")
    func revokedWhileBeginning() throws {
        for isStored in [true, false] {
            let bench = RelayBench()
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

    @Test("If the source ends while a batch begins, the batch is not sent, and a late answer means nothing")
    func sourceGoneWhileBeginning() throws {
        let bench = RelayBench()
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

    @Test("Records that are revoked are given back, except those that are being sent, which are settled")
    func revoked() throws {
        let bench = RelayBench()
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

    @Test("A record that is revoked, and whose source then ends, is lost once")
    func revokedAndGone() throws {
        let bench = RelayBench()
        bench.destination.isReady = false
        bench.advance()
        try bench.source.answerPull([1, 2])
        bench.advance()
        bench.service.revoke([1])
        bench.service.sourceFailed(SourceFailure(problem: "it exited", isGone: true))
        #expect(bench.service.status.lost == 2)
    }

    @Test("A record that is revoked while no pull is under way is delivered if a later pull brings it again")
    func revokedBetweenPulls() throws {
        let bench = RelayBench()
        bench.destination.isReady = false
        bench.advance()
        try bench.source.answerPull([1])
        bench.advance()
        bench.source.pulls.removeFirst().completion(.failure(SourceFailure(problem: "busy", isGone: false)))
        bench.service.revoke([1])
        bench.advance()
        #expect(try bench.source.answerSettlement().retry == [1])
        bench.destination.isReady = true
        while bench.source.pulls.isEmpty { bench.advance() }
        try bench.source.answerPull([1])
        bench.advance()
        #expect(bench.batches == [[1]])
    }

    @Test("Records behind one that was revoked during the pull are given back with it, so that the order holds")
    func revokedBeforeOthers() throws {
        let bench = RelayBench()
        bench.advance()
        bench.service.revoke([2, 3])
        try bench.source.answerPull([1, 2, 3, 4, 5], users: 1)
        bench.advance()
        #expect(try bench.source.answerSettlement().retry == [2, 3, 4, 5])
        bench.advance()
        #expect(bench.batches == [[1]])
        bench.destination.accept()
        bench.advance()
        #expect(try bench.source.answerSettlement().delivered == [1])
        // They come again with a later pull.
        try bench.source.answerPull([2, 3], users: 1)
        bench.advance()
        #expect(bench.batches == [[2, 3]])
    }
}
