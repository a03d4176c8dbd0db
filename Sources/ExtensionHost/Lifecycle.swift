/// The lifecycle of an extension's process as a state machine without input or output.
///
/// Times are milliseconds of the monotonic clock. Each event returns the actions to carry out, in order.
struct Lifecycle {
    /// The state of the process.
    enum State: Equatable {
        /// There is no process; the next call starts one.
        case idle
        /// There is no process because it failed too often; calls are refused until the pause is over.
        case backingOff
        /// The process runs and has not answered `activate` yet.
        case activating
        /// The process accepts calls.
        case ready
        /// The process was asked to stop: first by the end of its input, then by SIGTERM, finally by SIGKILL to its
        /// whole group. It may still answer the calls that it was sent.
        case stopping(Escalation)
    }

    /// The last step that was made to stop the process.
    enum Escalation: Equatable {
        /// Its input was closed.
        case inputClosed
        /// It was sent SIGTERM.
        case terminated
        /// It was sent SIGKILL.
        case killed
    }

    /// What happened.
    enum Event: Equatable {
        /// A call waits.
        case callQueued
        /// The process was started and `activate` was written.
        case spawned
        /// The process could not be started.
        case spawnFailed(ExtensionFailure.Reason)
        /// The host lacks memory, processes or descriptors, which is not the extension's fault.
        case spawnImpossible(ExtensionFailure.Reason)
        /// `activate` was answered.
        case activated
        /// `activate` was refused, or its answer violates the contract.
        case activationFailed(ExtensionFailure.Reason)
        /// The process broke a rule for which it is killed.
        case misbehaved(ExtensionFailure.Reason)
        /// The process is to stop: it is unused, its bundle changed, or the host stops.
        case stopRequested
        /// ``Lifecycle/deadline`` has passed.
        case deadlinePassed
        /// The process ended, and everything that it wrote was read.
        ///
        /// `isNeeded` means that it had a presentation or a call; then its end is a fault unless it was asked to stop.
        case exited(ExtensionFailure.Reason, isNeeded: Bool)
        /// Its faults no longer count: the bundles were reloaded.
        case restartBudgetReset
    }

    /// What the owner must do.
    enum Action: Equatable {
        /// Start a process.
        case spawn
        /// Write the next waiting call.
        case sendNext
        /// Fail every call, outstanding and waiting.
        case failCalls(ExtensionFailure.Reason)
        /// Fail every outstanding call; waiting calls go to the next process.
        case failSentCalls(ExtensionFailure.Reason)
        /// Fail every waiting call; there is no process.
        case refuseCalls(ExtensionFailure.Reason)
        /// Send `deactivate` and close its input.
        case closeInput
        /// Send SIGTERM to the process group.
        case terminate
        /// Send SIGKILL to the process group.
        case kill
    }

    private(set) var state = State.idle
    /// When ``Event/deadlinePassed`` is due.
    private(set) var deadline: Int64?

    /// Whether calls were queued while the process was stopping, so that a new one is needed.
    private var needsRestart = false
    /// The pause after the last fault, which begins when the process has ended.
    private var pause: Int64 = 0
    private var budget: RestartBudget
    private let limits: ExtensionLimits

    init(limits: ExtensionLimits, random: any RandomNumberGenerator) {
        self.limits = limits
        budget = RestartBudget(limits: limits, random: random)
    }

    /// The number of faults that count now.
    func faults(now: Int64) -> Int { budget.count(now: now) }

