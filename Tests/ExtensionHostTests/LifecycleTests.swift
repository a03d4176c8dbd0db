import TestSupport
import Testing

@testable import ExtensionHost

/// An event after a history of events: the actions that it causes, and the resulting state.
struct Transition: Sendable, CustomTestStringConvertible {
    /// The events before, each with its time.
    let history: [(event: Lifecycle.Event, now: Int64)]
    let event: Lifecycle.Event
    let now: Int64
    let actions: [Lifecycle.Action]
    let state: Lifecycle.State
    let deadline: Int64?

    var testDescription: String { "\(history.map { "\($0.event)" }.joined(separator: ", ")) + \(event)" }

    typealias History = [(event: Lifecycle.Event, now: Int64)]

    static let reason = ExtensionFailure.Reason.exited(code: 3, signal: nil)
    static let fault = ExtensionFailure.Reason.misbehaved("shouts")
    static let late = ExtensionFailure.Reason.timedOut(method: "activate", milliseconds: 100)
    static let exited = Lifecycle.Event.exited(reason, isNeeded: true)
    static let leftUnneeded = Lifecycle.Event.exited(reason, isNeeded: false)

    static let activating: History = [(.callQueued, 5), (.spawned, 5)]
    static let ready = activating + [(.activated, 10)]
    static let asked = ready + [(.stopRequested, 50)]
    static let terminated = asked + [(.deadlinePassed, 70)]
    static let killed = terminated + [(.deadlinePassed, 90)]
    static let faulty = ready + [(.misbehaved(fault), 20)]
    /// The third fault is the last free one.
    static let paused: History = [1, 2, 3, 50].map { (.spawnFailed(reason), $0) }

    private static func from(
        _ history: History,
        _ event: Lifecycle.Event,
        at now: Int64 = 60,
        _ actions: [Lifecycle.Action],
        _ state: Lifecycle.State,
        deadline: Int64? = nil
    ) -> Transition {
        Transition(history: history, event: event, now: now, actions: actions, state: state, deadline: deadline)
    }

    /// Events that cause no action and keep the state and the deadline.
    private static func ignored(
        _ history: History,
        _ events: [Lifecycle.Event],
        _ state: Lifecycle.State,
        deadline: Int64? = nil
    ) -> [Transition] {
        events.map { from(history, $0, [], state, deadline: deadline) }
    }

    private static let spawns: [Lifecycle.Event] = [.spawned, .spawnFailed(reason), .spawnImpossible(reason)]
    private static let answers: [Lifecycle.Event] = [.activated, .activationFailed(fault)]

    static let all = changes + meaningless

