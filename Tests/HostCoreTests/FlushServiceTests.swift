import Contract
import Delivery
import Foundation
import JSON
import Logging
import Platform
import Suites
import TestSupport
import Testing

@testable import HostCore
@testable import JSONRPC

/// Flushes by requests and by the policy, with real suites and a destination in memory, without a process.
@Suite struct FlushServiceTests {
    /// The service, and what it requested from its host.
    private final class Bench: FlushServiceDelegate {
        let store: SuiteStore
        let memory = MemoryDestination()
        private(set) lazy var service = FlushService(
            store: store,
            settings: settings,
            clock: Clock(start: nil),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            delegate: self
        )
        private let settings: FlushSettings
        private let session = Session(lineLimit: 1_000)
        private(set) var results: [Result<JSON, RPCError>] = []
        private(set) var held: [Invocation] = []
        private(set) var notifications: [JSON] = []
        private(set) var marks: [String] = []

        init(_ folder: String, _ policy: FlushPolicy) {
            store = SuiteStore(folder: folder)
            var settings = FlushSettings(isLockStep: true)
            settings.delivery.policy = policy
            settings.delivery.policyDestination = "memory"
            self.settings = settings
        }

        var suite: Suites.Suite { store.suite(.standard) }

        func save(_ count: Int) throws {
            for number in 0..<count {
                let record = RecordContent(kind: .customEvent, name: "e\(number)", value: nil, time: 0, user: nil)
                _ = try suite.pending.save(record)
            }
            service.policy.handleSave(in: suite.name)
            try commit()
        }

        private func commit() throws {
            for suite in store.drainTransactions() {
                try suite.commit()
                service.committed(suite.name)
            }
        }

        /// Performs one iteration of the event loop.
        func advance() throws {
            repeat { try commit() } while service.advance()
        }

        func invocation(_ params: JSON) throws -> Invocation {
            let call = Call(
                Message.Request(method: "flushPending", params: params, id: 1),
                session: session,
                batch: nil,
                slot: 0
            )
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let configuration = HostConfiguration(dataFolder: store.folder, pluginFolders: [], hostFolder: "/")
            let outbox = Outbox(store, logger)
            let gate = Gate(configuration, outbox, Publisher(outbox))
            let peer = Peer(.client, { MethodTable() }, gate, Dispatcher(configuration, store, outbox))
            let arguments = try Signature("flushPending", ["suite?", "to?", "user?", "limit?", "lease?", "dryRun?"])
                .bind(params)
            let method = OrderedMethod(.flush, prepare: { _ in }, run: { _ in .later })
            let invocation = Invocation(call, peer, arguments, method)
            invocation.suite = suite
            return invocation
        }

        /// Sends a request and returns its immediate result; nil if the result follows later.
        func flush(_ params: JSON = ["to": "memory"]) throws -> JSON? {
            guard case .done(let value) = try service.flushPending(invocation(params)) else { return nil }
            return value
        }

        func destination(_ name: String, path: String?) throws(RPCError) -> any Destination {
            guard name == memory.name else { throw HostError.unknownDestination(name, path: path) }
            return memory
        }

        func missingSuite(_ suite: Suites.Suite, _ arguments: Arguments) -> Diagnostic? { nil }
        func makeLeaseToken() -> String { "token" }
        func finish(_ invocation: Invocation, _ result: Result<JSON, RPCError>) { results.append(result) }
        func hold(_ invocation: Invocation) { held.append(invocation) }
        func release(_ invocation: Invocation) { held.removeAll { $0 === invocation } }
        func publish(_ report: FlushReport, for invocation: Invocation?) { notifications.append(report.notification) }
        func lose(_ suite: Suites.Suite?, _ text: String) { marks.append("lost \(text)") }
        func holdFlush(of suite: SuiteName) { marks.append("hold \(suite)") }
        func releaseFlush(of suite: SuiteName) { marks.append("release \(suite)") }
        func deliverEmptyBatch(to name: String, _ invocation: Invocation) -> HostMethod.Outcome { .later }
    }

