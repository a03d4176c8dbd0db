import Foundation
import JSON

// The processes that it starts and the memory and time that it uses.

extension Hostile {
    /// Starts the processes of its behaviour during a call.
    func start(_ call: Call) {
        switch behaviour {
        case .grandchild: tell(child(["sleep", "60"]))
        case .escapedGrandchild: tell(child(["sleep", "60"], escapes: true))
        case .escapedFlood: tell(child(["yes", "this is no message"], escapes: true))
        case .daemonises, .daemonisesAndEnds: daemon("sleep 60")
        case .daemonisesBare: daemon("exec env -i sleep 60")
        case .multiplies, .multipliesAndEnds: for index in 0..<30 { child(["sleep", "60"], escapes: index % 2 == 0) }
        case .joinsHostGroup: setpgid(0, getpgid(getppid()))
        default: break
        }
    }

    /// Uses the memory or time of its behaviour during a call.
    func use(_ call: Call) {
        switch behaviour {
        case .hogsMemory: hogMemory()
        case .hogsMemoryByChild:
            child([CommandLine.arguments[0], Behaviour.hogsMemoryAtStart.rawValue])
            stay()
        case .hogsMemoryByDaemon:
            daemon("exec '\(CommandLine.arguments[0])' \(Behaviour.hogsMemoryAtStart)")
            stay()
        case .growsMemory: growMemory(mebibytes: 1)
        case .burnsProcessor: while true {}
        case .changesBundle: try? Data(UUID().uuidString.utf8).write(to: URL(filePath: "cards.txt"))
        default: break
        }
    }

    func hogMemory() -> Never {
        for _ in 0..<64 { growMemory(mebibytes: 16) }
        stay()
    }

    private func growMemory(mebibytes: Int) {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: mebibytes << 20, alignment: 16)
        memset(memory, 1, mebibytes << 20)
        // It fails, but an optimizer, which leaves out memory that nothing reads, does not know that.
        _ = write(-1, memory, mebibytes << 20)
    }

    /// Starts a process in a new session, whose parent exits at once, and waits for the parent.
    private func daemon(_ script: String) {
        let parent = child(["sh", "-c", "(\(script)) & echo $! > grandchild"], escapes: true)
        while waitpid(parent, nil, 0) < 0 && errno == EINTR {}
    }

    @discardableResult
    private func child(_ command: [String], escapes: Bool = false) -> pid_t {
        #if os(Linux)
        var attributes = posix_spawnattr_t()
        // POSIX_SPAWN_SETSID, which Swift's Glibc hides.
        let ownSession: Int16 = 0x80
        #else
        var attributes: posix_spawnattr_t?
        let ownSession = Int16(POSIX_SPAWN_SETSID)
        #endif
        posix_spawnattr_init(&attributes)
        if escapes { posix_spawnattr_setflags(&attributes, ownSession) }
        var arguments = command.map { strdup($0) } + [nil]
        var pid: pid_t = 0
        guard posix_spawnp(&pid, command[0], nil, &attributes, &arguments, environ) == 0 else { exit(99) }
        return pid
    }

    private func tell(_ pid: pid_t) { try? Data("\(pid)".utf8).write(to: URL(filePath: "grandchild")) }
}
