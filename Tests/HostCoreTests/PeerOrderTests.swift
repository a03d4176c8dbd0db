import Foundation
import JSON
import Logging
import Platform
import Suites
import TestSupport
import Testing

@testable import Calls
@testable import JSONRPC

/// Peers of a host without an event loop; the test says when it commits, and when a commit has ended.
private final class Loop {
    let store: SuiteStore
    let outbox: Outbox
    let publisher: Publisher
    let gate: Gate
    private let dispatcher: Dispatcher
    private var methods = MethodTable<HostMethod>()
    /// The calls that wait for their answers.
    private(set) var delayed: [Invocation] = []
    /// How often a call found more suites in transactions than may be open.
    private(set) var crowds = 0

    init(_ store: SuiteStore, outputLimit: Int = .max) {
        self.store = store
        outbox = Outbox(store, Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        outbox.onTransactionEnd = { _, _ in }
        publisher = Publisher(outbox)
        let ending = Ending(isRelay: false, patience: 0)
        gate = Gate(outputLimit: outputLimit, isLockStep: false, ending, outbox, publisher)
        dispatcher = Dispatcher(lockedSuite: RetryPolicy(base: 1, limit: 1, patience: 0), store, outbox) { _, _ in }
        methods.addFree("ping") { _, _, _ in [:] }
        methods.add("save", ["suite", "bytes?"], [], prepare: Self.findSuite(store)) { [unowned self] call in
            if store.isCrowded { crowds += 1 }
            let bytes = try call.arguments.optionalInteger("bytes", in: 0...Int64.max) ?? 1
            let name = String(repeating: "x", count: Int(bytes))
            let record = RecordContent(kind: .customEvent, name: name, value: nil, time: 0, user: nil)
            return .saved(id: try call.knownSuite.pending.save(record))
        }
        methods.add("delay", [], [AccessRule(.bundles, .write)]) { [unowned self] call in
            delayed.append(call)
            call.peer.scheduler.begin(call)
            return .later
        }
    }

    private static func findSuite(_ store: SuiteStore) -> OrderedMethod.Preparation {
        { call in call.suite = SuiteName(try call.arguments.string("suite")).map { store.suite($0) } }
    }

    func peer(_ role: Peer.Role = .client) -> Peer {
        let peer = Peer(role, { [unowned self] in methods }, gate, dispatcher)
        let session = Session(lineLimit: 1 << 20)
        session.onMessage = { [unowned peer] in peer.receive($0) }
        peer.session = session
        return peer
    }

    /// Begins a commit beside the event loop.
    func beginCommit() {
        #expect(!outbox.advance { false })
        #expect(outbox.isCommitting)
    }

    /// Waits for the end of the step that runs beside the event loop, and takes note of it.
    func endStep() throws {
        let step = try #require(outbox.commitDescriptor)
        var entry = pollfd(fd: step, events: Int16(POLLIN), revents: 0)
        #expect(poll(&entry, 1, -1) == 1)
        outbox.didWake()
    }
}

extension Peer {
    /// Receives a request.
    fileprivate func send(_ id: Int, _ method: String, _ params: JSON = [:]) {
        let line = #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"# + "\n"
        Array(line.utf8).withUnsafeBytes { session?.consume($0) }
    }

    /// What was sent to it since the last call: the ids of answers, and the methods of notifications.
    fileprivate func sent() throws -> [JSON] { try messages().compactMap { $0["id"] ?? $0["method"] } }

    /// The messages that were sent to it since the last call.
    fileprivate func messages() throws -> [JSON] {
        var text: [UInt8] = []
        session?.output.drain { bytes in
            text += bytes
            return bytes.count
        }
        return try text.split(separator: UInt8(ascii: "\n")).map { try JSON(parsing: Array($0)) }
    }
}

private final class Caller: CallingExtension {
    let identifier = "x"
    let applicationGroups: [String] = []
    let unreadBytes = 0
}

/// What reaches a peer, and in which order, while commits run beside the event loop.
@Suite(.waits) struct PeerOrderTests {
    private func withLoop(outputLimit: Int = .max, _ body: (Loop) throws -> Void) throws {
        try withTemporaryDirectory { folder in
            let store = SuiteStore(folder: "\(folder)/data")
            defer { store.close() }
            try body(Loop(store, outputLimit: outputLimit))
        }
    }

    @Test("A call that needs no suite is kept behind an answer that awaits a commit, and answered at once otherwise")
    func freeCall() throws {
        try withLoop { loop in
            let (saving, other) = (loop.peer(), loop.peer())
            saving.send(1, "save", ["suite": "s"])
            loop.beginCommit()
            saving.send(2, "ping")
            other.send(3, "ping")
            #expect(saving.hasBacklog && !other.hasBacklog)
            #expect(try saving.sent() == [] && other.sent() == [3])
            try loop.endStep()
            #expect(saving.advance() && loop.outbox.advance { true })
            #expect(try saving.sent() == [1, 2])
        }
    }

