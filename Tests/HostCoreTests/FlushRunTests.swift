import Configuration
import Delivery
import Logging
import Platform
import Suites
import TestSupport
import Testing

@testable import Calls
@testable import Delivering
@testable import HostCore

/// A flush run, which performs the actions of a flush, with a queue and a destination in memory.
@Suite struct FlushRunTests {
    /// A flush with its queue and its destination, and the requests to its owner.
    private final class Bench: FlushRunDelegate {
        let queue: MemoryQueue
        let destination: MemoryDestination
        let run: FlushRun
        private(set) var reports = 0
        private(set) var replies: [Flush.Ending] = []
        private(set) var ending: Flush.Ending?
        private(set) var lost: [String] = []

        init(_ records: [StoredRecord], batchesAtOnce: Int = 1, retry: RetryPolicy = DeliverySettings().retry) {
            queue = MemoryQueue(records)
            destination = MemoryDestination(batchesAtOnce: batchesAtOnce)
            let now = Clock.monotonic()
            var request = Flush.Request(newest: records.map(\.id).max() ?? 1)
            request.batchesAtOnce = batchesAtOnce
            // Held queues are retried at once, so that no test waits.
            let held = RetryPolicy(base: 0, limit: 0, patience: 60_000)
            run = FlushRun(
                Flush(
                    request,
                    destinationRetry: Retry(retry, start: now, seed: 1),
                    queueRetry: Retry(held, seed: 1),
                    now: now
                ),
                queue: queue,
                named: "memory",
                identity: nil,
                to: destination,
                user: nil,
                clock: Clock(start: 1_000),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
                start: now
            )
            run.delegate = self
        }

        /// Commits, and performs the possible actions, as the event loop does.
        func advance() {
            repeat {
                queue.commit()
                run.handle(.committed)
            } while run.advance()
        }

        func flush(_ run: FlushRun, wants action: Flush.Action) {
            switch action {
            case .report: reports += 1
            case .reply(let ending): replies.append(ending)
            case .end(let ending): self.ending = ending
            case .read, .claim, .settle: Issue.record("\(action) is an action of the queue")
            }
        }

        func flush(_ run: FlushRun, lostTransaction text: String) {
            lost.append(text)
            run.handle(.lost(.transactionLost(text)))
        }
    }

