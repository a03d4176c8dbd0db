import BrazeRules
import Foundation
import JSON
import Platform
import PropertyLists
import Suites
import TestSupport
import Testing

@testable import Calls
@testable import JSONRPC
@testable import Records

/// Jobs of a client, without an event loop; the test says when a slice runs.
@Suite(.waits) struct JobServiceTests {
    @Test("A job that has changed records waits while another process holds its suite, and does what is left then")
    func heldSuite() throws {
        try withJobBench { bench in
            try bench.save(10_000)
            bench.send(1, "remove")
            #expect(try bench.answers() == [])
            let left = try bench.suite.pending.total(nil)
            #expect(0 < left && left < 10_000)
            let other = SuiteStore(folder: bench.store.folder)
            defer { other.close() }
            _ = try other.suite(.standard).pending.save(JobBench.event("other"))
            for _ in 0..<2 { #expect(try bench.answers() == []) }
            #expect(try bench.suite.pending.total(nil) == left && bench.changes == 1)
            try other.suite(.standard).commit()
            var answers: [JSON] = []
            while answers.isEmpty { answers = try bench.answers() }
            #expect(answers == [["jsonrpc": "2.0", "id": 1, "result": ["removed": 10_000]]])
            #expect(try bench.suite.pending.total(nil) == 1, "what was saved after the call stays")
            #expect(bench.changes > 1)
        }
    }

    @Test("Up to 500 records are removed at once, and more in a job", arguments: [0, 1, 500, 501])
    func direct(count: Int) throws {
        try withJobBench { bench in
            try bench.save(count)
            bench.send(1, "remove")
            #expect(bench.jobs.isIdle == (count <= 500))
            #expect(bench.changes == (1...500 ~= count ? 1 : 0))
            _ = try bench.messages()
        }
    }

    @Test("A job whose records another process has removed meanwhile changes nothing")
    func removedByOther() throws {
        try withJobBench { bench in
            try bench.save(501)
            bench.send(1, "remove")
            let other = SuiteStore(folder: bench.store.folder)
            defer { other.close() }
            var change = try other.suite(.standard).pending.remove([.customEvent])
            _ = try change.finish()
            try other.suite(.standard).commit()
            var answers: [JSON] = []
            while answers.isEmpty { answers = try bench.answers() }
            #expect(answers == [["jsonrpc": "2.0", "id": 1, "result": ["removed": 0]]])
            #expect(bench.changes == 0)
        }
    }

    @Test("A cancelled change changes none of the records that are left")
    func cancelledChange() throws {
        try withJobBench { bench in
            try bench.save(501)
            bench.send(1, "remove")
            bench.outbox.finish(try #require(bench.calls.first).call, .success(true))
            _ = try bench.advance()
            #expect(try bench.suite.pending.total(nil) == 501 && bench.changes == 0)
            #expect(bench.jobs.isIdle)
        }
    }

    @Test("A change that fails says how many records it changed before, if any", arguments: [false, true])
    func failedChange(isLate: Bool) throws {
        try withJobBench { bench in
            try bench.save(10_000)
            bench.send(1, "remove")
            if isLate { #expect(try bench.answers() == []) }
            let left = try bench.suite.pending.total(nil)
            #expect((left < 10_000) == isLate)
            try bench.refuseRemovals()
            let error = try #require(try bench.answers().first?["error"])
            #expect(error["data"]?["reason"] == "notStored" && error["data"]?["suite"] == "standard")
            #expect(error["data"]?["changed"] == (isLate ? JSON.integer(10_000 - left) : nil))
            let text = error["message"]?.string ?? ""
            #expect(text.contains("no room") && text.hasPrefix("\(10_000 - left) records were removed") == isLate)
            #expect(try bench.suite.pending.total(nil) == left)
        }
    }

    @Test("In lock step, progress is published at fixed numbers of records, however long slices are")
    func progress() throws {
        try withJobBench(isLockStep: true) { bench in
            bench.job = CountingJob([9_999, 10_000, 31_000, 31_500])
            bench.send(1, "count")
            let done = try (0..<4).map { _ in try bench.advance().compactMap { $0["params"]?["done"]?.integer } }
            #expect(done == [[], [10_000], [20_000, 30_000], [31_500]])
            bench.job = CountingJob([9_999])
            bench.send(2, "count")
            #expect(try bench.advance() == [["jsonrpc": "2.0", "id": 2, "result": 9_999]])
        }
    }

    @Test("Progress says the suite, the method and the total")
    func progressMembers() throws {
        try withJobBench(isLockStep: true) { bench in
            bench.job = CountingJob([10_000, 10_000])
            bench.send(1, "count")
            // As a client of the Model Context Protocol asks for it.
            try #require(bench.calls.first).call.progressToken = "t"
            let params: JSON = ["suite": "standard", "method": "count", "done": 10_000, "total": 40_000]
            let (notifications, answers) = try (bench.advance(), bench.advance())
            let other: JSON = ["progressToken": "t", "progress": 10_000, "message": "count: 10000 of 40000"]
            #expect(
                notifications == [
                    ["jsonrpc": "2.0", "method": "$/progress", "params": params],
                    ["jsonrpc": "2.0", "method": "notifications/progress", "params": other],
                ]
            )
            #expect(answers == [["jsonrpc": "2.0", "id": 1, "result": 10_000]])
        }
    }

    @Test("Without lock step, progress is published from 100 ms after the beginning, and at the end only after that")
    func timedProgress() throws {
        try withJobBench { bench in
            bench.job = CountingJob([5])
            bench.send(1, "count")
            #expect(try bench.advance() == [["jsonrpc": "2.0", "id": 1, "result": 5]])
            bench.job = CountingJob([5, 7])
            bench.send(2, "count")
            poll(nil, 0, 100)
            let done = try (0..<2).map { _ in try bench.advance().compactMap { $0["params"]?["done"]?.integer } }
            #expect(done == [[5], [7]])
        }
    }

    @Test("Jobs take turns")
    func turns() throws {
        try withJobBench { bench in
            let jobs = [CountingJob([1, 2]), CountingJob([3, 4])]
            for (number, job) in jobs.enumerated() {
                bench.job = job
                bench.send(number, "count")
            }
            #expect(!bench.jobs.isIdle && bench.peer.scheduler.running.count == 2)
            let answers = try (0..<4).map { _ in try bench.answers().compactMap { $0["result"] } }
            #expect(answers == [[], [], [2], [4]])
            #expect(bench.jobs.isIdle && bench.jobs.deadline == nil && bench.peer.isIdle)
        }
    }

    @Test("Eight jobs take turns, also while they wait for their suite; the next one begins when one of them has ended")
    func turnsAtOnce() throws {
        try withJobBench { bench in
            let jobs = (1...9).map { CountingJob([Int64($0), Int64(-$0)]) }
            for (number, job) in jobs.enumerated() {
                bench.job = job
                bench.send(number, "count")
            }
            for _ in 1...8 { #expect(try bench.answers() == []) }
            #expect(jobs.map(\.slices) == [1, 1, 1, 1, 1, 1, 1, 1, 0])
            let results = try (1...10).map { _ in try bench.answers().compactMap { $0["result"]?.integer } }
            #expect(results == [[-1], [], [-2], [-3], [-4], [-5], [-6], [-7], [-8], [-9]])
            #expect(bench.jobs.isIdle && bench.jobs.deadline == nil)
        }
    }

    @Test("The remains of an import are removed although eight jobs have their turns")
    func sweepBesideTurns() throws {
        try withJobBench { bench in
            for number in 1...8 {
                bench.job = CountingJob(Array(repeating: 0, count: 50_000))
                bench.send(number, "count")
            }
            for _ in 1...8 { #expect(try bench.answers() == []) }
            try bench.abandonImport()
            // After a slow commit the next slice is late, and the jobs have many turns before it; without a slice they end.
            repeat {
                for _ in 1...1_000 { try #require(try bench.answers() == []) }
            } while try Self.unfinishedImports(of: bench) > 0
        }
    }

    /// The number of imports of which something is left.
    private static func unfinishedImports(of bench: JobBench) throws -> Int {
        let script = """
            import sqlite3, sys
            print(sqlite3.connect(sys.argv[1]).execute("SELECT count(*) FROM imports").fetchone()[0])
            """
        let child = try ChildProcess("python3", ["-c", script, "\(bench.store.folder)/standard.sqlite"])
        let number = try child.readToEnd().trimmingCharacters(in: .newlines)
        return try #require(Int(number), "\(child.standardError)")
    }

    @Test("An import whose last defaults wait for another process is answered when they are in their place")
    func heldImport() throws {
        try withJobBench { bench in
            var isPublished = false
            bench.job = Self.largeImport(bench) { isPublished = true }
            bench.send(1, "count")
            while !isPublished { #expect(try bench.answers() == []) }
            let other = SuiteStore(folder: bench.store.folder)
            defer { other.close() }
            try #require(try other.suite(.standard).pending.save(JobBench.event("other")) > 0)
            for _ in 1...2 { #expect(try bench.answers() == []) }
            other.suite(.standard).rollback()
            var answers: [JSON] = []
            while answers.isEmpty { answers = try bench.answers() }
            #expect(answers.map { $0["result"]?["defaults"] } == [2_000])
            #expect(try bench.suite.defaults.retrieve(forKey: "k1999") == 1)
        }
    }

    /// An import of so many defaults that the last ones are moved after it is visible.
    private static func largeImport(_ bench: JobBench, onPublish: @escaping () -> Void) -> ImportJob {
        let defaults = (0..<2_000).map { PropertyListValue.Member("k\($0)", .integer(1)) }
        let suiteImport = SuiteImport(suite: bench.suite, limits: RecordLimits(), time: 0, file: "f")
        let file = BinaryPropertyListWriter.write(.dictionary(defaults))
        return ImportJob(suiteImport, bytes: file, onPublish: onPublish)
    }

    @Test("An import that is visible is answered so, if its last defaults cannot be moved now, or the host stops")
    func publishedImport() throws {
        for isStopping in [false, true] {
            try withJobBench { bench in
                var isPublished = false
                bench.job = Self.largeImport(bench) { isPublished = true }
                bench.send(1, "count")
                while !isPublished { #expect(try bench.answers() == []) }
                let refusal = "CREATE TRIGGER full BEFORE INSERT ON defaults BEGIN SELECT RAISE(ABORT, 'no room'); END"
                try changeStandardSuite(of: bench.store, refusal)
                if isStopping { bench.jobs.stop() }
                let answers = isStopping ? try bench.messages() : try bench.answers()
                #expect(answers.map { $0["result"]?["defaults"] } == [2_000])
                try changeStandardSuite(of: bench.store, "DROP TRIGGER full")
                while try bench.suite.imports.sweep(while: { true }) {}
                #expect(try bench.suite.defaults.retrieve(forKey: "k1999") == 1)
            }
        }
    }

    @Test("A job whose call was answered is cancelled once, and goes on until it ends")
    func cancellation() throws {
        try withJobBench(isLockStep: true) { bench in
            let job = CountingJob([10_000, 20_000, 30_000])
            bench.job = job
            bench.send(1, "count")
            bench.outbox.finish(try #require(bench.calls.first).call, .success(true))
            let messages = try (0..<3).map { _ in try bench.advance() }
            let answer: JSON = ["jsonrpc": "2.0", "id": 1, "result": true]
            #expect(messages == [[answer], [], []], "nobody waits for the progress")
            #expect(job.cancellations == 1 && job.slices == 3)
            #expect(bench.jobs.isIdle && bench.peer.isIdle)
        }
    }

    @Test("The jobs of a host that stops are cancelled, and their calls refused")
    func stop() throws {
        try withJobBench { bench in
            let job = CountingJob([1, 2])
            bench.job = job
            bench.send(1, "count")
            bench.jobs.stop()
            #expect(job.cancellations == 1 && job.slices == 0 && bench.jobs.isIdle)
            let call = try #require(bench.calls.first).call
            #expect(call.isAnswered)
            #expect(try bench.messages().map { $0["error"]?["data"]?["reason"] } == ["stopping"])
        }
    }
}
