import Delivery
import Foundation
import JSON
import Platform
import Suites
import TestSupport
import Testing

@testable import Calls
@testable import Delivering
@testable import HostCore
@testable import JSONRPC

/// Flushes that a policy begins, with real suites and a destination in memory, without a process.
@Suite struct FlushPolicyTests {
    /// A service with the policy `immediate`, in a folder where an earlier one has delivered everything long ago.
    private func benchWithEmptySuite(_ folder: String) throws -> FlushBench {
        let earlier = FlushBench("\(folder)/data", .immediate)
        try earlier.save(1)
        try earlier.advance()
        earlier.memory.accept()
        try earlier.advance()
        earlier.store.close()
        // Files that were changed just now are not trusted.
        for name in try FileManager.default.contentsOfDirectory(atPath: "\(folder)/data") {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 0)],
                ofItemAtPath: "\(folder)/data/\(name)"
            )
        }
        return FlushBench("\(folder)/data", .immediate)
    }

    /// Finds the suite held by another process again and again, and then makes it due at once.
    private func holdForLong(_ bench: FlushBench) {
        for _ in 0..<10 { bench.service.policy.flushDidNotBegin(.standard, SuiteError.beingFlushed) }
        let ending = Flush.Ending.unavailable(problem: "it is held", retryAfter: 0)
        bench.service.policy.flushDidEnd(.standard, ending, destination: "memory")
    }

    /// Expects the short pause after the first time that another process holds the suite.
    private func expectShortPause(_ bench: FlushBench, at location: SourceLocation = #_sourceLocation) throws {
        bench.service.policy.flushDidNotBegin(.standard, SuiteError.beingFlushed)
        #expect(try #require(bench.service.deadline) <= Clock.monotonic() + 10, sourceLocation: location)
    }

    @Test(
        "The policy flushes saved records, and keeps the suite's flush lock until the flush ends",
        arguments: ["memory", "caller"]
    )
    func policy(destination: JSON) throws {
        try FlushBench.open(.immediate) { bench in
            try bench.save(2)
            try bench.advance()
            #expect(try bench.policyFlushes())
            bench.memory.accept()
            try bench.advance()
            #expect(try !bench.policyFlushes())
            let reply = try #require(try bench.flush(["to": destination]))
            #expect(reply["remaining"] == 0)
            #expect(bench.memory.batches.isEmpty)
        }
    }

    @Test("A policy whose flush cannot begin commits that it has ended expired leases")
    func expiredLease() throws {
        try FlushBench.open(.immediate) { bench in
            try bench.save(1)
            let other = FlushBench(bench.store.folder, .immediate)
            defer { other.store.close() }
            _ = try other.flush()
            try other.advance()
            #expect(other.memory.batches.count == 1, "it holds the suite")
            let lease = Lease(token: "t", expires: 1)
            _ = try bench.suite.leases.take(limit: 1, byteLimit: .max, lease: lease, now: 0)
            try bench.suite.commit()
            try bench.advance()
            #expect(!bench.service.isFlushing(.standard))
            #expect(try !bench.suite.leases.contains("t"))
            #expect(!bench.suite.isInTransaction)
        }
    }

    @Test("A policy that finds nothing to deliver knows it the next time without the suite's file")
    func nothingDue() throws {
        try withTemporaryDirectory { folder in
            let bench = try benchWithEmptySuite(folder)
            #expect(bench.store.knownSummary(of: .standard) == nil)
            bench.service.policy.handleSave(in: .standard)
            try bench.advance()
            #expect(bench.store.knownSummary(of: .standard)?.pending == 0)
            holdForLong(bench)
            try bench.advance()
            try expectShortPause(bench)
        }
    }

    @Test(
        "A policy that knows that nothing is to be delivered opens no file",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd"), "the system has no /proc")
    )
    func nothingOpened() throws {
        try withTemporaryDirectory { folder in
            /// How many descriptors of this process lead to files in the folder.
            func countOpenFiles() throws -> Int {
                let manager = FileManager.default
                return try manager.contentsOfDirectory(atPath: "/proc/self/fd").count { descriptor in
                    // Other tests close their descriptors meanwhile.
                    let path = try? manager.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
                    return path?.hasPrefix(folder) == true
                }
            }
            let bench = try benchWithEmptySuite(folder)
            #expect(try bench.store.summary(of: .standard).pending == 0)
            let count = try countOpenFiles()
            bench.service.policy.handleSave(in: .standard)
            try bench.advance()
            #expect(bench.service.deadline == nil, "it is not due any more")
            #expect(try countOpenFiles() == count)
        }
    }

    @Test(
        "If a destination accepts nothing, the policy's flush ends, and the next one begins after the pause",
        arguments: [5_000, 600_000] as [Int64]
    )
    func unavailable(pause: Int64) throws {
        try FlushBench.open(.immediate) { bench in
            try bench.save(1)
            try bench.advance()
            let before = Clock.monotonic()
            bench.memory.fail(DeliveryFailure("no route", mayHaveArrived: false, retryAfter: pause))
            try bench.advance()
            #expect(!bench.service.isFlushing(.standard), "nobody waits for it")
            #expect(try #require(bench.service.deadline) >= before + pause * 9 / 10)
            try bench.save(1)
            try bench.advance()
            #expect(bench.memory.batches.isEmpty, "a save does not shorten the pause")
        }
    }

    @Test("If an operator must act, the policy tries again after the longest pause", arguments: ["memory", "nobody"])
    func longestPause(destination: String) throws {
        try FlushBench.open(.immediate, to: destination) { bench in
            let before = Clock.monotonic()
            try bench.save(1)
            try bench.advance()
            if destination == bench.memory.name {
                bench.memory.answer { _ in
                    var reply = DeliveryReply()
                    reply.stop = "set the key"
                    return reply
                }
                try bench.advance()
            }
            #expect(!bench.service.isFlushing(.standard))
            #expect(try #require(bench.service.deadline) >= before + 300_000)
            #expect(try bench.suite.pending.total(nil) == 1)
        }
    }

    @Test("While another process flushes a suite, a request fails, and the policy retries soon")
    func lockedSuite() throws {
        try FlushBench.open(.immediate) { bench in
            let other = SuiteStore(folder: bench.store.folder)
            try bench.save(1)
            let lock = try #require(try other.suite(.standard).lockFlush())
            try withExtendedLifetime(lock) {
                #expect(throws: SuiteError.beingFlushed) { try bench.flush() }
                try bench.advance()
                #expect(try !bench.policyFlushes())
                #expect(try #require(bench.service.deadline) <= Clock.monotonic() + 250)
            }
        }
    }

    @Test("A flush whose claim is lost with the transaction sends nothing, and the policy tries again soon")
    func lostClaim() throws {
        try FlushBench.open(.immediate) { bench in
            try bench.save(1)
            let before = Clock.monotonic()
            // Without a commit: the flush begins, and claims its batch.
            for _ in 0..<2 { _ = bench.service.advance() }
            bench.suite.rollback()
            bench.service.lost(.standard, .transactionLost("disk full"))
            try bench.advance()
            #expect(bench.memory.batches.isEmpty && !bench.service.isFlushing(.standard))
            #expect((before + 1_000...before + 60_000).contains(try #require(bench.service.deadline)))
        }
    }

    @Test("A flush that begins ends the growing pauses for a suite that another process held")
    func heldForLong() throws {
        try FlushBench.open(.immediate) { bench in
            try bench.save(1)
            holdForLong(bench)
            try bench.advance()
            bench.memory.accept()
            try bench.advance()
            #expect(try bench.suite.pending.total(nil) == 0)
            try expectShortPause(bench)
        }
    }

    @Test("Suites are flushed side by side, and listed in the order of their names")
    func severalSuites() throws {
        try FlushBench.open(.immediate) { bench in
            let names = ["c", "a", "e", "b", "d"]
            for name in names { try bench.save(1, in: try #require(SuiteName(name))) }
            try bench.advance()
            let listed: [JSON] = bench.service.status.array.map(Array.init) ?? []
            #expect(listed.compactMap { $0["suite"]?.string } == names.sorted())
            #expect(bench.memory.batches.map(\.batch.queue) == names.sorted())
        }
    }

    @Test("After the host's stop, the policy begins no flush, and a flush that is asked for sends nothing")
    func stopped() throws {
        try FlushBench.open(.immediate) { bench in
            bench.service.stop()
            try bench.save(1)
            #expect(bench.service.deadline == nil && bench.service.isQuiet)
            #expect(try bench.flush() == nil)
            try bench.advance()
            #expect(bench.memory.batches.isEmpty)
            #expect(try bench.results.map { try $0.get()["delivered"] } == [0])
            #expect(try bench.suite.pending.total(nil) == 1)
        }
    }
}
