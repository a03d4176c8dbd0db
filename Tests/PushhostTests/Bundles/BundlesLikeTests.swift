import JSON
import TestSupport
import Testing

@Suite(.waits, .wire) struct BundlesLikeTests {
    @Test("An item is shown with its image, the image's description, and an outlined heart")
    func item() throws {
        try BundlesHost.with { host in
            let image = "https://example.com/song.png"
            let pairs: [(String, JSON)] = [
                ("item_subtitle", "The Band"), ("item_price", "€ 1"), ("item_image", .string(image)),
                ("item_image_alt", "A drum"),
            ]
            let shown = try show(host, pairs)
            #expect(shown["image"] == ["type": "image", "id": "image", "url": .string(image), "alt": "A drum"])
            #expect(shown["title"] == ["type": "text", "id": "title", "text": "Song", "style": "title"])
            #expect(shown["subtitle"]?["text"] == "The Band")
            #expect(shown["price"]?["text"] == "€ 1")
            #expect(shown["like"]?["title"] == "♡ Like")
            #expect(shown.view.children.map { $0["type"] } == ["image", "row", "text", "text"])
            #expect(try show(host, [("item_image", .string(image))])["image"]?["alt"] == "Song")
            #expect(try show(host).view.children.map { $0["type"] } == ["row"])
            #expect(try host.pending() == [])
        }
    }

