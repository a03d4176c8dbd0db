import Contract
import Platform
import Suites
import Testing

@testable import Delivery

/// What a flush says of itself besides its actions: its problems, its pauses and its progress.
struct FlushStateTests {
    private func flush(
        newest: Int64 = 1,
        pauseUntil end: Int64? = nil,
        problem: String? = nil,
        now: Int64 = 0
    ) -> Flush {
        var request = Flush.Request(newest: newest)
        request.batchesAtOnce = 2
        let policy = RetryPolicy(base: 1_000, limit: 300_000, patience: 60_000)
        return Flush(
            request,
            destinationRetry: Retry(policy, nextTry: end, start: 0, seed: 1),
            problem: problem,
            queueRetry: Retry(.lockedQueue(patience: 5_000), seed: 1),
            now: now
        )
    }

    /// A flush that has sent all batches it can form of these records.
    private func sent(_ records: [StoredRecord], newest: Int64 = 1, problem: String? = nil) -> Flush {
        var flush = flush(newest: newest, problem: problem)
        while let action = flush.next() {
            switch action {
            case .read: flush.handle(.read(QueuePage(records)), at: 0)
            case .claim(let number, _): flush.handle(.claimed(number, QueueClaim(Int64(number + 1))), at: 0)
            case .settle, .report, .reply, .end:
                Issue.record("\(action) comes too early")
                return flush
            }
        }
        flush.handle(.committed, at: 0)
        while flush.nextBatch() != nil {}
        return flush
    }

    @Test("The error of a queue that stores nothing for longer than the patience is known until the queue stores again")
    func refusal() throws {
        var flush = sent([record(1)])
        flush.handle(.answered(0, DeliveryReply(accepting: [1])), at: 0)
        let next = flush.next()
        let settle = try #require(next)
        flush.handle(.refused(settle, .notStored("full disk")), at: 0)
        #expect(flush.isRetryingStore && flush.refusal == nil)
        #expect(flush.next() == nil)
        // The client is told that the settlement is not stored, not that other changes were lost.
        flush.handle(.refused(settle, .transactionLost("gone")), at: 6_000)
        #expect(!flush.isRetryingStore && flush.refusal == .notStored("gone"))
        #expect(flush.next() == .reply(.refused(.notStored("gone"))))
        flush.handle(.refused(settle, .busy), at: 9_000)
        #expect(flush.refusal == .notStored("gone"), "the client was told this")
        flush.handle(.expired, at: 12_000)
        #expect(flush.next() == settle)
        flush.handle(.settled(0), at: 12_000)
        flush.handle(.committed, at: 12_000)
        #expect(!flush.isRetryingStore && flush.refusal == nil)
        #expect(flush.next() == .report)
        #expect(flush.next() == .end(.refused(.notStored("gone"))))
    }

    @Test("A flush wakes up at the end of its first pause: that of the destination or that of the queue")
    func deadline() throws {
        var flush = sent([record(1)])
        #expect(flush.deadline == nil && flush.pause(at: 0) == nil)
        flush.handle(.answered(0, DeliveryReply()), at: 0)
        let pause = try #require(flush.deadline)
        #expect((500...1_000).contains(pause))
        let next = flush.next()
        let settle = try #require(next)
        flush.handle(.busy(settle), at: 0)
        let first = try #require(flush.deadline)
        #expect((5...10).contains(first))
        #expect(flush.pause(at: 0) == pause)
        #expect(flush.pause(at: 5_000) == 0)
    }

    @Test("A pause from an earlier flush that is over when the flush begins means nothing")
    func earlierPause() {
        var flush = flush(pauseUntil: 7, now: 7)
        #expect(flush.deadline == nil)
        guard case .read? = flush.next() else {
            Issue.record("it does not read")
            return
        }
    }

    /// A flush of which two full batches are under way, and a thousand records wait for the first one.
    private var busy: Flush {
        sent((1...3_000).map { record($0, user: (1_001...2_000).contains($0) ? "b" : "a") }, newest: 9_999)
    }

    @Test("Records are read ahead while every batch is under way, but not during a pause, or once the flush is to end")
    func readAhead() {
        #expect(flush().readAhead == nil)
        let begun = busy
        guard case .read(let range, let count, _)? = begun.readAhead else {
            Issue.record("nothing is read ahead")
            return
        }
        #expect(range == 3_001...9_999 && count == 2_000)
        var cancelled = begun
        cancelled.handle(.cancelled, at: 1)
        #expect(cancelled.readAhead == nil)
        var answered = begun
        answered.handle(.answered(1, DeliveryReply(accepting: Array(1_001...2_000))), at: 1)
        #expect(answered.readAhead == nil, "first, the settlement is stored, and the next batch formed")
        var paused = begun
        var reply = DeliveryReply(accepting: Array(1_001...2_000))
        reply.retryAfter = 5_000
        paused.handle(.answered(1, reply), at: 1)
        paused.handle(.settled(1), at: 1)
        paused.handle(.committed, at: 1)
        #expect(paused.next() == .report)
        #expect(paused.next() == nil && paused.readAhead == nil)
        paused.handle(.expired, at: 5_001)
        #expect(paused.readAhead != nil)
    }

