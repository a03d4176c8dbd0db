import Foundation
import JSON
import JSONRPC
import TestSupport
import Testing

/// Whether messages say what is wrong, where, and what to do.
@Suite(.waits, .wire) struct MessagesTests {
    @Test(
        "An unknown method suggests a similar one, or says where the methods are listed",
        arguments: [
            ("didRecieve", "did you mean didReceive?"), ("did_receive", "did you mean didReceive?"),
            ("saveCustomEvnet", "did you mean saveCustomEvent?"), ("quit", "rpc.discover lists the methods"),
        ]
    )
    func unknownMethod(method: String, advice: String) throws {
        try withTemporaryDirectory { folder in
            let host = try HostProcess(["--data", folder, "--plugins", folder])
            let error = try host.error(method)
            #expect(error.code == .methodNotFound, "\(error.message)")
            #expect(error.message.hasSuffix(advice), "\(error.message)")
        }
    }

    @Test(
        "An unknown element is refused with a list of the view's elements",
        arguments: [("crad-3", "did you mean card-3?"), ("button", "it has ")]
    )
    func unknownElement(element: String, advice: String) throws {
        try withTemporaryDirectory { folder in
            let plugins = "\(repositoryRoot)/plugins"
            let host = try HostProcess(["--data", folder, "--plugins", plugins, "--seed", "1"])
            let shown = try host.shown("match_game")
            let error = try host.error("interact", ["notification": shown, "element": .string(element)])
            #expect(error.reason == "unknownElement", "\(error.message)")
            #expect(error.message.contains(advice), "\(error.message)")
            let elements = error.data?["elements"]?.array.map(Array.init) ?? []
            #expect(elements.contains("card-0"))
            #expect(elements.contains("card-11"))
        }
    }

    @Test("A suite that does not exist is named if others hold records, and an empty suite is not")
    func missingSuite() throws {
        try withTemporaryDirectory { folder in
            let host = try HostProcess(["--data", folder, "--plugins", folder])
            for (method, params) in [("pending", [:]), ("flushPending", [:])] as [(String, JSON)] {
                #expect(try host.result(method, params)["diagnostics"] == nil, "nothing is anywhere")
            }
            try host.result("saveCustomEvent", ["suite": "group.com.example.coupon", "name": "Opened"])
            let cases: [(String, JSON, String)] = [
                ("pending", [:], "group.com.example.coupon (1)"),
                ("pending", ["suite": "group.com.example.cupon"], "did you mean group.com.example.coupon?"),
                ("flushPending", [:], "group.com.example.coupon (1)"),
                ("flushPending", ["suite": "group.com.example.cupon", "to": "file"], "did you mean"),
            ]
            for (method, params, advice) in cases {
                let diagnostic = try #require(try host.result(method, params)["diagnostics"]?[0], "\(method) \(params)")
                #expect(diagnostic["reason"] == "noSuite")
                #expect(diagnostic["message"]?.string?.contains(advice) == true, "\(diagnostic)")
                #expect(diagnostic["path"] == (params["suite"] == nil ? nil : "/params/suite"))
            }
            try host.result("saveCustomEvent", ["name": "Opened"])
            try host.result("flushPending")
            let standard: JSON = ["suite": "standard"]
            #expect(try host.result("pending", standard)["diagnostics"] == nil, "an empty suite is no mistake")
            #expect(try host.result("flushPending")["diagnostics"] == nil, "flushing regularly is no mistake")
            let other = try #require(try host.result("pending")["diagnostics"]?[0])
            #expect(other["reason"] == "otherSuites")
            #expect(other["message"]?.string?.contains("group.com.example.coupon (1)") == true, "\(other)")
            try host.result("flushPending", ["suite": "group.com.example.coupon"])
            #expect(try host.result("pending")["diagnostics"] == nil, "nothing is pending anywhere")
        }
    }

    @Test(
        "A suite that does not exist is reported with a similar name, even if no suite has records",
        arguments: ["pending", "flushPending", "deadLetters", "exportSuite"]
    )
    func misspeltSuite(method: String) throws {
        try withTemporaryDirectory { folder in
            let host = try HostProcess(["--data", "\(folder)/data", "--plugins", folder])
            try host.result("saveCustomEvent", ["suite": "group.com.example.coupon", "name": "Opened"])
            try host.result("flushPending", ["suite": "group.com.example.coupon"])
            let path = method == "exportSuite" ? [("path", JSON.string("\(folder)/x.plist"))] : []
            let params = JSON.object(JSON.Object([("suite", "group.com.example.cupon")] + path))
            let diagnostic = try #require(try host.result(method, params)["diagnostics"]?[0])
            #expect(diagnostic["reason"] == "noSuite")
            #expect(diagnostic["message"]?.string?.hasSuffix("did you mean group.com.example.coupon?") == true)
        }
    }

