import Contract
import Suites
import Testing

@testable import HostCore

/// The flush's state machine, without a suite or a destination.
struct FlushTests: FlushScenario {
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

    @Test("Where an operator must act nothing more leaves, and what is on its way is waited for")
    func stop() {
        var (flush, _) = begun((1...1_001).map { record($0, user: "\($0)") })
        var reply = DeliveryReply()
        reply.stop = "wrong key"
        let actions = flush.event(.answered(0, reply), now: 1)
        #expect(actions == [.settle(0, Settlement()), .note(failures: 0, pause: nil, problem: "wrong key")])
        #expect(flush.event(.answered(1, accept(1_001)), now: 2).last == .finish(.stopped("wrong key")))
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
}
