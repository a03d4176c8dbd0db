import Calls
import Foundation
import JSON
import Platform
import Suites
import TestSupport
import Testing

@testable import Records

/// When slices of jobs run, and what else runs meanwhile.
@Suite struct JobPauseTests {
    @Test("A job whose suite is held is tried again after growing pauses, which are short again after a success")
    func pauses() throws {
        try withJobBench { bench in
            let held: (Slice) throws -> JobResult? = { _ in throw SuiteError.busy }
            bench.job = ScriptedJob([held, held, held, { _ in nil }, held, { _ in .value(true) }])
            bench.send(1, "count")
            for least in [5, 10, 20] as [Int64] {
                let due = try max(#require(bench.jobs.deadline), Clock.monotonic())
                #expect(try bench.answers() == [])
                #expect(try #require(bench.jobs.deadline) >= due + least)
            }
            #expect(try bench.answers() == [])
            #expect(try #require(bench.jobs.deadline) <= Clock.monotonic(), "it goes on at once")
            #expect(try bench.answers() == [])
            #expect(try #require(bench.jobs.deadline) <= Clock.monotonic() + 10)
            #expect(try bench.answers() == [["jsonrpc": "2.0", "id": 1, "result": true]])
        }
    }

    @Test("A job pauses for as long as it kept other processes from the suite")
    func pauseAfterBlocking() throws {
        try withJobBench { bench throws in
            func block(_ slice: Slice) -> JobResult? {
                for _ in 0..<2 {
                    slice.blocking {
                        let end = Clock.monotonicNanoseconds() + 3_000_000
                        while Clock.monotonicNanoseconds() < end {}
                    }
                }
                return nil
            }
            bench.job = ScriptedJob([block])
            bench.send(1, "count")
            let start = Clock.monotonic()
            #expect(try bench.answers() == [])
            #expect(try #require(bench.jobs.deadline) >= start + 12)
            bench.jobs.stop()
        }
    }

    @Test("A job that fails for good is not tried again, and its error names the suite")
    func failure() throws {
        try withJobBench { bench in
            bench.job = ScriptedJob([{ _ in throw SuiteError.notStored("no room") }])
            bench.send(1, "count")
            let data = try bench.answers().first?["error"]?["data"]
            #expect(data?["reason"] == "notStored" && data?["suite"] == "standard")
            #expect(bench.jobs.isIdle && bench.peer.isIdle)
        }
    }

    @Test("A job that waits for the disk has no slice meanwhile, and is tried again after a temporary error")
    func disk() throws {
        try withJobBench { bench throws in
            var ends: [(Result<JSON, any Error>) -> Void] = []
            let wait: (Slice) throws -> JobResult? = { _ in .later { ends.append($0) } }
            bench.job = ScriptedJob([wait, wait])
            bench.send(1, "count")
            #expect(try bench.answers() == [])
            #expect(bench.jobs.isIdle && bench.jobs.deadline == nil && !bench.jobs.advance())
            ends[0](.failure(SuiteError.busy))
            #expect(!bench.jobs.isIdle)
            #expect(try bench.answers() == [])
            ends[1](.success(7))
            #expect(try bench.messages() == [["jsonrpc": "2.0", "id": 1, "result": 7]])
            #expect(bench.jobs.isIdle && bench.peer.isIdle)
        }
    }

    @Test("After a slice that wrote much, the suite's log is emptied")
    func log() throws {
        try withJobBench { bench in
            let value = JSON.string(String(repeating: "x", count: 1 << 20))
            let large = RecordContent(kind: .customAttribute, name: "k", value: value, time: 0, user: nil)
            func write(_ slice: Slice) throws -> JobResult? {
                for _ in 0..<2 { _ = try bench.suite.pending.save(large) }
                try bench.suite.commit()
                return .value(true)
            }
            bench.job = ScriptedJob([write])
            bench.send(1, "count")
            #expect(try bench.answers().map { $0["result"] } == [true])
            let log = try Data(contentsOf: URL(filePath: "\(bench.store.folder)/standard.sqlite-wal"))
            #expect(log.isEmpty)
        }
    }

    @Test("Up to 32 suites are looked at at once, and more in a job", arguments: [32, 33])
    func summaries(count: Int) throws {
        try withJobBench { bench in
            bench.suiteCount = count
            bench.send(1, "look")
            #expect(bench.jobs.isIdle == (count == 32))
            var messages = try bench.messages()
            while messages.isEmpty { messages = try bench.answers() }
            #expect(messages == [["jsonrpc": "2.0", "id": 1, "result": .integer(Int64(count))]])
        }
    }

    @Test("The leftovers of imports are removed at most once in a second, and not while the host ends")
    func sweeps() throws {
        try withJobBench { bench in
            let start = Clock.monotonic()
            try bench.abandonImport()
            #expect(!bench.jobs.isIdle)
            while !bench.jobs.isIdle {
                bench.wait()
                _ = bench.jobs.advance()
            }
            try bench.abandonImport()
            let isSwept = bench.jobs.advance()
            // On a machine that stood still for a second, both is right.
            #expect(!isSwept || Clock.monotonic() - start >= 1_000)
        }
        try withJobBench { bench in
            try bench.abandonImport()
            bench.end()
            #expect(!bench.jobs.advance())
        }
    }
}