    @Test("An answer to an earlier call is sent after one that awaits a commit that runs")
    func answer() throws {
        try withLoop { loop in
            let peer = loop.peer()
            peer.send(1, "delay")
            peer.send(2, "save", ["suite": "s"])
            loop.beginCommit()
            loop.outbox.finish(try #require(loop.delayed.first).call, .success(true))
            #expect(try peer.sent() == [])
            try loop.endStep()
            #expect(loop.outbox.advance { true })
            #expect(try peer.sent() == [2, 1])
        }
    }

    @Test("A message that could be handled does not overtake kept ones of its peer")
    func keptMessages() throws {
        try withLoop { loop in
            let (saving, other) = (loop.peer(), loop.peer())
            saving.send(1, "save", ["suite": "s"])
            loop.beginCommit()
            other.send(2, "save", ["suite": "s"])
            other.send(3, "ping")
            #expect(try other.sent() == [])
            try loop.endStep()
            #expect(other.advance() && loop.outbox.advance { true })
            #expect(try other.sent() == [2, 3])
        }
    }

    @Test("What an answer publishes is sent after the answers that are sent with it")
    func published() throws {
        try withLoop { loop in
            let peer = loop.peer()
            peer.send(1, "delay")
            let first = try #require(loop.delayed.first).call
            loop.outbox.finishLate(first) {
                loop.outbox.notify(first.session, "published") { [:] }
                return .success(true)
            }
            peer.send(2, "ping")
            #expect(loop.outbox.advance { true })
            #expect(try peer.sent() == [1, 2, "published"])
        }
    }

    @Test("A large log is moved into its file after a commit beside the event loop, too")
    func checkpoint() throws {
        try withLoop { loop in
            let peer = loop.peer()
            for id in 1...12 { peer.send(id, "save", ["suite": "s", "bytes": 500_000]) }
            loop.beginCommit()
            let log = "\(loop.store.folder)/s.sqlite-wal"
            try loop.endStep()
            #expect(try peer.sent().count == 12)
            #expect(try Data(contentsOf: URL(filePath: log)).count > 4 << 20)
            #expect(loop.outbox.isCommitting, "the checkpoint runs")
            try loop.endStep()
            #expect(!loop.outbox.isCommitting)
            #expect(try Data(contentsOf: URL(filePath: log)).isEmpty)
        }
    }

    @Test("Transactions are committed early, so that no more suites than may be open have one")
    func manySuites() throws {
        try withLoop { loop in
            let peer = loop.peer()
            let ids = Array(1...300)
            for id in ids { peer.send(id, "save", ["suite": .string("s\(id)")]) }
            #expect(loop.crowds == 0)
            #expect(loop.outbox.advance { true })
            let sent = try peer.sent()
            #expect(sent == ids.map { JSON($0) })
        }
    }

    @Test("With more than 10,000 waiting calls a client's input is not read on")
    func waitingCalls() throws {
        try withLoop { loop in
            let peer = loop.peer()
            for id in 0...10_000 { peer.send(id, "delay") }
            #expect(loop.gate.admitsReading(from: peer) && peer.scheduler.waiting.count == 10_000)
            for id in 10_001...10_002 { peer.send(id, "delay") }
            #expect(!loop.gate.admitsReading(from: peer))
            #expect(peer.hasBacklog && peer.scheduler.waiting.count == 10_001)
            for call in peer.scheduler.removeAll() { call.call.abandon() }
            #expect(loop.gate.admitsReading(from: peer) && peer.advance() && !peer.hasBacklog)
        }
    }

    @Test("An extension's message waits for the answer to the one before")
    func messagesOfExtension() throws {
        try withLoop { loop in
            let caller = loop.peer(.extension(Caller()))
            caller.send(1, "delay")
            caller.send(2, "ping")
            #expect(try caller.sent() == [] && caller.hasBacklog)
            loop.outbox.finish(try #require(loop.delayed.first).call, .success(true))
            caller.scheduler.end(try #require(loop.delayed.first))
            #expect(caller.advance())
            #expect(try caller.sent() == [1, 2])
        }
    }

    @Test("A client that leaves more than 1 MiB unread misses lines of stderr, and is told how many")
    func missedLines() throws {
        try withLoop { loop in
            let client = loop.peer()
            client.topics = [.didSave, .standardError]
            loop.publisher.client = client
            let session = try #require(client.session)
            func notify(_ bytes: Int) {
                loop.outbox.notify(session, "x") { [.string(String(repeating: "x", count: bytes))] }
            }
            notify(0)
            let overhead = client.unreadBytes
            notify((1 << 20) - 2 * overhead)
            #expect(client.unreadBytes == 1 << 20)
            loop.publisher.publish(errorLine: "a", of: "e")
            for _ in 0..<2 { loop.publisher.publish(errorLine: "b", of: "e") }
            #expect(try client.sent() == ["x", "x", "$/stderr"])
            for line in ["c", "d"] { loop.publisher.publish(errorLine: line, of: "e") }
            #expect(try client.messages().map { $0["params"]?["missed"] } == [2, nil])
        }
    }

    @Test("While a subscriber leaves notifications unread, messages of extensions wait")
    func unreadSubscriber() throws {
        try withLoop(outputLimit: 100) { loop in
            let client = loop.peer()
            loop.publisher.client = client
            let caller = loop.peer(.extension(Caller()))
            let text = JSON.string(String(repeating: "x", count: 200))
            loop.outbox.notify(try #require(client.session), "didSave") { [text] }
            caller.send(1, "ping")
            #expect(try caller.sent() == [1], "nobody subscribed")
            client.topics = [.didSave]
            caller.send(2, "ping")
            #expect(try caller.sent() == [] && caller.hasBacklog)
            #expect(try client.sent() == ["didSave"])
            #expect(caller.advance())
            #expect(try caller.sent() == [2])
        }
    }
}
