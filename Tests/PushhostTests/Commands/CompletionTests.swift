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
        "bash completes files and folders",
        arguments: [
            ("push pay", ["payload.apns"]), ("check payload.apns ses", ["session.jsonl"]),
            ("preview p", ["payload.apns"]),
            ("replay ses", ["session.jsonl"]), ("extensions check b", ["bundles"]), ("import pay", ["payload.apns"]),
            ("push payload.apns --plugins ", ["bundles", "data"]),
            ("push payload.apns --profile ses", ["session.jsonl"]),
            ("pending --data d", ["data"]), ("serve --record ses", ["session.jsonl"]),
        ]
    )
    func files(line: String, names: [String]) throws {
        #expect(try completed(line) == names)
    }

    @Test(
        "bash completes what a host knows: suites, destinations, locales, elements and actions",
        arguments: [
            ("pending --data data --suite ", ["group.x"]), ("flush --to f", ["file"]),
            ("flush --plugins \(plugins)/braze --to ", ["braze", "file"]),
            ("push \(plugins)/match-game/payload.apns --locale ", ["de", "en", "es", "fr", "ko"]),
            ("push \(plugins)/match-game/payload.apns --press card-1", ["card-1", "card-10", "card-11"]),
            ("push \(plugins)/feedback/payload.apns --action ", ["FEEDBACK"]),
            ("push none.apns --press ", []), ("push payload.apns --press ", []),
        ]
    )
    func values(line: String, values: [String]) throws {
        #expect(try completed(line) == values)
    }

    @Test("Every argument that is a file or a folder is completed by every shell")
    func everyFile() throws {
        let program = try hostCommand(unchecked: "it serves no client")[0]
        let process = try ChildProcess(program, ["--experimental-dump-help"])
        process.closeInput()
        let root = try #require(try JSON(parsing: process.readToEnd())["command"])
        #expect(try process.wait() == .code(0))
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
