internal import Foundation
internal import Logging
internal import Platform

// What a process may use of the machine, and what is done when a signal stops it.

extension ExtensionProcess {
    /// How often in one call a process that was stopped is let go on; one that stops itself for ever meets its deadline.
    private static let continueLimit = 3

    /// When the use of the machine is to be looked at.
    var nextLook: Int64? {
        guard child != nil, limits.memory > 0 || limits.processorTime > 0 || limits.processes > 0 else { return nil }
        let start = lifecycle.state == .ready ? nil : activationStart
        return usage.nextLook(callStart: outstanding.first?.start ?? start)
    }

    /// Looks at what the process uses now, and ends it where that is too much.
    func lookAtUsage() {
        guard let child else { return }
        // One that belongs to nobody by its environment must not be left when the host is killed.
        family.sweep()
        usage.look(at: family.processes(of: child), most: limits.processes, now: now())
        if limits.processes > 0, usage.processes > limits.processes {
            let text = "ran more than the \(limits.processes) processes it may, and was killed"
            perform(.misbehaved(.misbehaved(text)))
        } else if limits.memory > 0, usage.memory > limits.memory {
            let text =
                "used \(usage.memory >> 20) MiB of memory, more than the \(limits.memory >> 20) MiB it may, and was killed"
            perform(.misbehaved(.misbehaved(text)))
        } else if limits.processorTime > 0, let method = methodInExcess {
            let text =
                "used more than \(limits.processorTime) ms of processor time for \(method) and was killed"
            perform(.misbehaved(.misbehaved(text)))
        }
    }

    /// What the process does where that took more processor time than it may.
    ///
    /// Of calls that overlap each counts all that was used since it was sent, so that a process which always has one
    /// is judged by single calls all the same.
    private var methodInExcess: String? {
        let limit = limits.processorTime
        if lifecycle.state == .activating, usage.processorTime > limit { return "activate" }
        return outstanding.first { usage.processorTime - $0.processorTime > limit }?.call.method
    }

    /// What the process uses now; nothing where none runs.
    public func currentUsage() -> ResourceUsage? {
        guard let child else { return nil }
        // A look of its own, so that the next one of the limits comes when it would.
        var usage = usage
        usage.look(at: family.processes(of: child), most: limits.processes, now: now())
        return usage
    }

    // MARK: Stops

    /// Whether a signal stopped the process.
    public var isSuspended: Bool { suspension.isStopped }

    /// Notes that a signal stopped the process, and lets it go on where somebody waits for it.
    func noticeStop() {
        guard let change = child?.process.nextSuspension() else { return }
        guard case .stopped(let signal) = change else { return suspension.isStopped = false }
        suspension.isStopped = true
        logger.warning("\(bundle.identifier) was stopped by signal \(signal)")
        if !outstanding.isEmpty || lifecycle.state == .activating || lifecycle.state == .stopping(.asked) { resume() }
    }

    /// Lets a stopped process go on.
    func resume() {
        guard suspension.isStopped, suspension.continued < Self.continueLimit else { return }
        suspension = (false, suspension.continued + 1)
        child?.signal(SIGCONT)
        let text = "\(bundle.identifier) had been stopped by a signal and was let go on"
        logger.warning("\(text)")
        onContinue(text)
    }
}
