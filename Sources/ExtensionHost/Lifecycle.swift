/// The life of an extension's process, without any input or output.
///
/// Times are milliseconds of the monotonic clock. Each event returns what is to
/// be done, in order.
struct Lifecycle {
    /// Where in its life the process is.
    enum State: Equatable {
        /// There is no process; the next call starts one.
        case idle
        /// There is no process, it failed too often; calls are refused until the pause is over.
        case backingOff
        /// The process runs and has not answered `activate` yet.
        case activating
        /// The process takes calls.
        case ready
        /// The process was asked to leave: first by the end of its input, then by
        /// SIGTERM, at last by SIGKILL to its whole group. What it was sent it may
        /// still answer.
        case stopping(Escalation)
    }

    /// How hard the process was asked to leave so far.
    enum Escalation: Equatable {
        case asked
        case terminated
        case killed
    }

    /// What happened.
    enum Event: Equatable {
        /// A call waits.
        case callQueued
        /// The process was started and `activate` was written.
        case spawned
        /// There is no process after all.
        case spawnFailed(ExtensionFailure.Reason)
        /// The host lacks what a process needs, which is no fault of the extension.
        case spawnImpossible(ExtensionFailure.Reason)
        /// `activate` was answered.
        case activated
        /// `activate` was refused, or answered with garbage.
        case activationFailed(ExtensionFailure.Reason)
        /// The process broke a rule that ends its life.
        case misbehaved(ExtensionFailure.Reason)
        /// It is time that the process leaves: nobody needs it, its bundle changed, or the host ends.
        case stopRequested
        /// The time of ``deadline`` came.
        case deadlinePassed
        /// The process is gone and what it had written was read.
        ///
        /// `isNeeded` tells whether it showed or owed anything: then it is a fault, unless it was asked to leave.
        case exited(ExtensionFailure.Reason, isNeeded: Bool)
        /// Its faults are forgiven: the bundles were loaded anew.
        case forgiven
    }

    /// What to do.
    enum Action: Equatable {
        case spawn
        /// Write the next waiting call.
        case sendNext
        /// Answer every call, outstanding and waiting, with this failure.
        case failCalls(ExtensionFailure.Reason)
        /// Answer every outstanding call with this failure; those that wait want a new process.
        case failSentCalls(ExtensionFailure.Reason)
        /// Answer every waiting call with this failure; there is no process that could be to blame.
        case refuseCalls(ExtensionFailure.Reason)
        /// Send `deactivate` and close its input.
        case closeInput
        /// Signal the process group.
        case terminate
        /// Signal the process group.
        case kill
    }

    private(set) var state = State.idle
    /// When ``Event/deadlinePassed`` is due.
    private(set) var deadline: Int64?

    /// Whether calls queued while it was stopping want a new process.
    private var wantsRestart = false
    /// The pause that the last fault costs, until the process is gone.
    private var pause: Int64 = 0
    private var budget: RestartBudget
    private let limits: ExtensionLimits

    init(limits: ExtensionLimits, random: any RandomNumberGenerator) {
        self.limits = limits
        budget = RestartBudget(limits: limits, random: random)
    }

    /// The number of faults that count now.
    func faults(now: Int64) -> Int { budget.count(now: now) }

    mutating func event(_ event: Event, now: Int64) -> [Action] {
        switch (state, event) {
        case (.idle, .callQueued):
            return [.spawn]
        case (.idle, .spawned):
            state = .activating
            deadline = now + limits.activate
            return []
        case (.idle, .spawnFailed(let reason)):
            pause = budget.pause(afterFaultAt: now)
            return leave(.failCalls(reason), now)
        case (.idle, .spawnImpossible(let reason)):
            return leave(.failCalls(reason), now)
        case (.backingOff, .callQueued):
            return [.refuseCalls(.unavailable(faults: budget.count(now: now), retryAfter: remaining(now)))]
        case (.backingOff, .deadlinePassed), (.backingOff, .forgiven):
            if event == .forgiven { budget.forgive() }
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
            wantsRestart = true
            return []
        case (.activating, .stopRequested), (.ready, .stopRequested):
            state = .stopping(.asked)
            deadline = now + limits.stop
            return [.closeInput]
        case (.stopping(.asked), .deadlinePassed):
            state = .stopping(.terminated)
            deadline = now + limits.stop
            return [.terminate]
        case (.stopping(.terminated), .deadlinePassed):
            state = .stopping(.killed)
            deadline = nil
            return [.kill]
        case (.stopping(.asked), .misbehaved(let reason)), (.stopping(.terminated), .misbehaved(let reason)):
            state = .stopping(.killed)
            deadline = nil
            return [.failSentCalls(reason), .kill]
        case (.activating, .exited(let reason, _)), (.ready, .exited(let reason, isNeeded: true)):
            pause = budget.pause(afterFaultAt: now)
            return leave(.failCalls(reason), now)
        case (.ready, .exited(let reason, isNeeded: false)):
            return leave(.failCalls(reason), now)
        case (.stopping, .exited(let reason, _)):
            return leave(.failSentCalls(reason), now)
        case (_, .forgiven):
            budget.forgive()
            pause = 0
            return []
        default:
            // Late news: an answer after the stop began, a deadline that was met.
            return []
        }
    }

    private func remaining(_ now: Int64) -> Int64 { max(1, (deadline ?? now) - now) }

    private mutating func kill(_ reason: ExtensionFailure.Reason, _ now: Int64) -> [Action] {
        state = .stopping(.killed)
        deadline = nil
        pause = budget.pause(afterFaultAt: now)
        return [.failCalls(reason), .kill]
    }

    /// The process is gone: the next one is started at once, at the next call, or after a pause.
    private mutating func leave(_ action: Action, _ now: Int64) -> [Action] {
        let restarts = wantsRestart
        wantsRestart = false
        state = .idle
        deadline = nil
        guard pause > 0 else { return [action] + (restarts ? [.spawn] : []) }
        state = .backingOff
        deadline = now + pause
        pause = 0
        return [action] + (restarts ? event(.callQueued, now: now) : [])
    }
}

extension Lifecycle.State {
    /// The state in a word, as the contract has it.
    var word: String {
        switch self {
        case .idle: "idle"
        case .backingOff: "backingOff"
        case .activating: "activating"
        case .ready: "ready"
        case .stopping: "stopping"
        }
    }

    /// The state in a sentence, for people.
    var sentence: String {
        switch self {
        case .idle: "there is no process; the next call starts one"
        case .backingOff: "it failed too often, so calls are refused for a while"
        case .activating: "the process was started and has not answered activate yet"
        case .ready: "the process takes calls"
        case .stopping(.asked): "the process was asked to leave"
        case .stopping(.terminated): "the process did not leave when asked and was sent SIGTERM"
        case .stopping(.killed): "the process was killed and is not gone yet"
        }
    }
}
