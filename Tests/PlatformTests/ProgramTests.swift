import CSystem
import Foundation
import Platform
import Synchronization
import TestSupport
import Testing

@Suite(.waits) struct ProgramTests {
    /// Starts a shell with a script.
    private func shell(_ script: String, isNonblocking: Bool = false) throws -> Platform.ChildProcess {
        let program = Program(
            path: "/bin/sh",
            arguments: ["-c", script],
            environment: ["GREETING": "hello world", "EMPTY": ""],
            directory: "/"
        )
        return try Platform.ChildProcess(program, isNonblocking: isNonblocking)
    }

    /// Reads a descriptor to its end.
    private func text(_ descriptor: Int32) throws -> String {
        String(decoding: try Descriptors.readAll(descriptor, limit: 64 << 10), as: UTF8.self)
    }

    @Test("A program gets exactly the given arguments, environment, folder and three pipes")
    func started() throws {
        let child = try shell(#"read line; echo "$line $GREETING $(pwd)"; echo "${HOME-none}" >&2; exit 7"#)
        try Descriptors.writeAll(Array("in\n".utf8)[...], to: child.input)
        #expect(try text(child.output) == "in hello world /\n")
        #expect(try text(child.error) == "none\n")
        #expect(child.process.reap() == .code(7))
        #expect(!child.wasTerminated)
    }

    @Test("The exit by a signal is reported, and whether this process sent the signal")
    func signalled() throws {
        let child = try shell("cat")
        #expect(!child.process.hasEnded)
        child.signal(SIGTERM)
        #expect(child.wasTerminated)
        // The end of its stdout shows that it has exited.
        #expect(try text(child.output) == "")
        #expect(child.process.reap() == .signal(SIGTERM))
    }

    @Test("A program that reads its stdin exits at its end, and a closed end stays closed")
    func closed() throws {
        let child = try shell("cat; echo end")
        child.closeInput()
        child.closeInput()
        #expect(child.input == -1)
        #expect(try text(child.output) == "end\n")
        child.closeOutput()
        child.closeError()
        #expect([child.output, child.error] == [-1, -1])
        #expect(child.process.reap() == .code(0))
    }

    @Test("A path of a sandbox that must be resolved opens nothing if it, or a folder of it, became a link")
    func resolvedPaths() throws {
        let folder = try TemporaryFolder(prefix: "pushhost-tests")
        defer { folder.remove() }
        let letter = "\(folder.path)/letter"
        try Data("text".utf8).write(to: URL(filePath: letter))
        for (name, target) in [("link", "letter"), ("folder", ".")] {
            try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/\(name)", withDestinationPath: target)
        }
        func read(readable: [String] = [], resolved: [String] = []) throws -> String {
            let program = Program(
                path: "/bin/cat",
                arguments: [letter],
                environment: [:],
                directory: "/",
                sandbox: Sandbox(readable: readable, resolved: resolved, writable: [], network: .none)
            )
            let child = try Platform.ChildProcess(program, isNonblocking: false)
            defer { child.process.endNamespace() }
            let text = try text(child.output)
            _ = child.process.reap()
            return text
        }
        #expect(try read(resolved: [letter]) == "text")
        #expect(try read(readable: ["\(folder.path)/link"]) == "text")
        for path in ["link", "folder/letter", "folder"] {
            #expect(try read(resolved: ["\(folder.path)/\(path)"]) == "", "\(path)")
        }
    }

    @Test("A stop and a continuation are reported once each")
    func suspended() throws {
        let child = try shell("kill -STOP $$; echo on")
        var seen: StartedProcess.Suspension?
        while seen == nil { seen = child.process.nextSuspension() }
        #expect(seen == .stopped(by: SIGSTOP))
        #expect(child.process.nextSuspension() == nil)
        child.signal(SIGCONT)
        #expect(try text(child.output) == "on\n")
        #expect(child.process.reap() == .code(0))
    }

    @Test(
        "A program that cannot be started is a system error, and leaves no descriptor open",
        arguments: [("/nowhere/at/all", "/", ENOENT), ("/bin/sh", "/nowhere", ENOENT), ("/", "/", EACCES)]
    )
    func refused(path: String, directory: String, number: Int32) {
        #expect(throws: SystemError(number)) {
            _ = try Platform.ChildProcess(Program(path: path, directory: directory), isNonblocking: false)
        }
    }

    #if os(Linux)
    @Test(
        "A start in a namespace whose helper is killed fails, and no process of it is left",
        .enabled(if: csystem_can_hide_processes() != 0, "this system refuses namespaces of processes"),
        .noThreadSanitizer
    )
    func killedHelper() throws {
        let pipe = try Descriptors.makePipe()
        defer { pipe.close() }
        let started = Mutex<[pid_t]>([])
        // The thread of the start waits for the helper, and the helper for the child, which names its namespace.
        let killer = Thread {
            var name = [UInt8](repeating: 0, count: 64)
            let length = Platform.read(pipe.reading, &name, name.count)
            let its = String(decoding: name.prefix(length), as: UTF8.self)
            let namespace = { (pid: pid_t, name: String) in Paths.target(ofLink: "/proc/\(pid)/ns/\(name)") }
            let ours = namespace(getpid(), "pid")
            guard its.hasPrefix("pid:["), its != ours else { return }
            var pids = [pid_t](repeating: 0, count: 1_000)
            let count = Int(csystem_children(getpid(), &pids, CInt(pids.count)))
            // Another test may start children in namespaces of their own meanwhile.
            let apart = pids.prefix(max(0, count)).filter { namespace($0, "pid_for_children") == its }
            started.withLock { $0 = apart }
            // Only its children are in another namespace.
            for pid in apart where namespace(pid, "pid") == ours { kill(pid, SIGKILL) }
        }
        killer.start()
        var keeper: pid_t = 0
        var writing = pipe.writing
        let child = csystem_start_apart(
            { argument in
                withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { name in
                    guard let start = name.baseAddress else { return }
                    let length = readlink("/proc/self/ns/pid", start, name.count)
                    _ = Platform.write(argument?.load(as: Int32.self) ?? -1, start, max(0, length))
                }
                while true { pause() }
            },
            &writing,
            &keeper
        )
        #expect(child == -EIO && keeper == 0)
        let pids = started.withLock { $0 }
        #expect(pids.count == 3 && pids.allSatisfy { kill($0, 0) != 0 }, "\(pids)")
    }
    #endif
}
