internal import Foundation
internal import JSONRPC
internal import Logging

// What the loop tells an extension: readiness of its pipes, deaths of children, the time.

extension ExtensionProcess {
    /// The descriptors to poll: each with whether it is read or written.
    public var descriptors: [(descriptor: Int32, isWritten: Bool)] {
        guard let child else { return [] }
        var result: [(descriptor: Int32, isWritten: Bool)] = []
        // What it sent already waits, so more would only grow.
        if child.output >= 0, !hasBacklog() { result.append((child.output, false)) }
        if child.error >= 0 { result.append((child.error, false)) }
        if child.input >= 0, session?.output.isEmpty == false { result.append((child.input, true)) }
        return result
    }

    /// Reads or writes a descriptor that poll(2) says is ready.
    ///
    /// - Parameters:
    ///   - descriptor: One of ``descriptors``.
    ///   - buffer: Room for a read.
    public func ready(_ descriptor: Int32, buffer: UnsafeMutableRawBufferPointer) {
        guard let child else { return }
        if descriptor == child.input { return write() }
        if descriptor == child.output, readOutput(child, buffer) == .end {
            child.closeOutput()
            outputClosed = now()
        }
        if descriptor == child.error { readError(buffer) }
    }

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
            guard let session else { return }
            session.consume(bytes) { self.onMessage(session, $0) }
        }
    }

    private func readError(_ child: ChildProcess, _ buffer: UnsafeMutableRawBufferPointer) -> ReadResult {
        read(child.error, buffer) { standardError.append($0) { logger.info("stderr: \($0)") } }
    }

    private func read(
        _ descriptor: CInt,
        _ buffer: UnsafeMutableRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) -> ReadResult {
        guard descriptor >= 0 else { return .end }
        let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
        guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothing : .end }
        body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        return .bytes
    }

    /// Writes what the pipe takes.
    public func write() {
        guard let child, child.input >= 0, let session else { return }
        session.output.drain { bytes in
            guard !bytes.isEmpty else { return 0 }
            let count = Foundation.write(child.input, bytes.baseAddress, bytes.count)
            // A reader that is gone shows as its exit; nothing more can be said to it.
            return count >= 0 ? count : errno == EPIPE ? bytes.count : 0
        }
        if session.output.count > limits.unreadBytes {
            perform(.misbehaved(.misbehaved("left more than \(limits.unreadBytes) bytes unread and was stopped")))
        }
    }

    /// Looks whether the process ended; to be called when any child did.
    ///
    /// - Parameter buffer: Room for the last reads.
    public func reap(buffer: UnsafeMutableRawBufferPointer) {
        guard let child, let reason = child.reap() else { return }
        // What it wrote before it died counts: saves are kept, an answer is an answer.
        // A descendant that left the group may hold the pipes and write for ever, hence the bound.
        for _ in 0..<256 where readOutput(child, buffer) != .bytes { break }
        // Set first: what waits to be carried out must not wait for a reader of its answers.
        session?.isPeerGone = true
        if let session { session.finish { self.onMessage(session, $0) } }
        for _ in 0..<256 where readError(child, buffer) != .bytes { break }
        standardError.finish { logger.info("stderr: \($0)") }
        self.child = nil
        session = nil
        idleSince = nil
        outputClosed = nil
        perform(.exited(reason))
    }

    // MARK: Time

    /// How long a process without stdout may take to end by itself, which tells more than a kill, in milliseconds.
    private static let closedOutputGrace: Int64 = 500

    /// The time at which ``expire()`` is to be called, on the monotonic clock in milliseconds.
    public var deadline: Int64? {
        let idle = presentations == 0 && callsInFlight == 0 ? idleSince.map { $0 + limits.idle } : nil
        let closed = outputClosed.map { $0 + Self.closedOutputGrace }
        let answer = hasBacklog() ? nil : outstanding?.deadline
        return [lifecycle.deadline, outstanding?.warning, answer, idle, closed].compactMap { $0 }.min()
    }

    /// Does what is due by now.
    ///
    /// - Important: To be called after everything readable was read, so that an
    ///   answer which lies in the pipe already is never judged late.
    public func expire() {
        let now = now()
        warn(now: now)
        if let outstanding, outstanding.deadline <= now, !hasBacklog() {
            perform(.misbehaved(.timedOut(method: outstanding.call.method, milliseconds: limits.call)))
        }
        if let deadline = lifecycle.deadline, deadline <= now { perform(.deadlinePassed(now: now)) }
        if let outputClosed, outputClosed + Self.closedOutputGrace <= now {
            self.outputClosed = nil
            perform(.misbehaved(.misbehaved("closed its stdout without ending and was stopped")))
        }
        if let idleSince, presentations == 0, callsInFlight == 0, idleSince + limits.idle <= now {
            self.idleSince = nil
            perform(.stopRequested(now: now))
        }
    }
}
