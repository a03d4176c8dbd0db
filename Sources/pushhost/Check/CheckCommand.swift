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
            "Validates a bundle and tests it: every element and action, wrong input, and the rules of the contract.",
        discussion: """
            Instead of a bundle, the executable of a content extension can be given, with its arguments after --. A \
            destination gets a batch without records, and the environment variables that it names.

            Exit codes: 0 without errors (perhaps with warnings), 1 with errors, 64 for a wrong command line, \
            66 if there is no such bundle or payload.
            """
    )

    @Argument(help: "The bundle: a folder with an Info.plist; or an executable.")
    var bundle: String

    @Argument(parsing: .postTerminator, help: "The arguments of an executable, after --.")
    var arguments: [String] = []

    @Option(
        help: ArgumentHelp("The executable to start in place of the one that the bundle names.", valueName: "file")
    )
    var executable: String?

    @Option(
        help: ArgumentHelp(
            "The payload to show; by default the bundle's payload.apns, or one generated from its first category.",
            valueName: "file"
        )
    )
    var payload: String?

    @Option(help: ArgumentHelp("The longest time for an answer.", valueName: "milliseconds"))
    var callDeadline: Int = Int(ExtensionLimits().call)

    @Option(help: ArgumentHelp("The longest time to exit after the end of stdin.", valueName: "milliseconds"))
    var stopGrace: Int = Int(ExtensionLimits().stop)

    @Option(help: ArgumentHelp("Runs only this step of the dry run; repeats.", valueName: "step"))
    var only: [CheckStep] = []

    @Flag(help: "Prints the report as one JSON object.")
    var json = false

    @Option(help: "The locale of the notification.")
    var locale: String = "en"

    func validate() throws {
        try requireOption("call-deadline", callDeadline, in: 1...86_400_000)
        try requireOption("stop-grace", stopGrace, in: 1...86_400_000)
        try requireLocale(locale)
    }

    /// What is given cannot be checked.
    static var failureCode: Int32 { EX_NOINPUT }

    func run(_ signals: SignalSource) throws(ClientError) -> Int32 {
        let folders = StandardFolders()
        let root = try TemporaryFolder.create(prefix: "pushhost-check")
        defer { root.remove() }
        let subject = try CheckSubject(
            path: StandardFolders.absolute(bundle),
            arguments: arguments,
            executable: executable.map(StandardFolders.absolute),
            payload: payload.map(StandardFolders.absolute),
            in: root.path
        )
        let report = CheckReport(bundle: subject.title)
        InfoPlistValidator(folder: subject.folder)?.validate(report)
        let setup = DryRunSetup(
            folder: subject.folder,
            payloadFile: subject.payload,
            locale: locale,
            callDeadline: callDeadline,
            stopGrace: stopGrace,
            steps: only.isEmpty ? Set(CheckStep.allCases) : Set(only),
            folders: folders
        )
        try DryRun(setup, in: root.path, signals, report).run()
        Terminal.print(json ? report.json.description : report.text)
        return report.errors == 0 ? 0 : 1
    }
}
