import Foundation
import JSON
import TestSupport
import Testing

/// What the page of `pushhost preview` shows and does, without a browser.
@Suite(.waits) struct PreviewTests {
    private static let plugins = "\(repositoryRoot)/plugins"
    private static let register = "\(plugins)/register/payload.apns"

    /// A payload that the bundle `register` shows.
    private static func payload(title: String) -> String {
        #"{"aps":{"alert":"x","category":"lab_register"},"braze_id":"ada","cert_title":"\#(title)","cert_description":"D"}"#
    }

    private static func edit(_ text: String) -> JSON { ["type": "edit", "text": .string(text)] }

    @Test("An edit changes the picture, touches and actions reach the extension, and what it saved is shown")
    func play() throws {
        try PreviewRun.open([Self.register, "--plugins", Self.plugins]) { run in
            let window = try run.window()
            try window.wait("picture") { $0.html.contains("data-element=\"email\"") }
            try window.send(Self.edit(Self.payload(title: "<b>New</b>")))
            let picture = try window.wait("picture") { $0.html.contains("New") }
            #expect(picture.html.contains("&lt;b&gt;New&lt;/b&gt;") && !picture.html.contains("<b>New"))
            #expect(picture["bundle"] == "com.example.pushhost.register" && picture["problem"] == .null)
            try window.send(["type": "touch", "element": "email", "value": "ada@example.com"])
            try window.wait("picture") { $0.html.contains("data-action=\"REGISTER\"") }
            try window.send(["type": "action", "action": "REGISTER"])
            try window.wait("picture") { $0.html.contains("Thanks for registering!") }
            let records = try #require(try window.wait("records") { $0["count"] == 3 }["records"]?.array)
            #expect(records.map { $0["record"]?["kind"] } == ["customEvent", "customAttribute", "userAttribute"])
            try window.send(["type": "choose", "name": "destination", "value": "file"])
            let flush = try window.wait("flush") { $0["destination"] == "file" }
            #expect(flush["text"]?.string?.contains("would send 3 records") == true)
            try window.waitForEntry("call", "didReceiveResponse REGISTER")
            try window.waitForEntry("call", "saveCustomEvent Registered for Certification")
            try window.waitForEntry("answer", "didReceiveResponse")
            // Nothing was flushed, and another window sees the same.
            let other = try run.window()
            try other.wait("records") { $0["count"] == 3 }
            let same = try other.wait("flush")
            #expect(same["text"] == flush["text"])
            try window.send(["type": "action", "action": "com.apple.UNNotificationDismissActionIdentifier"])
            let end = try other.wait("picture") { $0["state"] == "ended" }
            #expect(end["end"] == "The notification was dismissed." && end.html == "")
        }
    }

    /// A payload whose extension saves an event as soon as it is shown.
    private static let saving =
        #"{"aps":{"alert":"Unopened","category":"lab_progress"},"completed_session_count":"1","total_session_count":"2"}"#

    @Test("A banner runs no extension and saves nothing until it is expanded, and a saved session does the same")
    func banner() throws {
        try PreviewRun.open([Self.register, "--plugins", Self.plugins]) { run in
            let window = try run.window(expands: false)
            try window.wait("picture") { $0["state"] == "banner" }
            try window.send(Self.edit(Self.saving))
            let banner = try window.wait("picture") { $0.html.contains("Unopened") }
            #expect(banner["state"] == "banner" && !banner.html.contains("data-part=\"expanded\""))
            // Cleared, opened, or left behind by the next one: its extension learns nothing of it.
            for action in ["Dismiss", "Default"] {
                let identifier: JSON = .string("com.apple.UNNotification\(action)ActionIdentifier")
                try window.send(["type": "action", "action": identifier])
                let end = try window.wait("picture") { $0["state"] == "ended" }
                let isOpened = end["app"] != .null
                #expect(isOpened == (action == "Default"))
                try window.send(["type": "push"])
                try window.wait("picture") { $0["state"] == "banner" }
            }
            try window.send(["type": "choose", "name": "locale", "value": "de"])
            try window.wait("choices") { $0["locale"] == "de" }
            #expect(window.state["records"]?["count"] == 0)
            let starts = window.timeline.count { $0["text"]?.string?.contains("activate") == true }
            #expect(starts == 0)
            try window.send(["type": "choose", "name": "part", "value": "expanded"])
            try window.wait("records") { $0["count"] == 1 }
            try window.send(["type": "record"])
            let session = try window.wait("session")["text"]?.string ?? ""
            #expect(session.contains(#"\"expand\":false"#) && session.contains(#"\"method\":\"expand\""#), "\(session)")
        }
    }

