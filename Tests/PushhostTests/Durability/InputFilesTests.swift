import Foundation
import JSON
import TestSupport
import Testing

/// Files in the host's folders that it cannot use.
@Suite(.waits, .wire) struct InputFilesTests {
    @Test(
        "A suite file that is not a suite database is refused and left unchanged",
        arguments: [String(repeating: "no database ", count: 20), String(repeating: "\u{7}", count: 4096), "short"]
    )
    func noDatabase(text: String) throws {
        let content = Data(text.utf8)
        try withTemporaryDirectory { folder in
            let path = "\(folder)/standard.sqlite"
            try content.write(to: URL(filePath: path))
            try check(folder, path, content)
        }
    }

    @Test("A database of another program is refused and left unchanged")
    func foreign() throws {
        try withTemporaryDirectory { folder in
            let path = "\(folder)/standard.sqlite"
            let script = """
                import sqlite3, sys
                file = sqlite3.connect(sys.argv[1])
                file.execute("PRAGMA application_id = 77")
                file.execute("CREATE TABLE recipes (name TEXT)")
                file.commit()
                """
            let python = try ChildProcess(try Tool.python.path(), ["-c", script, path])
            #expect(try python.wait() == .code(0))
            try check(folder, path, try Data(contentsOf: URL(filePath: path)))
        }
    }

    @Test("A folder at the path of a suite file is refused")
    func folder() throws {
        try withTemporaryDirectory { folder in
            let path = "\(folder)/standard.sqlite"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try check(folder, path, nil)
        }
    }

    private func check(_ folder: String, _ path: String, _ content: Data?) throws {
        let host = try HostProcess(["--data", folder, "--plugins", folder])
        let calls: [(String, JSON)] = [
            ("saveCustomEvent", ["name": "a"]), ("pending", [:]), ("store", ["key": "k", "value": 1]),
            ("retrieve", ["key": "k"]), ("flushPending", [:]), ("saveCustomEvent", ["name": "a"]),
        ]
        for (method, params) in calls {
            let reply = try host.call(method, params)
            #expect(reply["error"]?["code"] == 205, "\(method): \(reply)")
            #expect(reply["error"]?["data"]?["reason"] == "suiteUnreadable")
            #expect(reply["error"]?["data"]?["suite"] == "standard")
            #expect(try host.result("ping")["version"] != nil)
        }
        #expect(try host.result("saveCustomEvent", ["suite": "other", "name": "a"])["id"] == 1)
        #expect(try host.finish() == .code(0))
        if let content { #expect(try Data(contentsOf: URL(filePath: path)) == content) }
    }

    @Test(
        "A notification whose category is a number in the plist is shown by the system, with a diagnostic that says why"
    )
    func numericCategory() throws {
        try Workspace.open { workspace in
            let folder = try workspace.add("good", attributes: ["UNNotificationExtensionCategory": 5])
            let host = try workspace.host()
            let result = try host.result("didReceive", HostProcess.payload("good"))
            #expect(result["extension"] == JSON.null)
            #expect(result["view"]?["children"]?[0]?["text"] == "Hello")
            let diagnostic = try #require(result["diagnostics"]?[0])
            #expect(diagnostic["reason"] == "noExtension")
            #expect(diagnostic["path"] == "/params/payload/aps/category")
            #expect(diagnostic["message"]?.string?.contains("\(folder)/Info.plist") == true)
            #expect(diagnostic["message"]?.string?.contains("UNNotificationExtensionCategory") == true)
            #expect(try host.describe("good")["problems"]?[0]?["path"] == .string("\(folder)/Info.plist"))
            #expect(try host.result("ping")["version"] != nil)
        }
    }

    @Test("A diagnostic about positional params contains their position")
    func positionalDiagnostic() throws {
        try withTemporaryDirectory { folder in
            let host = try HostProcess(["--data", folder, "--plugins", folder])
            let result = try host.result("didReceive", [["aps": ["alert": "x", "category": "none"]]])
            #expect(result["diagnostics"]?[0]?["path"] == "/params/0/aps/category")
        }
    }

    @Test("A diagnostic about an unknown category suggests a similar one")
    func nearMiss() throws {
        try Workspace.open { workspace in
            try workspace.add("good")
            let host = try workspace.host()
            let result = try host.result("didReceive", HostProcess.payload("gooD"))
            #expect(result["diagnostics"]?[0]?["message"]?.string?.contains("did you mean good?") == true)
        }
    }

    @Test(
        "An executable that cannot be started causes an error that names it",
        arguments: [
            (nil, nil, "is missing"), ("exit 0", 0o644, "chmod +x"), ("", 0o755, "Exec format error"),
        ] as [(String?, Int?, String)]
    )
    func cannotStart(script: String?, mode: Int?, text: String) throws {
        try Workspace.open { workspace in
            let folder = try workspace.add(named: "broken", script: script)
            if script == "" { try writeExecutable("\u{7F}ELF", to: "\(folder)/run") }
            if let mode {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: "\(folder)/run")
            }
            try workspace.add("good")
            let host = try workspace.host()
            for _ in 0..<2 {
                let error = try host.show("broken")["error"]
                #expect(error?["code"] == 120)
                #expect(error?["data"]?["reason"] == "cannotStart")
                #expect(error?["data"]?["extension"] == "com.example.broken")
                #expect(error?["message"]?.string?.contains(folder) == true, "\(String(describing: error))")
                #expect(error?["message"]?.string?.contains(text) == true, "\(String(describing: error))")
                #expect(try host.result("ping")["version"] != nil)
            }
            #expect(try host.result("notifications")["notifications"] == [])
            #expect(try host.show("good")["result"] != nil)
        }
    }

    @Test("Actions and touches that are not offered are refused with a list of those that are")
    func notOffered() throws {
        try Workspace.open { workspace in
            try workspace.add("good")
            let host = try workspace.host()
            let shown = try host.shown("good")
            let plain = try host.shown("none")
            let cases: [(String, JSON, Int64, String, JSON)] = [
                (
                    "didReceiveResponse", ["notification": shown, "actionIdentifier": "x"], 112, "unknownAction",
                    "/params/actionIdentifier"
                ),
                (
                    "didReceiveResponse", ["notification": plain, "actionIdentifier": "x"], 112, "unknownAction",
                    "/params/actionIdentifier"
                ),
                (
                    "interact", ["notification": plain, "element": "title"], 113, "interactionDisabled",
                    "/params/notification"
                ),
                ("interact", ["notification": shown, "element": "x"], 114, "unknownElement", "/params/element"),
            ]
            for (method, params, code, reason, path) in cases {
                let error = try host.call(method, params)["error"]
                #expect(error?["code"] == .integer(code), "\(String(describing: error))")
                #expect(error?["data"]?["reason"] == .string(reason))
                #expect(error?["data"]?["path"] == path)
                #expect(try host.result("ping")["version"] != nil)
            }
            let again = try host.call("didReceiveResponse", ["notification": shown, "actionIdentifier": "x"])["error"]
            #expect(again?["data"]?["offered"] == ["again"])
            try host.result("dismiss", ["notification": shown])
            let gone = try host.call("dismiss", ["notification": shown])["error"]
            #expect(gone?["data"]?["reason"] == "noPresentation")
            #expect(gone?["data"]?["ended"] == "dismissed by the client")
        }
    }
}
