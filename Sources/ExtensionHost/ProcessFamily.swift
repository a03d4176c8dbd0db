internal import CSystem
internal import Foundation
internal import Platform

/// Every process that the host starts, and all that those start: none outlives its extension, none the host.
///
/// An extension's process group is killed with it. Who left the group is adopted
/// by the host when its parent dies (on Linux) and known by its environment. A
/// guardian process kills both kinds when the host itself is killed; only who
/// left the group and cleared its environment escapes that.
///
/// - Important: Not thread-safe; owned by the thread of the loop.
public final class ProcessFamily {
    /// How many ended extensions are remembered, to tell whose their orphans are.
    private static let limit = 1_024

    /// The entry of the environment by which the guardian knows the host's.
    private let token = "\(getpid())-\(ProcessFamily.random())"
    private var guardian: (descriptor: CInt, pid: pid_t)?
    /// The running leaders of groups, with the mark that their environment has: one that nobody can guess.
    private var leaders: [pid_t: String] = [:]
    /// Whose leaders the last ones were, by that mark, and the order of those.
    private var histories: [String: ExtensionHistory] = [:]
    private var marks: [String] = []
    /// Whose leader ended last: one without an environment is most likely from there.
    private var lastEnded: ExtensionHistory?
    /// Children that were there before the first extension: those of whoever became us.
    private var foreigners: Set<pid_t> = []
    /// The marks of adopted processes, as long as these are there; none for those that have none.
    private var knownMarks: [pid_t: String?] = [:]
    /// Adopted processes that were killed and are not gone yet.
    private var killed: Set<pid_t> = []

    /// A family without members.
    public init() {}

    deinit { if let guardian { close(guardian.descriptor) } }

    // MARK: Members

    /// Starts a process that belongs to the family; its history counts what it leaves behind.
    func start(
        _ history: ExtensionHistory,
        path: String,
        directory: String,
        environment: [String: String],
        files: Int
    ) throws(BundleProblem) -> ChildProcess {
        if guardian == nil {
            if marks.isEmpty { foreigners = Set(children) }
            csystem_adopt_orphans()
            startGuardian()
        }
        let mark = Self.random()
        let entries = ["PUSHHOST_HOST": token, "PUSHHOST_EXTENSION": mark]
        let program = Program(
            path: path,
            environment: environment.merging(entries) { $1 },
            directory: directory,
            descriptorLimit: files
        )
        let child: ChildProcess
        do throws(SystemError) {
            child = try ChildProcess(program, isNonblocking: true)
        } catch {
            throw BundleProblem(ofStarting: path, error)
        }
        leaders[child.pid] = mark
        histories[mark] = history
        marks.append(mark)
        if marks.count > Self.limit { histories[marks.removeFirst()] = nil }
        tellGuardian(child.pid)
        return child
    }

    /// How the process ended, once it did; it then belongs to the family no more.
    func reap(_ child: ChildProcess) -> ExtensionFailure.Reason? {
        guard child.process.hasEnded else { return nil }
        // Told first: while the zombie is there, no other group can get its number.
        tellGuardian(-child.pid)
        lastEnded = leaders.removeValue(forKey: child.pid).flatMap { histories[$0] }
        return ExtensionFailure.Reason(child.process.reap())
    }

    private static func random() -> String {
        (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined()
    }

    private func startGuardian() {
        var pid: pid_t = 0
        let descriptor = csystem_guardian("PUSHHOST_HOST=\(token)", &pid)
        guardian = descriptor >= 0 ? (descriptor, pid) : nil
        for leader in leaders.keys { tellGuardian(leader) }
    }

    private func tellGuardian(_ group: pid_t) {
        if let guardian { csystem_guard(guardian.descriptor, group) }
    }

    /// The process and those of its descendants that are not below it any more.
    func processes(of child: ChildProcess) -> [pid_t] {
        guard let leader = leaders[child.pid] else { return [child.pid] }
        return [child.pid] + adopted.filter { mark(of: $0) == leader }
    }

    // MARK: Orphans

    /// Reaps adopted processes that ended and kills those whose extension did; to be called when any child ended.
    ///
    /// - Returns: Whether adopted processes of ended extensions are left, which are dying now.
    @discardableResult
    public func sweep() -> Bool {
        guard !marks.isEmpty else { return false }
        while true {
            let pid = csystem_ended_child()
            guard pid > 0, leaders[pid] == nil else { break }
            waitpid(pid, nil, WNOHANG)
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
        return !killed.isEmpty
    }

    /// Whether a child of ours without a mark is one that an extension left: as the first process of a system
    /// we get everybody's.
    private var mayKillUnmarked: Bool { getpid() != 1 }

    private var children: [pid_t] {
        var capacity = 256
        while true {
            let found = [pid_t](unsafeUninitializedCapacity: capacity) { buffer, count in
                count = max(0, Int(csystem_children(buffer.baseAddress, CInt(capacity))))
            }
            guard found.count == capacity else { return found }
            capacity *= 4
        }
    }

    private var adopted: [pid_t] {
        children.filter { leaders[$0] == nil && $0 != guardian?.pid && !foreigners.contains($0) }
    }

    /// The mark of the leader that started the process, directly or not.
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

    /// Lets the guardian go on where a signal stopped it.
    private func wakeGuardian() {
        guard let guardian else { return }
        var info = siginfo_t()
        guard waitid(P_PID, id_t(guardian.pid), &info, WSTOPPED | WNOHANG) == 0, info.si_signo == SIGCHLD else {
            return
        }
        kill(guardian.pid, SIGCONT)
    }

    /// Lets the guardian go: there is nobody left to guard.
    public func end() {
        guard let guardian else { return }
        kill(guardian.pid, SIGKILL)
        close(guardian.descriptor)
        waitpid(guardian.pid, nil, 0)
        self.guardian = nil
    }
}