    @Test("A pushed payload arrives above the banners that are there, each of which can be cleared or expanded")
    func stack() throws {
        try PreviewRun.open([Self.register, "--plugins", Self.plugins]) { run in
            let window = try run.window(expands: false)
            let first = try window.wait("picture") { $0["state"] == "banner" }
            // An edit takes the place of the banner; only a push arrives.
            try window.send(Self.edit(Self.payload(title: "One")))
            let edited = try window.wait("picture") { $0["id"] != first["id"] }
            #expect(edited["arrival"] == first["arrival"] && edited["earlier"] == [])
            try window.send(["type": "push"])
            try window.wait("picture") { $0["earlier"].elements.count == 1 }
            try window.send(["type": "push"])
            let stack = try window.wait("picture") { $0["earlier"].elements.count == 2 }
            #expect(stack["earlier"]?[1]?["id"] == edited["id"])
            let clear: JSON = "com.apple.UNNotificationDismissActionIdentifier"
            let middle = try #require(stack["earlier"]?[0]?["id"])
            try window.send(["type": "action", "action": clear, "notification": middle])
            let cleared = try window.wait("picture") { $0["earlier"].elements.count == 1 }
            #expect(cleared["id"] == stack["id"] && cleared["state"] == "banner")
            let oldest = try #require(edited["id"])
            try window.send(["type": "expand", "notification": oldest])
            let opened = try window.wait("picture") { $0["state"] == "expanded" }
            #expect(opened["id"] == oldest && opened["earlier"]?[0]?["id"] == stack["id"])
            try window.send(["type": "record"])
            let session = try window.wait("session")["text"]?.string ?? ""
            #expect(session.contains(#"\"expand\":false"#) && session.contains(#"\"method\":\"expand\""#), "\(session)")
            // What is cleared meanwhile by somebody else stays away.
            try window.send(["type": "action", "action": clear, "notification": oldest])
            try window.wait("picture") { $0["state"] == "ended" && $0["earlier"].elements.count == 1 }
        }
    }

    private static func sheet(_ window: PreviewWindow, _ kind: JSON) throws -> [JSON] {
        try window.send(["type": "choose", "name": "sheet", "value": kind])
        let sheet = try window.wait("sheet") { $0["kind"] == kind }
        return sheet["items"].elements
    }

    @Test("The pictures side by side are drawn from one notification, or delivered where nothing is kept")
    func sheets() throws {
        try PreviewRun.open([Self.register, "--plugins", Self.plugins]) { run in
            let window = try run.window(expands: false)
            try window.wait("picture") { $0["state"] == "banner" }
            try window.send(Self.edit(Self.saving))
            try window.send(["type": "choose", "name": "part", "value": "expanded"])
            try window.wait("records") { $0["count"] == 1 }
            try window.waitForEntry("answer", "didReceive")
            let schemes = try Self.sheet(window, "schemes")
            #expect(schemes.map { $0["value"] } == ["light", "dark"])
            #expect(schemes.map { $0.html.contains("pn-light") } == [true, false])
            let sizes = Set(try Self.sheet(window, "textSizes").map { $0.html })
            #expect(sizes.count == 12)
            let locales = try Self.sheet(window, "locales")
            #expect(locales.map { $0["value"] } == ["de", "en", "es", "fr", "ko"])
            let pictures = Set(locales.map { $0.html })
            #expect(pictures.count == 5 && pictures.allSatisfy { $0.contains("expanded") })
            #expect(window.state["records"]?["count"] == 1)
            let answers = window.timeline.filter { $0["kind"] == "answer" && $0["text"] == "didReceive" }
            #expect(answers.count { $0["to"] == "host" } == 1)
            try window.send(["type": "choose", "name": "sheet", "value": "none"])
            try window.wait("sheet") { $0["kind"] == nil }
        }
    }

