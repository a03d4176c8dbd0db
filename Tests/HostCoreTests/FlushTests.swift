import Suites
import Testing

@testable import HostCore

/// The flush's state machine, without a suite or a destination.
struct FlushTests {
    private func record(_ id: Int64, user: String? = nil, uncertain: Int64 = 0, value: String? = nil) -> StoredRecord {
        StoredRecord(
            id: id,
            kind: value == nil ? .customEvent : .customAttribute,
            name: "n",
            value: value,
            time: 0,
            user: user.map { #"{"braze_id":"\#($0)"}"# },
            timesUncertain: uncertain
        )
    }

    private func flush(
        limit: Int64 = .max,
        atOnce: Int = 2,
        pause: Int64? = nil,
        patience: Int64 = 60_000,
        base: Int64 = 1_000
    ) -> Flush {
        var settings = DeliverySettings()
        settings.retryBase = base
        return Flush(
            limit: limit,
            batchesAtOnce: atOnce,
            backoff: Backoff(settings, failures: 0, random: Chance(seed: 1)),
            pause: pause,
            problem: nil,
            possiblySent: 0,
            patience: patience,
            now: 0
        )
    }

    /// A flush that has read all its records, and what it wants done then.
    private func begun(_ records: [StoredRecord], limit: Int64 = .max, atOnce: Int = 2) -> (Flush, [Flush.Action]) {
        var flush = flush(limit: limit, atOnce: atOnce)
        #expect(flush.event(.time, now: 0) == [.read(after: 0, records: 3_000, bytes: 3 << 20)])
        let actions = flush.event(.read(records, isEnd: true), now: 0)
        return (flush, actions)
    }

    private func accept(_ ids: Int64...) -> DeliveryReply {
        var reply = DeliveryReply()
        for id in ids { reply.verdicts[id] = .accepted }
        return reply
    }

    private func settlement(_ change: (inout Settlement) -> Void) -> Settlement {
        var settlement = Settlement()
        change(&settlement)
        return settlement
    }

    @Test("Records are claimed, delivered and settled, and then it is done")
    func delivered() {
        var (flush, actions) = begun([record(1), record(2)])
        #expect(actions == [.claim(0, [record(1), record(2)])])
        actions = flush.event(.answered(0, accept(1, 2)), now: 5)
        #expect(actions == [.settle(0, settlement { $0.delivered = [1, 2] }), .finish(.done)])
        #expect(flush.progress.delivered == 2)
    }

    @Test("Nothing to flush is done at once")
    func nothing() {
        let (_, actions) = begun([])
        #expect(actions == [.finish(.done)])
    }

    @Test("Two batches are on their way when their users differ, one when they are the same")
    func users() {
        let many = (1...1_500).map { record($0, user: "a") } + (1_501...1_600).map { record($0, user: "b") }
        var (flush, actions) = begun(many)
        #expect(actions.claims.map(\.count) == [1_000, 100])
        #expect(actions.claims[1].allSatisfy { $0.user?.contains("\"b\"") == true })
        var reply = DeliveryReply()
        for id in 1...1_000 as ClosedRange<Int64> { reply.verdicts[id] = .accepted }
        actions = flush.event(.answered(0, reply), now: 1)
        #expect(actions.claims.map(\.count) == [500])
    }

    @Test("A destination that takes one batch at a time gets one")
    func oneAtOnce() {
        let (_, actions) = begun([record(1, user: "a"), record(2, user: "b")], limit: 1, atOnce: 1)
        #expect(actions == [.claim(0, [record(1, user: "a")])])
    }

    @Test("The limit counts what is offered; what comes back counts again")
    func limit() {
        var (flush, actions) = begun([record(1), record(2), record(3)], limit: 2)
        #expect(actions.claims.map { $0.map(\.id) } == [[1, 2]])
        actions = flush.event(.answered(0, accept(1)), now: 1)
        #expect(actions.claims.map { $0.map(\.id) } == [[2]])
        actions = flush.event(.answered(1, accept(2)), now: 2)
        #expect(actions.last == .finish(.done))
    }

    @Test("A rejected record becomes a dead letter, a held one stays and is not offered again")
    func rejected() {
        var (flush, _) = begun([record(1), record(2), record(3)])
        var reply = accept(3)
        reply.verdicts[1] = .rejected("too long")
        reply.verdicts[2] = .held("no user")
        let actions = flush.event(.answered(0, reply), now: 1)
        let settled = settlement {
            $0.delivered = [3]
            $0.buried = [(1, "too long")]
        }
        #expect(actions == [.settle(0, settled), .finish(.done)])
        #expect(flush.progress.held == ["no user": 1] && flush.progress.rejected == 1)
    }

    @Test("A record in doubt is offered once more after a pause, alone; in doubt again, it is a dead letter")
    func doubt() throws {
        var (flush, _) = begun([record(1), record(2)])
        var actions = flush.event(.failed(0, problem: "gone", hasLeft: true, retryAfter: nil), now: 10)
        let doubted = settlement {
            $0.uncertain = [1, 2]
            $0.possiblySent = 2
        }
        #expect(actions.first == .settle(0, doubted) && actions.claims.isEmpty)
        actions = flush.event(.time, now: try #require(flush.deadline))
        #expect(actions.claims == [[record(1, uncertain: 1)]])
        actions = flush.event(.failed(1, problem: "gone", hasLeft: true, retryAfter: nil), now: 5_000)
        let buried = settlement {
            $0.buried = [(1, Doubt.twice)]
            $0.possiblySent = 1
        }
        #expect(actions.first == .settle(1, buried))
        actions = flush.event(.time, now: try #require(flush.deadline))
        #expect(actions.claims == [[record(2, uncertain: 1)]])
        actions = flush.event(.answered(2, accept(2)), now: 20_000)
        #expect(actions.last == .finish(.done))
        #expect(flush.progress.possiblySent == 3 && flush.progress.rejected == 1 && flush.progress.delivered == 1)
    }

    @Test("An increment in doubt is never offered again")
    func increment() {
        var (flush, actions) = begun([record(1, value: #"{"inc":1}"#)])
        actions = flush.event(.failed(0, problem: "gone", hasLeft: true, retryAfter: nil), now: 1)
        let buried = settlement {
            $0.buried = [(1, Doubt.increment)]
            $0.possiblySent = 1
        }
        #expect(actions.first == .settle(0, buried))
    }

    @Test(
        "Elements that are added to an array of objects count as an increment does; other changes are offered again",
        arguments: [
            (#"{"$add":[{"id":1}]}"#, true), (#"{"$remove":[],"$add":[{"id":1}]}"#, true), (#"{"$add":[]}"#, false),
            (#"{"$update":[{"$identifier_key":"id"}]}"#, false), (#"{"add":["a"]}"#, false),
            (#""\"$add\":""#, false), (#"{"inc":1,"by":2}"#, false), ("null", false),
        ]
    )
    func additions(value: String, isBuried: Bool) {
        let settlement = Doubt.settle([record(1, value: value)])
        #expect(settlement.possiblySent == 1)
        #expect(settlement.buried.map(\.id) == (isBuried ? [1] : []))
        #expect(settlement.uncertain == (isBuried ? [] : [1]))
        #expect(settlement.buried.allSatisfy { $0.reason == Doubt.addition })
    }

    @Test("Where records are ambiguous from the start one tries the destination first, until it answers clearly")
    func ambiguousStart() throws {
        var (flush, actions) = begun([record(1), record(2, uncertain: 1), record(3)])
        #expect(actions.claims == [[record(1)]] && flush.isProbing)
        // A destination that probes its service in vain takes nothing, and nothing is in doubt by that.
        actions = flush.event(.answered(0, DeliveryReply()), now: 1)
        #expect(actions.first == .settle(0, Settlement()) && flush.progress.possiblySent == 0)
        actions = flush.event(.time, now: try #require(flush.deadline))
        #expect(actions.claims == [[record(1)]] && flush.isProbing)
        actions = flush.event(.answered(1, accept(1)), now: 5_000)
        #expect(actions.claims == [[record(2, uncertain: 1), record(3)]] && !flush.isProbing)
    }

    @Test("Damaged rows are told, and what is behind them is read and flushed")
    func damaged() {
        var flush = flush()
        _ = flush.event(.time, now: 0)
        let row = DamagedRecord(id: 4, problem: "its kind is 99")
        _ = flush.event(.damaged([row]), now: 0)
        var actions = flush.event(.read([record(3)], isEnd: false), now: 0)
        #expect(actions.contains(.read(after: 4, records: 2_999, bytes: (3 << 20) - 1)))
        #expect(actions.claims == [[record(3)]])
        actions = flush.event(.read([], isEnd: true), now: 0)
        actions = flush.event(.answered(0, accept(3)), now: 1)
        #expect(actions.last == .finish(.done))
        #expect(flush.progress.diagnostics.map(\.reason) == ["damagedRecord"])
    }

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

    @Test("Where an operator must act nothing more leaves, and what is on its way is waited for")
    func stop() {
        var (flush, _) = begun((1...1_001).map { record($0, user: "\($0)") })
        var reply = DeliveryReply()
        reply.stop = "wrong key"
        let actions = flush.event(.answered(0, reply), now: 1)
        #expect(actions == [.settle(0, Settlement()), .note(failures: 0, pause: nil, problem: "wrong key")])
        #expect(flush.event(.answered(1, accept(1_001)), now: 2).last == .finish(.stopped("wrong key")))
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

    @Test("Records that somebody removed before their batch left do not leave; the others do")
    func removed() {
        var (flush, _) = begun([record(1), record(2)])
        #expect(flush.event(.removed(0, [1]), now: 1).isEmpty)
        let actions = flush.event(.answered(0, accept(2)), now: 2)
        #expect(actions == [.settle(0, settlement { $0.delivered = [2] }), .finish(.done)])
        var (other, _) = begun([record(1)])
        #expect(other.event(.removed(0, [1]), now: 1) == [.settle(0, Settlement()), .finish(.done)])
    }

    @Test("Who is named by a record and who by the flush is one user")
    func flushUser() {
        var queue = DeliveryQueue(user: #"{"braze_id":"a"}"#)
        queue.append([record(1), record(2, user: "a"), record(3, user: "b")])
        #expect(queue.takeBatch(0, limit: 1).map(\.id) == [1])
        #expect(queue.takeBatch(1, limit: 3).map(\.id) == [3])
    }

    @Test("A pause that an earlier host was given is kept")
    func earlierPause() {
        var flush = flush(pause: 500)
        #expect(flush.event(.time, now: 0).isEmpty)
        #expect(flush.event(.time, now: 500).count == 1)
    }

    @Test("A cancelled flush stops between batches")
    func cancel() {
        var (flush, _) = begun((1...1_001).map { record($0, user: "a") })
        #expect(flush.event(.cancelled, now: 1).isEmpty)
        var reply = DeliveryReply()
        for id in 1...1_000 as ClosedRange<Int64> { reply.verdicts[id] = .accepted }
        #expect(flush.event(.answered(0, reply), now: 2).last == .finish(.cancelled))
    }

    @Test("A suite that refuses a claim ends it")
    func refused() {
        var (flush, _) = begun([record(1)])
        #expect(flush.event(.refused(.notStored("full")), now: 1).isEmpty)
        let actions = flush.event(.failed(0, problem: "full", hasLeft: false, retryAfter: nil), now: 1)
        #expect(actions == [.settle(0, Settlement()), .finish(.refused(.notStored("full")))])
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
            var backoff = Backoff(settings, failures: 0, random: Chance(seed: seed))
            for longest in [100, 200, 400, 800, 1_000, 1_000] as [Int64] {
                #expect((longest / 2...longest).contains(backoff.pause()))
            }
            backoff.reset()
            #expect(backoff.pause() <= 100)
        }
        settings.retryBase = 0
        var least = Backoff(settings, failures: 0, random: Chance(seed: 1))
        #expect(least.pause() == 1, "nothing is tried again at once")
        var late = Backoff(settings, failures: .max >> 1, random: Chance(seed: 1))
        #expect(late.pause() <= 1_000)
    }
}

extension Flush.Action {
    fileprivate var isFinish: Bool { if case .finish = self { true } else { false } }
}

extension [Flush.Action] {
    fileprivate var claims: [[StoredRecord]] {
        compactMap { if case .claim(_, let records) = $0 { records } else { nil } }
    }
}
