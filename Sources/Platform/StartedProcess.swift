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
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        return ExitStatus(waitStatus: status)
    }

    /// Reaps the process if it has ended, without signalling its group.
    ///
    /// - Returns: How it ended; `nil` while it runs.
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
