internal import Foundation
internal import HostClient
internal import JSON
internal import Platform

/// A host of a dry run: a child process with the bundle, suites of its own and a recording.
final class DryRunHost {
    /// The time to which the clock of every host of a check is fixed, so that their results can be compared.
    private static let clock = Timestamp.format(Int64(Date().timeIntervalSince1970 * 1_000))

    private let client: HostClient
    private let progress: CheckProgress
    private let report: CheckReport
    let recording: String
    /// The reasons of failures that are in the report already.
    private var reported: Set<String> = []
    private var times = CallTimes()

    /// Starts a host.
    ///
    /// - Parameters:
    ///   - setup: What is checked, and how.
    ///   - folder: The folder for its suites; the recording lies beside it.
    ///   - options: Further options of the host.
    ///   - signals: The signals to this process.
    ///   - report: Receives the findings.
    /// - Throws: Why the host cannot be started.
    init(
        _ setup: DryRunSetup,
        in folder: String,
        _ options: [String],
        _ signals: SignalSource,
        _ report: CheckReport
    ) throws(ClientError) {
        self.report = report
        progress = setup.progress
        recording = "\(folder).jsonl"
        let launch = Program(
            path: setup.folders.program,
            arguments: [
                "serve", "--plugins", setup.folder, "--data", folder, "--locale", setup.locale,
                "--clock", Self.clock, "--seed", "1", "--record", recording,
                "--call-deadline", String(setup.callDeadline), "--stop-grace", String(setup.stopGrace),
                // A crash must not delay the restart for the next press.
                "--restart-budget", "1000000", "--deliver-empty-batches", "--idle-stop", "86400000",
            ] + options
        )
        client = try HostClient(launch, signals: signals)
        client.pastime = HostClient.Pastime(descriptors: []) { [progress] _, _ throws(ClientError) in
            // A host with a fixed clock answers in order, so it could not answer a cancellation before the call.
            guard progress.pass() else { throw .failed(progress.reason) }
            return false
        }
    }

    var log: String { client.log }

    /// Calls a method.
    ///
    /// - Throws: An error if the host did not answer, or if the time for the check is over.
    func call(_ method: String, _ params: JSON = [:]) throws(ClientError) -> DryRunReply {
        guard progress.begin(method) else { throw .failed(progress.reason) }
        let (message, milliseconds) = try client.call(method, params)
        times.note(method, params, milliseconds)
        return DryRunReply(message: message, milliseconds: milliseconds)
    }

    /// The bundle's current entry in the result of `extensions`.
    func bundle() throws(ClientError) -> JSON? { try call("extensions").result?["extensions"]?[0] }

    /// Ends the host, and reports an abnormal end.
    func stop(isHasty: Bool) {
        let (end, milliseconds) = client.stop(isHasty: isHasty)
        guard !isHasty, end != .code(0) else { return }
        let how = end.map { "ended \($0.explanation)" } ?? "had to be killed"
        report.addFinding(.error, "host", "the host \(how)", milliseconds: milliseconds)
    }

    // MARK: Findings

    /// Reports a reply that is an error.
    func report(_ reply: DryRunReply, at place: String, _ subject: String = "") {
        if let reason = reply.reason { reported.insert(reason) }
        report.addFinding(
            .error,
            place,
            (subject.isEmpty ? "" : "\(subject): ") + reply.problem,
            milliseconds: reply.milliseconds,
            stderr: reply.standardError
        )
    }

    /// Reports the calls for which a person would wait.
    func reportSlowCalls() {
        for (call, milliseconds) in times.slow {
            let text = "\(call) takes at least \(milliseconds) ms, while a person waits; answer within a second"
            report.addFinding(.warning, "time", text)
        }
    }

    /// Notes that a failure with this reason is in the report already, with another message.
    func noteReported(_ reason: String) { reported.insert(reason) }

    /// Reports stray lines, ends of processes and, if wanted, log messages of the extension.
    ///
    /// - Parameter includesLog: Whether log messages are reported.
    /// - Throws: An error if the host did not answer.
    func reportBehaviour(includesLog: Bool) throws(ClientError) {
        let bundle = try bundle()
        report.add(strayLines: Int(bundle?["strayLines"]?.integer ?? 0))
        for end in bundle?["ends"]?.array.map({ Array($0) }) ?? [] where !isReported(end) {
            report.addFinding(.error, "process", "the extension \(end["reason"]?.string ?? "ended")")
        }
        guard includesLog else { return }
        for (method, params) in client.notifications where method == "$/log" {
            report.add(log: params["level"]?.string ?? "", params["message"]?.string ?? "")
        }
    }

    /// Whether the end of a process is in the report already: by its cause, or by the end of its presentation.
    private func isReported(_ end: JSON) -> Bool {
        reported.contains("noPresentation") || reported.contains(end["cause"]?.string ?? "")
    }
}

/// How long the calls take for which a person waits.
struct CallTimes {
    /// How long a person waits without a doubt that a touch was noticed, in milliseconds.
    private static let patience: Int64 = 1_000
    private static let methods: Set = ["didReceive", "didReceiveResponse", "interact", "mediaPause", "mediaPlay"]

    /// How many calls there were for each notification, touch or press, and how long the fastest took.
    private var times: [String: (count: Int, least: Int64)] = [:]

    mutating func note(_ method: String, _ params: JSON, _ milliseconds: Int64) {
        guard Self.methods.contains(method) else { return }
        let target = (params["element"] ?? params["actionIdentifier"])?.string.map { " of \($0)" } ?? ""
        let known = times[method + target] ?? (0, .max)
        times[method + target] = (known.count + 1, min(known.least, milliseconds))
    }

    /// The calls that are slow each time, because one that is slow once may have met a busy machine.
    var slow: [(call: String, milliseconds: Int64)] {
        times.filter { $0.value.count > 1 && $0.value.least > Self.patience }.map { ($0.key, $0.value.least) }
            .sorted { $0.0 < $1.0 }
    }
}
