internal import Foundation
package import Platform

/// A program that runs as a child of this process, as the leader of its own process group.
///
/// Unlike Platform's `ChildProcess`, it uses given descriptors, and the end of the process leaves the rest of its group
/// alone, so that a client can find processes that were left behind. On Linux it is killed when this process ends.
package final class ChildProgram {
    private let process: StartedProcess
    /// How it ended; nil while it runs.
    package private(set) var end: ExitStatus?

    /// Starts a program; the descriptors stay open in this process.
    ///
    /// - Parameters:
    ///   - program: The program.
    ///   - input: Its stdin.
    ///   - output: Its stdout.
    ///   - error: Its stderr.
    /// - Throws: Why it cannot be started.
    package init(_ program: Program, input: Int32, output: Int32, error: Int32) throws(ClientError) {
        do throws(SystemError) {
            process = try program.start(input: input, output: output, error: error)
        } catch {
            throw .failed("\(program.path) cannot be started: \(error)")
        }
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
    /// - Parameter signals: The signals to this process.
    /// - Returns: How it ended.
    /// - Throws: The signal, after the process has ended.
    package func wait(_ signals: SignalSource) throws(ClientError) -> ExitStatus {
        var interruption: Int32?
        var descriptors = PollSet()
        // The end of a child is a signal too.
        descriptors.add(signals.descriptor, for: .reading)
        while true {
            if let end = poll() {
                if let interruption { throw .interrupted(signal: interruption) }
                return end
            }
            guard descriptors.wait(until: nil) == 1, let number = signals.read() else { continue }
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