    @Test("A second answer to a batch changes nothing")
    func secondAnswer() {
        var flush = busy
        flush.handle(.answered(0, DeliveryReply(accepting: Array(1...1_000))), at: 1)
        flush.handle(.answered(0, DeliveryReply()), at: 1)
        #expect(flush.deadline == nil)
        guard case .settle(0, _, let settlement, _)? = flush.next() else {
            Issue.record("the batch is not settled")
            return
        }
        #expect(settlement.delivered.count == 1_000)
    }

    // MARK: Problems

    @Test("The problem that stopped an earlier flush is over once the destination accepts a record")
    func earlierProblem() {
        var flush = sent([record(1)], problem: "wrong key")
        #expect(flush.problem == "wrong key")
        flush.handle(.answered(0, DeliveryReply(accepting: [1])), at: 0)
        #expect(flush.problem == nil)
        guard case .settle(_, _, _, let change)? = flush.next() else {
            Issue.record("the batch is not settled")
            return
        }
        #expect(change == Flush.HealthChange(failures: 0, pause: nil, problem: nil))
    }

    @Test("A destination that stops the flush after a failure keeps its failures, and needs no pause")
    func stopAfterFailure() throws {
        var driver = FlushDriver([record(1)])
        _ = driver.begin()
        _ = driver.handle(.answered(0, DeliveryReply()), at: 0)
        let end = try #require(driver.flush.deadline)
        #expect(driver.handle(.expired, at: end).batches == [[1]])
        var reply = DeliveryReply()
        reply.stop = "wrong key"
        let steps = driver.handle(.answered(1, reply), at: end)
        #expect(steps.changes == [Flush.HealthChange(failures: 1, pause: nil, problem: "wrong key")])
    }

    @Test(
        "A destination that rejects or holds every record has answered, and has no problem",
        arguments: [true, false]
    )
    func answered(isHeld: Bool) {
        var driver = FlushDriver([record(1)])
        _ = driver.begin()
        var reply = DeliveryReply()
        reply.verdicts[1] = isHeld ? .held("no") : .rejected("no")
        let steps = driver.handle(.answered(0, reply), at: 0)
        #expect(steps.ending == .done && steps.changes.isEmpty)
        #expect(driver.flush.problem == nil)
    }

    // MARK: Progress

    @Test("The progress counts how often a record was offered again, and what is settled for good")
    func counts() {
        var driver = FlushDriver((1...4).map { record($0) })
        _ = driver.begin()
        #expect(driver.accept([1], of: 0, at: 1).batches == [[2, 3, 4]])
        #expect(driver.accept([2], of: 1, at: 2).batches == [[3, 4]])
        var reply = DeliveryReply(accepting: [3])
        reply.verdicts[4] = .rejected("no")
        let steps = driver.handle(.answered(2, reply), at: 3)
        #expect(steps.ending == .done && steps.reports == 1)
        let progress = driver.flush.progress
        #expect(progress.retried == 5 && progress.settled == 4)
    }

    @Test("A diagnostic that comes again is kept once, and one record that stays is no plural")
    func diagnostics() {
        var progress = FlushProgress()
        for _ in 0..<2 { progress.add(Diagnostic("a", "m")) }
        progress.addHeld("no user")
        let held = Diagnostic("recordsHeld", "1 record stays pending: no user")
        #expect(progress.diagnostics == [held, Diagnostic("a", "m")])
        var flush = flush()
        flush.handle(.diagnosed(Diagnostic("b", "n")), at: 0)
        #expect(flush.progress.diagnostics == [Diagnostic("b", "n")])
    }

    @Test("The progress is reported when more is settled, and the interval since the last report is over")
    func reports() {
        var reports = ReportPacer(interval: 100)
        var progress = FlushProgress()
        var made: [Int64] = []
        for now in [0, 99, 100, 200, 300] as [Int64] {
            if now < 300 { progress.add(settlement { $0.delivered = [now] }, []) }
            reports.committed(progress, at: now)
            if reports.consumeReport(progress, at: now) { made.append(now) }
        }
        #expect(made == [0, 100, 200])
        let isDueAtEnd = reports.consumeFinalReport(progress, at: 301)
        #expect(!isDueAtEnd)
    }
}