    private static let changes: [Transition] = [
        from([], .callQueued, [.spawn], .idle),
        from([], .spawned, at: 5, [], .activating, deadline: 105),
        from([], .spawnFailed(reason), [.failCalls(reason)], .idle),
        from([], .spawnImpossible(reason), [.failCalls(reason)], .idle),
        from([], .activated, [], .idle),
        from([], .misbehaved(fault), [], .idle),
        from([], .stopRequested, [], .idle),
        from([], .deadlinePassed, [], .idle),
        from([], exited, [], .idle),
        from([], .restartBudgetReset, [], .idle),

        from(activating, .activated, [.sendNext], .ready),
        from(activating, .callQueued, [], .activating, deadline: 105),
        from(activating, .activationFailed(fault), [.failCalls(fault), .kill], .stopping(.killed)),
        from(activating, .misbehaved(fault), [.failCalls(fault), .kill], .stopping(.killed)),
        from(activating, .deadlinePassed, at: 105, [.failCalls(late), .kill], .stopping(.killed)),
        from(activating, exited, [.failCalls(reason)], .idle),
        from(activating, leftUnneeded, [.failCalls(reason)], .idle),
        from(activating, .stopRequested, at: 50, [.closeInput], .stopping(.inputClosed), deadline: 70),
        from(activating, .restartBudgetReset, [], .activating, deadline: 105),

        from(ready, .callQueued, [.sendNext], .ready),
        from(ready, .activated, [], .ready),
        from(ready, .activationFailed(fault), [], .ready),
        from(ready, .deadlinePassed, at: 105, [], .ready),
        from(ready, .misbehaved(fault), [.failCalls(fault), .kill], .stopping(.killed)),
        from(ready, exited, [.failCalls(reason)], .idle),
        from(ready, leftUnneeded, [.failCalls(reason)], .idle),
        from(ready, .stopRequested, at: 50, [.closeInput], .stopping(.inputClosed), deadline: 70),
        from(ready, .restartBudgetReset, [], .ready),

        from(asked, .deadlinePassed, at: 70, [.terminate], .stopping(.terminated), deadline: 90),
        from(asked, exited, [.failSentCalls(reason)], .idle),
        from(asked, .stopRequested, at: 60, [], .stopping(.inputClosed), deadline: 70),
        from(asked, .activated, [], .stopping(.inputClosed), deadline: 70),
        from(asked, .misbehaved(fault), [.failSentCalls(fault), .kill], .stopping(.killed)),
        from(terminated, .misbehaved(fault), [.failSentCalls(fault), .kill], .stopping(.killed)),
        from(asked, .callQueued, [], .stopping(.inputClosed), deadline: 70),
        from(asked + [(.callQueued, 55)], exited, [.failSentCalls(reason), .spawn], .idle),
        from(asked + [(.callQueued, 55), (.callQueued, 56)], exited, [.failSentCalls(reason), .spawn], .idle),
        from(asked + [(.callQueued, 55), (exited, 56)], exited, [], .idle),
        // Each call that waited for an end restarts the process once.
        from(
            asked + [(.callQueued, 55), (exited, 56), (.spawned, 57), (.activated, 58), (.stopRequested, 59)],
            exited,
            [.failSentCalls(reason)],
            .idle
        ),

        from(terminated, .deadlinePassed, at: 90, [.kill], .stopping(.killed)),
        from(terminated, exited, [.failSentCalls(reason)], .idle),
        from(terminated + [(.callQueued, 75)], exited, [.failSentCalls(reason), .spawn], .idle),
        from(killed, .deadlinePassed, at: 110, [], .stopping(.killed)),
        from(killed, exited, [.failSentCalls(reason)], .idle),

        from(faulty, .misbehaved(fault), [], .stopping(.killed)),
        from(faulty, .activated, [], .stopping(.killed)),
        from(faulty, .stopRequested, [], .stopping(.killed)),
        from(faulty, exited, [.failSentCalls(reason)], .idle),
        from(faulty + [(.callQueued, 30)], exited, [.failSentCalls(reason), .spawn], .idle),
        from(faulty + [(.callQueued, 30), (exited, 40)], .spawned, at: 200, [], .activating, deadline: 300),

        from(
            paused,
            .callQueued,
            at: 50,
            [.refuseCalls(.unavailable(faults: 4, retryAfter: 1))],
            .backingOff,
            deadline: 51
        ),
        from(paused, .deadlinePassed, at: 51, [], .idle),
        from(paused, .restartBudgetReset, at: 50, [], .idle),
        from(paused + [(.deadlinePassed, 51)], .callQueued, [.spawn], .idle),
    ]

    private static let meaningless =
        ignored([], [.activationFailed(fault)], .idle)
        + ignored(paused, spawns + answers + [.misbehaved(fault), .stopRequested, exited], .backingOff, deadline: 51)
        + ignored(activating, spawns, .activating, deadline: 105)
        + ignored(ready, spawns, .ready)
        + ignored(asked, spawns + answers + [.restartBudgetReset], .stopping(.inputClosed), deadline: 70)
        + ignored(
            terminated,
            spawns + answers + [.callQueued, .stopRequested, .restartBudgetReset],
            .stopping(.terminated),
            deadline: 90
        )
        + ignored(
            killed,
            spawns + answers + [.callQueued, .misbehaved(fault), .stopRequested, .restartBudgetReset],
            .stopping(.killed)
        )
}

