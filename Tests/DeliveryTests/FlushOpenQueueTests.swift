import Platform
import Suites
import Testing

@testable import Delivery

/// A flush of a queue that is empty for now, and stores settlements claim by claim: that of a relay.
@Suite struct FlushOpenQueueTests {
    private func flush(atOnce: Int = 2, rejectsHeld: Bool = false) -> Flush {
        var request = Flush.Request(newest: .max)
        request.batchesAtOnce = atOnce
        request.rejectsHeldRecords = rejectsHeld
        request.reportInterval = .max
        let policy = RetryPolicy(base: 1_000, limit: 300_000, patience: .max)
        return Flush(request, destinationRetry: Retry(policy, seed: 1), queueRetry: Retry(policy, seed: 1), now: 0)
    }

    private func record(
        _ id: Int64,
        user: String,
        suite: String = "s",
        possiblySent: Int64 = 0
    ) -> StoredRecord {
        StoredRecord(
            id: id,
            kind: .customEvent,
            name: "n",
            value: nil,
            time: 0,
            user: #"{"braze_id":"\#(user)"}"#,
            possiblySent: possiblySent,
            suite: suite
        )
    }

    /// Reads a page, claims what can be claimed, and stores what became of records.
    private func settle(_ flush: inout Flush, _ records: [StoredRecord] = []) {
        var page: [StoredRecord]? = records
        while let action = flush.next() {
            switch action {
            case .read:
                flush.handle(.read(QueuePage(page ?? [], isOpenEnded: true)), at: 0)
                page = nil
            case .claim(let number, _):
                flush.handle(.claimed(number, QueueClaim(Int64(number + 1), isDurable: true)), at: 0)
            case .settle(let number, _, _, _): flush.handle(.settled(number), at: 0)
            case .report, .reply, .end: break
            }
        }
    }

    /// Reads a page and claims what can be claimed; returns the batches that were sent.
    private func send(_ flush: inout Flush, _ records: [StoredRecord]) -> [[Int64]] {
        settle(&flush, records)
        var sent: [[Int64]] = []
        while let batch = flush.nextBatch() { sent.append(batch.records.map(\.id)) }
        return sent
    }

    @Test("An empty queue that may have records again keeps the flush open, which reads again when it has them")
    func empty() {
        var flush = flush()
        #expect(send(&flush, []) == [])
        #expect(flush.next() == nil)
        #expect(flush.deadline == nil)
        flush.handle(.available, at: 1)
        #expect(send(&flush, [record(7, user: "a")]) == [[7]])
    }

    @Test("A batch that is ready when the destination fails is sent after the pause")
    func failure() {
        var flush = flush()
        settle(&flush, [record(1, user: "a"), record(2, user: "b", suite: "t")])
        #expect(flush.nextBatch()?.records.map(\.id) == [1])
        flush.handle(.failed(0, DeliveryFailure("no", mayHaveArrived: false)), at: 0)
        settle(&flush)
        #expect(flush.nextBatch() == nil)
        flush.handle(.expired, at: 1_000)
        settle(&flush)
        #expect(flush.nextBatch()?.records.map(\.id) == [2])
        #expect(flush.nextBatch()?.records.map(\.id) == [1])
    }

    @Test("A batch has records of one suite, and a user's later records wait for those of another suite")
    func suites() {
        var flush = flush()
        let records = [
            record(1, user: "a", suite: "s"), record(2, user: "b", suite: "t"), record(3, user: "b", suite: "s"),
            record(4, user: "a", suite: "s"),
        ]
        #expect(send(&flush, records) == [[1, 4], [2]])
    }

    @Test("A user's record does not overtake one of another suite, although a record of another user lies between")
    func order() {
        var flush = flush()
        let records = [
            record(1, user: "a", suite: "s"), record(2, user: "b", suite: "t"), record(3, user: "a", suite: "s"),
            record(4, user: "b", suite: "s"),
        ]
        #expect(send(&flush, records) == [[1, 3], [2]])
    }

    @Test("Records that were removed before their claim do not use up the limit")
    func missingAndLimit() {
        var window = BatchWindow(newest: 20, limit: 10, batchesAtOnce: 2, user: nil)
        window.append(QueuePage((1...20).map { record($0, user: "\($0)") }))
        #expect(window.nextBatch(isProbe: false)?.records.count == 10)
        window.remove([1, 2, 3], from: 0)
        #expect(window.nextBatch(isProbe: false)?.records.map(\.id) == [11, 12, 13])
        #expect(window.isExhausted)
    }

