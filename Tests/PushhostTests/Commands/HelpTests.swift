import Foundation
import JSON
import TestSupport
import Testing

/// What the program prints about itself.
@Suite(.waits, .wire) struct HelpTests {
    /// Runs a command, which must succeed.
    private func output(_ arguments: [String], terminal: Pseudoterminal? = nil) throws -> String {
        let run = try CommandRun(arguments, environment: ["LANG": "C.UTF-8"], terminal: terminal)
        #expect(run.status == .code(0) && run.standardError == "", "\(arguments): \(run)")
        return run.output
    }

    @Test("--version prints the version of the program and that of the contract", arguments: [[], ["serve"], ["push"]])
    func version(command: [String]) throws {
        let host = try HostProcess()
        let contract = try #require(try host.result("ping")["version"]?.string)
        let text = try output(command + ["--version"])
        let match = try #require(text.wholeMatch(of: #/pushhost \d+\.\d+\.\d+ \(contract (?<contract>.+)\)\n/#))
        #expect(match.output.contract == contract)
    }

    /// A command with its words and the text of its help.
    private struct Command {
        let words: [String]
        let discussion: String
        let isShown: Bool
        let isGroup: Bool

        /// The command, and all below it.
        static func all(in description: JSON, _ path: [String] = []) -> [Command] {
            let words = path + [description["commandName"]?.string ?? ""]
            let own = Command(
                words: Array(words.dropFirst()),
                discussion: description["discussion"]?.string ?? "",
                isShown: description["shouldDisplay"]?.bool != false,
                isGroup: description["subcommands"] != nil
            )
            let parts = description["subcommands"]?.array.map(Array.init) ?? []
            return [own] + parts.flatMap { all(in: $0, words) }
        }
    }

    @Test(
        "The help of every command has examples and exit codes, and fits in 80 columns without breaking a line of an example"
    )
    func width() throws {
        let description = try JSON(parsing: try output(["--experimental-dump-help"]))["command"]
        let commands = Command.all(in: try #require(description)).filter { $0.isShown && $0.words != ["help"] }
        #expect(commands.count > 15)
        for command in commands {
            let lines = try output(command.words + ["--help"]).split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.filter { $0.count > 80 } == [], "\(command.words)")
            let examples = command.discussion.split(separator: "\n").filter { $0.hasPrefix("  ") }
            #expect(!examples.isEmpty, "\(command.words)")
            let hasCodes = command.isGroup || command.discussion.contains("\n\nExit codes: ")
            #expect(hasCodes, "\(command.words)")
            // Lines that are not indented are joined in a manual page.
            #expect(command.discussion.split(separator: "\n").filter { $0.hasPrefix("pushhost ") } == [])
            #expect(examples.filter { !lines.contains($0) } == [], "\(command.words)")
        }
    }

