import JSON
import TestSupport
import Testing

@Suite(.waits, .wire) struct BundlesCompleteProfileTests {
    @Test("The missing fields are asked for in the order that the sender gave")
    func fields() throws {
        try BundlesHost.with { host in
            let shown = try ask(host, "dob, first_name,, last_name ,email,phone,")
            #expect(shown["count"] == ["type": "text", "id": "count", "text": "0 of 5 saved", "style": "title"])
            #expect(shown["progress"] == ["type": "progress", "id": "progress", "value": 0, "total": 5])
            let fields = shown.view.children.flatMap(\.children)
            #expect(fields.map { $0["id"] } == ["dob", "first_name", "last_name", "email", "phone"])
            let names = ["Date of birth", "First name", "Last name", "E-mail", "Phone number"]
            #expect(fields.compactMap { $0["placeholder"]?.string } == names)
            #expect(try host.pending() == [])
        }
    }

    @Test("Each field is saved as soon as it is filled in, and the completion is saved once")
    func flow() throws {
        try BundlesHost.with { host in
            let shown = try ask(host, "first_name,phone,dob")
            let first = try enter("first_name", " Ada ", shown, host)
            #expect(first["first_name"]?["value"] == " Ada ")
            #expect(first["first_name-saved"]?["text"] == "✓")
            #expect(first["progress"]?["value"] == 1)
            #expect(try host.pending() == [saved("first_name", "Ada")])
            _ = try enter("dob", "1990-12-31", shown, host)
            let last = try enter("phone", "+49 (151) 234-567.89", shown, host)
            #expect(last["count"]?["text"] == "Thank you, your profile is complete!")
            #expect(last["progress"]?["value"] == 3)
            let records = [
                saved("first_name", "Ada"), saved("dob", "1990-12-31"), saved("phone", "+4915123456789"), completed,
            ]
            #expect(try host.pending() == records)
            // Entering the same value again saves nothing; another value is saved, but does not complete the profile
            // again.
            _ = try enter("first_name", "Ada", shown, host)
            _ = try enter("first_name", "", shown, host)
            #expect(try host.pending() == records)
            _ = try enter("first_name", "Augusta", shown, host)
            #expect(try host.pending() == records + [saved("first_name", "Augusta")])
        }
    }

    static let invalid: [(String, [String])] = [
        ("first_name", ["A\nda", "Ada\u{7}", String(repeating: "a", count: 256)]),
        ("last_name", ["Love\tlace"]),
        ("email", ["ada", "ada@", "@example.com", "ada@example", "ada@example.com.", "a b@example.com", "a@b@c.de"]),
        ("phone", ["0151 23456789", "+49 151 CALLME", "+123456", "+49151234567８"]),
        ("dob", ["31.12.1990", "1990-02-30", "1990-12-31T00:00:00Z", "19901231", "1899-12-31", "2026-01-02", "soon"]),
    ]

    @Test("An invalid text is not saved, and the reason is shown beside its field", arguments: invalid)
    func hints(field: String, texts: [String]) throws {
        try BundlesHost.with { host in
            let shown = try ask(host, "first_name,last_name,email,phone,dob")
            for text in texts {
                let entered = try enter(field, .string(text), shown, host)
                #expect(entered[field]?["value"] == .string(text))
                #expect(entered["\(field)-hint"]?["style"] == "caption", "\(text)")
                #expect(entered["\(field)-hint"]?["text"]?.string?.hasPrefix("Please enter ") == true)
                let row = entered.view.children.first { $0.children.first?["id"] == .string(field) }
                #expect(row?["type"] == "row")
                #expect(row?.children.count == 2)
                #expect(entered["progress"]?["value"] == 0)
            }
            #expect(try enter(field, " ", shown, host)["\(field)-hint"] == nil)
            #expect(try host.pending() == [])
        }
    }

    @Test("An invalid text after a valid one does not change what was saved")
    func wrongAfterRight() throws {
        try BundlesHost.with { host in
            let shown = try ask(host, "email")
            _ = try enter("email", "ada@example.com", shown, host)
            let wrong = try enter("email", "ada@", shown, host)
            #expect(wrong["email-hint"] != nil)
            #expect(wrong["email-saved"] == nil)
            #expect(wrong["count"]?["text"] == "1 of 1 saved")
            #expect(wrong["progress"]?["value"] == 1)
            #expect(try host.pending() == [saved("email", "ada@example.com"), completed])
        }
    }

    @Test("The latest valid birthday is the day of the notification")
    func today() throws {
        try BundlesHost.with { host in
            let shown = try ask(host, "dob")
            #expect(try enter("dob", "2026-01-01", shown, host)["dob-saved"] != nil)
        }
    }

