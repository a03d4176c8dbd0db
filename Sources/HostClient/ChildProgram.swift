internal import CSystem
internal import Foundation

/// A program that runs as a child of this process, as the leader of a process group of its own.
///
/// On Linux it is killed when this process ends.
package final class ChildProgram {
    /// What to start.
    package struct Launch {
        /// The executable.
        package var path: String
        package var arguments: [String] = []
        /// The working directory.
        package var directory: String
        /// The environment; nil for the one of this process.
        package var environment: [String: String]?

        package init(
            _ path: String,
            _ arguments: [String] = [],
            directory: String = FileManager.default.currentDirectoryPath,
            environment: [String: String]? = nil
        ) {
            self.path = path
            self.arguments = arguments
            self.directory = directory
            self.environment = environment
        }
    }

    /// How a process ended.
    package enum End: Equatable, CustomStringConvertible {
        case exited(code: Int32)
        case killed(signal: Int32)

        package var description: String {
            switch self {
            case .exited(let code): "with exit code \(code)"
            case .killed(let number): "by signal \(number) (\(String(cString: strsignal(number))))"
            }
        }
    }

    private let pid: pid_t
    /// How it ended; nil while it runs.
    package private(set) var end: End?

    /// Starts a program; the descriptors stay open in this process.
    ///
    /// - Parameters:
    ///   - launch: What to start.
    ///   - input: Its stdin.
    ///   - output: Its stdout.
    ///   - error: Its stderr.
    /// - Throws: Why it cannot be started.
    package init(_ launch: Launch, input: CInt, output: CInt, error: CInt) throws(ClientError) {
        let environment = launch.environment ?? ProcessInfo.processInfo.environment
        let strings = [[launch.path] + launch.arguments, environment.map { "\($0.key)=\($0.value)" }.sorted()]
            .map { $0.map { strdup($0) } + [nil] }
        defer { for string in strings.joined() { free(string) } }
        pid = strings[0].withUnsafeBufferPointer { arguments in
            strings[1].withUnsafeBufferPointer { environment in
                launch.path.withCString { path in
                    launch.directory.withCString { directory in
                        var spawn = csystem_spawn(
                            path: path,
                            arguments: arguments.baseAddress,
                            environment: environment.baseAddress,
                            directory: directory,
                            input: input,
                            output: output,
                            error: error,
                            files: 0
                        )
                        return csystem_spawn(&spawn)
                    }
                }
            }
        }
        guard pid > 0 else {
            throw .failed("\(launch.path) cannot be started: \(String(cString: strerror(-pid)))")
        }
    }

    /// Looks whether it has ended, without waiting.
    @discardableResult
    package func poll() -> End? {
        guard end == nil else { return end }
        var status: CInt = 0
        guard waitpid(pid, &status, WNOHANG) == pid else { return nil }
        end = status & 0x7F == 0 ? .exited(code: (status >> 8) & 0xFF) : .killed(signal: status & 0x7F)
        return end
    }

    /// Asks the process to end with SIGTERM.
    package func terminate() { if end == nil { kill(pid, SIGTERM) } }

    /// Kills its whole process group.
    package func killGroup() { kill(-pid, SIGKILL) }

    /// Whether a process of its group still runs.
    package var hasGroup: Bool { kill(-pid, 0) == 0 }

    /// Waits until it ends; a signal to this process terminates it first.
    ///
    /// - Parameter signals: The signals to this process.
    /// - Returns: How it ended.
    /// - Throws: The signal, after the process has ended.
    package func wait(_ signals: SignalSource) throws(ClientError) -> End {
        var interruption: Int32?
        while true {
            if let end = poll() {
                if let interruption { throw .interrupted(signal: interruption) }
                return end
            }
            // The end of a child is a signal too.
            var polled = pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0)
            guard Foundation.poll(&polled, 1, -1) == 1, let number = signals.read() else { continue }
            interruption = number
            terminate()
        }
    }
}
