import Foundation
import JSON
import TestSupport
import Testing

/// References to notifications in sessions that are written by hand.
@Suite(.waits, .wire) struct ReplayReferencesTests {
    private static func receive(_ id: Int) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"didReceive","params":{"payload":{"aps":{"alert":"x"}}}}"#
    }

    private static func dismiss(_ id: Int, _ params: String) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"dismiss","params":\#(params)}"#
    }

    private static func write(_ lines: [String], end: String = "\n", in folder: String) throws -> String {
        let file = "\(folder)/a.jsonl"
        try Data((lines.joined(separator: "\n") + end).utf8).write(to: URL(filePath: file))
        return file
    }

    @Test(
        "$last is the newest notification and $1 the first one, in named and positional params",
        arguments: ["\n", ""]
    )
    func resolved(end: String) throws {
        try withTemporaryDirectory { folder in
            let lines = [
                Self.receive(1), #"{"jsonrpc":"2.0","id":2,"method":"didReceive","params":{"payload":7}}"#, "no JSON",
                Self.dismiss(3, #"["$last"]"#), Self.receive(4), Self.receive(5),
                "[\(Self.dismiss(6, #"{"notification":"$2"}"#)),\(Self.receive(7))]",
                Self.dismiss(8, #"{"notification":"$3"}"#), Self.dismiss(9, #"{"notification":"$last"}"#),
                Self.dismiss(10, #"["$1"]"#),
            ]
            let file = try Self.write(lines, end: end, in: folder)
            let update = try runPushhost(["replay", "--update", file])
            #expect(update.output == "updated  \(folder)/a.replies.jsonl\n", "\(update)")
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(text == lines.joined(separator: "\n") + end, "the references stay as they are written")
            let replies = try String(contentsOfFile: "\(folder)/a.replies.jsonl", encoding: .utf8)
            for id in [3, 6, 8, 9] {
                #expect(replies.contains(#""id":\#(id),"result":{"dismissed":true}}"#), "\(id): \(replies)")
            }
            #expect(replies.contains(#""id":10,"error":{"code":111,"#), "\(replies)")
            #expect(!replies.contains("$"))
            for mode in ["strict", "id", "subset"] {
                let run = try runPushhost(["replay", "--mode", mode, file])
                #expect(run.status == .code(0), "\(run)")
            }
        }
    }

    @Test("A tool of MCP may be given a reference, and may return the notification")
    func tools() throws {
        try withTemporaryDirectory { folder in
            let call = { (id: Int, name: String, arguments: String) in
                #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"\#(name)","arguments":\#(arguments)}}"#
            }
            let file = try Self.write(
                [
                    call(1, "didReceive", #"{"payload":{"aps":{"alert":"x"}}}"#),
                    call(2, "dismiss", #"{"notification":"$last"}"#),
                ],
                in: folder
            )
            let update = try runPushhost(["replay", "--update", file])
            #expect(update.status == .code(0), "\(update)")
            let replies = try String(contentsOfFile: "\(folder)/a.replies.jsonl", encoding: .utf8)
            #expect(replies.contains(#""structuredContent":{"dismissed":true}"#), "\(replies)")
        }
    }

    @Test(
        "A reference to a notification that was not received is an error with its line",
        arguments: [
            (
                [receive(1), receive(2), dismiss(3, #"["$3"]"#)],
                "line 3: $3 means notification 3, but only 2 were received before it"
            ),
            (
                [receive(1), dismiss(2, #"["$2"]"#)],
                "line 2: $2 means notification 2, but only 1 was received before it"
            ),
            (
                [dismiss(1, #"{"notification":"$last"}"#)],
                "line 1: $last means the newest notification, but none was received before it"
            ),
            (
                ["[\(receive(1)),\(dismiss(2, #"["$1"]"#))]"],
                "line 1: $1 means notification 1, but none was received before it"
            ),
            ([receive(1), dismiss(2, #"["$0"]"#)], "line 2: $0 means no notification; the first one is $1"),
        ] as [([String], String)]
    )
    func unknown(lines: [String], problem: String) throws {
        try withTemporaryDirectory { folder in
            let file = try Self.write(lines, in: folder)
            let run = try runPushhost(["replay", "--update", file])
            #expect(run.status == .code(1))
            #expect(run.output.hasPrefix("FAILED   \(file): \(problem)\n"), "\(run)")
            #expect(!FileManager.default.fileExists(atPath: "\(folder)/a.replies.jsonl"))
        }
    }

    @Test("A text that is not a reference is sent as it is")
    func otherTexts() throws {
        try withTemporaryDirectory { folder in
            let file = try Self.write(
                [
                    Self.dismiss(1, #"["$latest"]"#),
                    #"{"jsonrpc":"2.0","id":2,"method":"saveCustomEvent","params":{"name":"$last"}}"#,
                    #"{"jsonrpc":"2.0","id":3,"method":"pending"}"#,
                ],
                in: folder
            )
            let run = try runPushhost(["replay", "--update", file])
            #expect(run.status == .code(0), "\(run)")
            let replies = try String(contentsOfFile: "\(folder)/a.replies.jsonl", encoding: .utf8)
            #expect(replies.contains(#""name":"$last""#), "\(replies)")
        }
    }

    @Test("A host that dies before it answers is reported, and a signal ends the replay and its host")
    func ends() throws {
        try Workspace.open { workspace in
            let folder = try workspace.add(
                named: "waits",
                script:
                    "[ -e '\(workspace.root)/kill' ] && kill -KILL $PPID && exit; echo > started; exec cat > /dev/null"
            )
            let show =
                #"{"jsonrpc":"2.0","id":1,"method":"didReceive","params":{"payload":{"aps":{"alert":"x","category":"waits"}}}}"#
            let file = try Self.write([show, Self.dismiss(2, #"["$last"]"#)], in: workspace.root)
            try Data().write(to: URL(filePath: "\(workspace.root)/kill"))
            let options = ["replay", "--no-sandbox", "--update", "--plugins", workspace.plugins, file]
            let dead = try runPushhost(options)
            #expect(dead.output.contains("FAILED   \(file): the host ended by signal 9"), "\(dead)")
            try FileManager.default.removeItem(atPath: "\(workspace.root)/kill")

            #expect(mkfifo("\(folder)/started", 0o600) == 0)
            let started = open("\(folder)/started", O_RDWR | O_CLOEXEC)
            defer { close(started) }
            let temporary = "\(workspace.root)/tmp"
            try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
            let replay = try ChildProcess.command(options, temporaryFolder: temporary)
            var byte: UInt8 = 0
            #expect(read(started, &byte, 1) == 1, "the extension runs")
            replay.kill(SIGTERM)
            #expect(try replay.wait() == .code(128 + SIGTERM))
            #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
        }
    }
}
