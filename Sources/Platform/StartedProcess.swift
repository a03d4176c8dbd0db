internal import Foundation

/// How a process ended.
package enum ExitStatus: Equatable, Sendable {
    /// It exited with a code.
    case code(Int32)
    /// A signal ended it.
    case signal(Int32)

    /// What `waitpid(2)` reported.
    init(waitStatus: Int32) {
        let signal = waitStatus & 0x7F
        self = signal == 0 ? .code((waitStatus >> 8) & 0xFF) : .signal(signal)
    }
}

/// A child of this process, leader of a process group of its own.
///
/// The process ends when it exits itself, whatever its descendants do. Its number stays its own until it is reaped.
package struct StartedProcess: Sendable {
    /// The number of the process and of its group.
    package let pid: Int32

    /// Signals the process group, and the process itself, which may have left it.
    package func signal(_ number: Int32) {
        kill(-pid, number)
        kill(pid, number)
    }

    /// Whether the process ended; it is not reaped yet.
    package var hasEnded: Bool {
        var info = siginfo_t()
        return waitid(P_PID, id_t(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.hasChild
    }

    /// Kills what is left of the group and waits for the process to end.
    package func reap() -> ExitStatus {
        signal(SIGKILL)
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        return ExitStatus(waitStatus: status)
    }

    /// How the process ended, with what is left of its group killed; `nil` while it runs.
    package func reapIfEnded() -> ExitStatus? { hasEnded ? reap() : nil }

    /// What signals do to a process without ending it.
    package enum Suspension: Equatable {
        /// A signal stopped it.
        case stopped(by: Int32)
        /// It runs again.
        case continued
    }

    /// The last stop or continuation of the process since this was asked last; `nil` if there was none.
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
    /// Whether waitid(2) found a child; it leaves the number zero otherwise.
    fileprivate var hasChild: Bool { si_signo == SIGCHLD }

    /// The signal of a child that was stopped.
    fileprivate var status: CInt {
        #if os(Linux)
        _sifields._sigchld.si_status
        #else
        si_status
        #endif
    }
}
