internal import ArgumentParser
internal import CSystem
internal import HostClient
internal import JSON
internal import Platform
internal import PushClient

/// Checks payloads without delivering them.
struct CheckCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check payloads, bundles and Xcode projects without delivering anything.",
        prose: """
            It reports unknown categories, missing or misspelt key-value pairs and wrong types, members that a phone \
            ignores, reserved keys of Braze, Liquid left in texts, and the bytes of each key out of 4096. A bundle's \
            folder means its payload.apns and the bundle, which is checked as by pushhost extensions check.

            An .xcodeproj or a folder that has one is checked alone: for each of its notification extensions it \
            reports whether pushhost can build it, or what is missing, by file and line.

            Without --plugins, the bundles in the payloads' folders show them, or installed ones.
            """,
        examples: [
            "pushhost check payload.apns",
            "pushhost check plugins/game --json",
            "pushhost check payload.apns --template --profile ada.json",
            "pushhost check App.xcodeproj",
        ],
        exitCodes: """
            0 without errors, 1 with errors, 64 for a wrong command line, \
            65 if the profile is not a JSON object, 66 if a file cannot be read.
            """
    )

    @Argument(
        help: "Payloads (.apns files) or folders of bundles, or one Xcode project; - for stdin.",
        completion: .file()
    )
    var payloads: [String]

    @OptionGroup var host: HostOptions

    @Flag(help: "Print the report as one JSON object.")
    var json = false

    @Flag(help: "Treat the payloads as templates, and check their Liquid.")
    var template = false

    @Option(
        help: ArgumentHelp("Render the payloads with this profile first.", valueName: "file"),
        completion: .file()
    )
    var profile: String?

    @Option(help: "Use this locale for the notification.", completion: Completions.locales)
    var locale: String?

    @OptionGroup var app: AppOption

    /// The greatest size of a payload that is read: 256 times what Apple delivers.
    private static let sizeLimit = 1 << 20

    func validate() throws {
        let files = payloads + [profile].compactMap { $0 }
        guard files.count(where: { $0 == "-" }) < 2 else { throw ValidationError("stdin can be read once") }
        if let project, files.count > 1 { throw ValidationError("\(project): check a project alone") }
        try requireLocale(locale)
    }

    /// The Xcode project among the arguments.
    private var project: String? { payloads.first(where: ProjectTool.isProject) }

    func run(_ signals: SignalSource) throws(ClientError) -> Int32 {
        if let project {
            let tool = try ProjectTool.found(StandardFolders())
            let arguments = ["check", project, "--modules", tool.modules] + (json ? ["--json"] : [])
            return try tool.show(arguments)
        }
        let input = CommandContext.current.input
        let params: MemberList
        do throws(PushFile.Problem) {
            let profile = try profile.map { path throws(PushFile.Problem) in try PushFile(path, input: input).object() }
            params = ["template": .bool(template), "locale": locale.map(JSON.string), "profile": profile]
        } catch {
            console.writeError(error.message)
            return error.code
        }
        let root = try TemporaryFolder.create(prefix: "pushhost-check")
        defer { root.remove() }
        let bundles = payloads.filter { StandardFolders.isFolder(Paths.absolute($0)) }
        let names = payloads.compactMap { name -> String? in
            guard bundles.contains(name) else { return name }
            let file = "\(name.hasSuffix("/") ? String(name.dropLast()) : name)/payload.apns"
            return FileManager.default.fileExists(atPath: Paths.absolute(file)) ? file : nil
        }
        var (reports, failures) = (CombinedReport(), 0)
        var refusal: ClientError?
        if !names.isEmpty {
            do throws(ClientError) {
                failures = try checkPayloads(names, params, root, signals, &reports)
            } catch {
                if case .interrupted = error { throw error }
                refusal = error
            }
        }
        for (index, bundle) in bundles.enumerated() {
            do throws(ClientError) {
                reports.bundles.append(try check(bundle: bundle, in: root.makeFolder("bundle-\(index)"), signals))
            } catch {
                if case .interrupted = error { throw error }
                failures += 1
                console.writeError(error.text)
            }
        }
        if let refusal, reports.isEmpty { throw refusal }
        // Without a report there is nothing to print.
        if !json && reports.isEmpty { return EX_NOINPUT }
        if json { console.print(reports.json) } else { console.print(reports.text) }
        if let refusal { throw refusal }
        if failures > 0 { return EX_NOINPUT }
        return reports.errors == 0 ? 0 : 1
    }

    private func check(
        bundle: String,
        in folder: String,
        _ signals: SignalSource
    ) throws(ClientError) -> CheckReport {
        let subject = try CheckSubject(
            path: Paths.absolute(bundle),
            arguments: [],
            executable: nil,
            payload: nil,
            in: folder
        )
        try host.sandbox.askAbout([subject.folder], signals)
        let check = BundleCheck(
            locale: locale ?? "en",
            hostArguments: app.serveArguments + host.sandbox.serveArguments,
            hasSandbox: !host.sandbox.noSandbox,
            allowedBundles: host.sandbox.allowedBundles
        )
        return try check.report(on: subject, in: folder, signals)
    }

    /// Checks payloads with one host.
    ///
    /// - Returns: How many of them cannot be read, which stderr says.
    /// - Throws: The first refusal of the host, when the others have been checked.
    private func checkPayloads(
        _ names: [String],
        _ params: MemberList,
        _ root: TemporaryFolder,
        _ signals: SignalSource,
        _ reports: inout CombinedReport
    ) throws(ClientError) -> Int {
        let files = names.filter { $0 != "-" }.map(Paths.absolute)
        let host = host.usingBundles(of: files, rendering: template || profile != nil)
        let client = try host.start(dataFolder: root.path, app.serveArguments, signals)
        defer { _ = client.stop(isHasty: false) }
        var failures = 0
        var refusal: ClientError?
        for name in names {
            let text: [UInt8]
            do throws(NamedFile.Problem) {
                text = try PushFile(name, input: CommandContext.current.input).contents(limit: Self.sizeLimit)
            } catch {
                failures += 1
                let remark =
                    if case .larger = error { ", too large for a payload: Apple delivers at most 4096" } else { "" }
                console.writeError("\(name): \(error.text)\(remark)")
                continue
            }
            do throws(ClientError) {
                reports.payloads.append(try check(text, of: name == "-" ? "stdin" : name, params, client))
            } catch {
                // The reports of the other payloads are worth as much.
                refusal = refusal ?? error
            }
        }
        if let refusal { throw refusal }
        return failures
    }

    private func check(
        _ text: [UInt8],
        of file: String,
        _ params: MemberList,
        _ client: HostClient
    ) throws(ClientError) -> PayloadReport {
        guard let string = String(validating: text, as: UTF8.self) else {
            // A call cannot carry it, and the parser says where it is wrong.
            do throws(JSONParseError) { _ = try JSON(authored: text) } catch { return PayloadReport(file: file, error) }
            preconditionFailure("invalid UTF-8 was parsed as JSON")
        }
        let params = JSON(present: ["payload": .string(string)] + params)
        return PayloadReport(file: file, try client.result("checkPayload", params))
    }
}

