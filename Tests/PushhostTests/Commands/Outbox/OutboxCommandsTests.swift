import Foundation
import JSON
import TestSupport
import Testing

/// `pushhost suites`, `pending`, `save`, `dead-letters`, `export` and `import`.
@Suite(.waits, .wire) struct OutboxCommandsTests {
    @Test("A list says that nothing is there only of the suites that it could read")
    func unreadableSuite() throws {
        try Workspace.open { workspace in
            _ = try CommandRun(["save", "event", "a", "--suite", "good"], workspace)
            _ = try CommandRun(["flush", "--to", "file", "--deliver-file", "\(workspace.root)/out"], workspace)
            for (arguments, text) in [
                (["pending"], "Nothing is pending"), (["dead-letters"], "There are no dead letters"),
            ] {
                let all = try CommandRun(arguments, workspace)
                #expect(all.status == .code(0) && all.output == "\(text).\n")
                let broken = URL(filePath: "\(workspace.data)/broken.sqlite")
                try Data("no database, and long enough to be read as one".utf8).write(to: broken)
                let run = try CommandRun(arguments, workspace)
                #expect(run.status == .code(1) && run.output == "\(text) in the suites that can be read.\n")
                #expect(run.standardError.contains("broken"), "\(run.standardError)")
                try FileManager.default.removeItem(at: broken)
            }
        }
    }

    @Test(
        "A folder without a name is not the current one, and no file is named as standard output is elsewhere",
        arguments: [["backup", ""], ["manual", ""], ["export", "-"]]
    )
    func names(arguments: [String]) throws {
        let run = try CommandRun(arguments)
        #expect(run.status == .code(64) && run.output == "")
        #expect(run.standardError.contains("; name a f"), "\(run.standardError)")
    }

