import Foundation
import JSON
import TestSupport
import Testing

@Suite(.waits, .wire) struct BundlesPushStoryTests {
    private static let category = "ab_cat_push_story_v2"
    private static let tap: JSON = "com.apple.UNNotificationDefaultActionIdentifier"

    @Test("The example's pages show their picture, texts and alignment, starting with the first page")
    func pages() throws {
        try BundlesHost.with { host in
            let data = try Data(contentsOf: URL(filePath: "\(repositoryRoot)/plugins/push-story/payload.apns"))
            let shown = Shown(try host.result("didReceive", ["payload": try JSON(parsing: [UInt8](data))]))
            let carousel = try #require(shown["story"])
            #expect(carousel["page"] == 0)
            #expect(carousel.children.count == 3)
            #expect(
                carousel.children[0].children == [
                    ["type": "image", "id": "page-0", "url": "https://images.example.com/dawn.png", "alt": "Dawn"],
                    ["type": "text", "text": "Dawn", "style": "title", "alignment": "center"],
                    ["type": "text", "text": "The first light", "alignment": "center"],
                ]
            )
            #expect(carousel.children.map { $0.children[1]["alignment"] } == ["center", "start", "end"])
            #expect(buttons(shown) == ["next"])
            #expect(shown.actions == [])
        }
    }

    @Test("Buttons and swipes turn the pages and stop at the first and the last page")
    func turns() throws {
        try BundlesHost.with { host in
            let story = try receive(host, [item(0), item(1), item(2)])
            func touch(_ element: String, _ value: JSON? = nil) throws -> (page: JSON?, buttons: [String]) {
                let shown = Shown(try host.result("interact", params(story, element, value)))
                return (shown["story"]?["page"], buttons(shown))
            }
            #expect(try touch("next") == (1, ["previous", "next"]))
            #expect(try touch("next") == (2, ["previous"]))
            #expect(try host.error("interact", params(story, "next"))["data"]?["reason"] == "unknownElement")
            #expect(try touch("previous") == (1, ["previous", "next"]))
            #expect(try touch("story", 0) == (0, ["next"]))
            #expect(try host.error("interact", params(story, "previous"))["data"]?["reason"] == "unknownElement")
            #expect(try touch("story", 2) == (2, ["previous"]))
            for value: JSON? in [3, -1, "1", 1.0, .null, nil, .integer(.max)] {
                let refusal = try host.refusal("interact", params(story, "story", value))
                #expect(refusal["data"] == ["reason": "noSuchPage", "path": "/params/value"])
                #expect(refusal["message"] == "the story has the pages 0 to 2, and page 2 is shown")
            }
            #expect(try touch("story", 2) == (2, ["previous"]))
        }
    }

    @Test("A story with one page offers no buttons to turn it")
    func onePage() throws {
        try BundlesHost.with { host in
            let story = try receive(host, [item(0)])
            #expect(story.view["type"] == "carousel")
            #expect(story["next"] == nil)
        }
    }

    @Test(
        "A touch of the current page's picture opens its link and dismisses the notification",
        arguments: [("https://www.example.com/0", true), ("myapp://0", true), ("", false), (nil, false)]
            as [(String?, Bool)]
    )
    func link(uri: String?, isLink: Bool) throws {
        try BundlesHost.with { host in
            _ = try host.result("subscribe", ["topics": ["openApplication", "didDismiss"]])
            let page = item(0, uri.map { [("uri", .string($0))] } ?? [])
            let story = try receive(host, [page, item(1)])
            #expect(try host.refusal("interact", params(story, "page-1"))["data"]?["reason"] == "notTouchable")
            _ = try host.result("interact", params(story, "page-0"))
            let opened = try host.notification("openApplication")
            #expect(opened["actionIdentifier"] == Self.tap)
            #expect(opened["url"] == (isLink ? uri.map { .string($0) } : nil))
            #expect(try host.notification("didDismiss")["notification"] == story.notification)
            #expect(try host.pending() == [], "what Braze's SDK logs is not public")
        }
    }

    @Test(
        "A tap opens the link of the current page, an action leaves the link to the app, and a dismissal opens nothing"
    )
    func response() throws {
        try BundlesHost.with { host in
            let category: JSON = [
                "identifier": .string(Self.category),
                "actions": [["identifier": "MORE", "title": "More", "options": ["foreground"]]],
                "options": ["customDismissAction"],
            ]
            _ = try host.result("setNotificationCategories", ["categories": [category]])
            func respond(_ action: JSON, afterTurning turns: Bool = true) throws -> JSON {
                let story = try receive(host, [item(0, [("uri", "myapp://0")]), item(1, [("uri", "myapp://1")])])
                if turns { _ = try host.result("interact", params(story, "next")) }
                let press: JSON = ["notification": story.notification, "actionIdentifier": action]
                return try host.result("didReceiveResponse", press)
            }
            let forward: JSON = "dismissAndForward"
            #expect(
                try respond(Self.tap, afterTurning: false) == [
                    "option": forward, "forwarded": true, "url": "myapp://0",
                ]
            )
            #expect(try respond(Self.tap) == ["option": forward, "forwarded": true, "url": "myapp://1"])
            #expect(try respond("MORE") == ["option": forward, "forwarded": true])
            let swipe: JSON = "com.apple.UNNotificationDismissActionIdentifier"
            #expect(try respond(swipe) == ["option": "dismiss", "forwarded": false])
        }
    }

    @Test(
        "A page that cannot be shown is left out, and the diagnostic says which page and why",
        arguments: [
            (["t": "No picture"], "i must be the https:// URL of an image, it is missing"),
            (["i": ""], "it is missing"),
            (["i": .null], "it is missing"), (["i": 5], "i must be a string, it is 5"),
            (["i": "http://images.example.com/a.png"], #"it is "http://images.example.com/a.png""#),
            (["i": "a.png"], #"it is "a.png""#), (["i": "https://"], #"it is "https://""#),
            (["i": "https://a.example/a", "t": 5], "t must be a string, it is 5"),
            (["i": "https://a.example/a", "st": ["x"]], #"st must be a string, it is ["x"]"#),
            (["i": "https://a.example/a", "uri": false], "uri must be a string, it is false"),
            ("page", "a page is an object, this is string"), (.null, "a page is an object, this is null"),
        ] as [(JSON, String)]
    )
    func leftOut(page: JSON, why: String) throws {
        try BundlesHost.with { host in
            let reply = try reply(host, [item(0), page, item(2)])
            #expect(Shown(reply)["story"]?.children.count == 2)
            let diagnostics = reply["diagnostics"]?.array.map(Array.init) ?? []
            #expect(diagnostics.map { $0["reason"] } == ["pageLeftOut"])
            let message = diagnostics.first?["message"]?.string ?? ""
            #expect(message.hasPrefix("ab.c_items[1] is left out: "), "\(message)")
            #expect(message.contains(why), "\(message)")
        }
    }

    @Test(
        "A page with an invalid link or alignment is shown without it, and a diagnostic says so",
        arguments: [
            "summit", "myapp:", "myapp:" + String(repeating: "a", count: 2_043),
            String(repeating: "a", count: 3_000) + ":b",
        ]
    )
    func parts(uri: String) throws {
        try BundlesHost.with { host in
            let reply = try reply(host, [item(0, [("uri", .string(uri)), ("t_j", "left"), ("st_j", "")])])
            let texts = Shown(reply)["story"]?.children[0].children ?? []
            #expect(texts.map { $0["alignment"] } == [nil, "start", "start"])
            let diagnostics = reply["diagnostics"]?.array.map(Array.init) ?? []
            #expect(diagnostics.map { $0["reason"] } == ["alignmentIgnored", "linkIgnored"])
            #expect(diagnostics.allSatisfy { $0["message"]?.string?.hasPrefix("ab.c_items[0].") == true })
            let press: JSON = ["notification": Shown(reply).notification, "actionIdentifier": Self.tap]
            #expect(try host.result("didReceiveResponse", press) == ["option": "dismissAndForward", "forwarded": true])
        }
    }

    @Test(
        "Without a valid page, the alert's own texts are shown, and a tap opens the app",
        arguments: [["ab": ["c_items": []]], ["ab": ["c_items": [["t": "x"]]]], ["ab": ["c": .null]], ["ab": 5], [:]]
            as [JSON]
    )
    func noPages(members: JSON) throws {
        try BundlesHost.with { host in
            let pairs = members.object.map { $0.map { ($0.name, $0.value) } } ?? []
            let payload = BundlesHost.payload(category: Self.category, pairs)
            let reply = try host.result("didReceive", ["payload": payload])
            #expect(
                reply["view"] == ["type": "stack", "children": [["type": "text", "text": "Hello", "style": "body"]]]
            )
            #expect(reply["diagnostics"]?.array?.last?["reason"] == "noPages")
            let press: JSON = ["notification": reply["notification"] ?? .null, "actionIdentifier": Self.tap]
            #expect(try host.result("didReceiveResponse", press) == ["option": "dismissAndForward", "forwarded": true])
        }
    }

    @Test("A later notification of the thread starts another story")
    func thread() throws {
        try BundlesHost.with { host in
            let first = try receive(host, [item(0), item(1), item(2)], thread: "t")
            _ = try host.result("interact", params(first, "story", 2))
            let second = try receive(host, [item(3), item(4)], thread: "t")
            #expect(second["story"]?["page"] == 0)
            #expect(second["story"]?.children.count == 2)
        }
    }

    @Test(
        "The push story's texts exist in five languages",
        arguments: [
            ("de", "Weiter", "Seite 1 von 2"), ("fr", "Suivant", "Page 1 sur 2"), ("es", "Siguiente", "Página 1 de 2"),
            ("ko-KR", "다음", "2페이지 중 1페이지"), ("en", "Next", "Page 1 of 2"),
        ]
    )
    func languages(locale: String, next: String, page: String) throws {
        try BundlesHost.with { host in
            let pages: JSON = [["i": "https://a.example/a"], ["i": "https://a.example/b"]]
            let payload = BundlesHost.payload(category: Self.category, [("ab", ["c_items": pages])])
            let shown = Shown(try host.result("didReceive", ["payload": payload, "locale": .string(locale)]))
            #expect(shown["next"]?["title"] == .string(next))
            #expect(shown["page-0"]?["alt"] == .string(page))
        }
    }

    // MARK: Steps

    private func item(_ number: Int, _ more: [(String, JSON)] = []) -> JSON {
        let members: [(String, JSON)] = [
            ("i", .string("https://images.example.com/\(number).png")), ("t", .string("Title \(number)")),
            ("st", .string("Subtitle \(number)")),
        ]
        return .object(JSON.Object(members + more))
    }

    private func reply(_ host: BundlesHost, _ items: [JSON], thread: String = "") throws -> JSON {
        let ab: JSON = ["c": .null, "c_items": JSON(items)]
        return try host.result(
            "didReceive",
            ["payload": BundlesHost.payload(category: Self.category, thread: thread, [("ab", ab)])]
        )
    }

    private func receive(_ host: BundlesHost, _ items: [JSON], thread: String = "") throws -> Shown {
        Shown(try reply(host, items, thread: thread))
    }

    private func params(_ story: Shown, _ element: String, _ value: JSON? = nil) -> JSON {
        let members: [(String, JSON)] = [("notification", story.notification), ("element", .string(element))]
        return .object(JSON.Object(members + (value.map { [("value", $0)] } ?? [])))
    }

    /// The buttons beside the pages.
    private func buttons(_ shown: Shown) -> [String] {
        shown.view.children.filter { $0["type"] == "row" }.flatMap(\.children).compactMap { $0["id"]?.string }
    }
}
