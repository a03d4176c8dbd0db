internal import BundleChecks
internal import Configuration
internal import JSON
internal import Platform

/// The findings of a check, in their order.
final class CheckReport {
    enum Severity: String {
        /// The test passed.
        case ok
        /// The test could not run; the message says why.
        case skipped
        /// It works here, but perhaps not as intended, or not on a phone.
        case warning
        /// It does not work, or violates the contract.
        case error
    }

    /// The result of one test.
    struct Finding {
        let severity: Severity
        /// A file of the bundle, or a step of the trial run.
        let place: String
        /// What was found, and what to do if that is not obvious.
        let message: String
        var milliseconds: Int64?
        /// The end of the extension's stderr.
        var standardError: String?
        /// Further lines of the text, which the JSON has in another place.
        var details: [String] = []
        /// The stable word of a finding in the files of the bundle.
        var reason: String?
        /// The JSON Pointer to its key in a property list, or to its key in a file of texts.
        var path: String?

        /// Whether another finding says the same; times do not count.
        func isRepeated(by other: Finding) -> Bool {
            severity == other.severity && place == other.place && message == other.message
                && standardError == other.standardError
        }
    }

    let bundle: String
    private(set) var findings: [Finding] = []
    private var usage: TrialUsage?

    init(bundle: String) { self.bundle = bundle }

    func addFinding(
        _ severity: Severity,
        _ place: String,
        _ message: String,
        milliseconds: Int64? = nil,
        stderr: String? = nil
    ) {
        let finding = Finding(
            severity: severity,
            place: place,
            message: message,
            milliseconds: milliseconds,
            standardError: stderr
        )
        add(finding)
    }

    /// Adds what the files of the bundle show.
    func add(_ finding: BundleFinding) {
        let severity: Severity =
            switch finding.severity {
            case .ok: .ok
            case .warning: .warning
            case .error: .error
            }
        add(
            Finding(
                severity: severity,
                place: finding.file,
                message: finding.message,
                reason: severity == .ok ? nil : finding.reason,
                path: finding.path
            )
        )
    }

    private func add(_ finding: Finding) {
        // Reading the bundle and running it may find the same. Another output on stderr is another finding.
        guard !findings.contains(where: finding.isRepeated) else { return }
        findings.append(finding)
    }

    var errors: Int { findings.count { $0.severity == .error } }
    var warnings: Int { findings.count { $0.severity == .warning } }

    /// One line for each finding, and a summary.
    var text: String {
        let lines = findings.flatMap { finding in
            let severity = finding.severity.rawValue.padding(to: 9)
            let time = finding.milliseconds.map { " (\($0) ms)" } ?? ""
            let tail = (finding.standardError ?? "").split(whereSeparator: \.isNewline).suffix(10).map(String.init)
            return ["\(severity)\(PlainText.escaped(finding.place)): \(PlainText.escaped(finding.message))\(time)"]
                + (tail + finding.details).map { "         | \(PlainText.escaped($0))" }
        }
        return (lines + ["", summary]).joined(separator: "\n")
    }

    private var summary: String {
        let counts = [Self.count(errors, "error"), Self.count(warnings, "warning")]
        return "\(PlainText.escaped(bundle)): \(counts.joined(separator: ", "))"
    }

    /// A number with a noun in the singular or plural.
    static func count(_ number: Int, _ noun: String) -> String {
        let plural = noun.hasSuffix("s") || noun.hasSuffix("ch") ? "es" : "s"
        return "\(number) \(noun)\(number == 1 ? "" : plural)"
    }

    /// A value as JSON text, shortened.
    static func excerpt(_ value: JSON) -> String {
        let text = value.description
        return text.count <= 200 ? text : text.prefix(200) + "…"
    }

    var json: JSON {
        let list = findings.map { finding in
            JSON(present: [
                "severity": .string(finding.severity.rawValue), "place": .string(finding.place),
                "message": .string(finding.message), "milliseconds": finding.milliseconds.map(JSON.integer),
                "stderr": finding.standardError.map(JSON.string), "reason": finding.reason.map(JSON.string),
                "path": finding.path.map(JSON.string),
            ])
        }
        return JSON(present: [
            "bundle": .string(bundle), "findings": JSON(list), "errors": JSON(errors), "warnings": JSON(warnings),
            "usage": usage?.json,
        ])
    }

