internal import CSystem
internal import Foundation
internal import JSONRPC
internal import Logging
internal import Platform

// What the loop tells an extension: readiness of its pipes, deaths of children, the time.

extension ExtensionProcess {
    /// Tells the descriptors to poll.
    ///
    /// - Parameter body: Takes each, with whether it is written.
    public func forEachDescriptor(_ body: (_ descriptor: Int32, _ isWritten: Bool) -> Void) {
        guard let child else { return }
        // What it sent already waits, so more would only grow.
        if child.output >= 0, !hasBacklog() { body(child.output, false) }
        if child.error >= 0 { body(child.error, false) }
        if child.input >= 0, session?.output.isEmpty == false { body(child.input, true) }
    }

    /// Reads or writes a descriptor that poll(2) says is ready.
    ///
    /// - Parameters:
    ///   - descriptor: One of those that ``forEachDescriptor(_:)`` names.
    ///   - buffer: Room for a read.
    public func ready(_ descriptor: Int32, buffer: UnsafeMutableRawBufferPointer) {
        guard let child else { return }
        if descriptor == child.input { return write() }
        // A long line is read in growing portions: what may follow it is no more than what it had already.
        let size = min(buffer.count, max(Self.quantum, session.map(\.unfinishedLength) ?? 0))
        if descriptor == child.output,
            readOutput(child, UnsafeMutableRawBufferPointer(rebasing: buffer[..<size])) == .end
        {
            child.closeOutput()
            outputClosed = now()
        }
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, Self.quantum)])
        if descriptor == child.error { readError(part) }
    }

    /// How much is read of an extension in one turn, so that a flood of messages does not keep others waiting.
    private static let quantum = 1 << 10

    /// Reads its stderr as far as there is something to read and room for it.
    func readError(_ buffer: UnsafeMutableRawBufferPointer) {
        guard let child, readError(child, buffer) == .end else { return }
        child.closeError()
    }

    private enum ReadResult {
        case bytes
        case nothing
        case end
    }

    private func readOutput(_ child: ChildProcess, _ buffer: UnsafeMutableRawBufferPointer) -> ReadResult {
        read(child.output, buffer) { bytes in
            outputRead += bytes.count
            guard let session else { return }
            session.consume(bytes) { self.onMessage(session, $0) }
        }
    }

    private func readError(_ child: ChildProcess, _ buffer: UnsafeMutableRawBufferPointer) -> ReadResult {
        read(child.error, buffer) { bytes in
            tap?.didReadError(bytes)
            standardError.append(bytes, tellError)
        }
    }

    private func tellError(_ line: String) { logger.info("stderr: \(line)") }

    private func read(
        _ descriptor: CInt,
        _ buffer: UnsafeMutableRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) -> ReadResult {
        guard descriptor >= 0 else { return .end }
        let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
        guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothing : .end }
        history.bytes.read += count
        body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        return .bytes
    }

    /// Writes what the pipe takes.
    public func write() {
        guard let child, let session else { return }
        // Nobody reads any more what it is told.
        guard child.input >= 0 else { return session.output.removeAll() }
        session.output.drain { bytes in
            guard !bytes.isEmpty else { return 0 }
            let count = Foundation.write(child.input, bytes.baseAddress, bytes.count)
            if count > 0 { history.bytes.written += count }
            // A reader that is gone shows as its exit; nothing more can be said to it.
            return count >= 0 ? count : errno == EPIPE ? bytes.count : 0
        }
        // What it works on may be as large as its client made it.
        if session.output.count - outstanding.reduce(0, { $0 + $1.length }) > limits.unreadBytes {
            perform(.misbehaved(.misbehaved("left more than \(limits.unreadBytes) bytes unread and was stopped")))
        }
        // Not before the last call was written whole.
        if closesInput, session.output.isEmpty { child.closeInput() }
    }

    /// Looks whether the process ended; to be called when any child did.
    ///
    /// - Parameter buffer: Room for the last reads.
    public func reap(buffer: UnsafeMutableRawBufferPointer) {
        noticeStop()
        guard let child, let reason = family.reap(child) else { return }
        // What it wrote before it died counts: saves are kept, an answer is an answer. That is what the pipe holds
        // now; a descendant that left the group may go on to write for ever.
        let end = outputRead + max(0, Int(csystem_readable(child.output)))
        while outputRead < end, readOutput(child, buffer) == .bytes {}
        // Set first: what waits to be carried out must not wait for a reader of its answers.
        session?.isPeerGone = true
        if let session { session.finish { self.onMessage(session, $0) } }
        let errorEnd = standardError.count + max(0, Int(csystem_readable(child.error)))
        while standardError.count < errorEnd, readError(child, buffer) == .bytes {}
        standardError.finish(tellError)
        let isNeeded = presentations > 0 || callsInFlight > 0
        self.child = nil
        session = nil
        idleSince = nil
        outputClosed = nil
        note(reason, of: child)
        perform(.exited(reason, isNeeded: isNeeded))
    }

    private func note(_ reason: ExtensionFailure.Reason, of child: ChildProcess) {
        var (exitCode, signal): (Int32?, Int32?)
        if case .exited(let code, let number) = reason { (exitCode, signal) = (code, number) }
        tap?.didEnd(exitCode: exitCode, signal: signal, wasStopped: child.wasTerminated)
        let cause = endCause ?? .failed(reason)
        history.note(ProcessEnd(date: Date(), pid: child.pid, cause: cause, exitCode: exitCode, signal: signal))
    }

    // MARK: Time

    /// How long a process without stdout may take to end by itself, which tells more than a kill, in milliseconds.
    private static let closedOutputGrace: Int64 = 500

    /// The time at which ``expire()`` is to be called, on the monotonic clock in milliseconds.
    public var deadline: Int64? {
        var next = Int64.max
        func add(_ time: Int64?) { next = min(next, time ?? .max) }
        let isHeldUp = hasBacklog() && !isStuck()
        if !isHeldUp { add(judgedCall?.deadline) }
        if !isHeldUp || lifecycle.state != .activating { add(lifecycle.deadline) }
        if presentations == 0, callsInFlight == 0 { add(idleSince.map { $0 + limits.idle }) }
        add(outputClosed.map { $0 + Self.closedOutputGrace })
        add(outstanding.compactMap(\.warning).min())
        add(nextLook)
        return next == .max ? nil : next
    }

    /// Does what is due by now.
    ///
    /// - Important: To be called after what is readable was read: an answer that
    ///   lies in the pipe already is never judged late.
    public func expire() {
        let now = now()
        warn(now: now)
        if let judgedCall, judgedCall.deadline <= now, isLate {
            perform(.misbehaved(.timedOut(method: judgedCall.call.method, milliseconds: limits.call)))
        }
        if let nextLook, nextLook <= now { lookAtUsage() }
        if let deadline = lifecycle.deadline, deadline <= now, lifecycle.state != .activating || isLate {
            perform(.deadlinePassed)
        }
        if let outputClosed, outputClosed + Self.closedOutputGrace <= now {
            self.outputClosed = nil
            tap?.didCloseOutput()
            perform(.misbehaved(.misbehaved("closed its stdout without ending and was stopped")))
        }
        if let idleSince, presentations == 0, callsInFlight == 0, idleSince + limits.idle <= now {
            self.idleSince = nil
            stopNow(because: .unused(milliseconds: limits.idle))
        }
    }

    /// The call whose time is over first: the oldest, as all have the same; none where the process was killed already.
    private var judgedCall: Outstanding? { lifecycle.state == .stopping(.killed) ? nil : outstanding.first }

    /// Whether the answer whose time is over did not come, nor lies in the pipe or among the messages that wait here.
    private var isLate: Bool {
        if isStuck() { return true }
        guard !hasBacklog(), let child else { return false }
        let end = outputInTime ?? outputRead + max(0, Int(csystem_readable(child.output)))
        outputInTime = end
        return outputRead >= end
    }

    /// What may have kept an answer from coming, where that is known.
    var hindrance: String? {
        if isSuspended { return "a signal keeps it stopped" }
        // More than a pipe holds waits to be read.
        if let session, session.output.count > 64 << 10 { return "it leaves the answers to its own calls unread" }
        if let child, let session, session.unfinishedLength > 0, csystem_readable(child.output) <= 0 {
            return "the last line on its stdout has no end"
        }
        if let lastStrayLine { return lastStrayLine }
        // Later its output got through once, so a buffer is no explanation any more.
        guard lifecycle.state == .activating || activationTime == nil, outputRead == outputBefore else { return nil }
        return "nothing came on its stdout; an answer that is written must be flushed, too "
            + "(Python: print(…, flush=True), Perl: $| = 1, C: fflush)"
    }
}
