import Foundation
import JSON
import TestSupport
import Testing

extension Trait where Self == ConditionTrait {
    /// Skips a test, with a message, unless this process may become another user and change the limits of a host.
    static var needsSuperuser: Self {
        .enabled(if: geteuid() == 0, "did not run: only the superuser may do what it does to a host")
    }
}

/// A folder of bundles, and a folder for the sockets of the hosts that use them.
struct ControlSetup {
    let workspace: Workspace

    /// The value of `XDG_RUNTIME_DIR`.
    var runtime: String { "\(workspace.root)/run" }
    /// The folder of the sockets, which a host creates.
    var folder: String { "\(runtime)/pushhost" }

    static func open(_ body: (ControlSetup) throws -> Void) throws {
        try Workspace.open { workspace in
            let setup = ControlSetup(workspace: workspace)
            try FileManager.default.createDirectory(atPath: setup.runtime, withIntermediateDirectories: false)
            guard chmod(setup.runtime, 0o700) == 0 else { throw TestFailure("no folder for sockets") }
            try body(setup)
        }
    }

    /// Starts a host, and waits until it answers.
    ///
    /// - Parameters:
    ///   - options: Options besides the folders.
    ///   - plugins: The folder of bundles; that of the workspace by default.
    ///   - runtime: The value of `XDG_RUNTIME_DIR`, if it is another one.
    ///   - wrapper: A command that executes the command line that follows it.
    /// - Returns: The host.
    /// - Throws: If it does not answer.
    func host(
        _ options: [String] = [],
        plugins: String? = nil,
        runtime: String? = nil,
        under wrapper: [String] = []
    ) throws -> HostProcess {
        var environment = ProcessInfo.processInfo.environment
        environment["XDG_RUNTIME_DIR"] = runtime ?? self.runtime
        let host = try HostProcess(
            ["--plugins", plugins ?? workspace.plugins, "--data", workspace.data] + options,
            environment: environment,
            under: wrapper,
            unchecked: "a host that is recorded accepts no control connections"
        )
        // The socket is opened after the first iteration of the event loop, which may answer the first call.
        for _ in 1...2 { try host.result("ping") }
        return host
    }

    /// Runs `pushhost extensions reload`.
    func reload(_ arguments: [String] = []) throws -> CommandRun {
        try CommandRun.leavingNothing(["extensions", "reload"] + arguments, environment: ["XDG_RUNTIME_DIR": runtime])
    }

    /// The names in the folder of the sockets; none if it is missing.
    func names() throws -> [String] {
        guard FileManager.default.fileExists(atPath: folder) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder)
    }

    /// The path of the socket of a host.
    func socket(of host: HostProcess) throws -> String {
        let found = try names().filter { $0.hasPrefix("\(host.process.pid)-") && $0.hasSuffix(".sock") }
        guard let name = found.first, found.count == 1 else { throw TestFailure("the host has no socket: \(found)") }
        return "\(folder)/\(name)"
    }

    func connect(to host: HostProcess) throws -> UnixConnection { try UnixConnection(try socket(of: host)) }
}

extension UnixConnection {
    /// Sends a request with the id of its method.
    func send(_ method: String, _ params: JSON = [:]) throws {
        let request: JSON = ["jsonrpc": "2.0", "id": .string(method), "method": .string(method), "params": params]
        try write("\(request)\n")
    }

    /// The next message.
    func next() throws -> JSON {
        guard let line = try readLine() else { throw TestFailure("the host closed the control connection") }
        return try JSON(parsing: line)
    }

    /// Calls a method and returns the reply.
    func call(_ method: String, _ params: JSON = [:]) throws -> JSON {
        try send(method, params)
        return try next()
    }
}
