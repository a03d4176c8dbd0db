import JSON
import Platform
import Suites
import TestSupport
import Testing

@testable import Calls
@testable import JSONRPC

/// How calls find their methods, wait for each other, and are answered.
@Suite(.waits) struct DispatcherTests {
    private static let writeBundles = [AccessRule(.bundles, .write)]

    @Test("A client of MCP means that protocol's ping, and a call of no known method is passed on")
    func unknownMethods() throws {
        try withLoop { loop throws in
            let (client, model) = (loop.peer(), loop.peer())
            model.hasModelContext = true
            client.send(1, "ping")
            client.send(2, "initialize")
            #expect(try client.sent() == [1] && loop.unknownMethods == ["initialize"])
            model.send(3, "ping")
            model.send(4, "delay")
            #expect(try model.sent() == [] && loop.unknownMethods == ["initialize", "ping"])
            #expect(loop.delayed.count == 1)
        }
    }

    @Test("During a commit, a call with the id of another one and a ping of MCP wait for its end")
    func keptDuringCommit() throws {
        try withLoop { loop in
            let (saving, other, model) = (loop.peer(), loop.peer(), loop.peer())
            model.hasModelContext = true
            other.send(1, "delay")
            saving.send(2, "save", ["suite": "s"])
            loop.beginCommit()
            other.send(1, "ping")
            model.send(3, "ping")
            #expect(other.hasBacklog && model.hasBacklog)
            try loop.endStep()
            #expect(other.advance() && model.advance())
            #expect(try other.messages().map { $0["error"]?["data"]?["reason"] } == ["duplicateId"])
            #expect(loop.unknownMethods == ["ping"])
        }
    }

