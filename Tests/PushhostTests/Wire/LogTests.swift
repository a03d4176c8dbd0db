import Foundation
import JSON
import TestSupport
import Testing

/// What the log says about requests and batches.
@Suite(.waits, .wire) struct LogTests {
    /// The lines of a log in JSON.
    private func lines(_ log: String) throws -> [JSON] {
        try log.split(separator: "\n").map { try JSON(parsing: String($0)) }
    }

    @Test("A request that fails has a line with its id, and one that succeeds has none")
    func requests() throws {
        try withTemporaryDirectory { folder in
            let host = try startHost(folder, ["--log-format", "json", "--log-level", "info"])
            try host.write((save(1) + line(2, "saveCustomEvent", #"{"suite":"../x","name":"a"}"#)).utf8)
            #expect(try ids(host.replies(2)) == [1, 2])
            let dismiss = #"{"jsonrpc":"2.0","id":"three","method":"dismiss","params":{"notification":"n"}}"#
            try host.write("\(dismiss)\n".utf8)
            let refused = try host.reply()["error"]
            try host.finish()
            let lines = try lines(host.standardError).filter { $0["request"] != nil }
            #expect(lines.map { $0["request"] } == ["2", "\"three\""], "\(lines)")
            #expect(lines.allSatisfy { $0["level"] == "info" })
            #expect(lines.last?["message"] == .string("dismiss failed: \(refused?["message"]?.string ?? "")"))
        }
    }

    @Test("A batch that fails has a line with its number and the ids of its records")
    func batches() throws {
        try withTemporaryDirectory { folder in
            let there = "\(folder)/there"
            try FileManager.default.createDirectory(atPath: there, withIntermediateDirectories: false)
            let file = ["--deliver-file", "\(there)/delivered.jsonl"]
            let host = try startHost(folder, ["--log-format", "json", "--retry-patience", "0"] + file)
            try host.write(saves(1..<4).utf8)
            _ = try host.replies(3)
            try FileManager.default.removeItem(atPath: there)
            try host.write(line(4, "flushPending", #"{"to":"file"}"#).utf8)
            #expect(try host.reply()["id"] == 4)
            host.closeInput()
            _ = try host.wait()
            let lines = try lines(host.standardError).filter { $0["batch"] != nil }
            let line = try #require(lines.first, "\(host.standardError)")
            #expect(line["level"] == "warning" && line["batch"] == "0" && line["records"] == "1-3", "\(line)")
        }
    }
}
