import Testing

@testable import ExtensionHost

/// One step of the life of a process: what came before, what happens, what is to be done then.
struct Transition: Sendable, CustomTestStringConvertible {
    let history: [Lifecycle.Event]
    let event: Lifecycle.Event
    let actions: [Lifecycle.Action]
    let state: Lifecycle.State
    var deadline: Int64?

    var testDescription: String { "\(history.map { "\($0)" }.joined(separator: ", ")) + \(event)" }

    static let reason = ExtensionFailure.Reason.exited(code: 3, signal: nil)
    static let fault = ExtensionFailure.Reason.misbehaved("shouts")
    static let late = ExtensionFailure.Reason.timedOut(method: "activate", milliseconds: 100)

    private static let activating: [Lifecycle.Event] = [.callQueued, .spawned(now: 5)]
    private static let ready = activating + [.activated]
    private static let asked = ready + [.stopRequested(now: 50)]
    private static let terminated = asked + [.deadlinePassed(now: 70)]
    private static let killed = terminated + [.deadlinePassed(now: 90)]
    private static let faulty = ready + [.misbehaved(fault)]

    private static func from(
        _ history: [Lifecycle.Event],
        _ event: Lifecycle.Event,
        _ actions: [Lifecycle.Action],
        _ state: Lifecycle.State,
        deadline: Int64? = nil
    ) -> Transition {
        Transition(history: history, event: event, actions: actions, state: state, deadline: deadline)
    }

    static let all: [Transition] = [
        from([], .callQueued, [.spawn], .idle),
        from([], .spawned(now: 5), [], .activating, deadline: 105),
        from([], .spawnFailed(reason), [.failCalls(reason)], .idle),
        from([], .activated, [], .idle),
        from([], .misbehaved(fault), [], .idle),
        from([], .stopRequested(now: 5), [], .idle),
        from([], .deadlinePassed(now: 5), [], .idle),
        from([], .exited(reason), [], .idle),

        from(activating, .activated, [.sendNext], .ready),
        from(activating, .callQueued, [], .activating, deadline: 105),
        from(activating, .activationFailed(fault), [.failCalls(fault), .kill], .stopping(.killed)),
        from(activating, .misbehaved(fault), [.failCalls(fault), .kill], .stopping(.killed)),
        from(activating, .deadlinePassed(now: 105), [.failCalls(late), .kill], .stopping(.killed)),
        from(activating, .exited(reason), [.failCalls(reason)], .idle),
        from(activating, .stopRequested(now: 50), [.closeInput], .stopping(.asked), deadline: 70),

        from(ready, .callQueued, [.sendNext], .ready),
        from(ready, .activated, [], .ready),
        from(ready, .activationFailed(fault), [], .ready),
        from(ready, .deadlinePassed(now: 105), [], .ready),
        from(ready, .misbehaved(fault), [.failCalls(fault), .kill], .stopping(.killed)),
        from(ready, .exited(reason), [.failCalls(reason)], .idle),
        from(ready, .stopRequested(now: 50), [.closeInput], .stopping(.asked), deadline: 70),

        from(asked, .deadlinePassed(now: 70), [.terminate], .stopping(.terminated), deadline: 90),
        from(asked, .exited(reason), [], .idle),
        from(asked, .stopRequested(now: 60), [], .stopping(.asked), deadline: 70),
        from(asked, .activated, [], .stopping(.asked), deadline: 70),
        from(asked, .misbehaved(fault), [], .stopping(.asked), deadline: 70),
        from(asked, .callQueued, [], .stopping(.asked), deadline: 70),
        from(asked + [.callQueued], .exited(reason), [.spawn], .idle),
        from(asked + [.callQueued, .callQueued], .exited(reason), [.spawn], .idle),
        from(asked + [.callQueued, .exited(reason)], .exited(reason), [], .idle),

        from(terminated, .deadlinePassed(now: 90), [.kill], .stopping(.killed)),
        from(terminated, .exited(reason), [], .idle),
        from(terminated + [.callQueued], .exited(reason), [.spawn], .idle),
        from(killed, .deadlinePassed(now: 110), [], .stopping(.killed)),
        from(killed, .exited(reason), [], .idle),

        from(faulty, .misbehaved(fault), [], .stopping(.killed)),
        from(faulty, .activated, [], .stopping(.killed)),
        from(faulty, .stopRequested(now: 50), [], .stopping(.killed)),
        from(faulty, .exited(reason), [], .idle),
        from(faulty + [.callQueued], .exited(reason), [.spawn], .idle),
        from(faulty + [.callQueued, .exited(reason)], .spawned(now: 200), [], .activating, deadline: 300),
    ]
}

@Suite struct LifecycleTests {
    private var lifecycle: Lifecycle {
        var limits = ExtensionLimits()
        limits.activate = 100
        limits.stop = 20
        return Lifecycle(limits: limits)
    }

    @Test("Each event leads where it must and asks for what it must", arguments: Transition.all)
    func transition(step: Transition) {
        var lifecycle = lifecycle
        for event in step.history { _ = lifecycle.event(event) }
        #expect(lifecycle.event(step.event) == step.actions)
        #expect(lifecycle.state == step.state)
        #expect(lifecycle.deadline == step.deadline)
    }

    @Test("It begins without a process and without a deadline")
    func begin() {
        #expect(lifecycle.state == .idle)
        #expect(lifecycle.deadline == nil)
    }
}
