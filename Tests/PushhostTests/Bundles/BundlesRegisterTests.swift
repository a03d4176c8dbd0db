import JSON
import TestSupport
import Testing

@Suite(.waits, .wire) struct BundlesRegisterTests {
    private static let register: JSON = [
        ["identifier": "REGISTER", "title": "Register", "options": ["authenticationRequired"]]
    ]
    private static let close: JSON = [["identifier": "CLOSE", "title": "Close", "options": ["authenticationRequired"]]]

    @Test("An invitation shows its texts and a field, and offers no action yet")
    func invitation() throws {
        try BundlesHost.with { host in
            let shown = try invite(host)
            #expect(shown["header"]?["text"] == "Certification")
            #expect(shown["description"]?["text"] == "Prove what you know")
            #expect(shown["email"]?["type"] == "field")
            #expect(shown["email"]?["value"] == "")
            #expect(shown["image"] == nil)
            #expect(shown.actions == [])
            let blank = try host.receive(category: "lab_register")
            #expect(blank["header"]?["text"] == "")
            #expect(blank["description"]?["text"] == "")
            #expect(try host.pending() == [])
        }
    }

    @Test("A title or description that is not text is refused", arguments: ["cert_title", "cert_description"])
    func wrongPair(key: String) throws {
        try BundlesHost.with { host in
            let payload = BundlesHost.payload(category: "lab_register", [(key, 7)])
            let refusal = try host.refusal("didReceive", ["payload": payload])
            #expect(refusal["message"] == "the key-value pair \(key) must be a string, it is 7 (integer)")
        }
    }

    @Test("A registration with an e-mail address is stored once, in order, and shows thanks")
    func registration() throws {
        try BundlesHost.with { host in
            let shown = try invite(host)
            let entered = try enter("ada@example.com", shown, host)
            #expect(entered.actions == Self.register)
            #expect(entered["email"]?["value"] == "ada@example.com")
            #expect(try host.pending() == [])

            let registered = try press("REGISTER", shown, host)
            #expect(registered["option"] == "doNotDismiss")
            #expect(registered["diagnostics"] == nil)
            let thanks = Shown(registered)
            #expect(thanks["header"]?["text"] == "Certification", "the title stays")
            #expect(thanks["thanks"]?["text"] == "Thanks for registering!")
            #expect(thanks["description"]?["text"] == "You'll receive a confirmation email shortly.")
            #expect(thanks["email"] == nil)
            #expect(thanks.actions == Self.close)
            #expect(try host.pending() == records("ada@example.com"))

            // Neither the action nor the form is offered any more.
            #expect(try refusedPress("REGISTER", shown, host) == "unknownAction")
            let again: JSON = ["notification": shown.notification, "element": "email", "value": "bob@example.com"]
            #expect(try host.error("interact", again)["data"]?["reason"] == "unknownElement")

            let closed = try press("CLOSE", shown, host)
            #expect(closed["option"] == "dismiss")
            #expect(closed["forwarded"] == false)
            #expect(try host.pending() == records("ada@example.com"))
            #expect(try refusedPress("CLOSE", shown, host) == "noPresentation")
        }
    }

    @Test("A registration belongs to the user of the notification")
    func user() throws {
        try BundlesHost.with { host in
            let shown = try invite(host, [("braze_id", "b-1")])
            _ = try enter("ada@example.com", shown, host)
            _ = try press("REGISTER", shown, host)
            #expect(try host.pending().compactMap { $0["user"]?["braze_id"] } == ["b-1", "b-1", "b-1"])
        }
    }

    @Test(
        "Well-formed e-mail addresses are accepted",
        arguments: [
            "ada@example.com", "a@b.co", "a@b..co", "a@-b.co", ".a@b.co", "A.B_c%d+e-f@x-y.museum", "1@2.AB",
            "a@b.c.de",
        ]
    )
    func validAddress(text: String) throws {
        try BundlesHost.with { host in
            let shown = try invite(host)
            #expect(try enter(.string(text), shown, host).actions == Self.register)
        }
    }