/// What was found in payloads and bundles.
private struct CombinedReport {
    var payloads: [PayloadReport] = []
    var bundles: [CheckReport] = []

    var isEmpty: Bool { payloads.isEmpty && bundles.isEmpty }
    /// The number of findings that are errors.
    var errors: Int { payloads.reduce(0) { $0 + $1.errors } + bundles.reduce(0) { $0 + $1.errors } }
    private var warnings: Int { payloads.reduce(0) { $0 + $1.warnings } + bundles.reduce(0) { $0 + $1.warnings } }

    var text: String { (payloads.map(\.text) + bundles.map(\.text)).joined(separator: "\n\n") }

    var json: JSON {
        JSON(present: [
            "payloads": JSON(payloads.map(\.json)), "bundles": JSON(nonEmpty: bundles.map(\.json)),
            "errors": JSON(errors), "warnings": JSON(warnings),
        ])
    }
}

/// What a check found in one payload.
private struct PayloadReport {
    /// How many keys the line with the size names; the JSON names all.
    private static let shareLimit = 6

    private let file: String
    /// The result of `checkPayload`; without it the file is not UTF-8.
    private let result: JSON?
    private let findings: [JSON]

    /// The report of a payload that the host checked.
    init(file: String, _ result: JSON) {
        self.file = file
        self.result = result
        findings = result["findings"]?.array.map(Array.init) ?? []
    }

    /// The report of a file that is not UTF-8.
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
    var warnings: Int { count("warning") }

    private func count(_ level: JSON) -> Int { findings.count { $0["level"] == level } }

    // MARK: For people

    /// One line for each finding with its advice, the size, and a summary.
    var text: String {
        (findings.flatMap(lines) + [size, summary].compactMap { $0 }).joined(separator: "\n")
    }

    private func lines(_ finding: JSON) -> [String] {
        let level = (finding["level"]?.string ?? "").padding(to: 12)
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
            return "\(share["key"]?.string ?? "") \(part) (\(part * 100 / max(1, bytes))%)"
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

    var json: JSON {
        JSON(present: ["file": .string(file)] + (result?.members ?? ["findings": JSON(findings)]))
    }
}
