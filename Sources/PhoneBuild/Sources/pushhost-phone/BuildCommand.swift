internal import ArgumentParser
internal import Foundation
internal import PhoneBundle
internal import PhoneDiagnostics
internal import PhoneProject

/// Builds the bundles of a project's notification extensions.
struct BuildCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "build",
        abstract: "Build a bundle for each notification extension of a project.",
        discussion: """
            Each bundle is a folder of DIR with the name of the target. What a build keeps for the next one is in \
            DIR/.build. A build without a change writes nothing.

            Errors of the compiler name the lines of the project's own files; they go to stderr.

            Examples:
              pushhost-phone build App.xcodeproj --output bundles --modules phonekit
              pushhost push message.apns --plugins bundles
            """
    )

    @OptionGroup var project: ProjectOptions

    @Option(
        help: ArgumentHelp("The folder in which the bundles are written.", valueName: "dir"),
        completion: .directory
    )
    var output: String

    @Option(
        help: ArgumentHelp("The folder with the built modules of PhoneKit.", valueName: "dir"),
        completion: .directory
    )
    var modules: String

    @Option(help: ArgumentHelp("The Swift compiler; by default swiftc in PATH.", valueName: "path"))
    var swiftc: String?

    @Flag(help: "Print one JSON object with the bundles and the files that they are built from.")
    var json = false

    /// A bundle as it is printed.
    private struct Built: Encodable {
        let target: String
        let kind: ExtensionKind
        let bundle: String
        let isCompiled: Bool
        let seconds: Double
        let inputs: [String]
    }

    func run() throws {
        var built: [Built] = []
        var isComplete = true
        do {
            let modules = try ModulesFolder(modules, compiler: swiftc)
            for plan in try project.extensions() {
                if let bundle = try build(plan, modules) { built.append(bundle) } else { isComplete = false }
            }
        } catch let diagnostic as Diagnostic {
            Output.note(diagnostic)
            throw ExitCode(1)
        }
        if json { try Output.print(json: ["bundles": built]) }
        if !isComplete { throw ExitCode(1) }
    }

    /// Builds one bundle and says so.
    ///
    /// - Returns: nil if it failed; why is printed.
    private func build(_ plan: NotificationExtension, _ modules: ModulesFolder) throws -> Built? {
        let start = ContinuousClock.now
        do throws(ExtensionBuild.Failure) {
            let build = ExtensionBuild(plan, modules: modules, output: output)
            let result = try build.run()
            result.warnings.forEach(Output.note)
            let duration = start.duration(to: .now) / .seconds(1)
            let seconds = (duration * 100).rounded() / 100
            if !json {
                Output.print("\(result.bundle): \(result.isCompiled ? "built in \(seconds) s" : "is up to date")")
            }
            return Built(
                target: plan.code.target,
                kind: plan.kind,
                bundle: result.bundle,
                isCompiled: result.isCompiled,
                seconds: seconds,
                inputs: build.inputs
            )
        } catch {
            error.diagnostics.forEach(Output.note)
            if !error.compilerOutput.isEmpty {
                Output.note(error.compilerOutput.trimmingCharacters(in: .newlines))
            }
            return nil
        }
    }
}
