internal import Foundation
internal import HostCore
internal import JSON
internal import Platform

/// What a check found, in the order in which it looked.
final class CheckReport {
    enum Severity: String {
        case ok
        case warning
        case error
    }

    /// One thing that was looked at.
    struct Finding {
        let severity: Severity
        /// A file of the bundle, or a step of the dry run.
        let place: String
        /// What is so, and what to do where that is not obvious.
        let message: String
        var milliseconds: Int64?
        /// The end of the extension's stderr.
        var standardError: String?
    }

    let bundle: String
    private(set) var findings: [Finding] = []

    init(bundle: String) { self.bundle = bundle }

    func add(
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
        // The same may be seen twice: by reading the bundle and by running it.
        guard !findings.contains(where: { $0.place == place && $0.message == message }) else { return }
        findings.append(finding)
    }

    var errors: Int { findings.count { $0.severity == .error } }
    var warnings: Int { findings.count { $0.severity == .warning } }

    /// A line a finding, and a summary.
    var text: String {
        let lines = findings.flatMap { finding in
            let severity = finding.severity.rawValue.padding(toLength: 9, withPad: " ", startingAt: 0)
            let time = finding.milliseconds.map { " (\($0) ms)" } ?? ""
            let tail = (finding.standardError ?? "").split(whereSeparator: \.isNewline).suffix(10)
            return ["\(severity)\(PlainText.escaped(finding.place)): \(PlainText.escaped(finding.message))\(time)"]
                + tail.map { "         | \(PlainText.escaped(String($0)))" }
        }
        return (lines + ["", summary]).joined(separator: "\n")
    }

    private var summary: String {
        func count(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }
        return "\(PlainText.escaped(bundle)): \(count(errors, "error")), \(count(warnings, "warning"))"
    }

    var json: JSON {
        let list = findings.map { finding -> JSON in
            var members: [(String, JSON)] = [
                ("severity", .string(finding.severity.rawValue)), ("place", .string(finding.place)),
                ("message", .string(finding.message)),
            ]
            if let time = finding.milliseconds { members.append(("milliseconds", .integer(time))) }
            if let text = finding.standardError { members.append(("stderr", .string(text))) }
            return .object(JSON.Object(members))
        }
        return [
            "bundle": .string(bundle), "findings": JSON(list), "errors": JSON(errors), "warnings": JSON(warnings),
        ]
    }
}
