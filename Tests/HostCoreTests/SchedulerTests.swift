import JSON
import Logging
import Platform
import Suites
import TestSupport
import Testing

@testable import Calls
@testable import JSONRPC

/// The calls of a connection that nobody serves; a test gives them accesses and schedules them.
private struct Connection {
    private let peer: Peer

    var scheduler: Scheduler { peer.scheduler }

    init() {
        let store = SuiteStore(folder: "/nonexistent")
        let outbox = Outbox(store, Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let ending = Ending(isRelay: false, patience: 0)
        let gate = Gate(outputLimit: .max, isLockStep: false, ending, outbox, Publisher(outbox))
        let policy = RetryPolicy(base: 1, limit: 1, patience: 0)
        let dispatcher = Dispatcher(lockedSuite: policy, store, outbox) { _, _ in }
        peer = Peer(.client, { MethodTable() }, gate, dispatcher)
    }

    func call(_ rules: AccessRules, _ object: Object = Object()) throws -> Invocation {
        let session = Session(lineLimit: 1_000)
        let call = Call(Message.Request(method: "test", params: nil, id: 1), session: session, batch: nil, slot: 0)
        let method = OrderedMethod(rules, prepare: { _ in }, run: { _ in .later })
        let invocation = Invocation(call, peer, try Signature("test", ["key?"]).bind(call), method)
        invocation.object = object
        return invocation
    }
}

/// What a call is about.
private final class Object: CallObject {
    let presentationIdentifier: String?
    let extensionIdentifier: String
    /// How often the accesses of its call were determined.
    private(set) var looks = 0
    private let groups: [SuiteName]

    init(_ groups: [SuiteName] = [.standard], presentation: String? = nil, extension: String = "x") {
        self.groups = groups
        presentationIdentifier = presentation
        extensionIdentifier = `extension`
    }

    var suites: [SuiteName] {
        looks += 1
        return groups
    }
}

/// Compares the scheduler with a simple model: random calls over random resources.
@Suite struct SchedulerTests {
    /// The accesses of a call for which later calls must wait now.
    private static func holdings(_ call: Invocation) -> [Access] {
        call.accesses.filter { !call.isRunning || $0.duration == .untilAnswered }
    }

    /// The calls for which a call must wait, found by comparing each pair; all are in the order in which they came.
    private static func conflicts(_ call: Invocation, with others: [Invocation]) -> [Invocation] {
        others.prefix { $0 !== call }.filter { other in
            call.accesses.contains { need in
                holdings(other).contains { held in
                    let isShared =
                        need.resource == held.resource || need.resource == held.resource.whole
                        || need.resource.whole == held.resource
                    return isShared && need.needs.map { $0.conflicts(with: held.holds) } ?? false
                }
            }
        }
    }

    private static func rules(_ random: inout SeededGenerator) -> AccessRules {
        (0..<Int.random(in: 1...3, using: &random)).map { _ in
            let mode = Mode.allCases.randomElement(using: &random) ?? .read
            let isOneWay = Int.random(in: 0..<4, using: &random) == 0
            return AccessRule(
                AccessRule.Kind.allCases.randomElement(using: &random) ?? .bundles,
                needs: isOneWay ? [nil, .append, .read, .write].randomElement(using: &random) ?? nil : mode,
                holds: mode,
                Bool.random(using: &random) ? .untilAnswered : .untilStarted
            )
        }
    }

    private static func object(_ random: inout SeededGenerator) -> Object {
        Object(
            ["group.a", "group.b"].randomElement(using: &random).flatMap { SuiteName($0) }.map { [$0] } ?? [],
            presentation: [nil, "1", "2"].randomElement(using: &random) ?? nil,
            extension: Bool.random(using: &random) ? "x" : "y"
        )
    }

