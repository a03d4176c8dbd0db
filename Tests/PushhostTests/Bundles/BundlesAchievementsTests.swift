import JSON
import TestSupport
import Testing

@Suite(.waits, .wire) struct BundlesAchievementsTests {
    @Test("The badges are shown in a grid, each with its image, title and caption")
    func badges() throws {
        try BundlesHost.with { host in
            let image = "https://example.com/1.png"
            let pairs = badge(1, "first", "First Run", date: "May 4", image: image) + badge(2, "ten", "Ten Runs")
            let shown = try show(host, pairs + badge(3, "all", "All", remaining: "3 runs"))
            #expect(shown["count"] == ["type": "text", "id": "count", "text": "1 of 3 badges", "style": "title"])
            #expect(shown["progress"] == ["type": "progress", "id": "progress", "value": 1, "total": 3])
            #expect(shown["badges"]?["columns"] == 3)
            let badge: [JSON] = [
                ["type": "image", "id": "badge-1-image", "url": .string(image), "alt": "First Run"],
                ["type": "text", "id": "badge-1-title", "text": "First Run", "style": "title"],
                ["type": "text", "id": "badge-1-caption", "text": "★ New: May 4", "style": "caption"],
            ]
            #expect(shown["badge-1"]?.children == badge)
            #expect(shown["badge-2"]?.children.count == 2)
            #expect(captions(shown) == ["★ New: May 4", "☆ Locked", "☆ 3 runs to go"])
            #expect(try host.pending() == [unlocked("first")])
        }
    }

    @Test("A user sees each badge as new only once, in every thread and process")
    func once() throws {
        let (first, second) = (badge(1, "first", "First", date: "May 4"), badge(2, "second", "Second"))
        try BundlesHost.withSuccessors { host in
            let shown = try captions(host, first + second)
            #expect(shown == ["★ New: May 4", "☆ Locked"])
            #expect(try captions(host, first + second) == ["★ May 4", "☆ Locked"])
            #expect(try captions(host, thread: "other", first) == ["★ May 4"])
            #expect(try captions(host, user: "bob", thread: "bob", first) == ["★ New: May 4"])
        } _: { host in
            let later = first + badge(2, "second", "Zweiter", date: "June 1")
            let shown = try captions(host, later)
            #expect(shown == ["★ May 4", "★ New: June 1"])
            #expect(try host.pending() == [unlocked("first"), unlocked("first", user: "bob"), unlocked("second")])
        }
    }

    @Test("A retry after a failure does not save an achievement twice", arguments: [0, 1])
    func retry(saved: Int) throws {
        try BundlesHost.with(["--suite-records", "2"]) { host in
            let pairs = badge(1, "a", "A", date: "May") + badge(2, "b", "B", date: "June")
            for _ in saved..<2 { try host.saveUnrelatedRecord() }
            let payload = BundlesHost.payload(category: "achievements", [("braze_id", "ada")] + pairs)
            for _ in 1...2 {
                #expect(try host.refusal("didReceive", ["payload": payload])["data"]?["reason"] == "suiteFull")
            }
            try host.flush()
            _ = try show(host, pairs)
            #expect(try host.pending()[...] == [unlocked("a"), unlocked("b")].dropFirst(saved))
        }
    }

