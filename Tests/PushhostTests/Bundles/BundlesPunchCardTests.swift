import JSON
import TestSupport
import Testing

@Suite(.waits, .wire) struct BundlesPunchCardTests {
    private static let achievements = "1=Early Bird, 5=Regular, 10=Champion"

    @Test("A card shows its punches, how many are missing, and each achievement")
    func card() throws {
        try BundlesHost.with { host in
            let shown = try card(host, punches: "6", [("reward", "Espresso")])
            #expect(shown["body"]?["text"] == "Hello")
            #expect(shown["count"]?["text"] == "6/10")
            #expect(shown["progress"] == ["type": "progress", "id": "progress", "value": 6, "total": 10])
            let punches = shown["punches"]?.children.compactMap { $0["text"]?.string } ?? []
            #expect(punches == [String](repeating: "●", count: 6) + [String](repeating: "○", count: 4))
            #expect(shown["goal"]?["text"] == "4 to go: Espresso")
            #expect(texts(shown) == ["★ Early Bird (new)", "★ Regular (new)", "☆ Champion (at 10)"])
            #expect(shown.actions == [])
            #expect(try host.pending() == [unlocked("Early Bird"), unlocked("Regular"), viewed(6)])
        }
    }

    @Test("A user unlocks an achievement once, in every thread and process")
    func once() throws {
        try BundlesHost.with { host in
            #expect(texts(try card(host, punches: "1"))[0] == "★ Early Bird (new)")
            #expect(texts(try card(host, punches: "2", thread: "other"))[0] == "★ Early Bird")
            #expect(texts(try card(host, punches: "0"))[0] == "☆ Early Bird (at 1)")
            #expect(texts(try card(host, punches: "5"))[1] == "★ Regular (new)")
            let expected = [unlocked("Early Bird"), viewed(1), viewed(2), viewed(0), unlocked("Regular"), viewed(5)]
            #expect(try host.pending() == expected)
            // Another user has not unlocked it yet.
            try host.flush()
            let other = try card(host, punches: "1", thread: "bob", [("braze_id", "bob")])
            #expect(texts(other)[0] == "★ Early Bird (new)")
            #expect(try host.pending().compactMap { $0["user"]?["braze_id"] } == ["bob", "bob"])
        }
    }

    @Test("A full card offers its reward, and surplus punches count as full", arguments: ["10", "11", "1000000"])
    func full(punches: String) throws {
        try BundlesHost.with { host in
            let shown = try card(host, punches: .string(punches))
            #expect(shown["count"]?["text"] == "10/10")
            #expect(shown["goal"]?["text"] == "Your card is full: your reward")
            let redeem: JSON = [["identifier": "REDEEM", "title": "Get your reward", "options": ["foreground"]]]
            #expect(shown.actions == redeem)
            // A new card of the thread does not have its reward yet.
            #expect(try card(host, punches: "0").actions == [])
            let again = try card(host, punches: "10")
            let press: JSON = ["notification": again.notification, "actionIdentifier": "REDEEM"]
            #expect(try host.result("didReceiveResponse", press)["forwarded"] == true)
        }
    }

    @Test("A punch card may omit achievements", arguments: [nil, "", " "] as [JSON?])
    func none(value: JSON?) throws {
        try BundlesHost.with { host in
            let pairs: [(String, JSON)] = [("punches", "3"), ("punches_needed", "4")]
            let shown = try host.receive(category: "punch_card", pairs + (value.map { [("achievements", $0)] } ?? []))
            #expect(texts(shown) == [])
            #expect(try host.pending().count == 1)
        }
    }

