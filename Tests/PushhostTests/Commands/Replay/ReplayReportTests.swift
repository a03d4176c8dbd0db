import Contract
import Foundation
import JSON
import TestSupport
import Testing

/// The reports of `pushhost replay` for programs.
@Suite(.waits, .wire) struct ReplayReportTests {
    /// Prints each element of an XML file as a JSON line: its path, its attributes and its text.
    private static let parser = """
        import json, sys, xml.etree.ElementTree as tree
        def walk(element, path):
            path += "/" + element.tag
            print(json.dumps({"path": path, "attributes": element.attrib, "text": element.text or ""}))
            for child in element: walk(child, path)
        walk(tree.parse(sys.argv[1]).getroot(), "")
        """

    private static func elements(_ file: String) throws -> [JSON] {
        let process = try ChildProcess(try Tool.python.path(), ["-c", parser, file])
        process.closeInput()
        let text = try process.readToEnd()
        #expect(try process.wait() == .code(0), "\(process.standardError)")
        return try text.split(separator: "\n").map { try JSON(parsing: String($0)) }
    }

    /// Writes a session that is the same, one that differs and one that cannot be run.
    private static func write(in folder: String) throws -> [String] {
        let replies = [
            "same": #"{"jsonrpc":"2.0","id":"p","result":{"version":"\#(ContractDocuments.version)"}}"#,
            "differs": "\u{1}\u{1B}[31m<b>&\u{FFFE}]]>\u{202E}",
            "fails":
                #"{"session":{"version":"1.1","arguments":["--<nonsense>"],"clock":"2026-01-01T00:00:00Z","seed":1,"lockStep":true}}"#
                + "\n{}",
        ]
        try FileManager.default.createDirectory(atPath: "\(folder)/ci/b", withIntermediateDirectories: true)
        for (name, text) in replies {
            try Data((ReplayTests.ping + "\n").utf8).write(to: URL(filePath: "\(folder)/ci/b/\(name).jsonl"))
            try Data((text + "\n").utf8).write(to: URL(filePath: "\(folder)/ci/b/\(name).replies.jsonl"))
        }
        return ["same", "differs", "fails"].map { "ci/b/\($0).jsonl" }
    }

