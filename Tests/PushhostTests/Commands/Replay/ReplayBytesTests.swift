import Foundation
import JSON
import TestSupport
import Testing

/// How `pushhost replay` reports lines that were changed.
@Suite(.waits, .wire) struct ReplayBytesTests {
    @Test(
        "Every byte of a reply is compared in every mode, and the changed line is named",
        arguments: ["strict", "id", "subset"]
    )
    func everyByte(mode: String) throws {
        try withTemporaryDirectory { folder in
            let replies = (1...2).map { #"{"jsonrpc":"2.0","id":\#($0),"result":{"notifications":[]}}"# }
            let requests = (1...2).map { #"{"jsonrpc":"2.0","id":\#($0),"method":"notifications"}"# + "\n" }.joined()
            let first = Array(replies[0].utf8)
            let names = first.indices.flatMap { index in
                // One byte that turns an id into the other, and one that occurs in JSON only within texts.
                [first[index] ^ 3, UInt8(ascii: "~")].map { (index, $0) }
            }
            for (number, (index, byte)) in names.enumerated() {
                var changed = first
                changed[index] = byte
                let lines = [changed, Array(replies[1].utf8)]
                try Data(requests.utf8).write(to: URL(filePath: "\(folder)/\(number).jsonl"))
                try Data(lines.joined(separator: [0x0A])).write(to: URL(filePath: "\(folder)/\(number).replies.jsonl"))
            }
            let files = names.indices.map { "\(folder)/\($0).jsonl" }
            // A few at a time: each process has a time limit, and starts one host per file.
            let output = try stride(from: 0, to: files.count, by: 12).map { start in
                try runPushhost(["replay", "--mode", mode] + files[start..<min(start + 12, files.count)]).output
            }
            .joined()
            for (number, (index, byte)) in names.enumerated() {
                #expect(
                    output.contains("\(folder)/\(number).replies.jsonl:1\n"),
                    "byte \(index) is \(String(UnicodeScalar(byte)))"
                )
            }
        }
    }

    @Test(
        "A recorded line to the client that is not a message is reported as such",
        arguments: [
            (#"{"jsonrpc":"2.0","id":"p","result";{}}"#, "it is not JSON"), ("", "it is not JSON"),
            ("[]", "it is not a message"), ("7", "it is not a message"),
            (#"[{"jsonrpc":"2.0","id":"p","result":{"version":"1.0"}},7]"#, "it is not a message"),
        ]
    )
    func noMessage(line: String, title: String) throws {
        try withTemporaryDirectory { folder in
            let file = "\(folder)/a.jsonl"
            try Data((ReplayTests.ping + "\n").utf8).write(to: URL(filePath: file))
            let good = #"{"jsonrpc":"2.0","id":"p","result":{"version":"1.0"}}"#
            try Data("\(line)\n\(good)\n".utf8).write(to: URL(filePath: "\(folder)/a.replies.jsonl"))
            for mode in ["strict", "id", "subset"] {
                let run = try runPushhost(["replay", "--mode", mode, file])
                #expect(run.status == .code(1))
                #expect(
                    run.output.contains("a.replies.jsonl:1\n  host to client: \(title)\n    - \(line)\n"),
                    "\(run.output)"
                )
            }
        }
    }

    @Test("A recorded request that the host refused is not paired with a later reply of the same id")
    func refusedRequests() throws {
        try withTemporaryDirectory { folder in
            let status = { (id: String) in #"{"jsonrpc":"2.0","id":\#(id),"method":"status"}"# }
            let lines = [
                "\u{FEFF}" + status("1"), #"{"jsonrpc":"1.0","id":2,"method":"ping"}"#, status("2"),
                #"{"jsonrpc":"2.0","id":3,"method":"ping","params":7}"#, status("3"),
                #"{"jsonrpc":"2.0","id":4,"method":"ping","_":"\#(String(repeating: "x", count: 2_000))"}"#,
                status("4"),
                #"{"jsonrpc":"2.0","id":5,"method":5}"#, status("5"), "[\(status("6")),\(ReplayTests.ping)]",
                #"[{"jsonrpc":"2.0","id":7,"method":"ping"},\#(status("7"))]"#,
            ]
            let file = try ReplayTests.record(lines, ReplayTests.fixed + ["--line-limit", "1000"], in: folder)
            for mode in ["strict", "id", "subset"] {
                let run = try runPushhost(["replay", "--mode", mode, file])
                #expect(run.status == .code(0), "\(run.output)")
            }
        }
    }

    @Test("In strict mode, lines of extensions are compared byte by byte, except their volatile members")
    func extensionBytes() throws {
        try Workspace.open { workspace in
            try workspace.add(
                named: "said",
                script: """
                    read line; echo '{"jsonrpc":"2.0","id":1,"result":{"version":"1.0"}}'
                    read line; echo '{"jsonrpc": "2.0", "id": 2, "result": {}}'
                    read line; printf '{"no end'
                    """
            )
            let show =
                #"{"jsonrpc":"2.0","id":1,"method":"didReceive","params":{"payload":{"aps":{"alert":"x","category":"said"}}}}"#
            let options = ReplayTests.fixed + ["--plugins", workspace.plugins]
            let file = try ReplayTests.record([show], options, in: workspace.root)
            #expect(try runPushhost(["replay", file]).status == .code(0))
            for (old, new, title) in [
                (#"\"id\": 2"#, #"\"id\":  2"#, ": the same values, written differently"),
                (#","partial":true"#, "", ": only one of them has an end"),
            ] {
                let text = try String(contentsOfFile: file, encoding: .utf8)
                let changed = text.replacingOccurrences(of: old, with: new)
                #expect(changed != text)
                try Data(changed.utf8).write(to: URL(filePath: "\(workspace.root)/b"))
                let run = try runPushhost(["replay", "\(workspace.root)/b"])
                #expect(run.status == .code(1), "\(run)")
                #expect(run.output.contains(title), "\(run)")
                let named = try runPushhost(["replay", "--volatile", "/id", "\(workspace.root)/b"])
                #expect(named.status == .code(new.isEmpty ? 1 : 0), "a masked line is compared as a value")
            }
        }
    }
}
