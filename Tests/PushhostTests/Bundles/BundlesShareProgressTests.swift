import JSON
import TestSupport
import Testing

@Suite(.waits, .wire) struct BundlesShareProgressTests {
    private static let suite = JSON.string(BundlesHost.suite)

    @Test("The notification shows the progress and what would be shared, and stores nothing before it is shared")
    func shown() throws {
        try BundlesHost.with { host in
            let shown = try receive(host)
            #expect(shown["body"]?["text"] == "Hello")
            #expect(shown["name"]?["text"] == "Braze Learning")
            #expect(shown["count"] == ["type": "text", "id": "count", "text": "3/8", "alignment": "end"])
            #expect(shown["progress"] == ["type": "progress", "id": "progress", "value": 3, "total": 8])
            #expect(shown["share-text"]?["text"] == "Braze Learning: I have completed 3 of 8!")
            #expect(shown.actions == [["identifier": "SHARE", "title": "Share", "options": ["foreground"]]])
            #expect(try host.pending() == [])
            #expect(try shared(host) == .null)
            let more = try receive(host, [("progress_completed", "9")])
            #expect(more["count"]?["text"] == "8/8", "more than there is means all")
        }
    }

    @Test(
        "SHARE leaves the shared content in the App Group, saves the event, and opens the app",
        arguments: [true, false]
    )
    func share(hasURL: Bool) throws {
        try BundlesHost.with { host in
            _ = try host.result("subscribe", ["topics": ["openApplication"]])
            let url: [(String, JSON)] = hasURL ? [("share_url", "https://www.example.com/ada")] : []
            let shown = try receive(host, url + [("braze_id", "ada")])
            let result = try host.result("didReceiveResponse", press(shown, "SHARE"))
            #expect(result == ["option": "dismissAndForward", "forwarded": true])
            let opened = try host.notification("openApplication")
            #expect(opened == ["notification": shown.notification, "actionIdentifier": "SHARE"])
            let text: [(String, JSON)] = [("text", "Braze Learning: I have completed 3 of 8!")]
            let link: [(String, JSON)] = hasURL ? [("url", "https://www.example.com/ada")] : []
            #expect(try shared(host) == .object(JSON.Object(text + link)))
            let properties: JSON = ["Name": "Braze Learning", "Completed": 3, "Total": 8]
            let event: JSON = [
                "kind": "customEvent", "name": "Shared Progress", "properties": properties, "user": ["braze_id": "ada"],
            ]
            #expect(try host.pending() == [event])
        }
    }

    @Test("A tap opens the app and a dismissal does not, and neither shares anything")
    func others() throws {
        try BundlesHost.with { host in
            let category: JSON = ["identifier": "share_progress", "options": ["customDismissAction"]]
            _ = try host.result("setNotificationCategories", ["categories": [category]])
            let tap = "com.apple.UNNotificationDefaultActionIdentifier"
            #expect(try host.result("didReceiveResponse", press(try receive(host), tap))["forwarded"] == true)
            let swipe = "com.apple.UNNotificationDismissActionIdentifier"
            #expect(try host.result("didReceiveResponse", press(try receive(host), swipe))["option"] == "dismiss")
            #expect(try host.pending() == [])
            #expect(try shared(host) == .null)
        }
    }

    @Test("A share that cannot be saved is refused, and a retry stores the event once")
    func retry() throws {
        try BundlesHost.with(["--suite-records", "1"]) { host in
            try host.saveUnrelatedRecord()
            let shown = try receive(host)
            let refusal = try host.refusal("didReceiveResponse", press(shown, "SHARE"))
            #expect(refusal["data"]?["reason"] == "suiteFull")
            try host.flush()
            #expect(try host.result("didReceiveResponse", press(shown, "SHARE"))["forwarded"] == true)
            #expect(try host.pending().map { $0["name"] } == ["Shared Progress"])
        }
    }

    @Test(
        "An invalid key-value pair of a share is refused, and the error says what is needed",
        arguments: [
            ("progress_name", nil), ("progress_name", 5), ("progress_completed", "-1"), ("progress_completed", 3),
            ("progress_completed", "1000001"), ("progress_total", "0"), ("progress_total", nil), ("share_url", "ada"),
            ("share_url", ""), ("share_url", 5),
        ] as [(String, JSON?)]
    )
    func wrongPairs(key: String, value: JSON?) throws {
        try BundlesHost.with { host in
            let pairs = Self.pairs.filter { $0.0 != key } + (value.map { [(key, $0)] } ?? [])
            let payload = BundlesHost.payload(category: "share_progress", pairs)
            let refusal = try host.refusal("didReceive", ["payload": payload])
            let path = "/params/request/content/userInfo/\(key)"
            #expect(refusal["data"] == ["reason": "invalidUserInfo", "path": .string(path)])
        }
    }

    @Test("A refused notification of the thread does not change what is shared")
    func refusedLater() throws {
        try BundlesHost.with { host in
            let shown = try receive(host, thread: "t")
            let wrong =
                Self.pairs.filter { $0.0 != "progress_name" } + [("progress_name", "Other"), ("share_url", "no")]
            let payload = BundlesHost.payload(category: "share_progress", thread: "t", wrong)
            _ = try host.refusal("didReceive", ["payload": payload])
            _ = try host.result("didReceiveResponse", press(shown, "SHARE"))
            #expect(try shared(host) == ["text": "Braze Learning: I have completed 3 of 8!"])
        }
    }

    @Test(
        "The shared texts are in the notification's language",
        arguments: [
            ("de", "Teilen", "Braze Learning: Ich habe 3 von 8 geschafft!"),
            ("fr", "Partager", "Braze Learning\u{A0}: j’en suis à 3 sur 8\u{A0}!"),
            ("es", "Compartir", "Braze Learning: ¡he completado 3 de 8!"),
            ("ko-KR", "공유하기", "Braze Learning: 8개 중 3개를 완료했어요!"),
            ("en", "Share", "Braze Learning: I have completed 3 of 8!"),
        ]
    )
    func languages(locale: String, title: String, text: String) throws {
        try BundlesHost.with { host in
            let payload = BundlesHost.payload(category: "share_progress", Self.pairs)
            let shown = Shown(try host.result("didReceive", ["payload": payload, "locale": .string(locale)]))
            #expect(shown.actions.array?.first?["title"] == .string(title))
            _ = try host.result("didReceiveResponse", press(shown, "SHARE"))
            #expect(try shared(host)["text"] == .string(text))
        }
    }

    // MARK: Steps

    private static let pairs: [(String, JSON)] = [
        ("progress_name", "Braze Learning"), ("progress_completed", "3"), ("progress_total", "8"),
    ]

    private func receive(_ host: BundlesHost, thread: String = "", _ more: [(String, JSON)] = []) throws -> Shown {
        let pairs = Self.pairs.filter { pair in !more.contains { $0.0 == pair.0 } }
        return try host.receive(category: "share_progress", thread: thread, pairs + more)
    }

    private func press(_ shown: Shown, _ action: String) -> JSON {
        ["notification": shown.notification, "actionIdentifier": .string(action)]
    }

    /// The content that the app finds in the App Group.
    private func shared(_ host: BundlesHost) throws -> JSON {
        try host.result("retrieve", ["suite": Self.suite, "key": "shared_progress"])["value"] ?? .null
    }
}
