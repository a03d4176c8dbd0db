internal import ArgumentParser
internal import Foundation
internal import PhoneBundle
internal import PhoneDiagnostics
internal import PhoneProject

/// Prints which extensions of a project run as they are, and what the others miss.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Tell which notification extensions can be built, and what the others miss.",
        discussion: """
            It reads the project and the names that the modules have, and compiles nothing. If nothing is missing, \
            all modules, names and views that an extension needs are there; a build checks the types as well.

            Example:
              pushhost-phone check App.xcodeproj --modules phonekit
            """
    )

    @OptionGroup var project: ProjectOptions

    @Option(
        help: ArgumentHelp("The folder with the built modules of PhoneKit.", valueName: "dir"),
        completion: .directory
    )
    var modules: String

    @Option(
        help: ArgumentHelp("The Swift compiler, whose modules are read; by default swiftc in PATH.", valueName: "path")
    )
    var swiftc: String?

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        var checked: [CheckedExtension] = []
        do {
            let modules = try ModulesFolder(modules, compiler: swiftc)
            let plans = try project.extensions()
            checked = zip(plans, ExtensionForecast.forecasts(plans, modules: modules)).map(CheckedExtension.init)
        } catch {
            Output.note("\(error)")
            throw ExitCode(1)
        }
        if json {
            try Output.print(json: ["extensions": checked])
        } else {
            Output.print(CheckedExtension.table(checked))
        }
        if checked.contains(where: { $0.verdict != .complete }) { throw ExitCode(1) }
    }
}

/// An extension with what it misses, as it is printed.
private struct CheckedExtension: Encodable {
    enum Verdict: String, Encodable {
        case complete, incomplete, objectiveC
    }

    struct Finding: Encodable {
        let level: String
        let path: String
        let line: Int?
        let column: Int?
        let message: String
    }

    let target: String
    let kind: ExtensionKind
    let project: String
    let verdict: Verdict
    let findings: [Finding]

    init(_ plan: NotificationExtension, _ forecast: ExtensionForecast) {
        (target, kind, project) = (plan.code.target, plan.kind, plan.project)
        verdict = forecast.isObjectiveC ? .objectiveC : forecast.isComplete ? .complete : .incomplete
        findings = forecast.findings.map { finding in
            let isPlace = finding.line > 0
            return Finding(
                level: finding.severity.rawValue,
                path: finding.path,
                line: isPlace ? finding.line : nil,
                column: isPlace ? finding.column : nil,
                message: finding.message
            )
        }
    }

    private var summary: String {
        switch verdict {
        case .objectiveC: return "in Objective-C"
        case .complete where findings.isEmpty: return "nothing is missing"
        case .complete, .incomplete:
            let errors = findings.count { $0.level == Diagnostic.Severity.error.rawValue }
            let warnings = Output.count(findings.count - errors, "warning")
            return errors == 0 ? "can be built, \(warnings)" : "\(Output.count(errors, "error")), \(warnings)"
        }
    }

    /// The table for people: a line for each extension, and under it a line for each place.
    static func table(_ extensions: [CheckedExtension]) -> String {
        let width = extensions.map(\.target.count).max() ?? 0
        let folder = FileManager.default.currentDirectoryPath + "/"
        return extensions.flatMap { checked -> [String] in
            let name = checked.target.padding(toLength: width, withPad: " ", startingAt: 0)
            let kind = checked.kind.rawValue.padding(toLength: 7, withPad: " ", startingAt: 0)
            let rows = checked.findings.map { finding in
                let path = finding.path.hasPrefix(folder) ? String(finding.path.dropFirst(folder.count)) : finding.path
                let place = finding.line.map { "\(path):\($0):\(finding.column ?? 1)" } ?? path
                return "  \(place): \(finding.level): \(finding.message)"
            }
            return ["\(name)  \(kind)  \(checked.summary)"] + rows
        }.joined(separator: "\n")
    }
}
