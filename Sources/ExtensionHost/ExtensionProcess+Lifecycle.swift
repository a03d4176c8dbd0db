internal import JSON
internal import JSONRPC
internal import Logging
internal import Platform

/// How an extension's ``Lifecycle`` is carried out: its process is started, watched and ended.
extension ExtensionProcess {
    /// How long a process that closed its stdout may take to end without a kill, in milliseconds.
    ///
    /// Its own exit status explains more than that of a kill.
    private static let closedOutputGrace: Int64 = 500

    /// Changes the state, and does what follows from that; everything that changes the state passes here.
    func perform(_ event: Lifecycle.Event) {
        onActivity()
        let wasReady = lifecycle.state == .ready
        for action in lifecycle.handle(event, now: now()) {
            switch action {
            // The completion of a failed call may have queued another call, which has started the process already. A stop
            // may have failed the calls for which it was to start.
            case .spawn: if running == nil, callsWaiting > 0 { start() }
            case .sendNext: sendNext()
            case .failCalls(let reason):
                let reason = reason.explained(running?.explanationOfSilence)
                lastRun?.noteEndCause(.failed(reason))
                logger.warning("\(bundle.identifier) \(reason)")
                observe(self, .ended(reason))
                // A process that was never ready would fail the other calls too.
                failCalls(reason, keepingTransferable: wasReady)
            case .refuseCalls(let reason): failCalls(reason, keepingTransferable: false)
            case .failSentCalls(let reason): failOutstandingCalls(reason.explained(running?.explanationOfSilence))
            case .closeInput:
                continueIfStopped()
                running?.pipes.deactivate()
                checkUnreadBytes()
            case .terminate: running?.child.signal(SIGTERM)
            case .kill: running?.child.signal(SIGKILL)
            }
        }
    }

    func requestStop(_ reason: StopReason) {
        running?.noteEndCause(.stopped(reason))
        perform(.stopRequested)
    }

    // MARK: Start

    private func start() {
        let run: ProcessRun
        do throws(BundleProblem) {
            run = try makeRun()
        } catch {
            startedFiles = currentFiles
            wasStartImpossible = error.isOfHost
            let reason = ExtensionFailure.Reason.cannotStart(error.description)
            return perform(error.isOfHost ? .spawnImpossible(reason) : .spawnFailed(reason))
        }
        lastRun = run
        startedFiles = run.watch.fingerprint
        wasStartImpossible = false
        run.session.onMessage = { [weak self, unowned session = run.session] in self?.receive($0, on: session) }
        run.session.report = { [weak self] in self?.handle($0) }
        let params = activation()
        guard let host = ContractVersion(params["version"]?.string ?? "") else {
            preconditionFailure("activate's params name no version of the contract: \(params)")
        }
        let id = run.session.request("activate", params: params) { [weak self] in self?.activated($0, host: host) }
        run.noteActivation(id: id)
        perform(.spawned)
        write()
    }

    /// Starts a process; its session has no handlers yet.
    private func makeRun() throws(BundleProblem) -> ProcessRun {
        let path = try bundle.executablePath(hostFolder: hostFolder)
        let watch = BundleWatch(bundle, executable: path)
        let confinement = try confine(path)
        let child = try family.start(
            history,
            path: path,
            directory: bundle.path,
            environment: environment.merging(confinement?.variables ?? [:]) { $1 },
            files: limits.files,
            sandbox: confinement?.sandbox
        )
        history.starts += 1
        let session = Session(lineLimit: limits.line, answersInvalidLines: false)
        // A relay passes the records of `pull` on.
        if bundle.point == .source { session.textList = TextList("records", in: "result") }
        let pipes = ProcessPipes(child, session, tap: makeTap(), history: history) { [weak self] line in
            guard let self else { return }
            logger.info("stderr: \(line)")
            observe(self, .wroteError(line))
        }
        return ProcessRun(pipes, confinement, watch: watch, limits: limits, now: now())
    }

    /// The files that the bundle has now.
    var currentFiles: BundleFingerprint {
        BundleFingerprint(bundle: bundle, executable: try? bundle.executablePath(hostFolder: hostFolder))
    }

    private func activated(_ result: Result<JSON, ResponseError>, host: ContractVersion) {
        switch result {
        case .success(let value):
            if let problem = host.problem(ofNeeded: value["version"]?.string) {
                return perform(.activationFailed(.badReply(problem)))
            }
            let names = value["capabilities"]?.array?.compactMap(\.string) ?? []
            lastRun?.noteActivated(ExtensionCapability.declared(in: names), now: now())
            if let run = running { run.monitor.noteReady(family.processes(of: run.child)) }
            perform(.activated)
        case .failure(let error):
            guard let run = lastRun else { return }
            perform(.activationFailed(run.failure(error, since: 0).reason))
        }
    }

    // MARK: Watching

    private func receive(_ message: Incoming, on session: Session) {
        guard let receiver else { return session.handle(message) }
        // A destination's reply depends on none of its earlier messages, so it is used even if the process ends now.
        if case .response(let response) = message, bundle.point == .destination { return response.complete() }
        receiver.receive(message)
    }

    private func handle(_ report: Session.Report) {
        if case .failedNotification(let call, let error) = report {
            logger.warning("\(call.method) failed: \(error.message)")
            observe(self, .notificationFailed(params: call.params, error))
        }
        if case .invalidMessage(let error, _) = report, error.reason == "lineTooLong",
            [.source, .destination].contains(bundle.point)
        {
            // These write large replies and nothing else, so it was the one that a call waits for.
            let text = "wrote a line of more than \(limits.line) bytes to its stdout and was stopped"
            return perform(.misbehaved(.misbehaved(text)))
        }
        let expected = lifecycle.state == .activating ? lastRun?.activationID : calls.outstanding.first?.id
        guard let text = lastRun?.noteStray(report, expected: expected, limit: limits.line) else { return }
        logger.warning("\(text)")
    }

