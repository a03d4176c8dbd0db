internal import ArgumentParser

/// What is done with bundles besides serving them.
struct ExtensionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extensions",
        abstract: "Works on extension bundles.",
        subcommands: [CheckCommand.self]
    )
}
