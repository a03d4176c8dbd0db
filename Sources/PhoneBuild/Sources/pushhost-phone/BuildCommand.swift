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
        /// The folder; absent if the build failed.
        let bundle: String?
        let isCompiled: Bool
        let seconds: Double
        let inputs: [String]
    }

    func run() throws {
        var built: [Built] = []
        do {
            let modules = try ModulesFolder(modules, compiler: swiftc)
            for plan in try project.extensions() { built.append(build(plan, modules)) }
        } catch {
            Output.note("\(error)")
            throw ExitCode(1)
        }
        if json { try Output.print(json: ["bundles": built]) }
        if built.contains(where: { $0.bundle == nil }) { throw ExitCode(1) }
    }

    /// Builds one bundle, and says so or why not.
    private func build(_ plan: NotificationExtension, _ modules: ModulesFolder) -> Built {
        let start = ContinuousClock.now
        let build = ExtensionBuild(plan, modules: modules, output: output)
        var result: ExtensionBuild.Result?
        do throws(ExtensionBuild.Failure) {
            result = try build.run()
        } catch {
            error.diagnostics.forEach(Output.note)
            if !error.compilerOutput.isEmpty {
                Output.note(error.compilerOutput.trimmingCharacters(in: .newlines))
            }
        }
        let seconds = (start.duration(to: .now) / .seconds(1) * 100).rounded() / 100
        result?.warnings.forEach(Output.note)
        if let result, !json {
            Output.print("\(result.bundle): \(result.isCompiled ? "built in \(seconds) s" : "is up to date")")
        }
        return Built(
            target: plan.code.target,
            kind: plan.kind,
            bundle: result?.bundle,
            isCompiled: result?.isCompiled ?? false,
            seconds: seconds,
            inputs: build.inputs
        )
    }
}