    @Test("Each touch toggles the heart and saves an event and a change of the array")
    func toggle() throws {
        try BundlesHost.with { host in
            let shown = try show(host)
            for heart in ["♥ Liked", "♡ Like", "♥ Liked"] { #expect(try touch(shown, host) == heart) }
            #expect(try host.pending() == liked + unliked + liked)
        }
    }

    @Test("A like is remembered for the user and the item, in every thread and process")
    func remembered() throws {
        try BundlesHost.withSuccessors { host in
            _ = try touch(try show(host), host)
            #expect(heart(try show(host)) == "♥ Liked")
            #expect(heart(try show(host, thread: "other")) == "♥ Liked")
            #expect(heart(try show(host, [("item_id", "song/1")])) == "♡ Like")
            #expect(heart(try show(host, [("braze_id", "bob")])) == "♡ Like")
            #expect(heart(try show(host, [("braze_id", "ada/song"), ("item_id", "1")])) == "♡ Like")
        } _: { host in
            let shown = try show(host)
            #expect(heart(shown) == "♥ Liked")
            #expect(try touch(shown, host) == "♡ Like")
            #expect(heart(try show(host)) == "♡ Like")
        }
    }

    @Test("Of two notifications about one item, the second does not save a like that the first one saved")
    func together() throws {
        try BundlesHost.with { host in
            let (first, second) = (try show(host, thread: "first"), try show(host, thread: "second"))
            #expect(try touch(first, host) == "♥ Liked")
            #expect(try touch(second, host) == "♥ Liked")
            #expect(try host.pending() == liked)
            #expect(try touch(second, host) == "♡ Like")
            #expect(try host.pending() == liked + unliked)
        }
    }

    @Test("A later notification of the thread shows another item with its own like")
    func thread() throws {
        try BundlesHost.with { host in
            _ = try touch(try show(host), host)
            let other = try show(host, [("item_id", "listing"), ("item_title", "Flat")])
            #expect(other["title"]?["text"] == "Flat")
            #expect(heart(other) == "♡ Like")
            #expect(try touch(other, host) == "♥ Liked")
            #expect(try host.pending().last?["value"] == ["add": ["listing"]])
        }
    }

    @Test("A retry after a failure does not save a like twice", arguments: [0, 1])
    func retry(saved: Int) throws {
        try BundlesHost.with(["--suite-records", "2"]) { host in
            let shown = try show(host)
            for _ in saved..<2 { try host.saveUnrelatedRecord() }
            let params: JSON = ["notification": shown.notification, "element": "like"]
            for _ in 1...2 {
                #expect(try host.refusal("interact", params)["data"]?["reason"] == "suiteFull")
            }
            #expect(try host.pending().dropFirst(2 - saved) == liked.prefix(saved))
            try host.flush()
            #expect(try touch(shown, host) == "♥ Liked")
            #expect(try host.pending()[...] == liked.dropFirst(saved))
        }
    }

    @Test("A failed touch of one item saves nothing for the next item of the thread")
    func otherItem() throws {
        try BundlesHost.with(["--suite-records", "2"]) { host in
            let shown = try show(host)
            try host.saveUnrelatedRecord()
            let params: JSON = ["notification": shown.notification, "element": "like"]
            #expect(try host.refusal("interact", params)["data"]?["reason"] == "suiteFull")
            try host.flush()
            _ = try touch(try show(host, [("item_id", "listing")]), host)
            let records = try host.pending()
            #expect(records.first?["properties"] == ["Item": "listing"])
            #expect(records.last?["value"] == ["add": ["listing"]])
        }
    }

    @Test("An invalid key-value pair of a like is refused, and the error says what is needed")
    func wrongPairs() throws {
        let wrong: [(String, JSON?)] = [
            ("item_id", nil), ("item_id", " "), ("item_id", 7),
            ("item_id", .string(String(repeating: "é", count: 101))),
            ("item_title", nil), ("item_title", ""), ("item_subtitle", 5), ("item_price", 9.5),
            ("item_image_alt", .null),
            ("item_image", "http://example.com/a.png"), ("item_image", "a.png"), ("item_image", "https:// x"),
        ]
        try BundlesHost.with { host in
            for (key, value) in wrong {
                let good: [(String, JSON)] = [("item_id", "song"), ("item_title", "Song")]
                let pairs = good.filter { $0.0 != key } + (value.map { [(key, $0)] } ?? [])
                let payload = BundlesHost.payload(category: "like", pairs)
                let refusal = try host.refusal("didReceive", ["payload": payload])
                let path = "/params/request/content/userInfo/\(key)"
                #expect(refusal["data"] == ["reason": "invalidUserInfo", "path": .string(path)])
                #expect(refusal["message"]?.string?.hasPrefix("the key-value pair \(key) must be a string") == true)
            }
        }
    }

    @Test("Only the heart can be touched")
    func otherElements() throws {
        try BundlesHost.with { host in
            let params: JSON = ["notification": try show(host).notification, "element": "title"]
            let refusal = try host.refusal("interact", params)
            #expect(refusal["data"] == ["reason": "notTouchable", "path": "/params/element"])
            #expect(try host.pending() == [])
        }
    }

    // MARK: Steps

    private let liked: [JSON] = [
        ["kind": "customEvent", "name": "Liked Item", "properties": ["Item": "song"], "user": ["braze_id": "ada"]],
        ["kind": "customAttribute", "key": "Liked Items", "value": ["add": ["song"]], "user": ["braze_id": "ada"]],
    ]

    private let unliked: [JSON] = [
        ["kind": "customEvent", "name": "Unliked Item", "properties": ["Item": "song"], "user": ["braze_id": "ada"]],
        ["kind": "customAttribute", "key": "Liked Items", "value": ["remove": ["song"]], "user": ["braze_id": "ada"]],
    ]

    private func show(_ host: BundlesHost, thread: String = "items", _ pairs: [(String, JSON)] = []) throws -> Shown {
        let usual: [(String, JSON)] = [("braze_id", "ada"), ("item_id", "song"), ("item_title", "Song")]
        let rest = usual.filter { name, _ in !pairs.contains { $0.0 == name } }
        return try host.receive(category: "like", thread: thread, rest + pairs)
    }

    /// Touches the heart and returns its new title.
    private func touch(_ shown: Shown, _ host: BundlesHost) throws -> String? {
        let params: JSON = ["notification": shown.notification, "element": "like"]
        return heart(Shown(try host.result("interact", params)))
    }

    private func heart(_ shown: Shown) -> String? { shown["like"]?["title"]?.string }
}
