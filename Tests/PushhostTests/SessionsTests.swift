import Foundation
import JSON
import TestSupport
import Testing

/// The recorded sessions of the protocol, each run again: `RECORD=1` writes their replies anew.
@Suite(.hangs, .wire) struct SessionsTests {
    private static let folder = "\(repositoryRoot)/protocol/sessions"
    private static let suffix = ".replies.jsonl"

    /// The sessions' names.
    private static let names = files.filter { $0.hasSuffix(".jsonl") && !$0.hasSuffix(suffix) }
        .map { String($0.dropLast(".jsonl".count)) }

    private static let files = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()

    @Test("There are sessions, and no replies without one")
    func pairs() {
        #expect(Self.names.contains("tour"))
        let replies = Self.files.filter { $0.hasSuffix(Self.suffix) }.map { String($0.dropLast(Self.suffix.count)) }
        #expect(Set(replies).subtracting(Self.names) == [])
    }

    @Test("A session gives the very replies that are recorded", arguments: names)
    func session(name: String) throws {
        let replies = try replies(to: name)
        let path = Self.folder + "/" + name + Self.suffix
        guard ProcessInfo.processInfo.environment["RECORD"] != "1" else {
            try Data(replies.utf8).write(to: URL(filePath: path))
            Issue.record("\(path) was recorded; run the tests again without RECORD")
            return
        }
        guard let recorded = FileManager.default.contents(atPath: path) else {
            Issue.record("\(path) is missing; run the tests with RECORD=1")
            return
        }
        let expected = String(decoding: recorded, as: UTF8.self)
        let lines = (replies.split(separator: "\n"), expected.split(separator: "\n"))
        for (number, (line, wanted)) in zip(lines.0, lines.1).enumerated() {
            #expect(line == wanted, "line \(number + 1) of \(path)")
        }
        // To the byte: texts may be equal and yet written differently.
        #expect(Data(replies.utf8) == recorded, "\(path)")
    }

    /// Runs a session from its file and gives what the host wrote.
    private func replies(to name: String) throws -> String {
        try withTemporaryDirectory { data in
            let options = ["--plugins", "plugins", "--data", data, "--clock", "2026-01-01T00:00:00Z", "--seed", "1"]
            let session = ChildProcess.Input.file("\(Self.folder)/\(name).jsonl")
            let command = try hostCommand(options)
            let host = try ChildProcess(
                command[0],
                Array(command.dropFirst()),
                directory: repositoryRoot,
                input: session
            )
            let replies = try host.readToEnd()
            #expect(try host.wait() == .code(0), "\(host.standardError)")
            #expect(
                !replies.contains(repositoryRoot) && !replies.contains(data),
                "a reply holds a path of this machine"
            )
            return replies
        }
    }
}
