internal import Contract
internal import HostClient
internal import JSON
internal import Platform
internal import Recording

/// A host of a trial run: a child process with the bundle, suites of its own and a recording.
final class TrialHost {
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
        _ setup: TrialSetup,
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
            ] + setup.hostArguments + options,
            environment: setup.folders.environment
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
    func call(_ method: String, _ params: JSON = [:]) throws(ClientError) -> TrialReply {
        guard progress.begin(method) else { throw .failed(progress.reason) }
        let (message, milliseconds) = try client.call(method, params)
        times.note(method, params, milliseconds)
        // The host takes a sample of the memory, and ascribes it to the call that the extension answered last.
        _ = try bundle()
        return TrialReply(message: message, milliseconds: milliseconds)
    }

    /// The bundle's current entry in the result of `extensions`.
    func bundle() throws(ClientError) -> JSON? {
        try client.call("extensions", [:]).message["result"]?["extensions"]?[0]
    }

    /// Ends the host, and reports an abnormal end.
    func stop(isHasty: Bool) {
        let (end, milliseconds) = client.stop(isHasty: isHasty)
        guard !isHasty, end != .code(0) else { return }
        let how = end.map { "ended \($0.explanation)" } ?? "had to be killed"
        report.addFinding(.error, "host", "the host \(how)", milliseconds: milliseconds)
    }

    // MARK: Findings

    /// Reports the start of the process and how long it took, if it answered `activate`.
    ///
    /// - Returns: Whether it answered `activate`.
    @discardableResult
    func reportActivation(_ report: CheckReport) throws(ClientError) -> Bool {
        guard let activation = try bundle()?["activationMilliseconds"]?.integer else { return false }
        report.addFinding(.ok, "handshake", "the process started and answered activate", milliseconds: activation)
        return true
    }

    /// Reports a reply that is an error.
    func report(_ reply: TrialReply, at place: String, _ subject: String = "") {
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
    func reportBehaviour(includesLog: Bool) throws(ClientError) {
        let bundle = try bundle()
        report.noteUsage(bundle)
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

/// A host's reply to a call of a trial run, and how the extension behaved.
struct TrialReply {
    /// How the extension behaved, according to a reply.
    enum Verdict: Equatable {
        /// It answered with a result.
        case answered
        /// It refused the call with an error of its own, which the contract allows.
        case refused
        /// It has no handler for the method.
        case unhandled
        /// The element, the action or the presentation is not shown any more.
        case gone
        /// It violated the contract, ended, hung, or answered with an internal error.
        case failed
    }

    let message: JSON
    let milliseconds: Int64

    var result: JSON? { message["result"] }
    var diagnostics: [JSON] { result?["diagnostics"]?.array.map { Array($0) } ?? [] }
    var standardError: String? { message["error"]?["data"]?["stderr"]?.string }
    /// The `reason` of the error.
    var reason: String? { message["error"]?["data"]?["reason"]?.string }

    /// The message of the error, with the place that it names.
    var problem: String {
        let path = message["error"]?["data"]?["path"]?.string.map { " (\($0))" } ?? ""
        let text = message["error"]?["message"]?.string ?? "the host gave no error"
        return (isInternalError ? "internal error (-32603): " : "") + text + path
    }

    /// The code of the extension's own error.
    private var code: Int64? { message["error"]?["data"]?["cause"]?["code"]?.integer }
    /// The `reason` of the extension's own error; that of the host's, if the extension passed it on.
    var causeReason: String? { message["error"]?["data"]?["cause"]?["data"]?["reason"]?.string }
    /// Whether the extension answered with an internal error.
    private var isInternalError: Bool { code == -32603 }
    /// Whether the extension did not answer in time.
    var isHang: Bool { reason == "extensionTimedOut" }

    var verdict: Verdict {
        guard result == nil else { return .answered }
        return switch reason {
        case "extensionRefused": isInternalError ? .failed : code == -32601 ? .unhandled : .refused
        case "unknownElement", "unknownAction", "noPresentation", "unknownNotification", "noMediaButton": .gone
        default: .failed
        }
    }
}

/// The recording of a trial run's host, which shows what the extension received and sent.
struct TrialRecording {
    /// Which refused calls of the extension are reported as its faults.
    enum Refusals {
        /// Every call that the contract does not allow.
        case all
        /// As `all`, except refusals that may be caused by the values that the trial run entered.
        case ofShape
    }

    private let session: RecordedSession

    init?(path: String) {
        guard let session = try? RecordedSession(path: path) else { return nil }
        self.session = session
    }

    /// The params of the host's first call of a method of the extension.
    func params(of method: String) -> JSON? {
        session.lines.lazy.filter { $0.from == Participant.host && $0.to != Participant.client }.compactMap(\.json)
            .first { $0["method"]?.string == method && $0["id"] != nil }?["params"]
    }

    /// Whether the host refused to store something for the extension.
    var hasRefusedSaves: Bool {
        session.lines.contains { line in
            line.from == Participant.host && line.to != Participant.client
                && ["suiteFull", "notStored"].contains(line.json?["error"]?["data"]?["reason"]?.string)
        }
    }

    /// Reports stack traces, and calls that the host refused because the contract does not allow them.
    func report(to report: CheckReport, _ refusals: Refusals) {
        var traces = StackTraces()
        var calls: [String: String] = [:]
        var currentCall = "its start"
        for line in session.lines where line.peer != Participant.client {
            if !line.isMessage {
                traces.read(line.text, during: currentCall)
                continue
            }
            for message in line.json?.messages ?? [] {
                let method = message["method"]?.string
                if line.from != Participant.host, let method, let id = message["id"] {
                    calls[id.description] = method
                } else if line.from == Participant.host, let method {
                    currentCall = Self.describe(method, message["params"])
                } else if line.from == Participant.host, let error = message["error"], let id = message["id"] {
                    guard Self.isFault(error["data"]?["reason"]?.string, refusals) else { continue }
                    let text = "the host refused its \(calls[id.description] ?? "call") during \(currentCall): "
                    report.addFinding(.error, "calls", text + (error["message"]?.string ?? ""))
                }
            }
        }
        traces.report(to: report)
    }

    private static func isFault(_ reason: String?, _ refusals: Refusals) -> Bool {
        let ofShape = ["methodNotFound", "missingParam", "unknownParam", "notEntitled", "invalidSuiteName"]
        let ofValues = ["invalidParams", "mistypedParam", "reservedKey"]
        return reason.map { ofShape.contains($0) || refusals == .all && ofValues.contains($0) } ?? false
    }

    /// The description of a call of the host.
    private static func describe(_ method: String, _ params: JSON?) -> String {
        let target = params?["element"]?.string ?? params?["actionIdentifier"]?.string
        return method + (target.map { " of \($0)" } ?? "")
    }
}

/// Finds the stack traces of several languages among lines of stderr.
private struct StackTraces {
    /// The maximum number of lines of a trace that are reported.
    private static let lineLimit = 10
    /// The maximum number of traces that are reported, because they repeat.
    private static let limit = 3

    private var traces: [(during: String, lines: [String])] = []
    /// The previous line, which often holds the error itself.
    private var last = ""
    /// The number of lines that still belong to the last trace.
    private var remainingLines = 0

    /// Reads a line, and notes the call that the extension was handling.
    mutating func read(_ line: String, during call: String) {
        defer { last = line }
        if remainingLines > 0 {
            remainingLines -= 1
            traces[traces.count - 1].lines.append(line)
        } else if Self.begins(line) {
            traces.append((call, Self.isFrame(line) ? [last, line] : [line]))
            remainingLines = Self.lineLimit - 1
        }
    }

    /// Reports the traces that no finding shows already.
    func report(to report: CheckReport) {
        let shown = report.findings.compactMap(\.standardError).joined(separator: "\n")
        for trace in traces.filter({ !shown.contains($0.lines.joined(separator: "\n")) }).prefix(Self.limit) {
            report.addFinding(
                .error,
                "stderr",
                "it wrote a stack trace during \(trace.during); handle the error, and answer with one of its own",
                stderr: trace.lines.joined(separator: "\n")
            )
        }
    }

    private static func begins(_ line: String) -> Bool {
        let marks = [
            // Python, Swift, Go, Rust, Java.
            "Traceback (most recent call last)", "Fatal error: ", "*** Program crashed", "panic: ",
            "panicked at ", "Exception in thread ",
        ]
        return marks.contains { line.contains($0) } || isFrame(line)
    }

    /// Whether a line is a frame of Node, Java or Ruby.
    private static func isFrame(_ line: String) -> Bool {
        line.contains(#/^\s+at .+[:(].+:\d+(:\d+)?\)?$/#) || line.contains(#/^\s*(from )?\S+\.rb:\d+:in [`'].+'/#)
    }
}