    private func withBench(_ policy: FlushPolicy = .manual, _ body: (Bench) throws -> Void) throws {
        try withTemporaryDirectory { try body(Bench("\($0)/data", policy)) }
    }

    @Test("A request is held while its flush runs, and answered when everything is settled")
    func request() throws {
        try withBench { bench in
            try bench.save(3)
            #expect(try bench.flush() == nil)
            #expect(bench.held.count == 1)
            try bench.advance()
            #expect(bench.service.isFlushing(.standard))
            #expect(!bench.service.isQuiet)
            bench.memory.accept()
            try bench.advance()
            #expect(bench.held.isEmpty)
            #expect(try bench.results.map { try $0.get()["delivered"] } == [3])
            #expect(bench.notifications.map { $0["remaining"] } == [0])
            #expect(bench.marks.isEmpty, "its call holds the flush itself")
            #expect(bench.service.isQuiet)
            #expect(try bench.suite.pending.total(nil) == 0)
        }
    }

    @Test("A flush whose suite becomes unreadable does not say how many records remain")
    func unreadable() throws {
        try withBench { bench in
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
        try withBench { bench in
            try bench.save(1)
            bench.memory.configuration = "http://wrong"
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
            bench.memory.configuration = "http://right"
            _ = try bench.flush()
            try bench.advance()
            #expect(bench.service.status[0]?["problem"] == nil)
            bench.memory.accept()
            try bench.advance()
            #expect(try bench.results.last?.get()["delivered"] == 1)
            #expect(try bench.suite.claims.deliveries().map(\.problem) == [nil])
        }
    }

    @Test("Without pending records a flush is answered at once, and does not begin")
    func nothing() throws {
        try withBench { bench in
            let reply = try #require(try bench.flush())
            #expect(reply["delivered"] == 0)
            #expect(bench.marks.isEmpty)
        }
    }

    @Test(
        "The policy flushes saved records, and keeps the suite's flush lock until the flush ends",
        arguments: ["memory", "caller"]
    )
    func policy(destination: JSON) throws {
        try withBench(.immediate) { bench in
            try bench.save(2)
            try bench.advance()
            #expect(bench.marks == ["hold standard"])
            bench.memory.accept()
            try bench.advance()
            #expect(bench.marks == ["hold standard", "release standard"])
            let reply = try #require(try bench.flush(["to": destination]))
            #expect(reply["remaining"] == 0)
            #expect(bench.memory.batches.isEmpty)
        }
    }

    @Test("If a destination accepts nothing, the policy tries it again after the pause")
    func unavailable() throws {
        try withBench(.immediate) { bench in
            try bench.save(1)
            try bench.advance()
            let before = Clock.monotonic()
            bench.memory.fail(DeliveryFailure("no route", mayHaveArrived: false, retryAfter: 600_000))
            try bench.advance()
            #expect(!bench.service.isFlushing(.standard))
            #expect(try #require(bench.service.deadline) >= before + 590_000)
            try bench.save(1)
            try bench.advance()
            #expect(bench.memory.batches.isEmpty, "a save does not shorten the pause")
        }
    }

    @Test("While another process flushes a suite, a request fails, and the policy retries soon")
    func heldSuite() throws {
        try withBench(.immediate) { bench in
            let other = SuiteStore(folder: bench.store.folder)
            try bench.save(1)
            let lock = try #require(try other.suite(.standard).lockFlush())
            try withExtendedLifetime(lock) {
                #expect(throws: SuiteError.beingFlushed) { try bench.flush() }
                try bench.advance()
                #expect(bench.marks.isEmpty)
                #expect(try #require(bench.service.deadline) <= Clock.monotonic() + 250)
            }
        }
    }

    @Test("A flush to the caller keeps its lock until its transaction ends", arguments: [false, true])
    func callerLock(isLost: Bool) throws {
        try withBench { bench in
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
        try withBench { bench in
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
}
