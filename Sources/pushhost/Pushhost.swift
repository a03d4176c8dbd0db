internal import ArgumentParser

@main
struct Pushhost: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pushhost",
        abstract: "Runs push-notification content extensions without a phone and keeps their analytics.",
        discussion: """
            Speaks JSON-RPC 2.0 on stdin and stdout, one message a line. The log goes to stderr.
            pushhost serve --help lists the options; the word serve may be left out.
            """,
        subcommands: [Serve.self, ExtensionsCommand.self, ReplayCommand.self, StandInCommand.self],
        defaultSubcommand: Serve.self
    )
}
