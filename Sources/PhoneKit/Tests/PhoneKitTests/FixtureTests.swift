import Foundation
import JSON
import Testing

/// Each fixture is an extension as an engineer writes it for Xcode, played over pipes.
@Suite
struct FixtureTests {
    @Test("A storyboard, a text field and the guide's lists, which the host gets with what was appended")
    func newsletter() throws {
        let process = try ExtensionProcess("newsletter")
        let suite = "group.com.example.newsletter"
        process.stored["\(suite)/pending_custom_events"] = [["event_name": "opened"]]
        let first = try process.receive(title: "News", userInfo: ["newsletter_detail": "Monthly"])
        let view = try #require(first["view"])
        #expect(view.texts == ["News", "Monthly", "Recipes", "Events"])
        #expect(view.node("headerLabel")?["style"] == "title")
        #expect(view.node("emailTextField")?["placeholder"] == "you@example.com")

        #expect(try process.touch("topicButtons-1")["view"]?.texts.contains("Recipes ✓") == true)
        #expect(try process.touch("emailTextField", "ada")["actions"] == [])
        let valid = try process.touch("emailTextField", "ada@example.com")
        #expect(valid["actions"] == [["identifier": "SUBSCRIBE", "title": "Subscribe", "options": []]])
        #expect(valid["view"]?.node("emailTextField")?["value"] == "ada@example.com")

        let result = try process.choose("SUBSCRIBE")
        #expect(result["option"] == "dismiss")
        // What it shows before it completes is seen at once.
        #expect(process.all("setNotificationActions").map { $0["actions"] } == [[]])
        #expect(process.all("setView").last?["view"]?.texts == ["News", "Thank you!"])
        #expect(result["view"] == nil)
        let event: JSON = ["event_name": "newsletter_subscribed", "count": 1, "topics": ["Recipes"]]
        let stores = process.all("store")
        #expect(stores.map { $0["notification"] } == ["n1", "n1", "n1"])
        #expect(stores[0]["value"] == [["event_name": "opened"], event])
        #expect(stores[1]["value"] == [["newsletter": true]])
        let data = stores[2]["value"]?[0]?["$data"]?.string.flatMap { Data(base64Encoded: $0) }
        let field = try data.map { try PropertyListDecoder().decode([String: String].self, from: $0) }
        #expect(field == ["email": "ada@example.com"])
    }

    @Test("With a fixed clock, cards stay open until the time is moved; the timer fires at its own times")
    func memory() throws {
        let process = try ExtensionProcess("memory", clock: "2026-01-01T10:00:00.000Z")
        let first = try process.receive()
        #expect(first["view"]?.texts == ["0 attempts, 0 s", "?", "?", "?", "?", "?", "?"])
        #expect(first["view"]?["children"]?[1]?["columns"] == 3)
        let open = try process.touch("boardView-1")
        #expect(open["view"]?.node("boardView-1")?["title"] == "☀")
        try process.touch("boardView-2")
        // The board is locked: nothing changes.
        #expect(try process.touch("boardView-3")["view"] == nil)
        let later: [(String, JSON?)] = [("notification", "n1"), ("time", "2026-01-01T10:00:01.500Z")]
        let passed = try process.call("advanceClock", later)["view"]
        #expect(passed?.texts.first == "1 attempts, 1 s")
        #expect(passed?.texts.filter { $0 == "?" }.count == 6)
        #expect(process.all("setView").isEmpty, "the answer has what changed")
        // A notification brings its own time.
        try process.receive(date: "2026-01-01T10:00:03.000Z")
        #expect(process.all("setView").last?["view"]?.texts.first == "1 attempts, 3 s")
        for card in [1, 4, 2, 5, 3] { try process.touch("boardView-\(card)") }
        #expect(try process.touch("boardView-6")["view"]?.texts.first == "Done in 3 s")
        try process.call("didDismiss", [("notification", "n1")])
    }

