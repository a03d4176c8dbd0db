internal import CSystem
internal import JSONRPC
package import Platform

/// A connection to a child program over its stdin and stdout, which carry lines.
package final class LineConnection {
    /// The number of characters at the end of stderr that are kept.
    private static let errorLimit = 4_096

    package let program: ChildProgram
    private let signals: SignalSource
    private let stream: LineStream
    private var error: Int32
    /// The end of what the program wrote to stderr.
    package private(set) var standardError = ""
    /// Receives everything that the program writes to stderr.
    var onStandardError: (ArraySlice<UInt8>) -> Void = { _ in }

    /// Starts a program with pipes.
    ///
    /// - Parameters:
    ///   - launch: The program.
    ///   - signals: The signals that interrupt waiting.
    ///   - readsErrors: Whether stderr is read; otherwise it is /dev/null.
    ///   - delimiter: The byte that ends a line of the program.
    /// - Throws: Why it cannot be started.
    package init(
        _ launch: Program,
        signals: SignalSource,
        readsErrors: Bool = true,
        delimiter: UInt8 = 0x0A
    ) throws(ClientError) {
        self.signals = signals
        let (toChild, fromChild, errors) = try Self.makePipes()
        let sink = readsErrors ? errors.writing : open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer {
            for end in [toChild.reading, fromChild.writing, errors.writing] { close(end) }
            if !readsErrors { close(sink) }
        }
        do throws(ClientError) {
            program = try ChildProgram(launch, input: toChild.reading, output: fromChild.writing, error: sink)
        } catch {
            for end in [toChild.writing, fromChild.reading, errors.reading] { close(end) }
            throw error
        }
        stream = LineStream(toPeer: toChild.writing, fromPeer: fromChild.reading, delimiter: delimiter)
        self.error = errors.reading
        Descriptors.setNonblocking(self.error)
    }

    private static func makePipes() throws(ClientError) -> (Descriptors.Pipe, Descriptors.Pipe, Descriptors.Pipe) {
        var pipes: [Descriptors.Pipe] = []
        do throws(SystemError) {
            for _ in 0..<3 { pipes.append(try Descriptors.makePipe()) }
        } catch {
            for pipe in pipes { pipe.close() }
            throw .failed("no pipe can be created: \(error)")
        }
        return (pipes[0], pipes[1], pipes[2])
    }

    deinit { if error >= 0 { close(error) } }

    /// Whether the program's stdout has ended and every line was read.
    package var isAtEnd: Bool { stream.isAtEnd }

    // MARK: Writing

    /// Writes as many bytes as the pipe accepts at once; the rest is written during later waits.
    package func write(_ bytes: some Sequence<UInt8>) { stream.write(bytes) }

    /// Waits until the program has read everything that was written, or the deadline has passed.
    package func waitUntilRead(until deadline: Int64) throws(ClientError) {
        while Clock.monotonic() < deadline, program.poll() == nil, stream.toPeer >= 0 {
            if stream.isWritten, Descriptors.unreadCount(stream.toPeer) == 0 { return }
            // The system reports no event when a pipe becomes empty, so this polls.
            try wait(until: min(deadline, Clock.monotonic() + 1))
        }
    }

    /// Closes its stdin and drops unwritten bytes.
    package func closeInput() { stream.closeToPeer() }

    // MARK: Reading

    /// The next line of stdout; nil at its end, or if the deadline has passed on the monotonic clock.
    ///
    /// - Throws: The signal that asked this process to end meanwhile.
    package func nextLine(until deadline: Int64) throws(ClientError) -> [UInt8]? {
        while !stream.hasLine {
            guard stream.fromPeer >= 0, Clock.monotonic() < deadline else { return nil }
            try wait(until: deadline)
        }
        return stream.takeLine()
    }

    /// Waits until the process has ended; nil if the deadline has passed on the monotonic clock.
    ///
    /// - Throws: The signal that asked this process to end meanwhile.
    package func waitForEnd(until deadline: Int64) throws(ClientError) -> ExitStatus? {
        while true {
            if let end = program.poll() {
                readRest()
                return end
            }
            guard Clock.monotonic() < deadline else { return nil }
            try wait(until: deadline)
        }
    }

    /// Reads what the program left in its pipes when it ended, up to a limit in case one of its children still writes.
    private func readRest() {
        for _ in 0..<64 {
            var descriptors = PollSet()
            for descriptor in [stream.fromPeer, error] where descriptor >= 0 {
                descriptors.add(descriptor, for: .reading)
            }
            guard descriptors.wait(until: 0) > 0 else { return }
            for ready in descriptors.ready { if ready == stream.fromPeer { stream.read() } else { readError() } }
        }
    }

    /// A line that was already read; nil if there is none.
    func bufferedLine() -> [UInt8]? { stream.takeLine() }

    /// Waits until a descriptor is ready, a signal arrives or the deadline has passed, and reads and writes what is possible.
    package func wait(until deadline: Int64) throws(ClientError) { _ = try wait(until: deadline, alongside: []) }

    /// Waits until a descriptor is ready, a signal arrives or the deadline has passed, and reads what the program wrote.
    ///
    /// - Parameters:
    ///   - deadline: When to stop waiting, on the monotonic clock in milliseconds.
    ///   - others: Descriptors of the caller, which are not read here.
    ///   - writable: Descriptors that the caller wants to write.
    /// - Returns: Those of the caller's descriptors that can be read.
    /// - Throws: The signal that asked this process to end.
    package func wait(
        until deadline: Int64,
        alongside others: [Int32],
        writing writable: [Int32] = []
    ) throws(ClientError) -> Set<Int32> {
        var descriptors = PollSet()
        for descriptor in [signals.descriptor, error] + others where descriptor >= 0 {
            descriptors.add(descriptor, for: .reading)
        }
        // Not after the end, which stays readable.
        if program.end == nil, program.endDescriptor >= 0 { descriptors.add(program.endDescriptor, for: .reading) }
        stream.add(to: &descriptors)
        for descriptor in writable { descriptors.add(descriptor, for: .writing) }
        descriptors.wait(until: deadline)
        for ready in descriptors.ready where !others.contains(ready) && !writable.contains(ready) {
            switch ready {
            case signals.descriptor: if let number = signals.read() { throw .interrupted(signal: number) }
            case stream.fromPeer: stream.read()
            case error: readError()
            case program.endDescriptor: program.poll()
            default: stream.flush()
            }
        }
        return Set(descriptors.ready).intersection(others)
    }

    private func readError() {
        let (bytes, isEnd) = LineStream.read(error)
        onStandardError(bytes)
        standardError = String((standardError + String(decoding: bytes, as: UTF8.self)).suffix(Self.errorLimit))
        guard isEnd else { return }
        close(error)
        error = -1
    }
}

