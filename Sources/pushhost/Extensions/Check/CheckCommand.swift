internal import ArgumentParser
internal import CSystem
internal import ExtensionHost
internal import Foundation
internal import HostClient
internal import HostCore
internal import JSON
internal import Platform

/// Validates a bundle and tests it in a dry run, for its author and for CI.
struct CheckCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract:
            "Validate bundles and test them: every element and action, wrong input, texts, and the rules of the contract.",
        discussion: """
            Besides a folder, a payload in a bundle's folder can stand for the bundle, and the executable of a content \
            extension for a bundle, with its arguments after --. A destination gets a batch without records, and the \
            environment variables that it names.

            Exit codes: 0 without errors (perhaps with warnings), 1 with errors, 64 for a wrong command line, \
            66 if there is no such bundle or payload.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The bundles: folders with an Info.plist; or an executable, and after -- its arguments.",
            valueName: "bundles"
        ),
        completion: .file()
    )
    var paths: [String]

    @Option(
        help: ArgumentHelp("The executable to start in place of the one that the bundle names.", valueName: "file"),
        completion: .file()
    )
    var executable: String?

    @Option(
        help: ArgumentHelp(
            "The payload to show; by default the bundle's payload.apns, or one generated from its first category.",
            valueName: "file"
        ),
        completion: .file()
    )
    var payload: String?

    @Option(help: ArgumentHelp("The longest time for an answer.", valueName: "milliseconds"))
    var callDeadline: Int = Int(ExtensionLimits().call)

    @Option(help: ArgumentHelp("The longest time to exit after the end of stdin.", valueName: "milliseconds"))
    var stopGrace: Int = Int(ExtensionLimits().stop)

    @Option(help: ArgumentHelp("The longest time to check a bundle.", valueName: "milliseconds"))
    var deadline: Int = 600_000

    @Option(help: ArgumentHelp("Run only this step of the dry run; repeats.", valueName: "step"))
    var only: [CheckStep] = []

    @Flag(help: "Print the report of each bundle as one JSON object on a line.")
    var json = false

    @Option(help: "The locale of the notification.", completion: Completions.locales)
    var locale: String = "en"

    func validate() throws {
        try requireOption("call-deadline", callDeadline, in: 1...86_400_000)
        try requireOption("deadline", deadline, in: 1...86_400_000)
        try requireOption("stop-grace", stopGrace, in: 1...86_400_000)
        try requireLocale(locale)
        guard bundles.count > 1, payload != nil else { return }
        throw ValidationError("--payload is for one bundle; name only one")
    }

    /// Whether the first path is a bundle that runs its own executable; otherwise arguments follow it.
    private var runsBundles: Bool {
        executable == nil
            && (paths[0].hasSuffix(".apns") || StandardFolders.isFolder(StandardFolders.absolute(paths[0])))
    }
    private var bundles: [String] { runsBundles ? paths : [paths[0]] }
    private var arguments: [String] { runsBundles ? [] : Array(paths.dropFirst()) }

    /// There is nothing to check at a path.
    static var failureCode: Int32 { EX_NOINPUT }

    func run(_ signals: SignalSource) throws(ClientError) -> Int32 {
        let root = try TemporaryFolder.create(prefix: "pushhost-check")
        defer { root.remove() }
        // A wrong path is refused before the first bundle is run.
        var subjects: [(CheckSubject, folder: String)] = []
        for (index, bundle) in bundles.enumerated() {
            let folder = "\(root.path)/\(index)"
            guard mkdir(folder, 0o700) == 0 else {
                throw .failed("\(folder) cannot be made: \(String(cString: strerror(errno)))")
            }
            let subject = try CheckSubject(
                path: StandardFolders.absolute(bundle),
                arguments: arguments,
                executable: executable.map(StandardFolders.absolute),
                payload: payload.map(StandardFolders.absolute),
                in: folder
            )
            subjects.append((subject, folder))
        }
        var hasErrors = false
        for (index, (subject, folder)) in subjects.enumerated() {
            let report = try check(subject, in: folder, signals)
            hasErrors = hasErrors || report.errors > 0
            if !json, index > 0 { Terminal.print("") }
            if json { Terminal.print(report.json) } else { Terminal.print(report.text) }
        }
        return hasErrors ? 1 : 0
    }

    private func check(
        _ subject: CheckSubject,
        in folder: String,
        _ signals: SignalSource
    ) throws(ClientError) -> CheckReport {
        let report = CheckReport(bundle: subject.title)
        InfoPlistValidator(folder: subject.folder)?.validate(report)
        if let bundle = try? ExtensionBundle(folder: subject.title) {
            for problem in BundleFiles(of: bundle).problems {
                let text = "\(problem.message); pushhost install refuses the bundle"
                report.addFinding(.warning, problem.name.isEmpty ? subject.title : problem.name, text)
            }
        }
        LocalizationValidator(folder: subject.folder).validate(report)
        let progress = CheckProgress(subject.title, limit: deadline)
        defer { progress.remove() }
        let setup = DryRunSetup(
            folder: subject.folder,
            payloadFile: subject.payload,
            locale: locale,
            callDeadline: callDeadline,
            stopGrace: stopGrace,
            named: Set(only),
            folders: StandardFolders(),
            progress: progress
        )
        try DryRun(setup, in: folder, signals, report).run()
        return report
    }
}
