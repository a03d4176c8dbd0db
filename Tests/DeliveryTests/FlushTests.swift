import Contract
import Suites
import Testing

@testable import Delivery

/// The actions of a flush, without a suite or a destination.
struct FlushTests {
    @Test("Records are claimed, sent and settled, and then the flush is done")
    func delivered() {
        var driver = FlushDriver([record(1), record(2)])
        #expect(driver.begin().batches == [[1, 2]])
        let steps = driver.accept([1, 2], of: 0, at: 5)
        #expect(steps.settlements == [settlement { $0.delivered = [1, 2] }])
        #expect(steps.ending == .done)
        #expect(driver.flush.progress.delivered == 2)
    }

    @Test("The last report has what was settled since the one before, however soon that was")
    func lastReport() {
        var driver = FlushDriver((1...1_001).map { record($0, user: "a") }, reportInterval: 100)
        #expect(driver.begin().reports == 0)
        #expect(driver.accept(1...1_000, of: 0, at: 5).reports == 1)
        let steps = driver.accept([1_001], of: 1, at: 6)
        #expect(steps.ending == .done && steps.reports == 1)
    }

    @Test("No more records are read while those that wait have the bytes of a window")
    func fullWindow() {
        var window = BatchWindow(newest: 9, limit: 9, batchesAtOnce: 2, user: nil)
        let rest = BatchWindow.windowBytes / 2 - record(1, user: "a", value: "\"\"").bytes
        let value = "\"\(String(repeating: "x", count: rest))\""
        window.append(QueuePage([record(1, user: "a", value: value)]))
        #expect(window.nextRead?.range == 2...9)
        window.append(QueuePage([record(2, user: "b", value: value)]))
        #expect(window.nextRead == nil)
        #expect(window.nextBatch(isProbe: false)?.records.map(\.id) == [1])
        #expect(window.nextRead?.range == 3...9)
    }

    @Test("No more records are read once as many as the limit allows are in batches")
    func usedLimit() {
        var window = BatchWindow(newest: 9, limit: 1, batchesAtOnce: 2, user: nil)
        window.append(QueuePage([record(1)]))
        #expect(window.nextRead?.range == 2...9)
        #expect(window.nextBatch(isProbe: false)?.records.map(\.id) == [1])
        #expect(window.nextRead == nil)
    }

    @Test("A flush without records is done at once")
    func nothing() {
        var driver = FlushDriver([])
        let steps = driver.begin()
        #expect(steps.ending == .done)
        #expect(steps.batches.isEmpty)
    }

    @Test("Two batches are in flight if their users differ, and one if they are the same")
    func users() {
        let many = (1...1_500).map { record($0, user: "a") } + (1_501...1_600).map { record($0, user: "b") }
        var driver = FlushDriver(many)
        let batches = driver.begin().batches
        #expect(batches == [Array(1...1_000), Array(1_501...1_600)])
        #expect(driver.accept(1...1_000, of: 0, at: 1).batches == [Array(1_001...1_500)])
    }

    @Test("A batch ends with the record with which it has exactly a mebibyte")
    func exactBytes() {
        let rest = BatchWindow.batchBytes / 2 - record(1, user: "1", value: "\"\"").bytes
        let value = "\"\(String(repeating: "x", count: rest))\""
        var driver = FlushDriver((1...5).map { record($0, user: "\($0)", value: value) })
        #expect(driver.begin().batches == [[1, 2], [3, 4]])
    }

    @Test("A batch ends with the record with which it has more than a mebibyte")
    func bytes() {
        let value = "\"\(String(repeating: "x", count: 400_000))\""
        var driver = FlushDriver((1...5).map { record($0, user: "\($0)", value: value) })
        #expect(driver.begin().batches == [[1, 2, 3], [4, 5]])
    }

    @Test("A destination that accepts one batch at a time gets one")
    func oneAtOnce() {
        var driver = FlushDriver([record(1, user: "a"), record(2, user: "b")], limit: 1, atOnce: 1)
        #expect(driver.begin().batches == [[1]])
    }

    @Test("The limit counts offered records, and a record that is offered again counts again")
    func limit() {
        var driver = FlushDriver([record(1), record(2), record(3)], limit: 2)
        #expect(driver.begin().batches == [[1, 2]])
        #expect(driver.accept([1], of: 0, at: 1).batches == [[2]])
        #expect(driver.accept([2], of: 1, at: 2).ending == .done)
    }

