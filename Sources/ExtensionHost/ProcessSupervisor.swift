internal import Foundation
internal import JSON
internal import JSONRPC
internal import Logging
internal import Platform

/// Carries out the ``Lifecycle`` of one extension: starts its process, watches it, and ends it.
final class ProcessSupervisor {
    /// How long a process that closed its stdout may take to end by itself, in milliseconds.
    ///
    /// Its own exit status explains more than that of a kill.
    private static let closedOutputGrace: Int64 = 500

    /// The extension process that owns this object.
    private unowned let process: ExtensionProcess
    private let launcher: ExtensionLauncher
    private let now: () -> Int64
    private let calls: CallSender
    private(set) var lifecycle: Lifecycle
    /// The running process, or the last one.
    private(set) var run: ProcessRun?
    /// The files of the bundle when its process was started, or could not be started, last; nil before.
    private(set) var startedFiles: BundleFingerprint?
    /// The number of presentations that the extension shows.
    private(set) var presentations = 0
    /// When the extension became idle: without an outstanding call.
    private var idleSince: Int64?

    init(
        of process: ExtensionProcess,
        _ launcher: ExtensionLauncher,
        calls: CallSender,
        now: @escaping () -> Int64
    ) {
        self.process = process
        self.launcher = launcher
        self.calls = calls
        self.now = now
        lifecycle = Lifecycle(limits: launcher.limits, random: launcher.random)
    }

    /// The running process.
    var running: ProcessRun? {
        guard let run, !run.isOver else { return nil }
        return run
    }

    private var limits: ExtensionLimits { launcher.limits }

    private var logger: Logger { launcher.logger }

    /// Sets the number of presentations; the idle time begins when the last one ends.
    func setPresentations(_ count: Int) {
        if count == 0 && presentations > 0 && idleSince != nil { idleSince = now() }
        presentations = count
    }

    // MARK: The lifecycle

    func perform(_ event: Lifecycle.Event) {
        let wasReady = lifecycle.state == .ready
        for action in lifecycle.handle(event, now: now()) {
            switch action {
            // The completion of a failed call may have queued another call, which has started the process already.
            case .spawn: if running == nil { start() }
            case .sendNext: sendNext()
            case .failCalls(let reason):
                let reason = reason.explained(running?.explanationOfSilence)
                run?.noteEndCause(.failed(reason))
                logger.warning("\(process.bundle.identifier) \(reason)")
                process.observe(process, .ended(reason))
                // A process that was never ready would fail the other calls too.
                failAll(reason, keepingTransferable: wasReady)
            case .refuseCalls(let reason): failAll(reason, keepingTransferable: false)
            case .failSentCalls(let reason):
                calls.failOutstanding(reason.explained(running?.explanationOfSilence), of: run)
            case .closeInput:
                continueIfStopped()
                running?.pipes.deactivate()
                checkUnreadBytes()
            case .terminate: running?.child.signal(SIGTERM)
            case .kill: running?.child.signal(SIGKILL)
            }
        }
    }

    private func failAll(_ reason: ExtensionFailure.Reason, keepingTransferable keeps: Bool) {
        if calls.failAll(reason, of: run, keepingTransferable: keeps) { perform(.callQueued) }
    }

    /// Asks the process to stop; calls that wait are failed.
    func stop(because reason: StopReason) {
        // A destination or a source may finish what it began, and its answers count until it ends.
        if process.bundle.point.getsVariables {
            calls.failWaiting(.stopping, of: run)
        } else {
            failAll(.stopping, keepingTransferable: false)
        }
        requestStop(reason)
    }

    /// Ends the process at once.
    func kill() { running?.child.signal(SIGKILL) }

    private func requestStop(_ reason: StopReason) {
        running?.noteEndCause(.stopped(reason))
        perform(.stopRequested)
    }

    // MARK: Start

