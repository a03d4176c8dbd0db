import JSON
import JSONRPC
import Testing

@testable import LanguageServer

@Suite struct LanguageServerTests {
    private static func finding(_ reason: String, _ path: String, _ advice: String = "correct it") -> JSON {
        [
            "level": "error", "reason": .string(reason), "path": .string(path), "message": "wrong",
            "advice": .string(advice),
        ]
    }

    /// The marked texts and their codes, of the last diagnostics.
    private static func marks(_ messages: [JSON], in text: String) throws -> [String] {
        let published = try #require(messages.last { $0["method"] == "textDocument/publishDiagnostics" })
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { Array($0.utf16) }
        return try #require(published["params"]?["diagnostics"]?.array).map { diagnostic in
            let (start, end) = (diagnostic["range"]?["start"], diagnostic["range"]?["end"])
            let line = Int(try #require(start?["line"]?.integer))
            let range = Int(try #require(start?["character"]?.integer))..<Int(try #require(end?["character"]?.integer))
            return "\(diagnostic["code"]?.string ?? ""): \(String(decoding: lines[line][range], as: UTF16.self))"
        }
    }

    @Test("The states of a session", arguments: [true, false])
    func life(isOrderly: Bool) throws {
        let probe = try Probe()
        #expect(probe.server.folders == ["/home/a b"])
        if isOrderly {
            #expect(try probe.request("shutdown")["result"] == .null)
            #expect(try probe.request("textDocument/hover")["error"]?["code"] == -32_600)
        }
        #expect(probe.server.exitCode == nil)
        probe.notify("exit", [:])
        #expect(probe.server.exitCode == (isOrderly ? 0 : 1))
    }

    @Test("Before initialize every request is refused, and an unknown one after it")
    func refusals() throws {
        let probe = try Probe()
        #expect(try probe.request("textDocument/moniker")["error"]?["code"] == -32_601)
        probe.notify("$/setTrace", ["value": "off"])
        #expect(probe.messages().isEmpty)
        let surroundings = LanguageServer.Surroundings(call: { _, _, _ in }, run: { _, _ in {} }, bundlesChanged: {})
        let fresh = LanguageServer(version: "1", folder: "/nowhere", surroundings)
        let text = #"{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{}}"#
        Array("Content-Length: \(text.utf8.count)\r\n\r\n\(text)".utf8).withUnsafeBytes { fresh.session.consume($0) }
        var output = ""
        fresh.session.output.drain { bytes in
            output = String(decoding: bytes, as: UTF8.self)
            return bytes.count
        }
        #expect(output.contains("-32002"), "\(output)")
    }

    @Test("A finding is marked at its name or its value, in UTF-16 code units")
    func places() throws {
        let probe = try Probe()
        let text = #"{"aps": {"alert": "😀", "category": "gamee", "sond": 1}}"#
        probe.open(text)
        #expect(probe.calls.first?.params["payload"] == (try JSON(parsing: text)))
        let findings = [
            Self.finding("misspeltKey", "/aps/sond"), Self.finding("noExtension", "/aps/category"),
            Self.finding("missingKey", ""),
        ]
        probe.answer(["findings": JSON(findings)])
        #expect(
            try Self.marks(probe.messages(), in: text)
                == ["misspeltKey: \"sond\"", "noExtension: \"gamee\"", "missingKey: {"]
        )
    }

    @Test("Broken JSON is marked, and the rest of it is checked")
    func broken() throws {
        let probe = try Probe()
        let text = "{\"aps\": {\"alert\": \"A\" \"sond\": 1},,\n \"x\": tru}"
        probe.open(text)
        #expect(
            probe.calls.first?.params["payload"] == (try JSON(parsing: #"{"aps":{"alert":"A","sond":1},"x":null}"#))
        )
        probe.answer(["findings": [Self.finding("misspeltKey", "/aps/sond")]])
        #expect(
            try Self.marks(probe.messages(), in: text) == [
                "invalidJSON: \"", "invalidJSON: ,", "invalidJSON: tru", "misspeltKey: \"sond\"",
            ]
        )
    }

