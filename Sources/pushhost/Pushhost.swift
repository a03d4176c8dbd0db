internal import ArgumentParser
internal import CSystem
internal import Contract
internal import HostCore
internal import Platform
internal import Spelling
internal import Terminal

@main
struct Pushhost: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pushhost",
        abstract: "Run push-notification content extensions without a phone and keep their analytics.",
        discussion: """
            Examples:
              pushhost push payload.apns       show and play a notification
              pushhost check payload.apns      find the mistakes in a payload
              pushhost extensions check game   test an extension
              pushhost pending                 list saved records
              pushhost --plugins plugins       serve a client, such as an editor

            Everyday options:
              --plugins <dir>       a folder of extension bundles
              --data <dir>          the folder of the suites, which hold the records
              --suite <name>        the suite: the name of an App Group
              --record <file>       record the session, for pushhost replay
              --log-level <level>   the lowest level in the log on stderr

            Without a command, pushhost serves a client: it speaks JSON-RPC 2.0 on stdin and stdout, one message per \
            line. See pushhost serve --help for the options, environment variables and exit codes.
            """,
        version: Version.text,
        groupedSubcommands: [
            CommandGroup(
                name: "Preview",
                subcommands: [PushCommand.self, PreviewCommand.self, PicturesCommand.self, CheckCommand.self]
            ),
            CommandGroup(name: "Extension", subcommands: [ExtensionsCommand.self, ReplayCommand.self]),
            CommandGroup(
                name: "Outbox",
                subcommands: [
                    SuitesCommand.self, PendingCommand.self, SaveCommand.self, FlushCommand.self,
                    DeadLettersCommand.self, ExportCommand.self, ImportCommand.self, BackupCommand.self,
                ]
            ),
            CommandGroup(
                name: "Host",
                subcommands: [Serve.self, LSPCommand.self, RelayCommand.self, DoctorCommand.self, ManualCommand.self]
            ),
        ],
        defaultSubcommand: Serve.self
    )

    static func main() {
        // Before anything else is opened, because that would get the number of a missing standard descriptor.
        EventLoop.fillStandardDescriptors()
        // Output to a reader that is gone then fails, and the process ends in one way.
        signal(SIGPIPE, SIG_IGN)
        // The environment may hold secrets that only one extension may see.
        csystem_hide_memory()
        // Swift finds the arguments with the help of /proc/self/maps; without them every command would be another one.
        guard !CommandLine.arguments.isEmpty else {
            console.writeError("the system does not let pushhost read its own arguments; is /proc/self/maps readable?")
            Platform.exit(EX_OSERR)
        }
        Platform.exit(run(Array(CommandLine.arguments.dropFirst())))
    }

    /// Runs a command line, given without the program's name, and returns the exit code.
    static func run(_ words: [String]) -> Int32 {
        var words = words
        if let word = words.first, word == "-" || word.hasSuffix(".apns"), !word.hasPrefix("--") {
            words.insert("push", at: 0)
        }
        do {
            if let (group, mistake) = unknownSubcommand(words) { return end(mistake, in: group) }
            var command = try parsed(words)
            do {
                try command.run()
            } catch let error as ValidationError {
                return end(error, in: type(of: command))
            }
            return console.reportLostOutput(exitCode: 0)
        } catch let code as ExitCode {
            return console.reportLostOutput(exitCode: code.rawValue)
        } catch {
            let message = fullMessage(for: error, columns: UsageText.columns)
            return end(UsageText.wrapped(message), exitCode(for: error))
        }
    }

    /// Prints an error of a command's line, and returns the exit code.
    ///
    /// The parser would show the usage of the whole program for an error that only a run finds.
    private static func end(_ error: ValidationError, in command: any ParsableCommand.Type) -> Int32 {
        end("Error: \(PlainText.escaped(error.message))\n" + UsageText.lines(for: command), exitCode(for: error))
    }

    /// The command that the words describe.
    ///
    /// To parse the words after a command's name as its own shortens the start: a search from the root also describes
    /// all options of `serve`, the default. After a mistake they are parsed again from the root, because the error then
    /// names the program's usage.
    private static func parsed(_ words: [String]) throws -> any ParsableCommand {
        var command: any ParsableCommand.Type = self
        var rest = words[...]
        while let name = rest.first,
            let named = command.configuration.subcommands.first(where: { $0.configuration.commandName == name })
        {
            command = named
            rest.removeFirst()
        }
        if command == Pushhost.self { command = Serve.self }
        if command.configuration.subcommands.isEmpty, let parsed = try? command.parse(Array(rest)) { return parsed }
        return try parseAsRoot(words)
    }

    /// Prints a message, if there is one, and returns the exit code.
    private static func end(_ message: String, _ code: ExitCode) -> Int32 {
        if !message.isEmpty {
            // An error repeats words of the command line.
            if code.isSuccess {
                console.print(message)
            } else {
                console.writeToError(PlainText.escapedLines(message) + "\n")
            }
        }
        return console.reportLostOutput(exitCode: code.rawValue)
    }

    /// The error for a first word that is not the name of a command, or a second one in a group of commands.
    ///
    /// The parser would treat it as an argument of the default command and only report that it is unexpected.
    private static func unknownSubcommand(_ words: [String]) -> (any ParsableCommand.Type, ValidationError)? {
        guard let word = words.first, !word.hasPrefix("-") else { return nil }
        // What help is asked about must exist too.
        if word == "help" { return unknownSubcommand(Array(words.dropFirst())) }
        if let mistake = unknown(word, in: self, "pushhost") { return (self, mistake) }
        let group = configuration.subcommands.first { $0.configuration.commandName == word }
        // The default of pictures takes files, which may have any name.
        guard let group, group != PicturesCommand.self, !group.configuration.subcommands.isEmpty, words.count > 1,
            !words[1].hasPrefix("-"), words[1] != "help"
        else { return nil }
        return unknown(words[1], in: group, "pushhost \(word)").map { (group, $0) }
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

/// The usage of a command as errors and help show it.
private enum UsageText {
    /// The width of the terminal; on a very narrow one the parser would leave no column for descriptions.
    static var columns: Int { max(40, console.terminal.columns) }

    /// Wraps the usage in a text of the parser, which wraps everything else itself.
    static func wrapped(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("USAGE: ") || $0.hasPrefix("Usage: ") ? wrapped(line: $0) : String($0) }
            .joined(separator: "\n")
    }

    /// The last lines of an error about a command.
    static func lines(for command: any ParsableCommand.Type) -> String {
        let usage = wrapped("Usage: \(Pushhost.usageString(for: command))")
        let words = words(of: command, in: [Pushhost.self]) ?? ["pushhost"]
        return "\(usage)\n  See '\(words.joined(separator: " ")) --help' for more information."
    }

    private static func wrapped(line: Substring) -> String {
        let (indent, columns) = (String(repeating: " ", count: "Usage: ".count), columns)
        var (lines, current) = ([String](), "")
        for part in parts(of: line) {
            if !current.isEmpty, current.count + 1 + part.count > columns {
                lines.append(current)
                current = indent + part
            } else {
                current += current.isEmpty ? part : " " + part
            }
        }
        return (lines + [current]).joined(separator: "\n")
    }

    /// The words of a usage; an option in brackets and its value are one.
    private static func parts(of line: Substring) -> [String] {
        var parts: [String] = []
        var isOpen = false
        for word in line.split(separator: " ") {
            if isOpen, let last = parts.popLast() {
                parts.append("\(last) \(word)")
            } else {
                parts.append(String(word))
            }
            if word.hasPrefix("["), word.last != "]" { isOpen = true }
            if word.last == "]" { isOpen = false }
        }
        return parts
    }

    /// The words that start a command.
    private static func words(
        of command: any ParsableCommand.Type,
        in path: [any ParsableCommand.Type]
    ) -> [String]? {
        guard let last = path.last else { return nil }
        if last == command { return path.compactMap { $0.configuration.commandName } }
        return last.configuration.subcommands.lazy.compactMap { words(of: command, in: path + [$0]) }.first
    }
}

/// The versions that `pushhost --version` prints.
enum Version {
    /// The version of the program: the only place that has it.
    ///
    /// The contract has another version, which changes only with the contract.
    static let program = "1.0.0"

    /// Both versions on a line.
    static let text = "pushhost \(program) (contract \(ContractDocuments.version))"
}
