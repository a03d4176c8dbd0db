internal import Foundation
internal import HostClient
internal import JSON

/// The dry run of a bundle: real hosts load it, start it, show notifications, press elements and actions, and stop it.
final class DryRun {
    static let destination = "pushhost.destination"
    private static let source = "pushhost.source"
    private static let service = "com.apple.usernotifications.service"
    private static let personalization = "pushhost.personalization"

    let setup: DryRunSetup
    let report: CheckReport
    /// A temporary folder for the suites and recordings of hosts.
    private let root: String
    private let signals: SignalSource
    private var hostCount = 0

    init(_ setup: DryRunSetup, in root: String, _ signals: SignalSource, _ report: CheckReport) {
        self.setup = setup
        self.root = root
        self.signals = signals
        self.report = report
    }

    /// Whether a step is to be performed.
    func includes(_ step: CheckStep) -> Bool { setup.steps.contains(step) }

    /// Runs it.
    ///
    /// - Throws: The signal that asked this process to end during the run.
    func run() throws(ClientError) {
        try performAll()
        if setup.progress.isCut { return report.addFinding(.error, "deadline", setup.progress.reason) }
        for step in CheckStep.allCases where setup.named.contains(step) {
            guard !report.findings.contains(where: { $0.place == step.rawValue }) else { continue }
            report.addFinding(.skipped, step.rawValue, "this bundle gives no occasion for it")
        }
    }

    private func performAll() throws(ClientError) {
        var content: ContentDryRun?
        let recording = try withHost(["--log-level", "error"]) { host throws(ClientError) in
            defer { host.reportSlowCalls() }
            guard let bundle = try self.load(host) else { return }
            content = try self.performSteps(bundle, host)
            try host.reportBehaviour(includesLog: true)
            if self.includes(.stop) { try self.stop(host) }
        }
        examine(recording, .all)
        guard let content, !setup.progress.isCut else { return }
        guard content.isShown else {
            report.addFinding(.skipped, "dry run", "the other steps need a notification that is shown")
            return
        }
        try content.runFurtherHosts(self)
        if let recording, !setup.steps.isDisjoint(with: CheckStep.ofWireProbes) {
            try WireProbes(setup, recording, signals, report, hasMedia: content.hasMedia).run()
        }
    }

    // MARK: Hosts

    /// Runs a host, and reports its failures.
    ///
    /// - Parameters:
    ///   - options: Further options of the host.
    ///   - body: Uses the host.
    /// - Returns: The recording of the host; nil if it has none.
    /// - Throws: The signal that asked this process to end during the run.
    @discardableResult
    func withHost(
        _ options: [String] = [],
        _ body: (DryRunHost) throws(ClientError) -> Void
    ) throws(ClientError) -> DryRunRecording? {
        guard !setup.progress.isCut else { return nil }
        hostCount += 1
        let host: DryRunHost
        do throws(ClientError) {
            host = try DryRunHost(setup, in: "\(root)/\(hostCount)", options, signals, report)
        } catch {
            try reportUnlessInterrupted(error, log: nil)
            return nil
        }
        var failure: ClientError?
        do throws(ClientError) { try body(host) } catch { failure = error }
        var isInterrupted = false
        if case .interrupted = failure { isInterrupted = true }
        host.stop(isHasty: isInterrupted || setup.progress.isCut)
        if let failure { try reportUnlessInterrupted(failure, log: host.log) }
        return DryRunRecording(path: host.recording)
    }

    private func reportUnlessInterrupted(_ error: ClientError, log: String?) throws(ClientError) {
        guard case .failed(let text) = error else { throw error }
        guard !setup.progress.isCut else { return }
        report.addFinding(.error, "host", text, stderr: log)
    }

    /// Reports the extension's faults that a recording shows.
    func examine(_ recording: DryRunRecording?, _ refusals: DryRunRecording.Refusals) {
        recording?.report(to: report, refusals)
    }

    // MARK: Steps

