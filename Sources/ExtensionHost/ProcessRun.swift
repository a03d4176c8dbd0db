internal import Foundation
internal import JSON
internal import JSONRPC
internal import Platform

/// One process of an extension, from its start on; what is known of it stays until the next one starts.
final class ProcessRun {
    let pipes: ProcessPipes
    /// When it was started, on the monotonic clock.
    let start: Int64
    /// The id of the request `activate`.
    private(set) var activationID: Int64?
    /// How long it took to answer `activate`, in milliseconds, once it did.
    private(set) var activationTime: Int64?
    /// Why it was asked to stop or was killed.
    private(set) var endCause: ProcessEnd.Cause?
    /// Whether the process is gone.
    private(set) var isOver = false
    var strayOutput = StrayOutput()
    var monitor: ResourceMonitor
    /// Notices that files of the bundle change.
    var watch: BundleWatch
    private var suspension = Suspension()

    init(_ pipes: ProcessPipes, watch: BundleWatch, limits: ExtensionLimits, now: Int64) {
        self.pipes = pipes
        self.watch = watch
        start = now
        monitor = ResourceMonitor(limits: limits, now: now)
    }

    var child: ChildProcess { pipes.child }

    var session: Session { pipes.session }

    // MARK: Its life

    func noteActivation(id: Int64) { activationID = id }

    func noteActivated(now: Int64) { activationTime = now - start }

    /// Notes why it ends; the first cause counts.
    func noteEnd(_ cause: ProcessEnd.Cause) { endCause = endCause ?? cause }

    /// Notes that the process is gone.
    ///
    /// - Returns: What to remember of it.
    func finish(_ status: ExitStatus) -> ProcessEnd {
        isOver = true
        let (exitCode, signal): (Int32?, Int32?) =
            switch status {
            case .code(let code): (code, nil)
            case .signal(let number): (nil, number)
            }
        pipes.reportEnd(exitCode: exitCode, signal: signal)
        return ProcessEnd(
            time: Clock.systemTime(),
            pid: child.pid,
            cause: endCause ?? .failed(ExtensionFailure.Reason(status)),
            exitCode: exitCode,
            signal: signal
        )
    }

    // MARK: Calls

    /// Prepares for a call that is about to be sent.
    ///
    /// - Parameter isFirst: Whether the extension works on no other call.
    func prepareForCall(isFirst: Bool) {
        if isFirst { pipes.restartDeadline() }
        strayOutput.forgetLast()
        suspension.resetCount()
    }

    /// The failure of a call, with what the process wrote on its stderr after the first `start` bytes.
    func failure(_ error: ResponseError, since start: Int) -> ExtensionFailure {
        withUnsafeTemporaryAllocation(byteCount: StandardErrorTail.limit, alignment: 1) { pipes.readError($0) }
        let reason: ExtensionFailure.Reason =
            switch error {
            case .error(let error): .refused(error)
            case .malformed(let text): .badReply(text)
            }
        let tail = pipes.standardError.text(since: start)
        return ExtensionFailure(reason: reason, standardErrorTail: tail, wasSent: true)
    }

    // MARK: Stops

    /// Whether a signal stopped the process.
    var isSuspended: Bool { suspension.isStopped }

    /// Notes what signals did to the process.
    ///
    /// - Returns: The signal that stopped it; `nil` if none did since this was asked last.
    func noteSuspension() -> Int32? {
        guard let change = child.process.nextSuspension() else { return nil }
        guard case .stopped(let signal) = change else {
            suspension.note(isStopped: false)
            return nil
        }
        suspension.note(isStopped: true)
        return signal
    }

    /// Continues a stopped process, unless it stops again and again.
    ///
    /// - Returns: Whether it was continued.
    func continueIfStopped() -> Bool {
        guard suspension.beginContinuing() else { return false }
        child.signal(SIGCONT)
        return true
    }

    // MARK: Explanations

    /// What may have kept an answer from coming in time, if that is known.
    var explanationOfSilence: String? {
        if isSuspended { return "a signal keeps it stopped" }
        // More than a pipe holds waits to be read.
        if session.output.count > 64 << 10 { return "it leaves the answers to its own calls unread" }
        if pipes.isWithinLine { return "the last line on its stdout has no end" }
        if let line = strayOutput.last { return line }
        // If any output arrived, its buffering explains nothing.
        guard activationTime == nil, pipes.outputRead == 0 else { return nil }
        return "nothing came on its stdout; an answer that is written must be flushed, too "
            + "(Python: print(…, flush=True), Perl: $| = 1, C: fflush)"
    }
}
