import JSON
import TestSupport
import Testing

@Suite(.waits, .wire) struct BundlesFeedbackTests {
    private static let close: JSON = ["identifier": "CLOSE", "title": "Close", "options": []]
    private static let save: JSON = ["identifier": "SAVE", "title": "Save", "options": ["authenticationRequired"]]

    @Test("The question is shown with an action that has a text field")
    func question() throws {
        try BundlesHost.with { host in
            let shown = try ask(host)
            #expect(shown["body"]?["text"] == "Hello")
            #expect(shown["first_name"] == nil)
            let field: JSON = ["buttonTitle": "Send", "placeholder": "Your feedback"]
            let feedback: JSON = ["identifier": "FEEDBACK", "title": "Write", "options": [], "textInput": field]
            #expect(shown.actions == [feedback])
            #expect(try host.pending() == [])
        }
    }

    @Test("Feedback and profile fields are each stored once, in the order in which the user entered them")
    func flow() throws {
        try BundlesHost.with { host in
            let shown = try ask(host, [("braze_id", "ada")])
            let given = try enterFeedback("  Lovely\u{2028}coffee ☕ ", shown, host)
            #expect(given["thanks"]?["text"] == "Thank you for your feedback!")
            #expect(given["first_name"]?["placeholder"] == "First name")
            #expect(given["first_name"]?["value"] == "")
            #expect(given["phone"]?["value"] == "")
            #expect(given.actions == [Self.close])
            #expect(try enter("first_name", " Ada ", shown, host).actions == [Self.save, Self.close])
            let entered = try enter("phone", "+49 (151) 234-567.89", shown, host)
            #expect(entered["phone"]?["value"] == "+49 (151) 234-567.89")
            #expect(entered.actions == [Self.save, Self.close])
            #expect(try press("SAVE", shown, host)["option"] == "dismiss")
            let records = try host.pending()
            #expect(records.compactMap { $0["user"]?["braze_id"] } == ["ada", "ada", "ada"])
            #expect(records[0]["name"] == "Gave Feedback")
            #expect(records[0]["properties"] == ["Feedback": "Lovely\u{2028}coffee ☕"])
            #expect(records.dropFirst().compactMap { $0["field"] } == ["first_name", "phone"])
            #expect(records.dropFirst().compactMap { $0["value"] } == ["Ada", "+4915123456789"])
            #expect(try refusedPress("FEEDBACK", shown, host) == "noPresentation")
        }
    }

    @Test(
        "A phone number in E.164 form is accepted, and the separators between its digits are removed",
        arguments: [
            ("+4915123456789", "+4915123456789"), ("+1 (415) 555-2671", "+14155552671"), ("+6834000", "+6834000"),
            (" +49.30.1234567 ", "+49301234567"), ("+44\u{A0}20\u{A0}7946\u{A0}0958", "+442079460958"),
            ("+123456789012345", "+123456789012345"),
        ]
    )
    func phone(text: String, stored: String) throws {
        try BundlesHost.with { host in
            let shown = try ask(host)
            _ = try enterFeedback("Good", shown, host)
            #expect(try enter("phone", .string(text), shown, host).actions == [Self.save, Self.close])
            _ = try press("SAVE", shown, host)
            #expect(try host.pending().last?["value"] == .string(stored))
        }
    }

    @Test("A phone number in another form is refused with a reason, and nothing is saved until it is corrected")
    func invalidPhones() throws {
        let texts = [
            "0151 23456789", "004915123456789", "+", "+0151234567", "+123456", "+1234567890123456", "+49 151 CALLME",
            "+49/151/2345678", "++4915123456789", "+49151234567８", "4915123456789", "+49151\u{2028}234567",
        ]
        try BundlesHost.with { host in
            let shown = try ask(host)
            _ = try enterFeedback("Good", shown, host)
            for text in texts {
                #expect(try enter("first_name", "Ada", shown, host)["phone-hint"] == nil)
                let entered = try enter("phone", .string(text), shown, host)
                #expect(entered.actions == [Self.close], "\(text)")
                #expect(entered["phone-hint"] != nil)
                #expect(try refusedPress("SAVE", shown, host) == "unknownAction")
                #expect(try enter("phone", "", shown, host).actions == [Self.save, Self.close])
            }
            #expect(try host.pending().count == 1)
        }
    }

    @Test("Fields that the sender already knows are not asked for")
    func knownFields() throws {
        try BundlesHost.with { host in
            let shown = try ask(host, [("first_name", "Ada"), ("phone", " ")])
            let given = try enterFeedback("Good", shown, host)
            #expect(given["first_name"] == nil)
            #expect(given["phone"] != nil)
            let complete = try ask(host, [("first_name", "Ada"), ("phone", "+4915123456789")])
            #expect(complete["ask"] == nil)
            #expect(complete["phone"] == nil)
            #expect(complete.actions == [Self.close])
            #expect(try press("CLOSE", complete, host)["option"] == "dismiss")
        }
    }