    @Test("With a fixed clock, Date and Task.sleep have the time of the host")
    func countdown() throws {
        func later(_ process: ExtensionProcess, _ time: String) throws -> [String]? {
            let params: [(String, JSON?)] = [("notification", "n1"), ("time", .string("2030-01-01T10:00:\(time)Z"))]
            return try process.call("advanceClock", params)["view"]?.texts
        }
        let process = try ExtensionProcess("countdown", clock: "2030-01-01T10:00:00.000Z")
        #expect(try process.receive(date: "2030-01-01T10:00:00.000Z")["view"]?.texts == ["5 s left", "Stop"])
        #expect(try later(process, "00.900") == nil)
        #expect(try later(process, "01.100") == ["4 s left", "Stop"])
        #expect(try later(process, "03.500") == ["2 s left", "Stop"])
        #expect(try later(process, "09.000") == ["Over", "Stop"])
        let other = try ExtensionProcess("countdown", clock: "2030-01-01T10:00:00.000Z")
        try other.receive(date: "2030-01-01T10:00:00.000Z")
        #expect(try later(other, "01.100") == ["4 s left", "Stop"])
        #expect(try other.touch("stop")["view"]?.texts == ["Stopped", "Stop"])
        #expect(try later(other, "09.000") == nil)
    }

    @Test("SwiftUI: state, bindings, an observed object, a publisher and a timer draw again")
    func parcel() throws {
        let process = try ExtensionProcess("parcel", clock: "2026-01-01T10:00:00.000Z")
        let first = try process.receive(title: "Your parcel", userInfo: ["stops": ["Hub", "Depot"]])
        let view = try #require(first["view"])
        #expect(
            view.texts == [
                "Your parcel", "○ Hub", "○ Depot", "Gift: Off", "◷", "0 s on the way", "Ring", "Rung 0 times",
            ]
        )
        #expect(view.node("note")?["placeholder"] == "Note for the courier")

