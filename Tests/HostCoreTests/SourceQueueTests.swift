import Delivery
import Suites
import Testing

@testable import Relay

/// What a relay tells its source about pulled records, step by step.
@Suite struct SourceQueueTests {
    private let queue = SourceQueue()

    private func pull(_ ids: Int64...) -> Bool {
        let records = ids.map { id in
            StoredRecord(id: id, kind: .customEvent, name: "e", value: nil, time: 0, user: nil, possiblySent: 0)
        }
        return queue.add(records, dead: [], returned: [])
    }

    /// Lets the flush read and claim records, and the source store that they may be sent.
    private func send(_ ids: Int64...) throws -> Int64 {
        _ = try queue.read(1 ... .max, records: ids.count, bytes: .max)
        let claim = try queue.claim(ids, for: "")
        #expect(claim.missing.isEmpty)
        #expect(queue.beginSending() == ids)
        #expect(queue.begun() == [claim.number])
        return claim.number
    }

    private func read(_ records: Int = 9, bytes: Int = .max) throws -> [Int64] {
        try queue.read(1 ... .max, records: records, bytes: bytes).records.map(\.id)
    }

    private func settle(
        _ claim: Int64,
        delivered: [Int64] = [],
        dead: [Int64] = [],
        uncertain: [Int64] = []
    ) throws {
        var settlement = Settlement()
        (settlement.delivered, settlement.ambiguousPending) = (delivered, uncertain)
        settlement.deadLetters = dead.map { ($0, "refused") }
        try queue.settle(claim, settlement, destination: "", state: nil, now: 0)
    }

    /// What the source is told, and then stores.
    private func stored() -> SettleParams? {
        defer { _ = queue.stored() }
        return queue.beginStoring()
    }

    private func told(
        delivered: [Int64] = [],
        dead: [Int64] = [],
        uncertain: [Int64] = [],
        retry: [Int64] = [],
        unsent: [Int64] = []
    ) -> SettleParams {
        let letters = dead.map { SettleParams.DeadRecord(id: $0, reason: "refused") }
        return SettleParams(delivered: delivered, dead: letters, uncertain: uncertain, retry: retry, unsent: unsent)
    }

    /// Pulls a record that becomes a dead letter at once.
    private func pullDead(_ id: Int64) -> Bool { queue.add([], dead: [(id: id, reason: "refused")], returned: []) }

    @Test("A read ends with the record that exceeds the bytes, and the next one goes on behind it")
    func bytes() throws {
        // Each has one byte, its name.
        #expect(pull(1, 2, 3, 4))
        #expect(try read(bytes: 1) == [1, 2])
        #expect(try read(bytes: 0) == [3])
        #expect(try read() == [4])
    }

    @Test("A source that was not asked whether a batch may be sent is not told that its records were not sent")
    func neverBegun() throws {
        #expect(pull(1, 2))
        _ = try queue.read(1 ... .max, records: 2, bytes: .max)
        let claim = try queue.claim([1, 2], for: "").number
        try settle(claim)
        #expect(queue.beginSending() == nil && queue.withdraw().isEmpty)
        #expect(queue.beginStoring() == told())
        #expect(queue.beginSending() == nil && queue.withdraw().isEmpty)
        #expect(queue.stored() == [claim])
        #expect(queue.kept == [1, 2])
        #expect(!queue.hasOutcomes)
    }

    @Test("A source is told what became of each record of a batch, and the others stay this host's")
    func delivered() throws {
        #expect(pull(1, 2, 3, 4))
        let claim = try send(1, 2, 3)
        #expect(queue.beginStoring() == nil)
        try settle(claim, delivered: [1], dead: [2])
        #expect(stored() == told(delivered: [1], dead: [2], unsent: [3]))
        #expect(queue.kept == [3, 4])
        #expect(!queue.hasOutcomes)
    }

    @Test("A record that may have been delivered is not told as unsent, and stays this host's")
    func uncertain() throws {
        #expect(pull(1, 2))
        let claim = try send(1, 2)
        try settle(claim, delivered: [1], uncertain: [2])
        #expect(stored() == told(delivered: [1], uncertain: [2]))
        #expect(queue.kept == [2])
    }

    @Test("At the end of a flush all records are given back, and none is begun, claimed or read")
    func returned() throws {
        #expect(pull(1, 2, 3))
        _ = try queue.read(1...2, records: 2, bytes: .max)
        _ = try queue.claim([1, 2], for: "")
        queue.returnAll()
        #expect(queue.beginSending() == nil)
        #expect(try queue.read(1 ... .max, records: 9, bytes: .max).records.isEmpty)
        #expect(stored() == told(retry: [1, 2, 3]))
        #expect(queue.kept.isEmpty)
    }