    @Test("What a shell saves is listed as a table for people and as lines of JSON for programs")
    func saveAndList() throws {
        try Workspace.open { workspace in
            func run(_ arguments: String...) throws -> CommandRun { try CommandRun(arguments, workspace) }
            #expect(try run("suites").output == "There are no suites to list.\n")
            let properties = #"{"screen":"home"}"#
            let event = try run("save", "event", "Opened", "--properties", properties, "--user", "external_id=ada")
            #expect(event.output == "Saved: event Opened, record 1 of standard.\n", "\(event)")
            let attribute = try run("save", "attribute", "Zip", "01234", "--suite", "other", "--json")
            #expect(try attribute.json == [["id": 1]])
            #expect(try run("save", "attribute", "Score", "7", "--suite", "other").status == .code(0))
            #expect(try run("save", "attribute", "Text", "7", "--text", "--suite", "other").status == .code(0))
            #expect(try run("save", "field", "email", "ada@example.com", "--suite", "other").status == .code(0))
            let merged = try run("save", "attribute", "Pet", #"{"age":3}"#, "--merge", "--suite", "third", "--json")
            #expect(try merged.json == [["id": 1]])
            let third = try run("pending", "--suite", "third", "--json").json
            #expect(third.map { $0["value"] } == [["$merge": ["age": 3]]])

            #expect(try run("suites").rows.dropFirst() == ["other 4 0 0", "standard 1 0 0", "third 1 0 0"])
            #expect(try run("suites", "--json", "--suite", "other").json.map { $0["pending"] } == [4])
            let records = try run("pending", "--json").json
            #expect(records.map { $0["suite"] } == ["other", "other", "other", "other", "standard", "third"])
            #expect(records.dropLast().map { $0["value"] } == ["01234", 7, "7", "ada@example.com", nil])
            #expect(records[4]["user"] == ["external_id": "ada"])
            let table = try run("pending", "--suite", "standard").rows
            #expect(table.count == 2)
            #expect(table[1].hasPrefix("standard 1 customEvent Opened \(properties) external_id=ada "))
            let short = try run("pending", "--suite", "other", "--limit", "1").rows
            #expect(short.count == 3 && short[2] == "3 more in other: see --limit")
            let attributes = try run("pending", "--kind", "userAttribute", "--json").json
            #expect(attributes.map { $0["field"] } == ["email"])
        }
    }

    @Test("A save with the same idempotency key saves nothing, and another record with it is an error")
    func idempotency() throws {
        try Workspace.open { workspace in
            func save(_ name: String) throws -> CommandRun {
                try CommandRun(["save", "event", name, "--idempotency-key", "k"], workspace)
            }
            #expect(try save("a").output == "Saved: event a, record 1 of standard.\n")
            #expect(try save("a").output == "Was saved before: event a, record 1 of standard.\n")
            let other = try save("b")
            #expect(other.status == .code(65))
            #expect(other.standardError.hasPrefix("Error: "))
            #expect(try CommandRun(["pending", "--json"], workspace).json.count == 1)
        }
    }

    @Test(
        "A wrong command line or value has an exit code and one line that says what is wrong",
        arguments: [
            (["save", "field", "gender", "X"], 65, "gender must be one of"),
            (["save", "event", "a", "--properties", "[1]"], 64, "'--properties <object>': it must be a JSON object"),
            (["save", "event", "a", "--user", "ada"], 64, "'--user <user>': write external_id=ID"),
            (["save", "event", "a", "--suite", "../x"], 64, "is not a valid suite name"),
            (["pending", "--suite", "../x"], 64, "is not a valid suite name"),
            (["pending", "--suite", "typo"], 66, "Error: there is no suite typo"),
            (["suites", "--suite", "typo"], 66, "Error: there is no suite typo"),
            (["flush", "--suite", "typo"], 66, "Error: there is no suite typo"),
            (["flush", "--suite", "typo", "--dry-run"], 66, "Error: there is no suite typo"),
            (["dead-letters", "--suite", "typo"], 66, "Error: there is no suite typo"),
            (["dead-letters", "retry", "--suite", "typo"], 66, "Error: there is no suite typo"),
            (["dead-letters", "discard", "--suite", "typo"], 66, "Error: there is no suite typo"),
            (["export", "/dev/stdout/x", "--suite", "typo"], 66, "Error: there is no suite typo"),
            (["export", "/dev/stdout/x"], 73, "/dev/stdout/x"),
            (["pending", "--limit", "\u{1B}]0;t\u{7}"], 64, #"\u{1b}]0;t\u{7}"#),
            (["\u{1B}]0;t\u{7}"], 64, #"\u{1b}]0;t\u{7}"#),
            (["pending", "--kind", "event"], 64, "customEvent"),
            (["pending", "--limit", "0"], 64, "--limit 0"),
            (["dead-letters", "discard"], 64, "give --suite, or --all"),
            (["dead-letters", "retry", "3", "--all"], 64, "--all: leave out --suite and the ids"),
            (["import", "/nowhere"], 66, "cannot read /nowhere"), (["export", "/nowhere/x"], 73, "/nowhere/x"),
            (["flush", "--to", "nobody"], 64, "there is no destination \"nobody\""),
            (["flush", "--to", "caller"], 64, "--to caller"),
            (["suites", "--plugins", "/nowhere"], 64, "--plugins /nowhere: there is no such folder"),
        ] as [([String], Int32, String)]
    )
    func mistakes(arguments: [String], code: Int32, text: String) throws {
        try Workspace.open { workspace in
            _ = try CommandRun(["save", "event", "one"], workspace)
            let run = try CommandRun(arguments, workspace)
            #expect(run.status == .code(code))
            #expect(run.standardError.contains(text), "\(run.standardError)")
            #expect(code == 0 || run.output == "")
        }
    }

    @Test("An id without a dead letter is an error", arguments: ["retry", "discard"])
    func unknownDeadLetter(command: String) throws {
        try Workspace.open { workspace in
            _ = try CommandRun(["save", "event", "one"], workspace)
            let run = try CommandRun(["dead-letters", command, "--suite", "standard", "99"], workspace)
            #expect(run.status == .code(66), "\(run)")
            #expect(run.standardError == "Error: standard has no dead letter 99; pushhost dead-letters lists the ids\n")
        }
    }

    @Test("A text of a record cannot control the terminal, and means the same in JSON")
    func controlCharacters() throws {
        try Workspace.open { workspace in
            _ = try CommandRun(["save", "event", "a\u{9B}31m\u{7F}\u{1B}"], workspace)
            let run = try CommandRun(["pending", "--json"], workspace)
            let isControl = { (scalar: Unicode.Scalar) in scalar.properties.generalCategory == .control }
            #expect(!run.output.dropLast().unicodeScalars.contains(where: isControl), "\(run.output)")
            #expect(try run.json.map { $0["name"] } == ["a\u{9B}31m\u{7F}\u{1B}"])
            #expect(try CommandRun(["pending"], workspace).output.contains(#" a\u{9b}31m\u{7f}\u{1b} "#))
        }
    }

    @Test(
        "A data folder that does not exist is a warning, unless the command saves",
        arguments: [("pending", true), ("suites", true), ("flush", true), ("save event one", false)]
    )
    func missingFolder(command: String, isReported: Bool) throws {
        try Workspace.open { workspace in
            let words = command.split(separator: " ").map(String.init) + ["--data", "\(workspace.root)/none"]
            let run = try CommandRun(words)
            #expect(run.status == .code(0))
            let warning = "Warning: --data \(workspace.root)/none: there is no such folder, so it has no suites\n"
            #expect(run.standardError.hasPrefix(warning) == isReported, "\(run.standardError)")
        }
    }

    @Test("A save warns of what a delivery will need: a user, and a telephone number with its country code")
    func warnings() throws {
        try Workspace.open { workspace in
            func warnings(_ arguments: String...) throws -> [Substring] {
                let run = try CommandRun(["save"] + arguments, workspace)
                #expect(run.status == .code(0), "\(run)")
                return run.standardError.split(separator: "\n")
            }
            let event = try warnings("event", "a")
            let held = "Warning: the record has no user, so braze will hold it; save it with --user external_id=ID"
            #expect(event == [held[...]])
            #expect(try warnings("field", "phone", "+4915123456789", "--user", "external_id=ada") == [])
            let phone = "Warning: phone 0171 is not written as +4915123456789 (E.164), so Braze may not recognize it"
            #expect(try warnings("field", "phone", "0171", "--text", "--user", "external_id=ada") == [phone[...]])
            #expect(try warnings("event", "a", "--user", "phone=0171") == [phone[...]])
        }
    }

    @Test(
        "--time is the time of an event, in any zone and also in the future",
        arguments: [
            ("2020-02-29T12:00:00Z", "2020-02-29T12:00:00.000Z"),
            ("2020-01-01T00:00:00.25+01:30", "2019-12-31T22:30:00.250Z"),
            ("2999-01-01T00:00:00-05:00", "2999-01-01T05:00:00.000Z"),
        ]
    )
    func time(given: String, saved: String) throws {
        try Workspace.open { workspace in
            let run = try CommandRun(["save", "event", "a", "--time", given], workspace)
            #expect(run.status == .code(0), "\(run)")
            #expect(try CommandRun(["pending", "--json"], workspace).json.map { $0["time"] } == [.string(saved)])
        }
    }

    @Test(
        "A --time that is no time with a zone saves nothing",
        arguments: ["2020-02-29T12:00:00", "2020-02-30T00:00:00Z", "noon"]
    )
    func noTime(text: String) throws {
        try Workspace.open { workspace in
            let run = try CommandRun(["save", "event", "a", "--time", text], workspace)
            #expect(run.status == .code(65) && run.output == "", "\(run)")
            #expect(run.standardError.contains("an RFC 3339 time with a zone, such as 2026-01-01T00:00:00Z"))
            #expect(try CommandRun(["suites", "--json"], workspace).output == "")
        }
    }

    @Test("The columns of a table line up beside characters that take two columns of a terminal")
    func wideCharacters() throws {
        try Workspace.open { workspace in
            for name in ["ab", "가나", "👋"] { _ = try CommandRun(["save", "attribute", name, "7"], workspace) }
            let lines = try CommandRun(["pending"], workspace).output.split(separator: "\n").dropFirst()
            // A wide character counts as two columns before the value.
            let columns = try lines.map { line in
                let start = try #require(line.range(of: "customAttribute  "))
                let value = try #require(line[start.upperBound...].firstIndex(of: "7"))
                return line[start.upperBound..<value].reduce(0) { $0 + ($1.isASCII ? 1 : 2) }
            }
            #expect(columns == [6, 6, 6])
        }
    }

    @Test("An exported suite is imported into another one")
    func propertyLists() throws {
        try Workspace.open { workspace in
            _ = try CommandRun(["save", "event", "one", "--suite", "a"], workspace)
            for format in ["xml", "binary"] {
                let file = "\(workspace.root)/\(format).plist"
                let export = try CommandRun(["export", file, "--suite", "a", "--format", format], workspace)
                #expect(export.output == "Exported to \(file): 1 record, 0 stored values.\n", "\(export)")
                let list = try CommandRun(["import", file, "--suite", format, "--json"], workspace)
                #expect(try list.json.first?["imported"]?["customEvent"] == 1)
                #expect(try CommandRun(["pending", "--suite", format, "--json"], workspace).json[0]["name"] == "one")
            }
        }
    }

    @Test(
        "While another process opens a suite, a command about all suites says so, and its code is that to try again",
        arguments: [["suites"], ["pending"], ["dead-letters", "retry", "--all"]]
    )
    func busy(command: [String]) throws {
        try Workspace.open { workspace in
            #expect(try CommandRun(["save", "event", "e"], workspace).status == .code(0))
            let lock = try #require(FileHandle(forUpdatingAtPath: "\(workspace.data)/.lock"))
            #expect(flock(lock.fileDescriptor, LOCK_EX) == 0)
            let run = try CommandRun(command + ["--json"], workspace)
            #expect(run.status == .code(75), "\(run)")
            let text = "another process holds the suite standard; try again"
            #expect(run.standardError == "Error: \(text)\n" || run.output.contains(text), "\(run)")
        }
    }

    @Test("Dead letters are listed with their reasons, retried by id and discarded")
    func deadLetters() throws {
        try DestinationWorkspace.open { destinations in
            let workspace = destinations.bundles
            try destinations.add("def deliver(batch, n): return {'rejected': reasoned(batch)}")
            for name in ["one", "two"] { _ = try CommandRun(["save", "event", name, "--suite", "a"], workspace) }
            let flush = try CommandRun(["flush", "--to", "tried"], workspace)
            #expect(flush.status == .code(2))
            #expect(flush.output == "a to tried: 0 delivered, 2 rejected\n", "\(flush)")
            let table = try CommandRun(["dead-letters"], workspace).rows
            #expect(table.count == 3 && table[1].hasSuffix("because"))
            let retry = try CommandRun(["dead-letters", "retry", "1", "--suite", "a"], workspace)
            #expect(retry.output == "a: 1 retried\n", "\(retry)")
            #expect(try CommandRun(["pending", "--json"], workspace).json.map { $0["name"] } == ["one"])
            let discard = try CommandRun(["dead-letters", "discard", "--all", "--json"], workspace)
            #expect(try discard.json == [["suite": "a", "discarded": 1]])
            #expect(try CommandRun(["dead-letters", "list", "--json"], workspace).json.isEmpty)
        }
    }
}
