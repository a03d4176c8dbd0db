internal import ArgumentParser

extension CommandConfiguration {
    /// The configuration of a command whose help has three parts, in this order in every command.
    ///
    /// - Parameters:
    ///   - commandName: Its name.
    ///   - abstract: What it does, in one imperative sentence.
    ///   - prose: What a reader must know besides; paragraphs.
    ///   - examples: Command lines, each as it is typed.
    ///   - exitCodes: The exit codes, each with its meaning; empty for a group of commands.
    ///   - subcommands: The commands below it.
    ///   - defaultSubcommand: The one that is meant if none is named.
    init(
        commandName: String,
        abstract: String,
        prose: String = "",
        examples: [String],
        exitCodes: String = "",
        subcommands: [any ParsableCommand.Type] = [],
        defaultSubcommand: (any ParsableCommand.Type)? = nil
    ) {
        let title = examples.count == 1 ? "Example:" : "Examples:"
        let parts = [
            prose, ([title] + examples.map { "  \($0)" }).joined(separator: "\n"),
            exitCodes.isEmpty ? "" : "Exit codes: \(exitCodes)",
        ]
        self.init(
            commandName: commandName,
            abstract: abstract,
            discussion: parts.filter { !$0.isEmpty }.joined(separator: "\n\n"),
            subcommands: subcommands,
            defaultSubcommand: defaultSubcommand
        )
    }
}
