import Contract
import Foundation
import JSON
import TestSupport
import Testing

/// How `pushhost replay` compares sessions.
@Suite(.waits, .wire) struct ReplayTests {
    static let save = #"{"jsonrpc":"2.0","id":1,"method":"saveCustomEvent","params":{"name":"e"}}"#
    static let pending = #"{"jsonrpc":"2.0","id":2,"method":"pending"}"#
    static let ping = #"{"jsonrpc":"2.0","id":"p","method":"ping"}"#
    static let fixed = ["--clock", "2026-01-01T00:00:00Z", "--seed", "1"]

    /// Records a session and returns the file.
    static func record(_ lines: [String], _ options: [String] = fixed, in folder: String) throws -> String {
        let file = "\(folder)/a.session.jsonl"
        let run = try runPushhost(
            ["--data", "\(folder)/\(UUID())", "--record", file] + options,
            input: lines.map { $0 + "\n" }.joined().utf8
        )
        #expect(run.status == .code(0), "\(run.error)")
        return file
    }

    static func change(_ file: String, _ body: ([String]) throws -> [String]) throws {
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let lines = try body(text.split(separator: "\n").map(String.init))
        try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: URL(filePath: file))
    }

    @Test("A session that was not reproducible is replayed by ids, without the times that the host created")
    func withoutClock() throws {
        try withTemporaryDirectory { folder in
            let file = try Self.record([Self.save, Self.pending, Self.ping], [], in: folder)
            #expect(try runPushhost(["replay", file]).status == .code(0))
            let strict = try runPushhost(["replay", "--mode", "strict", file])
            #expect(strict.output.contains("same"), "lines in order are the same too: \(strict.output)")
        }
    }

    @Test("A session can be compared in order and byte by byte, by ids, or as a subset")
    func modes() throws {
        try withTemporaryDirectory { folder in
            let file = try Self.record([Self.save, Self.pending, Self.ping], in: folder)
            let results = {
                try ["strict", "id", "subset"].map { try runPushhost(["replay", "--mode", $0, file]).status }
            }
            #expect(try results() == [.code(0), .code(0), .code(0)])

            try Self.change(file) { lines in
                let replies = lines.indices.filter { lines[$0].contains(#""to":"client""#) }
                var lines = lines
                lines.swapAt(replies[1], replies[2])
                return lines
            }
            #expect(try results() == [.code(1), .code(0), .code(0)], "replies in another order")

            try Self.change(file) { $0.map { $0.replacingOccurrences(of: #",\"kind\":\"customEvent\""#, with: "") } }
            #expect(try results() == [.code(1), .code(1), .code(0)], "a member that was not there then")

            try Self.change(file) { $0.map { $0.replacingOccurrences(of: #"\"total\":1"#, with: #"\"total\":2"#) } }
            #expect(try results() == [.code(1), .code(1), .code(1)], "another value")
        }
    }

    @Test("A link is followed to its recording, which stays private when it is updated")
    func link() throws {
        try Workspace.open { workspace in
            let file = "\(workspace.root)/deep/er/a.session.jsonl"
            let link = "\(workspace.root)/b.session.jsonl"
            try FileManager.default.createDirectory(
                atPath: "\(workspace.root)/deep/er",
                withIntermediateDirectories: true
            )
            #expect(FileManager.default.createFile(atPath: file, contents: nil))
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "deep/er/a.session.jsonl")
            let options = ["--plugins", "plugins", "--data", "data", "--record", "b.session.jsonl"] + Self.fixed
            _ = try runPushhost(options, input: Self.ping.utf8, directory: workspace.root)
            #expect(try RecordedFile(file).header["arguments"] == ["--plugins=../../plugins"])
            for path in [file, link] { #expect(try runPushhost(["replay", path]).status == .code(0)) }
            #expect(chmod(file, 0o600) == 0)
            #expect(try runPushhost(["replay", "--update", link]).output == "same     \(link)\n", "but for times")
            try Self.change(file) { $0.map { $0.replacingOccurrences(of: #"\"version\":"#, with: #"\"edition\":"#) } }
            #expect(try runPushhost(["replay", "--update", link]).output == "updated  \(link)\n")
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "deep/er/a.session.jsonl")
            #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
            for path in [file, link] { #expect(try runPushhost(["replay", path]).status == .code(0)) }
        }
    }

    @Test(
        "A file without a request is reported as such, and not as lacking replies",
        arguments: ["", "\n", #"{"session":{"ver"#]
    )
    func nothing(text: String) throws {
        try withTemporaryDirectory { folder in
            let file = "\(folder)/a.session.jsonl"
            try Data(text.utf8).write(to: URL(filePath: file))
            let run = try runPushhost(["replay", file])
            #expect(run.status == .code(66), "\(run.error)")
            #expect(run.error.contains("the client says nothing in it"), "\(run.error)")
        }
    }

    @Test("The difference contains the file, the line, the path and both values")
    func difference() throws {
        try withTemporaryDirectory { folder in
            let file = try Self.record([Self.save, Self.pending], in: folder)
            try Self.change(file) { $0.map { $0.replacingOccurrences(of: #"\"total\":1"#, with: #"\"total\":1.0"#) } }
            let run = try runPushhost(["replay", file])
            #expect(
                run.output.hasPrefix(
                    """
                    DIFFERS  \(file)
                      \(file):5
                      host to client, of pending
                        at /result/total
                          - 1.0
                          + 1

                    """
                ),
                "\(run.output)"
            )
            #expect(run.output.contains("    - {"))
            #expect(run.output.contains("    + {"))
            #expect(run.output.hasSuffix("1 of 1 sessions differ or failed\n"))
        }
    }

    @Test("An extra reply and a missing reply are differences")
    func count() throws {
        try withTemporaryDirectory { folder in
            let file = try Self.record([Self.ping, Self.save], in: folder)
            try Self.change(file) { $0.filter { !$0.contains(#"\"result\":{\"id\":1}"#) } }
            let more = try runPushhost(["replay", file])
            #expect(more.status == .code(1))
            #expect(more.output.contains("  host to client: + reply to saveCustomEvent e\n    + {"), "\(more.output)")
            _ = try Self.record([Self.ping, Self.save], in: "\(folder)")
            try Self.change(file) { lines in lines + [lines[2]] }
            let fewer = try runPushhost(["replay", file])
            #expect(
                fewer.status == .code(1)
                    && fewer.output.contains("  host to client: - reply to an unknown call\n    - {"),
                "\(fewer.output)"
            )
        }
    }

    @Test("Members that are declared volatile are not compared", arguments: ["total", "/result/*al", "/result/*"])
    func volatile(member: String) throws {
        try withTemporaryDirectory { folder in
            let file = try Self.record([Self.save, Self.pending], in: folder)
            try Self.change(file) { $0.map { $0.replacingOccurrences(of: #"\"total\":1"#, with: #"\"total\":7"#) } }
            let isMeant = member != "/result/*al"
            #expect(try runPushhost(["replay", "--volatile", member, file]).status == .code(isMeant ? 0 : 1))
            #expect(try runPushhost(["replay", file]).status == .code(1))
            try Self.change(file) { lines in
                [lines[0].replacingOccurrences(of: "}}", with: #","volatile":["\#(member)"]}}"#)] + lines.dropFirst()
            }
            #expect(
                try runPushhost(["replay", file]).status == .code(isMeant ? 0 : 1),
                "a rule of the recording's own"
            )
        }
    }

    @Test("Members that the contract calls volatile are not compared, nor is an error message that contains one")
    func volatileByContract() throws {
        try Workspace.open { workspace in
            try workspace.add("exitsInCall")
            let show = { (id: Int) in
                #"{"jsonrpc":"2.0","id":\#(id),"method":"didReceive","params":{"payload":{"aps":{"alert":"x","category":"exitsInCall"}}}}"#
            }
            let more = ["status", "extensions"].map { #"{"jsonrpc":"2.0","id":"\#($0)","method":"\#($0)"}"# }
            let file = try Self.record(
                (1...5).map(show) + more,
                Self.fixed + ["--plugins", workspace.plugins],
                in: workspace.root
            )
            #expect(try String(contentsOfFile: file, encoding: .utf8).contains(#"extensionUnavailable\""#))
            let run = try runPushhost(["replay", file])
            #expect(run.status == .code(0), "\(run.output)")
        }
    }

    @Test("--update rewrites a recording, missing replies, and only what changed")
    func update() throws {
        try withTemporaryDirectory { folder in
            let file = try Self.record([Self.save, Self.pending], in: folder)
            try Self.change(file) { $0.map { $0.replacingOccurrences(of: #"\"total\":1"#, with: #"\"total\":7"#) } }
            let update = try runPushhost(["replay", "--update", file])
            #expect(update.output == "updated  \(file)\n")
            #expect(update.status == .code(0))
            #expect(try runPushhost(["replay", file]).status == .code(0))

            let plain = "\(folder)/b.jsonl"
            try Data("\(Self.save)\n\(Self.ping)\n".utf8).write(to: URL(filePath: plain))
            let missing = try runPushhost(["replay", plain])
            #expect(missing.status == .code(66))
            #expect(missing.error.contains("pushhost replay --update \(plain)"))
            #expect(try runPushhost(["replay", "--update", plain]).output == "updated  \(folder)/b.replies.jsonl\n")
            #expect(try runPushhost(["replay", "--update", plain]).output == "same     \(folder)/b.replies.jsonl\n")
            let replies = try String(contentsOfFile: "\(folder)/b.replies.jsonl", encoding: .utf8)
            #expect(
                replies == #"{"jsonrpc":"2.0","id":1,"result":{"id":1}}"# + "\n"
                    + #"{"jsonrpc":"2.0","id":"p","result":{"version":"\#(ContractDocuments.version)"}}"# + "\n"
            )
            let both = try runPushhost(["replay", plain, "\(folder)/b.replies.jsonl", file])
            #expect(both.output.split(separator: "\n").count == 2, "each session once")
            #expect(both.status == .code(0), "each session once")
        }
    }

    @Test("A session without messages is refused, and never replaces another one")
    func empty() throws {
        try withTemporaryDirectory { folder in
            let file = try Self.record([], in: folder)
            let run = try runPushhost(["replay", file])
            #expect(run.status == .code(66))
            #expect(run.error.contains("the client says nothing in it"))
            let plain = "\(folder)/b.jsonl"
            for text in ["", "\n \r\n"] {
                try Data(text.utf8).write(to: URL(filePath: plain))
                #expect(try runPushhost(["replay", "--update", plain]).status == .code(66))
            }
            // Only a notification: there is no reply to record.
            try Data(#"{"jsonrpc":"2.0","method":"ping"}"#.utf8).write(to: URL(filePath: plain))
            let silent = try runPushhost(["replay", "--update", plain])
            #expect(
                silent.status == .code(1)
                    && silent.output.contains("the host wrote nothing to the client, so nothing is recorded")
            )
            #expect(!FileManager.default.fileExists(atPath: "\(folder)/b.replies.jsonl"))
        }
    }

    @Test(
        "Files that are not sessions are refused with the reason",
        arguments: [
            (#"{"session":{"version":"1.0"}}"#, ":1: the header needs version, arguments"),
            (
                #"{"session":{"version":"2.0","arguments":[],"clock":"2026-01-01T00:00:00Z","seed":1,"lockStep":true}}"#
                    + "\n" + #"{"t":1,"from":"client","to":"host","raw":"{}"}"#,
                "version 2.0 of the contract, and this program speaks \(ContractDocuments.version)"
            ),
            (
                #"{"session":{"version":"1.0","arguments":[],"clock":"2026-01-01T00:00:00Z","seed":1,"lockStep":true}}"#
                    + "\nno\n", ":2: it is not JSON"
            ),
            (
                #"{"session":{"version":"1.0","arguments":[],"clock":"2026-01-01T00:00:00Z","seed":1,"lockStep":true}}"#
                    + "\n" + #"{"t":1,"from":"client","to":"host","base64":"?"}"# + "\n",
                ":2: a line needs raw or base64"
            ),
        ]
    )
    func noSession(text: String, problem: String) throws {
        try withTemporaryDirectory { folder in
            let file = "\(folder)/a.session.jsonl"
            try Data(text.utf8).write(to: URL(filePath: file))
            let run = try runPushhost(["replay", file])
            #expect(run.status == .code(66))
            #expect(run.output.isEmpty)
            #expect(run.error.contains(file), "\(run.error)")
            #expect(run.error.contains(problem), "\(run.error)")
            #expect(try runPushhost(["replay", "\(folder)/none.jsonl"]).status == .code(66))
        }
    }
}
