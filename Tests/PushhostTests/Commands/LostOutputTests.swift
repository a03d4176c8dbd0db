import Foundation
import TestSupport
import Testing

/// What every command does if stdout or stderr takes nothing: no signal, and no success that is none.
@Suite(.waits, .wire, .enabled(if: access("/dev/full", W_OK) == 0)) struct LostOutputTests {
    private static let register = "\(repositoryRoot)/plugins/register"

    /// Runs a command in a shell with other standard streams.
    private func run(_ command: String, _ streams: String, in folder: String) throws -> (Int32, String) {
        let program = try hostCommand(unchecked: "the command is a client and starts its host")[0]
        let script = """
            D=$1 R=$2
            test -e $D/standard.sqlite || "$0" save event first --data $D > /dev/null
            rm -rf $D/made
            ( "$0" \(command) < /dev/null \(streams); echo $? > $D/code ) | true
            cat $D/code
            """
        let process = try ChildProcess("/bin/bash", ["-c", script, program, folder, Self.register])
        process.closeInput()
        let output = try process.readToEnd()
        #expect(try process.wait() == .code(0))
        let code = Int32(output.split(separator: "\n").last ?? "")
        return (try #require(code), process.standardError)
    }

    @Test(
        "A command whose output is lost says so and ends with 74, or quietly with 141",
        arguments: ["push $R/payload.apns", "pending --data $D", "--help"]
    )
    func lost(command: String) throws {
        try withTemporaryDirectory { folder in
            let good = try run(command, "> /dev/null 2> $D/errors", in: folder)
            #expect(good.0 == 0)
            // The pipe's reader may be there for a moment; the command cannot be faster than `true`.
            let piped = try run(command, "", in: folder)
            #expect(piped.0 == 141 && !piped.1.contains("stdout"), "\(piped)")
            for streams in ["> /dev/full", ">&-"] {
                let lost = try run(command, streams, in: folder)
                #expect(lost.0 == 74, "\(streams)")
                #expect(lost.1.contains("Error: stdout cannot be written: "), "\(streams): \(lost.1)")
            }
            let (quiet, both) = ("> /dev/null 2> /dev/full", "> /dev/full 2> /dev/full")
            #expect(try run(command, quiet, in: folder).0 == 0)
            #expect(try run(command, both, in: folder).0 == 74)
        }
    }

    /// Commands that print something and succeed, in this process.
    private static let others = [
        "push $R/payload.apns --json", "push $R/payload.apns --svg -", "check $R/payload.apns", "check $R --json",
        "extensions check $R --only stop", "replay $R/../../protocol/sessions/errors.jsonl",
        "extensions list --plugins $R",
        "extensions list --json --plugins $R", "extensions new --language shell made --output $D",
        "save event x --data $D",
        "suites --data $D", "suites --json --data $D", "pending --json --data $D", "dead-letters --data $D",
        "dead-letters discard --all --data $D", "flush --to file --deliver-file $D/file --data $D",
        "export $D.plist --data $D",
        "doctor --data $D --plugins $R", "manual --help", "serve --help", "help push",
        "relay --help", "preview --help", "--version", "--generate-completion-script bash",
    ]

    @Test(
        "Whatever a command prints, it ends with 74 if that is lost, or quietly with 141 if the reader is gone",
        arguments: others
    )
    func lostInProcess(command: String) throws {
        try withTemporaryDirectory { folder in
            let words = command.replacing("$D", with: "\(folder)/data")
                .replacing("$R", with: Self.register).split(separator: " ").map(String.init)
            try FileManager.default.createDirectory(atPath: "\(folder)/data", withIntermediateDirectories: true)
            if words.contains("--data") {
                #expect(try CommandRun(["save", "event", "first", "--data", "\(folder)/data"]).status == .code(0))
            }
            let gone = try CommandRun(words, outputError: EPIPE)
            #expect(gone.status == .code(141), "\(gone)")
            #expect(!gone.standardError.contains("stdout"), "\(gone)")
            try? FileManager.default.removeItem(atPath: "\(folder)/data/made")
            let full = try CommandRun(words, outputError: ENOSPC)
            #expect(full.status == .code(74), "\(full)")
            #expect(
                full.standardError.hasSuffix("Error: stdout cannot be written: No space left on device\n"),
                "\(full)"
            )
        }
    }

    @Test(
        "A command that fails keeps its exit code, whatever its streams take",
        arguments: [
            ("push none.apns", 66), ("unknown", 64), ("export /nowhere/x --data $D", 73),
        ] as [(String, Int32)]
    )
    func failing(command: String, code: Int32) throws {
        try withTemporaryDirectory { folder in
            for streams in ["2> /dev/full", "> /dev/full 2> /dev/full", ">&- 2>&-"] {
                let found = try run(command, streams, in: folder).0
                #expect(found == code, "\(streams)")
            }
        }
    }
}
