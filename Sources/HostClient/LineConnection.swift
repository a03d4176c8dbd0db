internal import Foundation
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
    package var onStandardError: (ArraySlice<UInt8>) -> Void = { _ in }

    /// Starts a program with pipes.
    ///
    /// - Parameters:
    ///   - launch: The program.
    ///   - signals: The signals that interrupt waiting.
    ///   - readsErrors: Whether stderr is read; otherwise it is /dev/null.
    /// - Throws: Why it cannot be started.
    package init(
        _ launch: Program,
        signals: SignalSource,
        readsErrors: Bool = true
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
        stream = LineStream(input: toChild.writing, output: fromChild.reading)
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
        while Clock.monotonic() < deadline, program.poll() == nil, stream.input >= 0 {
            if stream.isWritten, Descriptors.unreadCount(stream.input) == 0 { return }
            // The system reports no event when a pipe becomes empty, so this polls.
            try wait(until: min(deadline, Clock.monotonic() + 1))
        }
    }

    /// Closes its stdin and drops unwritten bytes.
    package func closeInput() { stream.closeInput() }

    // MARK: Reading

    /// The next line of stdout.
    ///
    /// - Parameter deadline: Until when to wait, on the monotonic clock in milliseconds.
    /// - Returns: The line; nil at the end of stdout or if the deadline has passed.
    /// - Throws: The signal that asked this process to end meanwhile.
    package func nextLine(until deadline: Int64) throws(ClientError) -> [UInt8]? {
        while !stream.hasLine {
            guard stream.output >= 0, Clock.monotonic() < deadline else { return nil }
            try wait(until: deadline)
        }
        return stream.takeLine()
    }

    /// Waits until the process has ended.
    ///
    /// - Parameter deadline: Until when, on the monotonic clock in milliseconds.
    /// - Returns: How it ended; nil if the deadline has passed.
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
            for descriptor in [stream.output, error] where descriptor >= 0 {
                descriptors.add(descriptor, for: .reading)
            }
            guard descriptors.wait(until: 0) > 0 else { return }
            for ready in descriptors.ready { if ready == stream.output { stream.read() } else { readError() } }
        }
    }

    /// A line that was already read; nil if there is none.
    package func bufferedLine() -> [UInt8]? { stream.takeLine() }

    /// Waits until a descriptor is ready, a signal arrives or the deadline has passed, and reads and writes what is possible.
    package func wait(until deadline: Int64) throws(ClientError) { _ = try wait(until: deadline, alongside: []) }

    /// Waits until a descriptor is ready, a signal arrives or the deadline has passed, and reads what the program wrote.
    ///
    /// - Parameters:
    ///   - deadline: When to stop waiting, on the monotonic clock in milliseconds.
    ///   - others: Descriptors of the caller, which are not read here.
    /// - Returns: Those of the caller's descriptors that can be read.
    /// - Throws: The signal that asked this process to end.
    package func wait(until deadline: Int64, alongside others: [Int32]) throws(ClientError) -> Set<Int32> {
        var descriptors = PollSet()
        for descriptor in [signals.descriptor, error] + others where descriptor >= 0 {
            descriptors.add(descriptor, for: .reading)
        }
        stream.add(to: &descriptors)
        descriptors.wait(until: deadline)
        for ready in descriptors.ready where !others.contains(ready) {
            switch ready {
            case signals.descriptor: if let number = signals.read() { throw .interrupted(signal: number) }
            case stream.output: stream.read()
            case error: readError()
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
