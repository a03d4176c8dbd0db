internal import ArgumentParser
internal import Spelling

@main
struct Pushhost: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pushhost",
        abstract: "Runs push-notification content extensions without a phone and keeps their analytics.",
        discussion: """
            Speaks JSON-RPC 2.0 on stdin and stdout, one message per line. The log goes to stderr.
            pushhost serve --help lists the options; the word serve may be left out.
            """,
        subcommands: [
            Serve.self, PushCommand.self, CheckPayloadCommand.self, ExtensionsCommand.self, ReplayCommand.self,
            DoctorCommand.self,
            ExtensionPlayerCommand.self,
        ] + outboxCommands,
        defaultSubcommand: Serve.self
    )

    static func main() {
        var words = Array(CommandLine.arguments.dropFirst())
        if let word = words.first, word == "-" || word.hasSuffix(".apns"), !word.hasPrefix("--") {
            words.insert("push", at: 0)
        }
        if let mistake = Pushhost.unknownSubcommand(words) { exit(withError: mistake) }
        main(words)
    }

    /// The error for a first word that is not the name of a command, or a second one in a group of commands.
    ///
    /// The parser would treat it as an argument of the default command and only report that it is unexpected.
    private static func unknownSubcommand(_ words: [String]) -> ValidationError? {
        guard let word = words.first, !word.hasPrefix("-"), word != "help" else { return nil }
        if let mistake = unknown(word, in: self, "pushhost") { return mistake }
        let group = configuration.subcommands.first { $0.configuration.commandName == word }
        guard let group, !group.configuration.subcommands.isEmpty, words.count > 1, !words[1].hasPrefix("-"),
            words[1] != "help"
        else { return nil }
        return unknown(words[1], in: group, "pushhost \(word)")
    }

    private static func unknown(
        _ word: String,
        in command: any ParsableCommand.Type,
        _ name: String
    ) -> ValidationError? {
        let all = command.configuration.subcommands.map { $0.configuration }
        guard !all.contains(where: { $0.commandName == word }) else { return nil }
        let known = all.filter(\.shouldDisplay).compactMap(\.commandName)
        let guess = EditDistance.nearest(word, in: known).map { "did you mean \($0)?" }
        let advice = guess ?? "there are \(known.joined(separator: ", "))"
        return ValidationError("\(name) has no command \(word); \(advice)")
    }
}