    @Test("Only the settlements of the stored claims are durable; the others are stored later")
    func stored() {
        var flush = flush()
        #expect(send(&flush, [record(1, user: "a"), record(2, user: "b", suite: "t")]) == [[1], [2]])
        for (number, id) in [(0, 1), (1, 2)] as [(Int, Int64)] {
            flush.handle(.answered(number, DeliveryReply(accepting: [id])), at: 0)
        }
        _ = send(&flush, [])
        flush.handle(.cancelled, at: 0)
        flush.handle(.settlementsDurable(of: [1]), at: 0)
        #expect(flush.next() == .reply(.cancelled) || flush.next() == nil, "the second settlement is not stored")
        flush.handle(.settlementsDurable(of: [2]), at: 0)
        var actions: [Flush.Action] = []
        while let action = flush.next() { actions.append(action) }
        #expect(actions.last == .end(.cancelled))
    }

    /// Reads records, and claims what can be claimed, without the queue storing the claims yet; returns these.
    ///
    /// The missing records are gone before they are claimed.
    private func claim(
        _ flush: inout Flush,
        _ records: [StoredRecord],
        missing: Set<Int64> = []
    ) -> [[Int64]] {
        var page: [StoredRecord]? = records
        var claimed: [[Int64]] = []
        while let action = flush.next() {
            switch action {
            case .read:
                flush.handle(.read(QueuePage(page ?? [], isOpenEnded: true)), at: 0)
                page = nil
            case .claim(let number, let records):
                claimed.append(records.map(\.id))
                flush.handle(.claimed(number, QueueClaim(Int64(number + 1), missing: missing)), at: 0)
            case .settle(let number, _, _, _): flush.handle(.settled(number), at: 0)
            case .report, .reply, .end: break
            }
        }
        return claimed
    }

    @Test("A batch is sent once its own claim is stored")
    func claimsStored() {
        var flush = flush()
        #expect(claim(&flush, [record(1, user: "a"), record(2, user: "b", suite: "t")]) == [[1], [2]])
        #expect(!flush.hasBatch)
        flush.handle(.claimsDurable([2]), at: 0)
        #expect(flush.nextBatch()?.records.map(\.id) == [2])
        #expect(!flush.hasBatch)
        flush.handle(.claimsDurable([1]), at: 0)
        #expect(flush.nextBatch()?.records.map(\.id) == [1])
    }

    @Test("A batch whose claim needed no commit is not lost with the transaction that a suite has open")
    func claimedAtOnce() {
        var flush = flush()
        var page = [record(1, user: "a")]
        while let action = flush.next() {
            guard case .claim(let number, _) = action else {
                flush.handle(.read(QueuePage(page, isOpenEnded: true)), at: 0)
                page = []
                continue
            }
            flush.handle(.claimed(number, QueueClaim(1, isDurable: true)), at: 0)
        }
        flush.handle(.lost(.transactionLost("no")), at: 0)
        #expect(flush.nextBatch()?.records.map(\.id) == [1])
    }

    @Test("A batch whose claim was not stored is claimed again after a pause")
    func claimsRefused() {
        var flush = flush()
        #expect(claim(&flush, [record(1, user: "a"), record(2, user: "b", suite: "t")]) == [[1], [2]])
        flush.handle(.claimsRefused([1]), at: 0)
        flush.handle(.claimsDurable([1]), at: 0)
        #expect(!flush.hasBatch, "the claim does not exist any more")
        flush.handle(.claimsRefused([2]), at: 0)
        #expect(flush.next() == nil)
        let deadline = flush.deadline ?? 0
        flush.handle(.expired, at: deadline)
        #expect(claim(&flush, []) == [[1], [2]])
    }

    @Test("If no claim is left that could be stored, nothing was refused, and no pause begins")
    func nothingRefused() {
        var flush = flush()
        #expect(claim(&flush, [record(1, user: "a")]) == [[1]])
        flush.handle(.claimsRefused([]), at: 0)
        #expect(flush.deadline == nil)
    }

