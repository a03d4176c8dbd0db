/// A running program with pipes to its stdin, stdout and stderr; the descriptor of a closed pipe is -1.
///
/// The owner must reap the process. The pipes are closed with the object.
package final class ChildProcess {
    /// The process itself.
    package let process: StartedProcess
    /// Our end of its stdin.
    package private(set) var input: Int32
    /// Our end of its stdout.
    package private(set) var output: Int32
    /// Our end of its stderr.
    package private(set) var error: Int32
    /// Whether it was sent SIGTERM or SIGKILL before it ended.
    package private(set) var wasTerminated = false

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: The program.
    ///   - isNonblocking: Whether our ends of the pipes never block.
    /// - Throws: Why it cannot be started.
    package init(_ program: Program, isNonblocking: Bool) throws(SystemError) {
        var pipes: [Descriptors.Pipe] = []
        do throws(SystemError) {
            for _ in 0..<3 { pipes.append(try Descriptors.makePipe()) }
            process = try program.start(input: pipes[0].reading, output: pipes[1].writing, error: pipes[2].writing)
        } catch {
            for pipe in pipes { pipe.close() }
            throw error
        }
        for end in [pipes[0].reading, pipes[1].writing, pipes[2].writing] { close(end) }
        (input, output, error) = (pipes[0].writing, pipes[1].reading, pipes[2].reading)
        guard isNonblocking else { return }
        for descriptor in [input, output, error] { Descriptors.setNonblocking(descriptor) }
    }

    deinit { for descriptor in [input, output, error] where descriptor >= 0 { close(descriptor) } }

    /// The number of the process.
    package var pid: Int32 { process.pid }

    /// Signals the process and its group.
    package func signal(_ number: Int32) {
        if number == SIGTERM || number == SIGKILL, !process.hasEnded { wasTerminated = true }
        process.signal(number)
    }

    /// Closes its stdin.
    package func closeInput() { Self.closeDescriptor(&input) }

    /// Closes our end of its stdout.
    package func closeOutput() { Self.closeDescriptor(&output) }

    /// Closes our end of its stderr.
    package func closeError() { Self.closeDescriptor(&error) }

    private static func closeDescriptor(_ descriptor: inout Int32) {
        if descriptor >= 0 { Platform.close(descriptor) }
        descriptor = -1
    }
}