    /// Performs the steps of the bundle's extension point.
    private func performSteps(_ bundle: JSON, _ host: DryRunHost) throws(ClientError) -> ContentDryRun? {
        let point = bundle["point"]?.string
        if point == Self.destination {
            try DestinationDryRun(host, report, setup).run(bundle)
            return nil
        }
        if point == Self.source {
            let text = "not started, because only pushhost relay calls a source, and a pull would claim its records"
            report.addFinding(.skipped, "start", text)
            return nil
        }
        let categories = bundle["categories"]?.array?.compactMap(\.string) ?? []
        let generated: JSON? =
            switch point {
            case Self.service: DryRunPayload.ofService
            case Self.personalization: DryRunPayload.ofPersonalization
            default: DryRunPayload.of(categories.first)
            }
        let source = DryRunPayload(file: setup.payloadFile, folder: setup.folder, generated: generated, report)
        guard let payload = source else {
            report.addFinding(.warning, "start", "not started, because there is no payload to show")
            return nil
        }
        _ = try host.call("subscribe", ["topics": ["$/log"]])
        switch point {
        case Self.service: try ServiceDryRun(host, report).serve(payload)
        case Self.personalization: try ServiceDryRun(host, report).render(payload, folder: setup.folder)
        default:
            let content = ContentDryRun(bundle, payload, report)
            try content.run(host, self)
            return content
        }
        return nil
    }

    /// Lets the host load the bundle.
    private func load(_ host: DryRunHost) throws(ClientError) -> JSON? {
        let reply = try host.call("extensions")
        let bundle = reply.result?["extensions"]?[0]
        let problems = [reply.result?["problems"], bundle?["problems"]].flatMap { $0?.array.map { Array($0) } ?? [] }
        // The handshake reports why it cannot be started; there is none with a source.
        let isStarted = bundle?["point"]?.string != Self.source
        for problem in problems where !isStarted || problem["preventsStart"] != true {
            let severity = CheckReport.Severity(rawValue: problem["severity"]?.string ?? "") ?? .error
            report.addFinding(severity, place(problem["path"]?.string ?? ""), problem["message"]?.string ?? "")
        }
        guard let bundle else {
            if problems.isEmpty { report.addFinding(.error, "load", "the host finds no extension in it") }
            return nil
        }
        let isValid = !report.findings.contains { $0.place == "Info.plist" && $0.severity != .ok }
        let isOfHost = [Self.destination, Self.source].contains(bundle["point"]?.string)
        let reader = isOfHost ? "the host" : "iOS"
        if isValid { report.addFinding(.ok, "Info.plist", "its keys and values are those that \(reader) knows") }
        let categories = bundle["categories"]?.array?.compactMap(\.string) ?? []
        let names = categories + [bundle["destinationName"], bundle["sourceName"]].compactMap { $0?.string }
        let what = names.isEmpty ? "" : ", for \(names.joined(separator: ", "))"
        report.addFinding(
            .ok,
            "load",
            (bundle["identifier"]?.string ?? "") + what,
            milliseconds: reply.milliseconds
        )
        return bundle
    }

    /// A file's place in the bundle.
    private func place(_ path: String) -> String {
        path.hasPrefix(setup.folder + "/") ? String(path.dropFirst(setup.folder.count + 1)) : path
    }

    /// Stops the extension while the host keeps running and can report how the process ended.
    private func stop(_ host: DryRunHost) throws(ClientError) {
        let reply = try host.call("reloadExtensions", ["force": true])
        let bundle = try host.bundle()
        let end = bundle?["ends"]?.array.flatMap { Array($0).last }
        // The end of a process that ended earlier is in the report already.
        if let end, end["cause"] == "bundleReloaded" {
            report.add(
                endAfterStop: end["exitCode"]?.integer.map(Int32.init),
                signal: end["signal"]?.integer.map(Int32.init),
                grace: Int64(setup.stopGrace),
                milliseconds: reply.milliseconds
            )
        }
        report.add(orphans: Int(bundle?["orphans"]?.integer ?? 0))
    }
}

extension DryRunHost {
    /// Reports the start of the process and how long it took, if it answered `activate`.
    ///
    /// - Returns: Whether it answered `activate`.
    @discardableResult
    func reportActivation(_ report: CheckReport) throws(ClientError) -> Bool {
        guard let activation = try bundle()?["activationMilliseconds"]?.integer else { return false }
        report.addFinding(.ok, "handshake", "the process started and answered activate", milliseconds: activation)
        return true
    }
}