    @Test("At the end of a flush, what becomes a dead letter or is being given back is not given back once more")
    func returnedOnce() {
        #expect(pull(1, 2))
        #expect(pullDead(3))
        #expect(queue.recall([1]) == [1])
        #expect(queue.beginStoring() == told(dead: [3], retry: [1]))
        #expect(pullDead(4))
        queue.returnAll()
        _ = queue.stored()
        #expect(stored() == told(dead: [4], retry: [2]))
        #expect(queue.kept.isEmpty)
    }

    @Test("Of records that the source takes back, those being sent are given back when their fate is known")
    func recalled() throws {
        #expect(pull(1, 2, 3))
        let claim = try send(1, 2)
        #expect(queue.recall([1, 2, 3, 9]) == [1, 2, 3])
        #expect(queue.recall([1]) == [])
        #expect(try read().isEmpty)
        #expect(stored() == told(retry: [3]))
        try settle(claim, delivered: [1])
        #expect(stored() == told(delivered: [1], unsent: [2]))
        #expect(stored() == told(retry: [2]))
        #expect(queue.kept.isEmpty)
    }

    @Test("A claimed record that the source takes back before it has begun is not sent")
    func recalledBeforeSending() throws {
        #expect(pull(1, 2))
        let claim = try queue.claim([1, 2], for: "").number
        #expect(queue.recall([1]) == [1])
        #expect(try queue.claim([1], for: "").missing == [1])
        #expect(queue.beginSending() == [2])
        #expect(queue.beginSending() == nil)
        #expect(queue.notBegun().contains(claim))
        #expect(stored() == told(retry: [1]))
        #expect(queue.kept == [2])
    }

    @Test("A batch of which the source took all records back keeps no other one from being sent")
    func recalledBatch() throws {
        #expect(pull(1, 2))
        _ = try queue.claim([1], for: "")
        #expect(queue.recall([1]) == [1])
        #expect(queue.beginSending() == nil)
        let claim = try queue.claim([2], for: "").number
        #expect(queue.beginSending() == [2])
        #expect(queue.begun() == [claim])
    }

    @Test("A record that was taken back while it was sent can be sent when it comes again", arguments: [false, true])
    func recalledAndPulledAgain(isFlushOver: Bool) throws {
        #expect(pull(1))
        let claim = try send(1)
        #expect(queue.recall([1]) == [1])
        if isFlushOver {
            queue.returnAll()
        } else {
            try settle(claim)
            #expect(stored() == told(unsent: [1]))
        }
        #expect(queue.beginStoring() == told(retry: [1]))
        // It comes before the source has answered that it got it back.
        #expect(pull(1))
        _ = queue.stored()
        #expect(try queue.claim([1], for: "").missing.isEmpty)
    }

    @Test("Nothing is told about a record that is not this host's any more")
    func dropped() throws {
        #expect(pull(1, 2, 3))
        #expect(queue.add([], dead: [(id: 4, reason: "refused"), (id: 5, reason: "refused")], returned: []))
        let claim = try send(1, 2)
        try settle(claim, delivered: [1, 2])
        _ = queue.recall([3])
        #expect(queue.drop([1, 3, 4, 9]) == [1, 4], "the record 3 was taken back before")
        #expect(stored() == told(delivered: [2], dead: [5]))
    }

    @Test("Of a batch, only the records that are still this host's are told, whatever became of the others")
    func droppedFromBatch() throws {
        #expect(pull(1, 2, 3, 4, 5, 6, 7, 8))
        let claim = try send(1, 2, 3, 4, 5, 6, 7, 8)
        #expect(pull(9, 10))
        try settle(claim, delivered: [1, 2], dead: [3, 4], uncertain: [5, 6])
        #expect(queue.drop([2, 4, 6, 8, 9]) == [2, 4, 6, 8, 9])
        #expect(try read() == [10])
        #expect(stored() == told(delivered: [1], dead: [3], uncertain: [5], unsent: [7]))
        #expect(queue.kept == [5, 7, 10])
    }

    @Test("If the source stored nothing, it is not told again about a record that is not this host's any more")
    func droppedWhileTold() {
        #expect(pull(1, 2))
        #expect(pullDead(3))
        #expect(queue.recall([1, 2]) == [1, 2])
        #expect(queue.beginStoring() == told(dead: [3], retry: [1, 2]))
        #expect(queue.drop([2, 3]) == [3])
        queue.notStored()
        #expect(stored() == told(retry: [1]))
    }

