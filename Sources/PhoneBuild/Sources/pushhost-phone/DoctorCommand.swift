internal import ArgumentParser
internal import PhoneCheckup
internal import PhoneDiagnostics

/// Prints what most often goes wrong on a phone although the project builds.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Find what goes wrong on a phone, with the setting to change.",
        discussion: """
            It reads the project, its property lists, its entitlements and its sources, and builds nothing.

            Example:
              pushhost-phone doctor App.xcodeproj
            """
    )

    @Argument(help: ArgumentHelp("An .xcodeproj, an .xcworkspace, or a folder with one.", valueName: "path"))
    var path: String

    @Flag(help: "Print one JSON object.")
    var json = false

    /// The report as JSON.
    private struct Report: Encodable {
        let targets: [String]
        let findings: [Finding]
        let errors: Int
        let warnings: Int
    }

    func run() throws {
        let checkup: Checkup
        do {
            checkup = try Checkup(path)
        } catch {
            Output.note(error)
            throw ExitCode(1)
        }
        let findings = checkup.findings
        let errors = findings.count { $0.level == .error }
        let warnings = findings.count - errors
        if json {
            let report = Report(targets: checkup.targets, findings: findings, errors: errors, warnings: warnings)
            try Output.print(json: report)
        } else {
            let counts = "\(Output.count(errors, "error")), \(Output.count(warnings, "warning"))"
            let extensions = Output.count(checkup.targets.count, "notification extension")
            Output.print((findings.map(\.text) + ["\(extensions): \(counts)"]).joined(separator: "\n"))
        }
        if errors > 0 { throw ExitCode(1) }
    }
}