    /// The long options in a text, each at the beginning of a line, in order.
    private func options(_ text: Substring) -> [String] {
        text.matches(of: #/(?m)^  (?<name>--[a-z-]+)/#).map { String($0.output.name) }
    }

    @Test("The help of serve has the five everyday options first and the tuning last, and the general help names those")
    func order() throws {
        let serve = try output(["serve", "--help"])
        let headings = serve.matches(of: #/(?m)^(?<name>[A-Z][A-Z: ]+):$/#).map { String($0.output.name) }
        let expected = ["EVERYDAY OPTIONS", "FURTHER OPTIONS", "DELIVERY", "TUNING: EXTENSIONS", "TUNING: LIMITS"]
        #expect(headings == expected + ["OPTIONS"])
        let everyday = ["--plugins", "--data", "--suite", "--record", "--log-level"]
        let sections = try #require(serve.firstRange(of: "EVERYDAY OPTIONS:"))
        let rest = serve[sections.upperBound...]
        #expect(options(rest[..<(try #require(rest.firstRange(of: "FURTHER OPTIONS:")).lowerBound)]) == everyday)
        for name in ["XDG_DATA_HOME", "BRAZE_REST_ENDPOINT", "BRAZE_API_KEY", "TMPDIR", "Exit codes: 0 "] {
            #expect(serve.contains(name))
        }
        let general = try output(["--help"])
        #expect(options(general[...]) == everyday + ["--version"])
        #expect(
            try #require(general.firstRange(of: "Examples:")).upperBound
                < general.firstRange(of: "--plugins")!.lowerBound
        )
    }

    @Test(
        "An unknown command is an error with the usage of its group",
        arguments: [
            ("puhs", "pushhost", "did you mean push?"),
            (
                "extra", "pushhost",
                "there are push, preview, pictures, check, extensions, replay, suites, pending, save, flush, "
                    + "dead-letters, export, import, backup, serve, lsp, relay, doctor"
            ),
            ("chek x", "pushhost extensions", "did you mean check?"),
            ("frob", "pushhost extensions", "there are list, check, new, allow, reload"),
            ("retri", "pushhost dead-letters", "did you mean retry?"), ("evnt", "pushhost save", "did you mean event?"),
        ]
    )
    func unknownCommand(words: String, group: String, advice: String) throws {
        let line = "\(group) \(words)".split(separator: " ").map(String.init)
        let run = try CommandRun(Array(line.dropFirst()))
        #expect(run.status == .code(64) && run.output == "")
        let error = "Error: \(group) has no command \(words.prefix { $0 != " " }); \(advice)\n"
        let usage = "Usage: \(group) <subcommand>\n  See '\(group) --help' for more information.\n"
        #expect(run.standardError == error + usage)
    }

    @Test("Help about a command that does not exist is the error of that command", arguments: ["savv", "save evnt"])
    func unknownHelp(words: String) throws {
        let names = words.split(separator: " ").map(String.init)
        let (help, command) = (try CommandRun(["help"] + names), try CommandRun(names))
        #expect(help.status == .code(64) && help.output == "")
        #expect(help.standardError == command.standardError)
        #expect(try CommandRun(["help", "save", "event"]).status == .code(0))
    }

    @Test("A long usage in an error is wrapped between options, at the width of the terminal", arguments: [80, 50])
    func usage(columns: Int) throws {
        let run = try CommandRun(["export"], terminal: Pseudoterminal(columns: columns, rows: 24))
        #expect(run.status == .code(64))
        let lines = run.output.split(separator: "\r\n")
        let inner = lines.drop { !$0.hasPrefix("Usage: ") }.prefix { !$0.hasPrefix("  See") }
        #expect(inner.count > 2 && inner.allSatisfy { $0.count <= columns }, "\(run.output)")
        #expect(inner.dropFirst().allSatisfy { $0.hasPrefix("       [--") && $0.hasSuffix("]") })
    }

    @Test("Help is as wide as the terminal")
    func narrowHelp() throws {
        let text = """
            OVERVIEW: Run recorded sessions again
            and compare the results.

            """
        let help = try output(["replay", "--help"], terminal: Pseudoterminal(columns: 40, rows: 24))
        #expect(help.replacing("\r\n", with: "\n").hasPrefix(text), "\(help)")
    }

    @Test("At a terminal serve says what to type, on one line; in a pipe it says nothing")
    func hint() throws {
        try withTemporaryDirectory { folder in
            let terminal = try PushTerminal(job: ["--data", folder], folder)
            try terminal.wait(for: "Ctrl-D ends.")
            let hint = try #require(terminal.output.split(separator: "\r\n").first { $0.contains("Ctrl-D ends.") })
            #expect(hint.count <= 80)
            // The hint names a request that works as it is.
            let request = try #require(hint.firstMatch(of: #/\{.*\}/#)).output
            try terminal.type("\(request)\r")
            try terminal.wait(for: #""result":{"version""#)
            let end = try terminal.end(typing: "\u{4}")
            #expect(end.code == .code(0))
            #expect(end.output.components(separatedBy: "Ctrl-D ends.").count == 2)
            let command = try hostCommand(["--data", folder])
            let host = try ChildProcess(command[0], Array(command.dropFirst()))
            try host.write("\(request)\n".utf8)
            host.closeInput()
            #expect(try host.readToEnd().contains(#""result":{"version""#))
            #expect(try host.wait() == .code(0))
            #expect(host.standardError == "")
        }
    }
}