    @Test("Feedback that is blank or exceeds Braze's limit is refused and can be entered again")
    func wrongFeedback() throws {
        try BundlesHost.with { host in
            let shown = try ask(host)
            for (text, reason) in [(" \n", "emptyFeedback"), (String(repeating: "x", count: 256), "invalidRecord")] {
                let params: JSON = [
                    "notification": shown.notification, "actionIdentifier": "FEEDBACK", "userText": .string(text),
                ]
                #expect(try host.refusal("didReceiveResponse", params)["data"]?["reason"] == .string(reason))
            }
            #expect(try host.pending() == [])
            #expect(try enterFeedback("Good", shown, host)["thanks"] != nil)
        }
    }

    @Test("A key-value pair or an entered value that is not text is refused", arguments: ["first_name", "phone"])
    func wrongTypes(field: String) throws {
        try BundlesHost.with { host in
            let payload = BundlesHost.payload(category: "feedback", [(field, 7)])
            let refusal = try host.refusal("didReceive", ["payload": payload])
            #expect(refusal["message"] == .string("the key-value pair \(field) must be a string, it is 7 (integer)"))
            let shown = try ask(host)
            _ = try enterFeedback("Good", shown, host)
            for value in [7, .null, nil] as [JSON?] {
                let members: [(String, JSON)] = [("notification", shown.notification), ("element", .string(field))]
                let given = value.map { [("value", $0)] } ?? []
                let refusal = try host.refusal("interact", .object(JSON.Object(members + given)))
                #expect(refusal["data"] == ["reason": "invalidValue", "path": "/params/value"])
            }
            let touch: JSON = ["notification": shown.notification, "element": "thanks"]
            #expect(try host.refusal("interact", touch)["data"]?["reason"] == "notTouchable")
        }
    }

    @Test("A tap on the feedback notification opens the app")
    func tap() throws {
        try BundlesHost.with { host in
            let result = try press("com.apple.UNNotificationDefaultActionIdentifier", try ask(host), host)
            #expect(result["option"] == "dismissAndForward")
            #expect(result["forwarded"] == true)
        }
    }

    @Test("A retry after a failure does not store feedback twice", arguments: [1, 2])
    func retry(stored: Int) throws {
        try BundlesHost.with(["--suite-records", "3"]) { host in
            let shown = try ask(host)
            _ = try enterFeedback("Good", shown, host)
            _ = try enter("first_name", "Ada", shown, host)
            _ = try enter("phone", "+4915123456789", shown, host)
            for _ in stored..<3 { try host.saveUnrelatedRecord() }
            for _ in 1...2 {
                let params: JSON = ["notification": shown.notification, "actionIdentifier": "SAVE"]
                #expect(try host.refusal("didReceiveResponse", params)["data"]?["reason"] == "suiteFull")
            }
            try host.flush()
            #expect(try press("SAVE", shown, host)["option"] == "dismiss")
            let fields = try host.pending().compactMap { $0["field"]?.string }
            #expect(fields == (stored == 1 ? ["first_name", "phone"] : ["phone"]))
        }
    }

    @Test(
        "The feedback texts exist in five languages",
        arguments: [("de", "Schreiben"), ("fr", "Écrire"), ("es", "Escribir"), ("ko", "쓰기"), ("en", "Write")]
    )
    func languages(locale: String, title: String) throws {
        try BundlesHost.with { host in
            let payload = BundlesHost.payload(category: "feedback")
            let shown = Shown(try host.result("didReceive", ["payload": payload, "locale": .string(locale)]))
            #expect(shown.actions.array?.first?["title"] == .string(title))
        }
    }

    // MARK: Steps

    private func ask(_ host: BundlesHost, _ pairs: [(String, JSON)] = []) throws -> Shown {
        try host.receive(category: "feedback", thread: "feedback", pairs)
    }

    private func enterFeedback(_ text: String, _ shown: Shown, _ host: BundlesHost) throws -> Shown {
        let params: JSON = [
            "notification": shown.notification, "actionIdentifier": "FEEDBACK", "userText": .string(text),
        ]
        return Shown(try host.result("didReceiveResponse", params))
    }

    private func enter(_ field: String, _ text: JSON, _ shown: Shown, _ host: BundlesHost) throws -> Shown {
        let params: JSON = ["notification": shown.notification, "element": .string(field), "value": text]
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
}
