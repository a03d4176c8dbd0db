import Foundation
import JSON
import TestSupport
import Testing

/// `pushhost backup`.
@Suite(.waits, .wire) struct BackupTests {
    @Test("While a host saves all the time, each backup has every record that was answered before it began, and no gap")
    func saving() throws {
        try withTemporaryDirectory { folder in
            let host = try startHost(folder)
            var sent = 0
            var answered: [JSON] = []
            for round in 0..<8 {
                try host.write(saves(sent..<(sent + 2_000)).utf8)
                sent += 2_000
                // The other saves of the round are under way, or not even read.
                answered += try host.replies(500)
                let copy = "\(folder)/copies/\(round)"
                let run = try CommandRun(["backup", copy, "--data", "\(folder)/data"])
                #expect(run.status == .code(0), "\(run)")
                let promised = try confirmed(answered)
                let restored = "\(folder)/restored-\(round)"
                #expect(try CommandRun(["backup", "\(restored)/data", "--data", copy]).status == .code(0))
                let found = try stored(in: restored)
                for (id, name) in promised { #expect(found[id] == name, "round \(round)") }
                #expect(found.keys.sorted() == Array(1...max(1, found.count)), "round \(round)")
                #expect(run.output == "standard: copied, \(found.count) pending records.\n")
                answered += try host.replies(sent - answered.count)
            }
            #expect(answered.allSatisfy { $0["result"] != nil })
            #expect(try host.stored().count == sent)
            try host.finish()
        }
    }

    @Test("Records that were delivered after the backup are pending again in it, and the next flush sends them twice")
    func twice() throws {
        try withTemporaryDirectory { folder in
            func run(_ words: String...) throws -> CommandRun { try CommandRun(words) }
            let (data, file) = ("\(folder)/data", "\(folder)/delivered.jsonl")
            func flush() throws -> CommandRun {
                try run("flush", "--to", "file", "--deliver-file", file, "--data", data)
            }
            for name in ["one", "two"] { #expect(try run("save", "event", name, "--data", data).status == .code(0)) }
            #expect(try run("backup", "\(folder)/copy", "--data", data).status == .code(0))
            #expect(try run("save", "event", "three", "--data", data).status == .code(0))
            #expect(try flush().status == .code(0))
            // The suite is still there.
            let refused = try run("backup", data, "--data", "\(folder)/copy")
            #expect(refused.status == .code(73))
            #expect(refused.standardError == "Error: \(data)/standard.sqlite exists, and a copy replaces nothing\n")
            let files = try FileManager.default.contentsOfDirectory(atPath: data)
            for name in files where name.hasPrefix("standard.sqlite") {
                try FileManager.default.removeItem(atPath: "\(data)/\(name)")
            }
            #expect(try run("backup", data, "--data", "\(folder)/copy").status == .code(0))
            #expect(try run("pending", "--json", "--data", data).json.map { $0["name"] } == ["one", "two"])
            #expect(try flush().status == .code(0))
            let delivered = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
                .map { try JSON(parsing: String($0))["name"] }
            #expect(delivered == ["one", "two", "three", "one", "two"])
        }
    }

    @Test("A damaged suite is reported, and the others are copied")
    func damaged() throws {
        try withTemporaryDirectory { folder in
            let data = "\(folder)/data"
            for suite in ["a", "b", "c"] {
                _ = try CommandRun(["save", "event", "Opened", "--suite", suite, "--data", data])
            }
            let damaged = String(repeating: "x", count: 8_192)
            try damaged.write(toFile: "\(data)/b.sqlite", atomically: false, encoding: .utf8)
            let run = try CommandRun(["backup", "\(folder)/copy", "--data", data, "--json"])
            #expect(run.status == .code(1))
            #expect(try run.json == [["suite": "a", "pending": 1], ["suite": "c", "pending": 1]])
            #expect(run.standardError.hasPrefix("Error: b is not copied: "), "\(run.standardError)")
        }
    }

    @Test("Of two copies of a suite to one folder at a time, the second is refused with the folder's param")
    func atOnce() throws {
        try withTemporaryDirectory { folder in
            let host = try HostProcess(["--data", "\(folder)/data", "--plugins", folder])
            try host.result("saveCustomEvent", ["name": "Opened"])
            let copy: JSON = ["folder": .string("\(folder)/copy")]
            let line = { (id: Int) -> String in
                #"{"jsonrpc":"2.0","id":\#(id),"method":"backUpSuite","params":\#(copy)}"#
            }
            try host.process.write("\(line(1))\n\(line(2))\n".utf8)
            let replies = [try host.reply(), try host.reply()]
            let error = try #require(replies.compactMap { $0["error"] }.first)
            #expect(replies.compactMap { $0["result"] } == [["pending": 1]])
            #expect(error["data"]?["reason"] == "fileUnwritable" && error["data"]?["path"] == "/params/folder")
            #expect(error["message"]?.string?.contains("a copy replaces nothing") == true, "\(error)")
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A suite or a folder that does not exist is an error, and makes no folder")
    func mistakes() throws {
        try withTemporaryDirectory { folder in
            let (data, copy) = ("\(folder)/data", "\(folder)/copy")
            _ = try CommandRun(["save", "event", "Opened", "--data", data])
            let unknown = try CommandRun(["backup", copy, "--data", data, "--suite", "typo"])
            #expect(unknown.status == .code(66))
            #expect(unknown.standardError.hasPrefix("Error: there is no suite typo"), "\(unknown.standardError)")
            let empty = try CommandRun(["backup", copy, "--data", folder])
            #expect(empty.status == .code(66))
            #expect(empty.standardError == "Error: there is no suite in \(folder); nothing was copied\n")
            let nowhere = try CommandRun(["backup", copy, "--data", "\(folder)/none"])
            #expect(nowhere.status == .code(64))
            #expect(nowhere.standardError.contains("--data \(folder)/none: there is no such folder"))
            let invalid = try CommandRun(["backup", copy, "--data", data, "--suite", "../x"])
            #expect(invalid.status == .code(64))
            #expect(invalid.standardError.contains("is not a valid suite name"))
            #expect(!FileManager.default.fileExists(atPath: copy))
        }
    }

    @Test("A host copies a suite for its client, but only into a folder that it may use; a dry run copies nothing")
    func method() throws {
        try withTemporaryDirectory { folder in
            let work = "\(folder)/work"
            try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: true)
            let host = try HostProcess(["--data", "\(folder)/data", "--plugins", folder, "--files-within", work])
            try host.result("saveCustomEvent", ["name": "Opened"])
            let copy: JSON = ["folder": .string("\(work)/a/b")]
            #expect(
                try host.result("backUpSuite", ["folder": .string("\(work)/a/b"), "dryRun": true]) == ["pending": 1]
            )
            #expect(!FileManager.default.fileExists(atPath: "\(work)/a"))
            #expect(try host.result("backUpSuite", copy) == ["pending": 1])
            #expect(FileManager.default.fileExists(atPath: "\(work)/a/b/standard.sqlite"))
            func reason(_ params: JSON) throws -> JSON? {
                try host.call("backUpSuite", params)["error"]?["data"]?["reason"]
            }
            #expect(try reason(copy) == "fileUnwritable")
            for outside in ["\(folder)/other", "\(work)/none/../../other"] {
                #expect(try reason(["folder": .string(outside)]) == "fileUnwritable")
            }
            #expect(!FileManager.default.fileExists(atPath: "\(folder)/other"))
            #expect(try reason(["suite": "typo", "folder": .string("\(work)/c")]) == "suiteUnreadable")
        }
    }
}
