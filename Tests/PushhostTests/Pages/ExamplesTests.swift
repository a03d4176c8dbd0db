import Foundation
import JSON
import TestSupport
import Testing

/// The examples in the contract's documents, run by a script that knows only the documents.
@Suite(.waits, .wire) struct ExamplesTests {
    private static let folder = "\(repositoryRoot)/Tests/Fixtures/examples"

    @Test(
        "Every example of a method that rpc.discover returns yields the example's result, even in a folder with only the script"
    )
    func discovered() throws {
        try withTemporaryDirectory { folder in
            let script = "\(folder)/examples"
            try FileManager.default.copyItem(atPath: Self.folder, toPath: script)
            let (lines, status) = try make(script, [try hostExecutable()])
            #expect(status == .code(0), "\(lines)")
            try expect(lines, ofExamplesIn: "openrpc.json")
        }
    }

    @Test(
        "Every example of a method that the host calls is called as shown, and its result is accepted",
        arguments: ["extension.openrpc.json", "destination.openrpc.json", "personalization.openrpc.json"]
    )
    func called(file: String) throws {
        let (lines, status) = try make(
            Self.folder,
            [try hostExecutable(), "\(repositoryRoot)/protocol/\(file)"]
        )
        #expect(status == .code(0), "\(lines)")
        try expect(lines, ofExamplesIn: file)
    }

    @Test(
        "An example that yields another result is named, with both values",
        arguments: [
            ("openrpc.json", "status", #""deadLetters": 0"#, #""deadLetters": 1"#, "/deadLetters"),
            ("openrpc.json", "dismiss", #"{ "dismissed": true }"#, #"{ "dismissed": 1 }"#, "/dismissed"),
            ("openrpc.json", "pending", #""total": 1 } }"#, #""total": 1, "more": 0 } }"#, "/more"),
            ("openrpc.json", "setView", #""value": {} }"#, #""value": { "done": true } }"#, "/done"),
            (
                "openrpc.json", "$/progress", #"{ "name": "delivered", "value": 1 }"#,
                #"{ "name": "delivered", "value": 2 }"#, "/delivered"
            ),
            (
                "destination.openrpc.json", "deliver", #""name": "Opened", "properties": { "screen": "home" }, "time""#,
                #""name": "Closed", "properties": { "screen": "home" }, "time""#, "/batch/0/name"
            ),
            (
                "personalization.openrpc.json", "personalize", #"{ "name": "locale", "value": "en" }"#,
                #"{ "name": "locale", "value": "de" }"#, "/locale"
            ),
            (
                "extension.openrpc.json", "interact", #"{ "name": "element", "value": "wave" }"#,
                #"{ "name": "element", "value": "wink" }"#, "/element"
            ),
        ]
    )
    func planted(file: String, method: String, part: String, replacement: String, path: String) throws {
        try withTemporaryDirectory { folder in
            let document = try String(contentsOfFile: "\(repositoryRoot)/protocol/\(file)", encoding: .utf8)
            try #require(document.contains(part))
            let planted = "\(folder)/planted.json"
            try Data(document.replacing(part, with: replacement).utf8).write(to: URL(filePath: planted))
            let (lines, status) = try make(Self.folder, ["--only", method, try hostExecutable(), planted])
            #expect(status == .code(1))
            #expect(lines.contains { $0.hasPrefix("FAILED ") && $0.contains("\(path) is ") }, "\(lines)")
        }
    }

    /// Runs the script and returns the lines that it wrote.
    private func make(_ script: String, _ arguments: [String]) throws -> (lines: [String], status: ChildProcess.Status)
    {
        let plugins = ["--plugins", "\(repositoryRoot)/plugins"]
        var environment = ProcessInfo.processInfo.environment
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
        let process = try ChildProcess(
            try Tool.python.path(),
            ["\(script)/examples.py"] + plugins + arguments,
            environment: environment
        )
        process.closeInput()
        var lines: [String] = []
        while let line = try process.readLine() { lines.append("\(line)") }
        let status = try process.wait()
        if !process.standardError.isEmpty { lines.append(process.standardError) }
        return (lines, status)
    }

    /// Expects one line per example of a document, and the count.
    private func expect(_ lines: [String], ofExamplesIn file: String) throws {
        let json = try JSON(parsing: String(contentsOfFile: "\(repositoryRoot)/protocol/\(file)", encoding: .utf8))
        let methods = ["methods", "x-notifications"].flatMap { json[$0]?.array.map(Array.init) ?? [] }
        let examples = methods.flatMap { method -> [String] in
            let all = [method["examples"], method["x-service"]?["examples"]].flatMap { $0?.array.map(Array.init) ?? [] }
            return all.map { "\(method["name"]?.string ?? ""), \($0["name"]?.string ?? "")" }
        }
        let made = lines.filter { $0.hasPrefix("ok ") }.compactMap { $0.split(separator: ": ").last.map(String.init) }
        #expect(made.sorted() == examples.sorted())
        #expect(lines.last == "\(examples.count) examples, 0 failed")
    }
}