    private func start() {
        let run: ProcessRun
        do throws(BundleProblem) {
            run = try launcher.start(now: now, tap: process.makeTap) { [weak self] line in
                if let process = self?.process { process.observe(process, .wroteError(line)) }
            }
        } catch {
            startedFiles = launcher.files
            let reason = ExtensionFailure.Reason.cannotStart(error.description)
            return perform(error.isOfHost ? .spawnImpossible(reason) : .spawnFailed(reason))
        }
        self.run = run
        startedFiles = run.watch.fingerprint
        run.session.onMessage = { [weak self, unowned session = run.session] in self?.receive($0, on: session) }
        run.session.report = { [weak self] in self?.handle($0) }
        let params = launcher.activation()
        guard let host = ContractVersion(params["version"]?.string ?? "") else {
            preconditionFailure("activate's params name no version of the contract: \(params)")
        }
        let id = run.session.request("activate", params: params) { [weak self] in self?.activated($0, host: host) }
        run.noteActivation(id: id)
        perform(.spawned)
        write()
    }

    private func activated(_ result: Result<JSON, ResponseError>, host: ContractVersion) {
        switch result {
        case .success(let value):
            if let problem = host.problem(ofNeeded: value["version"]?.string) {
                return perform(.activationFailed(.badReply(problem)))
            }
            let names = value["capabilities"]?.array?.compactMap(\.string) ?? []
            run?.noteActivated(ExtensionCapability.declared(in: names), now: now())
            perform(.activated)
        case .failure(let error):
            guard let run else { return }
            perform(.activationFailed(run.failure(error, since: 0).reason))
        }
    }

    private func handle(_ report: Session.Report) {
        if case .failedNotification(let call, let error) = report {
            logger.warning("\(call.method) failed: \(error.message)")
            process.observe(process, .notificationFailed(params: call.params, error))
        }
        let expected = lifecycle.state == .activating ? run?.activationID : calls.queue.outstanding.first?.id
        guard let text = run?.strayOutput.note(report, expected: expected, limit: limits.line) else { return }
        logger.warning("\(text)")
    }

    // MARK: Calls

    private func sendNext() {
        idleSince = nil
        while calls.queue.canSend, lifecycle.state == .ready, let run = running {
            guard calls.queue.waiting.count > 0 else {
                if calls.queue.outstanding.isEmpty { idleSince = now() }
                return
            }
            if run.monitor.isOld(now: now()) { checkUsage() }
            guard lifecycle.state == .ready else { return }
            calls.sendFirst(to: run, now: now, willWrite: continueIfStopped) { [weak self] in self?.sendNext() }
        }
    }

    /// Writes as much as the pipe accepts.
    func write() {
        running?.pipes.write()
        checkUnreadBytes()
    }

    private func checkUnreadBytes() {
        guard let run = running else { return }
        // The outstanding calls do not count, because clients may make them as large as they like.
        guard run.session.output.count - calls.queue.sentBytes > limits.unreadBytes else { return }
        perform(.misbehaved(.misbehaved("left more than \(limits.unreadBytes) bytes unread and was stopped")))
    }

    // MARK: Watching

    /// Reads stdout or stderr, or writes stdin.
    func ready(_ descriptor: Int32, buffer: UnsafeMutableRawBufferPointer) {
        guard let run = running else { return }
        if descriptor == run.child.input { return write() }
        run.pipes.read(descriptor, buffer: buffer, now: now)
    }

    private func receive(_ message: Incoming, on session: Session) {
        guard let receiver = process.receiver else { return session.handle(message) }
        // A destination's reply depends on none of its earlier messages, so it is used even if the process ends now.
        if case .response(let response) = message, process.bundle.point == .destination { return response.complete() }
        receiver.receive(message)
    }

    /// Handles the suspension or the end of the process.
    func reap(buffer: UnsafeMutableRawBufferPointer) {
        noteSuspension()
        guard let run = running, let status = launcher.family.reap(run.child) else { return }
        // What it wrote before it ended counts: saves are kept, and answers are valid.
        run.pipes.readRest(buffer: buffer)
        let isNeeded = presentations > 0 || calls.queue.count > 0
        idleSince = nil
        launcher.history.addEnd(run.finish(status))
        let reason = ExtensionFailure.Reason(status, explanation: launcher.explanation(of: status, run))
        perform(.exited(reason, isNeeded: isNeeded))
    }

