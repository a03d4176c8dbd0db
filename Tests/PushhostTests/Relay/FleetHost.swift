import Foundation
import JSON
import TestSupport

/// A host that publishes what it saves by its policy, and that may be killed at any moment.
final class FleetHost {
    /// Why the messages of the hosts and relays of a fleet are not recorded.
    static let uncheckedReason = "recordings of hundreds of thousands of records would take longer than the test"

    let number: Int
    /// How many records were saved and answered.
    private(set) var saved = 0

    private let arguments: [String]
    private let environment: [String: String]
    private var host: HostProcess

    init(_ number: Int, folder: String, _ environment: [String: String]) throws {
        self.number = number
        self.environment = environment
        arguments = [
            "--plugins", "\(repositoryRoot)/plugins/nats", "--data", "\(folder)/host-\(number)",
            "--flush-policy", "immediate", "--flush-to", "nats", "--retry-base", "50", "--retry-limit", "1000",
        ]
        host = try HostProcess(arguments, environment: environment, unchecked: Self.uncheckedReason)
    }

    /// Saves records.
    ///
    /// - Parameters:
    ///   - count: The number of records.
    ///   - isKilled: Whether the host is killed when half of them are answered, and started again.
    /// - Throws: If the host does not answer.
    func save(_ count: Int, killed isKilled: Bool = false) throws {
        let end = saved + count
        if isKilled {
            try request(saved..<end)
            for _ in 0..<count / 2 { try awaitSave() }
            host.process.kill(SIGKILL)
            _ = try host.process.wait()
            host = try HostProcess(arguments, environment: environment, unchecked: Self.uncheckedReason)
        }
        try request(saved..<end)
        while saved < end { try awaitSave() }
    }

    /// Ends the host, and starts another one with the same suites.
    func restart() throws {
        guard try host.finish() == .code(0) else { throw TestFailure("a host failed: \(log.suffix(2_000))") }
        host = try HostProcess(arguments, environment: environment, unchecked: Self.uncheckedReason)
    }

    private func request(_ numbers: Range<Int>) throws {
        for number in numbers {
            let request = FleetRecord(host: self.number, number: number).request
            try host.request(request.method, request.params)
        }
    }

    private func awaitSave() throws {
        let reply = try host.reply()
        guard reply["result"]?["id"] != nil else { throw TestFailure("a save failed: \(reply)") }
        saved += 1
    }

    /// The number of records that are not published yet.
    func pending() throws -> Int {
        let suites = try host.result("suites")["suites"]?.array.map(Array.init) ?? []
        return suites.reduce(0) { $0 + $1.count("pending") }
    }

    /// Waits until the host has published everything: a flush on request waits for those of the policy.
    func awaitPublished() throws {
        var problem = ""
        for _ in 0..<50 {
            let reply = try host.call("flushPending", ["to": "nats"])
            if reply["result"]?["remaining"] == 0 { return }
            problem = "\(reply)"
        }
        throw TestFailure("the records are not published: \(problem) \(log.suffix(2_000))")
    }

    /// Ends the host; what is pending stays in its suite.
    func finish() throws { _ = try host.finish() }

    var log: String { host.process.standardError }
}
