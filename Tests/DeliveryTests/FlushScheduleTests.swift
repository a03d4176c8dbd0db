import Platform
import Suites
import Testing

@testable import Delivery

struct FlushScheduleTests {
    private let first = SuiteName("a")
    private let second = SuiteName("b")

    private func schedule(_ policy: FlushPolicy) -> FlushSchedule {
        FlushSchedule(policy, locked: .lockedQueue(patience: 5_000))
    }

    private func next(_ schedule: FlushSchedule) -> Int64? { schedule.nextFlush { _ in false } }

    @Test(
        "Each policy flushes on its own occasions",
        arguments: [
            (FlushPolicy.manual, [nil, nil, nil, nil]), (.onForward, [nil, nil, nil, 7]),
            (.immediate, [7, nil, 7, nil]), (.every(100), [107, 107, nil, nil]),
        ] as [(FlushPolicy, [Int64?])]
    )
    func occasions(policy: FlushPolicy, expected: [Int64?]) {
        let occasions: [FlushPolicy.Occasion] = [.start, .round, .save, .forward]
        #expect(occasions.map { policy.nextFlush(after: $0, at: 7) } == expected)
    }

    @Test("A suite is due once, in the order of names, and not while its flush runs")
    func due() throws {
        let (first, second) = (try #require(first), try #require(second))
        var schedule = schedule(.immediate)
        for suite in [second, first, second] { schedule.add(suite, after: .save, at: 5) }
        #expect(schedule.nextFlush { $0 == first } == 5)
        #expect(schedule.removeDue(at: 4) { _ in false } == [])
        #expect(schedule.removeDue(at: 5) { $0 == first } == [second])
        #expect(schedule.nextFlush { $0 == first } == nil)
        #expect(schedule.removeDue(at: 5) { _ in false } == [first])
        #expect(next(schedule) == nil)
    }

    @Test("A save does not shorten the pause after a failure")
    func postponed() throws {
        let suite = try #require(first)
        var schedule = schedule(.immediate)
        schedule.postpone(suite, until: 300)
        schedule.add(suite, after: .save, at: 5)
        #expect(next(schedule) == 300)
    }

    @Test("A suite that another process holds is tried again after growing pauses, which its flush ends")
    func held() throws {
        let suite = try #require(first)
        var schedule = schedule(.immediate)
        var (now, pauses) = (Int64(0), [Int64]())
        for _ in 0..<8 {
            schedule.postponeLocked(suite, at: now)
            let time = try #require(next(schedule))
            pauses.append(time - now)
            now = time
            #expect(schedule.removeDue(at: now) { _ in false } == [suite])
        }
        #expect(pauses[0] <= 10)
        #expect((125...250).contains(pauses[7]))
        schedule.didBegin(suite)
        schedule.postponeLocked(suite, at: now)
        #expect(try #require(next(schedule)) - now <= 10)
    }

    @Test("Rounds come at the interval, and none after the stop")
    func rounds() throws {
        var schedule = schedule(.every(100))
        schedule.start(at: 0)
        #expect([99, 100, 101, 230, 231].map { schedule.beginRound(at: $0) } == [false, true, false, true, false])
        #expect(next(schedule) == 330)
        schedule.add(try #require(first), at: 250)
        #expect(next(schedule) == 250, "a suite may be due before the next round")
        schedule.stop()
        #expect(next(schedule) == nil)
    }
}
