import BrazeRules
import Configuration
import Delivering
import Delivery
import JSON
import Logging
import Platform
import Suites
import TestSupport
import Testing

@testable import Calls
@testable import HostCore
@testable import JSONRPC
@testable import Records

/// Saves by clients and by extensions, in an engine whose event loop does not run.
@Suite struct SaveServiceTests {
    private static let longText = String(repeating: "x", count: 50)

    private final class Caller: CallingExtension {
        let identifier = "com.example.caller"
        let applicationGroups = ["group.a", "group.b"]
        let unreadBytes = 0
    }

    private final class Bench {
        let engine: Engine
        let client: Peer
        /// An extension that shows nothing.
        let `extension`: Peer
        let suites: SuiteService

        init(_ folder: String, _ policy: FlushPolicy) {
            var configuration = HostConfiguration(dataFolder: folder, pluginFolders: [], hostFolder: folder)
            configuration.clock = 1_000
            configuration.recordLimits.valueBytes = 40
            configuration.delivery.policy = policy
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let engine = Engine(configuration: configuration, logger: logger, logSink: LogSink(descriptor: -1))
            let outbox = Outbox(engine.store, logger)
            let dispatcher = Dispatcher(lockedSuite: configuration.lockedSuite, engine.store, outbox) { _, _ in }
            self.engine = engine
            client = engine.connectClient().peer
            `extension` = Peer(.extension(Caller()), { engine.methods.content }, engine.gate, dispatcher)
            suites = SuiteService(configuration, engine.store)
        }

        /// A call of a method, as it arrives.
        func call(_ name: String, _ params: JSON, of peer: Peer) throws -> Invocation {
            let method = try #require(peer.methods[name])
            guard case .ordered(let ordered) = method.handler else { throw TestFailure("\(name) has no suite") }
            let request = Message.Request(method: name, params: params, id: 1)
            let call = Call(request, session: Session(lineLimit: 1_000), batch: nil, slot: 0)
            return Invocation(call, peer, try method.signature.bind(params), ordered)
        }

        /// A call of the client that is to run now or later.
        func prepared(_ name: String, _ params: JSON) throws -> Invocation {
            let invocation = try call(name, params, of: client)
            try invocation.method.prepare(invocation)
            return invocation
        }

        func run(_ invocation: Invocation) throws { _ = try invocation.method.run(invocation) }

        func records() throws -> [Record] {
            try engine.store.suite(.standard).pending.records(nil, limit: 9, byteLimit: .max)
        }
    }

    private func withBench(_ policy: FlushPolicy = .manual, _ body: (Bench) throws -> Void) throws {
        try withTemporaryDirectory { folder in
            let bench = Bench(folder, policy)
            defer {
                for suite in bench.engine.store.drainTransactions() { suite.rollback() }
                bench.engine.store.close()
            }
            try body(bench)
        }
    }

    @Test("A record has the time at which its call arrived, however long that waited")
    func time() throws {
        try withBench { bench in
            let calls = try ["first", "second"].map { try bench.prepared("saveCustomEvent", ["name": .string($0)]) }
            for call in calls.reversed() { try bench.run(call) }
            let records = try bench.records()
            #expect(records.map(\.content.name) == ["second", "first"])
            #expect(records[1].content.time < records[0].content.time)
        }
    }

    @Test(
        "A suite is due for the policy when a record is saved in it, or a list",
        arguments: [
            ("saveCustomEvent", ["name": "a"]),
            ("store", ["key": "pending_custom_events", "value": [["event_name": "a"]]]),
        ] as [(String, JSON)]
    )
    func policy(method: String, params: JSON) throws {
        try withBench(.immediate) { bench in
            #expect(bench.engine.flushes.deadline == nil)
            try bench.run(bench.prepared(method, params))
            #expect(bench.engine.flushes.deadline != nil)
            #expect(try bench.records().map(\.content.name) == ["a"])
        }
    }

