import Foundation
import JSON
import TestSupport
import Testing

/// What the program prints about itself.
@Suite(.waits, .wire) struct HelpTests {
    /// Runs the program with arguments; it must succeed.
    private func output(_ arguments: [String]) throws -> String {
        let program = try hostCommand(unchecked: "help serves no client")[0]
        var environment = ProcessInfo.processInfo.environment
        environment["COLUMNS"] = nil
        let process = try ChildProcess(program, arguments, environment: environment)
        process.closeInput()
        let text = try process.readToEnd()
        #expect(try process.wait() == .code(0), "\(arguments): \(process.standardError)")
        return text
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

        /// The command, and all below it.
        static func all(in description: JSON, _ path: [String] = []) -> [Command] {
            let words = path + [description["commandName"]?.string ?? ""]
            let own = Command(
                words: Array(words.dropFirst()),
                discussion: description["discussion"]?.string ?? "",
                isShown: description["shouldDisplay"]?.bool != false
            )
            let parts = description["subcommands"]?.array.map(Array.init) ?? []
            return [own] + parts.flatMap { all(in: $0, words) }
        }
    }

    @Test("The help of every command fits in 80 columns, and no line of an example is broken")
    func width() throws {
        let description = try JSON(parsing: try output(["--experimental-dump-help"]))["command"]
        let commands = Command.all(in: try #require(description)).filter { $0.isShown && $0.words != ["help"] }
        #expect(commands.count > 15)
        for command in commands {
            let lines = try output(command.words + ["--help"]).split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.filter { $0.count > 80 } == [], "\(command.words)")
            let examples = command.discussion.split(separator: "\n").filter { $0.hasPrefix("  ") }
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
        "An error that serve finds late ends with the usage of serve",
        arguments: [
            ["--clock", "yesterday"], ["--log-level", "loud"], ["--suite", "../x"], ["--record", "/nonexistent/file"],
            ["--flush-to", "nope"],
        ]
    )
    func lateErrors(options: [String]) throws {
        let program = try hostCommand(unchecked: "it ends before it serves")[0]
        let process = try ChildProcess(program, options)
        process.closeInput()
        #expect(try process.readToEnd() == "")
        #expect(try process.wait() == .code(64))
        let end = "\nUsage: pushhost serve <options>\n  See 'pushhost serve --help' for more information.\n"
        #expect(process.standardError.hasSuffix(end), "\(process.standardError)")
        #expect(process.standardError.hasPrefix("Error: \(options[0])"), "\(process.standardError)")
    }

    @Test(
        "An unknown command is an error with the usage of its group",
        arguments: [
            (["puhs"], "pushhost has no command puhs; did you mean push?", "pushhost <subcommand>"),
            (
                ["extensions", "chek", "x"], "pushhost extensions has no command chek; did you mean check?",
                "pushhost extensions <subcommand>"
            ),
        ]
    )
    func unknownCommand(words: [String], text: String, usage: String) throws {
        let program = try hostCommand(unchecked: "it ends before it serves")[0]
        let process = try ChildProcess(program, words)
        #expect(try process.wait() == .code(64))
        let lines = process.standardError.split(separator: "\n")
        #expect(lines.prefix(2) == ["Error: \(text)", "Usage: \(usage)"], "\(process.standardError)")
    }

    @Test("A long usage in an error is wrapped between options")
    func usage() throws {
        let program = try hostCommand(unchecked: "it ends before it serves")[0]
        let process = try ChildProcess(program, ["save", "event"])
        #expect(try process.wait() == .code(64))
        let lines = process.standardError.split(separator: "\n")
        #expect(lines.count > 4 && lines.allSatisfy { $0.count <= 80 }, "\(process.standardError)")
        let inner = lines.drop { !$0.hasPrefix("Usage: ") }.dropFirst().prefix { $0.hasPrefix("       ") }
        #expect(!inner.isEmpty && inner.allSatisfy { $0.hasPrefix("       [--") && $0.hasSuffix("]") })
    }

    @Test("At a terminal serve says what to type, on one line; in a pipe it says nothing")
    func hint() throws {
        try withTemporaryDirectory { folder in
            let terminal = try PushTerminal(["--data", folder], folder)
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
