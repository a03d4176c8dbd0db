internal import ArgumentParser

@main
struct Pushhost: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pushhost",
        abstract: "Runs push-notification content extensions without a phone and keeps their analytics.",
        discussion: """
            Speaks JSON-RPC 2.0 on stdin and stdout, one message a line. The log goes to stderr.
            """,
        subcommands: [Serve.self],
        defaultSubcommand: Serve.self
    )
}