    private func record(_ id: Int64, user: Int64 = 0) -> StoredRecord {
        StoredRecord(id: id, kind: .customEvent, name: "e", value: nil, time: 0, user: #"{"braze_id":"\#(user)"}"#)
    }

    @Test("The queue is read ahead in the loop's next turn, after the batch was written to the destination")
    func readAhead() {
        let bench = Bench((1...5_000).map { record($0) })
        var reads = 0
        bench.queue.fault = { access in
            if access == .read { reads += 1 }
            return nil
        }
        bench.advance()
        #expect(bench.destination.batches.map(\.batch.records.count) == [1_000])
        #expect(reads == 1)
        #expect(bench.run.deadline == 0)
        bench.run.expire()
        #expect(reads == 2)
        #expect(bench.run.deadline == nil)
    }

    @Test("A batch is delivered after its claim was committed, and the flush ends after its settlement was committed")
    func order() {
        let bench = Bench([record(1), record(2)])
        #expect(bench.run.advance())
        #expect(bench.destination.batches.isEmpty, "the claim is not committed")
        bench.advance()
        #expect(bench.destination.batches.map { $0.batch.records.map(\.id) } == [[1, 2]])
        #expect(bench.queue.hasClaimed([1, 2]))
        bench.destination.accept()
        #expect(bench.run.advance())
        #expect(bench.replies.isEmpty, "the settlement is not committed")
        bench.advance()
        #expect(bench.queue.delivered == [1, 2])
        #expect(bench.replies == [.done])
        #expect(bench.ending == .done)
        #expect(bench.reports == 1)
        #expect(!bench.queue.hasClaims)
    }

    @Test("A destination that is not ready gets its batch as soon as it is ready")
    func notReady() {
        let bench = Bench([record(1)])
        bench.destination.isReady = false
        bench.advance()
        #expect(bench.destination.batches.isEmpty)
        bench.destination.isReady = true
        #expect(bench.run.advance())
        #expect(bench.destination.batches.count == 1)
    }

    @Test("A batch with a record that may have been sent before is a probe", arguments: [0, 1] as [Int64])
    func probe(possiblySent: Int64) {
        let record = StoredRecord(
            id: 1,
            kind: .customEvent,
            name: "e",
            value: nil,
            time: 0,
            user: nil,
            possiblySent: possiblySent
        )
        let bench = Bench([record])
        bench.advance()
        #expect(bench.destination.batches.map(\.batch.isProbe) == [possiblySent > 0])
    }

    @Test("A record that is removed before its claim is not delivered")
    func removed() {
        let bench = Bench([record(1), record(2)])
        bench.queue.fault = { [unowned queue = bench.queue] access in
            if access == .claim { queue.remove(1) }
            return nil
        }
        bench.advance()
        #expect(bench.destination.batches.map { $0.batch.records.map(\.id) } == [[2]])
    }

    @Test("If a claim loses the transaction, that is reported, and nothing is delivered")
    func lostClaim() {
        let bench = Bench([record(1)])
        bench.queue.fault = { $0 == .claim ? .transactionLost("disk full") : nil }
        bench.advance()
        #expect(bench.lost == ["disk full"])
        #expect(bench.destination.batches.isEmpty)
        #expect(bench.ending == .refused(.transactionLost("disk full")))
    }

    @Test("The state of a destination that fails is stored with the settlement, in wall time")
    func state() throws {
        let bench = Bench([record(1)])
        bench.advance()
        bench.destination.fail(DeliveryFailure("no route", mayHaveArrived: false, retryAfter: 5_000))
        bench.advance()
        let state = try #require(bench.queue.lastState)
        #expect(state.failures == 1)
        #expect(state.notBefore == 6_000)
        #expect(state.problem == "no route")
        #expect(try #require(bench.run.deadline) > Clock.monotonic())
        #expect(bench.ending == nil)
        bench.run.handle(.expedited)
        bench.advance()
        guard case .unavailable("no route", _)? = bench.ending else {
            Issue.record("it ended with \(String(describing: bench.ending))")
            return
        }
    }

    @Test(
        "Whatever fails, each record ends in one place, and is sent at most twice and only under a durable claim",
        arguments: 1...40 as ClosedRange<UInt64>
    )
    func faults(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let records = (1...400).map { record($0, user: $0 % 7) }
        let policy = RetryPolicy(base: 0, limit: 0, patience: 60_000)
        let bench = Bench(records, batchesAtOnce: 2, retry: policy)
        // A lost claim ends the flush, so this fault is rare.
        bench.queue.fault = { access in
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<20: .busy
            case 20..<40 where access == .settle, 20: .transactionLost("lost")
            default: nil
            }
        }
        var steps = 0
        while bench.ending == nil {
            steps += 1
            try #require(steps < 100_000, "the flush does not end")
            bench.run.expire()
            _ = bench.run.advance()
            if !bench.queue.hasOpenClaim, Int.random(in: 0..<8, using: &random) == 0 {
                bench.queue.rollback()
                bench.run.handle(.lost(.transactionLost("lost")))
            } else {
                bench.queue.commit()
                bench.run.handle(.committed)
            }
            guard let waiting = bench.destination.batches.first?.batch else { continue }
            #expect(bench.queue.hasClaimed(waiting.records.map(\.id)))
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bench.destination.fail(DeliveryFailure("gone", mayHaveArrived: true))
            case 1: bench.destination.fail(DeliveryFailure("refused", mayHaveArrived: false))
            case 2:
                let ids = waiting.records.map(\.id)
                bench.destination.answer { _ in DeliveryReply(accepting: ids.filter { $0 % 3 != 0 }) }
            default: bench.destination.accept()
            }
        }
        let (queue, arrived) = (bench.queue, bench.destination.arrived)
        #expect(bench.replies.count == 1)
        #expect(!queue.hasClaims)
        let places = [queue.pending, queue.delivered, Set(queue.deadLetters.keys)]
        #expect(places.reduce(0) { $0 + $1.count } == records.count)
        #expect(places.reduce(Set()) { $0.union($1) } == Set(records.map(\.id)))
        #expect(arrived.values.allSatisfy { $0 <= 2 })
        #expect(queue.delivered.allSatisfy { arrived[$0, default: 0] >= 1 })
    }
}
