import Delivery
import Foundation
import JSON
import Platform
import Testing

@testable import HostCore
@testable import Relay

/// A relay whose source fails, and goes on or starts anew.
@Suite struct RelaySourceFailureTests {
    @Test("A source that asks for a pause is not asked before its end")
    func pullPause() throws {
        let bench = RelayBench()
        bench.advance()
        let start = Clock.monotonic()
        let failure = SourceFailure(problem: "busy", isGone: false, retryAfter: 60_000)
        bench.source.pulls.removeFirst().completion(.failure(failure))
        bench.advance()
        #expect(bench.source.pulls.isEmpty)
        #expect(try #require(bench.service.deadline) >= start + 60_000)
    }

    @Test("A source that refuses a pull keeps its process, so the relay keeps what it has pulled")
    func failedPullWithRecords() throws {
        let bench = RelayBench(longestPause: 60_000)
        bench.advance()
        try bench.source.answerPull([1])
        bench.advance()
        bench.source.pulls.removeFirst().completion(.failure(SourceFailure(problem: "busy", isGone: false)))
        #expect(bench.service.status.kept == 1 && bench.service.status.lost == 0)
        bench.destination.accept()
        bench.advance()
        #expect(try bench.source.answerSettlement().delivered == [1])
    }

    @Test("An answer of the source ends the pause after a failure")
    func answeredAfterAll() throws {
        let bench = RelayBench(longestPause: 60_000)
        bench.advance()
        bench.service.sourceFailed(SourceFailure(problem: "busy", isGone: false))
        try bench.source.answerPull([1])
        bench.advance()
        #expect(bench.source.pulls.count == 1)
        #expect(bench.service.status.isReady && bench.service.status.sourceProblem == nil)
    }

    @Test("What the source does not store, it is told again after the pause that it asks for")
    func storePause() throws {
        let bench = RelayBench()
        bench.advance()
        bench.service.revoke([1])
        try bench.source.answerPull([1])
        bench.advance()
        let start = Clock.monotonic()
        bench.source.failSettlement(SourceFailure(problem: "no", isGone: false, retryAfter: 60_000))
        bench.advance()
        #expect(bench.source.settlements.isEmpty)
        #expect(try #require(bench.service.deadline) >= start + 60_000)
    }

    @Test("Once the source has stored something, the pause after the next failure is a short one again")
    func storePauseAgain() throws {
        let bench = RelayBench()
        bench.advance()
        for id: Int64 in [1, 2] {
            bench.service.revoke([id])
            try bench.source.answerPull([id])
            bench.advance()
            bench.source.failSettlement(SourceFailure(problem: "no", isGone: false))
            #expect(try #require(bench.service.deadline) <= Clock.monotonic() + 100)
            while bench.source.settlements.isEmpty { bench.advance() }
            #expect(try bench.source.answerSettlement().retry == [id])
        }
    }

    @Test("What the log says about records names them")
    func recordsLogged() throws {
        let pipe = Pipe()
        let log = LogSink(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        let bench = RelayBench(log: log)
        let failure = SourceFailure(problem: "no", isGone: false)
        bench.source.beginsAtOnce = false
        bench.advance()
        try bench.source.answerPull([1, 2, 3])
        bench.advance()
        bench.source.begins.removeFirst().completion(.failure(failure))
        while bench.source.begins.isEmpty { bench.advance() }
        try bench.source.answerBegin(lost: [3])
        bench.advance()
        bench.destination.accept()
        bench.advance()
        bench.source.failSettlement(failure)
        while bench.source.settlements.isEmpty { bench.advance() }
        #expect(try bench.source.answerSettlement(lost: [2]).delivered == [1, 2])
        log.flush()
        let lines = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self).split(separator: "\n")
        let expected: [Substring] = [
            "records=1-3 the source memory did not begin a batch: no; the relay repeats it",
            "records=3-3 1 records belong to another relay now; they are not sent",
            "records=1-2 the source memory stored nothing: no; the relay repeats it",
            "records=2-2 1 records belong to another relay now; they may be delivered twice",
        ]
        #expect(lines.compactMap { $0.split(separator: " test: ").last } == expected)
    }

    @Test("If a begin or a settlement fails because the source ended, nothing is kept", arguments: [false, true])
    func callFailed(isBegun: Bool) throws {
        let bench = RelayBench()
        bench.source.beginsAtOnce = false
        bench.advance()
        try bench.source.answerPull([1, 2])
        bench.advance()
        let failure = SourceFailure(problem: "it exited", isGone: true)
        if isBegun {
            try bench.source.answerBegin()
            bench.advance()
            bench.destination.accept()
            bench.advance()
            bench.source.failSettlement(failure)
        } else {
            bench.source.begins.removeFirst().completion(.failure(failure))
        }
        let status = bench.service.status
        #expect(status.kept == 0 && status.lost == 2 && status.sourceProblem == "it exited")
    }

    @Test("If the source ends during a settlement, its late answer means nothing to that of the next process")
    func sourceGoneWhileSettling() throws {
        let bench = RelayBench()
        bench.advance()
        try bench.source.answerPull([1])
        bench.advance()
        bench.destination.accept()
        bench.advance()
        let old = bench.source.settlements.removeFirst().1
        bench.service.sourceFailed(SourceFailure(problem: "it exited", isGone: true))
        while bench.source.pulls.count < 2 { bench.advance() }
        bench.source.pulls.removeFirst()
        try bench.source.answerPull([1], possiblySent: 1)
        bench.advance()
        bench.destination.accept()
        bench.advance()
        #expect(bench.source.settlements.count == 1)
        old(.success(try LostRecordsReply([:], to: "settle")))
        #expect(bench.service.status.kept == 1)
        #expect(try bench.source.answerSettlement().delivered == [1])
        #expect(bench.service.status.kept == 0)
        bench.service.stop()
        bench.advance()
        #expect(bench.service.isDone)
    }

    @Test("The next process of a source has no part in what its last one revoked, refused and did not store")
    func newProcess() throws {
        let bench = RelayBench(stopPatience: 0)
        bench.source.beginsAtOnce = false
        bench.advance()
        bench.service.revoke([9])
        try bench.source.answerPull([8, 9])
        bench.advance()
        let failure = SourceFailure(problem: "no", isGone: false, retryAfter: 60_000)
        bench.source.begins.removeFirst().completion(.failure(failure))
        bench.source.failSettlement(failure)
        // The pull that is under way may bring it.
        bench.service.revoke([7])
        bench.service.sourceFailed(SourceFailure(problem: "it exited", isGone: true))
        while bench.source.pulls.count < 2 { bench.advance() }
        bench.source.pulls.removeFirst()
        try bench.source.answerPull([7])
        #expect(bench.service.status.isReady && bench.service.status.sourceProblem == nil)
        bench.advance()
        try bench.source.answerBegin()
        bench.advance()
        #expect(bench.batches == [[7]])
        bench.destination.accept()
        bench.advance()
        #expect(bench.source.settlements.count == 1)
        bench.service.stop()
        bench.advance()
        #expect(bench.source.ends == 0 && !bench.service.isDone)
    }
}
