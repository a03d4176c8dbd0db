import Foundation
import TestSupport
import Testing

extension Trait where Self == ConditionTrait {
    /// Skips a test, with a message, on a system that does not list its processes as files.
    static var processesAreListed: Self {
        .enabled(if: Processes.areListed, "did not run: this system lists no processes under /proc")
    }
}

#if os(Linux)
@Suite struct ProcessListTests {
    @Test("Linux lists its processes as files, so that no test about them is skipped there")
    func areListed() {
        #expect(Processes.areListed)
        #expect(Processes.isRunning(getpid()))
    }
}
#endif

/// What the system reports about processes.
enum Processes {
    /// Whether the system lists its processes as files.
    static var areListed: Bool { FileManager.default.fileExists(atPath: "/proc/self/stat") }

    /// Whether the process runs; a zombie does not.
    static func isRunning(_ pid: Int32) -> Bool {
        guard let fields = status(pid) else { return false }
        return fields.first != "Z" && fields.first != "X"
    }

    /// Whether a signal was sent to a process that has not taken it, as one that is stopped does not.
    static func hasPending(_ signal: Int32, _ pid: Int32) -> Bool {
        let status = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("ShdPnd:") }
        let set = line.flatMap { UInt64($0.dropFirst(7).drop(while: \.isWhitespace), radix: 16) } ?? 0
        return set & (1 << UInt64(signal - 1)) != 0
    }

    /// The ids of a process's children, including zombies, except the guardian and the keepers.
    static func children(of pid: Int32) throws -> [Int32] {
        try allChildren(of: pid).filter { !["pushhost-guard", "pushhost-keeper"].contains(name($0)) }
    }

    /// The first processes of the namespaces of a host's extensions.
    static func keepers(of pid: Int32) throws -> [Int32] {
        try allChildren(of: pid).filter { name($0) == "pushhost-keeper" }
    }

    private static func allChildren(of pid: Int32) throws -> [Int32] {
        let threads: [String]
        do {
            threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")
        } catch {
            // It ended while it was looked at.
            guard isRunning(pid) else { return [] }
            throw error
        }
        return threads.flatMap { thread in
            let list = (try? String(contentsOfFile: "/proc/\(pid)/task/\(thread)/children", encoding: .utf8)) ?? ""
            return list.split(separator: " ").compactMap { Int32($0) }
        }
    }

    /// Returns the guardian process of a host; waits for it, because it has its name only some time after its start.
    static func awaitGuardian(of host: Int32) throws -> Int32 {
        var found: Int32?
        try wait(for: "the guardian") {
            found = try guardian(of: host)
            return found != nil
        }
        guard let found else { throw TestFailure("there is no guardian") }
        return found
    }

    /// The process that guards the children of a host.
    static func guardian(of pid: Int32) throws -> Int32? {
        try allChildren(of: pid).first { name($0) == "pushhost-guard" }
    }

    /// The running processes whose working folder is in a folder, or whose environment contains the marker.
    static func family(in folder: String, marker: String? = nil) throws -> [Int32] {
        try all.filter { pid in
            guard pid != getpid(), isRunning(pid) else { return false }
            let place = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/cwd")
            if let place, place == folder || place.hasPrefix("\(folder)/") { return true }
            guard let marker else { return false }
            return FileManager.default.contents(atPath: "/proc/\(pid)/environ")?.range(of: Data(marker.utf8)) != nil
        }
    }

    /// The environment entries with which a process was started.
    static func environment(of pid: Int32) -> [String] {
        let data = FileManager.default.contents(atPath: "/proc/\(pid)/environ") ?? Data()
        return data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }

    private static var all: [Int32] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) } }
    }

    private static func name(_ pid: Int32) -> String? {
        try? String(contentsOfFile: "/proc/\(pid)/comm", encoding: .utf8).trimmingCharacters(in: .newlines)
    }

    /// The processor time of a process and of its exited children, in milliseconds.
    static func processorTime(of pid: Int32) throws -> Int64 {
        guard let fields = status(pid) else { throw TestFailure("there is no process \(pid)") }
        // utime, stime, cutime and cstime, numbered from 14 in proc(5); the state is field 3.
        let ticks = fields[11...14].compactMap { Int64($0) }.reduce(0, +)
        return ticks * 1_000 / Int64(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// The resident memory of a process in bytes.
    static func residentMemory(of pid: Int32) -> Int {
        let pages = status(pid).flatMap { $0.count > 21 ? Int($0[21]) : nil } ?? 0
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// The number of bytes that a process wrote to any file or pipe.
    static func written(by pid: Int32) throws -> Int64 {
        let text = try String(contentsOfFile: "/proc/\(pid)/io", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix("wchar: ") }
        return line.flatMap { Int64($0.dropFirst(7)) } ?? 0
    }

    /// The number of open descriptors of a host; `nil` unless this process is root, because the host denies access to
    /// other processes of its user.
    static func descriptors(of pid: Int32) throws -> Int? {
        guard getuid() == 0 else { return nil }
        return try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count
    }

    /// Polls until a condition holds, if there is no event to wait for.
    static func wait(for goal: String, _ condition: () throws -> Bool) throws {
        let end = ContinuousClock.now + .seconds(ChildProcess.patience)
        while try !condition() {
            guard .now < end else { throw TestFailure("waited \(Int(ChildProcess.patience)) s for \(goal)") }
            usleep(5_000)
        }
    }

    /// The fields of /proc/PID/stat starting with the state, after the name, which may contain any character.
    private static func status(_ pid: Int32) -> [Substring]? {
        guard let data = FileManager.default.contents(atPath: "/proc/\(pid)/stat") else { return nil }
        let text = String(decoding: data, as: UTF8.self)
        guard let end = text.lastIndex(of: ")") else { return nil }
        return text[text.index(after: end)...].split(separator: " ")
    }
}