    @Test("A response completes the request of the host with its id, and other messages do not")
    func response() throws {
        try withLoop { loop in
            let peer = loop.peer()
            var results: [JSON?] = []
            let id = peer.session?.request("ask", params: nil) { results.append(try? $0.get()) }
            peer.receive(line: #"{"jsonrpc":"2.0","id":7,"result":"other"}"#)
            #expect(results == [])
            peer.receive(line: #"{"jsonrpc":"2.0","id":\#(id ?? 0),"result":"answer"}"#)
            #expect(results == ["answer"])
        }
    }

    private struct Misfit: ArgumentError {
        func error(_ arguments: Arguments) -> RPCError { .invalidParams(path: arguments.path("suite"), "unfit") }
    }

    @Test("The error of a call says where it is in the params, or its suite, as far as that is known")
    func errors() throws {
        try withLoop { loop in
            var error: any Error = Misfit()
            loop.methods.add("fail", ["suite"], [], prepare: loop.findSuite) { _ in throw error }
            loop.methods.add("break", [], []) { _ in throw SuiteError.leaseExpired }
            let peer = loop.peer()
            peer.send(1, "fail", ["suite": "s"])
            error = SuiteError.leaseExpired
            peer.send(2, "fail", ["suite": "s"])
            peer.send(3, "break")
            peer.send(4, "fail", ["other": 1])
            let errors = try peer.messages().compactMap { $0["error"]?["data"] }
            #expect(
                errors.map { $0["reason"] } == ["invalidParams", "leaseExpired", "internalError", "unknownParam"]
            )
            #expect(errors.map { $0["path"] } == ["/params/suite", nil, nil, "/params/other"])
            #expect(errors.map { $0["suite"] } == [nil, "s", nil, nil])
        }
    }

    @Test("Nothing is kept of a call that its method answered at once, whether it had waited or not")
    func answeredAtOnce() throws {
        try withLoop { loop in
            var outcome = HostMethod.Outcome.later
            let outbox = loop.outbox
            loop.methods.add("refuse", [], Self.writeBundles) { call in
                outbox.finish(call.call, .success(false))
                return outcome
            }
            let peer = loop.peer()
            for next in [HostMethod.Outcome.later, .away] {
                outcome = next
                peer.send(1, "refuse")
                #expect(try peer.sent() == [1] && peer.isIdle)
                peer.send(2, "delay")
                peer.send(3, "refuse")
                #expect(peer.scheduler.waiting.count == 1)
                try loop.endDelayed()
                #expect(loop.dispatcher.advance(peer))
                #expect(try peer.sent() == [2, 3] && peer.isIdle)
                // Its answer is sent after another one.
                peer.send(4, "save", ["suite": "s"])
                peer.send(5, "refuse")
                #expect(peer.isIdle && peer.session?.trackedCount == 0)
                #expect(outbox.advance { true })
                #expect(try peer.sent() == [4, 5])
            }
        }
    }

    @Test("A call that cannot run yet keeps its place before later ones, and is tried again")
    func postponed() throws {
        try withLoop { loop throws in
            var outcomes = [HostMethod.Outcome.away, .blocked, .done(1), .done(2)]
            loop.methods.add("attempt", [], Self.writeBundles) { _ in outcomes.removeFirst() }
            let peer = loop.peer()
            for id in 1...2 { peer.send(id, "attempt") }
            #expect(!loop.dispatcher.advance(peer) && outcomes.count == 3)
            #expect(peer.scheduler.waiting.count == 2 && peer.session?.trackedCount == 2)
            // The other extension has changed the notification.
            let first = peer.scheduler.waiting[0]
            peer.scheduler.enqueue(first, as: .waiting(since: 0))
            peer.scheduler.reconsider(first)
            #expect(!loop.dispatcher.advance(peer) && outcomes.count == 2)
            #expect(loop.dispatcher.advance(peer))
            #expect(try peer.messages().map { $0["result"] } == [1, 2] && peer.isIdle)
        }
    }

    @Test("A call that waited runs once, and its answer is sent after the commit of what it changed")
    func waitingCall() throws {
        try withLoop { loop in
            var (runs, drops) = (0, 0)
            let drop = { (_: Invocation) in drops += 1 }
            loop.methods.add("change", ["suite"], Self.writeBundles, prepare: loop.findSuite, drop: drop) {
                runs += 1
                return .saved(id: try $0.knownSuite.pending.save(PeerLoop.record(bytes: 1)))
            }
            let peer = loop.peer()
            peer.send(1, "delay")
            peer.send(2, "change", ["suite": "s"])
            #expect(!loop.dispatcher.advance(peer) && runs == 0)
            try loop.endDelayed()
            #expect(loop.dispatcher.advance(peer))
            #expect(!loop.dispatcher.advance(peer), "it has ended, although its answer waits")
            #expect(try peer.sent() == [1] && peer.isIdle)
            #expect(loop.outbox.advance { true })
            #expect(try peer.sent() == [2])
            #expect(!loop.dispatcher.advance(peer))
            #expect(runs == 1 && drops == 0)
        }
    }

    @Test("A waiting call that is answered early is dropped at once, and with it what later calls wait for")
    func dropped() throws {
        try withLoop { loop in
            var (runs, drops): ([JSON?], [JSON?]) = ([], [])
            let rules = [AccessRule(.bundles, .write), AccessRule(.pending, .write)]
            loop.methods.add("change", ["suite"], rules, prepare: loop.findSuite, drop: { drops.append($0.call.id) }) {
                runs.append($0.call.id)
                return .done(true)
            }
            loop.methods.add("read", ["suite"], .readRecords, prepare: loop.findSuite) { _ in .done(true) }
            let peer = loop.peer()
            peer.send(1, "delay")
            peer.send(2, "change", ["suite": "s"])
            peer.send(3, "read", ["suite": "s"])
            #expect(!loop.dispatcher.advance(peer))
            try #require(peer.session?.call(withID: 2)).answer(.success(false))
            #expect(peer.unansweredCount == 2)
            #expect(loop.dispatcher.advance(peer))
            #expect(try peer.sent() == [2, 3] && runs == [] && drops == [2])
            #expect(peer.unansweredCount == 1 && peer.scheduler.waiting.isEmpty)
        }
    }

    @Test(
        "When a suite was locked too long, the calls that waited for it as long fail together, and no others",
        arguments: [(100_000, [1, 2, 3, 6], [2, 4, 5]), (30_000, [1, 2, 6], [2, 3, 4, 5])]
            as [(Int64, [JSON], [JSON])]
    )
    func lockedSuite(locked: Int64, failed: [JSON], tried: [JSON]) throws {
        try withLoop(patience: 60_000) { loop in
            var tries: [JSON] = []
            let rules = [AccessRule(.bundles, .read)]
            loop.methods.add("locked", ["suite"], rules, prepare: loop.findSuite) { call in
                tries.append(call.call.id ?? .null)
                throw SuiteError.busy
            }
            let peer = loop.peer()
            peer.send(1, "delay")
            for (id, suite) in [(2, "a"), (3, "a"), (4, "b"), (5, "a"), (6, "a")] as [(Int, JSON)] {
                peer.send(id, "locked", ["suite": suite])
            }
            // As if the first one had been tried for long, and others had waited for it; the fifth came just now.
            let (scheduler, calls) = (peer.scheduler, peer.scheduler.waiting)
            let policy = RetryPolicy(base: 1, limit: 1, patience: 60_000)
            let (now, start) = (Clock.monotonic(), Clock.monotonic() - 100_000)
            scheduler.enqueue(calls[0], as: .busy(since: now - locked, Retry(policy, start: start)))
            for place in 1...2 { scheduler.enqueue(calls[place], as: .waiting(since: start)) }
            scheduler.enqueue(calls[4], as: .busy(since: start, Retry(policy, nextTry: .max, start: start)))
            // No answer is sent before this one, so the others are not yet answered when they fail.
            let delayed = try #require(loop.delayed.first)
            loop.outbox.finishLate(delayed.call) { .success(true) }
            scheduler.end(delayed)
            #expect(loop.dispatcher.advance(peer))
            #expect(tries == tried)
            #expect(loop.outbox.advance { true })
            let answers = try peer.messages()
            #expect(answers.compactMap { $0["id"] } == failed)
            #expect(answers.dropFirst().allSatisfy { $0["error"]?["data"]?["reason"] == "suiteBusy" })
            #expect(scheduler.waiting.compactMap(\.call.id) == tried.filter { $0 != 2 })
            #expect(scheduler.deadline != nil, "they are tried again")
            for call in scheduler.removeAll() { call.call.abandon() }
            peer.send(7, "delay")
            #expect(loop.delayed.count == 2, "nothing is kept of a call that was tried several times")
        }
    }

    @Test("A transaction that a method loses turns the earlier answers about its suite into errors")
    func transactionLost() throws {
        try withLoop { loop in
            loop.methods.add("lose", ["suite"], [], prepare: loop.findSuite) { call in
                call.knownSuite.rollback()
                throw SuiteError.transactionLost("disk full")
            }
            let peer = loop.peer()
            peer.send(1, "save", ["suite": "s"])
            peer.send(2, "lose", ["suite": "s"])
            peer.send(3, "save", ["suite": "t"])
            #expect(loop.outbox.advance { true })
            let answers = try peer.messages()
            #expect(answers.map { $0["id"] } == [1, 2, 3])
            #expect(answers.map { $0["error"]?["data"]?["reason"] } == ["notStored", "notStored", nil])
            #expect(loop.ended == ["s: disk full", "t"], "a lost transaction is not committed")
        }
    }

    @Test("A call about a key waits for the records if the key stands for them, and otherwise for the keys")
    func keys() throws {
        for (kind, waiting) in [(.pending, [2, 4]), (.defaults, [3])] as [(AccessRule.Kind, [JSON])] {
            try withLoop { loop in
                loop.methods.add("change", ["suite"], [AccessRule(kind, .write)], prepare: loop.findSuite) { call in
                    call.peer.scheduler.begin(call)
                    return .later
                }
                loop.methods.add("read", ["suite", "key?"], .readKey, prepare: loop.findSuite) { _ in .done(true) }
                let peer = loop.peer()
                peer.send(1, "change", ["suite": "s"])
                peer.send(2, "read", ["suite": "s", "key": "pending_custom_events"])
                peer.send(3, "read", ["suite": "s", "key": "k"])
                peer.send(4, "read", ["suite": "s"])
                #expect(peer.scheduler.waiting.compactMap(\.call.id) == waiting)
            }
        }
    }

    @Test("The time of a call is read once, however often it is tried")
    func time() throws {
        try withLoop { loop in
            loop.peer().send(1, "delay")
            let call = try #require(loop.delayed.first)
            let clock = Clock(start: 5)
            #expect(call.time(clock) == 5 && call.time(clock) == 5 && clock.wallTime() == 6)
        }
    }

    @Test("A key that identifies a save, and a time, may be absent, and are refused with their rule if they do not fit")
    func arguments() throws {
        let signature = Signature("save", ["idempotencyKey?", "time?"])
        func bound(_ params: JSON) throws -> Arguments { try signature.bind(params) }
        #expect(try bound([:]).idempotencyKey() == nil && bound([:]).time("time") == nil)
        let key = Array("k1".utf8).withUnsafeBytes { IdempotencyKey($0) }
        #expect(try key != nil && bound(["idempotencyKey": "k1"]).idempotencyKey() == key)
        #expect(try bound(["time": "2026-01-01T00:00:00Z"]).time("time") == 1_767_225_600_000)
        for (value, rule) in [(1, "a string,"), ("", IdempotencyKey.rule)] as [(JSON, String)] {
            let error = #expect(throws: RPCError.self) { try bound(["idempotencyKey": value]).idempotencyKey() }
            #expect(error?.data?["path"] == "/params/idempotencyKey" && error?.message.contains(rule) == true)
        }
        let error = #expect(throws: RPCError.self) { try bound(["time": "2026-01-01"]).time("time") }
        #expect(error?.message.contains("RFC 3339") == true)
    }
}
