internal import CSystem
internal import Platform

/// All processes that the host starts and their descendants; it ensures that none outlives its extension or the host.
///
/// An extension's process group is killed with it, and so are all processes of its namespace, if it has one. Without a
/// namespace a descendant that left the group is adopted by the host when its parent ends (on Linux), and recognised by
/// its environment. A guardian process kills both kinds when the host itself is killed; only a process that left the group
/// and cleared its environment escapes that.
///
/// - Important: Not thread-safe; owned by the thread of the event loop.
public final class ProcessFamily {
    /// The number of processes whose marks are kept, to find the extension that left an orphan behind.
    private static let markLimit = 1_024

    /// The value of the environment variable by which the guardian recognises the host's processes.
    private lazy var token = "\(getpid())-\(ProcessFamily.random())"
    private var guardian: (descriptor: CInt, pid: pid_t)?
    /// The running group leaders, each with its mark: a random value in its environment.
    private var leaders: [pid_t: String] = [:]
    /// The keeper of each running group leader's namespace.
    private var keepers: [pid_t: pid_t] = [:]
    /// The history of each recent leader's extension by the leader's mark.
    private var histories: [String: ExtensionHistory] = [:]
    /// The keys of `histories`, the oldest first.
    private var marks: [String] = []
    /// The extension whose leader ended last, which most likely left an orphan without a mark.
    private var lastEnded: ExtensionHistory?
    /// Children that existed before the first extension, because this program may have replaced another one with exec.
    private var earlierChildren: Set<pid_t> = []
    /// The marks of adopted processes that still exist; `nil` for those without one.
    private var knownMarks: [pid_t: String?] = [:]
    /// Keepers that were killed and not reaped yet.
    private var endedKeepers: Set<pid_t> = []
    /// Adopted processes that were killed and have not ended yet.
    private var killed: Set<pid_t> = []

    /// Creates a family without processes.
    public init() {}

    deinit {
        for keeper in endedKeepers { csystem_reap(keeper) }
        if let guardian { close(guardian.descriptor) }
    }

    // MARK: Members

    /// Starts a process of the family; the history counts the orphans that it leaves behind.
    func start(
        _ history: ExtensionHistory,
        path: String,
        arguments: [String] = [],
        directory: String,
        environment: [String: String],
        files: Int,
        sandbox: Sandbox? = nil
    ) throws(BundleProblem) -> ChildProcess {
        if guardian == nil {
            if marks.isEmpty { earlierChildren = Set(children) }
            csystem_adopt_orphans()
            startGuardian()
        }
        reapKeepers()
        let mark = Self.random()
        let entries = ["PUSHHOST_HOST": token, "PUSHHOST_EXTENSION": mark]
        let program = Program(
            path: path,
            arguments: arguments,
            environment: environment.merging(entries) { $1 },
            directory: directory,
            descriptorLimit: files,
            sandbox: sandbox
        )
        let child: ChildProcess
        do throws(SystemError) {
            child = try ChildProcess(program, isNonblocking: true)
        } catch {
            throw BundleProblem(ofStarting: path, error)
        }
        leaders[child.pid] = mark
        keepers[child.pid] = child.process.keeper
        histories[mark] = history
        marks.append(mark)
        if marks.count > Self.markLimit { histories[marks.removeFirst()] = nil }
        notifyGuardian(child.pid)
        return child
    }

    /// Reaps the process if it has ended, and kills the rest of its group.
    ///
    /// - Returns: How it ended; `nil` while it runs.
    func reap(_ child: ChildProcess) -> ExitStatus? {
        guard child.process.hasEnded else { return nil }
        // Reported to the guardian before the process is reaped: until then no other group can get its number.
        notifyGuardian(-child.pid)
        lastEnded = leaders.removeValue(forKey: child.pid).flatMap { histories[$0] }
        let status = child.process.reap()
        endNamespace(of: child.pid)
        return status
    }

    /// Kills the keeper of a leader's namespace, and with it the processes that left the leader's group.
    private func endNamespace(of leader: pid_t) {
        guard let keeper = keepers.removeValue(forKey: leader) else { return }
        lastEnded?.orphans += Self.children(of: keeper).count { getpgid($0) != leader }
        kill(keeper, SIGKILL)
        endedKeepers.insert(keeper)
    }

    /// Reaps the keepers that have ended since they were killed; each ends after the last process of its namespace.
    private func reapKeepers() { endedKeepers = endedKeepers.filter { waitpid($0, nil, WNOHANG) == 0 } }

