import Contract
import Delivery
import Foundation
import JSON
import Suites
import TestSupport
import Testing

@testable import Calls
@testable import Delivering
@testable import HostCore
@testable import JSONRPC

/// Dry runs of flushes, with real suites and a destination in memory, without a process.
@Suite struct DryRunTests {
    @Test(
        "A dry run to the caller or under a lease is refused, and the destination is not asked",
        arguments: [
            (["dryRun": true], "/params/dryRun"), (["dryRun": true, "to": "caller"], "/params/dryRun"),
            (["dryRun": true, "to": "memory", "lease": 5], "/params/lease"),
        ] as [(JSON, JSON)]
    )
    func refused(params: JSON, path: JSON) throws {
        try FlushBench.open { bench in
            try bench.save(1)
            let error = #expect(throws: RPCError.self) { try bench.flush(params) }
            #expect(error?.data?["reason"] == "invalidParams" && error?.data?["path"] == path)
            #expect(bench.memory.dryRuns.isEmpty && bench.peer.isIdle)
            #expect(try bench.suite.pending.total(nil) == 1)
        }
    }

    @Test(
        "The destination is asked about the first batch, and the answer counts what would be sent and what would not",
        arguments: [(nil, false, 1_000), (3, true, 3)] as [(Int64?, Bool, Int64)]
    )
    func answered(limit: Int64?, isIdempotent: Bool, expected: Int64) throws {
        let memory = MemoryDestination()
        memory.isIdempotent = isIdempotent
        try FlushBench.open(memory: memory) { bench in
            try bench.save(1_200)
            let params: [(String, JSON)] = [("to", "memory"), ("dryRun", true), ("user", ["braze_id": "ada"])]
            let own = limit.map { [("limit", JSON.integer($0))] } ?? []
            #expect(try bench.flush(.object(JSON.Object(params + own))) == nil)
            #expect(bench.peer.scheduler.running.count == 1, "it holds its place until it is answered")
            let batch = try #require(memory.dryRuns.first?.batch)
            #expect(batch.isDryRun && batch.queue == "standard" && batch.user == #"{"braze_id":"ada"}"#)
            #expect(batch.records.map(\.id) == Array(1...expected))
            #expect(String(decoding: batch.params, as: UTF8.self).contains(#""suiteIdentity":""#) == isIdempotent)
            var reply = DryRunReply([["method": "PUT", "url": "test:x"]])
            (reply.rejected, reply.held) = (1, 1)
            reply.diagnostics = [Diagnostic("wouldBeHeld", "because")]
            memory.answerDryRun(reply)
            try bench.advance()
            let result: JSON = [
                "requests": [["method": "PUT", "url": "test:x"]], "records": .integer(expected - 2), "rejected": 1,
                "held": 1, "omitted": .integer(1_200 - expected), "remaining": 1_200,
                "diagnostics": [["reason": "wouldBeHeld", "message": "because"]],
            ]
            #expect(try bench.results.map { try $0.get() } == [result])
            #expect(bench.peer.isIdle && memory.batches.isEmpty)
            #expect(try bench.suite.pending.total(nil) == 1_200)
        }
    }

    @Test("A destination that would stop is an error that says what an operator must do")
    func stop() throws {
        try FlushBench.open { bench in
            try bench.save(1)
            #expect(try bench.flush(["to": "memory", "dryRun": true]) == nil)
            var reply = DryRunReply([])
            reply.stop = "set the key"
            bench.memory.answerDryRun(reply)
            try bench.advance()
            guard case .failure(let error)? = bench.results.first else {
                Issue.record("\(bench.results)")
                return
            }
            #expect(error.data?["reason"] == "destinationStopped" && error.message.contains("set the key"))
        }
    }

    @Test("A dry run has the records of a lease that has expired, as a flush would, and not those of another lease")
    func expiredLease() throws {
        try FlushBench.open { bench in
            try bench.save(3)
            for (token, expires) in [("old", 1), ("new", Int64.max)] as [(String, Int64)] {
                let lease = Lease(token: token, expires: expires)
                #expect(try bench.suite.leases.take(limit: 1, byteLimit: .max, lease: lease, now: 0).records.count == 1)
            }
            try bench.suite.commit()
            _ = try bench.flush(["to": "memory", "dryRun": true])
            #expect(bench.memory.dryRuns.first?.batch.records.map(\.id) == [1, 3])
            bench.memory.answerDryRun(DryRunReply([]))
            try bench.advance()
        }
    }

    @Test("Without pending records the answer is empty, and names other suites if the suite does not exist")
    func nothing() throws {
        try FlushBench.open { bench in
            let params: JSON = ["to": "memory", "dryRun": true]
            let empty: JSON = ["requests": [], "records": 0, "remaining": 0, "diagnostics": []]
            #expect(try bench.flush(params) == empty)
            try bench.save(1, in: try #require(SuiteName("other")))
            let diagnostics = try bench.flush(params)?["diagnostics"]
            #expect(diagnostics?[0]?["reason"] == "noSuite")
            #expect(diagnostics?[0]?["message"]?.string?.contains("other") == true)
            #expect(bench.memory.dryRuns.isEmpty)
        }
    }

    @Test("A dry run that was cancelled is answered once, and ends when the destination answers")
    func cancelled() throws {
        try FlushBench.open { bench in
            try bench.save(1)
            let invocation = try bench.invocation(["to": "memory", "dryRun": true])
            _ = try bench.service.flushPending(invocation)
            invocation.call.answer(.success("cancelled"))
            #expect(!bench.peer.isIdle)
            bench.memory.answerDryRun(DryRunReply([]))
            try bench.advance()
            #expect(bench.peer.isIdle)
            #expect(try bench.results.map { try $0.get() } == ["cancelled"])
        }
    }
}
