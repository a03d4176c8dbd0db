internal import ArgumentParser
internal import Foundation
internal import Spelling

@main
struct Pushhost: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pushhost",
        abstract: "Runs push-notification content extensions without a phone and keeps their analytics.",
        discussion: """
            Examples:
              pushhost push payload.apns       shows a notification, to look at and play
              pushhost check payload.apns      finds the mistakes in a payload
              pushhost extensions check game   tests an extension
              pushhost pending                 lists what extensions have saved
              pushhost --plugins plugins       serves a client, such as an editor

            Everyday options:
              --plugins <dir>       a folder of extension bundles
              --data <dir>          the folder of the suites, which keep what was saved
              --suite <name>        the suite: the name of an App Group
              --record <file>       records the session, for pushhost replay
              --log-level <level>   what is logged to stderr

            Without a command it serves a client: it speaks JSON-RPC 2.0 on stdin and stdout, one message per line. \
            pushhost serve --help lists all options, environment variables and exit codes of that.
            """,
        version: Version.text,
        groupedSubcommands: [
            CommandGroup(
                name: "Preview",
                subcommands: [PushCommand.self, PreviewCommand.self, CheckPayloadCommand.self]
            ),
            CommandGroup(name: "Extension", subcommands: [ExtensionsCommand.self, ReplayCommand.self]),
            CommandGroup(name: "Outbox", subcommands: outboxCommands),
            CommandGroup(
                name: "Host",
                subcommands: [
                    Serve.self, RelayCommand.self, DoctorCommand.self, InstallCommand.self, UninstallCommand.self,
                    ExtensionPlayerCommand.self,
                ]
            ),
        ],
        defaultSubcommand: Serve.self
    )

    static func main() {
        // Output to a reader that is gone then fails, and the process ends in one way.
        signal(SIGPIPE, SIG_IGN)
        // Swift finds the arguments with the help of /proc/self/maps; without them every command would be another one.
        guard !CommandLine.arguments.isEmpty else {
            end(
                "Error: the system does not let pushhost read its own arguments; is /proc/self/maps readable?",
                ExitCode(EX_OSERR)
            )
        }
        var words = Array(CommandLine.arguments.dropFirst())
        if let word = words.first, word == "-" || word.hasSuffix(".apns"), !word.hasPrefix("--") {
            words.insert("push", at: 0)
        }
        do {
            if let options = SessionOptions(words: words) {
                try run(Serve.self) { try options.serve() }
            } else {
                if let mistake = unknownSubcommand(words) { throw mistake }
                var command = try parsed(words)
                try run(type(of: command)) { try command.run() }
            }
            Foundation.exit(Terminal.exitCode(0))
        } catch let code as ExitCode {
            Foundation.exit(Terminal.exitCode(code.rawValue))
        } catch {
            end(UsageText.wrapped(fullMessage(for: error)), exitCode(for: error))
        }
    }

    /// Runs a command.
    ///
    /// The parser would show the usage of the whole program for an error that only a run finds.
    private static func run(_ command: @autoclosure () -> any ParsableCommand.Type, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as ValidationError {
            end("Error: \(error.message)\n" + UsageText.lines(for: command()), exitCode(for: error))
        }
    }

    /// The command that the words describe.
    ///
    /// To parse the options of `serve` as those, without a search through all commands, shortens the start. After a
    /// mistake they are parsed again, as words of any command, because the error then names the program's usage.
    private static func parsed(_ words: [String]) throws -> any ParsableCommand {
        let options = words.first == "serve" ? Array(words.dropFirst()) : words
        if options.first?.hasPrefix("-") ?? true, let serve = try? Serve.parse(options) { return serve }
        return try parseAsRoot(words)
    }

    /// Ends the process with a message if there is one.
    private static func end(_ message: String, _ code: ExitCode) -> Never {
        if !message.isEmpty {
            if code.isSuccess { Terminal.print(message) } else { Terminal.writeToError(message + "\n") }
        }
        Foundation.exit(Terminal.exitCode(code.rawValue))
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
