import Foundation
import TestSupport

/// A `nats-server` with JetStream on this machine, which can be killed, frozen and started again with its files.
final class NATSServer {
    /// The port for clients; it stays the same after a restart.
    private(set) var port: Int
    /// Its name in a cluster.
    let name: String
    /// The text of its configuration file, which it reads when it starts.
    var configuration: String
    /// The disk of its store; nil if it has none of its own.
    let disk: SmallDisk?
    private let folder: String
    private let options: [String]
    private var process: ChildProcess?

    /// Starts a server and waits until it accepts clients.
    ///
    /// - Parameters:
    ///   - configuration: Text for its configuration file, for example accounts or TLS.
    ///   - name: Its name.
    ///   - port: Its port; by default a free one.
    ///   - options: More options of its command line.
    ///   - hasDisk: Whether its store has a disk of its own.
    /// - Throws: Why it does not start.
    init(
        _ configuration: String = "",
        name: String = "n1",
        port: Int? = nil,
        options: [String] = [],
        hasDisk: Bool = false
    ) throws {
        self.name = name
        self.configuration = configuration
        let root = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
        folder = "\(root)/pushhost-tests-nats-\(UUID().uuidString)"
        self.options = options
        self.port = try port ?? Self.freePorts(1)[0]
        try FileManager.default.createDirectory(atPath: "\(folder)/store", withIntermediateDirectories: true)
        disk = hasDisk ? try SmallDisk(at: "\(folder)/store") : nil
        // Another process may take a port before the server does.
        for _ in 0..<4 where port == nil {
            if (try? start()) != nil { return }
            self.port = try Self.freePorts(1)[0]
        }
        try start()
    }

    deinit {
        try? kill()
        try? disk?.unmount()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// The URL for clients.
    var url: String { "nats://127.0.0.1:\(port)" }

    /// The lines that it logged since it was first started.
    var log: String { (try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)) ?? "" }

    /// Starts it, or starts it again with the same files and the same port.
    func start() throws {
        // The client of a test answers no ping while its test waits for a host, which may take minutes.
        let text = "ping_interval: \"1h\"\n\(configuration)"
        try text.write(toFile: "\(folder)/server.conf", atomically: true, encoding: .utf8)
        let program = try Self.program()
        // The shell becomes the server. Another one reads its log, and passes on the lines for which tests wait.
        let script = #"""
            log=$1; shift
            exec "$@" 2> >(while IFS= read -r line; do
                printf '%s\n' "$line" >> "$log"
                case $line in *"Server is ready"* | *FTL*) printf '%s\n' "$line" ;; esac
            done)
            """#
        let own = ["-a", "127.0.0.1", "-p", "\(port)", "-js", "-sd", "\(folder)/store", "-n", name]
        let arguments = own + ["-c", "\(folder)/server.conf"] + options
        // A server that is killed in a cluster may write files into its working folder.
        process = try ChildProcess(
            "bash",
            ["-c", script, "bash", "\(folder)/log", program] + arguments,
            directory: folder
        )
        try awaitReadiness()
    }

    private func awaitReadiness() throws {
        var reason = "it ended"
        do {
            while let line = try process?.readLine() {
                if line.contains("Server is ready") { return }
                if line.contains("[FTL]") { throw TestFailure("it does not start") }
            }
        } catch {
            reason = "\(error)"
        }
        throw TestFailure("nats-server \(name) is not ready: \(reason); its log ends: \(log.suffix(3_000))")
    }

    /// Waits until it logs that its disk is full.
    func awaitFullDisk() throws {
        let deadline = ContinuousClock.now + .seconds(ChildProcess.patience)
        // Its log is a file, which tells nobody that it grows.
        while !log.contains("no space left on device") {
            guard ContinuousClock.now < deadline else {
                throw TestFailure("\(name) does not notice that its disk is full; its log ends: \(log.suffix(3_000))")
            }
            usleep(100_000)
        }
    }

    /// Kills it without warning, as a power loss does.
    func kill() throws { try end(SIGKILL) }

    /// Asks it to end; it closes its connections and files.
    func stop() throws { try end(SIGTERM) }

    private func end(_ signal: Int32) throws {
        guard let process else { return }
        process.kill(SIGCONT)
        process.kill(signal)
        _ = try process.wait()
    }

    /// Freezes it: its connections stay open, and nothing is answered.
    func freeze() { process?.kill(SIGSTOP) }

    /// Ends a freeze.
    func thaw() { process?.kill(SIGCONT) }

    /// The program: the one that the variable `NATS_SERVER` names, or Debian's.
    private static func program() throws -> String {
        if let path = ProcessInfo.processInfo.environment["NATS_SERVER"] { return path }
        return try Tool(name: "nats-server", package: "nats-server").path(or: "/usr/sbin/nats-server")
    }

    /// Some ports of the loopback interface that are free now, below those that the system gives to connections: it would
    /// give one to somebody else before a server listens there.
    static func freePorts(_ count: Int) throws -> [Int] {
        var found: Set<Int> = []
        for _ in 0..<1_000 where found.count < count {
            let port = Int.random(in: 10_000..<32_768)
            if isFree(port) { found.insert(port) }
        }
        guard found.count == count else { throw TestFailure("there are no \(count) free ports") }
        return Array(found)
    }

    private static func isFree(_ port: Int) -> Bool {
        #if os(Linux)
        let type = Int32(SOCK_STREAM.rawValue)
        #else
        let type = SOCK_STREAM
        #endif
        let descriptor = socket(AF_INET, type, 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        address.sin_port = UInt16(port).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}

/// A disk of a folder, which can be full; only root can make one.
struct SmallDisk {
    /// Whether this process may make one.
    static let isPossible = geteuid() == 0

    private let folder: String

    init(at folder: String) throws {
        self.folder = folder
        try Self.run("mount", "-t", "tmpfs", "-o", "size=4g", "tmpfs", folder)
    }

    /// Takes all free space; a process that writes meanwhile may use it first.
    func fill() throws {
        var problem: any Error = TestFailure("\(folder) cannot be filled")
        for _ in 0..<100 {
            var status = statvfs()
            guard statvfs(folder, &status) == 0 else { throw TestFailure("there is no disk \(folder)") }
            let used = UInt(status.f_blocks - status.f_bfree) * UInt(status.f_frsize)
            do { return try Self.run("mount", "-o", "remount,size=\(used)", folder) } catch { problem = error }
        }
        throw problem
    }

    /// Gives the space back.
    func free() throws { try Self.run("mount", "-o", "remount,size=4g", folder) }

    func unmount() throws { try Self.run("umount", "-l", folder) }

    private static func run(_ program: String, _ arguments: String...) throws {
        let process = try ChildProcess(program, arguments)
        guard try process.wait() == .code(0) else {
            throw TestFailure("\(program) \(arguments.joined(separator: " ")): \(process.standardError)")
        }
    }
}

extension Tool {
    /// Finds the program in `PATH` or at a path that is not in the `PATH` of all users.
    func path(or other: String) throws -> String {
        if FileManager.default.isExecutableFile(atPath: other) { return other }
        return try path()
    }
}
