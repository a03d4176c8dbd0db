internal import ArgumentParser

/// The group of commands for extension bundles.
struct ExtensionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extensions",
        abstract: "List, check, create, allow and reload extension bundles.",
        examples: ["pushhost extensions list --plugins plugins", "pushhost extensions check plugins/game"],
        subcommands: [
            ListCommand.self, ExtensionsCheckCommand.self, NewCommand.self, AllowCommand.self, ReloadCommand.self,
        ]
    )
}