    @Test("A rejected record becomes a dead letter, a held one stays and is not offered again")
    func rejected() {
        var driver = FlushDriver([record(1), record(2), record(3)])
        _ = driver.begin()
        var reply = DeliveryReply(accepting: [3])
        reply.verdicts[1] = .rejected("too long")
        reply.verdicts[2] = .held("no user")
        let steps = driver.handle(.answered(0, reply), at: 1)
        let expected = settlement {
            $0.delivered = [3]
            $0.deadLetters = [(1, "too long")]
        }
        #expect(steps.settlements == [expected])
        #expect(steps.ending == .done)
        #expect(driver.flush.progress.held == ["no user": 1])
        #expect(driver.flush.progress.deadLetters == 1)
    }

    @Test("An ambiguous record is offered once more after a pause, alone; ambiguous again, it is a dead letter")
    func ambiguous() throws {
        var driver = FlushDriver([record(1), record(2)])
        _ = driver.begin()
        var steps = driver.handle(.failed(0, .exited), at: 10)
        let ambiguous = settlement {
            $0.ambiguousPending = [1, 2]
            $0.ambiguousRecords = 2
        }
        #expect(steps.settlements == [ambiguous])
        #expect(steps.sent.isEmpty)
        steps = driver.handle(.expired, at: try #require(driver.flush.deadline))
        #expect(steps.sent.map(\.records) == [[record(1, possiblySent: 1)]])
        #expect(steps.sent.map(\.isProbe) == [true])
        steps = driver.handle(.failed(1, .exited), at: 5_000)
        let dead = settlement {
            $0.deadLetters = [(1, AmbiguousDelivery.repetitionReason)]
            $0.ambiguousRecords = 1
        }
        #expect(steps.settlements == [dead])
        steps = driver.handle(.expired, at: try #require(driver.flush.deadline))
        #expect(steps.sent.map(\.records) == [[record(2, possiblySent: 1)]])
        #expect(driver.accept([2], of: 2, at: 20_000).ending == .done)
        let progress = driver.flush.progress
        #expect([progress.ambiguousDeliveries, progress.deadLetters, progress.delivered] == [3, 1, 1])
    }

    @Test("An idempotent destination gets an ambiguous record, also an increment, until it confirms it")
    func idempotent() throws {
        var driver = FlushDriver([record(1, value: #"{"inc":1}"#)], isIdempotent: true)
        _ = driver.begin()
        let ambiguous = settlement {
            $0.ambiguousPending = [1]
            $0.ambiguousRecords = 1
        }
        for attempt in 0..<3 {
            var steps = driver.handle(.failed(attempt, .exited), at: Int64(attempt) * 20_000)
            #expect(steps.settlements == [ambiguous])
            steps = driver.handle(.expired, at: try #require(driver.flush.deadline))
            #expect(steps.batches == [[1]])
        }
        #expect(driver.accept([1], of: 3, at: 59_000).ending == .done)
        let progress = driver.flush.progress
        #expect([progress.ambiguousDeliveries, progress.deadLetters, progress.delivered] == [3, 0, 1])
    }

    @Test("An ambiguous increment is never offered again")
    func increment() {
        var driver = FlushDriver([record(1, value: #"{"inc":1}"#)])
        _ = driver.begin()
        let dead = settlement {
            $0.deadLetters = [(1, AmbiguousDelivery.incrementReason)]
            $0.ambiguousRecords = 1
        }
        #expect(driver.handle(.failed(0, .exited), at: 1).settlements == [dead])
    }

    @Test(
        "Additions to an array of objects are treated like increments, and other changes are offered again",
        arguments: [
            (#"{"$add":[{"id":1}]}"#, true), (#"{"$remove":[],"$add":[{"id":1}]}"#, true), (#"{"$add":[]}"#, false),
            (#"{"$update":[{"$identifier_key":"id"}]}"#, false), (#"{"add":["a"]}"#, false),
            (#""\"$add\":""#, false), (#"{"inc":1,"by":2}"#, false), ("null", false),
        ]
    )
    func additions(value: String, isDeadLetter: Bool) {
        let settlement = AmbiguousDelivery.settlement(of: [record(1, value: value)], isIdempotent: false)
        #expect(settlement.ambiguousRecords == 1)
        #expect(settlement.deadLetters.map(\.id) == (isDeadLetter ? [1] : []))
        #expect(settlement.ambiguousPending == (isDeadLetter ? [] : [1]))
        #expect(settlement.deadLetters.allSatisfy { $0.reason == AmbiguousDelivery.additionReason })
    }

    @Test("If records are ambiguous from the start, one tries the destination first, until it answers clearly")
    func ambiguousStart() throws {
        var driver = FlushDriver([record(1), record(2, possiblySent: 1), record(3)])
        var steps = driver.begin()
        #expect(steps.batches == [[1]])
        #expect(steps.sent.map(\.isProbe) == [true])
        // A destination that fails to reach its service attempts nothing, so nothing becomes ambiguous.
        steps = driver.handle(.answered(0, DeliveryReply()), at: 1)
        #expect(steps.settlements == [Settlement()])
        #expect(driver.flush.progress.ambiguousDeliveries == 0)
        steps = driver.handle(.expired, at: try #require(driver.flush.deadline))
        #expect(steps.batches == [[1]])
        steps = driver.accept([1], of: 1, at: 5_000)
        #expect(steps.batches == [[2, 3]])
        #expect(steps.sent.map(\.isProbe) == [true], "one of them may have been sent")
    }

    @Test("Damaged rows are reported, and the records after them are flushed")
    func damaged() {
        var driver = FlushDriver([record(3)], damaged: [DamagedRecord(id: 4, problem: "its kind is 99")])
        let steps = driver.begin()
        #expect(steps.reads == [1...4])
        #expect(steps.batches == [[3]])
        #expect(driver.accept([3], of: 0, at: 1).ending == .done)
        #expect(driver.flush.progress.diagnostics.map(\.reason) == ["damagedRecord"])
    }

    @Test("The queue is read in pages, when the window has room")
    func pages() {
        var driver = FlushDriver((1...5_000).map { record($0, user: "a") })
        #expect(driver.begin().reads == [1...5_000, 3_001...5_000])
        #expect(driver.accept(1...1_000, of: 0, at: 1).reads == [4_001...5_000])
        for batch in 1..<4 {
            let ids = Int64(batch) * 1_000 + 1...Int64(batch + 1) * 1_000
            #expect(driver.accept(ids, of: batch, at: 2).ending == nil)
        }
        #expect(driver.accept(4_001...5_000, of: 4, at: 3).ending == .done)
    }

    @Test("If the destination stops the flush, nothing more is sent, and the batches in flight are awaited")
    func stop() {
        var driver = FlushDriver((1...1_001).map { record($0, user: "\($0)") })
        _ = driver.begin()
        var reply = DeliveryReply()
        reply.stop = "wrong key"
        let steps = driver.handle(.answered(0, reply), at: 1)
        #expect(steps.changes == [Flush.HealthChange(failures: 0, pause: nil, problem: "wrong key")])
        #expect(steps.sent.isEmpty)
        #expect(driver.accept([1_001], of: 1, at: 2).ending == .stopped("wrong key"))
    }

    @Test("The user of a record, and the same user as the flush's default, are one user")
    func flushUser() {
        var window = BatchWindow(newest: 9, limit: 9, batchesAtOnce: 2, user: #"{"braze_id":"a"}"#)
        window.append(QueuePage([record(1), record(2, user: "a"), record(3, user: "b")]))
        #expect(window.nextBatch(isProbe: true)?.records.map(\.id) == [1])
        #expect(window.nextBatch(isProbe: false)?.records.map(\.id) == [3])
    }

    @Test("A window keeps no user of whom it has no record")
    func forgottenUsers() throws {
        var window = BatchWindow(newest: 9, limit: 9, batchesAtOnce: 2, user: nil)
        window.append(QueuePage([record(1, user: "a"), record(2, user: "b"), record(3, user: "a")]))
        func users() throws -> Set<String> {
            let numbers = Mirror(reflecting: window).descendant("keys", "numbers")
            return Set(try #require(numbers as? [String: Int]).keys)
        }
        #expect(try users().count == 2)
        window.discard([1, 2])
        #expect(try users() == [#"{"braze_id":"a"}"#])
        window.discard([3])
        #expect(try users() == [])
    }

    @Test("A cancelled flush ends when the batch in flight is answered")
    func cancel() {
        var driver = FlushDriver((1...1_001).map { record($0, user: "a") })
        _ = driver.begin()
        #expect(driver.handle(.cancelled, at: 1).isNothing)
        let steps = driver.accept(1...1_000, of: 0, at: 2)
        #expect(steps.ending == .cancelled)
        #expect(driver.flush.progress.delivered == 1_000)
    }

    @Test("A flush keeps each diagnostic once, and twenty of them; it counts twenty reasons to hold records")
    func diagnostics() {
        var progress = FlushProgress()
        for _ in 0..<2 {
            for number in 1...25 {
                progress.add(Diagnostic("reason", "\(number)"))
                progress.addHeld("r\(number)")
            }
        }
        let held = progress.diagnostics.filter { $0.reason == "recordsHeld" }
        #expect(progress.diagnostics.filter { $0.reason == "reason" }.map(\.message) == (1...20).map { "\($0)" })
        #expect(held.count == 21 && progress.heldRecords == 50)
        #expect(held.first?.message == "10 records stay pending: other reasons")
    }
}