    func checkUnreadBytes() {
        guard let run = running else { return }
        // The outstanding calls do not count, because clients may make them as large as they like.
        guard run.session.output.count - calls.sentBytes > limits.unreadBytes else { return }
        perform(.misbehaved(.misbehaved("left more than \(limits.unreadBytes) bytes unread and was stopped")))
    }

    /// Samples the resources that the process uses, and kills it if it exceeds a limit.
    func checkUsage() {
        guard let run = running, !run.monitor.holds(run.child.pid, now: now()) else { return }
        // Orphans without a mark are killed now, because the guardian could not find them if the host were killed.
        family.sweep()
        run.monitor.sample(family.processes(of: run.child), now: now())
        history.note(run.monitor.usage, during: calls.outstanding.first?.call.method)
        let isActivating = lifecycle.state == .activating
        guard let text = run.monitor.violation(isActivating: isActivating, calls.outstanding) else { return }
        perform(.misbehaved(.misbehaved(text)))
    }

    /// Handles the end or the suspension of the process; to be called when any child ended or was stopped.
    ///
    /// - Parameter buffer: Room for the last reads.
    public func reap(buffer: UnsafeMutableRawBufferPointer) {
        noteSuspension()
        guard let run = running, let status = family.reap(run.child) else { return }
        // What it wrote before it ended counts: saves are kept, and answers are valid.
        run.pipes.readRest(buffer: buffer)
        let isNeeded = presentations > 0 || calls.count > 0
        idleSince = nil
        history.addEnd(run.finish(status))
        perform(.exited(ExtensionFailure.Reason(status, explanation: explanation(of: status, run)), isNeeded: isNeeded))
    }

    /// The likely reason why a process ended with an exit code that does not say it; nil if there is none.
    private func explanation(of status: ExitStatus, _ run: ProcessRun) -> String? {
        if let advice = run.confinement?.advice(about: run.pipes.standardError.text) { return advice }
        if status == .signal(SIGXFSZ) {
            return "it wrote a file of more than \(Sandbox.fileSize >> 20) MiB, which its sandbox does not allow"
        }
        guard case .code(let code) = status, run.activationTime == nil else { return nil }
        switch code {
        case 0:
            return "it ended before it answered activate; an extension answers until its stdin ends, for example by "
                + "calling main of a kit"
        // This is how env and shells say that there is no such program.
        case 127:
            let path = try? bundle.executablePath(hostFolder: hostFolder)
            return path.flatMap(BundleProblem.init(ofFirstLineOf:))?.message
        default: return nil
        }
    }

    /// Notes that a signal stopped the process, and continues it if a call or a stop waits for it.
    private func noteSuspension() {
        guard let signal = running?.noteSuspension() else { return }
        logger.warning("\(bundle.identifier) was stopped by signal \(signal)")
        let isAwaited = lifecycle.state == .activating || lifecycle.state == .stopping(.inputClosed)
        if isAwaited || !calls.outstanding.isEmpty { continueIfStopped() }
    }

    func continueIfStopped() {
        guard running?.continueIfStopped() == true else { return }
        let text = "\(bundle.identifier) had been stopped by a signal and was continued"
        logger.warning("\(text)")
        observe(self, .continued(text))
    }

    // MARK: Time

    /// The time at which ``expire()`` is to be called, on the monotonic clock in milliseconds.
    public var deadline: Int64? {
        var next = Int64.max
        func add(_ time: Int64?) { next = min(next, time ?? .max) }
        let isHeldUp = hasBacklog && !isStuck
        if !isHeldUp { add(oldestCall?.deadline) }
        if !isHeldUp || lifecycle.state != .activating { add(lifecycle.deadline) }
        if isIdle { add(idleSince.map { $0 + limits.idle }) }
        add(running?.pipes.outputClosed.map { $0 + Self.closedOutputGrace })
        add(calls.nextWarning)
        add(nextSample)
        return next == .max ? nil : next
    }

    /// Handles the deadlines that have passed.
    ///
    /// - Important: To be called after everything readable was read: an answer that is in the pipe is never late.
    public func expire() {
        let now = now()
        sendDueWarnings(now: now)
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
    private var isIdle: Bool { presentations == 0 && calls.count == 0 }

    private var nextSample: Int64? {
        guard let run = running else { return nil }
        let start = lifecycle.state == .ready ? nil : run.start
        return run.monitor.nextSample(callStart: calls.outstanding.first?.start ?? start)
    }

    /// The outstanding call with the earliest deadline, which is the oldest; `nil` if the process was killed already.
    private var oldestCall: OutstandingCall? {
        lifecycle.state == .stopping(.killed) ? nil : calls.outstanding.first
    }

    /// Whether the answer that is due is neither in the pipe nor among the messages that the owner has not handled yet.
    private var isLate: Bool {
        if isStuck { return true }
        guard !hasBacklog, let run = running else { return false }
        return run.pipes.hasReadOutputInTime()
    }

    /// Whether messages of the extension wait for the owner.
    var hasBacklog: Bool { receiver?.hasBacklog ?? false }

    private var isStuck: Bool { receiver?.isStuck ?? false }
}