    @Test("A claim that is refused after the end of the flush delays no settlement, because it is not repeated")
    func refusedAfterEnd() {
        var flush = flush()
        #expect(send(&flush, [record(1, user: "a")]) == [[1]])
        flush.handle(.available, at: 0)
        #expect(claim(&flush, [record(2, user: "b")]) == [[2]])
        flush.handle(.cancelled, at: 0)
        flush.handle(.claimsRefused([2]), at: 0)
        #expect(flush.deadline == nil)
    }

    @Test("A batch of which every record is gone before its claim makes place for the next one")
    func emptyBatch() {
        var flush = flush(atOnce: 1)
        let records = [record(1, user: "a"), record(2, user: "b", suite: "t")]
        #expect(claim(&flush, records, missing: [1]) == [[1], [2]])
    }

    @Test("A flush that is cancelled withdraws a batch when it is known whether its claim is stored")
    func cancelledWhileClaiming() {
        for isStored in [true, false] {
            var flush = flush()
            #expect(claim(&flush, [record(1, user: "a")]) == [[1]])
            flush.handle(.cancelled, at: 0)
            #expect(flush.next() == nil, "the claim is under way")
            flush.handle(isStored ? .claimsDurable([1]) : .claimsRefused([1]), at: 0)
            var actions: [Flush.Action] = []
            while let action = flush.next() {
                actions.append(action)
                guard case .settle(let number, _, let settlement, _) = action else { continue }
                #expect(settlement == Settlement())
                flush.handle(.settled(number), at: 0)
                flush.handle(.settlementsDurable(of: [1]), at: 0)
            }
            #expect(actions.last == .end(.cancelled))
            #expect(actions.count == (isStored ? 3 : 2))
            #expect(!flush.hasBatch)
        }
    }

    @Test("Settlements that were not stored do not undo a claim that is being stored")
    func settlementsLost() {
        var flush = flush()
        #expect(send(&flush, [record(1, user: "a")]) == [[1]])
        flush.handle(.available, at: 0)
        #expect(claim(&flush, [record(2, user: "b")]) == [[2]])
        flush.handle(.answered(0, DeliveryReply(accepting: [1])), at: 0)
        #expect(claim(&flush, []) == [])
        flush.handle(.settlementsLost(.notStored("no")), at: 0)
        flush.handle(.claimsDurable([2]), at: 0)
        #expect(flush.nextBatch()?.records.map(\.id) == [2])
        guard case .settle(0, _, let settlement, _)? = flush.next() else {
            Issue.record("the settlement is not repeated")
            return
        }
        #expect(settlement.delivered == [1])
    }

    @Test("Revoked records are not sent, and those of a batch under way are not sent again")
    func revoked() {
        var flush = flush(atOnce: 1)
        let records = [record(1, user: "a"), record(2, user: "b"), record(3, user: "c", suite: "t")]
        #expect(send(&flush, records) == [[1, 2]])
        flush.handle(.revoked([2, 3]), at: 0)
        flush.handle(.answered(0, DeliveryReply(accepting: [1])), at: 0)
        guard case .settle(_, _, let settlement, _)? = flush.next() else {
            Issue.record("the batch is not settled")
            return
        }
        #expect(settlement.delivered == [1])
        flush.handle(.settled(0), at: 0)
        flush.handle(.settlementsDurable(of: [1]), at: 0)
        flush.handle(.available, at: 0)
        #expect(send(&flush, []) == [], "neither the second record nor the third one is left")
    }

    @Test("Records that are revoked one by one while they are sent are not offered again", arguments: [true, false])
    func revokedTwice(mayHaveArrived: Bool) {
        var flush = flush(atOnce: 1)
        #expect(send(&flush, [record(1, user: "a"), record(2, user: "b")]) == [[1, 2]])
        for id in [1, 2] as [Int64] { flush.handle(.revoked([id]), at: 0) }
        flush.handle(.failed(0, DeliveryFailure("it is down", mayHaveArrived: mayHaveArrived)), at: 0)
        settle(&flush)
        flush.handle(.settlementsDurable(of: [1]), at: 0)
        flush.handle(.expired, at: 1_000)
        #expect(send(&flush, []) == [])
        #expect(flush.progress.retried == 0)
    }

