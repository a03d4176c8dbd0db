internal import ArgumentParser

/// The group of commands for extension bundles.
struct ExtensionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extensions",
        abstract: "Checks extension bundles.",
        subcommands: [CheckCommand.self]
    )
}