    @Test("--junit writes a test case for each session, and text from outside cannot make it invalid")
    func junit() throws {
        try withTemporaryDirectory { folder in
            let files = try Self.write(in: folder)
            let run = try runPushhost(["replay", "--junit", "out.xml"] + files, directory: folder)
            #expect(run.status == .code(1), "\(run)")
            #expect(run.output.hasSuffix("2 of 3 sessions differ or failed\n"), "the report for people is printed too")
            let elements = try Self.elements("\(folder)/out.xml")
            try #require(
                elements.map { $0["path"]?.string ?? "" } == [
                    "/testsuites", "/testsuites/testsuite", "/testsuites/testsuite/testcase",
                    "/testsuites/testsuite/testcase", "/testsuites/testsuite/testcase/failure",
                    "/testsuites/testsuite/testcase", "/testsuites/testsuite/testcase/error",
                ]
            )
            for suite in elements[..<2] {
                let attributes = try #require(suite["attributes"])
                let counts = ["name", "tests", "failures", "errors", "skipped"].map { attributes[$0]?.string }
                #expect(counts == ["pushhost replay", "3", "1", "1", "0"])
            }
            let cases = [elements[2], elements[3], elements[5]].map { $0["attributes"] ?? .null }
            #expect(cases.map { $0["name"] } == ["same", "differs", "fails"])
            for (attributes, file) in zip(cases, files) {
                #expect(attributes["classname"] == "ci.b")
                #expect(attributes["file"] == .string(file))
                #expect(attributes["time"]?.string?.wholeMatch(of: /[0-9]+\.[0-9]{3}/) != nil)
            }
            #expect(elements[4]["attributes"]?["type"] == "different")
            #expect(elements[4]["attributes"]?["message"]?.string?.hasPrefix("host to client: it is not JSON") == true)
            let text = try #require(elements[4]["text"]?.string)
            #expect(text.hasPrefix("DIFFERS  \(folder)/ci/b/differs.jsonl\n"), "\(text)")
            #expect(text.contains(#"    - \u{1}\u{1b}[31m<b>&\u{fffe}]]>\u{202e}"#), "\(text)")
            #expect(elements[6]["attributes"]?["type"] == "failed")
            #expect(elements[6]["attributes"]?["message"]?.string?.contains("--<nonsense>") == true)

            // The next report replaces it, and also names files that are not sessions.
            try Data("?".utf8).write(to: URL(filePath: "\(folder)/none.jsonl"))
            let other = try runPushhost(["replay", "--junit", "out.xml", files[0], "none.jsonl"], directory: folder)
            #expect(other.status == .code(66), "\(other)")
            let problems = try Self.elements("\(folder)/out.xml")
            #expect(problems.last?["attributes"]?["type"] == "notASession", "\(problems)")
            #expect(problems.count == 4)
        }
    }

    @Test("A folder stands for its sessions, and classnames have no dots of a path")
    func folder() throws {
        try withTemporaryDirectory { folder in
            _ = try Self.write(in: folder)
            let inner = "\(folder)/ci/inner"
            try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
            let run = try runPushhost(["replay", "--junit", "out.xml", "../b"], directory: inner)
            #expect(run.status == .code(1), "\(run)")
            #expect(run.output.hasSuffix("2 of 3 sessions differ or failed\n"), "\(run)")
            let cases = try Self.elements("\(inner)/out.xml").filter { $0["path"] == "/testsuites/testsuite/testcase" }
            #expect(cases.map { $0["attributes"]?["classname"] } == ["b", "b", "b"])
            let none = try runPushhost(["replay", "."], directory: "\(folder)/ci")
            #expect(none.status == .code(66) && none.error.hasPrefix("Error: .: the folder has no sessions"), "\(none)")
        }
    }

    @Test(
        "--junit does not replace a session or its replies",
        arguments: ["ci/b/same.jsonl", "ci/b/same.replies.jsonl"]
    )
    func ownInput(file: String) throws {
        try withTemporaryDirectory { folder in
            _ = try Self.write(in: folder)
            let old = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
            let run = try runPushhost(["replay", "--junit", file, "ci/b"], directory: folder)
            #expect(run.status == .code(64) && run.error.contains("this command reads that file"), "\(run)")
            #expect(try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8) == old)
        }
    }

    @Test(
        "A file for --junit that cannot be written is one error, and no session is run",
        arguments: [
            ("none/out.xml", "none/out.xml cannot be written: No such file or directory"),
            ("ci", "ci cannot be written: it is not a regular file"),
            ("/dev/null", "/dev/null cannot be written: it is not a regular file"),
        ]
    )
    func unwritable(path: String, problem: String) throws {
        try withTemporaryDirectory { folder in
            let files = try Self.write(in: folder)
            let run = try runPushhost(["replay", "--junit", path] + files, directory: folder)
            #expect(run.status == .code(73))
            #expect(run.output.isEmpty)
            #expect(run.error.hasPrefix("Error: ") && run.error.hasSuffix(problem + "\n"), "\(run.error)")
            #expect(run.error.split(separator: "\n").count == 1)
        }
    }

    @Test("--json prints an object with the documented members for each session")
    func json() throws {
        try withTemporaryDirectory { folder in
            let files = try Self.write(in: folder)
            let run = try runPushhost(["replay", "--json"] + files, directory: folder)
            #expect(run.status == .code(1))
            let objects = try run.output.split(separator: "\n").map { try JSON(parsing: String($0)) }
            try #require(objects.count == 3)
            #expect(objects.map { $0["session"] } == files.map { .string("\(folder)/\($0)") })
            #expect(objects.map { $0["result"] } == ["same", "different", "failed"])
            #expect(objects.allSatisfy { $0["complete"] == true && ($0["milliseconds"]?.integer ?? -1) >= 0 })
            #expect(objects[2]["error"]?.string?.contains("--<nonsense>") == true)
            let first = objects[1]["differences"]?[0]
            #expect(first?["line"] == 1)
            #expect(first?["title"]?.string?.hasPrefix("host to client: it is not JSON") == true)
            #expect(first?["recorded"] == "\u{1}\u{1B}[31m<b>&\u{FFFE}]]>\u{202E}", "JSON has its own escapes")
            let update = try runPushhost(["replay", "--json", "--update", files[0], files[1]], directory: folder)
            #expect(update.output.contains(#""result":"unchanged""#) && update.output.contains(#""result":"updated""#))
        }
    }

    @Test("--json has each difference with its kind, its members and its views")
    func differences() throws {
        try ReplayDiffTests.recorded(ReplayTests.fixed, [ReplayDiffTests.show]) { file, change, workspace in
            try change(["Opened", "Viewed", "Copied"])
            try Data(#"{"type":"text","text":"Bye"}"#.utf8).write(to: URL(filePath: "\(workspace.plugins)/saves/view"))
            let run = try runPushhost(["replay", "--json", file])
            let all = try JSON(parsing: run.output)["differences"]?.array.map { Array($0) } ?? []
            try #require(all.count == 3, "\(run.output)")
            #expect(all.map { $0["kind"] } == ["new", "changed", "changed"])
            #expect(all[0]["title"] == "com.example.saves to host: + saveCustomEvent Viewed")
            #expect(all[0]["now"]?.string?.contains(#""name":"Viewed""#) == true && all[0]["recorded"] == nil)
            let member: JSON = ["path": "/result/view/text", "recorded": "Hello", "now": "Bye"]
            for difference in all[1...] {
                #expect(difference["members"] == [member])
                #expect(difference["views"] == ["recorded": "Hello", "now": "Bye"])
            }
        }
    }
}
