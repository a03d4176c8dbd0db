internal import CSystem

/// A program to start, with its arguments, environment and limits.
package struct Program: Sendable {
    /// The path of the executable.
    package var path: String
    /// The arguments after the program's name.
    package var arguments: [String]
    /// All variables of its environment.
    package var environment: [String: String]
    /// The folder in which it runs.
    package var directory: String
    /// The greatest number of its open descriptors; 0 for the limit that this process was started with.
    package var descriptorLimit: Int
    /// What it may do; `nil` for everything that this process may do.
    package var sandbox: Sandbox?

    /// A program; by default with the environment and the folder of this process.
    package init(
        path: String,
        arguments: [String] = [],
        environment: [String: String] = ProcessInfo.processInfo.environment,
        directory: String = Paths.workingFolder,
        descriptorLimit: Int = 0,
        sandbox: Sandbox? = nil
    ) {
        self.path = path
        self.arguments = arguments
        self.environment = environment
        self.directory = directory
        self.descriptorLimit = descriptorLimit
        self.sandbox = sandbox
    }

    /// Starts the program as the leader of a new process group, with default signal handlers and only these descriptors.
    ///
    /// On Linux the process is killed when the thread that started it ends.
    ///
    /// - Returns: The process, which the caller must reap.
    /// - Throws: Why it cannot be started.
    package func start(input: Int32, output: Int32, error: Int32) throws(SystemError) -> StartedProcess {
        let (pid, keeper) =
            sandbox.map { $0.withC { spawn(input, output, error, sandbox: $0) } }
            ?? spawn(input, output, error, sandbox: nil)
        guard pid > 0 else { throw SystemError(-pid) }
        return StartedProcess(pid: pid, keeper: keeper > 0 ? keeper : nil)
    }

    private func spawn(
        _ input: Int32,
        _ output: Int32,
        _ error: Int32,
        sandbox: UnsafePointer<csystem_sandbox>?
    ) -> (pid: Int32, keeper: Int32) {
        let variables = environment.map { "\($0.key)=\($0.value)" }.sorted()
        return withCStrings([path] + arguments) { arguments in
            withCStrings(variables) { environment in
                path.withCString { path in
                    directory.withCString { directory in
                        var spawn = csystem_spawn(
                            path: path,
                            arguments: arguments,
                            environment: environment,
                            directory: directory,
                            input: input,
                            output: output,
                            error: error,
                            files: CUnsignedInt(descriptorLimit),
                            sandbox: sandbox
                        )
                        var keeper: Int32 = 0
                        return (csystem_spawn(&spawn, &keeper), keeper)
                    }
                }
            }
        }
    }
}

/// Passes strings to the body as a C array of pointers that ends with a null pointer.
func withCStrings<Result>(
    _ strings: [String],
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    let pointers = strings.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return pointers.withUnsafeBufferPointer { buffer in
        guard let start = buffer.baseAddress else { preconditionFailure("an array with a nil in it is not empty") }
        return body(start)
    }
}

/// How a process ended.
package enum ExitStatus: Equatable, Sendable {
    /// It exited with a code.
    case code(Int32)
    /// A signal ended it.
    case signal(Int32)

    /// The meaning of a status of `waitpid(2)`.
    init(waitStatus: Int32) {
        let signal = waitStatus & 0x7F
        self = signal == 0 ? .code((waitStatus >> 8) & 0xFF) : .signal(signal)
    }
}

/// A child of this process, the leader of its own process group.
///
/// The process has ended when it has exited itself, even if descendants still run. Its identifier is not reused until it
/// is reaped.
package struct StartedProcess: Sendable {
    /// The identifier of the process and of its group.
    package let pid: Int32
    /// The first process of its namespace, a child too, if it was started in one with a ``Sandbox``: must be killed when the
    /// process has ended, and reaped; it ends the other processes of the namespace.
    package let keeper: Int32?

    /// Sends a signal to the process group, and to the process itself, which may have left the group.
    package func signal(_ number: Int32) {
        kill(-pid, number)
        kill(pid, number)
    }

    /// Whether the process has ended but is not reaped yet.
    package var hasEnded: Bool {
        var info = siginfo_t()
        return waitid(P_PID, id_t(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.hasChild
    }

    /// Kills the rest of the group, and waits for the end of the process.
    package func reap() -> ExitStatus {
        signal(SIGKILL)
        return wait()
    }

    /// Kills every process of its namespace, if it was started in one, and reaps the keeper; it waits for their end.
    package func endNamespace() {
        guard let keeper else { return }
        kill(keeper, SIGKILL)
        csystem_reap(keeper)
    }

    /// Waits for the end of the process, and reaps it.
    package func wait() -> ExitStatus {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        return ExitStatus(waitStatus: status)
    }

    /// Reaps the process if it has ended, without signalling its group; `nil` while it runs.
    package func reapAloneIfEnded() -> ExitStatus? {
        var status: Int32 = 0
        return waitpid(pid, &status, WNOHANG) == pid ? ExitStatus(waitStatus: status) : nil
    }

    /// An effect of a signal that does not end a process.
    package enum Suspension: Equatable {
        /// A signal stopped it.
        case stopped(by: Int32)
        /// It runs again.
        case continued
    }

    /// The last stop or continuation of the process since the last call of this method; `nil` if there was none.
    package func nextSuspension() -> Suspension? {
        var last: Suspension?
        var info = siginfo_t()
        while waitid(P_PID, id_t(pid), &info, WSTOPPED | WCONTINUED | WNOHANG) == 0, info.hasChild {
            last = info.si_code == CInt(CLD_STOPPED) ? .stopped(by: info.status) : .continued
            info = siginfo_t()
        }
        return last
    }
}

extension siginfo_t {
    /// Whether waitid(2) found a child; otherwise it sets the signal number to zero.
    fileprivate var hasChild: Bool { si_signo == SIGCHLD }

    /// The signal that stopped the child.
    fileprivate var status: CInt {
        #if os(Linux)
        _sifields._sigchld.si_status
        #else
        si_status
        #endif
    }
}

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

    /// Starts a program; if asked for, our ends of the pipes never block.
    ///
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
