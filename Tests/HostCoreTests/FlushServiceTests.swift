import Configuration
import Contract
import Delivery
import Foundation
import JSON
import Logging
import Platform
import Suites
import TestSupport
import Testing

@testable import Calls
@testable import Delivering
@testable import HostCore
@testable import JSONRPC

/// Flushes by requests and by the policy, with real suites and a destination in memory, without a process.
@Suite struct FlushServiceTests {
    @Test("A request is held while its flush runs, and answered when everything is settled")
    func request() throws {
        try FlushBench.open { bench in
            try bench.save(3)
            #expect(try bench.flush() == nil)
            #expect(try !bench.policyFlushes(), "its call has the access to the flush")
            #expect(bench.peer.scheduler.running.count == 1)
            try bench.advance()
            #expect(bench.service.isFlushing(.standard))
            #expect(!bench.service.isQuiet)
            bench.memory.accept()
            try bench.advance()
            #expect(bench.peer.isIdle)
            #expect(try bench.results.map { try $0.get()["delivered"] } == [3])
            #expect(bench.notifications.map { $0["remaining"] } == [0])
            #expect(bench.notifications.map { $0["rate"] } == [nil], "it depends on the speed")
            #expect(bench.service.isQuiet)
            #expect(try bench.suite.pending.total(nil) == 0)
        }
    }

    @Test("A flush reports its progress at most ten times a second, and once at its end")
    func pace() throws {
        try FlushBench.open(isLockStep: false) { bench in
            try bench.save(10_000)
            let start = Clock.monotonic()
            #expect(try bench.flush() == nil)
            while bench.results.isEmpty {
                try bench.advance()
                if !bench.memory.batches.isEmpty { bench.memory.accept() }
            }
            let elapsed = Clock.monotonic() - start
            let most = elapsed / 100 + 2
            #expect(bench.memory.arrived.count == 10_000)
            #expect((1...most).contains(Int64(bench.notifications.count)))
            #expect(bench.notifications.last?["remaining"] == 0)
            let rate = try #require(bench.notifications.last?["rate"]?.integer)
            #expect(rate >= 10_000 * 1_000 / max(1, elapsed), "records per second")
        }
    }

