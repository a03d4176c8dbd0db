import Foundation
import JSON
import TestSupport
import Testing

/// A host with hostile extensions and a good one, which must always be served.
///
/// Nothing of any extension may remain.
final class Zoo {
    let workshop: Workshop
    let host: HostProcess
    /// What the host held open while no extension ran.
    private let descriptors: Int?
    /// The environment's entry that identifies the host's processes.
    private let marker: String
    private let guardian: Int32
    private var isFinished = false
    private static let group: JSON = ["suite": .string(Workshop.group)]

    /// Opens a zoo for the closure and verifies that nothing of it remains.
    ///
    /// - Parameters:
    ///   - options: The host's.
    ///   - prepare: Adds the bundles.
    ///   - body: Meets the extensions.
    /// - Throws: What the closures throw, and what kept the zoo from being opened or closed.
    static func open(
        _ options: [String] = [],
        prepare: (Workshop) throws -> Void,
        body: (Zoo) throws -> Void = { _ in }
    ) throws {
        try Workshop.open { workshop in
            try prepare(workshop)
            try workshop.add("good", saving: true)
            let zoo = try Zoo(workshop, try workshop.host(["--stop-grace", "400"] + options))
            try body(zoo)
            try zoo.close()
        }
    }

    private init(_ workshop: Workshop, _ host: HostProcess) throws {
        self.workshop = workshop
        self.host = host
        // The call opens the suite and starts the guardian; both stay.
        _ = try host.shown("good")
        marker = try #require(Processes.environment(of: host.pid(of: "good")).first { $0.hasPrefix("PUSHHOST_HOST=") })
        guardian = try Processes.awaitGuardian(of: host.process.pid)
        try Self.stopAll(host)
        descriptors = try Processes.descriptors(of: host.process.pid)
    }

    /// Stops all extensions and waits until they, and what they started, are gone.
    private static func stopAll(_ host: HostProcess) throws {
        try host.result("reloadExtensions", ["force": true])
        try Processes.wait(for: "the end of all children") { try Processes.children(of: host.process.pid) == [] }
        // A child is gone before its pipes are closed; both happen in one iteration of the event loop.
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
        #expect(try Processes.descriptors(of: host.process.pid) == descriptors, "descriptors are left in the host")
        let left = try Processes.family(in: workshop.root, marker: marker)
        #expect(left == [], "processes are left beside the host")
        try finish()
    }

    /// Ends the host, whatever it is doing, and checks that nothing of it and no reply remains.
    func finish() throws {
        isFinished = true
        guard try host.finish() == .code(0) else {
            throw TestFailure("the host did not end with 0: \(host.process.standardError.suffix(2_000))")
        }
        #expect(try Processes.family(in: workshop.root, marker: marker) == [], "processes are left behind the host")
        #expect(!Processes.isRunning(guardian), "the guardian is left")
        #expect(throws: TestFailure.self, "more answers than requests") { try host.reply() }
    }
}

/// An extension that does something wrong: what it does and what its caller gets.
struct Hostility: Sendable, CustomTestStringConvertible {
    /// What its caller gets.
    enum Answer: Sendable {
        /// The right view.
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
    /// What the error must contain of its stderr.
    var standardError: String?
    /// The host's options.
    var options: [String] = []
    /// A shell script in place of the hostile extension.
    var script: String?
    /// Modifies the bundle that was made.
    var change: (@Sendable (_ bundle: String) throws -> Void)?
    /// Whether a process is started at all.
    var isStarted: Bool { if case .error(120, _) = answer { false } else { true } }
    /// Whether its process survives the answer.
    var survives = false
    /// Whether the others are answered before its caller.
    var isLate = false
    /// The number of events that it saves in each call.
    var saves: Int64 = 1

    var testDescription: String { name }

    /// Makes the bundle.
    func add(to workshop: Workshop) throws {
        let folder =
            if let script {
                try workshop.add(named: name, script: script)
            } else {
                try workshop.add(name, saving: true)
            }
        try change?(folder)
    }

    /// Returns a modified copy.
    func with(_ change: (inout Hostility) -> Void) -> Hostility {
        var copy = self
        change(&copy)
        return copy
    }
}
