import JSON
import Platform
import TestSupport
import Testing

@testable import Records
@testable import Suites

/// Jobs that only read, slice by slice.
@Suite(.waits) struct ReadingJobTests {
    private func withSuite(_ body: (SuiteStore, Suites.Suite) throws -> Void) throws {
        try withTemporaryDirectory { folder in
            let store = SuiteStore(folder: "\(folder)/data")
            defer { store.close() }
            try body(store, store.suite(.standard))
        }
    }

    /// A slice whose time is over, in which a job does as little as it can.
    private static func shortestSlice() -> Slice {
        let slice = Slice()
        while slice.mayContinue {}
        return slice
    }

    private static func save(_ name: String, as kind: RecordKind = .customEvent, in suite: Suites.Suite) throws {
        _ = try suite.pending.save(RecordContent(kind: kind, name: name, value: nil, time: 0, user: nil))
        try suite.commit()
    }

    /// Continues a job until it ends; nil if it does not end soon, or with a text.
    private static func result(_ job: any Job) throws -> JSON? {
        for _ in 0..<20 {
            switch try job.advance(Slice()) {
            case nil: continue
            case .value(let value): return value
            case .text, .later: return nil
            }
        }
        return nil
    }

    @Test("A list that takes several slices has what was pending when it began, and the job passes on just that")
    func snapshot() throws {
        try withSuite { _, suite in
            let names = (0..<250).map { "e\($0)" }
            for name in names {
                let event = RecordContent(kind: .customEvent, name: name, value: nil, time: 0, user: nil)
                _ = try suite.pending.save(event)
            }
            try suite.commit()
            var read: [ListedRecord] = []
            let job = RetrieveJob(suite, .customEvent) { read += $0 }
            #expect(try job.advance(Self.shortestSlice()) == nil)
            #expect(job.progress.done == 100 && job.progress.total == 250)
            try Self.save("later", in: suite)
            var result: JobResult?
            for _ in 0..<9 where result == nil { result = try job.advance(Self.shortestSlice()) }
            guard case .text(let text)? = result else {
                Issue.record("no text came")
                return
            }
            let list = try JSON(parsing: text)["value"]?.array
            #expect(list?.compactMap { $0["event_name"]?.string } == names)
            #expect(read.map(\.name) == names && job.progress.done == 250)
        }
    }

    @Test("A list without records is null, whether or not the suite has a file")
    func empty() throws {
        try withSuite { _, suite in
            for hasFile in [false, true] {
                if hasFile { try Self.save("key", as: .customAttribute, in: suite) }
                let job = RetrieveJob(suite, .customEvent) { #expect($0.isEmpty) }
                #expect(try Self.result(job) == ["value": .null])
            }
        }
    }

    @Test("A damaged record fails the job, because a list cannot say that one is missing")
    func damaged() throws {
        try withSuite { store, suite in
            for name in ["a", "b"] { try Self.save(name, in: suite) }
            try changeStandardSuite(of: store, "UPDATE pending SET value = '{' WHERE id = 2")
            let job = RetrieveJob(suite, .customEvent) { _ in Issue.record("it passed the list on") }
            let error = #expect(throws: SuiteError.self) { try Self.result(job) }
            #expect(error?.text.hasPrefix("the record 2 is damaged: ") == true)
        }
    }

    @Test("A cancelled job reads nothing")
    func cancelled() throws {
        try withSuite { store, suite in
            try Self.save("e", in: suite)
            let list = RetrieveJob(suite, .customEvent) { _ in Issue.record("it read the list") }
            let summary = SummaryJob(store, [.standard], heldSuite: .lockedQueue(patience: 0)) { _ in "read" }
            for job in [list, summary] as [any Job] {
                job.cancel()
                #expect(try Self.result(job) == JSON.null)
            }
        }
    }

    /// Looks at two suites with a job, of which another process holds the first.
    private func withHeldSuite(_ policy: RetryPolicy, _ body: (any Job, FileLock) throws -> Void) throws {
        try withSuite { store, _ in
            let names = try ["held", "open"].map { try #require(SuiteName($0)) }
            for name in names { try Self.save("e", in: store.suite(name)) }
            store.close()
            // A suite whose file is open can be read while another process opens files.
            _ = try store.suite(names[1]).pending.total(nil)
            let lock = try FileLock(path: "\(store.folder)/.lock")
            #expect(try lock.acquire(.exclusive))
            let job = SummaryJob(store, names, heldSuite: policy) { summaries in
                JSON(
                    summaries.map { summary -> JSON in
                        let count = (try? summary.content.get())?.pending
                        return [.string(summary.name.text), count.map(JSON.integer) ?? "unreadable"]
                    }
                )
            }
            try body(job, lock)
            lock.release()
        }
    }

    @Test("A suite that another process holds is looked at again, and is in its place then")
    func heldSuite() throws {
        // The first pause may last as long as the patience.
        try withHeldSuite(RetryPolicy(base: 1, limit: 250, patience: 250)) { job, lock throws in
            #expect(throws: SuiteError.busy) { try Self.result(job) }
            lock.release()
            #expect(try Self.result(job) == [["held", 1], ["open", 1]])
        }
    }

    @Test("A suite that another process holds for too long is reported, and the others are read")
    func heldTooLong() throws {
        try withHeldSuite(RetryPolicy(base: 1, limit: 0, patience: 0)) { job, _ throws in
            #expect(throws: SuiteError.busy) { try Self.result(job) }
            let start = Clock.monotonic()
            while Clock.monotonic() == start {}
            #expect(try Self.result(job) == [["held", "unreadable"], ["open", 1]])
        }
    }
}
