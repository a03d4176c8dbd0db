import Foundation
import JSON
import TestSupport
import Testing

/// What shells complete: file names, and values that a host knows.
@Suite(.waits, .wire) struct CompletionTests {
    private static let plugins = "\(repositoryRoot)/plugins"

    /// What the script completes in bash, in a folder with a payload, a session, a suite and a folder of bundles.
    private func completed(_ line: String) throws -> [String] {
        try withTemporaryDirectory { folder in
            let program = try hostCommand(unchecked: "a shell asks it what to complete")[0]
            let code = #"""
                source <(pushhost --generate-completion-script bash) || exit
                mkdir bundles; touch payload.apns session.jsonl
                pushhost save event a --user external_id=ada --data data --suite group.x > errors || exit
                COMP_LINE="pushhost $1"; COMP_POINT=${#COMP_LINE}; COMP_WORDS=($COMP_LINE)
                [[ $1 == *" " ]] && COMP_WORDS+=("")
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                _pushhost pushhost "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}" 2> errors
                printf '%s\n' "${COMPREPLY[@]}"; cat errors >&2
                """#
            let path = "\(URL(filePath: program).deletingLastPathComponent().path):/usr/bin:/bin"
            let environment = ["PATH": path, "HOME": folder]
            let bash = try ChildProcess(
                "/bin/bash",
                ["-c", code, "bash", line],
                environment: environment,
                directory: folder
            )
            bash.closeInput()
            let output = try bash.readToEnd()
            #expect(try bash.wait() == .code(0) && bash.standardError == "", "\(bash.standardError)")
            return output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.sorted()
        }
    }

    @Test(
        "bash completes commands, options, files, folders, and what a host knows",
        arguments: [
            ("exten", ["extensions"]), ("push --wat", ["--watch"]),
            ("push payload.apns --profile ses", ["session.jsonl"]), ("extensions check b", ["bundles"]),
            ("push payload.apns --plugins ", ["bundles", "data"]), ("pending --data data --suite ", ["group.x"]),
            ("push \(plugins)/match-game/payload.apns --press card-1", ["card-1", "card-10", "card-11"]),
        ]
    )
    func bash(line: String, names: [String]) throws {
        #expect(try completed(line) == names)
    }

    @Test(
        "A shell that asks gets what a host knows: suites, destinations, sources, locales, elements and actions",
        arguments: [
            ("flush --plugins '\(plugins)/braze' --to ", ["braze", "file"]), ("relay --from ", []),
            ("push \(plugins)/match-game/payload.apns --locale ", ["de", "en", "es", "fr", "ko"]),
            ("push \(plugins)/match-game/payload.apns --press ", (0...11).map { "card-\($0)" }.sorted()),
            ("push \(plugins)/feedback/payload.apns --action ", ["FEEDBACK"]),
            ("pending --data=\(plugins) --suite ", []), ("push none.apns --press ", []),
            ("push \(plugins)/like/Info.plist --press ", []),
        ]
    )
    func values(line: String, values: [String]) throws {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let question = ["---completion", words[0], "--", words[words.count - 2], "\(words.count)", "0", "pushhost"]
        // A process, as for a shell: which shell asks is global in the parser, and other tests write completions.
        let program = try hostCommand(unchecked: "the program asks its own host")[0]
        let process = try ChildProcess(program, question + words)
        process.closeInput()
        #expect(try process.readToEnd().split(separator: "\n").sorted() == values.map { $0[...] })
        #expect(try process.wait() == .code(0) && process.standardError == "", "\(process.standardError)")
    }

    @Test("Every argument that is a file or a folder is completed by every shell")
    func everyFile() throws {
        let root = try #require(try JSON(parsing: CommandRun(["--experimental-dump-help"]).output)["command"])
        func arguments(_ command: JSON) -> [JSON] {
            (command["arguments"]?.array.map(Array.init) ?? [])
                + (command["subcommands"]?.array.map(Array.init) ?? []).flatMap(arguments)
        }
        let files = arguments(root).filter { argument in
            ["file", "dir", "payload", "payloads", "bundle"].contains(argument["valueName"]?.string)
                && argument["shouldDisplay"]?.bool != false
        }
        #expect(files.count > 20)
        #expect(files.filter { $0["completionKind"] == nil } == [])
    }
}