    private static func random() -> String {
        String(UInt64.random(in: .min ... .max), radix: 16) + String(UInt64.random(in: .min ... .max), radix: 16)
    }

    private func startGuardian() {
        var pid: pid_t = 0
        let descriptor = csystem_guardian("PUSHHOST_HOST=\(token)", &pid)
        guardian = descriptor >= 0 ? (descriptor, pid) : nil
        for leader in leaders.keys { notifyGuardian(leader) }
    }

    private func notifyGuardian(_ group: pid_t) {
        if let guardian { csystem_guard(guardian.descriptor, group) }
    }

    /// The process and those of its descendants that the host or the keeper adopted.
    func processes(of child: ChildProcess) -> [pid_t] {
        if let keeper = keepers[child.pid] { return [child.pid] + Self.children(of: keeper) }
        guard let leader = leaders[child.pid] else { return [child.pid] }
        return [child.pid] + adopted.filter { mark(of: $0) == leader }
    }

    // MARK: Orphans

    /// Reaps adopted processes that ended and kills those whose extension ended; to be called when any child ended.
    ///
    /// - Returns: Whether killed processes are left that have not ended yet.
    @discardableResult
    public func sweep() -> Bool {
        guard !marks.isEmpty else { return false }
        while true {
            let pid = csystem_ended_child()
            guard pid > 0, leaders[pid] == nil else { break }
            waitpid(pid, nil, WNOHANG)
            // Somebody else killed it; from now on its number may be that of another process.
            keepers = keepers.filter { $0.value != pid }
            endedKeepers.remove(pid)
            guard let guardian, guardian.pid == pid else { continue }
            close(guardian.descriptor)
            startGuardian()
        }
        wakeGuardian()
        let adopted = adopted
        knownMarks = knownMarks.filter { adopted.contains($0.key) }
        killed.formIntersection(adopted)
        let running = Set(leaders.values)
        for pid in adopted where !killed.contains(pid) {
            let mark = mark(of: pid)
            guard mark.map({ !running.contains($0) }) ?? mayKillUnmarked, kill(pid, SIGKILL) == 0 else { continue }
            killed.insert(pid)
            (mark.flatMap { histories[$0] } ?? lastEnded)?.orphans += 1
        }
        return !killed.isEmpty || !endedKeepers.isEmpty
    }

    /// Whether an adopted child without a mark must come from an extension; not if this is process 1, which adopts the
    /// orphans of all programs.
    private var mayKillUnmarked: Bool { getpid() != 1 }

    private var children: [pid_t] { Self.children(of: getpid()) }

    private static func children(of pid: pid_t) -> [pid_t] {
        var capacity = 256
        while true {
            let found = [pid_t](unsafeUninitializedCapacity: capacity) { buffer, count in
                count = max(0, Int(csystem_children(pid, buffer.baseAddress, CInt(capacity))))
            }
            guard found.count == capacity else { return found }
            capacity *= 4
        }
    }

    private var adopted: [pid_t] {
        let known = earlierChildren.union(leaders.keys).union(keepers.values).union(endedKeepers)
        return children.filter { !known.contains($0) && $0 != guardian?.pid }
    }

    /// The mark of the group leader from which a process descends.
    private func mark(of pid: pid_t) -> String? {
        if let known = knownMarks[pid] { return known }
        let environment = FileManager.default.contents(atPath: "/proc/\(pid)/environ") ?? Data()
        let name = "PUSHHOST_EXTENSION="
        let entry = environment.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            .first { $0.hasPrefix(name) }
        let mark = entry.map { String($0.dropFirst(name.count)) }
        knownMarks[pid] = mark
        return mark
    }

    /// Continues the guardian if a signal stopped it.
    private func wakeGuardian() {
        guard let guardian else { return }
        var info = siginfo_t()
        guard waitid(P_PID, id_t(guardian.pid), &info, WSTOPPED | WNOHANG) == 0, info.si_signo == SIGCHLD else {
            return
        }
        kill(guardian.pid, SIGCONT)
    }

    /// Ends the guardian; to be called when no process is left.
    public func end() {
        for keeper in endedKeepers { csystem_reap(keeper) }
        endedKeepers = []
        guard let guardian else { return }
        kill(guardian.pid, SIGKILL)
        close(guardian.descriptor)
        waitpid(guardian.pid, nil, 0)
        self.guardian = nil
    }
}
