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

/// A flush service with real suites, a destination in memory, and the outbox and the client that it answers.
final class FlushBench {
    let store: SuiteStore
    let memory: MemoryDestination
    let service: FlushService
    let peer: Peer
    private let outbox: Outbox
    private let session = Session(lineLimit: 1_000)
    private(set) var results: [Result<JSON, RPCError>] = []
    private(set) var notifications: [JSON] = []

    /// A service whose suites are in a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - policy: When it flushes without a request.
    ///   - policyDestination: Where to; there is no destination but `memory`.
    ///   - isLockStep: Whether its output must not depend on its speed.
    ///   - retry: The pauses after failures of the destination.
    ///   - clock: Tells the wall time.
    ///   - memory: The destination.
    init(
        _ folder: String,
        _ policy: FlushPolicy = .manual,
        to policyDestination: String = "memory",
        isLockStep: Bool = true,
        retry: RetryPolicy = DeliverySettings().retry,
        clock: Clock = Clock(start: nil),
        memory: MemoryDestination = MemoryDestination()
    ) {
        self.memory = memory
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        store = SuiteStore(folder: folder)
        var configuration = HostConfiguration.defaults
        configuration.isLockStep = isLockStep
        configuration.delivery.policy = policy
        configuration.delivery.policyDestination = policyDestination
        configuration.delivery.retry = retry
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
            clock,
            IdentifierGenerator(seed: 1),
            outbox,
            publisher,
            logger
        ) { name, path throws(RPCError) in
            guard name == memory.name else { throw HostError.unknownDestination(name, path: path) }
            return memory
        }
        self.service = service
        outbox.onTransactionEnd = { suite, error in
            if let error { service.lost(suite, error) } else { service.committed(suite) }
        }
    }

    /// Calls the closure with a service whose suites are in a new folder.
    static func open(
        _ policy: FlushPolicy = .manual,
        to policyDestination: String = "memory",
        isLockStep: Bool = true,
        retry: RetryPolicy = DeliverySettings().retry,
        clock: Clock = Clock(start: nil),
        memory: MemoryDestination = MemoryDestination(),
        _ body: (FlushBench) throws -> Void
    ) throws {
        try withTemporaryDirectory { folder in
            let bench = FlushBench(
                "\(folder)/data",
                policy,
                to: policyDestination,
                isLockStep: isLockStep,
                retry: retry,
                clock: clock,
                memory: memory
            )
            try body(bench)
        }
    }

    var suite: Suites.Suite { store.suite(.standard) }

    /// Whether a flush of the policy makes requests wait; its number is negative.
    func policyFlushes() throws -> Bool { try peer.scheduler.blocker(of: invocation(["to": "memory"])) ?? 0 < 0 }

    /// Saves events, of as many users or of nobody.
    func save(_ count: Int, in name: SuiteName = .standard, hasUsers: Bool = false) throws {
        for number in 0..<count {
            let user: JSON? = hasUsers ? ["braze_id": .string("\(number)")] : nil
            let record = RecordContent(kind: .customEvent, name: "e\(number)", value: nil, time: 0, user: user)
            _ = try store.suite(name).pending.save(record)
        }
        service.policy.handleSave(in: name)
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
