import JSON
import NotificationHTML
import Notifications
import TestSupport
import Testing

/// Films: notifications that change in one SVG file.
@Suite(.waits) struct FilmTests {
    private static func shown(_ text: String) -> ShownNotification {
        ShownNotification([
            "notification": "n", "extension": "com.example.cafe", "content": ["title": "Hello"],
            "view": ["type": "stack", "children": [["type": "button", "id": "go", "title": .string(text)]]],
        ])
    }

    private static func scene(_ text: String, _ caption: String, saved: [String] = []) -> Film.Scene {
        Film.Scene(shown(text), .expanded, language: nil, caption: caption, saved: saved, milliseconds: 1_000)
    }

    @Test("What looks the same is there once, at each time at which it is seen, and the last scene is seen at the end")
    func sharing() throws {
        let scenes = [
            Self.scene("A", "one"), Self.scene("B", "two"), Self.scene("A", "three"), Self.scene("B", "four"),
        ]
        let film = Film(scenes, HTMLRenderer.Settings()).svg(title: "x")
        #expect(film.matches(of: /<foreignObject/).count == 2 + 4)
        let first = try #require(film.firstMatch(of: /@keyframes f0\{(.*?\})\}/))
        let steps = [
            "0%{opacity:1}to{opacity:0}", "4.500%,29.500%{opacity:1}29.525%{opacity:0}50.000%{opacity:0}",
            "54.500%,79.500%{opacity:1}79.525%{opacity:0}",
        ]
        #expect(first.output.1 == steps.joined())
        #expect(film.contains("#f1,#c3{opacity:1}"))
        #expect(film.contains("animation:f0 4000ms infinite"))
        #expect(film.contains("prefers-reduced-motion"))
        #expect(try XMLDocuments([film]).documents[0].elements.isDisjoint(with: ["script", "image"]))
    }

    @Test("What is touched has a mark at the end of its scene, and the caption of the next one comes with it")
    func touch() {
        var scenes = [Self.scene("A", "before"), Self.scene("B", "after", saved: ["<Saved>"])]
        scenes[0].touched = .element("go")
        let film = Film(scenes, HTMLRenderer.Settings()).svg(title: "x")
        #expect(film.contains("<div class=\"pn-touched\"><p class=\"pn-button\""))
        #expect(film.contains("#f0 .pn-touched::after{animation:f0t 2000ms infinite}"))
        // The caption without the record comes first, 640 ms before the scene changes.
        #expect(film.contains("@keyframes c1{0%{opacity:0}to{opacity:0}18.000%{opacity:0}"))
        #expect(film.contains("&lt;Saved&gt;"))
        for target in [
            Drawing.Target.action(OfferedAction.dismissIdentifier), .action(OfferedAction.defaultIdentifier),
        ] {
            scenes[0].touched = target
            #expect(Film(scenes, HTMLRenderer.Settings()).svg(title: "x").contains(" pn-touched\""), "\(target)")
        }
    }
}
