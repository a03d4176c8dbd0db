import JSON
import TestSupport
import Testing

/// What the kits let authors say of buttons, titles and media, through the real host.
@Suite(.hangs) struct KitsSurfaceTests {
    private static let category: JSON = [
        "identifier": "kit", "actions": [["identifier": "A", "title": "a"], ["identifier": "B", "title": "b"]],
    ]

    @Test("The category's buttons are what is offered until others are set", arguments: Kit.allCases)
    func actions(kit: Kit) throws {
        try KitHost.with(kit) { kit in
            try kit.host.result("setNotificationCategories", ["categories": [Self.category]])
            let shown = try kit.host.show("kit", title: "offered")["result"]
            #expect(shown?.shownText == "A B")
            #expect(shown?["actions"]?.array?.map { $0["identifier"] } == ["A", "B"])
        }
    }

    @Test("A title and a media button are shown, and the button reaches the author", arguments: Kit.allCases)
    func media(kit: Kit) throws {
        try KitHost.with(kit) { kit in
            let notification: JSON = ["notification": kit.notification]
            #expect(try kit.host.call("mediaPlay", notification)["error"]?["data"]?["reason"] == "noMediaButton")
            let touched = try kit.touch("appearance")["result"]
            #expect(touched?["title"] == "A title")
            #expect(touched?["media"]?["button"] == "overlay" && touched?["media"]?["playing"] == false)
            let played = try kit.host.result("mediaPlay", notification)
            #expect(played.shownText == "plays")
            #expect(played["media"]?["playing"] == true && played["media"]?["tintColor"] == "#ff0000")
            let paused = try kit.host.call("mediaPause", notification)
            #expect(paused.refusal?["code"] == -32601, "the author has no handler: \(paused)")
        }
    }

    @Test("ExtensionKit: buttons, title and media")
    func extensionKit() throws {
        try Workshop.open { workshop in
            let script = "exec '\(try builtProduct("kit-extension"))'"
            let title = ["UNNotificationExtensionOverridesDefaultTitle": true]
            try workshop.add(named: "kit", script: script, attributes: title)
            let host = try workshop.host()
            try host.result("subscribe", ["topics": ["viewDidChange"]])
            try host.result("setNotificationCategories", ["categories": [Self.category]])
            let shown = try #require(try host.show("kit", title: "media")["result"])
            #expect(shown["view"]?["text"] == "A B")
            #expect(shown["title"] == "A title")
            #expect(shown["media"]?["frame"]?["height"]?.number == 4)
            let notification: JSON = ["notification": shown["notification"] ?? .null]
            let played = try host.result("mediaPlay", notification)
            #expect(played["view"]?["text"] == "plays" && played["media"]?["playing"] == true)
            let paused = try host.result("mediaPause", notification)
            #expect(paused["view"]?["text"] == "paused" && paused["media"]?["playing"] == false)
            #expect(try host.notification("viewDidChange")["media"]?["playing"] == false)
        }
    }
}