    @Test("A flush whose suite becomes unreadable does not say how many records remain")
    func unreadable() throws {
        try FlushBench.open { bench in
            try bench.save(3)
            #expect(try bench.flush() == nil)
            let path = "\(bench.store.folder)/standard.sqlite"
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
            try Data(String(repeating: "no database", count: 100).utf8).write(to: URL(filePath: path))
            try bench.advance()
            guard case .failure(let error) = try #require(bench.results.first) else {
                Issue.record("\(bench.results)")
                return
            }
            #expect(error.data?["reason"] == "suiteUnreadable" && error.data?["delivered"] == 0)
            #expect(error.data?["remaining"] == nil)
            #expect(bench.notifications.allSatisfy { $0["remaining"] == nil })
        }
    }

    @Test("A destination with another configuration is tried at once, and shows no earlier error")
    func configuration() throws {
        try FlushBench.open { bench in
            try bench.save(1)
            bench.memory.settingsToHash = "http://wrong"
            for expected in [1, 0] {
                // Within the pause nothing is sent.
                _ = try bench.flush()
                try bench.advance()
                #expect(bench.memory.batches.count == expected)
                let pause = DeliveryFailure("no such host", mayHaveArrived: false, retryAfter: 3_600_000)
                if expected > 0 { bench.memory.fail(pause) }
                try bench.advance()
                guard case .failure(let error)? = bench.results.last else {
                    Issue.record("\(bench.results)")
                    return
                }
                #expect(error.message.contains("no such host"))
            }
            bench.memory.settingsToHash = "http://right"
            _ = try bench.flush()
            try bench.advance()
            #expect(bench.service.status[0]?["problem"] == nil)
            bench.memory.accept()
            try bench.advance()
            #expect(try bench.results.last?.get()["delivered"] == 1)
            #expect(try bench.suite.claims.deliveries().map(\.problem) == [nil])
        }
    }

    @Test("A failure of settings that were changed meanwhile is no reason to wait with the new ones")
    func changedConfiguration() throws {
        try FlushBench.open { bench in
            try bench.save(1)
            bench.memory.settingsToHash = "http://wrong"
            _ = try bench.flush()
            try bench.advance()
            bench.memory.settingsToHash = "http://right"
            bench.memory.fail(DeliveryFailure("no such host", mayHaveArrived: false, retryAfter: 3_600_000))
            try bench.advance()
            _ = try bench.flush()
            try bench.advance()
            #expect(bench.memory.batches.count == 1)
            bench.memory.accept()
            try bench.advance()
            #expect(try bench.results.last?.get()["delivered"] == 1)
        }
    }

    @Test("Without pending records a flush is answered at once, and does not begin")
    func nothing() throws {
        try FlushBench.open { bench in
            let reply = try #require(try bench.flush())
            #expect(reply["delivered"] == 0)
            #expect(bench.peer.isIdle)
        }
    }

    @Test("A flush to the caller keeps its lock until its transaction ends", arguments: [false, true])
    func callerLock(isLost: Bool) throws {
        try FlushBench.open { bench in
            let other = SuiteStore(folder: bench.store.folder)
            try bench.save(1)
            let reply = try #require(try bench.flush([:]))
            #expect(reply["calls"]?.array?.count == 1)
            #expect(try other.suite(.standard).lockFlush() == nil)
            if isLost {
                bench.suite.rollback()
                bench.service.lost(.standard, .transactionLost("disk full"))
            } else {
                try bench.advance()
            }
            #expect(try other.suite(.standard).lockFlush() != nil)
            #expect(try bench.suite.pending.total(nil) == (isLost ? 1 : 0))
        }
    }

    @Test("When the host stops, it sends no further batch, and settles the batch in flight")
    func stop() throws {
        try FlushBench.open { bench in
            try bench.save(1_500)
            #expect(try bench.flush() == nil)
            try bench.advance()
            bench.service.stop()
            try bench.advance()
            #expect(bench.results.isEmpty)
            bench.memory.accept()
            try bench.advance()
            #expect(try bench.results.map { try $0.get()["delivered"] } == [1_000])
            #expect(bench.memory.batches.isEmpty)
            #expect(try bench.suite.pending.total(nil) == 500)
        }
    }

    @Test("After the end of the input, a flush gives up at the first pause instead of waiting")
    func expedited() throws {
        try FlushBench.open { bench in
            bench.service.expedite()
            try bench.save(1)
            #expect(try bench.flush() == nil)
            try bench.advance()
            bench.memory.fail(DeliveryFailure("no route", mayHaveArrived: false, retryAfter: 5_000))
            try bench.advance()
            guard case .failure(let error)? = bench.results.first else {
                Issue.record("\(bench.results)")
                return
            }
            #expect(error.data?["reason"] == "destinationUnavailable")
        }
    }

    @Test("As many batches are under way as the destination takes", arguments: [1, 2])
    func batches(count: Int) throws {
        try FlushBench.open(memory: MemoryDestination(batchesAtOnce: count)) { bench in
            try bench.save(1_001, hasUsers: true)
            #expect(try bench.flush() == nil)
            try bench.advance()
            #expect(bench.memory.batches.count == count)
        }
    }

    @Test(
        "A record that may have arrived is sent twice, but to an idempotent destination until it is confirmed",
        arguments: [false, true]
    )
    func ambiguous(isIdempotent: Bool) throws {
        let memory = MemoryDestination()
        memory.isIdempotent = isIdempotent
        // The shortest pauses, so that the test hardly waits.
        let retry = RetryPolicy(base: 0, limit: 0, patience: 60_000)
        try FlushBench.open(retry: retry, memory: memory) { bench in
            try bench.save(1)
            #expect(try bench.flush() == nil)
            let end = Clock.monotonic() + 30_000
            var attempts: Int64 = 0
            while bench.results.isEmpty, Clock.monotonic() < end {
                bench.service.expire()
                try bench.advance()
                guard !memory.batches.isEmpty else { continue }
                attempts += 1
                if attempts > 3 { memory.accept() } else { memory.fail(DeliveryFailure("gone", mayHaveArrived: true)) }
            }
            let result = try #require(bench.results.first).get()
            #expect(attempts == (isIdempotent ? 4 : 2))
            #expect(result["delivered"] == .integer(isIdempotent ? 1 : 0))
            #expect(result["rejected"] == .integer(isIdempotent ? 0 : 1))
        }
    }

    /// When to try again, according to the only answer, which is an error.
    private func retryAfter(_ bench: FlushBench) throws -> Int64 {
        guard case .failure(let error)? = bench.results.first else {
            throw TestFailure("there is no error: \(bench.results)")
        }
        return try #require(error.data?["retryAfter"]?.integer)
    }

    @Test("If the wall clock was set back by decades, a destination's pause lasts a day at most")
    func clockSetBack() throws {
        try withTemporaryDirectory { folder in
            let ahead = FlushBench("\(folder)/data", clock: Clock(start: 4_000_000_000_000))
            try ahead.save(1)
            #expect(try ahead.flush() == nil)
            try ahead.advance()
            ahead.memory.fail(DeliveryFailure("no route", mayHaveArrived: false, retryAfter: 3_600_000))
            try ahead.advance()
            #expect(try retryAfter(ahead) <= 3_600_000)
            let bench = FlushBench("\(folder)/data", clock: Clock(start: 1_000_000_000_000))
            #expect(try bench.flush() == nil)
            try bench.advance()
            #expect(bench.memory.batches.isEmpty)
            #expect((86_000_000...86_400_000).contains(try retryAfter(bench)))
        }
    }

    @Test("The pauses of a destination that fails grow across hosts")
    func growingPauses() throws {
        try withTemporaryDirectory { folder in
            for failures in 0..<4 {
                // Each host begins a day later, when the pause is over.
                let clock = Clock(start: 1_000_000_000_000 + Int64(failures) * 86_400_000)
                let bench = FlushBench("\(folder)/data", clock: clock)
                bench.service.expedite()
                if failures == 0 { try bench.save(1) }
                #expect(try bench.flush() == nil)
                try bench.advance()
                bench.memory.fail(DeliveryFailure("no route", mayHaveArrived: false))
                try bench.advance()
                let longest: Int64 = 1_000 << Int64(failures)
                #expect((longest / 2...longest).contains(try retryAfter(bench)))
            }
        }
    }

    @Test("A flush that pauses shows in the status why, and for how long")
    func pausing() throws {
        try FlushBench.open { bench in
            try bench.save(1)
            #expect(try bench.flush() == nil)
            try bench.advance()
            bench.memory.fail(DeliveryFailure("no route", mayHaveArrived: false, retryAfter: 50_000))
            try bench.advance()
            let status = try #require(bench.service.status[0])
            #expect(status["suite"] == "standard" && status["to"] == "memory" && status["delivered"] == 0)
            #expect(status["problem"] == "no route")
            #expect((1...50_000).contains(try #require(status["retryAfter"]?.integer)))
            #expect(bench.results.isEmpty && bench.service.deadline != nil)
        }
    }

    @Test("A request with a progress token is told how many records are settled, and in words what became of them")
    func progress() throws {
        try FlushBench.open { bench in
            try bench.save(3)
            let invocation = try bench.invocation(["to": "memory"])
            invocation.call.progressToken = "t"
            _ = try bench.service.flushPending(invocation)
            try bench.advance()
            bench.memory.answer { _ in
                var reply = DeliveryReply(accepting: [1])
                for id in 2...3 as ClosedRange<Int64> { reply.verdicts[id] = .rejected("no") }
                return reply
            }
            try bench.advance()
            let expected: JSON = ["progressToken": "t", "progress": 3, "message": "1 delivered to memory, 2 rejected"]
            #expect(bench.notifications.filter { $0["progressToken"] != nil } == [expected])
        }
    }

    @Test("A check asks a destination, and the caller is none")
    func check() throws {
        try FlushBench.open { bench in
            let error = #expect(throws: RPCError.self) {
                try bench.service.checkDestination(bench.invocation(["to": "caller"]))
            }
            #expect(error?.data?["reason"] == "invalidParams" && error?.data?["path"] == "/params/to")
            _ = try bench.service.checkDestination(bench.invocation(["to": "memory"]))
            try bench.advance()
            #expect(try bench.results.map { try $0.get()["reachable"] } == [true])
            #expect(bench.peer.isIdle)
        }
    }
}
