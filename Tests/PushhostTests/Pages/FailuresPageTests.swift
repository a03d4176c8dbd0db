import Contract
import Foundation
import JSON
import TestSupport
import Testing

/// The page "If something fails": every entry is what the program says when that happens.
@Suite(.waits) struct FailuresPageTests {
    /// An entry: a heading with a text of the program, and below it the anchor.
    struct Entry: CustomTestStringConvertible {
        let anchor: String
        /// What is printed; `…` stands for any characters.
        let text: String

        var testDescription: String { anchor }
    }

    private static let entries: [Entry] = {
        let path = "\(repositoryRoot)/protocol/guides/failures.md"
        let page = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return page.matches(of: /### `(.+)`\n\n<a id="([A-Za-z-]+)"><\/a>/).map {
            Entry(anchor: String($0.output.2), text: String($0.output.1))
        }
    }()

    @Test(
        "Doing what an entry is about prints the text of its heading",
        // ThreadSanitizer begins with a file of half a megabyte, and this entry is about a limit on the size of files.
        arguments: entries.filter { $0.anchor != "notStored" || !underThreadSanitizer }
    )
    func produced(entry: Entry) throws {
        try withTemporaryDirectory { folder in
            var environment = ProcessInfo.processInfo.environment
            let program = try hostCommand(unchecked: "the page shows the program as its users start it")[0]
            let built = URL(filePath: program).deletingLastPathComponent().path
            environment["PATH"] = "\(built):\(environment["PATH"] ?? "/usr/bin:/bin")"
            environment["REPOSITORY"] = repositoryRoot
            environment["HOME"] = folder
            environment["XDG_DATA_HOME"] = "\(folder)/data"
            environment["XDG_STATE_HOME"] = "\(folder)/state"
            environment["LC_ALL"] = "C.UTF-8"
            let script = "\(repositoryRoot)/Tests/Fixtures/failures/failures.sh"
            let shell = try ChildProcess(
                "/bin/bash",
                [script, entry.anchor],
                environment: environment,
                directory: folder
            )
            let printed = try shell.readToEnd()
            let pattern = entry.text.components(separatedBy: "…").map(NSRegularExpression.escapedPattern(for:))
                .joined(separator: "[^\n]*")
            #expect(printed.range(of: pattern, options: .regularExpression) != nil, "\(printed)")
        }
    }

    @Test("At least 60 texts have an entry, each anchor is there once, and none is produced without an entry")
    func complete() throws {
        let anchors = Self.entries.map(\.anchor)
        #expect(anchors.count >= 60)
        #expect(Set(anchors).count == anchors.count)
        let script = try String(
            contentsOfFile: "\(repositoryRoot)/Tests/Fixtures/failures/failures.sh",
            encoding: .utf8
        )
        let parts = script.components(separatedBy: "\n# Commands\n")
        try #require(parts.count == 2)
        let cases = "\n\(parts[1])".matches(of: /\n([A-Za-z_-]+)\(\) \{/).map { String($0.output.1) }
        let helpers = ["beginning_with", "bind_port", "event_to_braze", "host_of_faults", "with_braze_file"]
        #expect(Set(anchors) == Set(cases).subtracting(helpers))
    }

    @Test("An error that a caller or an operator can mend has an entry, whose anchor is the error's reason")
    func reasons() throws {
        // Each of these needs nothing but another try, or says what only a caller's program does.
        let others: Set = [
            "invalidRequest", "invalidId", "invalidParamsType", "batchTooLong", "duplicateId", "invalidParams",
            "internalError", "batchReplyTooLarge", "unsupportedProtocolVersion", "requestCancelled", "busy", "stopping",
            "checkFailed", "suiteBusy", "tooLarge", "destinationUnavailable", "flushBusy", "unsupportedByDestination",
        ]
        let document = try JSON(
            parsing: String(contentsOfFile: "\(repositoryRoot)/protocol/openrpc.json", encoding: .utf8)
        )
        let reasons = (document["x-errors"]?.array.map(Array.init) ?? []).flatMap {
            ($0["reasons"]?.array.map(Array.init) ?? []).compactMap(\.string)
        }
        try #require(reasons.count > 50)
        #expect(Set(reasons).subtracting(Self.entries.map(\.anchor)) == others)
    }
}
