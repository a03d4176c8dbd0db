internal import ArgumentParser
internal import PhoneBundle

/// Builds the modules that extensions are compiled against.
struct ModulesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "modules",
        abstract: "Build PhoneKit, and write the folder that build needs as --modules.",
        discussion: """
            The folder has everything that the compiler needs, and may be moved. It fits the compiler that made it.

            Example:
              pushhost-phone modules Sources/PhoneKit --output phonekit
            """
    )

    @Argument(help: ArgumentHelp("The folder of the package PhoneKit.", valueName: "package"))
    var package: String

    @Option(help: ArgumentHelp("The folder that is written.", valueName: "dir"), completion: .directory)
    var output: String

    @Flag(help: "Build without the optimizer, which is faster.")
    var debug = false

    @Option(help: ArgumentHelp("Where Swift keeps what it builds; by default PACKAGE/.build.", valueName: "dir"))
    var scratchPath: String?

    func run() throws {
        do {
            let assembly = ModulesAssembly(package: package, isRelease: !debug, scratch: scratchPath)
            Output.print("\(output): \(try assembly.run(output: output).joined(separator: ", "))")
        } catch {
            Output.note("\(error)")
            throw ExitCode(1)
        }
    }
}