    @Test(
        "Each call starts after all earlier calls with which it conflicts, and no call waits without a conflict",
        arguments: 1...12
    )
    func model(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let connection = Connection()
        let scheduler = connection.scheduler
        var unfinished: [Invocation] = []
        var (started, waited) = (0, 0)
        for _ in 0..<300 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0..<4 where unfinished.count < 40:
                let task = try connection.call(Self.rules(&random), Self.object(&random))
                let isFree = Self.conflicts(task, with: unfinished).isEmpty
                #expect((scheduler.blocker(of: task) == nil) == isFree)
                if isFree {
                    scheduler.begin(task)
                    started += 1
                } else {
                    scheduler.enqueue(task, as: .waiting(since: 0))
                    waited += 1
                }
                unfinished.append(task)
            case 4:
                // Cancels a call that waits.
                guard let task = unfinished.filter(\.isWaiting).randomElement(using: &random) else { continue }
                scheduler.remove(task)
                unfinished.removeAll { $0 === task }
            case 5:
                guard let task = unfinished.randomElement(using: &random) else { continue }
                task.rules = Self.rules(&random)
            default:
                guard let task = unfinished.filter(\.isRunning).randomElement(using: &random) else { continue }
                scheduler.end(task)
                unfinished.removeAll { $0 === task }
            }
            while scheduler.advance(
                now: 0,
                { task in
                    #expect(Self.conflicts(task, with: unfinished).isEmpty, "it starts after all that it needs")
                    scheduler.begin(task)
                    started += 1
                }
            ) {}
            for task in unfinished where task.isWaiting {
                #expect(!Self.conflicts(task, with: unfinished).isEmpty, "it waits for a conflict")
            }
            #expect(scheduler.isIdle == unfinished.isEmpty)
        }
        #expect(started > 50 && waited > 20)
        for task in unfinished { task.isWaiting ? scheduler.remove(task) : scheduler.end(task) }
        let all = AccessRule.Kind.allCases.map { AccessRule($0, .write) }
        #expect(try scheduler.isIdle && scheduler.blocker(of: connection.call(all)) == nil)
    }

    @Test("Nothing is kept of a call that has ended, so that no presentation or suite takes memory for ever")
    func forgotten() {
        var index = HoldIndex()
        let accesses = ["1", "2", "3"].map { [Access(resource: .presentation($0), needs: .write, holds: .write)] }
        for (number, held) in accesses.enumerated() { index.insert(held, of: number) }
        #expect(!index.isEmpty)
        for (number, held) in accesses.enumerated() { index.remove(held, of: number) }
        #expect(index.isEmpty)
    }

    private static let writeBundles = [AccessRule(.bundles, .write)]

    /// How often the scheduler looks at a call while it runs a number of calls, each of which waits for the one before.
    private func looks(ofCalls count: Int) throws -> Int {
        let connection = Connection()
        let scheduler = connection.scheduler
        let objects = (0..<count).map { _ in Object() }
        for object in objects {
            scheduler.enqueue(try connection.call(Self.writeBundles, object), as: .waiting(since: 0))
        }
        var done = 0
        while !scheduler.isIdle {
            _ = scheduler.advance(now: 0) { scheduler.begin($0) }
            let running = try #require(scheduler.running.first)
            #expect(scheduler.running.count == 1)
            scheduler.end(running)
            done += 1
        }
        #expect(done == count)
        return objects.reduce(0) { $0 + $1.looks }
    }

    @Test("Each of many calls that wait for each other is looked at only a few times")
    func fewLooks() throws {
        #expect(try looks(ofCalls: 100) <= 500)
        #expect(try looks(ofCalls: 2_000) <= 10_000)
    }

    @Test("A call whose suite another process has locked is retried when it is due, and not before")
    func retried() throws {
        let connection = Connection()
        let scheduler = connection.scheduler
        let call = try connection.call(Self.writeBundles)
        let policy = RetryPolicy(base: 1, limit: 1, patience: 100)
        scheduler.enqueue(try connection.call([]), as: .busy(since: 0, Retry(policy, nextTry: 20)))
        scheduler.enqueue(call, as: .busy(since: 0, Retry(policy, nextTry: 10)))
        var tries = 0
        #expect(!scheduler.advance(now: 9) { _ in tries += 1 })
        #expect(tries == 0 && scheduler.deadline == 10)
        #expect(!scheduler.advance(now: 10) { _ in tries += 1 }, "it waits again")
        #expect(tries == 1)
    }

    @Test("A call to an extension keeps its position, and is not retried")
    func away() throws {
        let connection = Connection()
        let scheduler = connection.scheduler
        let first = try connection.call(Self.writeBundles)
        let second = try connection.call(Self.writeBundles)
        scheduler.enqueue(first, as: .away(since: 0))
        scheduler.enqueue(second, as: .waiting(since: 0))
        var started: [Invocation] = []
        #expect(!scheduler.advance(now: 0) { started.append($0) })
        scheduler.enqueue(first, as: .waiting(since: 0))
        scheduler.reconsider(first)
        _ = scheduler.advance(now: 0) {
            started.append($0)
            scheduler.begin($0)
        }
        #expect(started.count == 1 && started[0] === first)
        scheduler.end(first)
        #expect(scheduler.advance(now: 0) { scheduler.begin($0) }, "nothing is left of the first one")
        #expect(scheduler.running.count == 1 && scheduler.running[0] === second)
    }

    @Test("A call that has ended never starts again, and keeps no other one waiting", arguments: [false, true])
    func ended(hasRun: Bool) throws {
        let connection = Connection()
        let scheduler = connection.scheduler
        let call = try connection.call([])
        if hasRun {
            scheduler.begin(call)
            scheduler.end(call)
        } else {
            scheduler.enqueue(call, as: .waiting(since: 0))
            scheduler.remove(call)
        }
        call.rules = Self.writeBundles
        scheduler.reconsider(call)
        var starts = 0
        #expect(!scheduler.advance(now: 0) { _ in starts += 1 } && starts == 0)
        #expect(try scheduler.isIdle && scheduler.blocker(of: connection.call(Self.writeBundles)) == nil)
    }

    @Test("A call that was answered before it ran is dropped at once, whatever it waits for")
    func dropped() throws {
        for state in [Invocation.State.waiting(since: 0), .away(since: 0)] {
            let connection = Connection()
            let scheduler = connection.scheduler
            scheduler.begin(try connection.call(Self.writeBundles))
            let call = try connection.call(Self.writeBundles)
            scheduler.enqueue(call, as: state)
            call.call.abandon()
            var dropped: [Invocation] = []
            let hasDropped = scheduler.advance(now: 0) {
                dropped.append($0)
                scheduler.remove($0)
            }
            #expect(hasDropped && dropped.count == 1 && dropped[0] === call)
            #expect(scheduler.waiting.isEmpty)
        }
    }

    @Test("The removal of a call that waits for another one leaves those that may start")
    func removed() throws {
        let connection = Connection()
        let scheduler = connection.scheduler
        scheduler.begin(try connection.call(Self.writeBundles))
        let blocked = try connection.call(Self.writeBundles)
        scheduler.enqueue(blocked, as: .waiting(since: 0))
        #expect(!scheduler.advance(now: 0) { scheduler.begin($0) })
        let free = try connection.call([])
        scheduler.enqueue(free, as: .waiting(since: 0))
        scheduler.remove(blocked)
        #expect(scheduler.advance(now: 0) { scheduler.begin($0) })
        #expect(scheduler.running.count == 2 && scheduler.running[1] === free && scheduler.waiting.isEmpty)
    }

    @Test("A waiting call starts when other rules or another presentation no longer conflict with an earlier call")
    func changed() throws {
        let changes: [(Invocation) -> Void] = [{ $0.rules = [] }, { $0.object = Object(presentation: "2") }]
        for change in changes {
            let connection = Connection()
            let scheduler = connection.scheduler
            let rules = [AccessRule(.presentation, .write)]
            scheduler.begin(try connection.call(rules, Object(presentation: "1")))
            let call = try connection.call(rules, Object(presentation: "1"))
            scheduler.enqueue(call, as: .waiting(since: 0))
            #expect(!scheduler.advance(now: 0) { scheduler.begin($0) })
            change(call)
            #expect(scheduler.advance(now: 0) { scheduler.begin($0) })
            #expect(scheduler.waiting.isEmpty)
        }
    }

    @Test("A flush of the policy comes before every waiting call, and wakes those that waited for it")
    func hold() throws {
        let connection = Connection()
        let scheduler = connection.scheduler
        let waiting = try connection.call([AccessRule(.flush, .write)])
        scheduler.enqueue(waiting, as: .waiting(since: 0))
        scheduler.holdFlush(of: .standard)
        #expect(scheduler.blocker(of: waiting) != nil && !scheduler.isIdle)
        #expect(!scheduler.advance(now: 0) { scheduler.begin($0) }, "it waits for the flush")
        scheduler.releaseFlush(of: .standard)
        #expect(scheduler.blocker(of: waiting) == nil)
        #expect(scheduler.advance(now: 0) { scheduler.begin($0) }, "it is woken")
    }

    @Test("A call uses the suite that it names, and not those of its object")
    func namedSuite() throws {
        let connection = Connection()
        let groups = [try #require(SuiteName("group.a"))]
        let rules = [AccessRule(.pending, .write)]
        let call = try connection.call(rules, Object(groups))
        call.suite = SuiteStore(folder: "/nonexistent").suite(.standard)
        connection.scheduler.begin(call)
        #expect(try connection.scheduler.blocker(of: connection.call(rules, Object([.standard]))) != nil)
        #expect(try connection.scheduler.blocker(of: connection.call(rules, Object(groups))) == nil)
    }

    @Test("Flushes of several suites are held apart, and a scheduler with one is not idle")
    func severalFlushes() throws {
        let connection = Connection()
        let scheduler = connection.scheduler
        let suites = try ["a", "b"].map { try #require(SuiteName($0)) }
        let calls = try suites.map { try connection.call([AccessRule(.flush, .write)], Object([$0])) }
        for suite in suites { scheduler.holdFlush(of: suite) }
        #expect(calls.allSatisfy { scheduler.blocker(of: $0) != nil } && !scheduler.isIdle)
        scheduler.releaseFlush(of: suites[0])
        #expect(scheduler.blocker(of: calls[0]) == nil && scheduler.blocker(of: calls[1]) != nil)
        #expect(!scheduler.isIdle)
        scheduler.releaseFlush(of: suites[1])
        #expect(scheduler.blocker(of: calls[1]) == nil && scheduler.isIdle)
    }
}
