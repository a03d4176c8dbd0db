internal import ArgumentParser
internal import HostClient
internal import JSON
internal import Platform

/// Lets the hosts that run read their bundles again.
struct ReloadCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "Reload the bundles of running hosts.",
        prose: """
            It reaches every host of this user that serves a client, such as an editor. For each host it prints the \
            process identifier, the folders of bundles, the added, changed and removed bundles, and the problems of \
            all bundles. A host finishes its calls in flight first.

            It does not reach hosts that were started with --no-control, --record, --clock or --seed, or with \
            another XDG_RUNTIME_DIR.
            """,
        examples: [
            "pushhost extensions reload",
            "pushhost extensions reload --plugins plugins/game",
            "pushhost extensions reload --json | jq '.hosts[].result.changed'",
        ],
        exitCodes: """
            0 every host has reloaded its bundles; 1 a host refused, did not answer or cannot be reached; \
            64 wrong command line; 69 no such host is running; 128+n ended by signal n.
            """
    )

    /// How long a host may take to say which folders it uses, in milliseconds: it answers at once.
    private static let answerLimit: Int64 = 5_000

    @Option(
        help: ArgumentHelp(
            "Reload only hosts that use this folder of bundles, or this bundle; repeat for more.",
            valueName: "dir"
        ),
        completion: .directory
    )
    var plugins: [String] = []

    @Flag(help: "Restart all extensions, even if their bundles have not changed.")
    var force = false

    @Option(help: .milliseconds("Wait this long for each host."))
    var deadline = 90_000

    @Flag(help: "Print one JSON object with the result of each host.")
    var json = false

    func validate() throws {
        try requireBundles(plugins)
        try requireOption("deadline", deadline, in: 1...86_400_000)
    }

    static let failureCode: Int32 = 1

    func run(_ signals: SignalSource) throws(ClientError) -> Int32 {
        let folder = StandardFolders().control
        let limit = min(Int64(deadline), Self.answerLimit)
        let hosts = try runningHosts(in: folder, until: Clock.monotonic() + limit, signals)
        let chosen = hosts.filter { $0.mayUse(plugins) }
        // Each host reloads while the others do.
        for host in chosen { host.begin(force: force) }
        let end = Clock.monotonic() + Int64(deadline)
        for host in chosen { try host.finish(until: end) }
        if json { console.print(JSON.object(["hosts": JSON(chosen.map(\.json))])) }
        for host in chosen { host.print(showsResult: !json) }
        guard chosen.isEmpty else { return chosen.allSatisfy(\.hasReloaded) ? 0 : 1 }
        console.writeError(explanation(hosts, folder))
        return EX_UNAVAILABLE
    }

    /// The hosts whose sockets are in the folder; a socket whose host has ended is removed.
    private func runningHosts(
        in folder: ControlFolder,
        until deadline: Int64,
        _ signals: SignalSource
    ) throws(ClientError) -> [RunningHost] {
        let sockets: [ControlFolder.Socket]
        do throws(ControlFolder.Problem) { sockets = try folder.sockets() } catch {
            throw .failed("no host can be reached: \(error)")
        }
        var hosts: [RunningHost] = []
        for socket in sockets {
            if let host = RunningHost(socket, until: deadline, signals) { hosts.append(host) }
        }
        for host in hosts { try host.identify(until: deadline) }
        return hosts.filter { !$0.hasEnded }
    }

    /// Why no host was reloaded.
    private func explanation(_ hosts: [RunningHost], _ folder: ControlFolder) -> String {
        guard hosts.isEmpty else {
            let others = hosts.map { $0.name }.joined(separator: ", ")
            return "no host uses \(plugins.joined(separator: ", ")); there is \(others)"
        }
        return "no host runs that can be reached: \(folder.path) has no socket of a running host"
    }
}

/// A host that runs already, and what it answers to a request to reload its bundles.
private final class RunningHost {
    let pid: Int32
    private let client: ControlClient?
    /// The folders of its bundles; nil until the host has said it.
    private var plugins: [String]?
    private var request: Int64?
    private var result: JSON?
    /// Why it cannot be used.
    private var failure: ClientError?

    /// Connects to a host; nil if it has ended, and its socket is then removed.
    init?(_ socket: ControlFolder.Socket, until deadline: Int64, _ signals: SignalSource) {
        pid = socket.pid
        do throws(ClientError) {
            let limit = Int32(clamping: max(1, deadline - Clock.monotonic()))
            guard let client = try ControlClient(socket, limit: limit, signals: signals) else { return nil }
            self.client = client
            request = client.send("status")
        } catch {
            client = nil
            failure = error
        }
    }

    /// Waits until the host has said which folders it uses.
    ///
    /// - Throws: Only a signal to this process.
    func identify(until deadline: Int64) throws(ClientError) {
        plugins = try answer("status", until: deadline)?["plugins"]?.array?.compactMap(\.string)
    }

    /// What it is called in texts for people: its process identifier, with its folders if it has said them.
    var name: String { "host \(pid)" + (plugins.map { " (\($0.joined(separator: ", ")))" } ?? "") }

    /// Whether it ended before it said that.
    var hasEnded: Bool { plugins == nil && client?.isAtEnd == true }

    /// Whether it may use one of the folders, or a folder that contains it; true without folders.
    func mayUse(_ folders: [String]) -> Bool {
        // A host that has not said which folders it uses is reported as one that cannot be reloaded.
        guard let plugins, !folders.isEmpty else { return true }
        let own = plugins.compactMap(Paths.resolved)
        return folders.compactMap(Paths.resolved).contains { folder in
            own.contains { folder == $0 || Paths.lies(folder, in: $0) }
        }
    }

    // MARK: Reloading

    /// Asks it to reload its bundles.
    func begin(force: Bool) {
        guard failure == nil else { return }
        request = client?.send("reloadExtensions", ["force": .bool(force)])
    }

    /// Waits until it has reloaded them.
    ///
    /// - Throws: Only a signal to this process.
    func finish(until deadline: Int64) throws(ClientError) {
        result = try answer("reloadExtensions", until: deadline)
    }

    var hasReloaded: Bool { result != nil }

    private func answer(_ method: String, until deadline: Int64) throws(ClientError) -> JSON? {
        guard failure == nil, let client, let request else { return nil }
        do throws(ClientError) {
            return try client.result(of: method, request, until: deadline)
        } catch {
            if case .interrupted = error { throw error }
            failure = error
            return nil
        }
    }

    // MARK: The report

    var json: JSON {
        var reason: String?
        if case .refused(let refusal) = failure { reason = refusal.reason }
        return JSON(present: [
            "pid": .integer(Int64(pid)), "plugins": plugins.map { JSON($0.map(JSON.string)) }, "result": result,
            "error": failure.map {
                JSON(present: ["message": .string($0.text), "reason": reason.map(JSON.string)])
            },
        ])
    }

    /// Prints what changed and the problems, and an error on stderr.
    func print(showsResult: Bool) {
        if let failure { console.writeError("\(name): \(failure.text)") }
        guard showsResult, let result else { return }
        let changes = ["added", "changed", "removed"].compactMap { kind -> String? in
            let names = result[kind]?.array?.compactMap(\.string) ?? []
            return names.isEmpty ? nil : "\(kind) \(names.joined(separator: ", "))"
        }
        let text = changes.isEmpty ? "nothing changed" : changes.joined(separator: "; ")
        console.write(PlainText.escaped("\(name): \(text)") + "\n")
        for problem in result["problems"]?.array.map(Array.init) ?? [] { console.write(BundleList.line(for: problem)) }
    }
}