    @Test("A user completes a profile once, in every thread and process")
    func once() throws {
        func fill(_ thread: String, in host: BundlesHost) throws {
            let shown = try ask(host, "first_name", thread: thread)
            #expect(shown["progress"]?["value"] == 0)
            let entered = try enter("first_name", "Ada", shown, host)
            #expect(entered["progress"]?["value"] == 1)
        }
        let (name, first) = (saved("first_name", "Ada"), [saved("first_name", "Ada"), completed])
        try BundlesHost.withSuccessors { host in
            try fill("a", in: host)
            try fill("b", in: host)
            #expect(try host.pending() == first + [name])
        } _: { host in
            try fill("a", in: host)
            #expect(try host.pending() == first + [name, name])
            _ = try enter("first_name", "Bob", try ask(host, "first_name", user: "bob", thread: "c"), host)
            let last = try host.pending().last
            #expect(last?["name"] == "Completed Profile")
            #expect(last?["user"] == ["braze_id": "bob"])
        }
    }

    @Test("A later notification of the thread changes the fields asked for, and another user starts with empty fields")
    func thread() throws {
        try BundlesHost.with { host in
            let shown = try ask(host, "first_name,email")
            _ = try enter("first_name", "Ada", shown, host)
            let later = try ask(host, "first_name,phone")
            #expect(later["email"] == nil)
            #expect(later["first_name"]?["value"] == "Ada")
            #expect(later["first_name-saved"] != nil)
            #expect(later["progress"]?["value"] == 1)
            let other = try ask(host, "first_name,phone", user: "bob")
            #expect(other["first_name"]?["value"] == "")
            #expect(other["first_name-saved"] == nil)
            _ = try enter("first_name", "Ada", other, host)
            #expect(try host.pending().last?["user"] == ["braze_id": "bob"])
        }
    }

    @Test("A profile without missing fields is complete and saves nothing", arguments: ["", " , "])
    func nothingMissing(fields: String) throws {
        try BundlesHost.with { host in
            let shown = try ask(host, fields)
            #expect(shown["count"]?["text"] == "Thank you, your profile is complete!")
            #expect(shown.view.children.count == 2)
            #expect(try host.pending() == [])
        }
    }

    @Test("A retry after a failure does not save a profile field twice", arguments: [0, 1])
    func retry(already: Int) throws {
        try BundlesHost.with(["--suite-records", "2"]) { host in
            let shown = try ask(host, "email")
            for _ in already..<2 { try host.saveUnrelatedRecord() }
            let params: JSON = ["notification": shown.notification, "element": "email", "value": "a@b.cd"]
            for _ in 1...2 {
                #expect(try host.refusal("interact", params)["data"]?["reason"] == "suiteFull")
            }
            try host.flush()
            #expect(try enter("email", "a@b.cd", shown, host)["progress"]?["value"] == 1)
            #expect(try host.pending()[...] == [saved("email", "a@b.cd"), completed].dropFirst(already))
        }
    }

    @Test(
        "An invalid key-value pair is refused, and the error says what is needed",
        arguments: [nil, "name", "first_name email", "email,email", 1, ["email"]] as [JSON?]
    )
    func wrongPairs(value: JSON?) throws {
        try BundlesHost.with { host in
            let payload = BundlesHost.payload(
                category: "complete_profile",
                value.map { [("missing_fields", $0)] } ?? []
            )
            let refusal = try host.refusal("didReceive", ["payload": payload])
            let path = "/params/request/content/userInfo/missing_fields"
            #expect(refusal["data"] == ["reason": "invalidUserInfo", "path": .string(path)])
            let needed = "the key-value pair missing_fields must be a string"
            #expect(refusal["message"]?.string?.hasPrefix(needed) == true)
        }
    }

    @Test("Only a field that is asked for accepts a value, and only a text", arguments: [nil, .null, 7] as [JSON?])
    func wrongTouches(value: JSON?) throws {
        try BundlesHost.with { host in
            let shown = try ask(host, "email")
            let members: [(String, JSON)] = [("notification", shown.notification), ("element", "email")]
            let params = JSON.object(JSON.Object(members + (value.map { [("value", $0)] } ?? [])))
            #expect(
                try host.refusal("interact", params)["data"] == ["reason": "invalidValue", "path": "/params/value"]
            )
            let touch: JSON = ["notification": shown.notification, "element": "count", "value": "x"]
            let data: JSON = ["reason": "notTouchable", "path": "/params/element"]
            #expect(try host.refusal("interact", touch)["data"] == data)
            #expect(try host.pending() == [])
        }
    }

    // MARK: Steps

    private let completed: JSON = ["kind": "customEvent", "name": "Completed Profile", "user": ["braze_id": "ada"]]

    private func saved(_ field: String, _ value: String) -> JSON {
        let user: JSON = ["braze_id": "ada"]
        return ["kind": "userAttribute", "field": .string(field), "value": .string(value), "user": user]
    }

    private func ask(
        _ host: BundlesHost,
        _ fields: String,
        user: String = "ada",
        thread: String = "profile"
    ) throws -> Shown {
        let pairs: [(String, JSON)] = [("braze_id", .string(user)), ("missing_fields", .string(fields))]
        return try host.receive(category: "complete_profile", thread: thread, pairs)
    }

    private func enter(_ field: String, _ text: JSON, _ shown: Shown, _ host: BundlesHost) throws -> Shown {
        let params: JSON = ["notification": shown.notification, "element": .string(field), "value": text]
        return Shown(try host.result("interact", params))
    }
}