    @Test("An invalid key-value pair is refused, the error says what is needed, and nothing is stored")
    func wrongPairs() throws {
        let wrong: [(String, JSON)] = [
            ("punches", "-1"), ("punches", "1000001"), ("punches", " 3"), ("punches", "3.0"), ("punches", 3),
            ("punches_needed", "0"), ("punches_needed", "51"), ("punches_needed", ""), ("reward", 7),
            ("achievements", "Regular"), ("achievements", "0=Never"), ("achievements", "51=Late"),
            ("achievements", "1=,2=Two"), ("achievements", "1=One,"), ("achievements", "1=One,2=One"),
            ("achievements", ["1=One"]),
        ]
        try BundlesHost.with { host in
            for (key, value) in wrong {
                let good: [(String, JSON)] = [("punches", "3"), ("punches_needed", "10")]
                let pairs = good.filter { $0.0 != key } + [(key, value)]
                let payload = BundlesHost.payload(category: "punch_card", pairs)
                let refusal = try host.refusal("didReceive", ["payload": payload])
                let path = "/params/request/content/userInfo/\(key)"
                #expect(refusal["data"] == ["reason": "invalidUserInfo", "path": .string(path)])
                #expect(refusal["message"]?.string?.hasPrefix("the key-value pair \(key) must be a string") == true)
            }
            #expect(try host.pending() == [])
        }
    }

    @Test("A retry after a failure does not store a punch twice", arguments: [0, 1, 2, 3])
    func retry(stored: Int) throws {
        let records = ["Early Bird", "Regular", "Champion"].map(unlocked) + [viewed(10)]
        try BundlesHost.with(["--suite-records", "4"]) { host in
            for _ in stored..<4 { try host.saveUnrelatedRecord() }
            for _ in 1...2 {
                let payload = BundlesHost.payload(category: "punch_card", pairs("10"))
                #expect(try host.refusal("didReceive", ["payload": payload])["data"]?["reason"] == "suiteFull")
            }
            #expect(try host.pending().dropFirst(4 - stored) == records.prefix(stored))
            try host.flush()
            _ = try card(host, punches: "10")
            #expect(try host.pending()[...] == records.dropFirst(stored))
        }
    }

    @Test("A punch card cannot be touched")
    func touches() throws {
        try BundlesHost.with { host in
            let params: JSON = ["notification": try card(host, punches: "1").notification, "element": "punch-1"]
            #expect(try host.error("interact", params)["data"]?["reason"] == "interactionDisabled")
        }
    }

    @Test(
        "The punch card's texts exist in five languages",
        arguments: [
            ("de", "Noch 4: deine Prämie"), ("fr", "Encore 4\u{A0}: votre récompense"),
            ("es", "Faltan 4: tu recompensa"), ("ko-KR", "4개 남았어요: 리워드"), ("en", "4 to go: your reward"),
        ]
    )
    func languages(locale: String, goal: String) throws {
        try BundlesHost.with { host in
            let payload = BundlesHost.payload(category: "punch_card", pairs("6"))
            let shown = Shown(try host.result("didReceive", ["payload": payload, "locale": .string(locale)]))
            #expect(shown["goal"]?["text"] == .string(goal))
        }
    }

    // MARK: Steps

    private func pairs(_ punches: JSON) -> [(String, JSON)] {
        [("punches", punches), ("punches_needed", "10"), ("achievements", .string(Self.achievements))]
    }

    private func card(
        _ host: BundlesHost,
        punches: JSON,
        thread: String = "card",
        _ more: [(String, JSON)] = []
    ) throws -> Shown {
        try host.receive(category: "punch_card", thread: thread, pairs(punches) + more)
    }

    /// The texts of the achievements.
    private func texts(_ shown: Shown) -> [String] {
        shown.view.children.filter { $0["id"]?.string?.hasPrefix("achievement-") == true }
            .compactMap { $0["text"]?.string }
    }

    private func unlocked(_ name: String) -> JSON {
        ["kind": "customEvent", "name": "Unlocked Achievement", "properties": ["Achievement": .string(name)]]
    }

    private func viewed(_ punches: Int) -> JSON {
        let properties: JSON = ["Punches": JSON(punches), "Needed": 10]
        return ["kind": "customEvent", "name": "Viewed Punch Card", "properties": properties]
    }
}