    @Test("An invalid key-value pair is refused with its key, and nothing is saved")
    func wrongPairs() throws {
        let wrong: [(String, JSON?)] = [
            ("badge_1_id", nil), ("badge_1_id", ""), ("badge_1_id", 7), ("badge_1_id", "second"), ("badge_2_id", " \t"),
            ("badge_1_title", nil), ("badge_2_title", .null), ("badge_1_image", "http://example.com/1.png"),
            ("badge_1_image", "1.png"), ("badge_1_unlocked", true), ("badge_2_remaining", 3),
            ("badge_1_id", .string(String(repeating: "x", count: 101))),
        ]
        try BundlesHost.with { host in
            for (key, value) in wrong {
                let good = badge(1, "first", "First", date: "May 4") + badge(2, "second", "Second")
                let pairs = good.filter { $0.0 != key } + (value.map { [(key, $0)] } ?? [])
                let payload = BundlesHost.payload(category: "achievements", pairs)
                let refusal = try host.refusal("didReceive", ["payload": payload])
                #expect(refusal["data"]?["reason"] == "invalidUserInfo")
                // If two badges have the same id, the error names the second one.
                let named = value == "second" ? "badge_2_id" : key
                #expect(refusal["data"]?["path"] == .string("/params/request/content/userInfo/\(named)"))
                #expect(refusal["message"]?.string?.hasPrefix("the key-value pair \(named) ") == true)
            }
            let none = BundlesHost.payload(category: "achievements", [("badge_13_id", "late")])
            let refusal = try host.refusal("didReceive", ["payload": none])
            #expect(refusal["message"] == "the key-value pair badge_1_id must be a string, it is missing")
            let gap = BundlesHost.payload(category: "achievements", badge(1, "a", "A") + badge(3, "c", "C"))
            let missing = try host.refusal("didReceive", ["payload": gap])["message"]
            #expect(missing == "the key-value pair badge_2_id must be a string, it is missing")
            #expect(try host.pending() == [])
        }
    }

    @Test("Twelve badges are shown in three columns")
    func twelve() throws {
        try BundlesHost.with { host in
            let shown = try show(host, (1...12).flatMap { badge($0, "id-\($0)", "Badge") })
            #expect(shown["badges"]?.children.count == 12)
            #expect(shown["badges"]?["columns"] == 3)
            #expect(try show(host, badge(1, "only", "Only"))["badges"]?["columns"] == 1)
        }
    }

    @Test("Badges cannot be touched, and a tap on the notification opens the app")
    func touches() throws {
        try BundlesHost.with { host in
            let shown = try show(host, badge(1, "first", "First"))
            let params: JSON = ["notification": shown.notification, "element": "badge-1"]
            #expect(try host.error("interact", params)["data"]?["reason"] == "interactionDisabled")
            let tap = "com.apple.UNNotificationDefaultActionIdentifier"
            let press: JSON = ["notification": shown.notification, "actionIdentifier": .string(tap)]
            #expect(try host.result("didReceiveResponse", press)["forwarded"] == true)
        }
    }

    // MARK: Steps

    private func badge(
        _ number: Int,
        _ id: String,
        _ title: String,
        date: String? = nil,
        remaining: String? = nil,
        image: String? = nil
    ) -> [(String, JSON)] {
        let pairs = [("id", id), ("title", title), ("unlocked", date), ("remaining", remaining), ("image", image)]
        return pairs.compactMap { name, value in value.map { ("badge_\(number)_\(name)", .string($0)) } }
    }

    private func show(
        _ host: BundlesHost,
        user: String = "ada",
        thread: String = "badges",
        _ pairs: [(String, JSON)]
    ) throws -> Shown {
        try host.receive(category: "achievements", thread: thread, [("braze_id", .string(user))] + pairs)
    }

    /// Shows badges and returns their captions.
    private func captions(
        _ host: BundlesHost,
        user: String = "ada",
        thread: String = "badges",
        _ pairs: [(String, JSON)]
    ) throws -> [String] {
        captions(try show(host, user: user, thread: thread, pairs))
    }

    private func captions(_ shown: Shown) -> [String] {
        let badges = shown["badges"]?.children ?? []
        return badges.compactMap { $0.children.last?["text"]?.string }
    }

    private func unlocked(_ badge: String, user: String = "ada") -> JSON {
        [
            "kind": "customEvent", "name": "Unlocked Badge", "properties": ["Badge": .string(badge)],
            "user": ["braze_id": .string(user)],
        ]
    }
}