@Suite struct LifecycleTests {
    /// A lifecycle with a number of free faults; each pause takes between half a second and a second.
    private func lifecycle(freeRestarts: Int, pause: Int64 = 1_000) -> Lifecycle {
        var limits = ExtensionLimits()
        limits.activate = 100
        limits.stop = 20
        limits.freeRestarts = freeRestarts
        limits.restartWindow = 100_000
        limits.firstPause = pause
        limits.longestPause = pause
        return Lifecycle(limits: limits, random: SeededGenerator(seed: 1))
    }

    @Test("Each event leads to the right state and causes the right actions", arguments: Transition.all)
    func transition(step: Transition) {
        // A pause of a millisecond is not random.
        var lifecycle = lifecycle(freeRestarts: 3, pause: 1)
        for (event, now) in step.history { _ = lifecycle.handle(event, now: now) }
        #expect(lifecycle.handle(step.event, now: step.now) == step.actions)
        #expect(lifecycle.state == step.state)
        #expect(lifecycle.deadline == step.deadline)
    }

    @Test("Each event is tested in each state")
    func pairs() {
        let pairs = Transition.all.map { step in
            var lifecycle = lifecycle(freeRestarts: 3, pause: 1)
            for (event, now) in step.history { _ = lifecycle.handle(event, now: now) }
            return "\(lifecycle.state) \("\(step.event)".prefix { $0 != "(" })"
        }
        #expect(Set(pairs).count == 7 * 11)
    }

    @Test("A lifecycle begins without a process and without a deadline, and each state has a name and a description")
    func begin() {
        #expect(lifecycle(freeRestarts: 3).state == .idle)
        #expect(lifecycle(freeRestarts: 3).deadline == nil)
        let states: [Lifecycle.State] = [
            .idle, .backingOff, .activating, .ready, .stopping(.inputClosed), .stopping(.terminated),
            .stopping(.killed),
        ]
        #expect(Set(states.map(\.sentence)).count == states.count)
        #expect(Set(states.map(\.word)) == ["idle", "backingOff", "activating", "ready", "stopping"])
    }

    @Test(
        "Every fault after the free ones leads to a pause",
        arguments: [
            ([], .spawnFailed(Transition.reason)),
            (Transition.activating, Transition.exited),
            (Transition.ready, Transition.exited),
            (Transition.faulty, Transition.exited),
            (Transition.activating + [(.activationFailed(Transition.fault), 20)], Transition.exited),
            (Transition.activating + [(.deadlinePassed, 105)], Transition.exited),
        ] as [(Transition.History, Lifecycle.Event)]
    )
    func pause(history: Transition.History, last: Lifecycle.Event) throws {
        var lifecycle = lifecycle(freeRestarts: 0)
        for (event, now) in history { _ = lifecycle.handle(event, now: now) }
        let actions = lifecycle.handle(last, now: 200)
        #expect(!actions.contains(.spawn))
        #expect(lifecycle.state == .backingOff)
        #expect(lifecycle.faults(now: 200) == 1)
        let end = try #require(lifecycle.deadline)
        #expect((700..<1200).contains(end))

        let refused = Lifecycle.Action.refuseCalls(.unavailable(faults: 1, retryAfter: end - 300))
        #expect(lifecycle.handle(.callQueued, now: 300) == [refused])
        #expect(lifecycle.handle(.stopRequested, now: 300) == [])
        #expect(lifecycle.state == .backingOff && lifecycle.deadline == end)
        #expect(lifecycle.handle(.deadlinePassed, now: end) == [])
        #expect(lifecycle.state == .idle && lifecycle.deadline == nil)
        #expect(lifecycle.handle(.callQueued, now: end) == [.spawn])
        // The pause belongs to that fault alone.
        for event: Lifecycle.Event in [.spawned, .activated, .stopRequested] { _ = lifecycle.handle(event, now: end) }
        #expect(lifecycle.state == .stopping(.inputClosed))
        _ = lifecycle.handle(Transition.exited, now: end)
        #expect(lifecycle.state == .idle)
    }

    @Test("Calls that wait while the process ends are refused if a pause follows")
    func waiting() {
        var lifecycle = lifecycle(freeRestarts: 0)
        for (event, now) in Transition.faulty { _ = lifecycle.handle(event, now: now) }
        #expect(lifecycle.handle(.callQueued, now: 30) == [])
        let actions = lifecycle.handle(Transition.exited, now: 40)
        #expect(lifecycle.state == .backingOff)
        #expect(actions.first == .failSentCalls(Transition.reason))
        guard actions.count == 2, case .refuseCalls(.unavailable(faults: 1, _)) = actions[1] else {
            Issue.record("\(actions)")
            return
        }
    }

    @Test(
        "An exit that was requested, or that did not affect a call, does not count as a fault",
        arguments: [
            (Transition.asked, Transition.exited), (Transition.terminated, Transition.exited),
            (Transition.killed, Transition.exited), (Transition.ready, Transition.leftUnneeded),
        ] as [(Transition.History, Lifecycle.Event)]
    )
    func noFault(history: Transition.History, last: Lifecycle.Event) {
        var lifecycle = lifecycle(freeRestarts: 0)
        for (event, now) in history { _ = lifecycle.handle(event, now: now) }
        _ = lifecycle.handle(last, now: 200)
        #expect(lifecycle.state == .idle)
        #expect(lifecycle.faults(now: 200) == 0)
    }

    @Test("If the restart budget is reset while the process ends, no pause follows")
    func budgetResetWhileItDies() {
        var lifecycle = lifecycle(freeRestarts: 0)
        for (event, now) in Transition.faulty + [(.restartBudgetReset, 30)] { _ = lifecycle.handle(event, now: now) }
        #expect(lifecycle.handle(.callQueued, now: 35) == [])
        #expect(lifecycle.handle(Transition.exited, now: 40) == [.failSentCalls(Transition.reason), .spawn])
    }

    @Test("If the restart budget is reset during a pause, the next call starts the process")
    func budgetReset() {
        var lifecycle = lifecycle(freeRestarts: 0)
        for (event, now) in Transition.ready + [(Transition.exited, 20)] { _ = lifecycle.handle(event, now: now) }
        #expect(lifecycle.state == .backingOff)
        #expect(lifecycle.handle(.restartBudgetReset, now: 30) == [])
        #expect(lifecycle.state == .idle && lifecycle.deadline == nil && lifecycle.faults(now: 30) == 0)
    }
}

@Suite struct RestartBudgetTests {
    private var limits: ExtensionLimits {
        var limits = ExtensionLimits()
        (limits.freeRestarts, limits.restartWindow) = (2, 10_000)
        (limits.firstPause, limits.longestPause) = (100, 1_000)
        return limits
    }

