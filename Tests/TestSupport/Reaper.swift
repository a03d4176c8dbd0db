import CSystem
import Foundation

/// Waits for the exit of one child on a thread of its own and reaps it.
///
/// It uses `waitid` for that child, not the end of its pipes, which a
/// descendant may keep open for a long time.
final class Reaper: @unchecked Sendable {
    /// A pipe that becomes readable (end of file) when the child has been reaped.
    let ended: Int32

    /// Sends a signal to the child, or to its process group.
    private let kill: @Sendable (_ signal: Int32, _ isGroup: Bool) -> Void
    private let lock = NSLock()
    private var endStatus: ChildProcess.Status?

    convenience init(_ pid: pid_t) throws {
        try self.init {
            Foundation.kill($1 ? -pid : pid, $0)
        } during: {
            $0.reap(pid)
        }
    }

    /// Runs a command on a thread of this process, and takes its result for the exit code.
    convenience init(
        signal: @escaping @Sendable (Int32) -> Void,
        _ command: @escaping @Sendable () -> Int32
    ) throws {
        try self.init { number, _ in
            signal(number)
        } during: { reaper in
            let code = command()
            reaper.lock.withLock { reaper.endStatus = .code(code) }
        }
    }

    private init(
        kill: @escaping @Sendable (Int32, Bool) -> Void,
        during wait: @escaping @Sendable (Reaper) -> Void
    ) throws {
        self.kill = kill
        let (readEnd, writeEnd) = try makePipe()
        ended = readEnd
        let thread = Thread { [self] in
            wait(self)
            close(writeEnd)
        }
        // As much as the first thread of a process has.
        thread.stackSize = 8 << 20
        thread.start()
    }

    deinit { close(ended) }

    /// How the child exited, or nil while it runs.
    var status: ChildProcess.Status? { lock.withLock { endStatus } }

    /// Sends a signal to the child or its process group; does nothing after the child was reaped, because its id
    /// may have been reused.
    func send(_ signal: Int32, toGroup isGroup: Bool = false) {
        lock.withLock {
            guard endStatus == nil else { return }
            kill(signal, isGroup)
        }
    }

    private func reap(_ pid: pid_t) {
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
public func makePipe() throws -> (readEnd: Int32, writeEnd: Int32) {
    var ends: [Int32] = [-1, -1]
    let result = csystem_pipe(&ends)
    guard result == 0 else { throw TestFailure("cannot create a pipe: \(String(cString: strerror(-result)))") }
    return (ends[0], ends[1])
}
