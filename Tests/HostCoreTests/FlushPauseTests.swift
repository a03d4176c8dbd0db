import Suites
import Testing

@testable import HostCore

/// When the flush's state machine tries again, and when it gives up.
struct FlushPauseTests: FlushScenario {
    @Test("What never left is offered again as it was")
    func neverLeft() throws {
        var (flush, actions) = begun([record(1)])
        actions = flush.event(.failed(0, problem: "cannot start", hasLeft: false, retryAfter: 3_000), now: 1)
        #expect(actions == [.settle(0, Settlement()), .note(failures: 1, pause: 3_000, problem: "cannot start")])
        #expect(flush.deadline == 3_001)
        #expect(flush.event(.time, now: 3_000).isEmpty)
        #expect(flush.event(.time, now: 3_001) == [.claim(1, [record(1)])])
        actions = flush.event(.answered(1, accept(1)), now: 4_000)
        #expect(actions.contains(.note(failures: 0, pause: nil, problem: nil)))
    }

    @Test("A destination that asks for a pause is left alone that long, other batches come to their end")
    func retryAfter() {
        var (flush, _) = begun((1...1_001).map { record($0, user: "\($0)") })
        var reply = DeliveryReply()
        reply.retryAfter = 5_000
        reply.verdicts[1] = .accepted
        #expect(flush.event(.answered(0, reply), now: 1).claims.isEmpty)
        #expect(flush.event(.answered(1, accept(1_001)), now: 2).claims.isEmpty)
        #expect(flush.event(.time, now: 4_999).isEmpty)
        #expect(flush.event(.time, now: 5_001).claims.map(\.count) == [999])
    }

    @Test("It gives up when nothing is taken for longer than its patience, or when it is hurried")
    func patience() {
        var (flush, _) = begun([record(1)])
        var reply = DeliveryReply()
        reply.retryAfter = 60_000
        #expect(flush.event(.answered(0, reply), now: 0).count == 2)
        #expect(
            flush.event(.hurried, now: 100)
                == [.finish(.unavailable(problem: "it asks for a pause", retryAfter: 59_900))]
        )
        var (other, _) = begun([record(1)])
        reply.retryAfter = 60_001
        #expect(
            other.event(.answered(0, reply), now: 0).last
                == .finish(.unavailable(problem: "it asks for a pause", retryAfter: 60_001))
        )
    }

    @Test("Where nothing is taken and no pause asked for it still gives up")
    func noPause() {
        var (flush, _) = begun([record(1)])
        _ = flush.event(.hurried, now: 0)
        var reply = DeliveryReply()
        reply.retryAfter = 0
        let actions = flush.event(.answered(0, reply), now: 0)
        guard case .finish(.unavailable(let problem, let pause))? = actions.last else {
            Issue.record("it goes on with \(actions)")
            return
        }
        #expect(problem == "it asks for a pause")
        #expect((500...1_000).contains(pause))
    }

    @Test("Nothing left to offer, it does not wait for the pause that it was asked for")
    func throughDespitePause() {
        var (flush, _) = begun([record(1)])
        var reply = accept(1)
        reply.retryAfter = 5_000
        #expect(flush.event(.answered(0, reply), now: 0).last == .finish(.done))
    }

    @Test("A destination that answers again is trusted with more than one record, though it asks for a pause")
    func probing() throws {
        var (flush, _) = begun([record(1), record(2), record(3)])
        _ = flush.event(.failed(0, problem: "gone", hasLeft: true, retryAfter: nil), now: 0)
        #expect(flush.event(.time, now: try #require(flush.deadline)).claims.map(\.count) == [1])
        var reply = accept(1)
        reply.retryAfter = 8_000
        let actions = flush.event(.answered(1, reply), now: 2_000)
        #expect(actions.contains(.note(failures: 1, pause: 8_000, problem: "it asks for a pause")))
        #expect(flush.event(.time, now: 10_000).claims.map(\.count) == [2])
    }

    @Test("A pause that an earlier host was given is kept")
    func earlierPause() {
        var flush = flush(pause: 500)
        #expect(flush.event(.time, now: 0).isEmpty)
        #expect(flush.event(.time, now: 500).count == 1)
    }

    @Test("A destination that takes nothing gets few attempts, whatever pause it asks for", arguments: [nil, 0, 1, 40])
    func attempts(retryAfter: Int64?) throws {
        for isAmbiguous in [false, true] {
            var (flush, actions) = begun((1...100).map { record($0) })
            var attempts = 0
            var now: Int64 = 0
            while actions.last?.isFinish != true {
                try #require(attempts < 100)
                let claim = actions.compactMap { if case .claim(let number, _) = $0 { number } else { nil } }.first
                if let claim {
                    attempts += 1
                    var reply = DeliveryReply()
                    reply.retryAfter = retryAfter
                    if isAmbiguous {
                        for record in actions.claims[0] { reply.verdicts[record.id] = .uncertain }
                    }
                    actions = flush.event(.answered(claim, reply), now: now)
                } else {
                    now = try #require(flush.deadline)
                    actions = flush.event(.time, now: now)
                }
            }
            // At least half of 1 s, 2 s, 4 s, … within the patience of a minute.
            #expect(attempts <= 8)
        }
    }

    @Test("A destination that takes a few records and asks for no pause at all is left alone for a pause of the host's")
    func little() throws {
        var (flush, _) = begun([record(1), record(2)])
        var reply = accept(1)
        reply.retryAfter = 0
        #expect(flush.event(.answered(0, reply), now: 0).claims.isEmpty)
        #expect(try #require(flush.deadline) >= 500)
    }

    @Test("Pauses grow with the failures up to the longest one; chance decides about half of each")
    func backoff() {
        var settings = DeliverySettings()
        settings.retryBase = 100
        settings.retryLimit = 1_000
        for seed in 0..<50 as Range<UInt64> {
            var backoff = Backoff(settings, failures: 0, random: RandomGenerator(seed: seed))
            for longest in [100, 200, 400, 800, 1_000, 1_000] as [Int64] {
                #expect((longest / 2...longest).contains(backoff.pause()))
            }
            backoff.reset()
            #expect(backoff.pause() <= 100)
        }
        settings.retryBase = 0
        var least = Backoff(settings, failures: 0, random: RandomGenerator(seed: 1))
        #expect(least.pause() == 1, "nothing is tried again at once")
        var late = Backoff(settings, failures: .max >> 1, random: RandomGenerator(seed: 1))
        #expect(late.pause() <= 1_000)
    }
}