    @Test("A batch that fails is a failure of the destination, also if a record of it was revoked meanwhile")
    func revokedAndFailed() {
        var flush = flush(atOnce: 1)
        #expect(send(&flush, [record(1, user: "a"), record(2, user: "b")]) == [[1, 2]])
        flush.handle(.revoked([2]), at: 0)
        flush.handle(.failed(0, DeliveryFailure("it is down", mayHaveArrived: false)), at: 0)
        #expect(flush.problem == "it is down")
        #expect(flush.pause(at: 0) != nil)
    }

    @Test("A revoked batch that was not claimed yet is forgotten; nothing is settled")
    func revokedBeforeClaim() {
        var flush = flush(atOnce: 1)
        var records = [record(1, user: "a")]
        while case .read? = flush.next() {
            flush.handle(.read(QueuePage(records, isOpenEnded: true)), at: 0)
            records = []
        }
        guard case .claim? = flush.next() else {
            Issue.record("the batch is not claimed")
            return
        }
        flush.handle(.revoked([1]), at: 0)
        #expect(flush.next() == nil)
    }

    @Test("A record that the destination holds becomes a dead letter, because the queue cannot go on without it")
    func held() {
        var flush = flush(rejectsHeld: true)
        #expect(send(&flush, [record(1, user: "a")]) == [[1]])
        var reply = DeliveryReply()
        reply.verdicts[1] = .held("no user")
        flush.handle(.answered(0, reply), at: 0)
        guard case .settle(_, _, let settlement, _)? = flush.next() else {
            Issue.record("the batch is not settled")
            return
        }
        #expect(settlement.deadLetters.map(\.reason) == ["no user"])
    }

    @Test("A record that may have been sent is offered again as it was, with one more attempt")
    func offeredAgain() {
        func record(possiblySent: Int64) -> StoredRecord {
            StoredRecord(
                id: 7,
                kind: .userAttribute,
                name: "f",
                value: #""x""#,
                time: 5,
                user: #"{"braze_id":"a"}"#,
                possiblySent: possiblySent,
                suite: "t"
            )
        }
        var flush = flush()
        #expect(send(&flush, [record(possiblySent: 0)]) == [[7]])
        flush.handle(.failed(0, .exited), at: 0)
        settle(&flush)
        flush.handle(.settlementsDurable(of: [1]), at: 0)
        flush.handle(.expired, at: 1_000)
        settle(&flush)
        #expect(flush.nextBatch()?.records == [record(possiblySent: 1)])
    }

    @Test("Once the destination has answered clearly, records that may have been sent earlier are not tried alone")
    func clearAnswer() {
        var flush = flush()
        #expect(send(&flush, [record(1, user: "a")]) == [[1]])
        flush.handle(.answered(0, DeliveryReply(accepting: [1])), at: 0)
        settle(&flush)
        flush.handle(.available, at: 0)
        #expect(send(&flush, [record(2, user: "a", possiblySent: 1), record(3, user: "b")]) == [[2, 3]])
    }

    @Test("A record that was sent twice, or must not be sent twice, is not sent again after its host died")
    func ambiguous() {
        func reason(
            _ times: Int64,
            _ value: String? = nil,
            _ kind: RecordKind = .customAttribute,
            isIdempotent: Bool = false
        ) -> String? {
            let record = StoredRecord(
                id: 1,
                kind: kind,
                name: "n",
                value: value,
                time: 0,
                user: nil,
                possiblySent: times
            )
            return AmbiguousDelivery.deadLetterReason(for: record, isIdempotent: isIdempotent)
        }
        #expect(reason(0) == nil && reason(0, #"{"inc":1}"#) == nil)
        #expect(reason(1) == nil)
        #expect(reason(1, #"{"inc":1}"#) == AmbiguousDelivery.incrementReason)
        #expect(reason(1, #"{"inc":1}"#, .customEvent) == nil, "these are the properties of an event")
        #expect(reason(1, #"{"inc":"a"}"#) == nil, "this sets an object")
        #expect(reason(2) == AmbiguousDelivery.repetitionReason)
        #expect(reason(2, #"{"inc":1}"#) == AmbiguousDelivery.incrementReason)
        #expect(reason(9, #"{"inc":1}"#, isIdempotent: true) == nil)
    }
}
