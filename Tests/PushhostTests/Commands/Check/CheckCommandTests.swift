import Foundation
import JSON
import TestSupport
import Testing

/// `pushhost check` as a command: files, stdin, exit codes.
@Suite(.waits, .wire) struct CheckCommandTests {
    private static let good = #"{"aps":{"alert":"x","category":"lab_register"},"braze_id":"ada"}"#
    private static let misspelt =
        #"{"aps":{"alert":"x","category":"lab_progress"},"completed_sesion_count":"3","total_session_count":"8"}"#

    private func run(_ arguments: [String], input: String = "") throws -> CommandRun {
        try CommandRun.leavingNothing(["check", "--plugins", "\(repositoryRoot)/plugins"] + arguments, input: input)
    }

    @Test("A payload without errors exits with 0, and its size is listed with the share of each key")
    func good() throws {
        try withTemporaryDirectory { root in
            let file = "\(root)/good.apns"
            try Data(Self.good.utf8).write(to: URL(filePath: file))
            let run = try run([file])
            #expect(run.status == .code(0))
            #expect(run.standardError == "")
            let size = "size        64 of 4096 bytes: aps 45 (70%), braze_id 16 (25%)"
            let summary = "\(file): 0 errors, 0 warnings, shown by com.example.pushhost.register"
            #expect(run.output == "\(size)\n\(summary)\n")
        }
    }

    @Test("Without --plugins, a payload in the folder of a bundle is checked with that bundle")
    func bundle() throws {
        let run = try CommandRun.leavingNothing(
            ["check", "\(repositoryRoot)/plugins/register/payload.apns"],
            input: ""
        )
        #expect(run.output.contains(": 0 errors, 0 warnings, shown by com.example.pushhost.register"), "\(run.output)")
    }

    @Test("A payload with an error exits with 1; the finding has its place and what to do")
    func misspelt() throws {
        let run = try run(["-"], input: Self.misspelt)
        #expect(run.status == .code(1))
        let text = "com.example.pushhost.session-progress does not read completed_sesion_count"
        #expect(run.output.contains("error       stdin:1:48: \(text)"), "\(run.output)")
        #expect(run.output.contains("\n            did you mean completed_session_count?\n"))
        #expect(run.output.contains("stdin: 1 error, 0 warnings"))
    }

