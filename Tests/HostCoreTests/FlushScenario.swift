import Suites
import Testing

@testable import HostCore

/// What tests of the flush's state machine have in common.
protocol FlushScenario {}

extension FlushScenario {
    func record(_ id: Int64, user: String? = nil, uncertain: Int64 = 0, value: String? = nil) -> StoredRecord {
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

    func flush(
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
            backoff: Backoff(settings, failures: 0, random: RandomGenerator(seed: 1)),
            pause: pause,
            problem: nil,
            possiblySent: 0,
            patience: patience,
            now: 0
        )
    }

    /// A flush that has read all its records, and what it wants done then.
    func begun(_ records: [StoredRecord], limit: Int64 = .max, atOnce: Int = 2) -> (Flush, [Flush.Action]) {
        var flush = flush(limit: limit, atOnce: atOnce)
        #expect(flush.event(.time, now: 0) == [.read(after: 0, records: 3_000, bytes: 3 << 20)])
        let actions = flush.event(.read(records, isEnd: true), now: 0)
        return (flush, actions)
    }

    func accept(_ ids: Int64...) -> DeliveryReply {
        var reply = DeliveryReply()
        for id in ids { reply.verdicts[id] = .accepted }
        return reply
    }

    func settlement(_ change: (inout Settlement) -> Void) -> Settlement {
        var settlement = Settlement()
        change(&settlement)
        return settlement
    }
}

extension Flush.Action {
    var isFinish: Bool { if case .finish = self { true } else { false } }
}

extension [Flush.Action] {
    var claims: [[StoredRecord]] {
        compactMap { if case .claim(_, let records) = $0 { records } else { nil } }
    }
}
