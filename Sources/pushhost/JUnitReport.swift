internal import HostClient
internal import JSON
internal import Platform

/// The results of a command as JUnit XML, which CI servers read: one test case for each session or picture.
struct JUnitReport {
    private let target: URL
    /// The name of the command, which is that of the suite.
    private let command: String
    /// The folder from which the names of the sessions are relative.
    private let folder: String
    private let start: Int64
    private var cases: [(xml: String, milliseconds: Int64)] = []
    private var failures = 0
    private var errors = 0

    /// An empty report.
    ///
    /// - Parameters:
    ///   - command: The name of the command.
    ///   - path: The file, which is written by ``write()``.
    ///   - folder: Sessions in this folder are named relative to it.
    /// - Throws: Why the file cannot be written; thrown here, so that no work is done in vain.
    init(of command: String, path: String, relativeTo folder: String) throws(ClientError) {
        self.command = command
        target = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        self.folder = folder.hasSuffix("/") ? folder : folder + "/"
        start = Int64(Date().timeIntervalSince1970 * 1_000)
        try WholeFile.check(target)
    }

    /// Why a test case did not pass.
    struct Problem {
        /// What its test case contains: something differs, or could not be tested.
        enum Element: String {
            case failure, error
        }

        let element: Element
        let type: String
        let message: String
        let text: String
    }

    /// Adds the result of a session.
    mutating func add(_ report: SessionReport, text: String) {
        let problem: Problem? =
            switch report.result {
            case .same, .updated, .unchanged: nil
            case .different: Problem(element: .failure, type: "different", message: report.summary, text: text)
            case .failed: Problem(element: .error, type: "failed", message: report.summary, text: text)
            }
        add(report.path, report.milliseconds, problem)
    }

    /// Adds a file that is not a session.
    mutating func add(path: String, problem: String) {
        add(path, 0, Problem(element: .error, type: "notASession", message: problem, text: problem))
    }

    /// Adds a test case with the name of a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - milliseconds: The time that it took.
    ///   - problem: Why it did not pass; nil if it did.
    mutating func add(_ path: String, _ milliseconds: Int64, _ problem: Problem?) {
        let file = path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
        let names = file.split(separator: "/").map(String.init).filter { $0 != "." && $0 != ".." }
        let attributes = [
            ("classname", names.count > 1 ? names.dropLast().joined(separator: ".") : command),
            ("name", Self.name(names.last ?? file)), ("file", file), ("time", Self.seconds(milliseconds)),
        ]
        var xml = "    <testcase\(Self.attributes(attributes))"
        if let problem {
            let reason = Self.attributes([("type", problem.type), ("message", problem.message)])
            let (text, element) = (Self.escaped(problem.text), problem.element.rawValue)
            if problem.element == .failure { failures += 1 } else { errors += 1 }
            xml += ">\n      <\(element)\(reason)>\(text)</\(element)>\n    </testcase>\n"
        } else {
            xml += "/>\n"
        }
        cases.append((xml, milliseconds))
    }

    /// The name of a session's file without its suffixes.
    private static func name(_ file: String) -> String {
        for suffix in [".session.jsonl", ".jsonl"] where file.hasSuffix(suffix) && file != suffix {
            return String(file.dropLast(suffix.count))
        }
        return file
    }

    /// The document.
    private var xml: String {
        let counts = [
            ("name", "pushhost \(command)"), ("tests", "\(cases.count)"), ("failures", "\(failures)"),
            ("errors", "\(errors)"), ("skipped", "0"),
            ("time", Self.seconds(cases.reduce(0) { $0 + $1.milliseconds })),
        ]
        // The format has no fractions of a second and no zone.
        let timestamp = String(Timestamp.format(start).prefix(19))
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites\(Self.attributes(counts))>
              <testsuite\(Self.attributes(counts + [("timestamp", timestamp)]))>
            \(cases.map(\.xml).joined())  </testsuite>
            </testsuites>

            """
    }

    /// Writes the file, in place of an earlier one.
    ///
    /// - Throws: Why it was not written.
    func write() throws(ClientError) {
        do {
            try WholeFile.write(Data(xml.utf8), to: target)
        } catch {
            throw .failed("\(target.path) cannot be written: \(SystemError.text(of: error))")
        }
    }

    // MARK: XML

    private static func seconds(_ milliseconds: Int64) -> String {
        "\(milliseconds / 1_000)." + String(String(1_000 + milliseconds % 1_000).dropFirst())
    }

    private static func attributes(_ values: [(String, String)]) -> String {
        values.map { " \($0)=\"\(escaped($1).replacingScalars("\n", with: "&#10;"))\"" }.joined()
    }

    /// The text with references for markup, and with escapes for characters that XML or a terminal must not get.
    private static func escaped(_ text: String) -> String {
        PlainText.escapedLines(text).unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\u{FFFE}", "\u{FFFF}": escaped += "\\u{\(String(scalar.value, radix: 16))}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
    }
}