    @Test(
        "A list whose transaction was lost can be stored again, and then lacks what was delivered meanwhile",
        arguments: ["store", "removeObject", "resetStorageKeys"]
    )
    func lostList(method: String) throws {
        try withBench { bench in
            let suite = bench.engine.store.suite(.standard)
            try bench.run(bench.prepared("saveCustomEvent", ["name": "a"]))
            try suite.commit()
            try bench.run(bench.prepared("retrieve", ["key": "pending_custom_events"]))
            let list: JSON = ["key": "pending_custom_events", "value": [["event_name": "a"], ["event_name": "b"]]]
            let removed: JSON = method == "removeObject" ? ["key": "pending_custom_events"] : [:]
            try bench.run(bench.prepared(method, method == "store" ? list : removed))
            #expect(try bench.records().map(\.content.name) == (method == "store" ? ["a", "b"] : []))
            suite.rollback()
            bench.engine.outbox.lose(suite, "no room")
            #expect(try suite.leases.take(limit: 9, byteLimit: .max, lease: nil, now: 0).records.count == 1)
            try suite.commit()
            try bench.run(bench.prepared("store", list))
            #expect(try bench.records().map(\.content.name) == ["b"])
            try suite.commit()
            bench.engine.outbox.onTransactionEnd(suite.name, nil)
            #expect(throws: RPCError.self, "a stored list must be read again") {
                try bench.run(bench.prepared("store", list))
            }
        }
    }

    @Test("A user who is known by an address alone gets no other address, but any other field")
    func identity() throws {
        try withBench { bench in
            let user: JSON = ["email": "ada@example.com"]
            func save(_ field: JSON, _ value: JSON) throws {
                try bench.run(
                    bench.prepared("saveUserAttribute", ["field": field, "value": value, "user": user])
                )
            }
            #expect(throws: RecordError.self) { try save("email", "eve@example.com") }
            #expect(try bench.records().isEmpty)
            try save("email", "ada@example.com")
            try save("home_city", "Rome")
            #expect(try bench.records().count == 2)
        }
    }

    @Test(
        "A value that is too large is reported at the parameter that has it",
        arguments: [
            ("saveCustomEvent", ["name": "a", "properties": ["n": .string(longText)]], "properties"),
            ("saveCustomAttribute", ["key": "a", "value": .string(longText)], "value"),
        ] as [(String, JSON, String)]
    )
    func tooLarge(method: String, params: JSON, parameter: String) throws {
        try withBench { bench throws in
            let error = #expect(throws: RecordError.self) { try bench.run(bench.prepared(method, params)) }
            #expect(error?.place.parameter == parameter)
            #expect(try bench.records().isEmpty)
        }
    }

    @Test("An extension saves nothing about a notification that it does not show")
    func otherNotification() throws {
        try withBench { bench in
            let params: JSON = ["name": "a", "notification": "gone"]
            let call = try bench.call("saveCustomEvent", params, of: bench.extension)
            try call.method.prepare(call)
            let error = #expect(throws: RPCError.self) { try bench.run(call) }
            #expect(error?.reason == "unknownNotification")
            #expect(try bench.engine.store.names() == [])
        }
    }

    @Test("An extension may use its groups, the first one by default, and where that is allowed its own suite")
    func suites() throws {
        try withBench { bench throws in
            func suite(_ name: JSON?, _ allowsStandard: Bool) throws -> String? {
                let params = JSON(present: ["key": "k", "notification": "n", "suite": name])
                let call = try bench.call("retrieve", params, of: bench.extension)
                try bench.suites.setSuite(of: call, allowsStandard: allowsStandard)
                return call.suite?.name.text
            }
            for allowsStandard in [false, true] {
                #expect(try suite(nil, allowsStandard) == "group.a")
                #expect(try suite("group.b", allowsStandard) == "group.b")
                #expect(throws: RPCError.self) { try suite("group.c", allowsStandard) }
            }
            #expect(try suite("standard", true) == "com.example.caller")
            #expect(throws: RPCError.self) { try suite("standard", false) }
        }
    }
}
