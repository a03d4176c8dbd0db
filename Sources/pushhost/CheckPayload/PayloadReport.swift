internal import Foundation
internal import JSON
internal import Platform

/// What a check found in one payload.
struct PayloadReport {
    /// How many keys the line with the size names; the JSON names all.
    private static let shareLimit = 6

    private let file: String
    /// The result of `checkPayload`; without it the file is not JSON.
    private let result: JSON?
    private let findings: [JSON]

    /// The report of a payload that the host checked; each finding gets its place in the text.
    init(file: String, _ text: [UInt8], _ result: JSON) {
        self.file = file
        let findings = (result["findings"]?.array.map(Array.init) ?? []).map { finding in
            guard let object = finding.object, let path = finding["path"]?.string,
                let place = TextPlace.find(path, in: text)
            else { return finding }
            return .object(object.setting("line", to: JSON(place.line)).setting("column", to: JSON(place.column)))
        }
        self.findings = findings
        self.result = result.object.map { .object($0.setting("findings", to: JSON(findings))) }
    }

    /// The report of a file that is not JSON.
    init(file: String, _ error: JSONParseError) {
        self.file = file
        result = nil
        findings = [
            [
                "level": "error", "reason": "invalidJSON", "path": "", "line": JSON(error.line),
                "column": JSON(max(1, error.column)), "message": .string("it is not JSON: \(error.message)"),
                "advice": "correct the syntax there",
            ]
        ]
    }

    /// The number of findings that are errors.
    var errors: Int { count("error") }
    private var warnings: Int { count("warning") }

    private func count(_ level: JSON) -> Int { findings.count { $0["level"] == level } }

    // MARK: For people

    /// One line for each finding with its advice, the size, and a summary.
    var text: String {
        (findings.flatMap(lines) + [size, summary].compactMap { $0 }).joined(separator: "\n")
    }

    private func lines(_ finding: JSON) -> [String] {
        let level = (finding["level"]?.string ?? "").padding(toLength: 12, withPad: " ", startingAt: 0)
        let place = finding["line"]?.integer.map { "\(file):\($0):\(finding["column"]?.integer ?? 1)" } ?? file
        return [
            level + PlainText.escaped("\(place): \(finding["message"]?.string ?? "")"),
            "            " + PlainText.escaped(finding["advice"]?.string ?? ""),
        ]
    }

    private var size: String? {
        guard let result, let bytes = result["bytes"]?.integer, let limit = result["limit"]?.integer else { return nil }
        let all = result["shares"]?.array.map(Array.init) ?? []
        let shares = all.prefix(Self.shareLimit).map { share in
            let part = share["bytes"]?.integer ?? 0
            return "\(share["key"]?.string ?? "") \(part) (\(part * 100 / max(1, bytes)) %)"
        }
        let whole = "size        \(bytes) of \(limit) bytes"
        let rest = all.count > shares.count ? ", \(all.count - shares.count) more keys" : ""
        return PlainText.escaped(shares.isEmpty ? whole : "\(whole): \(shares.joined(separator: ", "))\(rest)")
    }

    private var summary: String {
        let shownBy = result?["extension"]?.string.map { ", shown by \($0)" } ?? ""
        let counts = "\(CheckReport.count(errors, "error")), \(CheckReport.count(warnings, "warning"))"
        return PlainText.escaped("\(file): \(counts)\(shownBy)")
    }

    // MARK: For programs

    /// The report of several payloads.
    static func json(_ reports: [PayloadReport]) -> JSON {
        [
            "payloads": JSON(reports.map(\.json)), "errors": JSON(reports.reduce(0) { $0 + $1.errors }),
            "warnings": JSON(reports.reduce(0) { $0 + $1.warnings }),
        ]
    }

    private var json: JSON {
        JSON(present: ["file": .string(file)] + (result?.members ?? ["findings": JSON(findings)]))
    }
}
