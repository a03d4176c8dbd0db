import Foundation
import JSON
import TestSupport
import Testing

/// Runs the contract's first session, with the extension in Python and with those of the kits.
@Suite(.waits, .wire) struct DocumentationTests {
    @Test("The host and the contract's extension answer the contract's session as shown")
    func contract() throws {
        _ = try Tool.python.path()
        let page = try Page("protocol/guides/any-language.md")
        try withTemporaryDirectory { folder in
            let bundle = "\(folder)/hello"
            try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
            let lists = page.blocks("xml")
            try #require(lists.count >= 2)
            try writeExecutable(try #require(page.blocks("python").first), to: "\(bundle)/hello.py")
            try write(lists[0], to: "\(bundle)/Info.plist")
            try write(lists[1], to: "\(bundle)/hello.py.entitlements")
            try check(try Page("protocol/guides/any-language.md"), plugins: folder)
        }
    }

    @Test("The session with references on the page about recordings is replayed")
    func references() throws {
        try withTemporaryDirectory { folder in
            try replay(try Page("protocol/reference/recordings.md"), plugins: folder)
        }
    }

    @Test("The commands of the CI jobs replay a folder of sessions, and write the report that the jobs name")
    func jobs() throws {
        let session = try #require(try Page("protocol/reference/recordings.md").blocks("jsonl").first)
        let jobs = try Page("protocol/guides/testing.md").blocks("yaml").filter { $0.contains("pushhost replay ") }
        try #require(jobs.count == 2)
        for job in jobs {
            let line = try #require(job.split(separator: "\n").first { $0.contains("pushhost replay") })
            let command = try #require(line.firstRange(of: "pushhost replay").map { String(line[$0.lowerBound...]) })
            try withTemporaryDirectory { folder in
                let sessions = "\(folder)/sessions"
                try FileManager.default.createDirectory(atPath: sessions, withIntermediateDirectories: true)
                try write(session, to: "\(sessions)/hello.jsonl")
                _ = try runPushhost(["replay", "--update", "\(sessions)/hello.jsonl"])
                let shell = try ChildProcess(
                    "/bin/sh",
                    ["-c", "pushhost() { '\(try hostExecutable())' \"$@\"; }; \(command)"],
                    directory: folder
                )
                #expect(try shell.readToEnd().hasPrefix("same "))
                #expect(try shell.wait() == .code(0), "\(shell.standardError)")
                let report = try String(contentsOfFile: "\(folder)/sessions.xml", encoding: .utf8)
                #expect(report.contains(#"tests="1""#), "\(report)")
                #expect(job.contains("junit: sessions.xml") || job.contains("report_paths: sessions.xml"))
            }
        }
    }

    @Test("The kits' examples, unchanged, answer the contract's session", arguments: Kit.singleFiles)
    func kit(kit: Kit) throws {
        let page = try Page("protocol/guides/any-language.md")
        let program = try #require(try Page("plugins/kits/README.md").blocks(kit.language).first)
        try withTemporaryDirectory { folder in
            let bundle = "\(folder)/hello"
            try kit.makeBundle(bundle, program: program, name: "hello")
            // The page's property list declares no link, so the kit is copied, as authors do.
            let file = try #require(kit.filePath)
            let copy = "\(bundle)/\(URL(filePath: file).lastPathComponent)"
            try FileManager.default.removeItem(atPath: copy)
            try FileManager.default.copyItem(atPath: file, toPath: copy)
            let lists = page.blocks("xml")
            try write(lists[0].replacing("hello.py", with: "hello.\(kit.suffix)"), to: "\(bundle)/Info.plist")
            try write(lists[1], to: "\(bundle)/hello.\(kit.suffix).entitlements")
            try check(try Page("protocol/guides/any-language.md"), plugins: folder)
        }
    }

    /// Records a page's session that is written by hand, and replays it.
    private func replay(_ page: Page, plugins: String) throws {
        try withTemporaryDirectory { folder in
            let session = "\(folder)/hello.jsonl"
            try write(try #require(page.blocks("jsonl").first), to: session)
            let update = try runPushhost(["replay", "--update", "--plugins", plugins, session])
            #expect(update.output == "updated  \(folder)/hello.replies.jsonl\n", "\(update)")
            let replies = try String(contentsOfFile: "\(folder)/hello.replies.jsonl", encoding: .utf8)
            let messages = try replies.split(separator: "\n").dropFirst().map { try JSON(parsing: String($0)) }
            #expect(messages.count == page.blocks("jsonl")[0].split(separator: "\n").count)
            #expect(messages.allSatisfy { $0["result"] != nil }, "each reference is a notification: \(replies)")
            #expect(try runPushhost(["replay", session]).status == .code(0))
        }
    }

    /// Sends a transcript's requests and expects the same bytes as in the transcript.
    private func check(_ page: Page, plugins: String) throws {
        try withTemporaryDirectory { data in
            let fixed = ["--clock", "2026-01-01T00:00:00Z", "--seed", "1"]
            let command = try hostCommand(["--plugins", plugins, "--data", data] + fixed)
            let host = try ChildProcess(command[0], Array(command.dropFirst()))
            let requests = page.lines(after: "→ ")
            try #require(!requests.isEmpty)
            try host.write(requests.map { $0 + "\n" }.joined().utf8)
            host.closeInput()
            let replies = try host.readToEnd().split(separator: "\n").map(String.init)
            #expect(try host.wait() == .code(0), "\(host.standardError)")
            #expect(replies == page.lines(after: "← "))
        }
    }

    private func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
    }
}

/// A Markdown page and its fenced code blocks.
struct Page {
    private let text: [Substring]

    init(_ path: String) throws {
        self.init(text: try String(contentsOfFile: "\(repositoryRoot)/\(path)", encoding: .utf8))
    }

    init(text: String) { self.text = text.split(separator: "\n", omittingEmptySubsequences: false) }

    /// The code blocks whose first line also has a file name, such as `python drive.py`: the name and the content.
    var files: [(String, String)] {
        let names = text.compactMap { line in line.wholeMatch(of: /```([a-z]+) ([\w.-]+)/) }
        return names.flatMap { match in
            blocks("\(match.output.1) \(match.output.2)").map { (String(match.output.2), $0) }
        }
    }

    /// The lines that start with a mark, without the mark.
    func lines(after mark: String) -> [String] {
        text.filter { $0.hasPrefix(mark) }.map { String($0.dropFirst(mark.count)) }
    }

    /// The contents of the code blocks in a language.
    func blocks(_ language: String) -> [String] {
        var blocks: [String] = []
        var block: [Substring]?
        for line in text {
            if let lines = block, line == "```" {
                blocks.append(lines.map { $0 + "\n" }.joined())
                block = nil
            } else if block != nil {
                block?.append(line)
            } else if line == "```\(language)" {
                block = []
            }
        }
        return blocks
    }
}
