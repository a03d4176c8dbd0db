import Foundation
import JSON
import TestSupport
import Testing

/// What the page of `pushhost preview` shows and does, without a browser.
@Suite(.waits) struct PreviewTests {
    @Test("An edit changes the picture, touches and actions reach the extension, and what it saved is shown")
    func play() throws {
        try PreviewRun.open([PreviewRun.register, "--plugins", PreviewRun.plugins]) { run in
            let window = try run.window()
            try window.wait("picture") { $0.html.contains("data-element=\"email\"") }
            try window.send(PreviewRun.edit(PreviewRun.payload(title: "<b>New</b>")))
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

    @Test("A banner runs no extension and saves nothing until it is expanded, and a saved session does the same")
    func banner() throws {
        try PreviewRun.open([PreviewRun.register, "--plugins", PreviewRun.plugins]) { run in
            let window = try run.window(expands: false)
            try window.wait("picture") { $0["state"] == "banner" }
            try window.send(PreviewRun.edit(PreviewRun.saving))
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
        try PreviewRun.open([PreviewRun.register, "--plugins", PreviewRun.plugins]) { run in
            let window = try run.window(expands: false)
            let first = try window.wait("picture") { $0["state"] == "banner" }
            // An edit takes the place of the banner; only a push arrives.
            try window.send(PreviewRun.edit(PreviewRun.payload(title: "One")))
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
        try PreviewRun.open([PreviewRun.register, "--plugins", PreviewRun.plugins]) { run in
            let window = try run.window(expands: false)
            try window.wait("picture") { $0["state"] == "banner" }
            try window.send(PreviewRun.edit(PreviewRun.saving))
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
        try PreviewRun.open([PreviewRun.register]) { run in
            let window = try run.window()
            try window.send(PreviewRun.edit("{\n  \"aps\": oops\n}"))
            let found = try window.wait("lsp") { !$0.diagnostics.isEmpty }
            #expect(found.diagnostics[0]["range"]?["start"]?["line"] == 1 && found.diagnostics[0]["severity"] == 1)
            try window.settle("picture") { $0["problem"] == .null }
            try window.send(PreviewRun.edit("[]"))
            try window.wait("lsp") { $0.diagnostics.first?["code"] == "invalidPayload" }
            try window.send(PreviewRun.edit(PreviewRun.payload(title: String(repeating: "x", count: 4_096))))
            let picture = try window.wait("picture") { $0["problem"]?.string != nil }
            #expect(picture["problem"]?.string?.contains("4096") == true)
            try window.settle("lsp") { $0.diagnostics.first?["code"] == "payloadTooLarge" }
            let text = PreviewRun.payload(title: "Small").replacing("cert_title", with: "cert_titel")
            try window.send(PreviewRun.edit(text))
            let place = try #require(text.range(of: "\"cert_titel\""))
            try window.wait("lsp") {
                $0.diagnostics.contains { diagnostic in
                    let character = diagnostic["range"]?["start"]?["character"]?.integer
                    return character == Int64(text.utf16.distance(from: text.startIndex, to: place.lowerBound))
                }
            }
            try window.send(PreviewRun.edit(PreviewRun.payload(title: "Small")))
            try window.wait("picture") { $0.html.contains("Small") && $0["problem"] == .null }
        }
    }

    @Test("Each window asks the language server about the text; what could run a program is not passed on")
    func language() throws {
        try PreviewRun.open([PreviewRun.register, "--plugins", PreviewRun.plugins]) { run in
            let (one, two) = (try run.window(), try run.window())
            func ask(_ window: PreviewWindow, _ id: Int, _ method: String, _ params: JSON = [:]) throws {
                let message: JSON = ["id": JSON(id), "method": .string(method), "params": params]
                try window.send(["type": "lsp", "message": message])
            }
            func answer(_ window: PreviewWindow, _ id: Int) throws -> JSON {
                try window.wait("lsp") { $0["message"]?["id"] == JSON(id) }["message"]?["result"] ?? "no result"
            }
            try one.send(PreviewRun.edit(#"{"aps":{"alert":"x","category":""}}"#))
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
            try FileManager.default.copyItem(atPath: "\(PreviewRun.plugins)/register", toPath: bundle)
            let (other, outside) = ("\(bundle)/other.apns", "\(folder)/outside.apns")
            for path in [other, outside] {
                try Data(PreviewRun.payload(title: "Of a file").utf8).write(to: URL(filePath: path))
            }
            try PreviewRun.open([PreviewRun.register, "--plugins", bundle]) { run in
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
                #expect(try window.wait("file")["text"]?.string == PreviewRun.payload(title: "Of a file"))
                // It is watched from now on, although it was not named on the command line.
                try Data(PreviewRun.payload(title: "Changed").utf8).write(to: URL(filePath: other), options: .atomic)
                try window.wait("editor") { $0["text"]?.string == PreviewRun.payload(title: "Changed") }
                try window.send(PreviewRun.edit("{}"))
                try window.wait("editor") { $0["isDirty"] == true }
                try window.send(["type": "open", "path": .string("\(bundle)/payload.apns")])
                #expect(try window.wait("ask")["message"]?["path"]?.string == "\(bundle)/payload.apns")
            }
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
            try write(PreviewRun.payload(title: "Hi {{first_name}}"), payload)
            try write(#"{"first_name":"Ada"}"#, profile)
            let plugins = ["--plugins", "\(PreviewRun.plugins)/register", "--plugins", "\(PreviewRun.plugins)/liquid"]
            try PreviewRun.open([payload, "--profile", profile] + plugins) { run in
                let window = try run.window()
                try window.wait("picture") { $0.html.contains("Hi Ada") }
                try write(#"{"first_name":"Grace"}"#, profile)
                try window.wait("picture") { $0.html.contains("Hi Grace") }
                try write(PreviewRun.payload(title: "Bye {{first_name}}"), payload)
                try window.wait("picture") { $0.html.contains("Bye Grace") }
                // What is typed is kept when another file changes.
                try window.send(["type": "choose", "name": "profile", "value": #"{"first_name":"Joan"}"#])
                try window.wait("picture") { $0.html.contains("Bye Joan") }
                try write(PreviewRun.payload(title: "Again {{first_name}}"), payload)
                try window.wait("picture") { $0.html.contains("Again Joan") }
                try window.send(PreviewRun.edit(PreviewRun.payload(title: "Mine")))
                try window.wait("editor") { $0["isDirty"] == true }
                try write(PreviewRun.payload(title: "Theirs"), payload)
                try window.wait("editor") { $0["isChangedOnDisk"] == true }
                try write(PreviewRun.payload(title: "Again {{first_name}}"), payload)
                try window.wait("editor") { $0["isChangedOnDisk"] == false }
                try write(PreviewRun.payload(title: "Theirs"), payload)
                let editor = try window.wait("editor") { $0["isChangedOnDisk"] == true }
                #expect(editor["text"]?.string == PreviewRun.payload(title: "Mine"))
                try window.send(["type": "load"])
                let question = try window.wait("ask")
                #expect(question["question"]?.string?.contains("Discard") == true)
                try window.send(try #require(question["message"]))
                try window.wait("picture") { $0.html.contains("Theirs") }
                try window.send(PreviewRun.edit(PreviewRun.payload(title: "Saved")))
                try window.wait("picture") { $0.html.contains("Saved") }
                try window.send(["type": "save"])
                try window.wait("notice") { $0["isError"] == false }
                #expect(try String(contentsOfFile: payload, encoding: .utf8) == PreviewRun.payload(title: "Saved"))
                try window.wait("editor") { $0["isDirty"] == false }
            }
        }
    }

    @Test("The sample payload of a bundle is shown when it is chosen, in the locale that is chosen")
    func bundles() throws {
        try PreviewRun.open(["--plugins", PreviewRun.plugins, "--locale", "de"]) { run in
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

    @Test("A project is built again when a source changes; what the compiler says is shown until it is mended")
    func project() throws {
        try withTemporaryDirectory { folder in
            let source = "\(folder)/card.txt"
            let bundle = "\(folder)/bundles/card"
            func write(_ text: String) throws {
                // A build that began after the file was emptied would show a card without text.
                try Data(text.utf8).write(to: URL(filePath: source), options: .atomic)
            }
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
}
