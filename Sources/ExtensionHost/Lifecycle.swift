/// The life of an extension's process, without any input or output.
///
/// Times are milliseconds of the monotonic clock. Each event returns what is to
/// be done, in order.
struct Lifecycle {
    /// Where in its life the process is.
    enum State: Equatable {
        /// There is no process; the next call starts one.
        case idle
        /// The process runs and has not answered `activate` yet.
        case activating
        /// The process takes calls.
        case ready
        /// The process was asked to leave: first by the end of its input, then by
        /// SIGTERM, at last by SIGKILL to its whole group.
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
        case spawned(now: Int64)
        /// There is no process after all.
        case spawnFailed(ExtensionFailure.Reason)
        /// `activate` was answered.
        case activated
        /// `activate` was refused, or answered with garbage.
        case activationFailed(ExtensionFailure.Reason)
        /// The process broke a rule that ends its life.
        case misbehaved(ExtensionFailure.Reason)
        /// It is time that the process leaves: nobody needs it, or the host ends.
        case stopRequested(now: Int64)
        /// The time of ``deadline`` came.
        case deadlinePassed(now: Int64)
        /// The process is gone and what it had written was read.
        case exited(ExtensionFailure.Reason)
    }

    /// What to do.
    enum Action: Equatable {
        case spawn
        /// Write the next waiting call.
        case sendNext
        /// Answer every call, outstanding and waiting, with this failure.
        case failCalls(ExtensionFailure.Reason)
        /// Send `deactivate` and close its input.
        case closeInput
        /// Signal the process group.
        case terminate
        /// Signal the process group.
        case kill
    }

    private(set) var state = State.idle
    /// When ``Event/deadlinePassed(now:)`` is due.
    private(set) var deadline: Int64?

    /// Whether calls queued while it was stopping want a new process.
    private var wantsRestart = false
    private let limits: ExtensionLimits

    init(limits: ExtensionLimits) { self.limits = limits }

    mutating func event(_ event: Event) -> [Action] {
        switch (state, event) {
        case (.idle, .callQueued):
            return [.spawn]
        case (.idle, .spawned(let now)):
            state = .activating
            deadline = now + limits.activate
            return []
        case (.idle, .spawnFailed(let reason)):
            return [.failCalls(reason)]
        case (.activating, .activated):
            state = .ready
            deadline = nil
            return [.sendNext]
        case (.activating, .activationFailed(let reason)), (.activating, .misbehaved(let reason)),
            (.ready, .misbehaved(let reason)):
            return kill(reason)
        case (.activating, .deadlinePassed):
            return kill(.timedOut(method: "activate", milliseconds: limits.activate))
        case (.ready, .callQueued):
            return [.sendNext]
        case (.stopping, .callQueued):
            wantsRestart = true
            return []
        case (.activating, .stopRequested(let now)), (.ready, .stopRequested(let now)):
            state = .stopping(.asked)
            deadline = now + limits.stop
            return [.closeInput]
        case (.stopping(.asked), .deadlinePassed(let now)):
            state = .stopping(.terminated)
            deadline = now + limits.stop
            return [.terminate]
        case (.stopping(.terminated), .deadlinePassed):
            state = .stopping(.killed)
            deadline = nil
            return [.kill]
        case (.activating, .exited(let reason)), (.ready, .exited(let reason)):
            return leave(.failCalls(reason))
        case (.stopping, .exited):
            return leave(nil)
        default:
            // Late news: an answer after the stop began, a deadline that was met.
            return []
        }
    }

    private mutating func kill(_ reason: ExtensionFailure.Reason) -> [Action] {
        state = .stopping(.killed)
        deadline = nil
        return [.failCalls(reason), .kill]
    }

    private mutating func leave(_ action: Action?) -> [Action] {
        state = .idle
        deadline = nil
        defer { wantsRestart = false }
        return (action.map { [$0] } ?? []) + (wantsRestart ? [.spawn] : [])
    }
}
