import JSON
import TestSupport
import Testing

/// What the kits let authors say of buttons, titles and media, through the real host.
@Suite(.hangs, .wire) struct KitsSurfaceTests {
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
}
