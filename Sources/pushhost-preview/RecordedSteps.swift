internal import HostClient
internal import JSON
internal import Platform

/// What was done since the last push, to be saved as a session that `pushhost replay` runs.
struct RecordedSteps {
    /// A session of more steps than this is not saved.
    private static let limit = 1_000
    /// The time of a session if the clock was not fixed.
    private static let clock = "2026-01-01T00:00:00Z"

    /// The calls; the member `notification` is added when they are made.
    private(set) var calls: [(method: String, params: MemberList)] = []

    /// When the last step was added, on the monotonic clock.
    private var lastTime: Int64 = 0

    /// Begins with a push.
    mutating func begin(_ params: MemberList) {
        calls = []
        add("didReceive", params)
    }

    /// Adds a step.
    mutating func add(_ method: String, _ params: MemberList) {
        if calls.count <= Self.limit { calls.append((method, params)) }
        lastTime = Clock.monotonic()
    }

    /// Adds the time since the last step, in which a timer of the extension changed something.
    mutating func wait() {
        let milliseconds = min(max(Clock.monotonic() - lastTime, 1), 86_400_000)
        add("advanceClock", ["milliseconds": .integer(milliseconds)])
    }

    /// Does the steps again in a host of their own, with new suites and a fixed clock and seed, and records them.
    ///
    /// The preview's own recording would not do: what happened before would be missing in a replay.
    ///
    /// - Parameters:
    ///   - settings: The settings of the preview.
    ///   - clock: The time to which the clock is fixed; empty for a standard one.
    ///   - signals: The signals to this process.
    /// - Returns: The recording.
    /// - Throws: Why it cannot be made.
    func recording(
        _ settings: PreviewSettings,
        clock: String,
        _ signals: SignalSource
    ) throws(ClientError) -> String {
        guard let push = calls.first else { throw .failed("nothing was shown yet") }
        guard calls.count <= Self.limit else {
            throw .failed("more than \(Self.limit) steps were done since the push; push again and do fewer")
        }
        let folder = try TemporaryFolder.create(prefix: "pushhost-session")
        defer { folder.remove() }
        let file = "\(folder.path)/session.jsonl"
        let seed = settings.arguments.contains("--seed") ? [] : ["--seed", "1"]
        let own = ["--data", "\(folder.path)/data", "--record", file, "--clock", clock.isEmpty ? Self.clock : clock]
        let program = Program(
            path: settings.program,
            arguments: ["serve", "--no-control"] + own + seed + settings.arguments
        )
        let client = try HostClient(program, signals: signals)
        do throws(ClientError) {
            try run(client, push)
        } catch {
            _ = client.stop(isHasty: true)
            throw error
        }
        _ = client.stop(isHasty: false)
        guard let text = FileManager.default.contents(atPath: file) else {
            throw .failed("the host recorded nothing")
        }
        return String(decoding: text, as: UTF8.self)
    }

    private func run(
        _ client: HostClient,
        _ push: (method: String, params: MemberList)
    ) throws(ClientError) {
        _ = try client.call("subscribe", ["topics": ["viewDidChange", "didDismiss", "didSave", "openApplication"]])
        let shown = try client.call(push.method, JSON(present: push.params)).message
        let notification = shown["result"]?["notification"] ?? .null
        for (method, params) in calls.dropFirst() {
            _ = try client.call(method, JSON(present: ["notification": notification] + params))
        }
        // What was saved is a part of the test.
        let suites = try client.result("suites")["suites"]?.array ?? .init([])
        for suite in suites.compactMap({ $0["suite"] }) { _ = try client.call("pending", ["suite": suite]) }
    }
}