        let ticked = try process.touch("button-1")["view"]
        #expect(ticked?.node("button-1") == ["type": "button", "id": "button-1", "title": "✔ Hub", "enabled": false])
        #expect(ticked?.node("way")?["total"] == 2)
        // The state of a row goes where its element goes.
        let turned = try process.touch("title")["view"]
        #expect(turned?.node("button-1")?["title"] == "○ Depot")
        #expect(turned?.node("button-2")?["title"] == "✔ Hub")
        #expect(
            try process.touch("note", "Ring twice")["view"]?.texts.contains("The courier reads: Ring twice") == true
        )
        #expect(try process.touch("button-3")["view"]?.texts.last == "Rung 1 times")

        let later: [(String, JSON?)] = [("notification", "n1"), ("time", "2026-01-01T10:00:02.500Z")]
        #expect(try process.call("advanceClock", later)["view"]?.texts.contains("2 s on the way") == true)
        let gift = try process.touch("switch-1")["view"]
        #expect(gift?.node("note")?["value"] == "A gift")
        #expect(gift?.node("button-3")?["enabled"] == false)
    }

    @Test("With the real clock, what a timer changes is sent by itself")
    func ticking() throws {
        let process = try ExtensionProcess("memory")
        try process.receive()
        let change = try process.next("setView")
        #expect(change["notification"] == "n1")
        #expect(change["view"]?.texts.first == "0 attempts, 1 s")
    }

    @Test("Pages are a carousel, with images of an asset catalog, an action of a button and the media button")
    func story() throws {
        let process = try ExtensionProcess("story")
        let pages: JSON = """
            [{"title":"Beach","image":"beach","link":"https://example.com/b"},{"title":"Forest","image":"forest"}]
            """
        let first = try process.receive(userInfo: ["pages": pages])
        let view = try #require(first["view"])
        #expect(view["type"] == "carousel")
        #expect(view["page"] == 0)
        #expect(view["children"]?[0]?["children"]?[0]?["url"]?.string?.hasSuffix("beach@2x.png") == true)
        #expect(view.texts == ["Beach", "Open", "Forest"])
        #expect(first["media"]?["button"] == "overlay")
        #expect(first["media"]?["frame"]?["width"] == 44.0)

        #expect(try process.touch("scrollView", 1)["view"]?["page"] == 1)
        let result = try process.choose("NEXT")
        #expect(result["option"] == "doNotDismiss")
        #expect(result["view"]?["page"] == 0)
        try process.touch("button-1")
        #expect(process.all("performNotificationDefaultAction").map { $0["url"] } == ["https://example.com/b"])
        try process.call("mediaPlay", [("notification", "n1")])
        #expect(process.all("mediaPlayingStarted").count == 1)
    }

    @Test("A table with cells of a xib is ordered by anchors; its values come back as they went in")
    func courses() throws {
        let process = try ExtensionProcess("courses")
        let courses: JSON = [["name": "Basics", "isDone": true], ["name": "More", "isDone": false]]
        let first = try process.receive(title: "Courses", userInfo: ["courses": courses])
        let view = try #require(first["view"])
        #expect(view.texts == ["Courses", "1 Jan 2026", "Basics", "✔", "More"])
        #expect(view.node("progressView")?["total"] == 2)
        #expect(view.node("tableView-1-checkmarkView")?["text"] == "✔")

        let changed = try process.touch("tableView-2")
        #expect(changed["view"]?.node("progressView")?["value"] == 1)
        #expect(process.stored["group.com.example.courses/done"] == ["Basics", "More"])
        let seconds = Date(timeIntervalSince1970: 1_700_000_000.5).timeIntervalSinceReferenceDate
        #expect(process.stored["group.com.example.courses/changed"] == ["$date": .real(seconds)])
    }

    @Test("Controls, selectors, an alert, async code and an async handler of responses")
    func review() throws {
        let process = try ExtensionProcess("review")
        let first = try process.receive(body: "How was it?")
        let view = try #require(first["view"])
        #expect(view.node("sendButton")?["enabled"] == false)
        #expect(view.texts.last == "How was it?")

        #expect(try process.touch("shareSwitch")["view"]?.node("shareSwitch")?["title"] == "Share: On")
        #expect(try process.touch("moodSlider", "7")["view"]?.texts.last == "Mood 7")
        let alert = try process.touch("photoView")
        #expect(alert["view"]?.texts.suffix(4) == ["Photo", "Name it", "Cancel", "Add"])
        try process.touch("field-1", "Sunset")
        #expect(try process.touch("alert-Add")["view"]?.node("photoView")?["title"] == "Sunset")

        #expect(try process.touch("starsControl-4")["view"]?.node("sendButton")?["title"] == "Send")
        let sent = try process.touch("sendButton")
        let status =
            sent["view"]?.texts.last == "Thank you for 4 stars" ? sent["view"] : try process.next("setView")["view"]
        #expect(status?.texts.last == "Thank you for 4 stars")
        #expect(try process.choose("REPLY", text: "Good")["option"] == "dismiss")
        #expect(try process.choose("OTHER")["option"] == "dismissAndForwardAction")
    }

    @Test("A handler of responses that is missing is refused as a missing method")
    func missingResponse() throws {
        let process = try ExtensionProcess("courses")
        try process.receive(userInfo: ["courses": []])
        let refusal = #expect(throws: Refusal.self) { try process.choose("ANY") }
        #expect(refusal?.error["code"] == -32601)
    }

    @Test("A service changes the content and attaches a file, which is moved to the host's folder")
    func service() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("phonekit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try PictureServer()
        let process = try ExtensionProcess("enrich", attachments: folder)
        let result = try process.receive(userInfo: ["image": .string(server.address)])
        let content = try #require(result["content"])
        #expect(content["title"] == "Title [modified]")
        #expect(content["body"] == nil)
        #expect(content["badge"] == 3)
        #expect(content["sound"] == "chime.caf")
        #expect(content["userInfo"]?["enriched"] == true)
        let attachment = try #require(content["attachments"]?[0])
        #expect(attachment["type"] == "png")
        #expect(attachment["url"]?.string?.hasPrefix(folder.absoluteString) == true)
    }

    @Test("A service that calls its handler only when its time is over answers then")
    func expiring() throws {
        let process = try ExtensionProcess("enrich")
        let result = try process.call(
            "didReceive",
            [("notification", "n1"), ("request", ["content": ["title": "Title", "body": "Body"]])],
            notifications: [("serviceExtensionTimeWillExpire", ["notification": "n1"])]
        )
        #expect(result["content"]?["subtitle"] == "out of time")
    }

    @Test("A service has its texts in the language that the host chose for the notification")
    func localizedService() throws {
        let process = try ExtensionProcess("enrich", locale: "de")
        let image: JSON = ["image": "http://127.0.0.1:9/picture.png"]
        let german = try process.receive(userInfo: image, texts: ["modified": "geändert"])
        #expect(german["content"]?["title"] == "Title [geändert]")
        #expect(try process.receive(userInfo: image)["content"]?["title"] == "Title [modified]")
    }

    @Test("Without a folder for attachments a service fetches nothing")
    func offline() throws {
        let process = try ExtensionProcess("enrich")
        let result = try process.receive(userInfo: ["image": "http://127.0.0.1:9/picture.png"])
        #expect(result["content"]?["attachments"] == nil)
        #expect(result["diagnostics"]?[0]?["reason"] == "fetchingDisabled")
    }
}
