import Foundation
import JSON
import TestSupport
import Testing

/// `extensions check` decides whether an extension follows the contract, whatever language it is written in.
@Suite(.waits, .wire) struct KitsConformanceTests {
    /// Every step must be reported, either as passed or as skipped with a reason.
    @Test("A bundle of each kit follows the contract", arguments: ["feedback", "punch-card", "register"])
    func kits(name: String) throws {
        let report = try CheckReport(["\(repositoryRoot)/plugins/\(name)"])
        #expect(report.code == .code(0), "\(report.text)")
        #expect(report.errors == [])
        #expect(Self.steps.isSubset(of: report.places), "\(Self.steps.subtracting(report.places))")
        #expect(report.severities["notification"] == "ok")
        #expect(report.severities["response"] == "ok")
    }

    @Test("The repository has bundles in Python, in Node and in Swift")
    func languages() {
        let plugins = "\(repositoryRoot)/plugins"
        for file in ["feedback/feedback.py", "punch-card/punch-card.mjs", "register/Register.swift"] {
            #expect(FileManager.default.fileExists(atPath: "\(plugins)/\(file)"), "\(file)")
        }
    }

    @Test("The extension printed in the contract follows it without a kit")
    func contract() throws {
        try withTemporaryDirectory { folder in
            let page = try Page("protocol/guides/any-language.md")
            try writeExecutable(try #require(page.blocks("python").first), to: "\(folder)/hello.py")
            let lists = page.blocks("xml")
            try Data(lists[0].utf8).write(to: URL(filePath: "\(folder)/Info.plist"))
            try Data(lists[1].utf8).write(to: URL(filePath: "\(folder)/hello.py.entitlements"))
            let report = try CheckReport([folder])
            #expect(report.code == .code(0), "\(report.text)")
            #expect(report.severities["refused-saves"] == "skipped", "it saves by notifications")
        }
    }

    @Test("An extension without a fault passes each step, and no step is left out")
    func sound() throws {
        let report = try CheckReport(fault: "none")
        #expect(report.code == .code(0), "\(report.text)")
        #expect(Set(report.severities.values) == ["ok"], "\(report.text)")
        #expect(Self.steps.subtracting(report.places) == [])
    }

    /// The faults, each with the step that finds it and the path of its finding if that is not the step.
    private static let faults: [(fault: String, step: String, place: String)] = [
        ("activate", "notification", "handshake"), ("did-receive", "notification", "notification"),
        ("view", "notification", "notification"), ("actions", "notification", "notification"),
        ("ids", "ids", "ids"), ("unknown-method", "unknown-method", "unknown-method"),
        ("unknown-notification", "unknown-notification", "unknown-notification"),
        ("unknown-members", "unknown-members", "unknown-members"), ("locale", "locale", "locale"),
        ("repeatable", "repeatable", "repeatable"),
        ("second-notification", "second-notification", "second-notification"),
        ("same-notification", "same-thread", "same-thread"), ("default-action", "response", "response"),
        ("offered-actions", "response", "response"), ("second-press", "response", "response"),
        ("empty-text", "response", "response"), ("interact", "interact", "interact"),
        ("internal-error", "interact", "interact"), ("hang", "interact", "interact"),
        ("deep-element", "interact", "interact"), ("saves", "interact", "interact"),
        ("missing-value", "interact", "interact"), ("traceback", "interact", "stderr"),
        ("node-trace", "interact", "stderr"), ("swift-trace", "interact", "stderr"),
        ("requests", "interact", "calls"), ("messages", "interact", "stdout"),
        ("wrong-type", "wrong-input", "wrong-input"), ("too-long", "wrong-input", "wrong-input"),
        ("unknown-element", "unknown-targets", "unknown-targets"), ("payload-type", "wrong-payload", "wrong-payload"),
        ("media", "media", "media"), ("refused-saves", "refused-saves", "refused-saves"),
        ("dismiss", "dismissed", "dismissed"), ("after-dismiss", "dismissed", "dismissed"),
        ("large-payload", "large-payload", "large-payload"), ("bytewise", "pieces", "pieces"),
        ("two-lines", "two-lines", "two-lines"), ("stderr", "no-stderr", "no-stderr"),
        ("end-of-input", "end-of-input", "end-of-input"), ("exit-code", "stop", "stop"),
        ("descendant", "deactivate", "deactivate"),
    ]

    @Test("The step for a fault finds it and reports its path", arguments: faults.map { [$0, $1, $2] })
    func fault(names: [String]) throws {
        let report = try CheckReport(fault: names[0], ["--only", names[1]])
        #expect(report.code == .code(1), "\(report.text)")
        #expect(report.errors == [names[2]], "\(report.text)")
    }

    @Test(
        "A complete check reports a fault under the steps that it breaks and under no others",
        arguments: [
            ("unknown-method", ["unknown-method"]),
            ("saves", ["interact", "refused-saves", "wrong-input"]),
        ]
    )
    func wholeRun(fault: String, broken: [String]) throws {
        let report = try CheckReport(fault: fault)
        #expect(report.code == .code(1))
        #expect(report.errors.sorted() == broken, "\(report.text)")
    }

    @Test("Two stack traces in one call are two findings, and the same trace in a later call is not a third")
    func twoTraces() throws {
        try withFault("two-traces") { bundle in
            let run = try CommandRun.check([bundle, "--only", "interact"])
            #expect(run.status == .code(1), "\(run.output)")
            let findings = run.lines("error").filter { $0.contains("during interact of button") }
            #expect(findings.count == 2, "\(run.output)")
            for name in ["first", "second"] {
                let lines = run.output.split(separator: "\n").filter { $0.contains("line 1, in \(name)") }
                #expect(lines.count == 1, "\(run.output)")
            }
        }
    }

    @Test("Every step of the check has a fault in these tests that it finds")
    func steps() throws {
        #expect(!Self.steps.isEmpty)
        #expect(Set(Self.faults.map(\.step)) == Self.steps)
    }

    @Test("A view that looks touchable but cannot be touched is a warning")
    func touchable() throws {
        try withFault("none", attributes: ["UNNotificationExtensionUserInteractionEnabled": NSNull()]) { bundle in
            let run = try CommandRun.check([bundle])
            #expect(run.status == .code(0), "\(run.output)")
            let warnings = run.lines("warning")
            #expect(warnings.count == 1, "\(run.output)")
            #expect(warnings.first?.contains("interact: ") == true)
            #expect(warnings.first?.contains("UNNotificationExtensionUserInteractionEnabled") == true)
        }
    }

    // MARK: Executables

    @Test("An executable is checked without a bundle, with its arguments and in the folder where it is started")
    func executable() throws {
        let program = "\(repositoryRoot)/Tests/Fixtures/check/faulty.py"
        let python = try Tool.python.path()
        let sound = try CommandRun.check([python, "--", "-I", program, "none"])
        #expect(sound.status == .code(0), "\(sound.output)\(sound.standardError)")
        #expect(sound.lines("warning") == [], "\(sound.output)")
        #expect(sound.lines("skipped").count == 1, "\(sound.output)")
        let faulty = try CommandRun.check([python, "--only", "media", "--", "-I", program, "media"])
        #expect(faulty.status == .code(1))
        #expect(faulty.lines("error").count == 1, "\(faulty.output)")
        #expect(faulty.output.contains("error    media: "), "\(faulty.output)")
    }

    @Test("An executable outside its bundle is started with the bundle's plists and payload")
    func executableOfBundle() throws {
        try withTemporaryDirectory { root in
            let bundle = "\(root)/punch-card"
            let own = "\(repositoryRoot)/plugins/punch-card"
            try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
            for name in ["Info.plist", "punch-card.mjs.entitlements", "payload.apns", "en.lproj"] {
                try FileManager.default.copyItem(atPath: "\(own)/\(name)", toPath: "\(bundle)/\(name)")
            }
            let steps = ["--only", "notification", "--only", "response"]
            #expect(try CommandRun.check([bundle] + steps).lines("error").count == 1)
            let run = try CommandRun.check([bundle, "--executable", "\(own)/punch-card.mjs"] + steps)
            #expect(run.status == .code(0), "\(run.output)\(run.standardError)")
            #expect(run.output.contains("payload.apns is shown"))
            #expect(run.output.hasSuffix(", 0 warnings\n"))
            #expect(run.output.contains("\n\(bundle): "), "the report names what the author named")
        }
    }

    @Test(
        "Incorrect use of extensions check ends with 64 or 66 and a message that says what is wrong",
        arguments: [
            (["--only", "x", "."], 64, "--only"), (["--call-deadline", "0", "."], 64, "--call-deadline 0"),
            ([".", "--", "x"], 66, "Info.plist"), (["/dev/null"], 66, "not an executable file"),
            (["\(repositoryRoot)/plugins/feedback", "--", "x"], 66, "x: there is no such folder"),
            (["\(repositoryRoot)/plugins/feedback", "--executable", "/nowhere"], 66, "/nowhere: it is not"),
        ]
    )
    func usage(arguments: [String], code: Int32, message: String) throws {
        let run = try CommandRun.check(arguments)
        #expect(run.status == .code(code))
        #expect(run.output == "")
        #expect(run.standardError.contains(message), "\(run.standardError)")
    }

    // MARK: Helpers

    /// The steps that the command lists in its help.
    private static let steps: Set<String> = {
        guard let run = try? CommandRun.check(["--help"]) else { return [] }
        let text = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let list = text.firstMatch(of: #/\(values: (?<names>[^)]*)\)/#).map { String($0.output.names) } ?? ""
        return Set(list.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
    }()

    /// The report of a check.
    private struct CheckReport {
        let code: ChildProcess.Status
        let text: String
        /// The highest severity reported for each path.
        let severities: [String: String]
        /// The paths of the errors.
        let errors: Set<String>

        var places: Set<String> { Set(severities.keys) }

        init(_ arguments: [String]) throws {
            let run = try CommandRun.check(arguments + ["--json"])
            let findings = try JSON(parsing: run.output)["findings"]?.array.map(Array.init) ?? []
            let order = ["ok", "skipped", "warning", "error"]
            code = run.status
            text = run.output + run.standardError
            let pairs = findings.map { ($0["place"]?.string ?? "", $0["severity"]?.string ?? "") }
            severities = Dictionary(pairs) { first, second in
                (order.firstIndex(of: first) ?? 0) < (order.firstIndex(of: second) ?? 0) ? second : first
            }
            errors = Set(pairs.filter { $0.1 == "error" }.map(\.0))
        }

        /// A check of an extension with one fault.
        init(fault: String, _ options: [String] = []) throws {
            var report: CheckReport?
            try KitsConformanceTests.withFault(fault) { bundle in
                let payload = "\(bundle)/payload.apns"
                let text = #"{"aps": {"alert": "Hello", "category": "faulty"}, "name": "Ada"}"#
                try Data(text.utf8).write(to: URL(filePath: payload))
                // A hang is waited for only as long as a busy machine needs to answer.
                let limits = fault == "hang" ? ["--call-deadline", "3000"] : []
                report = try CheckReport([bundle] + limits + options)
            }
            self = try #require(report)
        }
    }

    private func withFault(_ fault: String, attributes: [String: Any] = [:], _ body: (String) throws -> Void) throws {
        try Self.withFault(fault, attributes: attributes, body)
    }

    private static func withFault(
        _ fault: String,
        attributes: [String: Any] = [:],
        _ body: (String) throws -> Void
    ) throws {
        let python = try Tool.python.path()
        try Workspace.open { workspace in
            let program = "\(repositoryRoot)/Tests/Fixtures/check/faulty.py"
            let script = "exec '\(python)' -I '\(program)' \(fault)"
            try body(try workspace.add(named: "faulty", script: script, attributes: attributes))
        }
    }
}