    @Test("A key that only the texts of --app have is no finding", arguments: [false, true])
    func app(isNamed: Bool) throws {
        try withTemporaryDirectory { root in
            try FileManager.default.createDirectory(atPath: "\(root)/en.lproj", withIntermediateDirectories: false)
            let strings = URL(filePath: "\(root)/en.lproj/Localizable.strings")
            try Data(#""APP_TITLE" = "Hi";"#.utf8).write(to: strings)
            let alert = #"{"title-loc-key":"APP_TITLE","body":"x"}"#
            let payload = #"{"aps":{"alert":\#(alert),"category":"lab_register"},"braze_id":"ada"}"#
            let run = try run(["-"] + (isNamed ? ["--app", root] : []), input: payload)
            #expect(run.output.contains("APP_TITLE") == !isNamed, "\(run)")
            let summary =
                "stdin: \(isNamed ? "0 errors" : "1 error"), 0 warnings, shown by com.example.pushhost.register"
            #expect(run.output.hasSuffix("\n\(summary)\n"), "\(run)")
        }
    }

    @Test(
        "A signal ends a command that waits for the rest of a payload, on stdin or in a named pipe",
        arguments: ["check", "push"],
        ["-", "pipe"]
    )
    func interrupted(command: String, payload: String) throws {
        try withTemporaryDirectory { folder in
            let path = "\(folder)/pipe"
            let pipe = try EventPipe(path)
            let process = try ChildProcess(
                try hostCommand(unchecked: "the command is a client and starts its host")[0],
                [command, payload == "-" ? "-" : path, "--plugins", "\(repositoryRoot)/plugins"],
                input: .file(path)
            )
            try pipe.send("{")
            try Processes.wait(for: "the first bytes to be read") { pipe.isRead }
            process.kill(SIGINT)
            #expect(try process.wait() == .code(130))
            #expect(try process.readToEnd() == "")
            #expect(process.standardError.contains("was not read to its end: interrupted by a signal"))
        }
    }

    @Test("A bundle's folder stands for its payload and for the bundle, beside other payloads, in one report")
    func bundleFolder() throws {
        try withTemporaryDirectory { root in
            try Data(Self.misspelt.utf8).write(to: URL(filePath: "\(root)/misspelt"))
            let bundle = "\(repositoryRoot)/plugins/like"
            let run = try CommandRun.leavingNothing([
                "check", bundle, "\(root)/misspelt", "--json", "--plugins", "\(repositoryRoot)/plugins",
            ])
            #expect(run.status == .code(1), "\(run)")
            let report = try JSON(parsing: run.output)
            let payloads = report["payloads"]?.array.map(Array.init) ?? []
            #expect(payloads.map { $0["file"]?.string } == ["\(bundle)/payload.apns", "\(root)/misspelt"])
            let bundles = report["bundles"]?.array.map(Array.init) ?? []
            #expect(bundles.map { $0["bundle"]?.string } == [bundle])
            #expect(bundles.first?["errors"] == 0)
            #expect(report["errors"] == 1)

            let none = try CommandRun.leavingNothing(["check", root])
            #expect(none.status == .code(66))
            #expect(none.standardError == "Error: \(root): it has no Info.plist, so it is not a bundle\n")
            #expect(none.output == "")
        }
    }

    @Test("Several payloads are checked in one run, and --json reports them as one object")
    func json() throws {
        try withTemporaryDirectory { root in
            let files = [("good", Self.good), ("misspelt", Self.misspelt), ("broken", "{\n  \"aps\": {\n  oops\n}")]
            for (name, text) in files { try Data(text.utf8).write(to: URL(filePath: "\(root)/\(name)")) }
            let run = try run(["--json"] + files.map { "\(root)/\($0.0)" })
            #expect(run.status == .code(1))
            let report = try JSON(parsing: run.output)
            #expect(report["errors"] == 2)
            #expect(report["warnings"] == 0)
            let payloads = try #require(report["payloads"]?.array.map(Array.init))
            #expect(payloads.map { $0["file"]?.string } == files.map { "\(root)/\($0.0)" })
            #expect(payloads[0]["findings"] == [])
            #expect(payloads[0]["extension"] == "com.example.pushhost.register")
            #expect(payloads[1]["findings"]?[0]?["reason"] == "misspeltKey")
            #expect(payloads[1]["findings"]?[0]?["path"] == "/completed_sesion_count")
            #expect(payloads[1]["findings"]?[0]?["column"] == 48)
            #expect(payloads[2]["findings"]?[0]?["reason"] == "invalidJSON")
            #expect(payloads[2]["findings"]?[0]?["line"] == 3)
        }
    }

    @Test("JSON that is not right is reported with its line and column")
    func syntax() throws {
        let run = try run(["-"], input: "{\n  \"aps\": {,}\n}")
        #expect(run.status == .code(1))
        #expect(run.output.contains("error       stdin:2:11: it is not JSON: "), "\(run.output)")
    }

    @Test("A finding has the line and column of its member, and one about the whole payload the name of the file")
    func places() throws {
        let aps = "\"aps\": {\"alert\": \"x\", \"category\": \"lab_progress\",\n    \"badge\": \"3\"}"
        let run = try run(["-"], input: "{\n  \(aps),\n  \"completed_session_count\": \"3\"\n}")
        #expect(run.output.contains("error       stdin:3:5: badge must be an integer"), "\(run.output)")
        #expect(run.output.contains("error       stdin: the key-value pair total_session_count"), "\(run.output)")
    }

    @Test("--template checks the Liquid, and --profile renders the payload before it is checked")
    func templates() throws {
        try LiquidRenderer.requireLibrary()
        try withTemporaryDirectory { root in
            let payload = "\(root)/payload.apns", profile = "\(root)/profile.json"
            func write(_ alert: String, _ text: String) throws {
                let start = "{\"aps\":{\"alert\":\"\(alert)\",\"category\":\"lab_register\"},\n"
                let pair = "\"braze_id\":\"{{${user_id}}}\"}"
                try Data((start + pair).utf8).write(to: URL(filePath: payload))
                try Data(text.utf8).write(to: URL(filePath: profile))
            }
            try write("{{${first_name} {% if %}", "{}")
            let broken = try run(["--template", payload])
            #expect(broken.status == .code(1))
            #expect(broken.output.contains("\(payload):1:9: {{${first_name} {% if %} has no }}"), "\(broken.output)")
            try write("Hi {{${first_name}}}", "{\"firstname\":\"Ada\",\"user_id\":\"u\"}")
            let near = try run(["--profile", profile, payload])
            #expect(near.status == .code(0))
            #expect(
                near.output.contains("warning     \(payload):1:9: ${first_name} has no value in the profile"),
                "\(near.output)"
            )
            #expect(near.output.contains("\n            rename firstname in the profile to first_name\n"))
            try write("Hi {{${first_name}}}", "{\"first_name\":\"Ada\",\"user_id\":\"u\"}")
            #expect(try run(["--profile", profile, payload]).output.contains("size        67 of 4096 bytes"))
            #expect(try run([payload]).status == .code(1), "a template is no payload")
            try write("x", "{\"first_name\": \"Ada\",\n}")
            let comma = try run(["--profile", profile, payload])
            #expect(comma.status == .code(65))
            #expect(
                comma.standardError
                    == "Error: \(profile):1:21: it is not JSON: no value follows the last comma; remove it\n"
            )
            #expect(comma.output == "")
        }
    }

    @Test("A file that cannot be read exits with 66, and the others are checked all the same")
    func unreadable() throws {
        let run = try run(["/nonexistent/payload.apns", "-"], input: Self.good)
        #expect(run.status == .code(66))
        #expect(run.standardError.hasPrefix("Error: /nonexistent/payload.apns: there is no such file"))
        #expect(run.output.contains("stdin: 0 errors, 0 warnings"))
    }

    @Test("A file without an end and a loop of links are refused with a sentence")
    func noFile() throws {
        try withTemporaryDirectory { folder in
            let loop = "\(folder)/loop"
            try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: "loop")
            for (file, text) in [
                ("/dev/zero", "it has more than 1048576 bytes, too large for a payload: Apple delivers at most 4096"),
                (loop, "it cannot be read: Too many levels of symbolic links"),
            ] {
                let run = try run([file])
                #expect(run.status == .code(66))
                #expect(run.standardError == "Error: \(file): \(text)\n")
            }
        }
    }

    @Test("A wrong command line exits with 64", arguments: [[], ["-", "-"], ["--payload", "x"]])
    func usage(arguments: [String]) throws { #expect(try run(arguments).status == .code(64)) }

    @Test("Liquid is an error unless --template is given")
    func template() throws {
        let file = "\(repositoryRoot)/plugins/liquid/payload.apns"
        let run = try run([file])
        #expect(run.status == .code(1))
        #expect(run.output.contains("error       \(file):5:7: the text holds Liquid"), "\(run.output)")
        let asTemplate = try self.run([file, "--template"])
        #expect(asTemplate.status == .code(0))
    }

    @Test("A folder without bundles is named beside the category that nobody shows, one that is missing is refused")
    func noPlugins() throws {
        try withTemporaryDirectory { root in
            let run = try CommandRun.leavingNothing(["check", "--plugins", root, "-"], input: Self.good)
            #expect(run.status == .code(0))
            #expect(run.output.contains("warning     stdin:1:21: no extension registered the category lab_register"))
            #expect(run.output.contains("there are no extensions in \(root)\n"))
            let missing = try CommandRun.leavingNothing(["check", "--plugins", "\(root)/x", "-"], input: Self.good)
            #expect(missing.status == .code(64))
            #expect(missing.standardError.hasPrefix("Error: --plugins \(root)/x: there is no such folder\n"))
        }
    }

    @Test("What a payload says cannot control the terminal")
    func escapes() throws {
        let run = try run(["-"], input: #"{"aps":{"alert":"x","category":"a\u001b[31m"},"\u001b]0;x\u0007":"x"}"#)
        #expect(run.status == .code(0))
        #expect(!run.output.unicodeScalars.contains("\u{1B}"))
    }

    @Test("The payload of every bundle is right")
    func bundles() throws {
        let bundles = try FileManager.default.contentsOfDirectory(atPath: "\(repositoryRoot)/plugins").sorted()
        let files = bundles.map { "\(repositoryRoot)/plugins/\($0)/payload.apns" }
            .filter { FileManager.default.fileExists(atPath: $0) && !$0.contains("/liquid/") }
        #expect(files.count > 10)
        let report = try JSON(parsing: try run(["--json"] + files).output)
        for payload in report["payloads"]?.array.map(Array.init) ?? [] {
            #expect(payload["findings"] == [], "\(payload["file"] ?? "")")
        }
        #expect(report["payloads"]?.array?.count == files.count)
    }
}