    @Test("A record that is not this host's any more is claimed again if it is pulled again, also after a recall")
    func droppedAfterRecall() throws {
        #expect(pull(1))
        _ = try send(1)
        #expect(queue.recall([1]) == [1])
        #expect(queue.drop([1]) == [])
        #expect(pull(1))
        #expect(try queue.claim([1], for: "").missing.isEmpty)
    }

    @Test("A record that is kept is not taken a second time, unless the source was just told that it got it back")
    func pulledAgain() throws {
        #expect(pull(1, 2))
        #expect(!pull(2))
        #expect(queue.recall([2]) == [2])
        #expect(!pull(2))
        #expect(queue.beginStoring() == told(retry: [2]))
        #expect(pull(2))
        _ = queue.stored()
        #expect(queue.kept == [1, 2])
    }

    @Test("A record is not claimed while the source does not know what became of it the last time")
    func unsettled() throws {
        #expect(pull(1, 2))
        let claim = try send(1)
        try settle(claim)
        #expect(throws: SuiteError.busy) { try queue.claim([1], for: "") }
        #expect(try queue.claim([2], for: "").missing.isEmpty)
        #expect(stored() == told(unsent: [1]))
        #expect(try queue.claim([1], for: "").missing.isEmpty)
    }

    @Test("What the source did not store, it is told again once the flush has settled its claims again")
    func notStored() throws {
        #expect(pull(1, 2))
        #expect(pullDead(4) && pullDead(3))
        let claim = try send(1)
        try settle(claim, delivered: [1])
        _ = queue.recall([2])
        #expect(queue.beginStoring() == told(delivered: [1], dead: [3, 4], retry: [2]))
        #expect(queue.beginStoring() == nil)
        queue.notStored()
        try settle(claim, delivered: [1])
        #expect(stored() == told(delivered: [1], dead: [3, 4], retry: [2]))
    }

    @Test("If the source stored nothing, the flush also settles the batch again that waited for its turn")
    func notStoredMeanwhile() throws {
        #expect(pull(1, 2))
        let (first, second) = (try send(1), try send(2))
        try settle(first, delivered: [1])
        #expect(queue.beginStoring() == told(delivered: [1]))
        try settle(second, delivered: [2])
        queue.notStored()
        #expect(!queue.hasOutcomes)
        try settle(first, delivered: [1])
        try settle(second, delivered: [2])
        #expect(stored() == told(delivered: [1, 2]))
    }

    @Test("The source stores outcomes one call after the other")
    func oneAtATime() {
        #expect(pull(1, 2))
        #expect(queue.recall([1]) == [1])
        #expect(queue.beginStoring() == told(retry: [1]))
        #expect(queue.hasOutcomes)
        #expect(queue.recall([2]) == [2])
        #expect(queue.beginStoring() == nil)
        _ = queue.stored()
        #expect(queue.hasOutcomes)
        #expect(stored() == told(retry: [2]))
        #expect(!queue.hasOutcomes && queue.kept.isEmpty)
    }

    @Test("A batch that is settled while the source is told to begin it is settled after the answer")
    func settledEarly() throws {
        #expect(pull(1))
        let claim = try queue.claim([1], for: "").number
        #expect(queue.beginSending() == [1])
        try settle(claim)
        #expect(queue.beginStoring() == nil)
        #expect(pull(2))
        #expect(queue.recall([2]) == [2])
        #expect(stored() == told(retry: [2]))
        #expect(queue.begun() == [claim])
        #expect(stored() == told(unsent: [1]))
    }

    @Test("A record counts as taken back once; one that this host gives back itself, when the source is gone")
    func takenBackOnce() throws {
        #expect(pull(1))
        #expect(queue.add([], dead: [], returned: [2]))
        #expect(queue.recall([1]) == [1])
        #expect(queue.recall([1]) == [])
        #expect(queue.clear().records == [2])
        #expect(pull(1))
        #expect(queue.recall([1]) == [1])
    }

    @Test("When the source's process is gone, nothing is told about its records")
    func cleared() throws {
        #expect(pull(1, 2, 3))
        let (settled, open) = (try send(1), try send(2))
        try settle(settled, delivered: [1])
        _ = queue.recall([2])
        let lost = queue.clear()
        #expect(lost.records == [1, 3], "the record 2 was taken back before")
        #expect(lost.claims == [settled])
        #expect(!queue.hasOutcomes && queue.kept.isEmpty)
        #expect(queue.beginSending() == nil)
        #expect(try read().isEmpty)
        try settle(open, delivered: [2])
        #expect(stored() == told())
        #expect(pull(2))
        #expect(try queue.claim([2], for: "").missing.isEmpty)
    }
}
