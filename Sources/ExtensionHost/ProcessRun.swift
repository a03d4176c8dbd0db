internal import Foundation
internal import JSON
internal import JSONRPC
internal import Platform

/// One process of an extension; the object is kept after its end until the next process starts.
final class ProcessRun {
    /// How often a stopped process is continued during one call.
    ///
    /// A process that keeps stopping itself misses its deadline.
    private static let continueLimit = 3
    /// The maximum number of lines that are logged: the first ones help the author, a flood would only cost time.
    private static let strayLogLimit = 20

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
    /// The number of lines on its stdout that were not messages.
    private(set) var strayLines = 0
    /// A sentence about the last unexpected line on its stdout since the last call was sent; `nil` if there was none.
    private(set) var lastStray: String?
    var monitor: ResourceMonitor
    /// Detects changes of the bundle's files.
    var watch: BundleWatch
    /// Whether a signal stopped the process.
    private(set) var isSuspended = false
    /// How often it was continued since the last call was sent.
    private var continuations = 0

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
        // The new call cannot be explained by what was written before.
        lastStray = nil
        continuations = 0
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

    /// Notes whether signals stopped or continued the process since the last call.
    ///
    /// - Returns: The signal that stopped it; `nil` if none did.
    func noteSuspension() -> Int32? {
        guard let change = child.process.nextSuspension() else { return nil }
        guard case .stopped(let signal) = change else {
            isSuspended = false
            return nil
        }
        isSuspended = true
        return signal
    }

    /// Continues a stopped process, unless it was continued too often during this call.
    ///
    /// - Returns: Whether it was continued.
    func continueIfStopped() -> Bool {
        guard isSuspended, continuations < Self.continueLimit else { return false }
        isSuspended = false
        continuations += 1
        child.signal(SIGCONT)
        return true
    }

    // MARK: Explanations

    /// Notes a response to no request, or a line that is not a message; until the next call it explains why an answer is
    /// missing.
    ///
    /// - Parameters:
    ///   - report: What the session found.
    ///   - expected: The id of the request whose answer is due first.
    ///   - limit: The greatest length of a line in bytes.
    /// - Returns: The text for the log; `nil` if enough lines were logged.
    func noteStray(_ report: Session.Report, expected: Int64?, limit: Int) -> String? {
        switch report {
        case .failedNotification: return nil
        case .strayResponse(let id):
            let hint = expected.map { "; the request that waits has the id \($0)" } ?? ""
            lastStray = "it answered the id \(id), which no request has\(hint)"
            return "it answered \(id), which no request has"
        case .invalidMessage(let error, let line):
            strayLines += 1
            let text = Self.describe(error, line)
            lastStray =
                error.reason == "lineTooLong"
                ? "a line on its stdout is longer than \(limit) bytes and was skipped"
                : "a line on its stdout is no message: \(text)"
            return strayLines <= Self.strayLogLimit
                ? "a line on its stdout is no message and was skipped: \(text)" : nil
        }
    }

    /// The line; with the error if it is JSON or begins like it, because unlike a stray print such a line does not explain
    /// itself.
    private static func describe(_ error: RPCError, _ line: String?) -> String {
        guard let line else { return error.message }
        let isOther = error.code == .parseError && !line.hasPrefix("{") && !line.hasPrefix("[")
        return isOther ? line : "\(line) (\(error.message))"
    }

    /// The likely reason why an answer is late; `nil` if there is none.
    var explanationOfSilence: String? {
        if isSuspended { return "a signal keeps it stopped" }
        // More than a pipe holds waits to be read.
        if session.output.count > 64 << 10 { return "it leaves the answers to its own calls unread" }
        if pipes.isWithinLine { return "the last line on its stdout has no end" }
        if let sentence = lastStray { return sentence }
        // If any output arrived, its buffering explains nothing.
        guard activationTime == nil, pipes.outputRead == 0 else { return nil }
        return "nothing arrived on its stdout; an answer must be flushed after it is written "
            + "(Python: print(…, flush=True), Perl: $| = 1, C: fflush)"
    }
}
