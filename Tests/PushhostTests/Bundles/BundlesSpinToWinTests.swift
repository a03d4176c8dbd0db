import JSON
import TestSupport
import Testing

@Suite(.waits, .wire) struct BundlesSpinToWinTests {
    @Test("The wheel shows its slices and a button, and stores nothing before it is spun")
    func wheel() throws {
        try BundlesHost.with { host in
            let shown = try wheel(host)
            #expect(shown["body"]?["text"] == "Hello")
            #expect(shown["wheel"]?.children.compactMap { $0["text"]?.string } == ["5%", "10%", "50%"])
            #expect(shown["spin"] == ["type": "button", "id": "spin", "title": "Spin"])
            #expect(shown.actions == [])
            #expect(try host.pending() == [])
        }
    }

    @Test("A spin wins one of the slices, marks it, stores it once and offers an action that opens the app")
    func spin() throws {
        try BundlesHost.with { host in
            let shown = try wheel(host, [("braze_id", "ada")])
            let spun = try spin(shown, host)
            let discount = try #require(won(spun))
            #expect([5, 10, 50].contains(discount))
            #expect(spun["won"]?["text"] == .string("You won \(discount)% off!"))
            #expect(spun["spin"] == nil)
            let redeem: JSON = [["identifier": "REDEEM", "title": "Use it now", "options": ["foreground"]]]
            #expect(spun.actions == redeem)
            let user: JSON = ["braze_id": "ada"]
            #expect(try host.pending() == records(discount, [("user", user)]))

            let again: JSON = ["notification": shown.notification, "element": "spin"]
            #expect(try host.error("interact", again)["data"]?["reason"] == "unknownElement")
            let press: JSON = ["notification": shown.notification, "actionIdentifier": "REDEEM"]
            let result = try host.result("didReceiveResponse", press)
            #expect(result["forwarded"] == true)
            #expect(try host.pending().count == 2)
        }
    }

    @Test("The random seed determines where the wheel stops")
    func seeds() throws {
        func discount(_ seed: Int) throws -> Int? {
            var discount: Int?
            try BundlesHost.with(seed: seed) { discount = won(try spin(try wheel($0), $0)) }
            return discount
        }
        let discounts = try (1...6).map(discount)
        #expect(try discount(1) == discounts[0])
        #expect(Set(discounts).count > 1, "\(discounts)")
    }

    @Test("A later notification of the thread replaces the wheel before the spin, but not after it")
    func thread() throws {
        try BundlesHost.with { host in
            _ = try wheel(host)
            let joined = try wheel(host, [("discounts", "1, 2")])
            #expect(joined["wheel"]?.children.compactMap { $0["text"]?.string } == ["1%", "2%"])
            let discount = won(try spin(joined, host))
            let late = try wheel(host, [("discounts", "70,80")])
            #expect(won(late) == discount)
            #expect(late["wheel"]?.children.count == 2)
            #expect(try host.pending().count == 2)
        }
    }

    @Test("An invalid wheel is refused, the error says what is needed, and nothing is stored")
    func wrongPairs() throws {
        let values: [JSON?] = [
            "", "5", "5,", "5,0", "5,101", "5,-1", "5,ten", "5;10", "5.5,10", "１,2", 5, [5, 10], .null, nil,
            .string([String](repeating: "5", count: 13).joined(separator: ",")),
        ]
        try BundlesHost.with { host in
            for value in values {
                let payload = BundlesHost.payload(category: "spin_to_win", value.map { [("discounts", $0)] } ?? [])
                let refusal = try host.refusal("didReceive", ["payload": payload])
                let path = "/params/request/content/userInfo/discounts"
                #expect(refusal["data"] == ["reason": "invalidUserInfo", "path": .string(path)])
                #expect(refusal["message"]?.string?.hasPrefix("the key-value pair discounts must be a string") == true)
            }
            #expect(try host.pending() == [])
        }
    }

    @Test("Elements that are not buttons ignore touches")
    func deadElements() throws {
        try BundlesHost.with { host in
            let shown = try wheel(host)
            for element in ["title", "wheel", "slice-1"] {
                let params: JSON = ["notification": shown.notification, "element": .string(element)]
                #expect(try host.refusal("interact", params)["data"]?["reason"] == "notTouchable")
            }
        }
    }

    @Test("A spin that cannot be stored can be repeated and wins the same slice", arguments: [0, 1])
    func retry(stored: Int) throws {
        var discount: Int?
        try BundlesHost.with { discount = won(try spin(try wheel($0), $0)) }
        let expected = records(try #require(discount))
        try BundlesHost.with(["--suite-records", "2"]) { host in
            let shown = try wheel(host)
            for _ in stored..<2 { try host.saveUnrelatedRecord() }
            for _ in 1...2 {
                let params: JSON = ["notification": shown.notification, "element": "spin"]
                #expect(try host.refusal("interact", params)["data"]?["reason"] == "suiteFull")
            }
            #expect(try host.pending().dropFirst(2 - stored) == expected.prefix(stored))
            try host.flush()
            #expect(won(try spin(shown, host)) == discount)
            #expect(try host.pending()[...] == expected.dropFirst(stored))
        }
    }

    @Test(
        "The wheel's texts exist in five languages",
        arguments: [
            ("de", "Drehen", "5\u{A0}%"), ("fr", "Tourner", "5\u{A0}%"), ("es-MX", "Girar", "5\u{A0}%"),
            ("ko", "돌리기", "5%"), ("en-GB", "Spin", "5%"), ("it", "Spin", "5%"),
        ]
    )
    func languages(locale: String, button: String, slice: String) throws {
        try BundlesHost.with { host in
            let payload = BundlesHost.payload(category: "spin_to_win", [("discounts", "5,10")])
            let shown = Shown(try host.result("didReceive", ["payload": payload, "locale": .string(locale)]))
            #expect(shown["spin"]?["title"] == .string(button))
            #expect(shown["slice-0"]?["text"] == .string(slice))
        }
    }

    // MARK: Steps

    private func wheel(_ host: BundlesHost, _ pairs: [(String, JSON)] = []) throws -> Shown {
        let isThere = pairs.contains { $0.0 == "discounts" }
        let wheel: [(String, JSON)] = isThere ? [] : [("discounts", "5,10,50")]
        return try host.receive(category: "spin_to_win", thread: "wheel", wheel + pairs)
    }

    private func spin(_ shown: Shown, _ host: BundlesHost) throws -> Shown {
        Shown(try host.result("interact", ["notification": shown.notification, "element": "spin"]))
    }

    /// The discount of the marked slice.
    private func won(_ shown: Shown) -> Int? {
        let texts = shown["wheel"]?.children.compactMap { $0["text"]?.string } ?? []
        let marked = texts.filter { $0.hasPrefix("▶ ") }
        return marked.count == 1 ? Int(marked[0].dropFirst(2).dropLast()) : nil
    }

    private func records(_ discount: Int, _ members: [(String, JSON)] = []) -> [JSON] {
        let value = JSON(discount)
        let event: [(String, JSON)] = [
            ("kind", "customEvent"), ("name", "Spun the Wheel"), ("properties", ["Discount": value]),
        ]
        let attribute: [(String, JSON)] = [("kind", "customAttribute"), ("key", "Wheel Discount"), ("value", value)]
        return [.object(JSON.Object(event + members)), .object(JSON.Object(attribute + members))]
    }
}
