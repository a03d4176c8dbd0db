internal import CSystem
internal import Foundation
internal import JSONRPC
internal import Platform

/// A child program that is spoken to in lines over its stdin and stdout.
package final class LineConnection {
    /// The longest line that is read, in bytes; no reply of a host is longer.
    private static let lineLimit = 1 << 30
    /// How much of the end of stderr is kept, in characters.
    private static let errorLimit = 4_096

    package let program: ChildProgram
    private let signals: SignalSource
    private var input: CInt
    private var output: CInt
    private var error: CInt
    private var framer = LineFramer(limit: lineLimit)
    private var lines: [[UInt8]] = []
    /// What the pipe to the program did not take yet.
    private var unwritten: [UInt8] = []
    /// The end of what the program wrote to stderr.
    package private(set) var standardError = ""

    /// Starts a program with pipes.
    ///
    /// - Parameters:
    ///   - launch: What to start.
    ///   - signals: The signals that interrupt waiting.
    ///   - readsErrors: Whether stderr is read; otherwise it leads to /dev/null.
    /// - Throws: Why it cannot be started.
    package init(
        _ launch: ChildProgram.Launch,
        signals: SignalSource,
        readsErrors: Bool = true
    ) throws(ClientError) {
        self.signals = signals
        var opened: [CInt] = []
        func pipe() throws(ClientError) -> (read: CInt, write: CInt) {
            var ends: [CInt] = [-1, -1]
            let result = csystem_pipe(&ends)
            guard result == 0 else {
                for end in opened { close(end) }
                throw .failed("no pipe can be made: \(String(cString: strerror(-result)))")
            }
            opened += ends
            return (ends[0], ends[1])
        }
        let (toChild, fromChild, errors) = (try pipe(), try pipe(), try pipe())
        let sink = readsErrors ? errors.write : open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer {
            for end in [toChild.read, fromChild.write, errors.write] { close(end) }
            if !readsErrors { close(sink) }
        }
        do throws(ClientError) {
            program = try ChildProgram(launch, input: toChild.read, output: fromChild.write, error: sink)
        } catch {
            for end in [toChild.write, fromChild.read, errors.read] { close(end) }
            throw error
        }
        (input, output, self.error) = (toChild.write, fromChild.read, errors.read)
        for end in [input, output, self.error] { csystem_set_nonblocking(end, 1) }
    }

    deinit { for descriptor in [input, output, error] where descriptor >= 0 { close(descriptor) } }

    /// When the program's stdout has ended and every line of it was read.
    package var isAtEnd: Bool { output < 0 && lines.isEmpty }

    // MARK: Writing

    /// Writes bytes in one go as far as the pipe takes them; the rest follows while something is waited for.
    package func write(_ bytes: some Sequence<UInt8>) {
        unwritten += bytes
        flush()
    }

    /// Waits until the program has read all that was written, or the deadline has passed.
    package func waitUntilRead(until deadline: Int64) throws(ClientError) {
        while Clock.monotonic() < deadline, program.poll() == nil, input >= 0 {
            if unwritten.isEmpty, csystem_readable(input) <= 0 { return }
            // The system reports no event for this.
            try wait(until: min(deadline, Clock.monotonic() + 1))
        }
    }

    package func closeInput() {
        if input >= 0 { close(input) }
        input = -1
        unwritten = []
    }

    private func flush() {
        while !unwritten.isEmpty, input >= 0 {
            let count = unwritten.withUnsafeBytes { Foundation.write(input, $0.baseAddress, $0.count) }
            if count > 0 {
                unwritten.removeFirst(count)
            } else if errno == EAGAIN {
                return
            } else if errno != EINTR {
                // A program that reads no more shows itself by the end of its stdout.
                closeInput()
            }
        }
    }

    // MARK: Reading

    /// The next line of stdout.
    ///
    /// - Parameter deadline: Until when to wait, on the monotonic clock in milliseconds.
    /// - Returns: The line; nil at the end of stdout or if the deadline has passed.
    /// - Throws: The signal that asked this process to end meanwhile.
    package func nextLine(until deadline: Int64) throws(ClientError) -> [UInt8]? {
        while lines.isEmpty {
            guard output >= 0, Clock.monotonic() < deadline else { return nil }
            try wait(until: deadline)
        }
        return lines.removeFirst()
    }

    /// Waits until the process has ended.
    ///
    /// - Parameter deadline: Until when, on the monotonic clock in milliseconds.
    /// - Returns: How it ended; nil if the deadline has passed.
    /// - Throws: The signal that asked this process to end meanwhile.
    package func waitForEnd(until deadline: Int64) throws(ClientError) -> ChildProgram.End? {
        while true {
            if let end = program.poll() { return end }
            guard Clock.monotonic() < deadline else { return nil }
            try wait(until: deadline)
        }
    }

    /// A line that was read already.
    package func takeLine() -> [UInt8]? { lines.isEmpty ? nil : lines.removeFirst() }

    /// Waits until one of the descriptors is ready or a signal arrives, and reads what there is.
    package func wait(until deadline: Int64) throws(ClientError) { _ = try wait(until: deadline, alongside: []) }

    /// Waits until one of the descriptors is ready or a signal arrives, and reads what the program wrote.
    ///
    /// - Parameters:
    ///   - deadline: Until when, on the monotonic clock in milliseconds.
    ///   - others: Descriptors of the caller to wait for, which are not read here.
    /// - Returns: Those of the caller that can be read.
    /// - Throws: The signal that asked this process to end meanwhile.
    package func wait(until deadline: Int64, alongside others: [CInt]) throws(ClientError) -> Set<CInt> {
        var polled = ([signals.descriptor, output, error] + others).filter { $0 >= 0 }
            .map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        if input >= 0, !unwritten.isEmpty { polled.append(pollfd(fd: input, events: Int16(POLLOUT), revents: 0)) }
        let time = CInt(clamping: max(0, deadline - Clock.monotonic()))
        guard poll(&polled, nfds_t(polled.count), time) > 0 else { return [] }
        for ready in polled where ready.revents != 0 && !others.contains(ready.fd) {
            switch ready.fd {
            case signals.descriptor: if let number = signals.read() { throw .interrupted(signal: number) }
            case output: readOutput()
            case error: readError()
            default: flush()
            }
        }
        return Set(polled.filter { $0.revents != 0 }.map(\.fd)).intersection(others)
    }

    private func readOutput() {
        let (bytes, isEnd) = Self.read(output)
        bytes.withUnsafeBytes { framer.consume($0) { keep($0) } }
        guard isEnd else { return }
        framer.finish { keep($0) }
        close(output)
        output = -1
    }

    private func keep(_ event: LineFramer.Event) {
        if case .line(let line) = event { lines.append(Array(line)) }
    }

    private func readError() {
        let (bytes, isEnd) = Self.read(error)
        standardError = String((standardError + String(decoding: bytes, as: UTF8.self)).suffix(Self.errorLimit))
        guard isEnd else { return }
        close(error)
        error = -1
    }

    private static func read(_ descriptor: CInt) -> (bytes: ArraySlice<UInt8>, isEnd: Bool) {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = buffer.withUnsafeMutableBytes { Foundation.read(descriptor, $0.baseAddress, $0.count) }
        return (buffer.prefix(max(0, count)), count == 0 || count < 0 && errno != EAGAIN && errno != EINTR)
    }
}