    @Test(
        "A locale that is not a language tag is a diagnostic",
        arguments: [("german", true), ("xx_YY_ZZ", true), ("", true), ("de_AT.UTF-8", false), ("xx", false)]
    )
    func locale(name: String, isReported: Bool) throws {
        try withTemporaryDirectory { folder in
            let host = try HostProcess(["--data", folder, "--plugins", folder])
            let params: JSON = ["payload": ["aps": ["alert": "Hi"]], "locale": .string(name)]
            let all = try host.result("didReceive", params)["diagnostics"]?.array.map(Array.init) ?? []
            let found = all.filter { $0["reason"] == "unknownLocale" }
            #expect(found.map { $0["path"] } == (isReported ? ["/params/locale"] : []))
        }
    }

    @Test("If there are no extensions, the diagnostic names the folders in which they were looked for")
    func noExtensions() throws {
        try withTemporaryDirectory { folder in
            let host = try HostProcess(["--data", folder, "--plugins", folder])
            let payload: JSON = ["aps": ["alert": "Hi", "category": "x"]]
            let shown = try host.result("didReceive", ["payload": payload])
            let text = "there are no extensions in \(folder)"
            #expect(shown["diagnostics"]?[0]?["message"]?.string?.hasSuffix(text) == true, "\(shown)")
            let findings = try host.result("checkPayload", ["payload": payload])["findings"]
            #expect(findings?[0]?["advice"]?.string?.hasSuffix(text) == true, "\(String(describing: findings))")
        }
    }

