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
    /// The service with the outbox and the client that it answers.
    private final class Bench {
        let store: SuiteStore
        let memory = MemoryDestination()
        let service: FlushService
        let peer: Peer
        private let outbox: Outbox
        private let session = Session(lineLimit: 1_000)
        private(set) var results: [Result<JSON, RPCError>] = []
        private(set) var notifications: [JSON] = []

        init(_ folder: String, _ policy: FlushPolicy, isLockStep: Bool) {
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            store = SuiteStore(folder: folder)
            var configuration = HostConfiguration.defaults
            configuration.isLockStep = isLockStep
            configuration.delivery.policy = policy
            configuration.delivery.policyDestination = "memory"
            outbox = Outbox(store, logger)
            let publisher = Publisher(outbox)
            let ending = Ending(isRelay: false, patience: 0)
            let gate = Gate(outputLimit: .max, isLockStep: isLockStep, ending, outbox, publisher)
            let dispatcher = Dispatcher(lockedSuite: configuration.lockedSuite, store, outbox) { _, _ in }
            peer = Peer(.client, { MethodTable() }, gate, dispatcher)
            peer.session = session
            peer.topics = [.progress]
            publisher.client = peer
            let service = FlushService(
                configuration,
                store,
                Clock(start: nil),
                IdentifierGenerator(seed: 1),
                outbox,
                publisher,
                logger
            ) { [memory] name, path throws(RPCError) in
                guard name == memory.name else { throw HostError.unknownDestination(name, path: path) }
                return memory
            }
            self.service = service
            outbox.onTransactionEnd = { suite, error in
                if let error { service.lost(suite, error) } else { service.committed(suite) }
            }
        }

        var suite: Suites.Suite { store.suite(.standard) }

        /// Whether a flush of the policy makes requests wait; its number is negative.
        func policyFlushes() throws -> Bool { try peer.scheduler.blocker(of: invocation(["to": "memory"])) ?? 0 < 0 }

        func save(_ count: Int) throws {
            for number in 0..<count {
                let record = RecordContent(kind: .customEvent, name: "e\(number)", value: nil, time: 0, user: nil)
                _ = try suite.pending.save(record)
            }
            service.policy.handleSave(in: suite.name)
            outbox.commit()
        }

        /// Performs one iteration of the event loop, and reads what the client gets.
        func advance() throws {
            while outbox.advance(waits: { true }), service.advance() {}
            var text = ""
            session.output.drain { bytes in
                text += String(decoding: bytes, as: UTF8.self)
                return bytes.count
            }
            for line in text.split(separator: "\n") {
                let message = try JSON(parsing: Array(line.utf8))
                if let params = message["params"] {
                    notifications.append(params)
                } else if let error = message["error"] {
                    let code = RPCError.Code(rawValue: Int(try #require(error["code"]?.integer)))
                    let text = try #require(error["message"]?.string)
                    results.append(.failure(RPCError(code: code, message: text, data: error["data"])))
                } else {
                    results.append(.success(try #require(message["result"])))
                }
            }
        }

        func invocation(_ params: JSON) throws -> Invocation {
            let call = Call(
                Message.Request(method: "flushPending", params: params, id: 1),
                session: session,
                batch: nil,
                slot: 0
            )
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
    }

    private func withBench(
        _ policy: FlushPolicy = .manual,
        isLockStep: Bool = true,
        _ body: (Bench) throws -> Void
    ) throws {
        try withTemporaryDirectory { try body(Bench("\($0)/data", policy, isLockStep: isLockStep)) }
    }

    @Test("A request is held while its flush runs, and answered when everything is settled")
    func request() throws {
        try withBench { bench in
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
            #expect(bench.service.isQuiet)
            #expect(try bench.suite.pending.total(nil) == 0)
        }
    }

    @Test("A flush reports its progress at most ten times a second, and once at its end")
    func pace() throws {
        try withBench(isLockStep: false) { bench in
            try bench.save(10_000)
            let start = Clock.monotonic()
            #expect(try bench.flush() == nil)
            while bench.results.isEmpty {
                try bench.advance()
                if !bench.memory.batches.isEmpty { bench.memory.accept() }
            }
            let most = (Clock.monotonic() - start) / 100 + 2
            #expect(bench.memory.arrived.count == 10_000)
            #expect((1...most).contains(Int64(bench.notifications.count)))
            #expect(bench.notifications.last?["remaining"] == 0)
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

    @Test("Without pending records a flush is answered at once, and does not begin")
    func nothing() throws {
        try withBench { bench in
            let reply = try #require(try bench.flush())
            #expect(reply["delivered"] == 0)
            #expect(bench.peer.isIdle)
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
            #expect(try bench.policyFlushes())
            bench.memory.accept()
            try bench.advance()
            #expect(try !bench.policyFlushes())
            let reply = try #require(try bench.flush(["to": destination]))
            #expect(reply["remaining"] == 0)
            #expect(bench.memory.batches.isEmpty)
        }
    }

    @Test("A policy that finds nothing to deliver knows it the next time without the suite's file")
    func nothingDue() throws {
        try withTemporaryDirectory { folder in
            let earlier = Bench("\(folder)/data", .immediate, isLockStep: true)
            try earlier.save(1)
            try earlier.advance()
            earlier.memory.accept()
            try earlier.advance()
            // Files that were changed just now are not trusted.
            for name in try FileManager.default.contentsOfDirectory(atPath: "\(folder)/data") {
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSince1970: 0)],
                    ofItemAtPath: "\(folder)/data/\(name)"
                )
            }
            let bench = Bench("\(folder)/data", .immediate, isLockStep: true)
            #expect(bench.store.knownSummary(of: .standard) == nil)
            bench.service.policy.handleSave(in: .standard)
            try bench.advance()
            #expect(bench.store.knownSummary(of: .standard)?.pending == 0)
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
    func lockedSuite() throws {
        try withBench(.immediate) { bench in
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