    /// Notes that a signal stopped the process, and continues it if a call or a stop waits for it.
    private func noteSuspension() {
        guard let signal = running?.noteSuspension() else { return }
        logger.warning("\(process.bundle.identifier) was stopped by signal \(signal)")
        let isAwaited = lifecycle.state == .activating || lifecycle.state == .stopping(.inputClosed)
        if isAwaited || !calls.queue.outstanding.isEmpty { continueIfStopped() }
    }

    private func continueIfStopped() {
        guard running?.continueIfStopped() == true else { return }
        let text = "\(process.bundle.identifier) had been stopped by a signal and was continued"
        logger.warning("\(text)")
        process.observe(process, .continued(text))
    }

    /// Samples the resources that the process uses, and kills it if it exceeds a limit.
    private func checkUsage() {
        guard let run = running, !run.monitor.holds(run.child.pid, now: now()) else { return }
        // Orphans without a mark are killed now, because the guardian could not find them if the host were killed.
        launcher.family.sweep()
        run.monitor.sample(launcher.processes(of: run), now: now())
        let isActivating = lifecycle.state == .activating
        guard let text = run.monitor.violation(isActivating: isActivating, calls.queue.outstanding) else { return }
        perform(.misbehaved(.misbehaved(text)))
    }

    // MARK: Time

    /// When ``expire()`` is due, on the monotonic clock in milliseconds.
    var deadline: Int64? {
        var next = Int64.max
        func add(_ time: Int64?) { next = min(next, time ?? .max) }
        let isHeldUp = hasBacklog && !isStuck
        if !isHeldUp { add(oldestCall?.deadline) }
        if !isHeldUp || lifecycle.state != .activating { add(lifecycle.deadline) }
        if isIdle { add(idleSince.map { $0 + limits.idle }) }
        add(running?.pipes.outputClosed.map { $0 + Self.closedOutputGrace })
        add(calls.queue.nextWarning)
        add(nextSample)
        return next == .max ? nil : next
    }

    /// Handles the deadlines that have passed.
    func expire() {
        let now = now()
        calls.sendDueWarnings(now: now)
        if let call = oldestCall, call.deadline <= now, isLate {
            perform(.misbehaved(.timedOut(method: call.call.method, milliseconds: limits.call)))
        }
        if let nextSample, nextSample <= now { checkUsage() }
        if let deadline = lifecycle.deadline, deadline <= now, lifecycle.state != .activating || isLate {
            perform(.deadlinePassed)
        }
        if let run = running, let closed = run.pipes.outputClosed, closed + Self.closedOutputGrace <= now {
            run.pipes.reportClosedOutput()
            perform(.misbehaved(.misbehaved("closed its stdout without ending and was stopped")))
        }
        if let since = idleSince, isIdle, since + limits.idle <= now {
            idleSince = nil
            requestStop(.unused(milliseconds: limits.idle))
        }
    }

    /// Whether the process is unused now.
    private var isIdle: Bool { presentations == 0 && calls.queue.count == 0 }

    /// Whether nothing is left to do until the process writes or ends, or a deadline passes.
    var isAtRest: Bool {
        guard calls.queue.count == 0, !hasBacklog else { return false }
        guard let run = running else { return lifecycle.deadline == nil }
        return lifecycle.state == .ready && run.session.output.isEmpty && run.pipes.outputClosed == nil
    }

    private var nextSample: Int64? {
        guard let run = running else { return nil }
        let start = lifecycle.state == .ready ? nil : run.start
        return run.monitor.nextSample(callStart: calls.queue.outstanding.first?.start ?? start)
    }

    /// The outstanding call with the earliest deadline, which is the oldest; `nil` if the process was killed already.
    private var oldestCall: OutstandingCall? {
        lifecycle.state == .stopping(.killed) ? nil : calls.queue.outstanding.first
    }

    /// Whether the answer that is due is neither in the pipe nor among the messages that the owner has not handled yet.
    private var isLate: Bool {
        if isStuck { return true }
        guard !hasBacklog, let run = running else { return false }
        return run.pipes.hasReadOutputInTime()
    }

    /// Whether messages of the extension wait for the owner.
    var hasBacklog: Bool { process.receiver?.hasBacklog ?? false }

    private var isStuck: Bool { process.receiver?.isStuck ?? false }
}
