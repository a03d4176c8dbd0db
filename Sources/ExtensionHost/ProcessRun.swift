internal import JSON
public import JSONRPC
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
    /// What keeps it from the rest of the system; `nil` for nothing.
    let confinement: Confinement?
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

    init(
        _ pipes: ProcessPipes,
        _ confinement: Confinement? = nil,
        watch: BundleWatch,
        limits: ExtensionLimits,
        now: Int64
    ) {
        self.pipes = pipes
        self.confinement = confinement
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
        let tail = pipes.standardError.text(since: start)
        let reason: ExtensionFailure.Reason =
            switch error {
            case .error(let error):
                .refused(
                    confinement?.advice(about: "\(error.message)\n\(tail)").map {
                        RPCError(code: error.code, message: "\(error.message); \($0)", data: error.data)
                    } ?? error
                )
            case .malformed(let text): .badReply(text)
            }
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
                : "a line on its stdout is not a message: \(text)"
            return strayLines <= Self.strayLogLimit
                ? "a line on its stdout is not a message and was skipped: \(text)" : nil
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

/// Records everything that a process of an extension reads and writes, and its end.
public protocol ExtensionTap: WireTap {
    /// Bytes of the process's stderr were read.
    func didReadError(_ bytes: UnsafeRawBufferPointer)

    /// The process closed its stdout without ending, and is stopped for it.
    func didCloseOutput()

    /// The process ended, and everything that it wrote was read.
    ///
    /// - Parameters:
    ///   - exitCode: Its exit code, if it exited.
    ///   - signal: The signal that ended it, if one did.
    ///   - wasStopped: Whether the host had sent it SIGTERM or SIGKILL.
    func didEnd(exitCode: Int32?, signal: Int32?, wasStopped: Bool)
}

/// The pipes of one process: its stdout becomes messages of a session, its stderr lines of the log.
final class ProcessPipes {
    /// How much of a pipe is read at once, so that a flood of messages does not delay other connections.
    private static let quantum = 1 << 10

    let child: ChildProcess
    let session: Session
    private let tap: (any ExtensionTap)?
    private let history: ExtensionHistory
    private let onErrorLine: (String) -> Void
    private(set) var standardError = StandardErrorTail()
    /// The number of bytes of its stdout that were read.
    private(set) var outputRead = 0
    /// When it closed its stdout without ending.
    private(set) var outputClosed: Int64?
    /// The value of ``outputRead`` at which a missing answer is late, because everything that was in the pipe at the
    /// deadline has been read; `nil` before the deadline.
    private var outputReadAtDeadline: Int?
    /// Whether its input is to be closed when all waiting bytes are written.
    private var closesInputAfterWriting = false

    init(
        _ child: ChildProcess,
        _ session: Session,
        tap: (any ExtensionTap)?,
        history: ExtensionHistory,
        onErrorLine: @escaping (String) -> Void
    ) {
        self.child = child
        self.session = session
        self.tap = tap
        self.history = history
        self.onErrorLine = onErrorLine
        session.tap = tap
    }

    // MARK: Polling

    func forEachDescriptor(readsOutput: Bool, _ body: (_ descriptor: Int32, _ isWritten: Bool) -> Void) {
        if child.output >= 0, readsOutput { body(child.output, false) }
        if child.error >= 0 { body(child.error, false) }
        if child.input >= 0, !session.output.isEmpty { body(child.input, true) }
    }

    /// Reads stdout or stderr once.
    func read(_ descriptor: Int32, buffer: UnsafeMutableRawBufferPointer, now: () -> Int64) {
        // A long line is read in growing portions: at most as many bytes as were read of it already.
        let size = min(buffer.count, max(Self.quantum, session.unfinishedLength))
        if descriptor == child.output,
            readOutput(UnsafeMutableRawBufferPointer(rebasing: buffer[..<size])) == .end
        {
            child.closeOutput()
            outputClosed = now()
        }
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, Self.quantum)])
        if descriptor == child.error, readErrorOnce(part) == .end { child.closeError() }
    }

    // MARK: Reading

    /// Reads what the pipes of an ended process hold now, but no more, because a descendant that left the group may write
    /// without end.
    func readRest(buffer: UnsafeMutableRawBufferPointer) {
        let end = outputRead + Descriptors.unreadCount(child.output)
        while outputRead < end, case .bytes = readOutput(buffer) {}
        // Set first, because a deferred message must not wait for a process that no longer reads.
        session.isPeerGone = true
        session.finish()
        readWaitingErrors(buffer)
        standardError.finish(onErrorLine)
    }

    /// Reads what stderr holds now, but no more.
    private func readWaitingErrors(_ buffer: UnsafeMutableRawBufferPointer) {
        let end = standardError.count + (child.error >= 0 ? Descriptors.unreadCount(child.error) : 0)
        while standardError.count < end, case .bytes = readErrorOnce(buffer) {}
    }

    private func readOutput(_ buffer: UnsafeMutableRawBufferPointer) -> Descriptors.ReadOutcome {
        read(child.output, buffer) { bytes in
            outputRead += bytes.count
            // What was written on stderr before a message is known when the message is handled.
            withUnsafeTemporaryAllocation(byteCount: Self.quantum, alignment: 1, readWaitingErrors)
            session.consume(bytes)
        }
    }

    private func readErrorOnce(_ buffer: UnsafeMutableRawBufferPointer) -> Descriptors.ReadOutcome {
        read(child.error, buffer) { bytes in
            tap?.didReadError(bytes)
            standardError.append(bytes, onErrorLine)
        }
    }

    private func read(
        _ descriptor: Int32,
        _ buffer: UnsafeMutableRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) -> Descriptors.ReadOutcome {
        Descriptors.read(descriptor, into: buffer) { bytes in
            history.bytes.read += bytes.count
            body(bytes)
        }
    }

    // MARK: Writing

    /// Writes as much as the pipe accepts.
    func write() {
        // Its input is closed, so nothing more can be written.
        guard child.input >= 0 else { return session.output.removeAll() }
        var hasFailed = false
        session.output.drain { bytes in
            guard !bytes.isEmpty else { return 0 }
            let count = Platform.write(child.input, bytes.baseAddress, bytes.count)
            if count > 0 { history.bytes.written += count }
            guard count < 0 else { return count }
            hasFailed = errno != EAGAIN && errno != EINTR
            return hasFailed ? bytes.count : 0
        }
        // After EPIPE the process no longer reads, and its end is noticed elsewhere. After another error it would wait for
        // the rest of a line: the end of its input ends it. Otherwise not before the last call is written completely.
        if hasFailed || (closesInputAfterWriting && session.output.isEmpty) { child.closeInput() }
    }

    /// Sends `deactivate` and closes its input once that is written.
    func deactivate() {
        session.notify("deactivate", params: [:])
        closesInputAfterWriting = true
        write()
    }

    // MARK: Lateness

    /// Whether everything that the pipe held when an answer became due has been read.
    func hasReadOutputInTime() -> Bool {
        let end = outputReadAtDeadline ?? outputRead + Descriptors.unreadCount(child.output)
        outputReadAtDeadline = end
        return outputRead >= end
    }

    /// Forgets the old deadline, because another answer is due next.
    func resetDeadline() { outputReadAtDeadline = nil }

    /// Whether the last line on its stdout has no end, and the pipe is empty.
    var isWithinLine: Bool { session.unfinishedLength > 0 && Descriptors.unreadCount(child.output) == 0 }

    // MARK: The end

    /// Records that its stdout stayed closed for too long.
    func reportClosedOutput() {
        outputClosed = nil
        tap?.didCloseOutput()
    }

    /// Records how the process ended.
    func reportEnd(exitCode: Int32?, signal: Int32?) {
        tap?.didEnd(exitCode: exitCode, signal: signal, wasStopped: child.wasTerminated)
    }
}

/// The last lines of an extension's stderr, within a fixed size.
struct StandardErrorTail {
    static let limit = 4096

    private var bytes: [UInt8] = []
    private var lines = LineSplitter(longest: limit)
    /// The number of bytes that were appended.
    private(set) var count = 0

    /// The tail as text; invalid UTF-8 is replaced.
    var text: String { text(since: 0) }

    /// The tail of the output after its first `start` bytes.
    func text(since start: Int) -> String {
        String(decoding: bytes.suffix(min(count - start, Self.limit)), as: UTF8.self)
    }

    /// Appends bytes and passes each line that they complete to the body, except empty lines.
    mutating func append(_ chunk: UnsafeRawBufferPointer, _ body: (String) -> Void) {
        count += chunk.count
        bytes.append(contentsOf: chunk)
        if bytes.count > 4 * Self.limit { bytes.removeFirst(bytes.count - Self.limit) }
        lines.consume(chunk) { if !$0.isEmpty { body(String(decoding: $0, as: UTF8.self)) } }
    }

    /// Passes the last line to the body if it has no LF.
    mutating func finish(_ body: (String) -> Void) {
        lines.finish { body(String(decoding: $0, as: UTF8.self)) }
    }
}
