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

    @Test("An event has name, time and properties, types as they were")
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
        "An attribute keeps its value, whatever it is",
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
        "Exactly one identifier goes along: a primary one, else the e-mail address, else the phone",
        arguments: [
            (["external_id": "a"], ["external_id": "a"]), (["braze_id": "b"], ["braze_id": "b"]),
            (["external_id": "a", "email": "a@example.com"], ["external_id": "a"]),
            (["external_id": "a", "braze_id": .null], ["external_id": "a"]),
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
        "Two primary identifiers and broken ones are rejected",
        arguments: [
            ["external_id": "a", "braze_id": "b"], ["external_id": ""], ["external_id": 7], ["user_alias": "n"],
            ["user_alias": ["alias_name": "n"]], ["user_alias": ["alias_name": "n", "alias_label": ""]],
            ["external_id": .string(String(repeating: "é", count: 494))], ["email": ""],
        ] as [JSON]
    )
    func broken(user: JSON) {
        #expect(isRejected(refusal(.customEvent(name: "e", properties: nil), user: user)))
    }

    @Test("Without a user a record is held", arguments: [nil, [:], ["external_id": .null], ["name": "ada"]] as [JSON?])
    func nobody(user: JSON?) {
        guard case .held(let reason) = refusal(.customEvent(name: "e", properties: nil), user: user) else {
            Issue.record("not held")
            return
        }
        #expect(reason.contains("no user") && reason.contains("external_id"))
    }

    @Test("A profile with an alias is created only by attributes that ask for it")
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

    @Test("What names a user cannot be set for it")
    func lookup() throws {
        let (byEmail, byPhone): (JSON, JSON) = (["email": "a@example.com"], ["phone": "+1"])
        #expect(isHeld(refusal(.userAttribute(field: "email", value: "b@example.com"), user: byEmail)))
        #expect(isHeld(refusal(.userAttribute(field: "email", value: .null), user: byEmail)))
        #expect(isHeld(refusal(.userAttribute(field: "email", value: "b@example.com"), user: byPhone)))
        #expect(isHeld(refusal(.customAttribute(key: "phone", value: "+2"), user: byPhone)))
        #expect(
            try object(.userAttribute(field: "phone", value: "+1"), user: byEmail) == [
                "email": "a@example.com", "phone": "+1",
            ]
        )
        // Once, though it is identifier and value.
        #expect(try object(.userAttribute(field: "email", value: "a@example.com"), user: byEmail) == byEmail)
        let ada = try object(.userAttribute(field: "email", value: "b@example.com"))
        #expect(ada == ["external_id": "ada", "email": "b@example.com"])
    }

    // MARK: Limits

    private static let long = String(repeating: "é", count: 255)
    private static let tooLong = long + "x"
    /// Of 128 flags, each of two code points.
    private static let flags = String(repeating: "\u{1F1E9}\u{1F1EA}", count: 128)

    private static func object(_ key: String) -> JSON { .object(JSON.Object([(key, JSON.integer(1))])) }

    private static func members(_ count: Int, _ value: JSON) -> JSON {
        .object(JSON.Object((0..<count).map { ("k\($0)", value) }))
    }

    private static func elements(_ count: Int, _ value: JSON = 1) -> JSON {
        JSON(Array(repeating: value, count: count))
    }

    private static let eventsWithin: [(String, JSON)] = [
        (long, [:]), ("e", object(long)), ("e", ["k": .string(long)]), ("e", ["with space": ["a b": .null]]),
        ("e", members(256, 1)),
    ]

    @Test("Events within the limits are taken; lengths are counted in code points", arguments: eventsWithin)
    func taken(name: String, properties: JSON) throws {
        #expect(try object(.customEvent(name: name, properties: properties.object)) != nil)
    }

    private static let eventsBeyond: [(String, JSON)] = [
        ("", [:]), (tooLong, [:]), ("e", object(tooLong)), ("e", ["k": .string(tooLong)]), ("e", ["$k": 1]),
        ("e", ["time": 1]), ("e", ["event_name": 1]), ("e", ["": 1]), ("e", ["k": [.string(tooLong)]]),
        ("e", members(257, 1)), ("e", members(250, .string(long))), ("e", ["k": .string(flags)]), (flags, [:]),
        ("e", ["$\u{301}": 1]),
    ]

    @Test("Events beyond the limits are rejected", arguments: eventsBeyond)
    func rejectedEvents(name: String, properties: JSON) {
        #expect(isRejected(refusal(.customEvent(name: name, properties: properties.object))))
    }

    private static let attributesBeyond: [(String, JSON)] = [
        ("", 1), ("$k", 1), (tooLong, 1), ("k", .string(tooLong)), ("k", elements(26)),
        ("k", ["a": ["b": .null]]), ("k", ["a b": 1]), ("k", ["a.b": 1]), ("k", ["$a": 1]), ("k", ["a": ["": 1]]),
        ("k", ["inc": 1.5]), ("k", ["add": []]), ("k", ["remove": elements(26)]),
        ("k", elements(25, members(5, .string(long)))), ("k", .string(flags)), ("k", ["a.\u{301}": 1]),
        ("k", ["a", .null]), ("k", ["a": [1, .null]]), ("k", ["a": ["$time": 1]]), ("k", ["a": ["$time": "soon"]]),
        ("k", ["$time": "3001-01-01T00:00:00Z"]), ("k", ["$add": [["id": 1, "since": ["$time": ""]]]]),
    ]

    @Test("Attributes beyond the limits are rejected", arguments: attributesBeyond)
    func rejectedAttributes(key: String, value: JSON) {
        #expect(isRejected(refusal(.customAttribute(key: key, value: value))))
    }

    @Test(
        "Names that are Braze's own are no attributes",
        arguments: [
            "external_id", "braze_id", "user_alias", "app_id", "_update_existing_only", "_merge_objects",
            "push_token_import",
        ]
    )
    func reserved(key: String) {
        #expect(isRejected(refusal(.customAttribute(key: key, value: "eve"))))
    }

    @Test("Wider limits are options")
    func wider() throws {
        let options = MappingOptions(limits: ValueLimits(bytes: 100 << 10, elements: 500))
        let list = Self.elements(500)
        #expect(try object(.customAttribute(key: "k", value: list), options)?["k"] == list)
    }

    @Test(
        "Standard fields are judged as Braze does",
        arguments: [
            ("email", "a@example.com", "nobody"), ("dob", "1990-12-31", "31.12.1990"), ("gender", "F", "female"),
            ("email_subscribe", "opted_in", "yes"), ("push_subscribe", "unsubscribed", true),
            ("email_open_tracking_disabled", true, "true"), ("first_name", "Ada", 1),
            ("current_location", ["longitude": 1.5, "latitude": 2], ["longitude": 181, "latitude": 2]),
            ("push_tokens", [["app_id": "a", "token": "t"]], [["app_id": "a"]]),
            (
                "subscription_groups", [["subscription_group_id": "g", "subscription_state": "subscribed"]],
                [["subscription_group_id": "g", "subscription_state": "maybe"]]
            ),
            ("facebook", ["id": "1"], "1"), ("country", "DE", []),
        ] as [(String, JSON, JSON)]
    )
    func fields(field: String, right: JSON, wrong: JSON) throws {
        #expect(try object(.userAttribute(field: field, value: right))?[field] == right)
        #expect(try object(.userAttribute(field: field, value: .null))?[field] == .null)
        #expect(isRejected(refusal(.userAttribute(field: field, value: wrong))))
        #expect(isRejected(refusal(.customAttribute(key: field, value: wrong))))
    }

    @Test("A field that is none is rejected")
    func noField() {
        #expect(isRejected(refusal(.userAttribute(field: "shoe_size", value: 42))))
    }
}