/// Lines to and from another process, over two descriptors that are closed in the end.
final class LineStream {
    /// The maximum length of a line in bytes; no reply of a host is longer.
    private static let lineLimit = 1 << 30

    /// Where the other process reads; -1 if that was closed.
    private(set) var toPeer: Int32
    /// Where the other process writes; -1 after the end.
    private(set) var fromPeer: Int32
    private var framer: LineFramer
    private var lines: [[UInt8]] = []
    /// The bytes that the descriptor has not accepted yet.
    private var unwritten: [UInt8] = []

    /// A stream over two descriptors, which become nonblocking.
    init(toPeer: Int32, fromPeer: Int32, delimiter: UInt8 = 0x0A) {
        (self.toPeer, self.fromPeer) = (toPeer, fromPeer)
        framer = LineFramer(limit: Self.lineLimit, delimiter: delimiter)
        for end in [toPeer, fromPeer] { Descriptors.setNonblocking(end) }
    }

    deinit { for descriptor in [toPeer, fromPeer] where descriptor >= 0 { close(descriptor) } }

    /// Whether the other process writes no more and every line was taken.
    var isAtEnd: Bool { fromPeer < 0 && lines.isEmpty }

    /// Whether a line was read and not taken.
    var hasLine: Bool { !lines.isEmpty }

    /// Whether everything was written that must be.
    var isWritten: Bool { unwritten.isEmpty }

    /// The next line that was read; nil if there is none.
    func takeLine() -> [UInt8]? { lines.isEmpty ? nil : lines.removeFirst() }

    /// Adds the descriptors for which something is to be done.
    func add(to descriptors: inout PollSet) {
        if fromPeer >= 0 { descriptors.add(fromPeer, for: .reading) }
        if toPeer >= 0, !unwritten.isEmpty { descriptors.add(toPeer, for: .writing) }
    }

