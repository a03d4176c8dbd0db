import Foundation
import JSON
import TestSupport
import Testing

/// The files that a replay reads and writes.
@Suite(.waits, .wire) struct ReplayFilesTests {
    private static func line(_ method: String, _ path: String) -> String {
        #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":{"path":"\#(path)"}}"#
    }

    @Test("A replay writes no file outside its own folder", arguments: ["absolute", "up"])
    func export(place: String) throws {
        try withTemporaryDirectory { folder in
            let path = place == "up" ? "../../../../../../../..\(folder)/out.plist" : "\(folder)/out.plist"
            let file = try ReplayTests.record([Self.line("exportSuite", path)], in: folder)
            let old = Data("what the user has there now".utf8)
            try old.write(to: URL(filePath: "\(folder)/out.plist"))
            let run = try runPushhost(["replay", file])
            #expect(run.status == .code(1), "\(run.output)")
            #expect(run.output.contains("--allow-files"), "\(run.output)")
            #expect(try Data(contentsOf: URL(filePath: "\(folder)/out.plist")) == old)
        }
    }

    @Test("A replay reads no file outside its own folder")
    func imports() throws {
        try withTemporaryDirectory { folder in
            try Data("<plist><dict><key>k</key><true/></dict></plist>".utf8)
                .write(to: URL(filePath: "\(folder)/in.plist"))
            let file = try ReplayTests.record([Self.line("importSuite", "\(folder)/in.plist")], in: folder)
            let run = try runPushhost(["replay", file])
            #expect(run.status == .code(1), "\(run.output)")
            #expect(run.output.contains("--allow-files"), "\(run.output)")
        }
    }

    @Test("A session with headers is recorded as lines, and replays")
    func headers() throws {
        try withTemporaryDirectory { folder in
            let recording = "\(folder)/a.session.jsonl"
            let calls = [#"{"jsonrpc":"2.0",\#n"id":1,"method":"ping"}"#, #"{"jsonrpc":"2.0","id":2,"method":"no"}"#]
            let recorded = try runPushhost(
                ["--data", "\(folder)/data", "--record", recording] + ReplayTests.fixed,
                input: calls.map { "Content-Length: \($0.utf8.count)\r\n\r\n\($0)" }.joined().utf8
            )
            #expect(recorded.status == .code(0), "\(recorded.error)")
            #expect(recorded.output.split(separator: "\r\n\r\n").count == 3, "\(recorded.output)")
            let run = try runPushhost(["replay", recording])
            #expect(run.status == .code(0), "\(run.output)")
            #expect(run.output.contains("2 lines to the client"), "\(run.output)")
        }
    }

    @Test("Within its own folder a replay writes and reads the session's files")
    func own() throws {
        try withTemporaryDirectory { folder in
            let lines = ["exportSuite", "importSuite"].map { Self.line($0, "out.plist") }
            let recording = "\(folder)/a.session.jsonl"
            let recorded = try runPushhost(
                ["--data", "\(folder)/data", "--record", recording] + ReplayTests.fixed,
                input: lines.map { $0 + "\n" }.joined().utf8,
                directory: folder
            )
            #expect(recorded.status == .code(0), "\(recorded.error)")
            let run = try runPushhost(["replay", recording])
            #expect(run.status == .code(0), "\(run.output)")
        }
    }

    @Test("A host that may use the files of one folder only names the folder and the option", .enabled(if: isLinux))
    func within() throws {
        try withTemporaryDirectory { folder in
            let host = try HostProcess(["--data", "\(folder)/data", "--files-within", "\(folder)/work"])
            let text = try host.call("importSuite", ["path": "/dev/null"])["error"]?["message"]?.string ?? ""
            #expect(text.contains("outside \(folder)/work, the only folder"), "\(text)")
            #expect(text.contains("--files-within"), "\(text)")
        }
    }

    @Test("With --allow-files a replay uses the files that the session names")
    func allowed() throws {
        try withTemporaryDirectory { folder in
            let lines = ["exportSuite", "importSuite"].map { Self.line($0, "\(folder)/out.plist") }
            let file = try ReplayTests.record(lines, in: folder)
            try FileManager.default.removeItem(atPath: "\(folder)/out.plist")
            let run = try runPushhost(["replay", "--allow-files", file])
            #expect(run.status == .code(0), "\(run.output)")
            #expect(FileManager.default.fileExists(atPath: "\(folder)/out.plist"))
        }
    }

    @Test("The arguments in a recording cannot allow a replay to use more files")
    func arguments() throws {
        try withTemporaryDirectory { folder in
            let file = try ReplayTests.record([Self.line("exportSuite", "\(folder)/out.plist")], in: folder)
            try FileManager.default.removeItem(atPath: "\(folder)/out.plist")
            try ReplayTests.change(file) { lines in
                var lines = lines
                lines[0] = lines[0].replacingOccurrences(
                    of: #""arguments":["#,
                    with: #""arguments":["--files-within=/","#
                )
                .replacingOccurrences(of: #",]"#, with: "]")
                return lines
            }
            let run = try runPushhost(["replay", file])
            #expect(run.status == .code(1), "\(run.output)")
            #expect(run.output.contains("--allow-files"), "\(run.output)")
            #expect(!FileManager.default.fileExists(atPath: "\(folder)/out.plist"))
        }
    }
}
