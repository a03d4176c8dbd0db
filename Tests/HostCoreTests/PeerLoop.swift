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
final class PeerLoop {
    private final class Names {
        var all: [String] = []
    }

    let store: SuiteStore
    let outbox: Outbox
    let publisher: Publisher
    let gate: Gate
    let dispatcher: Dispatcher
    /// The methods of each peer, which finds them at its first call.
    var methods = MethodTable<HostMethod>()
    /// Whether no flush is due or runs.
    var flushesAreQuiet = true
    /// The calls that wait for their answers.
    private(set) var delayed: [Invocation] = []
    /// How often a call found more suites in transactions than may be open.
    private(set) var crowds = 0
    /// The suites whose transactions ended, in order; with the reason, if it was lost.
    private(set) var ended: [String] = []
    private let unknown = Names()

    /// The names of the methods that were called and are not among the methods.
    var unknownMethods: [String] { unknown.all }

    init(_ store: SuiteStore, outputLimit: Int, isLockStep: Bool, patience: Int64) {
        self.store = store
        outbox = Outbox(store, Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        publisher = Publisher(outbox)
        let ending = Ending(isRelay: false, patience: 0)
        gate = Gate(outputLimit: outputLimit, isLockStep: isLockStep, ending, outbox, publisher)
        let policy = RetryPolicy(base: 1, limit: 1, patience: patience)
        dispatcher = Dispatcher(lockedSuite: policy, store, outbox) { [unknown] call, _ in
            unknown.all.append(call.method)
        }
        gate.flushesAreQuiet = { [unowned self] in flushesAreQuiet }
        outbox.onTransactionEnd = { [unowned self] suite, error in
            ended.append(error.map { "\(suite): \($0)" } ?? "\(suite)")
        }
        methods.addFree("ping") { _, _, _ in [:] }
        methods.add("save", ["suite", "bytes?"], [], prepare: findSuite) { [unowned self] call in
            if store.isCrowded { crowds += 1 }
            let bytes = try call.arguments.optionalInteger("bytes", in: 0...Int64.max) ?? 1
            return .saved(id: try call.knownSuite.pending.save(Self.record(bytes: Int(bytes))))
        }
        methods.add("delay", [], [AccessRule(.bundles, .write)]) { [unowned self] call in
            delayed.append(call)
            call.peer.scheduler.begin(call)
            return .later
        }
    }

    static func record(bytes: Int) -> RecordContent {
        let name = String(repeating: "x", count: bytes)
        return RecordContent(kind: .customEvent, name: name, value: nil, time: 0, user: nil)
    }

    /// Finds the suite of a call whose method has the parameter `suite`.
    var findSuite: OrderedMethod.Preparation {
        { [store] call throws(RPCError) in
            call.suite = SuiteName(try call.arguments.string("suite")).map { store.suite($0) }
        }
    }

    func suite(_ name: String) throws -> Suites.Suite { store.suite(try #require(SuiteName(name))) }

    func peer(_ role: Peer.Role = .client) -> Peer {
        let peer = Peer(role, { [unowned self] in methods }, gate, dispatcher)
        let session = Session(lineLimit: 1 << 20)
        session.onMessage = { [unowned peer] in peer.receive($0) }
        peer.session = session
        return peer
    }

    /// Answers the first of the delayed calls, which ends with that.
    func endDelayed() throws {
        let call = try #require(delayed.first)
        delayed.removeFirst()
        outbox.finish(call.call, .success(true))
        call.peer.scheduler.end(call)
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

    /// Commits beside the event loop, to the end.
    func commitBeside() throws {
        beginCommit()
        while outbox.isCommitting { try endStep() }
    }
}

extension Peer {
    /// A request as JSON text; a notification if it has no id.
    static func request(_ id: Int?, _ method: String, _ params: JSON = [:]) -> String {
        let member = id.map { #""id":\#($0),"# } ?? ""
        return #"{"jsonrpc":"2.0",\#(member)"method":"\#(method)","params":\#(params)}"#
    }

    /// Receives a line.
    func receive(line: String) {
        let bytes = Array("\(line)\n".utf8)
        bytes.withUnsafeBytes { session?.consume($0) }
    }

    /// Receives a request.
    func send(_ id: Int, _ method: String, _ params: JSON = [:]) { receive(line: Self.request(id, method, params)) }

    /// What was sent to it since the last call: the ids of answers, and the methods of notifications.
    func sent() throws -> [JSON] { try messages().compactMap { $0["id"] ?? $0["method"] } }

    /// The messages that were sent to it since the last call.
    func messages() throws -> [JSON] {
        var text: [UInt8] = []
        session?.output.drain { bytes in
            text += bytes
            return bytes.count
        }
        return try text.split(separator: UInt8(ascii: "\n")).map { try JSON(parsing: Array($0)) }
    }
}

/// An extension that reads its answers only when the test says so.
final class Caller: CallingExtension {
    let identifier = "x"
    let applicationGroups: [String] = []
    var unreadBytes = 0
}

/// Passes peers with a store in a new folder to the closure; the patience with a locked suite is in milliseconds.
func withLoop(
    outputLimit: Int = .max,
    isLockStep: Bool = false,
    patience: Int64 = 0,
    _ body: (PeerLoop) throws -> Void
) throws {
    try withTemporaryDirectory { folder in
        let store = SuiteStore(folder: "\(folder)/data")
        defer { store.close() }
        try body(PeerLoop(store, outputLimit: outputLimit, isLockStep: isLockStep, patience: patience))
    }
}
