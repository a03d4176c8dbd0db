internal import CSystem
internal import Foundation

/// Every process that the host starts, and all that those start: none outlives its extension, none the host.
///
/// An extension's process group is killed with it. Who left the group is adopted
/// by the host when its parent dies (on Linux) and known by its environment. A
/// guardian process kills both kinds when the host itself is killed.
///
/// - Important: Not thread-safe; owned by the thread of the loop.
public final class ProcessFamily {
    /// The most adopted processes that are looked at at once.
    private static let limit = 1_024

    private let token = "\(getpid())-\(String(UInt64.random(in: .min ... .max), radix: 16))"
    private var guardian: (descriptor: CInt, pid: pid_t)?
    /// The running leaders of groups, with the number that their environment has.
    private var leaders: [pid_t: Int] = [:]
    /// Whose leaders the last ones were, by that number.
    private var histories: [Int: ExtensionHistory] = [:]
    /// Whose leader ended last: one without an environment is most likely from there.
    private var lastEnded: ExtensionHistory?
    private var lastNumber = 0
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
            csystem_adopt_orphans()
            startGuardian()
        }
        lastNumber += 1
        let marks = ["PUSHHOST_HOST": token, "PUSHHOST_EXTENSION": mark(lastNumber)]
        let child = try ChildProcess(
            path: path,
            directory: directory,
            environment: environment.merging(marks) { $1 },
            files: files
        )
        leaders[child.pid] = lastNumber
        histories[lastNumber] = history
        histories[lastNumber - Self.limit] = nil
        tellGuardian(child.pid)
        return child
    }

    /// How the process ended, once it did; it then belongs to the family no more.
    func reap(_ child: ChildProcess) -> ExtensionFailure.Reason? {
        guard child.hasEnded else { return nil }
        // Told first: while the zombie is there, no other group can get its number.
        tellGuardian(-child.pid)
        lastEnded = leaders.removeValue(forKey: child.pid).flatMap { histories[$0] }
        return child.reap()
    }

    private func mark(_ number: Int) -> String { "\(token).\(number)" }

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
        return [child.pid] + adopted.filter { number(of: $0) == leader }
    }

    // MARK: Orphans

    /// Reaps adopted processes that ended and kills those whose extension did; to be called when any child ended.
    ///
    /// - Returns: Whether adopted processes of ended extensions are left, which are dying now.
    @discardableResult
    public func sweep() -> Bool {
        guard lastNumber > 0 else { return false }
        while true {
            let pid = csystem_ended_child()
            guard pid > 0, leaders[pid] == nil else { break }
            waitpid(pid, nil, WNOHANG)
            guard let guardian, guardian.pid == pid else { continue }
            close(guardian.descriptor)
            startGuardian()
        }
        let running = Set(leaders.values)
        let orphans = adopted.map { ($0, number(of: $0)) }.filter { $1.map { !running.contains($0) } ?? true }
        for (pid, number) in orphans where killed.insert(pid).inserted {
            kill(pid, SIGKILL)
            (number.flatMap { histories[$0] } ?? lastEnded)?.orphans += 1
        }
        killed.formIntersection(orphans.map { $0.0 })
        return !orphans.isEmpty
    }

    private var adopted: [pid_t] {
        let children = [pid_t](unsafeUninitializedCapacity: Self.limit) { buffer, count in
            count = max(0, Int(csystem_children(buffer.baseAddress, CInt(buffer.count))))
        }
        return children.filter { leaders[$0] == nil && $0 != guardian?.pid }
    }

    /// The number of the leader that started the process, directly or not.
    private func number(of pid: pid_t) -> Int? {
        guard let environment = FileManager.default.contents(atPath: "/proc/\(pid)/environ") else { return nil }
        let prefix = "PUSHHOST_EXTENSION=\(token)."
        let entry = environment.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            .first { $0.hasPrefix(prefix) }
        return entry.flatMap { Int($0.dropFirst(prefix.count)) }
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