    @Test("The diagnostic of an unknown category names a bundle whose property list cannot be read")
    func damagedBundle() throws {
        try Workspace.open { workspace in
            try workspace.add(named: "good", script: "cat >/dev/null")
            let folder = "\(workspace.plugins)/damaged"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(#"{"CFBundleIdentifier": "x"}"#.utf8).write(to: URL(filePath: "\(folder)/Info.plist"))
            let host = try workspace.host()
            let payload: JSON = ["aps": ["alert": "Hi", "category": "coupon"]]
            let shown = try host.result("didReceive", ["payload": payload])
            let text = "note \(folder)/Info.plist: it is neither an XML nor a binary property list"
            #expect(shown["diagnostics"]?[0]?["message"]?.string?.contains(text) == true, "\(shown)")
        }
    }

    @Test("A time that is not a string is refused with the format of times")
    func epoch() throws {
        try withTemporaryDirectory { folder in
            let host = try HostProcess(["--data", folder, "--plugins", folder])
            let error = try host.error("saveCustomEvent", ["name": "Opened", "time": 1_767_225_600])
            #expect(error.message.contains("such as 2026-01-01T00:00:00Z, it is 1767225600"), "\(error.message)")
        }
    }

    @Test("A touch of a text that the extension accepts is a diagnostic, and a refused one is not")
    func touchedLabel() throws {
        try Workspace.open { workspace in
            let reply =
                #"{"jsonrpc":"2.0","id":$id,"result":{"view":{"type":"stack","children":["#
                + #"{"type":"text","id":"code","text":"X"},{"type":"button","id":"copy","title":"Copy"}]}}}"#
            let script = """
                while read line; do
                  id=$(echo "$line" | sed -n 's/.*"id":\\([0-9]*\\).*/\\1/p')
                  case "$line" in
                    *activate*) echo '{"jsonrpc":"2.0","id":'$id',"result":{"version":"1.0"}}' ;;
                    *interact*refuse*) echo '{"jsonrpc":"2.0","id":'$id',"error":{"code":1,"message":"no"}}' ;;
                    *didReceive*|*interact*) [ -z "$id" ] || echo '\(reply.replacing("$id", with: "'$id'"))' ;;
                  esac
                done
                """
            try workspace.add(named: "labels", script: script)
            let host = try workspace.host()
            let shown = try host.shown("labels")
            func touch(_ element: String, _ value: JSON = "x") throws -> JSON {
                try host.call("interact", ["notification": shown, "element": .string(element), "value": value])
            }
            let diagnostic = try touch("code")["result"]?["diagnostics"]?[0]
            #expect(diagnostic?["reason"] == "touchedLabel")
            #expect(diagnostic?["path"] == "/params/element")
            #expect(try touch("copy")["result"]?["diagnostics"] == nil)
            #expect(try touch("code", "refuse")["error"]?["data"]?["reason"] == "extensionRefused")
            #expect(try touch("copy")["result"]?["diagnostics"] == nil)
        }
    }

    @Test(
        "Unrendered Liquid is a diagnostic with its path and never becomes a user",
        arguments: [
            ("braze_id", "{{${braze_id}}}", true), ("offer", "{% if a %}b{% endif %}", true),
            ("offer", "{{ but no end", false), ("offer", "a } b {", false),
        ]
    )
    func liquid(key: String, text: String, isTemplate: Bool) throws {
        try withTemporaryDirectory { folder in
            let host = try HostProcess(["--data", folder, "--plugins", folder])
            let aps: JSON = ["alert": "Hi", "category": "none"]
            let payload = JSON.object(JSON.Object([("aps", aps), (key, .string(text))]))
            let result = try host.result("didReceive", ["payload": payload])
            let all = result["diagnostics"]?.array.map(Array.init) ?? []
            let found = all.filter { $0["reason"] == "unrenderedLiquid" }
            #expect(found.map { $0["path"] } == (isTemplate ? [.string("/params/payload/\(key)")] : []))
            try host.result("saveCustomEvent", ["name": "Seen", "notification": result["notification"] ?? .null])
            #expect(try host.result("pending")["records"]?[0]?["user"] == nil)
        }
    }

    @Test(
        "A misspelt or misplaced member of aps or its alert is a diagnostic with its path",
        arguments: [
            (["alert": "Hi", "mutable_content": 1], "/mutable_content", "did you mean mutable-content?"),
            (["alert": "Hi", "Badge": 1], "/Badge", "did you mean badge?"),
            (["alert": ["body": "Hi", "category": "none"]], "/alert/category", "it belongs in aps"),
            (["alert": ["body": "Hi", "titel": "none"]], "/alert/titel", "did you mean title?"),
            (["alert": "Hi", "own": ["category": 1]], nil, ""),
        ] as [(JSON, String?, String)]
    )
    func misspeltKeys(aps: JSON, place: String?, advice: String) throws {
        try withTemporaryDirectory { folder in
            let host = try HostProcess(["--data", folder, "--plugins", folder])
            let result = try host.result("didReceive", ["payload": ["aps": aps]])
            let all = result["diagnostics"]?.array.map(Array.init) ?? []
            let found = all.filter { $0["reason"] == "misspeltKey" }
            #expect(found.map { $0["path"] } == (place.map { [.string("/params/payload/aps\($0)")] } ?? []))
            #expect(found.first?["message"]?.string?.hasSuffix(advice) ?? advice.isEmpty)
        }
    }

    @Test("JSON over several lines is reported once as not being one line, and later requests are answered")
    func prettyPrinted() throws {
        try withTemporaryDirectory { folder in
            let host = try HostProcess(["--data", folder, "--plugins", folder])
            let text = """
                {
                  "jsonrpc": "2.0",
                \t"params": { "a": ["{[", "\\"]" ]
                  },
                  "id": 1
                }
                [
                  {"jsonrpc": "2.0", "method": "ping", "id": 2},
                  {"jsonrpc": "2.0", "method"
                ]
                {"jsonrpc":"2.0","id":3,
                {"jsonrpc":"2.0","id":4,"method":"ping"}
                """
            try host.send(line: text)
            for _ in 0..<3 {
                let error = try host.reply()["error"]
                #expect(error?["code"] == -32700)
                #expect(error?["data"]?["reason"] == "parseError")
                #expect(error?["message"]?.string?.contains("a message is one line") == true)
            }
            #expect(try host.reply()["id"] == 4)
            #expect(try host.finish() == .code(0))
            #expect(throws: TestFailure.self, "one answer only for each") { try host.reply() }
        }
    }

    @Test(
        "A syntax error in a line is reported with what JSON or the contract requires",
        arguments: [
            (Array("{'jsonrpc':'2.0'}".utf8), "double quotes"),
            (Array("help".utf8), #"such as {"jsonrpc":"2.0","id":1,"method":"ping"}"#),
            (Array(#"{"aps":{"alert":"Hi"}}"#.utf8), #"such as {"jsonrpc":"2.0","id":1,"method":"ping"}"#),
            ([0xFF, 0xFE, 0x7B, 0x00], "messages are UTF-8"),
            (Array(#"{"jsonrpc":"2.0","id":1"#.utf8), "ends too early"),
        ]
    )
    func malformed(line: [UInt8], advice: String) throws {
        try withTemporaryDirectory { folder in
            let host = try HostProcess(["--data", folder, "--plugins", folder])
            try host.process.write(line + [0x0A])
            let message = try host.reply()["error"]?["message"]?.string
            #expect(message?.contains(advice) == true, "\(String(describing: message))")
        }
    }
}
