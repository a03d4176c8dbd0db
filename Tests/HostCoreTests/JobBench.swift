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

/// A job whose progress after each slice is given.
final class CountingJob: Job {
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

/// A job whose slices are given.
final class ScriptedJob: Job {
    let progress = JobProgress()
    private var slices: [(Slice) throws -> JobResult?]

    init(_ slices: [(Slice) throws -> JobResult?]) { self.slices = slices }

    func advance(_ slice: Slice) throws -> JobResult? { try slices.removeFirst()(slice) }

    func cancel() {}
}

/// The jobs of a client, without an event loop; the test says when a slice runs.
final class JobBench {
    let store: SuiteStore
    let jobs: JobService
    let outbox: Outbox
    let peer: Peer
    private let gate: Gate
    /// What the next call of `count` does.
    var job: any Job = CountingJob([0])
    /// How many suites the next call of `look` looks at.
    var suiteCount = 0
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
        gate = Gate(outputLimit: .max, isLockStep: false, ending, outbox, publisher)
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
            calls.append(call)
            return try jobs.apply(call.knownSuite.pending.remove([.customEvent]), call, counting: "removed") {
                self.changes += 1
            }
        }
        methods.add("look", [], []) { [unowned self] call in
            let names = (0..<suiteCount).compactMap { SuiteName("s\($0)") }
            return jobs.summarize(names, call) { .integer(Int64($0.count)) }
        }
    }

    var suite: Suites.Suite { store.suite(.standard) }

    static func event(_ name: String) -> RecordContent {
        RecordContent(kind: .customEvent, name: name, value: nil, time: 0, user: nil)
    }

    /// Saves events in a transaction of their own.
    func save(_ count: Int) throws {
        for number in 0..<count { _ = try suite.pending.save(Self.event("e\(number)")) }
        try suite.commit()
    }

    /// Leaves a part of an import in the suite, as a process that died.
    func abandonImport() throws {
        let staged = StagedImport(suite)
        try staged.add([StagedRow(Self.event("staged"))])
        try suite.commit()
        staged.didCommit()
        staged.end()
    }

    /// Lets no more records be deleted, as on a disk without room.
    func refuseRemovals() throws {
        try changeStandardSuite(
            of: store,
            "CREATE TRIGGER full BEFORE DELETE ON pending BEGIN SELECT RAISE(ABORT, 'no room'); END"
        )
    }

    /// Lets the host stop.
    func end() { gate.end(.shutdown) }

    func send(_ id: Int, _ method: String) {
        let line = #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)"}"# + "\n"
        Array(line.utf8).withUnsafeBytes { peer.session?.consume($0) }
    }

    /// Runs a slice when it is due, and returns the answers.
    func answers() throws -> [JSON] { try advance().filter { $0["id"] != nil } }

    /// Waits until a slice is due.
    func wait() { if let due = jobs.deadline { poll(nil, 0, Int32(max(0, due - Clock.monotonic()))) } }

    /// Runs a slice when it is due, and returns what the client gets; progress is published every 100 ms, if not in lock
    /// step.
    func advance() throws -> [JSON] {
        wait()
        #expect(jobs.advance())
        return try messages()
    }

    /// What the client gets without a slice.
    func messages() throws -> [JSON] {
        #expect(outbox.advance { true })
        var text: [UInt8] = []
        peer.session?.output.drain { bytes in
            text += bytes
            return bytes.count
        }
        return try text.split(separator: UInt8(ascii: "\n")).map { try JSON(parsing: Array($0)) }
    }
}

/// Executes SQL in the file of the standard suite, as another program.
func changeStandardSuite(of store: SuiteStore, _ sql: String) throws {
    let script = """
        import sqlite3, sys
        sqlite3.connect(sys.argv[1], isolation_level=None).execute(sys.argv[2])
        """
    let child = try ChildProcess("python3", ["-c", script, "\(store.folder)/standard.sqlite", sql])
    #expect(try child.wait() == .code(0), "\(child.standardError)")
}

func withJobBench(isLockStep: Bool = false, _ body: (JobBench) throws -> Void) throws {
    try withTemporaryDirectory { folder in
        let bench = JobBench("\(folder)/data", isLockStep: isLockStep)
        defer { bench.store.close() }
        try body(bench)
    }
}
