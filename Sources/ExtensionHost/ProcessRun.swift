internal import Foundation
internal import JSON
internal import JSONRPC
internal import Platform

/// One process of an extension; the object is kept after its end until the next process starts.
final class ProcessRun {
    let pipes: ProcessPipes
    /// When it was started, on the monotonic clock.
    let start: Int64
    /// The id of the request `activate`.
    private(set) var activationID: Int64?
    /// How long it took to answer `activate`, in milliseconds, once it did.
    private(set) var activationTime: Int64?
    /// What the process declared in its answer to `activate`.
    private(set) var capabilities: Set<ExtensionCapability> = []
    /// Why it was asked to stop or was killed.
    private(set) var endCause: ProcessEnd.Cause?
    /// Whether the process has ended.
    private(set) var isOver = false
    var strayOutput = StrayOutput()
    var monitor: ResourceMonitor
    /// Detects changes of the bundle's files.
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

    // MARK: Lifecycle

    func noteActivation(id: Int64) { activationID = id }

    func noteActivated(_ capabilities: Set<ExtensionCapability>, now: Int64) {
        self.capabilities = capabilities
        activationTime = now - start
    }

    /// Notes why it ends; the first cause counts.
    func noteEndCause(_ cause: ProcessEnd.Cause) { endCause = endCause ?? cause }

    /// Notes and records the end of the process.
    ///
    /// - Returns: The entry for ``ExtensionHistory``.
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
        if isFirst { pipes.resetDeadline() }
        strayOutput.forgetLast()
        suspension.resetCount()
    }

    /// The failure of a call, with what the process wrote on its stderr after its first `start` bytes.
    func failure(_ error: ResponseError, since start: Int) -> ExtensionFailure {
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

    /// Notes whether signals stopped or continued the process since the last call.
    ///
    /// - Returns: The signal that stopped it; `nil` if none did.
    func noteSuspension() -> Int32? {
        guard let change = child.process.nextSuspension() else { return nil }
        guard case .stopped(let signal) = change else {
            suspension.setStopped(false)
            return nil
        }
        suspension.setStopped(true)
        return signal
    }

    /// Continues a stopped process, unless it was continued too often during this call.
    ///
    /// - Returns: Whether it was continued.
    func continueIfStopped() -> Bool {
        guard suspension.beginContinuing() else { return false }
        child.signal(SIGCONT)
        return true
    }

    // MARK: Explanations

    /// The likely reason why an answer is late; `nil` if there is none.
    var explanationOfSilence: String? {
        if isSuspended { return "a signal keeps it stopped" }
        // More than a pipe holds waits to be read.
        if session.output.count > 64 << 10 { return "it leaves the answers to its own calls unread" }
        if pipes.isWithinLine { return "the last line on its stdout has no end" }
        if let sentence = strayOutput.last { return sentence }
        // If any output arrived, its buffering explains nothing.
        guard activationTime == nil, pipes.outputRead == 0 else { return nil }
        return "nothing arrived on its stdout; an answer must be flushed after it is written "
            + "(Python: print(…, flush=True), Perl: $| = 1, C: fflush)"
    }
}
