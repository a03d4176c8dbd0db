internal import HostClient
internal import JSON

/// The dry run of a destination: start, a batch without records, stop.
///
/// The batch goes through the host's delivery, but no record is delivered.
struct DestinationDryRun {
    private let host: DryRunHost
    private let report: CheckReport
    private let setup: DryRunSetup

    init(_ host: DryRunHost, _ report: CheckReport, _ setup: DryRunSetup) {
        self.host = host
        self.report = report
        self.setup = setup
    }

    /// Runs it.
    ///
    /// - Parameter bundle: The bundle's entry in the result of `extensions`.
    /// - Throws: An error if the host did not answer.
    func run(_ bundle: JSON) throws(ClientError) {
        // Whether a variable is needed only the destination knows, and says so when it starts or delivers.
        let names = bundle["environment"]?.array?.compactMap(\.string) ?? []
        let unset = names.filter { setup.folders.environment[$0] == nil }
        if !unset.isEmpty {
            let text = "not set here, so the destination does not get \(unset.count == 1 ? "it" : "them")"
            report.addFinding(.skipped, "environment", "\(unset.joined(separator: ", ")): \(text)")
        }
        guard let name = bundle["destinationName"] else { return }
        _ = try host.call("subscribe", ["topics": ["$/log"]])
        let reply = try host.call("flushPending", ["to": name])
        let hasBegun = try host.reportActivation(report)
        switch (reply.verdict, reply.reason) {
        case (.answered, _):
            report.add(diagnostics: reply.result?["diagnostics"], "deliver")
            let text = "a batch without records was answered"
            report.addFinding(.ok, "deliver", text, milliseconds: reply.milliseconds)
        case (_, "destinationStopped") where hasBegun, (.refused, _) where hasBegun:
            if let reason = reply.reason { host.noteReported(reason) }
            report.addFinding(.warning, "deliver", reply.problem, milliseconds: reply.milliseconds)
        default: host.report(reply, at: hasBegun ? "deliver" : "handshake")
        }
    }
}
