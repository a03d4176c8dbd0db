internal import ArgumentParser
internal import CSystem
internal import ExtensionHost
internal import Foundation
internal import HostClient
internal import HostCore
internal import JSON
internal import Platform

/// Validates a bundle and tries it, for its author and for CI.
struct CheckCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract:
            "Validates a bundle and tries it: every element and action, wrong input, and how it keeps the contract.",
        discussion: """
            The executable of a content extension is enough, if it is given instead of a bundle; what follows -- are \
            its arguments. A destination gets a batch without records and the variables that it names.

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
            "The payload to show; else the bundle's payload.apns, else one made up from its first category.",
            valueName: "file"
        )
    )
    var payload: String?

    @Option(help: ArgumentHelp("The longest time for an answer.", valueName: "milliseconds"))
    var callDeadline: Int = Int(ExtensionLimits().call)

    @Option(help: ArgumentHelp("The longest time to end after its stdin.", valueName: "milliseconds"))
    var stopGrace: Int = Int(ExtensionLimits().stop)

    @Option(help: ArgumentHelp("Takes only this step of the dry run; repeats.", valueName: "step"))
    var only: [CheckStep] = []

    @Flag(help: "Print the report as one JSON object.")
    var json = false

    @Option(help: "The locale of the notification.")
    var locale: String = "en"

    func validate() throws {
        try check("call-deadline", callDeadline, in: 1...86_400_000)
        try check("stop-grace", stopGrace, in: 1...86_400_000)
    }

    /// What is given cannot be checked.
    static var failureCode: Int32 { EX_NOINPUT }

    func run(_ signals: SignalSource) throws(ClientError) -> Int32 {
        let folders = StandardFolders()
        let root = try TemporaryFolder("pushhost-check")
        defer { root.remove() }
        let subject = try CheckSubject(
            path: folders.absolute(bundle),
            arguments: arguments,
            executable: executable.map(folders.absolute),
            payload: payload.map(folders.absolute),
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
        print(json ? report.json.description : report.text)
        return report.errors == 0 ? 0 : 1
    }
}
