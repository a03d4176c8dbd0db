import JSON
import Platform
import Testing

@testable import LanguageServer

/// A workspace with one bundle: its property list, texts, payload, a session and a recording.
final class Workspaces {
    let folder: String
    private let root: TemporaryFolder

    static let files = [
        "coffee/Info.plist": """
        <plist><dict>
        <key>CFBundleExecutable</key><string>coffee.py</string>
        <key>NSExtension</key><dict><key>NSExtensionAttributes</key><dict>
        <key>UNNotificationExtensionCategory</key><array><string>cup</string><string>pot &amp; pan</string></array>
        <key>PushhostUserInfoKeys</key><dict>
        <key>size</key><dict><key>Type</key><string>integer</string><key>Example</key><string>3</string></dict>
        <key>bean_#_id</key><dict><key>Type</key><string>string</string><key>Example</key><string>a</string></dict>
        </dict></dict></dict></dict></plist>
        """,
        "coffee/en.lproj/Localizable.strings":
            "/* a comment */\n\"READY\" = \"Ready, %@\";\n\"ONLY\" = \"Only here\";\n",
        "coffee/de.lproj/Localizable.strings": "\"READY\" = \"Fertig, %@\";\n",
        "coffee/payload.apns": """
        {"aps": {"alert": {"loc-key": "READY", "loc-args": ["Ada"]}, "category": "cup"}, "size": "3", "bean_2_id": "x"}
        """,
        "coffee/coffee.py": "print()\n",
        "coffee/session.jsonl": """
        {"jsonrpc":"2.0","id":1,"method":"didReceive","params":{"payload":{"aps":{"alert":"A","category":"cup"}}}}
        {"jsonrpc":"2.0","id":2,"method":"saveCustomEvent","params":{"name":"Drunk"}}
        """,
        "coffee/session.replies.jsonl": "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"id\":7}}\n",
        "sessions/all.session.jsonl": #"""
        {"t":1,"from":"client","raw":"{\"method\":\"didReceive\",\"params\":{\"payload\":{\"x\":\"é\\n\",\"aps\":{\"category\":\"cup\"}}}}"}
        """#,
        "other/Info.plist": """
        <plist><dict><key>NSExtension</key><dict><key>NSExtensionAttributes</key><dict>
        <key>UNNotificationExtensionCategory</key><string>tea</string></dict></dict></dict></plist>
        """,
        "other/en.lproj/Localizable.strings": "\"READY\" = \"Tea\";\n",
    ]

    init() throws {
        root = try TemporaryFolder(prefix: "workspace")
        folder = root.path
        for (name, text) in Self.files {
            let path = "\(folder)/\(name)"
            try FileManager.default.createDirectory(
                atPath: Paths.parent(of: path),
                withIntermediateDirectories: true
            )
            try text.write(toFile: path, atomically: false, encoding: .utf8)
        }
    }

    deinit { root.remove() }

    func uri(_ name: String) -> String { LanguageServer.uri("\(folder)/\(name)") }

    /// The params of a request about the first place of a text in a file.
    func place(_ text: String, in name: String, offset: Int = 1) throws -> JSON {
        let lines = try #require(Self.files[name]).split(separator: "\n", omittingEmptySubsequences: false)
        let line = try #require(lines.firstIndex { $0.contains(text) })
        let column = try #require(lines[line].firstRange(of: text)).lowerBound.utf16Offset(in: lines[line])
        let start = lines[line].startIndex.utf16Offset(in: lines[line])
        return [
            "textDocument": ["uri": .string(uri(name))],
            "position": ["line": JSON(line), "character": JSON(column - start + offset)],
        ]
    }

    /// Opens a file in a server.
    func open(_ name: String, in probe: Probe) throws {
        probe.open(try #require(Self.files[name]), uri(name), languageID: "plain")
        _ = probe.messages()
    }

    /// The file and the text of each location.
    func texts(_ locations: JSON?) throws -> [String] {
        try (locations?.elements ?? []).map { location in
            let uri = try #require(location["uri"]?.string)
            let name = String(try #require(LanguageServer.path(uri)).dropFirst(folder.count + 1))
            return "\(name): \(try text(location["range"], in: name))"
        }
    }

    /// The text of a range of a file.
    func text(_ range: JSON?, in name: String) throws -> String {
        let document = TextDocument(try #require(Self.files[name]))
        let range = try #require(range.flatMap(TextDocument.range))
        let bytes = document.bytes[document.offset(of: range.start)..<document.offset(of: range.end)]
        return String(decoding: bytes, as: UTF8.self)
    }
}

@Suite struct NavigationTests {
    private let workspace: Workspaces
    private let probe: Probe

    init() throws {
        workspace = try Workspaces()
        probe = try Probe(folder: workspace.folder, pages: workspace.folder)
    }

    private func ask(_ method: String, _ params: JSON, _ more: [(String, JSON)] = []) throws -> JSON? {
        let members = (params.object.map(Array.init) ?? []).map { ($0.name, $0.value) } + more
        return try probe.request("textDocument/\(method)", .object(JSON.Object(members)))["result"]
    }

    @Test(
        "A name leads to its declaration",
        arguments: [
            ("\"cup\"", "coffee/payload.apns", ["coffee/Info.plist: cup"]),
            ("\"cup\"", "coffee/session.jsonl", ["coffee/Info.plist: cup"]),
            (#"\"cup\""#, "sessions/all.session.jsonl", ["coffee/Info.plist: cup"]),
            (
                "\"READY\"", "coffee/payload.apns",
                [
                    "coffee/de.lproj/Localizable.strings: \"READY\"", "coffee/en.lproj/Localizable.strings: \"READY\"",
                ]
            ),
            ("\"size\"", "coffee/payload.apns", ["coffee/Info.plist: size"]),
            ("\"bean_2_id\"", "coffee/payload.apns", ["coffee/Info.plist: bean_#_id"]),
            ("\"aps\"", "coffee/payload.apns", []),
        ]
    )
    func definition(text: String, file: String, expected: [String]) throws {
        try workspace.open(file, in: probe)
        let found = try ask("definition", try workspace.place(text, in: file, offset: 2))
        #expect(try workspace.texts(found) == expected)
    }

    @Test("The references of a category are in the payload, the session and the recording")
    func references() throws {
        let file = "coffee/Info.plist"
        try workspace.open(file, in: probe)
        let place = try workspace.place("cup<", in: file)
        let all = [
            "coffee/Info.plist: cup", "coffee/payload.apns: \"cup\"", "coffee/session.jsonl: \"cup\"",
            #"sessions/all.session.jsonl: \"cup\""#,
        ]
        #expect(try workspace.texts(ask("references", place)) == all)
        let others = try ask("references", place, [("context", ["includeDeclaration": false])])
        #expect(try workspace.texts(others) == Array(all.dropFirst()))
    }

    @Test("The editor's text of an open file counts, and not the one on disk")
    func unsaved() throws {
        try workspace.open("coffee/payload.apns", in: probe)
        let document: JSON = ["uri": .string(workspace.uri("coffee/payload.apns")), "version": 2]
        probe.notify("textDocument/didChange", ["textDocument": document, "contentChanges": [["text": "{}"]]])
        try workspace.open("coffee/Info.plist", in: probe)
        let found = try workspace.texts(ask("references", try workspace.place("cup<", in: "coffee/Info.plist")))
        #expect(!found.contains { $0.hasPrefix("coffee/payload.apns") } && found.count == 3, "\(found)")
    }

    @Test("A category is renamed in each file as that file spells it")
    func rename() throws {
        try workspace.open("coffee/payload.apns", in: probe)
        let place = try workspace.place("\"cup\"", in: "coffee/payload.apns")
        let changes = try #require(try ask("rename", place, [("newName", "a<\"b\"")])?["changes"]?.object)
        let texts = Dictionary(
            uniqueKeysWithValues: changes.map { uri, edits in
                (String(uri.dropFirst(workspace.uri("").count)), edits.elements.compactMap { $0["newText"]?.string })
            }
        )
        #expect(
            texts == [
                "coffee/Info.plist": ["a&lt;\"b\""], "coffee/payload.apns": [#""a<\"b\"""#],
                "coffee/session.jsonl": [#""a<\"b\"""#], "sessions/all.session.jsonl": [#"\"a<\\\"b\\\"\""#],
            ]
        )
    }

    @Test("A key of a text is renamed in its bundle, and not in another one that has the same key")
    func renameText() throws {
        try workspace.open("coffee/payload.apns", in: probe)
        let place = try workspace.place("\"READY\"", in: "coffee/payload.apns")
        let prepared = try ask("prepareRename", place)
        #expect(prepared?["placeholder"] == "READY")
        let changes = try ask("rename", place, [("newName", "DONE")])?["changes"]
        #expect(
            changes?.object?.map(\.name)
                == [
                    "coffee/de.lproj/Localizable.strings", "coffee/en.lproj/Localizable.strings", "coffee/payload.apns",
                ].map(workspace.uri)
        )
    }

    @Test("An editor that can show changes before gets them with a label; a name without characters is refused")
    func confirmed() throws {
        let edits: JSON = ["documentChanges": true, "changeAnnotationSupport": [:]]
        let probe = try Probe(folder: workspace.folder, capabilities: [("workspace", ["workspaceEdit": edits])])
        try workspace.open("coffee/payload.apns", in: probe)
        let place = try #require(try workspace.place("\"size\"", in: "coffee/payload.apns").object)
        let named = { (name: JSON) in JSON.object(place.setting("newName", to: name)) }
        let result = try probe.request("textDocument/rename", named("width"))["result"]
        #expect(result?["changeAnnotations"]?["rename"]?["needsConfirmation"] == true)
        let first = result?["documentChanges"]?.elements.first
        #expect(first?["textDocument"]?["version"] == .null && first?["edits"]?.elements.first?["newText"] == "width")
        #expect(result?["documentChanges"]?.elements.last?["textDocument"]?["version"] == 1)
        #expect(try probe.request("textDocument/rename", named(""))["error"]?["code"] == -32_602)
    }

    @Test("Hover shows a text in each language, and the record that a line of a session saved")
    func hover() throws {
        try workspace.open("coffee/payload.apns", in: probe)
        let text = try ask("hover", try workspace.place("\"READY\"", in: "coffee/payload.apns"))
        let expected = "The text `READY` of `coffee`:\n\n- `de`: Fertig, Ada\n- `en`: Ready, Ada"
        #expect(text?["contents"]?["value"]?.string == expected)
        try workspace.open("coffee/session.jsonl", in: probe)
        let saved = try ask("hover", try workspace.place("Drunk", in: "coffee/session.jsonl"))
        let value = saved?["contents"]?["value"]?.string ?? ""
        #expect(value.contains("`saveCustomEvent`") && value.contains("Drunk") && value.contains("as the record 7"))
    }

    @Test("The texts of a bundle outside the editor's folders are known if the user named it")
    func plugins() throws {
        let probe = try Probe(plugins: [workspace.folder])
        probe.open(#"{"aps": {"alert": {"loc-key": "READY"}, "category": "cup"}}"#)
        let text = try probe.ask("hover", line: 0, character: 33)["contents"]?["value"]?.string
        #expect(text?.contains("`en`: Ready") == true)
    }

    @Test("The text of a key stands behind it, in the locale of the configuration")
    func hints() throws {
        try workspace.open("coffee/payload.apns", in: probe)
        let all: JSON = ["start": ["line": 0, "character": 0], "end": ["line": 9, "character": 0]]
        let params: JSON = ["textDocument": ["uri": .string(workspace.uri("coffee/payload.apns"))]]
        #expect(try ask("inlayHint", params, [("range", all)])?.elements.map { $0["label"] } == ["Ready, Ada"])
        probe.notify("workspace/didChangeConfiguration", ["settings": ["pushhost": ["locale": "de"]]])
        let german = try ask("inlayHint", params, [("range", all)])?.elements
        #expect(german?.map { $0["label"] } == ["Fertig, Ada"])
        #expect(german?.first?["position"]?["character"] == 37)
    }

    @Test("The payloads of folders are listed with the bundle that shows them and the first text of their alerts")
    func payloads() throws {
        let files = [
            "plain.json": #"{"aps": {"alert": "Plain"}}"#,
            "deep/body.apns.json": #"{"aps": {"alert": {"body": "Below"}}}"#,
            "package.json": #"{"name": "no payload"}"#, ".hidden/payload.apns": #"{"aps": {"alert": "Hidden"}}"#,
            "large.apns": #"{"aps": {"alert": "Large"}}"# + String(repeating: " ", count: 65 << 10),
        ]
        for (name, text) in files {
            let path = "\(workspace.folder)/other/\(name)"
            try FileManager.default.createDirectory(
                atPath: Paths.parent(of: path),
                withIntermediateDirectories: true
            )
            try text.write(toFile: path, atomically: false, encoding: .utf8)
        }
        let found = Workspace.payloads(in: [workspace.folder, "\(workspace.folder)/coffee"])
        let list = found.map { "\($0.path.dropFirst(workspace.folder.count)) \($0.title) \($0.bundle ?? "-")" }
        #expect(
            list == [
                "/coffee/payload.apns Ready, Ada coffee", "/other/deep/body.apns.json Below -",
                "/other/plain.json Plain -",
            ]
        )
    }

    @Test(
        "Completion knows the bundle's texts, its key-value pairs and Liquid",
        arguments: [
            (#"{"aps": {"alert": {"loc-key": ""}, "category": "cup"}}"#, 31, ["ONLY", "READY"]),
            (#"{"aps": {"category": "cup"}, "siz"}"#, 33, ["ab", "ab_uri", "size", "bean_1_id", "bean_2_id"]),
            (#"{"aps": {"alert": "{{ ${first_name} | def"}}"#, 41, ["default", "upcase", "date"]),
            (#"{"aps": {"alert": "{% un"}}"#, 24, ["unless", "if", "abort_message"]),
            (#"{"aps": {"alert": "{{ cust"}}"#, 26, ["custom_attribute.${}", "${first_name}"]),
        ]
    )
    func completion(text: String, character: Int, expected: [String]) throws {
        probe.open(text, workspace.uri("coffee/new.apns"))
        _ = probe.messages()
        let place: JSON = [
            "textDocument": ["uri": .string(workspace.uri("coffee/new.apns"))],
            "position": ["line": 0, "character": JSON(character)],
        ]
        let labels = try ask("completion", place)?.elements.compactMap { $0["label"]?.string } ?? []
        #expect(Set(expected).isSubset(of: labels), "\(labels)")
    }

    @Test("Keys of a property list are completed in their dictionary and explained, those of Braze in theirs")
    func otherKeys() throws {
        try workspace.open("coffee/Info.plist", in: probe)
        let place = try workspace.place("<key>PushhostUserInfoKeys", in: "coffee/Info.plist", offset: 0)
        let items = try ask("completion", place)?.elements ?? []
        let title = items.first { $0["label"] == "UNNotificationExtensionOverridesDefaultTitle" }
        #expect(
            title?["textEdit"]?["newText"] == "<key>UNNotificationExtensionOverridesDefaultTitle</key>\n<true/>"
        )
        #expect(!items.contains { $0["label"] == "UNNotificationExtensionCategory" || $0["label"] == "Type" })
        let inValue = try workspace.place("cup<", in: "coffee/Info.plist")
        #expect(try ask("completion", inValue) == [])
        let key = try workspace.place("UNNotificationExtensionCategory", in: "coffee/Info.plist")
        #expect(try ask("hover", key)?["contents"]?["value"]?.string?.contains("an array of categories") == true)
        probe.open(#"{"ab": {"att": {"type": ""}, "c_items": [{"t": "x"}]}}"#)
        let types = try probe.ask("completion", line: 0, character: 24).elements.map { $0["label"] }
        #expect(types.first == "aif" && types.count == 8)
        #expect(
            try probe.ask("hover", line: 0, character: 43)["contents"]?["value"]?.string?.hasPrefix("The title.")
                == true
        )
    }

    @Test("A change of a bundle's property list checks every payload that is not open")
    func workspaceDiagnostics() throws {
        try workspace.open("coffee/Info.plist", in: probe)
        #expect(probe.calls.map(\.method) == ["extensions"])
        probe.answer(["extensions": []])
        let params: JSON = ["changes": [["uri": .string(workspace.uri("coffee/Info.plist")), "type": 2]]]
        probe.notify("workspace/didChangeWatchedFiles", params)
        #expect(probe.bundleChanges == 0)
        probe.answer([:])
        #expect(probe.calls.map(\.method) == ["extensions", "checkPayload"])
        probe.answer(["extensions": []])
        let finding: JSON = ["level": "error", "reason": "noExtension", "path": "/aps/category", "message": "m"]
        probe.answer(["findings": [finding]])
        let published = probe.messages().last { $0["method"] == "textDocument/publishDiagnostics" }?["params"]
        #expect(published?["uri"] == .string(workspace.uri("coffee/payload.apns")))
        let range = published?["diagnostics"]?.elements.first?["range"]
        #expect(try workspace.text(range, in: "coffee/payload.apns") == "\"cup\"")
        let created: JSON = ["changes": [["uri": .string(workspace.uri("new/Info.plist")), "type": 1]]]
        probe.notify("workspace/didChangeWatchedFiles", created)
        #expect(probe.bundleChanges == 1)
    }

    @Test("Folders of the editor come and go")
    func folders() {
        let event: JSON = [
            "added": [["uri": "file:///new", "name": "n"]],
            "removed": [["uri": .string(workspace.uri("")), "name": "o"]],
        ]
        probe.notify("workspace/didChangeWorkspaceFolders", ["event": event])
        #expect(probe.server.folders == ["/new"] || probe.server.folders.last == "/new")
        #expect(probe.bundleChanges == 1)
    }
}