    /// Writes as many bytes as possible at once; the rest is written by ``flush()``.
    func write(_ bytes: some Sequence<UInt8>) {
        unwritten += bytes
        flush()
    }

    /// Writes what was not accepted before.
    func flush() {
        while !unwritten.isEmpty, toPeer >= 0 {
            let count = unwritten.withUnsafeBytes { Platform.write(toPeer, $0.baseAddress, $0.count) }
            if count > 0 {
                unwritten.removeFirst(count)
            } else if errno == EAGAIN {
                return
            } else if errno != EINTR {
                // The other process no longer reads; the end of its output is noticed elsewhere.
                closeToPeer()
            }
        }
    }

    /// Closes the descriptor that the other process reads, and drops unwritten bytes.
    func closeToPeer() {
        if toPeer >= 0 { close(toPeer) }
        toPeer = -1
        unwritten = []
    }

    /// Reads what is there.
    func read() {
        let (bytes, isEnd) = Self.read(fromPeer)
        bytes.withUnsafeBytes { framer.consume($0) { keepLine($0) } }
        guard isEnd else { return }
        framer.finish { keepLine($0) }
        close(fromPeer)
        fromPeer = -1
    }

    private func keepLine(_ event: LineFramer.Event) {
        if case .line(let line) = event { lines.append(Array(line)) }
    }

    /// Reads once from a descriptor.
    ///
    /// - Returns: The bytes, and whether there will be no more.
    static func read(_ descriptor: Int32) -> (bytes: ArraySlice<UInt8>, isEnd: Bool) {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = buffer.withUnsafeMutableBytes { Platform.read(descriptor, $0.baseAddress, $0.count) }
        return (buffer.prefix(max(0, count)), count == 0 || count < 0 && errno != EAGAIN && errno != EINTR)
    }
}

/// A program that runs as a child of this process, as the leader of its own process group.
///
/// Unlike Platform's `ChildProcess`, it uses given descriptors, and the end of the process leaves the rest of its group
/// alone, so that a client can find processes that were left behind. On Linux it is killed when this process ends.
package final class ChildProgram {
    private let process: StartedProcess
    /// Becomes readable when the process ends; -1 where only SIGCHLD tells that.
    let endDescriptor: Int32
    /// How it ended; nil while it runs.
    package private(set) var end: ExitStatus?

    /// Starts a program with these descriptors as its standard ones; they stay open in this process.
    package init(_ program: Program, input: Int32, output: Int32, error: Int32) throws(ClientError) {
        do throws(SystemError) {
            process = try program.start(input: input, output: output, error: error)
        } catch {
            throw .failed("\(program.path) cannot be started: \(error)")
        }
        endDescriptor = csystem_process_descriptor(process.pid)
    }

    deinit {
        process.endNamespace()
        if endDescriptor >= 0 { close(endDescriptor) }
    }

    /// Checks whether it has ended, without waiting.
    @discardableResult
    package func poll() -> ExitStatus? {
        if end == nil { end = process.reapAloneIfEnded() }
        return end
    }

    /// Asks the process to end with SIGTERM.
    package func terminate() { if end == nil { kill(process.pid, SIGTERM) } }

    /// Kills its whole process group.
    package func killGroup() { kill(-process.pid, SIGKILL) }

    /// Whether a process of its group still runs.
    package var hasGroup: Bool { kill(-process.pid, 0) == 0 }

    /// Waits until it ends; a signal to this process terminates it first.
    ///
    /// - Throws: The signal, after the process has ended.
    package func wait(_ signals: SignalSource) throws(ClientError) -> ExitStatus {
        var interruption: Int32?
        var descriptors = PollSet()
        // Where the end has no descriptor, it is a signal.
        for descriptor in [signals.descriptor, endDescriptor] where descriptor >= 0 {
            descriptors.add(descriptor, for: .reading)
        }
        while true {
            if let end = poll() {
                if let interruption { throw .interrupted(signal: interruption) }
                return end
            }
            descriptors.wait(until: nil)
            guard descriptors.ready.contains(signals.descriptor), let number = signals.read() else { continue }
            interruption = number
            terminate()
        }
    }
}

extension ExitStatus {
    /// The end of a sentence about a process that ended.
    package var explanation: String {
        switch self {
        case .code(let code): "with exit code \(code)"
        case .signal(let number): "by signal \(number) (\(String(cString: strsignal(number))))"
        }
    }
}
