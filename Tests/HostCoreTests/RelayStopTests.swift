import Delivery
import JSON
import Platform
import Testing

@testable import Relay

/// A relay that pauses or stops, and what it still tells its source then.
@Suite struct RelayStopTests {
    /// The answer of a destination that needs an operator.
    private static var stop: DeliveryReply {
        var reply = DeliveryReply()
        reply.stop = "set the key"
        return reply
    }

    // MARK: Pauses

    @Test("While the destination pauses, nothing is pulled, and the state says why and for how long")
    func paused() throws {
        let bench = RelayBench(longestPause: 60_000)
        bench.advance()
        try bench.source.answerPull([1])
        bench.advance()
        #expect(!bench.service.status.isPaused && bench.service.status.problem == nil)
        let start = Clock.monotonic()
        bench.destination.fail(DeliveryFailure("it is down", mayHaveArrived: false))
        bench.advance()
        #expect(try bench.source.answerSettlement().unsent == [1])
        try bench.source.answerPull([2])
        bench.advance()
        #expect(bench.source.pulls.isEmpty && bench.batches.isEmpty)
        let status = bench.service.status
        #expect(status.isPaused && status.problem == "it is down")
        #expect((1...60_000).contains(try #require(status.pause)))
        #expect(try #require(bench.service.deadline) >= start + 30_000)
    }

    @Test("A destination that needs an operator gets nothing for a while, and the records are given back")
    func destinationStopped() throws {
        let bench = RelayBench(longestPause: 60_000)
        bench.advance()
        try bench.source.answerPull([1])
        bench.advance()
        bench.destination.accept()
        bench.advance()
        #expect(try bench.source.answerSettlement().delivered == [1])
        try bench.source.answerPull([2])
        bench.advance()
        bench.destination.answer { _ in Self.stop }
        bench.advance()
        #expect(try bench.source.answerSettlement().unsent == [2])
        let start = Clock.monotonic()
        bench.advance()
        #expect(try bench.source.answerSettlement().retry == [2])
        // What a pull still brings is given back as well.
        try bench.source.answerPull([3])
        bench.advance()
        #expect(try bench.source.answerSettlement().retry == [3])
        bench.advance()
        #expect(bench.source.pulls.isEmpty && bench.batches.isEmpty)
        let status = bench.service.status
        #expect(status.isPaused && !status.isReady && !status.isStopping && status.problem == "set the key")
        #expect((1...60_000).contains(try #require(status.pause)))
        #expect(status.delivered == 1 && status.kept == 0)
        #expect(try #require(bench.service.deadline) >= start + 60_000)
        #expect(!bench.service.isDone)
    }

    /// A relay to which the source hands out record 2 right after the pause of a destination that needed an operator.
    private func afterPause() throws -> RelayBench {
        let bench = RelayBench()
        bench.destination.isIdempotent = true
        bench.advance()
        try bench.source.answerPull([1])
        bench.advance()
        bench.destination.answer { _ in Self.stop }
        bench.advance()
        #expect(try bench.source.answerSettlement().unsent == [1])
        bench.advance()
        #expect(try bench.source.answerSettlement().retry == [1])
        bench.service.expire()
        try bench.source.answerPull([2], share: 0.5)
        return bench
    }

    @Test("After that pause, records are delivered as before, with what the source said of them")
    func resumed() throws {
        let bench = try afterPause()
        bench.advance()
        #expect(bench.batches == [[2]])
        let params = try #require(try bench.params.first)
        #expect(params["suiteIdentity"] == .string(MemorySource.identity) && params["rateShare"]?.number == 0.5)
        #expect(!bench.service.status.isPaused && bench.service.status.problem == nil)
    }

    @Test("A relay that stops right after that pause gives back what came, and delivers nothing")
    func stoppedAfterPause() throws {
        let bench = try afterPause()
        bench.service.stop()
        bench.advance()
        try #require(bench.source.settlements.count == 1)
        #expect(try bench.source.answerSettlement().retry == [2])
        bench.advance()
        #expect(bench.service.isDone && bench.batches.isEmpty)
    }

    // MARK: The end

    @Test("A relay that stops pulls nothing more, and gives back what a pull still brings")
    func pullWhileStopping() throws {
        let bench = RelayBench()
        bench.advance()
        try bench.source.answerPull([1])
        bench.advance()
        bench.service.stop()
        try bench.source.answerPull([2, 3])
        bench.advance()
        #expect(try bench.source.answerSettlement().retry == [2, 3])
        bench.destination.accept()
        bench.advance()
        #expect(try bench.source.answerSettlement().delivered == [1])
        bench.advance()
        #expect(bench.service.isDone && bench.batches.isEmpty && bench.source.pulls.isEmpty)
    }

    @Test("Nothing is begun while the destination is not ready, and a relay that stops then gives it back")
    func destinationNotReady() throws {
        let bench = RelayBench()
        bench.destination.isReady = false
        bench.advance()
        try bench.source.answerPull([1])
        bench.advance()
        #expect(bench.source.begun.isEmpty)
        bench.service.stop()
        bench.advance()
        try #require(bench.source.settlements.count == 1)
        #expect(try bench.source.answerSettlement().retry == [1])
        bench.advance()
        #expect(bench.service.isDone && bench.source.begun.isEmpty)
    }

    @Test(
        "A relay that stops ends a source that stores nothing for as long as the patience lasts, and is done",
        arguments: [(0, 1), (60_000, 0)]
    )
    func patience(milliseconds: Int64, ends: Int) throws {
        let bench = RelayBench(stopPatience: milliseconds)
        bench.advance()
        try bench.source.answerPull([1])
        bench.advance()
        bench.destination.accept()
        bench.advance()
        bench.source.failSettlement(SourceFailure(problem: "no", isGone: false))
        bench.advance()
        #expect(bench.source.ends == 0 && !bench.service.isDone)
        bench.service.stop()
        bench.advance()
        #expect(bench.source.ends == ends && bench.service.isDone == (ends > 0))
    }

    @Test("Once the host ends its processes, the relay calls nothing more, even if it is told to stop")
    func ended() throws {
        let bench = RelayBench()
        bench.advance()
        try bench.source.answerPull([1])
        bench.advance()
        bench.destination.accept()
        bench.service.end()
        bench.service.stop()
        bench.advance()
        #expect(bench.source.settlements.isEmpty)
        let status = bench.service.status
        #expect(bench.service.isDone && status.isStopping && !status.isReady)
    }
}