    @Test("While the host checks a state, later ones wait, and only the last one is checked and published")
    func newest() throws {
        let probe = try Probe()
        probe.open("{}")
        probe.change(2, [["text": #"{"a":1}"#]])
        probe.change(3, [["text": #"{"a":2}"#]])
        #expect(probe.calls.count == 1)
        probe.answer(["findings": [Self.finding("wrongValue", "/a")]])
        #expect(probe.messages().isEmpty)
        #expect(probe.calls.map { $0.params["payload"]?["a"] } == [2])
        probe.answer(["findings": []])
        let published = probe.messages()
        #expect(published.map { $0["params"]?["version"] } == [3])
        #expect(probe.calls.isEmpty)
    }

    @Test(
        "A closed document has no marks, also if the host answers later, and a saved one is checked with bundles read anew"
    )
    func closed() throws {
        let probe = try Probe()
        probe.open("{}")
        probe.answer(["findings": []])
        probe.notify("textDocument/didSave", ["textDocument": ["uri": "file:///a.apns"]])
        #expect(probe.calls.map(\.method) == ["reloadExtensions"])
        probe.answer([:])
        #expect(probe.calls.map(\.method) == ["checkPayload"])
        _ = probe.messages()
        probe.notify("textDocument/didClose", ["textDocument": ["uri": "file:///a.apns"]])
        #expect(probe.messages().map { $0["params"]?["diagnostics"] } == [[]])
        probe.answer(["findings": [Self.finding("missingKey", "")]])
        #expect(probe.messages().isEmpty)
    }

    @Test("A host that fails leaves the mistakes in the JSON, and the next change asks it again")
    func failure() throws {
        let probe = try Probe()
        probe.open("{,}")
        probe.answer(nil)
        #expect(try Self.marks(probe.messages(), in: "{,}") == ["invalidJSON: ,"])
        probe.change(2, [["text": "{}"]])
        #expect(probe.calls.count == 1)
    }

    @Test("Completion offers the keys that are not there, with values, and replaces what was typed")
    func completion() throws {
        let probe = try Probe()
        probe.open(#"{"aps": {"alert": "A", "ba"}}"#)
        let items = try #require(try probe.ask("completion", line: 0, character: 26).array)
        let badge = try #require(items.first { $0["label"] == "badge" })
        #expect(badge["textEdit"]?["newText"] == #""badge": ${1:1}"#)
        #expect(badge["textEdit"]?["range"]?["start"]?["character"] == 23)
        #expect(badge["textEdit"]?["range"]?["end"]?["character"] == 27)
        #expect(!items.contains { $0["label"] == "alert" })
        let plain = try Probe(snippets: false)
        plain.open(#"{"aps": {"in"}}"#)
        let all = try #require(try plain.ask("completion", line: 0, character: 11).array)
        let level = try #require(all.first { $0["label"] == "interruption-level" })
        #expect(level["textEdit"]?["newText"] == #""interruption-level": "passive""#)
    }

    @Test("Completion offers the categories that the host knows, and the values of an enumeration")
    func values() throws {
        let probe = try Probe()
        probe.open(#"{"aps": {"category": "", "interruption-level": "pas"}}"#)
        probe.answer(["findings": []])
        _ = probe.messages()
        let position: JSON = ["line": 0, "character": 22]
        let params: JSON = ["textDocument": ["uri": "file:///a.apns"], "position": position]
        probe.begin("textDocument/completion", params)
        #expect(probe.messages().isEmpty)
        probe.answer(["extensions": [["categories": ["b", "a"]], ["categories": ["a"]]]])
        #expect(probe.messages().last?["result"]?.array?.map { $0["label"] } == ["a", "b"])
        let levels = try probe.ask("completion", line: 0, character: 50).array?.map { $0["label"] }
        #expect(levels == ["passive", "active", "time-sensitive", "critical"])
    }

    @Test("Hover says what a key means, and how many bytes its value has")
    func hover() throws {
        let probe = try Probe()
        probe.open(#"{"aps": {"badge": 100}, "own": [1]}"#)
        let badge = try probe.ask("hover", line: 0, character: 12)["contents"]?["value"]?.string ?? ""
        #expect(badge.contains("icon") && badge.contains("iOS 3") && badge.contains("3 bytes; the payload 31 of 4096"))
        #expect(try probe.ask("hover", line: 0, character: 33)["contents"] == nil)
        #expect(
            try probe.ask("hover", line: 0, character: 26)["contents"]?["value"]?.string?.contains("3 bytes") == true
        )
    }

    @Test("The outline of a payload has the bytes of each member as the check counts them, and the members to add")
    func outline() throws {
        let probe = try Probe()
        probe.open(#"{"aps": {"badge": 100}, "ab_uri": "é"}"#)
        let outline = try probe.request("pushhost/payload", ["textDocument": ["uri": "file:///a.apns"]])["result"]
        #expect(outline?["bytes"] == 35 && outline?["limit"] == 4096)
        #expect(outline?["shares"] == [["key": "aps", "bytes": 19], ["key": "ab_uri", "bytes": 13]])
        let names = try #require(outline?["keys"]?.array).map { $0["name"]?.string }
        #expect(names == ["ab", "ab_use_webview"], "aps and ab_uri are there already")
    }

    @Test("With the setting template, and only then, the host checks a payload as a template")
    func template() throws {
        let probe = try Probe()
        probe.open("{}")
        #expect(probe.calls[0].params["template"] == nil)
        probe.answer(nil)
        probe.notify("workspace/didChangeConfiguration", ["settings": ["pushhost": ["template": true]]])
        #expect(probe.calls[0].params["template"] == true)
        probe.answer(nil)
        probe.notify("workspace/didChangeConfiguration", ["settings": ["pushhost": ["template": true]]])
        #expect(probe.calls.isEmpty, "nothing has changed")
    }

    @Test("A quick fix replaces a name by the one that was meant")
    func fixes() throws {
        let probe = try Probe()
        probe.open(#"{"aps": {"sond": 1}}"#)
        probe.answer(["findings": [Self.finding("misspeltKey", "/aps/sond", "did you mean sound?")]])
        let range: JSON = ["start": ["line": 0, "character": 10], "end": ["line": 0, "character": 10]]
        let reply = try probe.request(
            "textDocument/codeAction",
            ["textDocument": ["uri": "file:///a.apns"], "range": range, "context": ["diagnostics": []]]
        )
        let edits = reply["result"]?.array?.first?["edit"]?["changes"]?["file:///a.apns"]?.array
        #expect(edits?.first?["newText"] == #""sound""#)
        #expect(edits?.first?["range"]?["end"]?["character"] == 15)
    }

    @Test("Formatting keeps the order of keys and the digits of numbers, and leaves a text with mistakes alone")
    func formatting() throws {
        let probe = try Probe()
        probe.open(#"{"b":1.50,"a":[{},"é"]}"#)
        let params: JSON = [
            "textDocument": ["uri": "file:///a.apns"], "options": ["tabSize": 2, "insertSpaces": true],
        ]
        let edit = try probe.request("textDocument/formatting", params)["result"]?.array?.first
        #expect(edit?["newText"] == "{\n  \"b\": 1.50,\n  \"a\": [\n    {},\n    \"é\"\n  ]\n}\n")
        probe.change(2, [["text": #"{"b":1.50,,}"#]])
        #expect(try probe.request("textDocument/formatting", params)["result"] == [])
    }
}
