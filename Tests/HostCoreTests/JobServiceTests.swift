import Configuration
import Foundation
import JSON
import Logging
import Platform
import Suites
import TestSupport
import Testing

@testable import Calls
@testable import JSONRPC
@testable import Records

/// Jobs of a client, without an event loop; the test says when a slice runs.
@Suite struct JobServiceTests {
    /// A job whose progress after each slice is given.
    private final class CountingJob: Job {
        private(set) var progress = JobProgress(done: 0, total: 40_000)
        private var steps: [Int64]
        /// The number of slices, and how often it was cancelled.
        private(set) var (slices, cancellations) = (0, 0)

        init(_ steps: [Int64]) { self.steps = steps }

        func advance(_ slice: Slice) throws -> JobResult? {
            slices += 1
            progress.done = steps.removeFirst()
            return steps.isEmpty ? .value(.integer(progress.done)) : nil
        }

        func cancel() { cancellations += 1 }
    }

    private final class Bench {
        let store: SuiteStore
        let jobs: JobService
        let outbox: Outbox
        let peer: Peer
        /// What the next call of `count` does.
        var job = CountingJob([0])
        private(set) var calls: [Invocation] = []
        /// How many slices of `remove` have changed records.
        private(set) var changes = 0

        init(_ folder: String, isLockStep: Bool = false) {
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let store = SuiteStore(folder: folder)
            let outbox = Outbox(store, logger)
            outbox.onTransactionEnd = { _, _ in }
            let publisher = Publisher(outbox)
            let ending = Ending(isRelay: false, patience: 0)
            let gate = Gate(outputLimit: .max, isLockStep: false, ending, outbox, publisher)
            var configuration = HostConfiguration.defaults
            configuration.isLockStep = isLockStep
            let dispatcher = Dispatcher(lockedSuite: configuration.lockedSuite, store, outbox) { _, _ in }
            let jobs = JobService(configuration, store, outbox, publisher, gate, logger)
            var methods = MethodTable<HostMethod>()
            (self.store, self.outbox, self.jobs) = (store, outbox, jobs)
            peer = Peer(.client, { methods }, gate, dispatcher)
            let session = Session(lineLimit: 1_000)
            session.onMessage = { [unowned peer] in peer.receive($0) }
            peer.session = session
            peer.topics = [.progress]
            publisher.client = peer
            let setSuite: OrderedMethod.Preparation = { $0.suite = store.suite(.standard) }
            methods.add("count", [], [], prepare: setSuite) { [unowned self] call in
                calls.append(call)
                return jobs.begin(job, call)
            }
            methods.add("remove", [], [], prepare: setSuite) { [unowned self] call in
                try jobs.apply(call.knownSuite.pending.remove([.customEvent]), call, counting: "removed") {
                    self.changes += 1
                }
            }
        }

        var suite: Suites.Suite { store.suite(.standard) }

        func send(_ id: Int, _ method: String) {
            let line = #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)"}"# + "\n"
            Array(line.utf8).withUnsafeBytes { peer.session?.consume($0) }
        }

        /// Runs a slice when it is due, and returns the answers.
        func answers() throws -> [JSON] { try advance().filter { $0["id"] != nil } }

        /// Runs a slice when it is due, and returns what the client gets; progress is published every 100 ms, if not in lock
        /// step.
        func advance() throws -> [JSON] {
            if let due = jobs.deadline { poll(nil, 0, Int32(max(0, due - Clock.monotonic()))) }
            #expect(jobs.advance())
            #expect(outbox.advance { true })
            var text: [UInt8] = []
            peer.session?.output.drain { bytes in
                text += bytes
                return bytes.count
            }
            return try text.split(separator: UInt8(ascii: "\n")).map { try JSON(parsing: Array($0)) }
        }
    }

    private func withBench(isLockStep: Bool = false, _ body: (Bench) throws -> Void) throws {
        try withTemporaryDirectory { folder in
            let bench = Bench("\(folder)/data", isLockStep: isLockStep)
            defer { bench.store.close() }
            try body(bench)
        }
    }

    private static func event(_ name: String) -> RecordContent {
        RecordContent(kind: .customEvent, name: name, value: nil, time: 0, user: nil)
    }

    @Test("A job that has changed records waits while another process holds its suite, and does what is left then")
    func heldSuite() throws {
        try withBench { bench in
            for number in 0..<10_000 { _ = try bench.suite.pending.save(Self.event("e\(number)")) }
            try bench.suite.commit()
            bench.send(1, "remove")
            #expect(try bench.answers() == [])
            let left = try bench.suite.pending.total(nil)
            #expect(0 < left && left < 10_000)
            let other = SuiteStore(folder: bench.store.folder)
            defer { other.close() }
            _ = try other.suite(.standard).pending.save(Self.event("other"))
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

    @Test("In lock step, progress is published at fixed numbers of records, however long slices are")
    func progress() throws {
        try withBench(isLockStep: true) { bench in
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
        try withBench(isLockStep: true) { bench in
            bench.job = CountingJob([10_000, 10_000])
            bench.send(1, "count")
            let params: JSON = ["suite": "standard", "method": "count", "done": 10_000, "total": 40_000]
            let (notifications, answers) = try (bench.advance(), bench.advance())
            #expect(notifications == [["jsonrpc": "2.0", "method": "$/progress", "params": params]])
            #expect(answers == [["jsonrpc": "2.0", "id": 1, "result": 10_000]])
        }
    }

    @Test("Jobs take turns")
    func turns() throws {
        try withBench { bench in
            let jobs = [CountingJob([1, 2]), CountingJob([3, 4])]
            for (number, job) in jobs.enumerated() {
                bench.job = job
                bench.send(number, "count")
            }
            let answers = try (0..<4).map { _ in try bench.answers().compactMap { $0["result"] } }
            #expect(answers == [[], [], [2], [4]])
            #expect(bench.jobs.isIdle && bench.jobs.deadline == nil)
        }
    }

    @Test("A job whose call was answered is cancelled once, and goes on until it ends")
    func cancellation() throws {
        try withBench { bench in
            bench.job = CountingJob([1, 2, 3])
            bench.send(1, "count")
            bench.outbox.finish(try #require(bench.calls.first).call, .success(true))
            for _ in 0..<3 { _ = try bench.advance() }
            #expect(bench.job.cancellations == 1 && bench.job.slices == 3)
            #expect(bench.jobs.isIdle && bench.peer.isIdle)
        }
    }

    @Test("The jobs of a host that stops are cancelled, and their calls refused")
    func stop() throws {
        try withBench { bench in
            bench.job = CountingJob([1, 2])
            bench.send(1, "count")
            bench.jobs.stop()
            #expect(bench.job.cancellations == 1 && bench.job.slices == 0 && bench.jobs.isIdle)
            let call = try #require(bench.calls.first).call
            #expect(call.isAnswered)
        }
    }
}