    @Test("A text that is no payload keeps the picture and is named with its place; so is a payload that is too large")
    func mistakes() throws {
        try PreviewRun.open([Self.register]) { run in
            let window = try run.window()
            try window.send(Self.edit("{\n  \"aps\": oops\n}"))
            let found = try window.wait("lsp") { !$0.diagnostics.isEmpty }
            #expect(found.diagnostics[0]["range"]?["start"]?["line"] == 1 && found.diagnostics[0]["severity"] == 1)
            try window.settle("picture") { $0["problem"] == .null }
            try window.send(Self.edit("[]"))
            try window.wait("lsp") { $0.diagnostics.first?["code"] == "invalidPayload" }
            try window.send(Self.edit(Self.payload(title: String(repeating: "x", count: 4_096))))
            let picture = try window.wait("picture") { $0["problem"]?.string != nil }
            #expect(picture["problem"]?.string?.contains("4096") == true)
            try window.settle("lsp") { $0.diagnostics.first?["code"] == "payloadTooLarge" }
            let text = Self.payload(title: "Small").replacing("cert_title", with: "cert_titel")
            try window.send(Self.edit(text))
            let place = try #require(text.range(of: "\"cert_titel\""))
            try window.wait("lsp") {
                $0.diagnostics.contains { diagnostic in
                    let character = diagnostic["range"]?["start"]?["character"]?.integer
                    return character == Int64(text.utf16.distance(from: text.startIndex, to: place.lowerBound))
                }
            }
            try window.send(Self.edit(Self.payload(title: "Small")))
            try window.wait("picture") { $0.html.contains("Small") && $0["problem"] == .null }
        }
    }

