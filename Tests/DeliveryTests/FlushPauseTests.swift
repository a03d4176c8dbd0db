import Contract
import Suites
import Testing

@testable import Delivery

/// When a flush tries its destination again, and when it gives up.
struct FlushPauseTests {
    /// A reply that asks for a pause.
    private func pause(_ milliseconds: Int64?, accepting ids: [Int64] = []) -> DeliveryReply {
        var reply = DeliveryReply(accepting: ids)
        reply.retryAfter = milliseconds
        return reply
    }

    @Test("Records that were not sent are offered again unchanged")
    func neverSent() throws {
        var driver = FlushDriver([record(1)])
        _ = driver.begin()
        let failure = DeliveryFailure("cannot start", mayHaveArrived: false, retryAfter: 3_000)
        var steps = driver.handle(.failed(0, failure), at: 1)
        #expect(steps.settlements == [Settlement()])
        #expect(steps.changes == [Flush.HealthChange(failures: 1, pause: 3_000, problem: "cannot start")])
        #expect(driver.flush.deadline == 3_001)
        #expect(driver.handle(.expired, at: 3_000).isNothing)
        #expect(driver.handle(.expired, at: 3_001).sent.map(\.records) == [[record(1)]])
        steps = driver.accept([1], of: 1, at: 4_000)
        #expect(steps.changes == [Flush.HealthChange(failures: 0, pause: nil, problem: nil)])
    }

    @Test("A destination that asks for a pause gets nothing for that time, and the batches in flight are awaited")
    func retryAfter() {
        var driver = FlushDriver((1...1_001).map { record($0, user: "\($0)") })
        _ = driver.begin()
        #expect(driver.handle(.answered(0, pause(5_000, accepting: [1])), at: 1).sent.isEmpty)
        let steps = driver.accept([1_001], of: 1, at: 2)
        #expect(steps.sent.isEmpty && steps.changes.isEmpty)
        #expect(driver.flush.problem == "it asks for a pause", "an earlier batch's success does not end the pause")
        #expect(driver.handle(.expired, at: 4_999).isNothing)
        #expect(driver.handle(.expired, at: 5_001).batches.map(\.count) == [999])
    }

    @Test("The problem of a destination is its first diagnostic, or else what its answer shows")
    func problems() {
        var ambiguous = pause(1)
        ambiguous.verdicts[1] = .ambiguous
        var explained = ambiguous
        explained.diagnostics = [Diagnostic("full", "its disk is full"), Diagnostic("late", "it is late")]
        let expected = [
            (DeliveryReply(), "it accepted nothing"), (pause(1), "it asks for a pause"),
            (ambiguous, "it cannot say whether everything arrived"), (explained, "its disk is full"),
        ]
        for (reply, problem) in expected {
            var driver = FlushDriver([record(1)])
            _ = driver.begin()
            let changes = driver.handle(.answered(0, reply), at: 0).changes
            #expect(changes.count == 1 && changes.first?.problem == problem)
            #expect(driver.flush.problem == problem)
        }
    }

    @Test("If two batches stop the flush, it ends with what the first one said")
    func stoppedTwice() {
        var driver = FlushDriver((1...1_001).map { record($0, user: "\($0)") })
        _ = driver.begin()
        var ending: Flush.Ending?
        for (batch, text) in ["wrong key", "too late"].enumerated() {
            var reply = DeliveryReply()
            reply.stop = text
            ending = driver.handle(.answered(batch, reply), at: 1).ending
            #expect(driver.flush.problem == "wrong key")
        }
        #expect(ending == .stopped("wrong key"))
    }

    @Test("A batch that cannot be claimed ends the flush, and the one in flight is settled without a pause")
    func refusedClaim() {
        var driver = FlushDriver((1...2_001).map { record($0, user: "\($0)") })
        driver.refused = 2
        _ = driver.begin()
        var steps = driver.accept(1...1_000, of: 0, at: 1)
        #expect(steps.batches == [] && steps.ending == nil)
        steps = driver.accept(1_001...2_000, of: 1, at: 2)
        #expect(steps.settlements == [settlement { $0.delivered = Array(1_001...2_000) }])
        #expect(steps.ending == .refused(.notStored("full disk")))
    }