    // MARK: Replies

    /// The reasons for which the host refuses a call of the extension.
    static let refusals = [
        "invalidParams", "invalidRecord", "invalidSuiteName", "methodNotFound", "missingParam", "mistypedParam",
        "notEntitled", "reservedKey", "unknownParam",
    ]

    /// Adds the diagnostics of a reply, if it has the member.
    func add(diagnostics: JSON?, _ place: String) {
        // An ignored key was reported when the host loaded the bundle.
        for diagnostic in diagnostics?.array.map({ Array($0) }) ?? [] where diagnostic["reason"] != "ignoredInfoKey" {
            let path = diagnostic["path"]?.string.map { " (\($0))" } ?? ""
            let isRefusal = Self.refusals.contains(diagnostic["reason"]?.string ?? "")
            addFinding(isRefusal ? .error : .warning, place, (diagnostic["message"]?.string ?? "") + path)
        }
    }

    /// Adds the problems of a bundle in a result of `extensions`; what lies in its folder is named relative to it.
    ///
    /// Starting the extension reports why it cannot be started, so `includesStart` is whether nothing will start it.
    func add(problems: JSON?, in folder: String, includesStart: Bool) {
        for problem in problems?.array.map({ Array($0) }) ?? [] where includesStart || problem["preventsStart"] != true
        {
            let severity = Severity(rawValue: problem["severity"]?.string ?? "") ?? .error
            let path = problem["path"]?.string ?? ""
            let place = path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.count + 1)) : path
            add(
                Finding(
                    severity: severity,
                    place: place,
                    message: problem["message"]?.string ?? "",
                    reason: problem["reason"]?.string,
                    path: problem["pointer"]?.string
                )
            )
        }
    }

    // MARK: The process of an extension

    /// Notes what the extension used in a host, according to its entry in the result of `extensions`.
    func noteUsage(_ bundle: JSON?) {
        guard let found = TrialUsage(bundle) else { return }
        usage = usage?.merged(with: found) ?? found
    }

    /// Reports what the extension used, beside what a phone grants it.
    ///
    /// - Parameter isLimited: Whether it got no more than that, so that more is an error.
    func addUsage(isLimited: Bool) {
        guard let usage else { return }
        let severity: Severity = usage.exceedsPhone ? (isLimited ? .error : .warning) : .ok
        add(Finding(severity: severity, place: "usage", message: usage.text, details: usage.lines))
    }

    /// Reports lines on stdout that are not messages.
    func add(strayLines count: Int) {
        guard count > 0 else { return }
        let lines = count == 1 ? "1 line that is not a message" : "\(count) lines that are not messages"
        addFinding(
            .error,
            "stdout",
            "the extension wrote \(lines): a message is one line of JSON with \"jsonrpc\": \"2.0\"; print anything else "
                + "to stderr"
        )
    }

    /// Reports how a process ended after it was asked to stop.
    func add(endAfterStop code: Int32?, signal: Int32?, grace: Int64, milliseconds: Int64) {
        if signal != nil {
            let text = "the extension still ran \(grace) ms after the end of its stdin, and was ended by a signal"
            addFinding(.error, "stop", text + "; exit when stdin ends", milliseconds: milliseconds)
        } else if let code, code != 0 {
            let text = "the extension ended with its stdin, but with exit code \(code) instead of 0"
            addFinding(.error, "stop", text, milliseconds: milliseconds)
        } else {
            addFinding(.ok, "stop", "the extension ended with its stdin", milliseconds: milliseconds)
        }
    }

    /// Reports processes that the extension left behind.
    func add(orphans count: Int) {
        guard count > 0 else { return }
        let processes = count == 1 ? "a process" : "\(count) processes"
        addFinding(.error, "stop", "the extension left \(processes) behind, which had to be killed")
    }

    /// Reports a message that the extension logged, if its level is at least `warning`.
    func add(log level: String, _ message: String) {
        guard ["warning", "error", "critical"].contains(level) else { return }
        addFinding(.warning, "log", message)
    }
}

