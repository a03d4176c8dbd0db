internal import ArgumentParser
internal import CSystem
internal import Configuration
internal import HostClient
internal import JSON
internal import Platform

/// Checks what the host needs to run, versions, folders, bundles, the destination and the clock, or an Xcode project.
struct DoctorCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check what the host needs to run, or why an Xcode project fails on the phone.",
        prose: """
            Without a project it checks versions, folders, bundles, the destination, its key and the clock. \
            It prints a line for each check, sends no record and changes nothing. Each extension is started once, as \
            pushhost extensions check starts it, to find a missing interpreter or library. The destination is asked \
            whether it can be reached and accepts the key.

            With an .xcodeproj or a folder that has one, it finds what goes wrong on a phone although the project \
            builds, such as an extension that is not embedded or an App Group of one side, and names the setting to \
            change.
            """,
        examples: [
            "pushhost doctor",
            "pushhost doctor --plugins plugins --to braze",
            "pushhost doctor App.xcodeproj",
            #"pushhost doctor --json | jq -r 'select(.level == "error").message'"#,
        ],
        exitCodes: "0 without errors (perhaps with warnings); 1 errors; 64 wrong command line; 128+n ended by signal n."
    )

    @Argument(
        help: ArgumentHelp("Check this Xcode project, or this folder that has one.", valueName: "project"),
        completion: .file()
    )
    var project: String?

    @OptionGroup var host: HostOptions

    @Option(
        help: ArgumentHelp("Check this destination: file, or the name that a bundle declares.", valueName: "name"),
        completion: Completions.destinations
    )
    var to: String?

    @Flag(help: "Print JSON, one object per line; of a project, one object.")
    var json = false

    func validate() throws {
        if to == "caller" { throw ValidationError("--to caller: name a destination that the host delivers to") }
        guard let project else { return }
        if to != nil { throw ValidationError("--to \(to ?? ""): a project has no destination") }
        guard ProjectTool.isProject(project) else {
            throw ValidationError("\(project): there is no Xcode project; name an .xcodeproj, or a folder that has one")
        }
    }

    func run(_ signals: SignalSource) throws(ClientError) -> Int32 {
        if let project {
            return try ProjectTool.found(StandardFolders()).show(["doctor", project] + (json ? ["--json"] : []))
        }
        let report = DoctorReport(isJSON: json)
        report.addFolders(of: host)
        // Before the host runs, which would use the suites too.
        report.add(SuiteUsers(host.dataFolder).findings)
        try report.withHost(host, [], signals) { client throws(ClientError) in try checkHost(client, signals, report) }
        return report.hasErrors ? 1 : 0
    }

    private func checkHost(
        _ client: HostClient,
        _ signals: SignalSource,
        _ report: DoctorReport
    ) throws(ClientError) {
        report.add([Self.versions(try client.result("status")), Self.sandbox(host.sandbox)])
        report.add(try SuiteCheckup.findings(client))
        let extensions = try client.result("extensions")
        report.add(try BundleCheckup.findings(extensions, host.sandbox, signals))
        let destination = DestinationCheckup(to ?? DeliverySettings().policyDestination, isNamed: to != nil, extensions)
        report.add(destination.variables())
        report.add(try destination.findings(client))
    }

    private static func sandbox(_ options: SandboxOptions) -> DoctorFinding {
        guard !options.noSandbox else {
            return .warning("sandbox", "--no-sandbox: an extension can do everything that you can do")
        }
        guard Sandbox.gaps.isEmpty else {
            let text = "it is not whole: an extension can \(Sandbox.gaps.joined(separator: ", and "))"
            return .warning("sandbox", text, "run only bundles that you trust, or use a newer kernel")
        }
        return .ok("sandbox", "an extension reads its bundle and programs of the system, and reaches what it declares")
    }

    private static func versions(_ status: JSON) -> DoctorFinding {
        func version(_ name: String) -> String { status[name]?.string ?? status[name]?.description ?? "unknown" }
        let text =
            "pushhost \(Version.program), contract \(version("version")), suite schema \(version("schema")), "
            + "SQLite \(version("sqlite")), Jansson \(version("jansson")), Swift \(version("swift"))"
        return .ok("versions", text)
    }
}

/// Prints what checks find, a line for each.
final class DoctorReport {
    private let isJSON: Bool
    /// Whether a check found an error.
    private(set) var hasErrors = false

    init(isJSON: Bool) { self.isJSON = isJSON }

    func add(_ findings: [DoctorFinding]) {
        for finding in findings {
            hasErrors = hasErrors || finding.level == .error
            if isJSON { console.print(finding.json) } else { console.print(finding.line) }
        }
    }

    /// Checks the folders of the suites and of the bundles.
    func addFolders(of host: HostOptions) {
        add(FolderCheckup.data(host.dataFolder))
        let folders = host.plugins.map(Paths.absolute)
        add(FolderCheckup.plugins(folders.isEmpty ? StandardFolders().plugins : folders, areNamed: !folders.isEmpty))
    }

    /// Passes a host that runs to a closure; that it fails is a finding too.
    func withHost(
        _ host: HostOptions,
        _ arguments: [String],
        _ signals: SignalSource,
        _ body: (HostClient) throws(ClientError) -> Void
    ) throws(ClientError) {
        do throws(ClientError) {
            let client = try host.start(arguments, signals)
            do throws(ClientError) {
                try body(client)
            } catch {
                _ = client.stop(isHasty: true)
                if case .failed(let text) = error { throw .failed("\(text); its log ends: \(client.log)") }
                throw error
            }
            _ = client.stop(isHasty: false)
        } catch {
            if case .interrupted = error { throw error }
            add([.error("host", error.text)])
        }
    }
}

/// What a check of `doctor` found.
struct DoctorFinding {
    enum Level: String, CaseIterable { case ok, warning, error }

    /// What was checked, in a word or two.
    let check: String
    let level: Level
    /// What was found.
    let message: String
    /// What to do; nil if nothing is to be done.
    let advice: String?

    static func ok(_ check: String, _ message: String) -> DoctorFinding {
        DoctorFinding(check: check, level: .ok, message: message, advice: nil)
    }

    static func warning(_ check: String, _ message: String, _ advice: String? = nil) -> DoctorFinding {
        DoctorFinding(check: check, level: .warning, message: message, advice: advice)
    }

    static func error(_ check: String, _ message: String, _ advice: String? = nil) -> DoctorFinding {
        DoctorFinding(check: check, level: .error, message: message, advice: advice)
    }

    /// The finding as a line for people.
    var line: String {
        let level = level.rawValue.padding(to: 7)
        return PlainText.escaped("\(level)  \(check): \(message)\(advice.map { "; \($0)" } ?? "")")
    }

    var json: JSON {
        JSON(present: [
            "check": .string(check), "level": .string(level.rawValue), "message": .string(message),
            "advice": advice.map(JSON.string),
        ])
    }
}