    @Test("Each window asks the language server about the text; what could run a program is not passed on")
    func language() throws {
        try PreviewRun.open([Self.register, "--plugins", Self.plugins]) { run in
            let (one, two) = (try run.window(), try run.window())
            func ask(_ window: PreviewWindow, _ id: Int, _ method: String, _ params: JSON = [:]) throws {
                let message: JSON = ["id": JSON(id), "method": .string(method), "params": params]
                try window.send(["type": "lsp", "message": message])
            }
            func answer(_ window: PreviewWindow, _ id: Int) throws -> JSON {
                try window.wait("lsp") { $0["message"]?["id"] == JSON(id) }["message"]?["result"] ?? "no result"
            }
            try one.send(Self.edit(#"{"aps":{"alert":"x","category":""}}"#))
            let place: JSON = ["position": ["line": 0, "character": 31]]
            try ask(one, 1, "workspace/executeCommand", ["command": "pushhost.check", "arguments": ["file:///x"]])
            try ask(one, 2, "textDocument/completion", place)
            // The answer to a second question comes after that to the first, if that had one.
            let labels = try answer(one, 2).array?.map { $0["label"]?.string ?? "" }
            #expect(labels?.contains("lab_register") == true)
            try ask(two, 2, "textDocument/hover", ["position": ["line": 0, "character": 20]])
            #expect(try answer(two, 2)["contents"]?["value"]?.string?.contains("bytes") == true)
            #expect(one.state["lsp"]?["message"]?["id"] != 1)
            try ask(two, 3, "pushhost/payload")
            #expect(try answer(two, 3)["bytes"] == 35)
        }
    }

    @Test("The payloads of the folders are listed, and a file is opened only if it is among them")
    func payloads() throws {
        try withTemporaryDirectory { folder in
            let bundle = "\(folder)/register"
            try FileManager.default.copyItem(atPath: "\(Self.plugins)/register", toPath: bundle)
            let (other, outside) = ("\(bundle)/other.apns", "\(folder)/outside.apns")
            for path in [other, outside] {
                try Data(Self.payload(title: "Of a file").utf8).write(to: URL(filePath: path))
            }
            try PreviewRun.open([Self.register, "--plugins", bundle]) { run in
                let window = try run.window()
                try window.send(["type": "open", "path": .string(other)])
                #expect(try window.wait("notice")["isError"] == true, "no list was shown yet")
                try window.send(["type": "payloads"])
                let list = try #require(try window.wait("payloads")["payloads"]?.array)
                #expect(
                    list.contains { $0["path"] == .string(other) && $0["bundle"] == "register" && $0["title"] == "x" }
                )
                #expect(!list.contains { $0["path"] == .string(outside) })
                try window.send(["type": "open", "path": .string(outside)])
                #expect(try window.wait("notice")["text"]?.string?.contains("no payload of this path") == true)
                try window.send(["type": "open", "path": .string(other)])
                try window.wait("editor") { $0["file"] == .string(other) }
                #expect(try window.wait("file")["text"]?.string == Self.payload(title: "Of a file"))
                // It is watched from now on, although it was not named on the command line.
                try Data(Self.payload(title: "Changed").utf8).write(to: URL(filePath: other), options: .atomic)
                try window.wait("editor") { $0["text"]?.string == Self.payload(title: "Changed") }
                try window.send(Self.edit("{}"))
                try window.wait("editor") { $0["isDirty"] == true }
                try window.send(["type": "open", "path": .string("\(bundle)/payload.apns")])
                #expect(try window.wait("ask")["message"]?["path"]?.string == "\(bundle)/payload.apns")
            }
        }
    }

    @Test("Two windows show the same, and each knows who edited")
    func twoWindows() throws {
        try PreviewRun.open([Self.register]) { run in
            let (one, two) = (try run.window(), try run.window())
            let (first, second) = (try one.wait("welcome")["window"], try two.wait("welcome")["window"])
            #expect(first != second)
            try one.send(Self.edit(Self.payload(title: "From one")))
            try two.wait("picture") { $0.html.contains("From one") }
            #expect(two.state["editor"]?["author"] == first)
            try two.send(["type": "touch", "element": "email", "value": "from@two"])
            try one.wait("picture") { $0.html.contains("from@two") }
            try two.send(["type": "choose", "name": "scheme", "value": "dark"])
            try one.wait("picture") { $0.html.contains("pn-dark") && $0.html.contains("from@two") }
            try one.send(["type": "choose", "name": "textSize", "value": "accessibility-large"])
            try two.wait("picture") { $0.html.contains("--body:33px") }
        }
    }

    @Test("A window that does not read is dropped with a message, and the others go on")
    func laggingWindow() throws {
        try PreviewRun.open([Self.register]) { run in
            let (lagging, window) = (try run.window(), try run.window())
            let padding = String(repeating: " ", count: 200 << 10)
            // More than the system's buffers and those of the preview hold.
            for number in 0..<400 {
                try window.send(Self.edit(Self.payload(title: "Edit \(number)") + padding))
                try window.wait("picture") { $0.html.contains("Edit \(number)<") }
            }
            let (code, reason) = try lagging.waitForClose()
            #expect(code == 1013 && reason == "this window did not keep up")
        }
    }

    @Test(
        "A payload, a profile and a bundle that change are shown again; unsaved edits are not lost without a question"
    )
    func files() throws {
        try withTemporaryDirectory { folder in
            let (payload, profile) = ("\(folder)/payload.apns", "\(folder)/profile.json")
            let write = { (text: String, path: String) in
                try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
            }
            try write(Self.payload(title: "Hi {{first_name}}"), payload)
            try write(#"{"first_name":"Ada"}"#, profile)
            let plugins = ["--plugins", "\(Self.plugins)/register", "--plugins", "\(Self.plugins)/liquid"]
            try PreviewRun.open([payload, "--profile", profile] + plugins) { run in
                let window = try run.window()
                try window.wait("picture") { $0.html.contains("Hi Ada") }
                try write(#"{"first_name":"Grace"}"#, profile)
                try window.wait("picture") { $0.html.contains("Hi Grace") }
                try write(Self.payload(title: "Bye {{first_name}}"), payload)
                try window.wait("picture") { $0.html.contains("Bye Grace") }
                // What is typed is kept when another file changes.
                try window.send(["type": "choose", "name": "profile", "value": #"{"first_name":"Joan"}"#])
                try window.wait("picture") { $0.html.contains("Bye Joan") }
                try write(Self.payload(title: "Again {{first_name}}"), payload)
                try window.wait("picture") { $0.html.contains("Again Joan") }
                try window.send(Self.edit(Self.payload(title: "Mine")))
                try window.wait("editor") { $0["isDirty"] == true }
                try write(Self.payload(title: "Theirs"), payload)
                try window.wait("editor") { $0["isChangedOnDisk"] == true }
                try write(Self.payload(title: "Again {{first_name}}"), payload)
                try window.wait("editor") { $0["isChangedOnDisk"] == false }
                try write(Self.payload(title: "Theirs"), payload)
                let editor = try window.wait("editor") { $0["isChangedOnDisk"] == true }
                #expect(editor["text"]?.string == Self.payload(title: "Mine"))
                try window.send(["type": "load"])
                let question = try window.wait("ask")
                #expect(question["question"]?.string?.contains("Discard") == true)
                try window.send(try #require(question["message"]))
                try window.wait("picture") { $0.html.contains("Theirs") }
                try window.send(Self.edit(Self.payload(title: "Saved")))
                try window.wait("picture") { $0.html.contains("Saved") }
                try window.send(["type": "save"])
                try window.wait("notice") { $0["isError"] == false }
                #expect(try String(contentsOfFile: payload, encoding: .utf8) == Self.payload(title: "Saved"))
                try window.wait("editor") { $0["isDirty"] == false }
            }
        }
    }

    @Test("The timeline has the user's calls, their answers, records at their suite and what a flush would send")
    func timeline() throws {
        try PreviewRun.open([Self.register, "--plugins", Self.plugins]) { run in
            let window = try run.window()
            try window.wait("picture") { $0.html.contains("data-element=\"email\"") }
            try window.send(["type": "choose", "name": "destination", "value": "file"])
            try window.send(["type": "touch", "element": "email", "value": "ada@example.com"])
            try window.send(["type": "action", "action": "REGISTER"])
            try window.waitForEntry("flush", "would send 3 records")
            let entries = window.timeline
            let press = try #require(entries.last { $0["from"] == "client" && $0["kind"] == "call" })
            #expect(press["text"] == "didReceiveResponse REGISTER" && press["to"] == "host")
            let answer = try #require(entries.last { $0["call"] == press["n"] })
            #expect(answer["kind"] == "answer" && answer["duration"]?.integer != nil)
            let saved = entries.filter { $0["kind"] == "saved" }
            #expect(saved.map { $0["to"] } == Array(repeating: "suite group.com.example.pushhost", count: 3))
            #expect(saved.first?["text"] == "event Registered for Certification")
            #expect(entries.last { $0["kind"] == "flush" }?["to"] == "destination file")
            // What the page asks to find out what it shows is no step of the user.
            let methods = ["subscribe", "suites", "pending", "flushPending", "checkPayload", "extensions"]
            #expect(!entries.contains { $0["text"]?.string.map(methods.contains) ?? false })
            let lanes = try #require(window.state["lanes"]?["lanes"]?.array).map { $0["title"]?.string }
            #expect(lanes == ["You", "Host", "register", "group.com.example.pushhost", "file"])
        }
    }

    @Test("A report has the steps, the payload and the versions, and no secret of a destination")
    func report() throws {
        try DestinationWorkspace.open { destinations in
            let workspace = destinations.bundles
            try workspace.add(
                named: "tried",
                point: "pushhost.destination",
                script: """
                    exec python3 -c '
                    import json, sys
                    environment = json.loads(sys.stdin.readline())["params"]["environment"]
                    print("key", environment["THE_KEY"], file=sys.stderr, flush=True)
                    for id, result in (1, {"version": "1.0"}), (2, {"stop": environment["THE_KEY"]}), (3, {}):
                        if id > 1: sys.stdin.readline()
                        print(json.dumps({"jsonrpc": "2.0", "id": id, "result": result}), flush=True)
                    '
                    """,
                attributes: ["PushhostDestinationName": "tried", "PushhostEnvironment": ["THE_KEY"]]
            )
            let arguments = [Self.register, "--plugins", Self.plugins, "--plugins", workspace.plugins]
            try PreviewRun.open(arguments, environment: ["THE_KEY": "s3cret/key"]) { run in
                let window = try run.window()
                try window.wait("picture") { $0.html.contains("data-element=\"email\"") }
                try window.send(["type": "choose", "name": "destination", "value": "tried"])
                try window.send(["type": "touch", "element": "email", "value": "ada@example.com"])
                try window.send(["type": "action", "action": "REGISTER"])
                try window.waitForEntry("stderr", "key [THE_KEY]")
                try window.send(["type": "export", "format": "report"])
                let file = try window.wait("export")
                let text = try #require(file["text"]?.string)
                #expect(file["name"] == "bug-report.md")
                for wanted in [
                    "## Steps", "4. Press “REGISTER”", "\"cert_title\"", "tried: key [THE_KEY]", "- SQLite 3",
                    "- Text size: large", "- Device: iphone-16",
                ] {
                    #expect(text.contains(wanted), "\(wanted) in \(text)")
                }
                #expect(!text.contains("s3cret") && !text.contains("## Text in the editor"), "\(text)")
                // What is written since was not shown, and a push says so.
                try window.send(Self.edit("{"))
                try window.send(["type": "push"])
                try window.wait("notice") { $0["text"]?.string?.hasPrefix("Not pushed: ") == true }
                try window.send(["type": "export", "format": "report"])
                let other = try window.wait("export") { $0["text"] != file["text"] }["text"]?.string ?? ""
                #expect(other.contains("## Text in the editor, which was not shown\n\n```json\n{\n```"), "\(other)")
                #expect(other.contains("\"cert_title\""), "\(other)")
            }
        }
    }

    @Test("The sample payload of a bundle is shown when it is chosen, in the locale that is chosen")
    func bundles() throws {
        try PreviewRun.open(["--plugins", Self.plugins, "--locale", "de"]) { run in
            let window = try run.window()
            let bundles = try #require(try window.wait("bundles")["bundles"]?.array)
            let names = bundles.compactMap { $0["name"]?.string }
            #expect(names.contains("match-game") && !names.contains("braze"))
            try window.send(["type": "bundle", "bundle": "com.example.pushhost.match-game"])
            try window.wait("picture") { $0["bundle"] == "com.example.pushhost.match-game" }
            try window.send(["type": "choose", "name": "locale", "value": "fr"])
            let french = try window.wait("picture") { $0.html.contains("lang=\"fr\"") }
            try window.send(["type": "choose", "name": "part", "value": "banner"])
            let banner = try window.wait("picture") { $0["part"] == "banner" }
            #expect(banner.html.contains("data-part=\"banner\"") && french.html.contains("data-part=\"expanded\""))
        }
    }

    @Test("The steps since the last push are saved as a session that pushhost replay accepts")
    func session() throws {
        try PreviewRun.open([Self.register, "--plugins", Self.plugins]) { run in
            let window = try run.window()
            // What was done before the push is no part of the session.
            try window.send(["type": "touch", "element": "email", "value": "before@example.com"])
            try window.wait("picture") { $0.html.contains("before@example.com") }
            try window.send(Self.edit(Self.payload(title: "Session")))
            try window.send(["type": "touch", "element": "email", "value": "ada@example.com"])
            try window.send(["type": "action", "action": "REGISTER"])
            try window.wait("picture") { $0.html.contains("Thanks") }
            try window.send(["type": "record"])
            let text = try #require(try window.wait("session")["text"]?.string)
            #expect(text.contains("Registered for Certification") && !text.contains("before@example.com"))
            let file = "\(run.folder)/session.jsonl"
            try Data(text.utf8).write(to: URL(filePath: file))
            let host = try hostCommand(unchecked: "replay starts its own host")[0]
            let replay = try ChildProcess(host, ["replay", file])
            let output = try replay.readToEnd()
            #expect(try replay.wait() == .code(0), "\(output)")
            #expect(output.contains("same "))
        }
    }

    @Test("The time in which a timer of the extension changed the view is a step of the saved session")
    func waits() throws {
        try AdvanceClockTests.withBundle { _, payload in
            try PreviewRun.open([payload]) { run in
                let window = try run.window()
                let touch: JSON = ["type": "touch", "element": "card"]
                for _ in 1...2 {
                    try window.send(touch)
                    try window.wait("picture") { $0.html.contains("open") }
                    try window.wait("picture") { $0.html.contains("closed") }
                }
                try window.send(["type": "record"])
                let text = try #require(try window.wait("session")["text"]?.string)
                let waits = text.split(separator: "\n").count {
                    $0.contains(#""from":"client""#) && $0.contains("advanceClock")
                }
                #expect(waits == 2, "\(text)")
                #expect(text.contains(#"\"title\":\"closed\""#))
            }
        }
    }

    @Test("A project is built again when a source changes; what the compiler says is shown until it is mended")
    func project() throws {
        try withTemporaryDirectory { folder in
            let source = "\(folder)/card.txt"
            let bundle = "\(folder)/bundles/card"
            func write(_ text: String) throws { try Data(text.utf8).write(to: URL(filePath: source)) }
            try Kit.python.makeBundle(
                bundle,
                program: """
                    #!/usr/bin/env python3
                    from pushhost_extension import NotificationContentExtension, View, main


                    class Card(NotificationContentExtension):
                        def did_receive(self, notification):
                            self.context.view = View.text(open("card.txt").read())


                    main(Card)
                    """,
                name: "card"
            )
            let payload = "\(folder)/payload.apns"
            try Data(#"{"aps":{"alert":"x","category":"kit"}}"#.utf8).write(to: URL(filePath: payload))
            // It stands for pushhost-phone: a source is compiled into a bundle, or an error names its line.
            let build = """
                cd '\(folder)'
                text=$(cat card.txt)
                if [ "$text" = wrong ]; then echo 'card.txt:1: error: it is wrong' >&2; bundle=
                else echo "$text" > bundles/card/card.txt; bundle=',"bundle":"bundles/card"'; fi
                echo '{"bundles":[{"inputs":["\(source)"]'"$bundle"'}]}'
                [ "$bundle" ]
                """
            try write("first")
            try Data("first".utf8).write(to: URL(filePath: "\(bundle)/card.txt"))
            let settings: JSON = [
                "program": .string(try hostCommand(unchecked: "preview starts its own host")[0]),
                "arguments": ["--plugins", .string("\(folder)/bundles")], "payload": .string(payload),
                "build": ["/bin/sh", "-c", .string(build)], "inputs": [.string(source)],
            ]
            try PreviewRun.open(settings: settings) { run in
                let window = try run.window()
                try window.wait("picture") { $0.html.contains("first") }
                try write("second")
                try window.wait("picture") { $0.html.contains("second") }
                try write("wrong")
                let failed = try window.wait("picture") { $0["problem"]?.string != nil }
                #expect(failed["problem"] == "card.txt:1: error: it is wrong\n")
                #expect(failed.html.contains("second"), "what was shown stays")
                try write("third")
                let mended = try window.wait("picture") { $0.html.contains("third") }
                #expect(mended["problem"] == .null)
            }
        }
    }

    @Test("An extension that crashes and a host that is killed are shown, and the next push shows a notification again")
    func crashes() throws {
        try withTemporaryDirectory { folder in
            let program = """
                #!/usr/bin/env python3
                import os
                import sys
                from pushhost_extension import NotificationContentExtension, View, main


                class Fragile(NotificationContentExtension):
                    def did_receive(self, notification):
                        info = notification.request.content.user_info
                        if "crash" in info:
                            print("out of cheese", file=sys.stderr, flush=True)
                            os._exit(3)
                        self.context.view = View.text("I am fine: " + info.get("say", ""))


                main(Fragile)
                """
            try Kit.python.makeBundle("\(folder)/fragile", program: program, name: "fragile")
            let payload = "\(folder)/fragile/payload.apns"
            try Data(#"{"aps":{"alert":"x","category":"kit"},"say":"1"}"#.utf8).write(to: URL(filePath: payload))
            try PreviewRun.open([payload]) { run in
                let window = try run.window()
                try window.wait("picture") { $0.html.contains("I am fine: 1") }
                try window.send(Self.edit(#"{"aps":{"alert":"x","category":"kit"},"crash":"1"}"#))
                let crashed = try window.wait("picture") { $0["problem"]?.string != nil }
                #expect(crashed["problem"]?.string?.contains("exited with code 3") == true, "\(crashed)")
                #expect(crashed["problem"]?.string?.contains("out of cheese") == true, "\(crashed)")
                try window.waitForEntry("stderr", "out of cheese")
                try window.waitForEntry("end", "ended")
                try window.waitForEntry("log", "warning pushhost: ")
                try window.send(Self.edit(#"{"aps":{"alert":"x","category":"kit"},"say":"2"}"#))
                try window.wait("picture") { $0.html.contains("I am fine: 2") && $0["problem"] == .null }
                let host = try #require(try Processes.children(of: run.process.pid).first)
                kill(host, SIGKILL)
                try window.wait("host") { $0["isRunning"] == false }
                try window.wait("picture") { $0["problem"]?.string?.contains("the host") == true }
                // What is pushed arrives as a banner.
                try window.send(["type": "push"])
                try window.wait("picture") { $0["state"] == "banner" }
                try window.send(["type": "choose", "name": "part", "value": "expanded"])
                try window.wait("picture") { $0.html.contains("I am fine: 2") }
                #expect(window.state["host"]?["isRunning"] == true)
            }
        }
    }

    @Test("The clock can be fixed in the page; one that is none is named, and the preview goes on")
    func clock() throws {
        try PreviewRun.open([Self.register]) { run in
            let window = try run.window()
            try window.wait("choices")
            try window.send(["type": "choose", "name": "clock", "value": "tomorrow"])
            try window.wait("notice") { $0["text"]?.string?.hasPrefix("Clock: write a time such as 9:41 or ") == true }
            #expect(window.state["host"]?["isRunning"] == true)
            try window.send(["type": "choose", "name": "clock", "value": "2030-01-01T00:00:00Z"])
            try window.wait("picture") { $0.html.contains("data-element=\"email\"") }
            try window.send(["type": "touch", "element": "email", "value": "ada@example.com"])
            try window.send(["type": "action", "action": "REGISTER"])
            let records = try window.wait("records") { $0["count"] == 3 }
            #expect(records["records"]?[0]?["record"]?["time"]?.string?.hasPrefix("2030-01-01T00:00:00.") == true)
        }
    }

    @Test("Records are cleared by beginning again with new suites, not in a folder that the user named")
    func clear() throws {
        for own in [false, true] {
            try withTemporaryDirectory { folder in
                try PreviewRun.open([Self.register, "--plugins", Self.plugins] + (own ? ["--data", folder] : [])) {
                    run in
                    let window = try run.window()
                    try window.send(Self.edit(Self.saving))
                    try window.wait("records") { $0["count"]?.integer ?? 0 > 0 && $0["canClear"] == .bool(!own) }
                    try window.send(["type": "clearRecords"])
                    // It is still expanded, so the notification that is shown again saves its event.
                    try window.send(["type": "choose", "name": "destination", "value": "file"])
                    let count: JSON = own ? 2 : 1
                    if own { try window.send(Self.edit(Self.saving + " ")) }
                    try window.wait("records") { $0["count"] == count }
                    let flush = try window.wait("flush") { $0["destination"] == "file" }
                    #expect(flush["text"]?.string?.contains("would send \(count) record") == true, "\(flush)")
                }
            }
        }
    }

    @Test(
        "A choice ends a host that does not answer, and a signal that comes meanwhile is noticed afterwards",
        .enabled(if: Processes.areListed)
    )
    func signalDuringEnd() throws {
        try PreviewRun.open([Self.register]) { run in
            let window = try run.window()
            try window.wait("picture") { $0["state"] == "expanded" }
            let host = try #require(try Processes.children(of: run.process.pid).first)
            // A stopped host does not end before it goes on; that it was asked to is seen from outside.
            kill(host, SIGSTOP)
            try window.send(["type": "touch", "element": "email", "value": "ada@example.com"])
            try window.send(["type": "choose", "name": "clock", "value": "2030-01-01T00:00:00Z"])
            try Processes.wait(for: "the end of the host") { Processes.hasPending(SIGTERM, host) }
            run.process.kill(SIGTERM)
            try Processes.wait(for: "the signal") { !Processes.hasPending(SIGTERM, run.process.pid) }
            kill(host, SIGCONT)
            #expect(try run.process.wait() == .code(128 + SIGTERM))
        }
    }

    @Test("The timeline is bounded, and an unknown message, an unknown element and an unknown bundle change nothing")
    func bounds() throws {
        try PreviewRun.open([Self.register]) { run in
            let window = try run.window()
            try window.send(["type": "launch"])
            let notice = try window.wait("notice")
            #expect(notice["isError"] == true)
            try window.send(["type": "bundle", "bundle": "../../etc"])
            try window.send(["type": "touch", "element": "nothing"])
            try window.wait("picture") { $0["problem"]?.string?.contains("nothing") == true }
            for number in 0..<100 {
                try window.send(Self.edit(Self.payload(title: "Edit \(number)")))
                try window.wait("picture") { $0.html.contains("Edit \(number)<") }
            }
            let other = try run.window()
            let whole = try other.wait("timeline") { $0["whole"] == true }
            #expect(whole["entries"]?.array?.count == 300)
            #expect(window.timeline.count > 300)
        }
    }

    @Test(
        "A wrong command line is refused before a page is served",
        arguments: [
            (["/nowhere.apns"], 66, "/nowhere.apns: there is no such file"),
            (["-"], 64, "stdin cannot be watched"), (["--port", "70000"], 64, "70000"),
            (["--clock", "soon"], 64, "an RFC 3339 time"),
            ([register, "--profile", "/nowhere.json"], 66, "/nowhere.json: there is no such file"),
        ]
    )
    func refused(arguments: [String], code: Int32, text: String) throws {
        try withTemporaryDirectory { folder in
            let run = try CommandRun(["preview"] + arguments, temporaryFolder: folder)
            #expect(run.output == "")
            #expect(run.status == .code(code))
            #expect(run.standardError.contains(text), "\(run.standardError)")
        }
    }

    @Test("A port that is in use is named, and SIGINT ends the preview too")
    func port() throws {
        try PreviewRun.open([Self.register]) { run in
            try withTemporaryDirectory { folder in
                let process = try PushRun.startProgram(["preview", Self.register, "--port", "\(run.port)"], folder)
                #expect(try process.wait() == .code(69))
                #expect(process.standardError.contains("--port \(run.port): 127.0.0.1:\(run.port) cannot be used"))
            }
        }
    }
}