    @Test("Malformed e-mail addresses are refused and remove the register action")
    func invalidAddresses() throws {
        let texts = [
            "", "a", "@", "a@", "@b.co", "a@b", "a@b.c", "a@.co", "a@b.co.", "a@b.co1", "a@b.c-o", " a@b.co",
            "a@b.co ", "a@b.co\n", "\na@b.co", "a\n@b.co", "a@b@c.de", "a@@b.co", "o'hara@b.co", "ä@b.co", "a@bü.co",
            "a@b.cö", "a@b.co\u{301}", "a@e\u{301}.co", "a\u{301}@b.co", "a@\u{301}b.co", "\u{212A}@b.co",
            "a@b.\u{212A}\u{212A}", "a＠b.co", "a@b。co", "a@b.co\u{0}", "a b@c.de", "a,b@c.de", "a@b_c.de",
            "a@b.co\u{2028}",
        ]
        try BundlesHost.with { host in
            let shown = try invite(host)
            for text in texts {
                #expect(try enter("ada@example.com", shown, host).actions == Self.register)
                let entered = try enter(.string(text), shown, host)
                #expect(entered.actions == [], "\(text)")
                #expect(entered["email"]?["value"] == .string(text))
                #expect(try refusedPress("REGISTER", shown, host) == "unknownAction")
            }
            #expect(try host.pending() == [])
        }
    }

    @Test("Registering without an address is refused")
    func notOffered() throws {
        try BundlesHost.with { host in
            let shown = try invite(host)
            #expect(try refusedPress("REGISTER", shown, host) == "unknownAction")
            // A category that the client sets may still offer the action; then the extension refuses it.
            let category: JSON = ["identifier": "lab_register", "actions": Self.register]
            _ = try host.result("setNotificationCategories", ["categories": [category]])
            let offered = try host.receive(category: "lab_register")
            #expect(offered.actions == Self.register)
            let params: JSON = ["notification": offered.notification, "actionIdentifier": "REGISTER"]
            #expect(try host.refusal("didReceiveResponse", params)["data"]?["reason"] == "noEmail")
            #expect(try host.pending() == [])
        }
    }

    @Test(
        "An entered value that is not text is refused and leaves the action unchanged",
        arguments: [7, .null, nil] as [JSON?]
    )
    func wrongValue(value: JSON?) throws {
        try BundlesHost.with { host in
            let shown = try invite(host)
            _ = try enter("ada@example.com", shown, host)
            let members: [(String, JSON)] = [("notification", shown.notification), ("element", "email")]
            let given = value.map { [("value", $0)] } ?? []
            let refusal = try host.refusal("interact", .object(JSON.Object(members + given)))
            #expect(refusal["data"] == ["reason": "invalidValue", "path": "/params/value"])
            #expect(try press("REGISTER", shown, host)["option"] == "doNotDismiss")
        }
    }

    @Test("Elements that are not fields ignore touches", arguments: ["header", "description"])
    func deadElement(element: String) throws {
        try BundlesHost.with { host in
            let params: JSON = ["notification": try invite(host).notification, "element": .string(element)]
            let refusal = try host.refusal("interact", params)
            #expect(refusal["data"]?["reason"] == "notTouchable")
            #expect(refusal["message"]?.string?.contains(element) == true)
        }
    }

    @Test("An unrelated action changes nothing")
    func otherAction() throws {
        try BundlesHost.with { host in
            let shown = try invite(host)
            let result = try press("com.apple.UNNotificationDefaultActionIdentifier", shown, host)
            #expect(result["option"] == "doNotDismiss")
            #expect(Shown(result).view == shown.view)
        }
    }

    @Test("A retry after a failure does not store a registration twice", arguments: [0, 1, 2])
    func retry(stored: Int) throws {
        try BundlesHost.with(["--suite-records", "3"]) { host in
            let shown = try invite(host)
            _ = try enter("ada@example.com", shown, host)
            for _ in stored..<3 { try host.saveUnrelatedRecord() }
            for _ in 1...2 {
                let params: JSON = ["notification": shown.notification, "actionIdentifier": "REGISTER"]
                #expect(try host.refusal("didReceiveResponse", params)["data"]?["reason"] == "suiteFull")
            }
            #expect(try host.pending().dropFirst(3 - stored) == records("ada@example.com").prefix(stored))
            try host.flush()
            #expect(try press("REGISTER", shown, host)["option"] == "doNotDismiss")
            #expect(try host.pending()[...] == records("ada@example.com").dropFirst(stored))
        }
    }