    @Test("A flush gives up if nothing is accepted for longer than its patience, or if it is expedited")
    func patience() {
        var driver = FlushDriver([record(1)])
        _ = driver.begin()
        #expect(driver.handle(.answered(0, pause(60_000)), at: 0).ending == nil)
        #expect(
            driver.handle(.expedited, at: 100).ending
                == .unavailable(problem: "it asks for a pause", retryAfter: 59_900)
        )
        var other = FlushDriver([record(1)])
        _ = other.begin()
        #expect(
            other.handle(.answered(0, pause(60_001)), at: 0).ending
                == .unavailable(problem: "it asks for a pause", retryAfter: 60_001)
        )
    }

    @Test("A delivery begins the patience from its start, although every second answer fails")
    func patienceAfterDelivery() throws {
        var driver = FlushDriver((1...60).map { record($0) })
        var steps = driver.begin()
        var now: Int64 = 0
        for id in 1...60 as ClosedRange<Int64> {
            #expect(steps.batches.first?.first == id)
            // A delivery that comes with the request for a pause ends no failure, and yet it is one.
            steps = driver.handle(.answered(driver.lastSent, pause(2_000, accepting: [id])), at: now)
            guard id < 60 else { break }
            now = try #require(driver.flush.deadline)
            steps = driver.handle(.expired, at: now)
            #expect(steps.ending == nil, "after \(now) ms")
        }
        #expect(now > 60_000 && steps.ending == .done)
    }

    @Test("A flush gives up if nothing is accepted, even if the destination asks for a pause of zero")
    func noPause() {
        var driver = FlushDriver([record(1)])
        _ = driver.begin()
        _ = driver.handle(.expedited, at: 0)
        let ending = driver.handle(.answered(0, pause(0)), at: 0).ending
        guard case .unavailable(let problem, let pause) = ending else {
            Issue.record("it ends with \(String(describing: ending))")
            return
        }
        #expect(problem == "it asks for a pause")
        #expect((500...1_000).contains(pause))
    }

    @Test("A flush without further records does not wait for the requested pause")
    func throughDespitePause() {
        var driver = FlushDriver([record(1)])
        _ = driver.begin()
        #expect(driver.handle(.answered(0, pause(5_000, accepting: [1])), at: 0).ending == .done)
    }

    @Test("A destination that answers again gets more than one record, even though it asks for a pause")
    func probing() throws {
        var driver = FlushDriver([record(1), record(2), record(3)])
        _ = driver.begin()
        _ = driver.handle(.failed(0, .exited), at: 0)
        #expect(driver.handle(.expired, at: try #require(driver.flush.deadline)).batches == [[1]])
        let steps = driver.handle(.answered(1, pause(8_000, accepting: [1])), at: 2_000)
        #expect(steps.changes == [Flush.HealthChange(failures: 1, pause: 8_000, problem: "it asks for a pause")])
        #expect(driver.handle(.expired, at: 10_000).batches == [[2, 3]])
    }

    @Test("A pause that a destination requested from an earlier host is observed")
    func earlierPause() {
        var driver = FlushDriver([record(1)], pause: 500)
        #expect(driver.begin().isNothing)
        #expect(driver.handle(.expired, at: 499).isNothing)
        #expect(driver.handle(.expired, at: 500).batches == [[1]])
    }

    @Test("A flush gives up at once if an answer arrives after its patience, however short the pause is")
    func lateAnswer() {
        var driver = FlushDriver([record(1)])
        _ = driver.begin()
        let steps = driver.handle(.failed(0, DeliveryFailure("gone", mayHaveArrived: false)), at: 60_000)
        #expect(steps.settlements == [Settlement()])
        #expect(steps.ending != nil)
    }

    @Test("A flush without patience does not wait for a pause that was requested from an earlier flush")
    func noPatience() {
        var driver = FlushDriver([record(1)], pause: 500, patience: 0)
        #expect(driver.begin().ending == .unavailable(problem: "it accepts nothing now", retryAfter: 500))
    }

    @Test(
        "A destination that accepts nothing gets few attempts, whatever pause it asks for",
        arguments: [nil, 0, 1, 40] as [Int64?],
        [false, true]
    )
    func attempts(retryAfter: Int64?, isAmbiguous: Bool) throws {
        var driver = FlushDriver((1...100).map { record($0) })
        var steps = driver.begin()
        var attempts = 0
        var now: Int64 = 0
        while steps.ending == nil {
            try #require(attempts < 100)
            if let batch = steps.batches.first {
                attempts += 1
                var reply = pause(retryAfter)
                for id in batch where isAmbiguous { reply.verdicts[id] = .ambiguous }
                steps = driver.handle(.answered(driver.lastSent, reply), at: now)
            } else {
                now = try #require(driver.flush.deadline)
                steps = driver.handle(.expired, at: now)
            }
        }
        // At least half of 1 s, 2 s, 4 s, … within the patience of a minute.
        #expect((2...8).contains(attempts))
    }

    @Test(
        "A destination that accepts a few records and asks for no pause at all is left alone for a pause of the host's"
    )
    func little() throws {
        var driver = FlushDriver([record(1), record(2)])
        _ = driver.begin()
        #expect(driver.handle(.answered(0, pause(0, accepting: [1])), at: 0).sent.isEmpty)
        #expect(try #require(driver.flush.deadline) >= 500)
    }
}
