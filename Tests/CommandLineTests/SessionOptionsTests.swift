import ArgumentParser
import Configuration
import Foundation
import HostCore
import TestSupport
import Testing

@testable import pushhost

/// The options of `serve` that the program reads without the argument parser, compared with what the parser reads.
@Suite(.waits) struct SessionOptionsTests {
    private static let folder = NSTemporaryDirectory()

    @Test(
        "The program reads these command lines itself, and as the argument parser does",
        arguments: [
            [], ["serve"], ["--plugins", folder], ["--plugins=\(folder)", "--plugins", "/"], ["--data", folder],
            ["--data=\(folder)/new/folder"], ["--suite", "group.x"], ["--suite", "../x"], ["--record", "a=b.jsonl"],
            ["--record=a=b"], ["--log-level", "loud"], ["--log-level=debug", "--seed", "1"], ["--log-format", "json"],
            ["--log-format=text"],
            ["--seed=+7"],
            ["--ephemeral"], ["serve", "--ephemeral", "--fetch-attachments", "--seed", "18446744073709551615"],
            ["--locale", "pt-BR"], ["--clock", "2026-01-01T00:00:00Z"], ["--clock", "yesterday"],
            ["--files-within", "anything at all"], ["--suite", "serve"], ["--suite", "é"],
            ["serve", "--data", folder, "--plugins", "/", "--record", "r.jsonl", "--clock", "x", "--locale=de"],
        ]
    )
    func read(words: [String]) throws {
        let options = try #require(SessionOptions(words: words))
        #expect(options == Self.parsed(words))
    }

    @Test(
        "The argument parser reads a command line with another option, a mistake or a form that has rules of its own",
        arguments: [
            ["--retry-base", "1"], ["--plugins"], ["--plugins", ""], ["--plugins="], ["--plugins", "/nonexistent"],
            ["--data", "--suite"], ["--data", "-x"], ["--data=-x"], ["--data", "/dev/null"], ["--ephemeral=yes"],
            ["--ephemeral", "--data", folder], ["--ephemeral", "--ephemeral"], ["--seed", "1", "--seed=2"],
            ["--seed", "x"], ["--seed", "18446744073709551616"], ["--locale", "german"], ["--sui", "x"], ["-s", "x"],
            ["--", "--suite", "x"], ["--suite", "x", "y"], ["x"], ["serve", "serve"], ["serve", "help"], ["help"],
            ["--help"], ["--version"], ["-h"], [""], ["="], ["--"], ["-"], ["push"], ["doctor"], ["--suite=x", ""],
            ["--generate-completion-script", "zsh"], ["---completion", "--suite", "x"], ["--experimental-dump-help"],
        ]
    )
    func left(words: [String]) { #expect(SessionOptions(words: words) == nil) }

    @Test("Whatever words are combined, the program reads none otherwise than the argument parser")
    func combined() throws {
        let help = Serve.helpMessage(includeHidden: true)
        let names = help.matches(of: /\n {2}(--[a-z-]+)/).map { String($0.output.1) }
        #expect(names.count > 40, "\(help)")
        let values = ["", "-", "--", "-1", "0", "7", "de", "/", Self.folder, "a=b", "serve", "é", "\u{301}", "debug"]
        var generator = SeededGenerator(seed: 6)
        var count = 0
        let common = ["--plugins", "--data", "--suite", "--record", "--log-level", "--seed", "--ephemeral", "serve"]
        for _ in 0..<600 {
            let words = (0...Int.random(in: 0...4, using: &generator)).flatMap { _ -> [String] in
                let name = (Bool.random(using: &generator) ? common : names).randomElement(using: &generator) ?? ""
                let value = values.randomElement(using: &generator) ?? ""
                return switch Int.random(in: 0...9, using: &generator) {
                case 0: [name]
                case 1: [value]
                case 2...4: ["\(name)=\(value)"]
                default: [name, value]
                }
            }
            guard let options = SessionOptions(words: words) else { continue }
            #expect(options == Self.parsed(words), "\(words)")
            count += 1
        }
        #expect(count > 15)
    }

    @Test("Without tuning options the argument parser's values leave the configuration as it is")
    func defaults() throws {
        let before = HostConfiguration(dataFolder: "data", pluginFolders: ["plugins"], hostFolder: "host")
        var after = before
        try Serve.parse([]).tune(&after, StandardFolders())
        #expect(String(reflecting: after) == String(reflecting: before))
        #expect(try Serve.parse([]).session == SessionOptions())
    }

    /// What the argument parser reads; nil if it refuses the words or they are another command.
    private static func parsed(_ words: [String]) -> SessionOptions? {
        (try? Pushhost.parseAsRoot(words)).flatMap { ($0 as? Serve)?.session }
    }
}
