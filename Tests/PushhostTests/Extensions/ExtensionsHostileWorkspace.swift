import Foundation
import JSON
import TestSupport
import Testing

/// A host with hostile extensions and a good one, which checks that no process and no descriptor of theirs remains.
final class HostileWorkspace {
    let bundles: Workspace
    let host: HostProcess
    /// The number of the host's open descriptors while no extension runs.
    private let descriptors: Int?
    /// The environment variable that identifies the host's processes.
    private let marker: String
    private let guardian: Int32
    private var isFinished = false
    private static let group: JSON = ["suite": .string(Workspace.group)]

    /// Starts a host for the closure, and verifies that nothing of its extensions remains afterwards.
    ///
    /// - Parameters:
    ///   - options: The options of the host.
    ///   - prepare: Adds the hostile bundles.
    ///   - body: Uses the extensions.
    /// - Throws: The errors of the closures, and an error if the host cannot be started or ended.
    static func open(
        _ options: [String] = [],
        prepare: (Workspace) throws -> Void,
        body: (HostileWorkspace) throws -> Void = { _ in }
    ) throws {
        try Workspace.open { workspace in
            try prepare(workspace)
            try workspace.add("good", saving: true)
            let hostile = try HostileWorkspace(workspace, try workspace.host(["--stop-grace", "400"] + options))
            try body(hostile)
            try hostile.close()
        }
    }

    private init(_ workspace: Workspace, _ host: HostProcess) throws {
        bundles = workspace
        self.host = host
        // The call opens the suite and starts the guardian process; both remain.
        _ = try host.shown("good")
        marker = try #require(Processes.environment(of: host.pid(of: "good")).first { $0.hasPrefix("PUSHHOST_HOST=") })
        guardian = try Processes.awaitGuardian(of: host.process.pid)
        try Self.stopAll(host)
        descriptors = try Processes.descriptors(of: host.process.pid)
    }

    /// Stops all extensions, and waits until they and all processes that they started have exited.
    private static func stopAll(_ host: HostProcess) throws {
        try host.result("reloadExtensions", ["force": true])
        try Processes.wait(for: "the end of all children") {
            try Processes.children(of: host.process.pid) + Processes.keepers(of: host.process.pid) == []
        }
        // A child exits before its pipes are closed, but the event loop handles both in one iteration.
        try host.result("ping")
    }

    /// The number of events in the extensions' suite.
    func savedEvents() throws -> Int64? {
        try host.result("pending", Self.group)["total"]?.integer
    }

    /// Checks that nothing of any extension remains, while the host runs and after it.
    private func close() throws {
        guard !isFinished else { return }
        try Self.stopAll(host)
        #expect(
            try Processes.descriptors(of: host.process.pid) == descriptors,
            "the host has more open descriptors than before"
        )
        let remaining = try Processes.family(in: bundles.root, marker: marker)
        #expect(remaining == [], "processes of extensions still run")
        try finish()
    }

    /// Ends the host, whatever it is doing, and checks that no process of it and no unread reply remains.
    func finish() throws {
        isFinished = true
        guard try host.finish() == .code(0) else {
            throw TestFailure("the host did not end with 0: \(host.process.standardError.suffix(2_000))")
        }
        #expect(
            try Processes.family(in: bundles.root, marker: marker) == [],
            "processes of extensions still run after the host"
        )
        #expect(!Processes.isRunning(guardian), "the guardian still runs")
        #expect(throws: TestFailure.self, "the host sent more replies than it received requests") { try host.reply() }
    }
}

/// An extension that does something wrong, and the expected outcome for its caller.
struct HostileExtension: Sendable, CustomTestStringConvertible {
    /// What the host answers to the caller.
    enum Answer: Sendable {
        /// The expected view.
        case view
        /// An error with this code and reason.
        case error(Int64, String)
    }

    /// The name of its bundle, and the behaviour of the hostile extension if there is no script.
    let name: String
    var answer = Answer.view
    /// Texts that the error's message must contain.
    var message: [String] = []
    /// Members that the error's data must contain.
    var data: [String: JSON] = [:]
    /// The end of the stderr excerpt in the error's data.
    var standardError: String?
    /// The host's options.
    var options: [String] = []
    /// A shell script that runs in place of the hostile extension.
    var script: String?
    /// Modifies the finished bundle.
    var change: (@Sendable (_ bundle: String) throws -> Void)?
    /// Whether a process is started at all.
    var isStarted: Bool { if case .error(120, _) = answer { false } else { true } }
    /// Whether its process survives the answer.
    var survives = false
    /// Whether other callers receive their replies before its caller does.
    var isLate = false
    /// The number of events that it saves in each call.
    var saves: Int64 = 1

    var testDescription: String { name }

    /// Makes the bundle.
    func add(to workspace: Workspace) throws {
        let folder =
            if let script {
                try workspace.add(named: name, script: script)
            } else {
                try workspace.add(name, saving: true)
            }
        try change?(folder)
    }

    /// Returns a modified copy.
    func with(_ change: (inout HostileExtension) -> Void) -> HostileExtension {
        var copy = self
        change(&copy)
        return copy
    }
}
