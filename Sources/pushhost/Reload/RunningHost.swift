internal import HostClient
internal import JSON
internal import Platform

/// A host that runs already, and what it answers to a request to reload its bundles.
final class RunningHost {
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
        if let failure { Terminal.writeError("\(name): \(failure.text)") }
        guard showsResult, let result else { return }
        let changes = ["added", "changed", "removed"].compactMap { kind -> String? in
            let names = result[kind]?.array?.compactMap(\.string) ?? []
            return names.isEmpty ? nil : "\(kind) \(names.joined(separator: ", "))"
        }
        let text = changes.isEmpty ? "nothing changed" : changes.joined(separator: "; ")
        Terminal.write(PlainText.escaped("\(name): \(text)") + "\n")
        for problem in result["problems"]?.array.map(Array.init) ?? [] { Terminal.write(BundleList.line(for: problem)) }
    }
}
