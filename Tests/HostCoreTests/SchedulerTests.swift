import JSON
import Logging
import Platform
import Suites
import TestSupport
import Testing

@testable import Calls
@testable import JSONRPC

/// A call of a connection that nobody serves; a test gives it accesses and schedules it.
private class StandInCall: Invocation {
    init() throws {
        let session = Session(lineLimit: 1_000)
        let call = Call(Message.Request(method: "test", params: nil, id: 1), session: session, batch: nil, slot: 0)
        let store = SuiteStore(folder: "/nonexistent")
        let outbox = Outbox(store, Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let ending = Ending(isRelay: false, patience: 0)
        let gate = Gate(outputLimit: .max, isLockStep: false, ending, outbox, Publisher(outbox))
        let policy = RetryPolicy(base: 1, limit: 1, patience: 0)
        let dispatcher = Dispatcher(lockedSuite: policy, store, outbox) { _, _ in }
        let peer = Peer(.client, { MethodTable() }, gate, dispatcher)
        let method = OrderedMethod(.nothing, prepare: { _ in }, run: { _ in .later })
        super.init(call, peer, try Signature("test", []).bind(call), method)
    }
}

/// Compares the scheduler with a simple model: random calls over random resources.
@Suite struct SchedulerTests {
    /// A call with given accesses.
    private final class Task: StandInCall {
        var touched: [Access]
        /// Its position in the order of arrival.
        let arrival: Int

        init(_ arrival: Int, _ touched: [Access]) throws {
            self.arrival = arrival
            self.touched = touched
            try super.init()
        }

        override var accesses: [Access] { touched }

        /// The accesses for which later calls must wait now.
        var holdings: [Access] { isRunning ? touched.filter { $0.duration == .untilAnswered } : touched }
    }

    /// The calls for which a call must wait, found by comparing each pair.
    private static func conflicts(_ task: Task, with others: [Task]) -> [Task] {
        others.filter { other in
            other.arrival < task.arrival
                && task.touched.contains { need in
                    other.holdings.contains { held in
                        let isShared =
                            need.resource == held.resource || need.resource == held.resource.whole
                            || need.resource.whole == held.resource
                        return isShared && need.needs.map { $0.conflicts(with: held.holds) } ?? false
                    }
                }
        }
    }

    private static let resources: [Resource] =
        ["group.a", "group.b"].compactMap { SuiteName($0) }.flatMap {
            [Resource.pending($0), .defaults($0), .flush($0)]
        }
        + [
            .pending(nil), .presentation("1"), .presentation("2"), .presentation(nil), .newPresentation,
            .shown(by: "x"), .shown(by: "y"), .shown(by: nil), .queue(of: "x"), .queue(of: "y"), .bundles,
        ]

    private static func accesses(_ random: inout SeededGenerator) -> [Access] {
        (0..<Int.random(in: 1...3, using: &random)).map { _ in
            let mode = Mode.allCases.randomElement(using: &random) ?? .read
            let isOneWay = Int.random(in: 0..<4, using: &random) == 0
            return Access(
                resource: resources.randomElement(using: &random) ?? .bundles,
                needs: isOneWay ? [nil, .append, .read, .write].randomElement(using: &random) ?? nil : mode,
                holds: mode,
                duration: Bool.random(using: &random) ? .untilAnswered : .untilStarted
            )
        }
    }

    @Test(
        "Each call starts after all earlier calls with which it conflicts, and no call waits without a conflict",
        arguments: 1...12
    )
    func model(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let scheduler = Scheduler()
        var unfinished: [Task] = []
        var (arrivals, started, waited) = (0, 0, 0)
        for _ in 0..<300 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0..<4 where unfinished.count < 40:
                arrivals += 1
                let task = try Task(arrivals, Self.accesses(&random))
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
                task.touched = Self.accesses(&random)
                scheduler.update(task)
            default:
                guard let task = unfinished.filter(\.isRunning).randomElement(using: &random) else { continue }
                scheduler.end(task)
                unfinished.removeAll { $0 === task }
            }
            while scheduler.advance(
                now: 0,
                { call in
                    guard let task = call as? Task else { return }
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
        #expect(try scheduler.isIdle && scheduler.blocker(of: Task(0, Self.resources.map(Self.writing))) == nil)
    }

    static func writing(_ resource: Resource) -> Access { Access(resource: resource, needs: .write, holds: .write) }

    /// How often the scheduler examines a call while it runs a number of calls, each of which waits for the one before.
    private func examinations(ofCalls count: Int) throws -> Int {
        final class Counted: StandInCall {
            var looks = 0
            override var accesses: [Access] { [SchedulerTests.writing(.bundles)] }
            override var isDropped: Bool {
                looks += 1
                return false
            }
        }
        let scheduler = Scheduler()
        let calls = try (0..<count).map { _ in try Counted() }
        for call in calls { scheduler.enqueue(call, as: .waiting(since: 0)) }
        var done = 0
        while !scheduler.isIdle {
            _ = scheduler.advance(now: 0) { scheduler.begin($0) }
            let running = try #require(scheduler.running.first)
            #expect(scheduler.running.count == 1)
            scheduler.end(running)
            done += 1
        }
        #expect(done == count)
        return calls.reduce(0) { $0 + $1.looks }
    }

    @Test("Each of many calls that wait for each other is examined only a few times")
    func looks() throws {
        #expect(try examinations(ofCalls: 100) <= 300)
        #expect(try examinations(ofCalls: 2_000) <= 6_000)
    }

    @Test("A call whose suite another process has locked is retried when it is due, and not before")
    func retried() throws {
        let scheduler = Scheduler()
        let call = try Task(1, [Self.writing(.bundles)])
        let policy = RetryPolicy(base: 1, limit: 1, patience: 100)
        scheduler.enqueue(call, as: .busy(since: 0, Retry(policy, nextTry: 10)))
        var tries = 0
        _ = scheduler.advance(now: 9) { _ in tries += 1 }
        #expect(tries == 0 && scheduler.deadline == 10)
        _ = scheduler.advance(now: 10) { _ in tries += 1 }
        #expect(tries == 1)
    }

    @Test("A call to an extension keeps its position, and is not retried")
    func away() throws {
        let scheduler = Scheduler()
        let first = try Task(1, [Self.writing(.bundles)])
        let second = try Task(2, [Self.writing(.bundles)])
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
    }

    @Test("A flush of the policy comes before every waiting call, and wakes those that waited for it")
    func hold() throws {
        let scheduler = Scheduler()
        let waiting = try Task(1, [Self.writing(.flush(.standard))])
        scheduler.enqueue(waiting, as: .waiting(since: 0))
        scheduler.holdFlush(of: .standard)
        #expect(scheduler.blocker(of: waiting) != nil && !scheduler.isIdle)
        #expect(!scheduler.advance(now: 0) { scheduler.begin($0) }, "it waits for the flush")
        scheduler.releaseFlush(of: .standard)
        #expect(scheduler.blocker(of: waiting) == nil)
        #expect(scheduler.advance(now: 0) { scheduler.begin($0) }, "it is woken")
    }
}
