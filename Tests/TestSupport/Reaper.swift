import CSystem
import Foundation

/// Waits for the exit of one child on a thread of its own and reaps it.
///
/// It uses `waitid` for that child, not the end of its pipes, which a
/// descendant may keep open for a long time.
final class Reaper: @unchecked Sendable {
    /// A pipe that becomes readable (end of file) when the child has been reaped.
    let ended: Int32

    private let pid: pid_t
    private let lock = NSLock()
    private var endStatus: ChildProcess.Status?

    init(_ pid: pid_t) throws {
        self.pid = pid
        let (readEnd, writeEnd) = try makePipe()
        ended = readEnd
        Thread.detachNewThread { [self] in
            reap()
            close(writeEnd)
        }
    }

    deinit { close(ended) }

    /// How the child exited, or nil while it runs.
    var status: ChildProcess.Status? { lock.withLock { endStatus } }

    /// Sends a signal to the child or its process group; does nothing after the child was reaped, because its id
    /// may have been reused.
    func send(_ signal: Int32, toGroup isGroup: Bool = false) {
        lock.withLock {
            guard endStatus == nil else { return }
            Foundation.kill(isGroup ? -pid : pid, signal)
        }
    }

    private func reap() {
        var info = siginfo_t()
        // The child stays a zombie until the lock is held, so that no signal can reach another process with its id.
        while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
        lock.withLock {
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
            let signal = status & 0x7F
            endStatus = signal == 0 ? .code((status >> 8) & 0xFF) : .signal(signal)
        }
    }
}

/// A pipe whose ends are closed on exec.
func makePipe() throws -> (readEnd: Int32, writeEnd: Int32) {
    var ends: [Int32] = [-1, -1]
    let result = csystem_pipe(&ends)
    guard result == 0 else { throw TestFailure("cannot create a pipe: \(String(cString: strerror(-result)))") }
    return (ends[0], ends[1])
}