    @Test("An address that the host refuses can be replaced")
    func refusedAddress() throws {
        try BundlesHost.with { host in
            let shown = try invite(host)
            // The form accepts this address, as on the phone, but the host refuses it as a profile field.
            _ = try enter("a@.b.co", shown, host)
            let params: JSON = ["notification": shown.notification, "actionIdentifier": "REGISTER"]
            #expect(try host.refusal("didReceiveResponse", params)["data"]?["reason"] == "invalidRecord")
            #expect(try host.pending()[...] == records("a@.b.co").dropLast())
            _ = try enter("a@b.co", shown, host)
            _ = try press("REGISTER", shown, host)
            #expect(try host.pending() == records("a@.b.co").dropLast() + records("a@b.co").dropFirst())
        }
    }

    @Test(
        "Another notification of the thread changes the texts and keeps the entered address until the registration is done"
    )
    func thread() throws {
        try BundlesHost.with { host in
            _ = try enter("ada@example.com", try invite(host), host)
            let joined = try host.receive(category: "lab_register", thread: "lab", [("cert_title", "Another")])
            #expect(joined["header"]?["text"] == "Another")
            #expect(joined["description"]?["text"] == "")
            #expect(joined["email"]?["value"] == "ada@example.com")
            #expect(joined.actions == Self.register)
            _ = try press("REGISTER", joined, host)
            let late = try invite(host)
            #expect(late["header"]?["text"] == "Certification")
            #expect(late["thanks"]?["text"] == "Thanks for registering!")
            #expect(late.actions == Self.close)
            #expect(try host.pending() == records("ada@example.com"))
        }
    }

    @Test("A refused notification of the thread does not change the user")
    func refusedThread() throws {
        try BundlesHost.with { host in
            let shown = try invite(host, [("braze_id", "ada")])
            _ = try enter("ada@example.com", shown, host)
            let pairs: [(String, JSON)] = [("cert_title", 7), ("braze_id", "bob")]
            let payload = BundlesHost.payload(category: "lab_register", thread: "lab", pairs)
            #expect(try host.refusal("didReceive", ["payload": payload])["data"]?["reason"] == "invalidUserInfo")
            _ = try press("REGISTER", shown, host)
            #expect(try host.pending().compactMap { $0["user"]?["braze_id"] } == ["ada", "ada", "ada"])
        }
    }

    // MARK: Steps

    private func invite(_ host: BundlesHost, _ pairs: [(String, JSON)] = []) throws -> Shown {
        let texts: [(String, JSON)] = [("cert_title", "Certification"), ("cert_description", "Prove what you know")]
        return try host.receive(category: "lab_register", thread: "lab", texts + pairs)
    }

    private func enter(_ text: JSON, _ shown: Shown, _ host: BundlesHost) throws -> Shown {
        let params: JSON = ["notification": shown.notification, "element": "email", "value": text]
        return Shown(try host.result("interact", params))
    }

    private func press(_ action: String, _ shown: Shown, _ host: BundlesHost) throws -> JSON {
        let params: JSON = ["notification": shown.notification, "actionIdentifier": .string(action)]
        return try host.result("didReceiveResponse", params)
    }

    /// Performs an action that the host must refuse, and returns the reason.
    private func refusedPress(_ action: String, _ shown: Shown, _ host: BundlesHost) throws -> String? {
        let params: JSON = ["notification": shown.notification, "actionIdentifier": .string(action)]
        return try host.error("didReceiveResponse", params)["data"]?["reason"]?.string
    }

    private func records(_ email: String) -> [JSON] {
        [
            ["kind": "customEvent", "name": "Registered for Certification"],
            ["kind": "customAttribute", "key": "Certification Registration Email", "value": .string(email)],
            ["kind": "userAttribute", "field": "email", "value": .string(email)],
        ]
    }
}