/// What an extension used in a trial run: the peak of its memory and the time of its longest call, as a whole and by method.
private struct TrialUsage {
    /// The memory in bytes beyond that of its start.
    private var memory: Int64
    /// The time in milliseconds; nil if no call was answered.
    private var longestCall: Double?
    /// Whether it is a service extension, for which limits are known.
    private let isService: Bool
    /// The calls of each method: their number, their longest time in milliseconds, and the peak of the memory in bytes.
    private var methods: [String: (answered: Int64, longest: Double?, memory: Int64)] = [:]

    /// Reads an entry in the result of `extensions`; nil if a phone has no such extension, or if it was not used.
    init?(_ bundle: JSON?) {
        let (longest, peak) = (bundle?["longestCall"]?.number, bundle?["peakMemory"]?.integer)
        guard let point = bundle?["point"]?.string, point.hasPrefix("com.apple."), longest != nil || peak != nil else {
            return nil
        }
        memory = peak ?? 0
        longestCall = longest
        isService = point == "com.apple.usernotifications.service"
        for method in bundle?["methods"]?.array.map({ Array($0) }) ?? [] {
            let (answered, memory) = (method["answered"]?.integer ?? 0, method["peakMemory"]?.integer ?? 0)
            methods[method["method"]?.string ?? ""] = (answered, method["longest"]?.number, memory)
        }
    }

    func merged(with other: TrialUsage) -> TrialUsage {
        var merged = self
        merged.memory = max(memory, other.memory)
        merged.longestCall = [longestCall, other.longestCall].compactMap { $0 }.max()
        merged.methods.merge(other.methods) { own, other in
            let longest = [own.longest, other.longest].compactMap { $0 }.max()
            return (own.answered + other.answered, longest, max(own.memory, other.memory))
        }
        return merged
    }

    var exceedsPhone: Bool {
        isService
            && (memory > Int64(PhoneBudget.serviceMemory) || (longestCall ?? 0) > Double(PhoneBudget.serviceDeadline))
    }

    var text: String {
        let time = longestCall.map { ", longest call \(Int64($0.rounded(.up))) ms" } ?? ""
        guard isService else { return "memory \(Self.megabytes(memory))\(time); Apple names no limit" }
        return "memory \(Self.megabytes(memory)) of \(PhoneBudget.serviceMemory >> 20) MB"
            + (time.isEmpty ? "" : "\(time) of \(PhoneBudget.serviceDeadline / 1_000) s")
            + (exceedsPhone ? "; iOS would kill it and show the original content" : "")
    }

    /// A line for each method.
    var lines: [String] {
        sortedMethods.map { name, usage in
            let time = usage.longest.map { ", longest \(Int64($0.rounded(.up))) ms" } ?? ""
            return "\(name): \(usage.answered) answered, memory \(Self.megabytes(usage.memory))\(time)"
        }
    }

    private var sortedMethods: [(key: String, value: (answered: Int64, longest: Double?, memory: Int64))] {
        methods.sorted { $0.key < $1.key }
    }

    /// Rounded up, so that what exceeds a limit looks like it.
    private static func megabytes(_ bytes: Int64) -> String {
        let tenths = (bytes * 10 + (1 << 20) - 1) >> 20
        return "\(tenths / 10).\(tenths % 10) MB"
    }

    var json: JSON {
        let list = sortedMethods.map { name, usage in
            JSON(present: [
                "method": .string(name), "answered": .integer(usage.answered), "longest": usage.longest.map(JSON.real),
                "peakMemory": usage.memory > 0 ? .integer(usage.memory) : nil,
            ])
        }
        return JSON(present: [
            "memory": .integer(memory), "longestCall": longestCall.map(JSON.real),
            "memoryLimit": isService ? .integer(Int64(PhoneBudget.serviceMemory)) : nil,
            "callLimit": isService ? .integer(PhoneBudget.serviceDeadline) : nil,
            "methods": JSON(nonEmpty: list),
        ])
    }
}
