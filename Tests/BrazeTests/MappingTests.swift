import ExtensionKit
import JSON
import Testing

@testable import braze

@Suite struct MappingTests {
    private func record(_ content: DeliveryRecord.Content, user: JSON?) -> DeliveryRecord {
        DeliveryRecord(id: 1, content, time: "2026-01-01T00:00:00.000Z", user: user?.object)
    }

    private func object(
        _ content: DeliveryRecord.Content,
        user: JSON? = ["external_id": "ada"],
        _ options: MappingOptions = MappingOptions()
    ) throws -> JSON? {
        let json = try pack([record(content, user: user)], options: options).requests[0].json
        return json["events"]?[0] ?? json["attributes"]?[0]
    }

    private func refusal(
        _ content: DeliveryRecord.Content,
        user: JSON? = ["external_id": "ada"],
        _ options: MappingOptions = MappingOptions()
    ) -> Unsendable? {
        #expect(throws: Unsendable.self) { try object(content, user: user, options) }
    }

    private func isRejected(_ refusal: Unsendable?) -> Bool { if case .rejected = refusal { true } else { false } }
    private func isHeld(_ refusal: Unsendable?) -> Bool { if case .held = refusal { true } else { false } }

    // MARK: Objects

    @Test("An event has its name, time and properties with their types")
    func events() throws {
        let properties: JSON = ["Score": 6, "ratio": 1.0, "won": true, "list": [1, "a"], "none": .null]
        #expect(
            try object(.customEvent(name: "Completed", properties: properties.object)) == [
                "external_id": "ada", "name": "Completed", "time": "2026-01-01T00:00:00.000Z", "properties": properties,
            ]
        )
        #expect(try object(.customEvent(name: "Completed", properties: ([:] as JSON).object))?["properties"] == nil)
    }

    @Test(
        "An attribute keeps its value, of any type",
        arguments: [
            1, 1.0, true, .null, "text", ["a", "b"], ["inc": 2], ["add": ["a"]], ["remove": ["a"]],
            ["nested": ["a": 1]],
            [["id": 1]], ["$add": [["id": 1]]], ["since": ["$time": "2026-01-01"]],
            ["since": ["$time": "2026-01-01T00:00:00.000+01:00"]], [], [:],
        ] as [JSON]
    )
    func values(value: JSON) throws {
        #expect(try object(.customAttribute(key: "k", value: value)) == ["external_id": "ada", "k": value])
    }

    @Test("Options become members")
    func options() throws {
        let options = MappingOptions(appID: "app", updatesExistingOnly: true, mergesObjects: true)
        let event = try object(.customEvent(name: "e", properties: nil), options)
        #expect(event?["app_id"] == "app" && event?["_update_existing_only"] == true && event?["_merge_objects"] == nil)
        let attribute = try object(.customAttribute(key: "k", value: 1), options)
        #expect(attribute?["_update_existing_only"] == true && attribute?["_merge_objects"] == true)
        #expect(attribute?["app_id"] == nil)
    }

    // MARK: Users

    @Test(
        "Exactly one identifier is sent: a primary one, else the e-mail address, else the phone number",
        arguments: [
            (["external_id": "a"], ["external_id": "a"]), (["braze_id": "b"], ["braze_id": "b"]),
            (["external_id": "a", "email": "a@example.com"], ["external_id": "a"]),
            (["phone": "+1", "email": "a@example.com"], ["email": "a@example.com"]), (["phone": "+1"], ["phone": "+1"]),
            (
                ["user_alias": ["alias_name": "n", "alias_label": "l", "more": 1]],
                ["user_alias": ["alias_name": "n", "alias_label": "l"]]
            ),
        ] as [(JSON, JSON)]
    )
    func identities(user: JSON, identifier: JSON) throws {
        let event = try object(.customEvent(name: "e", properties: nil), user: user)
        let members = identifier.members.setting("name", to: "e").setting("time", to: "2026-01-01T00:00:00.000Z")
        #expect(event == .object(members))
    }

    @Test(
        "Two primary identifiers, and invalid ones, are rejected",
        arguments: [
            ["external_id": "a", "braze_id": "b"], ["external_id": ""], ["external_id": 7], ["user_alias": "n"],
            ["user_alias": ["alias_name": "n"]], ["user_alias": ["alias_name": "n", "alias_label": ""]],
            ["external_id": .string(String(repeating: "é", count: 494))], ["email": ""], ["external_id": .null],
        ] as [JSON]
    )
    func broken(user: JSON) {
        #expect(isRejected(refusal(.customEvent(name: "e", properties: nil), user: user)))
    }

    @Test("Without a user a record is held", arguments: [nil, [:], ["name": "ada"]] as [JSON?])
    func noUser(user: JSON?) {
        guard case .held(let reason) = refusal(.customEvent(name: "e", properties: nil), user: user) else {
            Issue.record("not held")
            return
        }
        #expect(reason.contains("no user") && reason.contains("external_id"))
    }

    @Test("Only attributes create a profile for an alias, and not with the option to update existing ones only")
    func aliases() throws {
        let user: JSON = ["user_alias": ["alias_name": "n", "alias_label": "l"]]
        #expect(try object(.customAttribute(key: "k", value: 1), user: user)?["_update_existing_only"] == false)
        #expect(try object(.customEvent(name: "e", properties: nil), user: user)?["_update_existing_only"] == nil)
        let options = MappingOptions(updatesExistingOnly: true)
        #expect(try object(.customAttribute(key: "k", value: 1), user: user, options)?["_update_existing_only"] == true)
        #expect(
            try object(.customEvent(name: "e", properties: nil), user: user, options)?["_update_existing_only"] == true
        )
    }

    @Test("An attribute that identifies a user cannot be set for that user")
    func lookup() throws {
        let (byEmail, byPhone): (JSON, JSON) = (["email": "a@example.com"], ["phone": "+1"])
        #expect(isHeld(refusal(.userAttribute(field: "email", value: "b@example.com"), user: byEmail)))
        #expect(isHeld(refusal(.userAttribute(field: "email", value: .null), user: byEmail)))
        #expect(isHeld(refusal(.userAttribute(field: "email", value: "b@example.com"), user: byPhone)))
        #expect(isHeld(refusal(.userAttribute(field: "phone", value: "+2"), user: byPhone)))
        #expect(
            try object(.userAttribute(field: "phone", value: "+1"), user: byEmail) == [
                "email": "a@example.com", "phone": "+1",
            ]
        )
        // It occurs once, although it is both identifier and value.
        #expect(try object(.userAttribute(field: "email", value: "a@example.com"), user: byEmail) == byEmail)
        let ada = try object(.userAttribute(field: "email", value: "b@example.com"))
        #expect(ada == ["external_id": "ada", "email": "b@example.com"])
    }

    // MARK: Rules

    private static func text(_ count: Int) -> String { String(repeating: "é", count: count) }

    private static func elements(_ count: Int) -> JSON { JSON((0..<count).map { JSON($0) }) }

    @Test(
        "A record that violates a rule of Braze is rejected with the reason and the path",
        arguments: [
            (.customEvent(name: "", properties: nil), "the event's name must not be empty (name)"),
            (
                .customEvent(name: "e", properties: JSON.Object([("k", .string(text(256)))])),
                "a text has at most 255 characters, this one 256 (properties/k)"
            ),
            (
                .customEvent(name: "e", properties: JSON.Object([("time", 1)])),
                "the property name time is reserved by Braze; use another one (properties/time)"
            ),
            (
                .customAttribute(key: "app_id", value: "eve"),
                "app_id is a member of Braze's request and no attribute: "
                    + "the destination adds it to events, as BRAZE_APP_ID says (key)"
            ),
            (
                .customAttribute(key: "email", value: "a@example.com"),
                "Braze treats the key email as its standard field; save it with saveUserAttribute or pushhost save field (key)"
            ),
            (
                .customAttribute(key: "k", value: ["a": ["b": .null]]),
                "a value within an attribute must not be null; Braze drops the whole update (value/a/b)"
            ),
            (.customAttribute(key: "k", value: ["inc": 1.5]), "inc takes an integer, not 1.5 (value/inc)"),
            (
                .customAttribute(key: "k", value: ["$time": "+2026-01-01"]),
                "a date is {\"$time\": \"2026-01-01T00:00:00Z\"} alone, of the years 0 to 3000 (value/$time)"
            ),
            (
                .userAttribute(field: "dob", value: "2001-02-29"),
                "dob must be a day as YYYY-MM-DD, not \"2001-02-29\" (value)"
            ),
            (
                .userAttribute(field: "shoe_size", value: 42),
                "shoe_size is not a standard field of a user; save it as a custom attribute (field)"
            ),
        ] as [(DeliveryRecord.Content, String)]
    )
    func rules(content: DeliveryRecord.Content, reason: String) {
        #expect(refusal(content) == .rejected(reason))
    }

    @Test("A record that another host with wider limits accepted is sent")
    func widest() throws {
        #expect(try object(.customAttribute(key: "k", value: Self.elements(500)))?["k"] == Self.elements(500))
        let texts = JSON.Object((0..<250).map { ("k\($0)", .string(Self.text(255))) })
        #expect(JSON.object(texts).bytes.count > 100 << 10)
        #expect(try object(.customAttribute(key: "k", value: .object(texts)))?["k"] == .object(texts))
        #expect(try object(.customEvent(name: "e", properties: texts))?["properties"] == .object(texts))
        #expect(isRejected(refusal(.customAttribute(key: "k", value: Self.elements(501)))))
    }
}
