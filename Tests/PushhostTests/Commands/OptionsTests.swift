import Foundation
import TestSupport
import Testing

/// The command line's options, and its errors for invalid ones.
@Suite(.waits, .wire) struct OptionsTests {
    @Test(
        "An invalid option value ends the host with 64 and a message that names the valid values",
        arguments: [
            (["--call-deadline", "9223372036854775807"], "from 1 to 86400000"),
            (["--activate-deadline", "0"], "from 1 to"),
            (["--line-limit", "0"], "from 1 to"), (["--output-limit=-1"], "from 1 to"),
            (["--suite-records=-1"], "from 0 to"), (["--presentations", "0"], "from 1 to"),
            (["--array-elements", "501"], "from 1 to 500"), (["--value-bytes", "0"], "from 1 to 1048576"),
            (["--idempotency-keys", "0"], "from 1 to"), (["--idempotency-days", "36501"], "from 0 to 36500"),
            (["--extension-processes=-1"], "from 0 to"),
            (["--suite", "../x"], "a suite name is"), (["--clock", "yesterday"], "RFC 3339"),
            (["--log-level", "loud"], "trace, debug, info"),
            (["--data", "/dev/null"], "it is not a folder"), (["--data", "/dev/null/x"], "/dev/null is not a folder"),
            (["--data", "/proc/x"], "cannot make a folder in /proc: "),
            (["push", "x.apns", "--data", "/dev/null"], "--data /dev/null: it is not a folder"),
            (["--data", ""], "its value is empty"), (["--deliver-file", "/nonexistent/x"], "no folder /nonexistent"),
            (["--deliver-file", "/tmp"], "it is a folder"), (["--deliver-file", ""], "its value is empty"),
            (["--locale", "german"], "a language tag such as de"), (["--locale", "xx_YY_ZZ"], "a language tag"),
            (["--plugins", "/nonexistent"], "there is no such folder"),
            (["--plugins", "/dev/null"], "there is no such folder"),
            (["--app", "/nonexistent"], "there is no such folder"),
            (["--seed", "x"], "--seed"),
            (["--sede", "1"], "--sede"),
            (["--record", "/nonexistent/file"], "No such file"),
            (["--flush-to", "nope"], "there are file"),
            (["--flush-to=braze2", "--flush-policy", "immediate"], "there are file"),
        ] as [([String], String)]
    )
    func refused(options: [String], needed: String) throws {
        let run = try CommandRun(options)
        #expect(run.output == "")
        #expect(run.status == .code(64))
        let text = run.standardError
        // An error that serve finds late must not end with the usage of the program.
        let command = options.first { !$0.hasPrefix("-") && $0 == "push" } ?? "serve"
        #expect(text.hasSuffix("  See 'pushhost \(command) --help' for more information.\n"), "\(text)")
        #expect(text.contains(needed), "\(text)")
        #expect(text.contains(options[0].split(separator: "=")[0]), "\(text)")
    }
}
