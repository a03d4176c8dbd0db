import JSON
import Platform
import Testing

@testable import LanguageServer

@Suite struct EditorCommandTests {
    private let workspace: Workspaces
    private let probe: Probe

    init() throws {
        workspace = try Workspaces()
        probe = try Probe(
            folder: workspace.folder,
            pages: workspace.folder,
            capabilities: [("window", ["showDocument": ["support": true], "workDoneProgress": true])]
        )
    }

    private func begin(_ command: String, _ file: String, _ options: JSON...) {
        let arguments = JSON([.string(workspace.uri(file))] + options)
        probe.begin("workspace/executeCommand", ["command": .string(command), "arguments": arguments])
    }

    /// The answer among messages, which is the only message with an id and without a method.
    private func answer(_ messages: [JSON]) -> JSON? { messages.first { $0["id"] != nil && $0["method"] == nil } }

    @Test(
        "Each document has the lenses of what can be done with it",
        arguments: [
            ("coffee/payload.apns", ["▶ Push", "Preview", "Record", "Check"]), ("coffee/session.jsonl", ["Replay"]),
            ("coffee/session.replies.jsonl", []), ("coffee/Info.plist", ["▶ Push", "Preview", "Check"]),
            ("coffee/coffee.py", ["▶ Push", "Preview", "Check"]), ("other/Info.plist", ["Check"]),
            ("coffee/en.lproj/Localizable.strings", []),
        ]
    )
    func lenses(file: String, expected: [String]) throws {
        probe.open(try #require(Workspaces.files[file]), workspace.uri(file), languageID: "plain")
        let params: JSON = ["textDocument": ["uri": .string(workspace.uri(file))]]
        let lenses = try probe.request("textDocument/codeLens", params)["result"]?.elements ?? []
        #expect(lenses.compactMap { $0["command"]?["title"]?.string } == expected)
    }

    @Test("Push draws the unsaved text, shows the drawing in a file that is only read, and tells of its progress")
    func push() throws {
        probe.open(#"{"aps":{"alert":"unsaved"}}"#, workspace.uri("coffee/payload.apns"))
        _ = probe.messages()
        begin("pushhost.push", "coffee/payload.apns")
        #expect(probe.runs.first?.run.arguments == ["push", "-"] && probe.runs.first?.run.usesBundles == true)
        #expect(probe.runs.first?.run.input == #"{"aps":{"alert":"unsaved"}}"#)
        let begun = probe.messages()
        #expect(begun.map { $0["method"] } == ["window/workDoneProgress/create", "$/progress"])
        probe.end(.init(code: 0, output: "a drawing", errors: ""))
        let ended = probe.messages()
        #expect(answer(ended)?["result"]?["text"] == "a drawing")
        #expect(ended.first { $0["method"] == "$/progress" }?["params"]?["value"]?["kind"] == "end")
        let shown = try #require(ended.first { $0["method"] == "window/showDocument" }?["params"]?["uri"]?.string)
        let path = try #require(LanguageServer.path(shown))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "a drawing")
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o444)
    }

    @Test("With show false the editor shows the result itself, and an editor that shows no files gets a message")
    func shown() throws {
        begin("pushhost.push", "coffee/payload.apns", ["show": false])
        probe.end(.init(code: 0, output: "a drawing", errors: ""))
        #expect(!probe.messages().contains { $0["method"] == "window/showDocument" })
        let plain = try Probe(folder: workspace.folder, pages: workspace.folder)
        plain.begin(
            "workspace/executeCommand",
            ["command": "pushhost.push", "arguments": [.string(workspace.uri("coffee/payload.apns"))]]
        )
        plain.end(.init(code: 0, output: "a drawing", errors: ""))
        let message = plain.messages().first { $0["method"] == "window/showMessage" }
        #expect(message?["params"]?["message"] == "a drawing")
    }

    @Test("A preview is opened at its address, and goes on when the call has its answer")
    func preview() {
        begin("pushhost.preview", "coffee/payload.apns")
        #expect(probe.runs.first?.run.isService == true)
        let ended = probe.runs[0].completion
        probe.end(.init(code: nil, output: "Preview: http://127.0.0.1:1/x/\n", errors: ""))
        let messages = probe.messages()
        #expect(answer(messages)?["result"]?["address"] == "http://127.0.0.1:1/x/")
        let shown = messages.first { $0["method"] == "window/showDocument" }?["params"]
        #expect(shown?["external"] == true && shown?["uri"] == "http://127.0.0.1:1/x/")
        #expect(probe.stops == 0)
        begin("pushhost.preview", "coffee/payload.apns")
        #expect(answer(probe.messages())?["result"]?["address"] == "http://127.0.0.1:1/x/" && probe.runs.isEmpty)
        ended(.init(code: nil, output: "", errors: ""))
        begin("pushhost.preview", "coffee/payload.apns")
        #expect(probe.runs.count == 1)
    }

    @Test("A check that finds mistakes is a result, and a command that fails is an error with what it says")
    func ends() {
        begin("pushhost.check", "coffee/payload.apns")
        probe.end(.init(code: 1, output: "1 error", errors: ""))
        #expect(answer(probe.messages())?["result"]?["passed"] == false)
        begin("pushhost.replay", "coffee/session.jsonl")
        #expect(probe.runs.first?.run.usesBundles == false)
        probe.end(.init(code: 74, output: "", errors: "the disk is full\n"))
        #expect(answer(probe.messages())?["error"]?["message"] == "the disk is full")
        begin("pushhost.check", "coffee/Info.plist")
        #expect(probe.runs.first?.run.arguments == ["extensions", "check", "\(workspace.folder)/coffee"])
    }

    @Test("Record writes a session beside the payload, never over another one, and leaves none if it fails")
    func record() throws {
        let path = "\(workspace.folder)/coffee/payload.jsonl"
        begin("pushhost.record", "coffee/payload.apns")
        #expect(probe.runs.first?.run.arguments == ["replay", "--update", path])
        let line = try JSON(parsing: try String(contentsOfFile: path, encoding: .utf8))
        #expect(line["params"]?["payload"]?["size"] == "3")
        probe.end(.init(code: 1, output: "", errors: "no"))
        #expect(answer(probe.messages())?["error"]?["message"] == "no")
        #expect(!FileManager.default.fileExists(atPath: path))
        begin("pushhost.record", "coffee/payload.apns")
        probe.end(.init(code: 0, output: "", errors: ""))
        #expect(answer(probe.messages())?["result"]?["uri"] == .string(workspace.uri("coffee/payload.jsonl")))
        begin("pushhost.record", "coffee/payload.apns")
        let refused = answer(probe.messages())?["error"]?["message"]?.string
        #expect(refused?.contains("is there already") == true)
    }

    @Test("A cancelled command is stopped and answered once", arguments: [true, false])
    func cancelled(byProgress: Bool) throws {
        begin("pushhost.push", "coffee/payload.apns")
        let token = try #require(probe.messages().last?["params"]?["token"])
        if byProgress {
            probe.notify("window/workDoneProgress/cancel", ["token": token])
        } else {
            probe.notify("$/cancelRequest", ["id": 2])
        }
        #expect(answer(probe.messages())?["error"]?["code"] == -32_800)
        #expect(probe.stops == 1)
        probe.end(.init(code: nil, output: "", errors: ""))
        #expect(answer(probe.messages()) == nil)
    }

    @Test(
        "What cannot run is refused with what to do",
        arguments: [
            ("pushhost.fly", "coffee/payload.apns", "there is no command"),
            ("pushhost.push", "other/Info.plist", "has no payload.apns"),
            ("pushhost.preview", "other/Info.plist", "has no payload.apns"),
        ]
    )
    func refusals(command: String, file: String, expected: String) {
        begin(command, file)
        #expect(answer(probe.messages())?["error"]?["message"]?.string?.contains(expected) == true)
    }
}