    /// Changes the state.
    ///
    /// - Returns: What the owner must do, in order.
    mutating func handle(_ event: Event, now: Int64) -> [Action] {
        switch (state, event) {
        case (.idle, .callQueued):
            return [.spawn]
        case (.idle, .spawned):
            state = .activating
            deadline = now + limits.activate
            return []
        case (.idle, .spawnFailed(let reason)):
            pause = budget.pause(afterFaultAt: now)
            return finish(.failCalls(reason), now)
        case (.idle, .spawnImpossible(let reason)):
            return finish(.failCalls(reason), now)
        case (.backingOff, .callQueued):
            return [.refuseCalls(.unavailable(faults: budget.count(now: now), retryAfter: remaining(now)))]
        case (.backingOff, .deadlinePassed), (.backingOff, .restartBudgetReset):
            if event == .restartBudgetReset { budget.reset() }
            state = .idle
            deadline = nil
            return []
        case (.activating, .activated):
            state = .ready
            deadline = nil
            return [.sendNext]
        case (.activating, .activationFailed(let reason)), (.activating, .misbehaved(let reason)),
            (.ready, .misbehaved(let reason)):
            return kill(reason, now)
        case (.activating, .deadlinePassed):
            return kill(.timedOut(method: "activate", milliseconds: limits.activate), now)
        case (.ready, .callQueued):
            return [.sendNext]
        case (.stopping, .callQueued):
            needsRestart = true
            return []
        case (.activating, .stopRequested), (.ready, .stopRequested):
            state = .stopping(.inputClosed)
            deadline = now + limits.stop
            return [.closeInput]
        case (.stopping(.inputClosed), .deadlinePassed):
            state = .stopping(.terminated)
            deadline = now + limits.stop
            return [.terminate]
        case (.stopping(.terminated), .deadlinePassed):
            state = .stopping(.killed)
            deadline = nil
            return [.kill]
        case (.stopping(.inputClosed), .misbehaved(let reason)), (.stopping(.terminated), .misbehaved(let reason)):
            state = .stopping(.killed)
            deadline = nil
            return [.failSentCalls(reason), .kill]
        case (.activating, .exited(let reason, _)), (.ready, .exited(let reason, isNeeded: true)):
            pause = budget.pause(afterFaultAt: now)
            return finish(.failCalls(reason), now)
        case (.ready, .exited(let reason, isNeeded: false)):
            return finish(.failCalls(reason), now)
        case (.stopping, .exited(let reason, _)):
            return finish(.failSentCalls(reason), now)
        case (.idle, .restartBudgetReset), (.activating, .restartBudgetReset), (.ready, .restartBudgetReset),
            (.stopping, .restartBudgetReset):
            budget.reset()
            pause = 0
            return []
        // It waits until `activate` is answered.
        case (.activating, .callQueued): return []
        // These come from a process, and no process runs.
        case (.idle, .activated), (.idle, .activationFailed), (.idle, .misbehaved), (.idle, .exited),
            (.backingOff, .activated), (.backingOff, .activationFailed), (.backingOff, .misbehaved),
            (.backingOff, .exited):
            return []
        // A process is started only when no other runs, and not during a pause.
        case (.backingOff, .spawned), (.backingOff, .spawnFailed), (.backingOff, .spawnImpossible),
            (.activating, .spawned), (.activating, .spawnFailed), (.activating, .spawnImpossible),
            (.ready, .spawned), (.ready, .spawnFailed), (.ready, .spawnImpossible),
            (.stopping, .spawned), (.stopping, .spawnFailed), (.stopping, .spawnImpossible):
            return []
        // `activate` was answered before, or the answer no longer matters.
        case (.ready, .activated), (.ready, .activationFailed), (.stopping, .activated),
            (.stopping, .activationFailed):
            return []
        // Nothing runs, or it is stopping already.
        case (.idle, .stopRequested), (.backingOff, .stopRequested), (.stopping, .stopRequested): return []
        // It was killed already.
        case (.stopping(.killed), .misbehaved): return []
        // These states have no deadline.
        case (.idle, .deadlinePassed), (.ready, .deadlinePassed), (.stopping(.killed), .deadlinePassed): return []
        }
    }

    private func remaining(_ now: Int64) -> Int64 { max(1, (deadline ?? now) - now) }

    private mutating func kill(_ reason: ExtensionFailure.Reason, _ now: Int64) -> [Action] {
        state = .stopping(.killed)
        deadline = nil
        pause = budget.pause(afterFaultAt: now)
        return [.failCalls(reason), .kill]
    }

    /// Enters the state after the end of the process: the next one starts at once, at the next call, or after a pause.
    private mutating func finish(_ action: Action, _ now: Int64) -> [Action] {
        let restarts = needsRestart
        needsRestart = false
        state = .idle
        deadline = nil
        guard pause > 0 else { return [action] + (restarts ? [.spawn] : []) }
        state = .backingOff
        deadline = now + pause
        pause = 0
        return [action] + (restarts ? handle(.callQueued, now: now) : [])
    }
}

extension Lifecycle.State {
    /// The name of the state in the contract.
    var word: String {
        switch self {
        case .idle: "idle"
        case .backingOff: "backingOff"
        case .activating: "activating"
        case .ready: "ready"
        case .stopping: "stopping"
        }
    }

    /// The state as a sentence for people.
    var sentence: String {
        switch self {
        case .idle: "there is no process; the next call starts one"
        case .backingOff: "it failed too often, so calls are refused for a while"
        case .activating: "the process was started and has not answered activate yet"
        case .ready: "the process takes calls"
        case .stopping(.inputClosed): "the process was asked to stop"
        case .stopping(.terminated): "the process did not stop when asked and was sent SIGTERM"
        case .stopping(.killed): "the process was killed and is not gone yet"
        }
    }
}

/// Decides how soon an extension that failed may be started again.
///
/// The first faults within the window are free, so that a single crash causes no delay. After them the pause before a
/// start grows with each fault, with jitter so that extensions which fail together do not start together, as in
/// `RetryPolicy`, which counts failures without a window. An extension is never given up: the longest pause ends, and
/// faults older than the window no longer count.
struct RestartBudget {
    private let limits: ExtensionLimits
    private var faults: [Int64] = []
    private var random: any RandomNumberGenerator

    /// A budget without faults.
    ///
    /// - Parameters:
    ///   - limits: How many faults are free, in which window, and how long pauses are.
    ///   - random: The source of the jitter.
    init(limits: ExtensionLimits, random: any RandomNumberGenerator) {
        self.limits = limits
        self.random = random
    }

    /// The number of faults that count now.
    func count(now: Int64) -> Int { faults.count { $0 > now - limits.restartWindow } }

    /// Notes a fault.
    ///
    /// - Returns: The pause before the next start, in milliseconds.
    mutating func pause(afterFaultAt now: Int64) -> Int64 {
        let start = now - limits.restartWindow
        faults.removeAll { $0 <= start }
        faults.append(now)
        let excess = faults.count - limits.freeRestarts - 1
        guard excess >= 0 else { return 0 }
        // Doubling 31 times passes any limit.
        let full = min(limits.longestPause, limits.firstPause << min(excess, 31))
        let half = max(1, full / 2)
        return half + .random(in: 0..<half, using: &random)
    }

    /// Forgets every fault, because the bundle was reloaded.
    mutating func reset() { faults = [] }
}