    @Test("The first faults are free, then pauses double with jitter up to the longest")
    func doubling() {
        for seed in 0..<200 as Range<UInt64> {
            var budget = RestartBudget(limits: limits, random: SeededGenerator(seed: seed))
            let pauses = (0..<70).map { budget.pause(afterFaultAt: $0) }
            #expect(pauses[0...1] == [0, 0])
            for (index, full) in [100, 200, 400, 800, 1_000, 1_000].enumerated() {
                #expect((Int64(full) / 2..<Int64(full)).contains(pauses[index + 2]))
            }
            // Neither the shift nor the sum overflows.
            #expect(pauses.dropFirst(6).allSatisfy { (500..<1_000).contains($0) })
        }
    }

    @Test("Two extensions that fail at the same time are not restarted at the same time")
    func jitter() {
        let pauses = (0..<20 as Range<UInt64>).map { seed in
            var budget = RestartBudget(limits: limits, random: SeededGenerator(seed: seed))
            return (0..<8).map { budget.pause(afterFaultAt: $0) }
        }
        #expect(Set(pauses).count == 20)
    }

    @Test("A fault older than the window no longer counts")
    func window() {
        var budget = RestartBudget(limits: limits, random: SeededGenerator(seed: 1))
        for time in [0, 10, 20] as [Int64] { _ = budget.pause(afterFaultAt: time) }
        #expect(budget.count(now: 9_999) == 3)
        #expect(budget.count(now: 10_010) == 1)
        #expect(budget.pause(afterFaultAt: 10_010) == 0)
        #expect(budget.pause(afterFaultAt: 10_030) == 0)
        #expect(budget.pause(afterFaultAt: 10_031) > 0)
        budget.reset()
        #expect(budget.count(now: 10_031) == 0)
    }
}
