import JSON
import Testing

@testable import BrazeRules

@Suite struct FieldRulesTests {
    private let limits = RecordLimits()

    private static let token: JSON = ["app_id": "a", "token": "t", "device_id": "12345678"]
    private static let group: JSON = [
        "subscription_group_id": "8a9b1c2d-0000-1111-2222-333344445555", "subscription_state": "subscribed",
    ]

    /// A letter with two bytes, a number of times.
    private static func text(_ count: Int) -> JSON { .string(String(repeating: "ü", count: count)) }

    /// Returns the object with one member changed.
    private static func with(_ name: String, _ value: JSON, in object: JSON) -> JSON {
        .object((object.object ?? JSON.Object([])).setting(name, to: value))
    }

    /// An object whose only member, which no field has, holds arrays within each other.
    private static func nested(_ depth: Int) -> JSON { ["other": (0..<depth).reduce(1) { value, _ in [value] }] }

    /// A pointer to the invalid part of a field; nil if the field is accepted.
    private func invalidPart(_ field: String, _ value: JSON) -> String? {
        do throws(RecordError) {
            try limits.checkField(field, value: value)
            return nil
        } catch {
            return ([error.place.parameter] + error.place.steps).joined(separator: "/")
        }
    }

    @Test(
        "Valid values of standard fields are accepted, and Braze's mere recommendations are not enforced",
        arguments: [
            ("email", "a@example.com"), ("email", "a+b@sub.example.com"), ("email", "ä@ö.de"), ("first_name", "Ä"),
            ("last_name", text(255)),
            ("home_city", ""), ("phone", "0 30 / 12"), ("dob", "2000-02-29"), ("gender", "N"), ("country", "Germany"),
            ("language", "de"), ("time_zone", "Europe/Berlin"), ("email_subscribe", "opted_in"),
            ("push_subscribe", "unsubscribed"), ("email_open_tracking_disabled", true),
            ("email_click_tracking_disabled", false), ("current_location", ["longitude": -180, "latitude": 52.5]),
            ("date_of_first_session", "2026-01-01"), ("date_of_first_session", "01/31/2026"),
            ("date_of_last_session", "2026-01-01T10:20:30:500Z"),
            ("marked_email_as_spam_at", "2026-01-01T10:20:30.5+0100"), ("push_tokens", [token]),
            ("push_tokens", [["app_id": "a", "token": text(400)]]), ("subscription_groups", [group]),
            ("subscription_groups", [with("use_double_opt_in_logic", true, in: group)]),
            ("facebook", ["id": "1", "likes": ["a"], "num_friends": 3]), ("facebook", [:]),
            ("twitter", ["id": 5, "screen_name": "x", "followers_count": 1, "friends_count": 2, "statuses_count": 3]),
            ("gender", "M"), ("gender", "F"), ("gender", "O"), ("gender", "P"), ("push_subscribe", "subscribed"),
            ("current_location", ["longitude": 180, "latitude": -90]),
            ("current_location", ["longitude": 0.5, "latitude": 90]),
            ("push_tokens", [with("device_id", .string(String(repeating: "x", count: 255)), in: token)]),
            ("subscription_groups", [with("subscription_state", "unsubscribed", in: group)]),
            (
                "subscription_groups",
                [with("subscription_group_id", "8A9B1C2D-0000-1111-2222-ABCDEF445555", in: group)]
            ),
            ("facebook", ["id": 5]), ("twitter", ["id": "5"]), ("facebook", nested(511)),
            ("alias_name", "a"), ("alias_label", "b"), ("image_url", "https://example.com/a.png"),
        ] as [(String, JSON)]
    )
    func goodField(name: String, value: JSON) {
        #expect(invalidPart(name, value) == nil)
    }

    @Test(
        "null unsets what Braze can unset",
        arguments: StandardField.allCases
    )
    func null(field: StandardField) {
        let lists: [StandardField] = [
            .emailSubscribe, .pushSubscribe, .pushTokens, .subscriptionGroups, .aliasName, .aliasLabel,
        ]
        #expect(invalidPart(field.rawValue, .null) == (lists.contains(field) ? "value" : nil))
    }

    @Test("A field refuses values of another type", arguments: StandardField.allCases)
    func wrongType(field: StandardField) {
        #expect(invalidPart(field.rawValue, 7) == "value")
        #expect(invalidPart(field.rawValue, ["text"]) != nil)
    }

    @Test(
        "A value that Braze refuses is refused with the path of the invalid part",
        arguments: [
            ("shoe_size", 44, "field"), ("Email", "a@example.com", "field"),
            ("email", "", "value"), ("email", "a@b", "value"), ("email", "@example.com", "value"),
            ("email", "a@@example.com", "value"), ("email", "a b@example.com", "value"), ("email", "a@.com", "value"),
            ("email", "a@example.", "value"), ("email", "a@b.c\n", "value"),
            ("email", "a@b\u{2003}.c", "value"), ("email", "a", "value"), ("email", "a@", "value"),
            ("email", .string(String(repeating: "x", count: 250) + "@b.com"), "value"),
            ("first_name", text(256), "value"), ("phone", 49_30, "value"), ("dob", "2001-02-29", "value"),
            ("dob", "2000-01-01T00:00:00Z", "value"), ("dob", "01.02.2000", "value"), ("gender", "m", "value"),
            ("gender", "male", "value"), ("language", "german", "value"), ("language", "d1", "value"),
            ("language", "é", "value"), ("email", "a\t@b.c", "value"), ("email", "a@b.c\r", "value"),
            ("alias_label", "", "value"),
            ("email_subscribe", "Subscribed", "value"), ("push_subscribe", true, "value"),
            ("email_open_tracking_disabled", "true", "value"), ("date_of_first_session", "yesterday", "value"),
            ("date_of_last_session", "3001-01-01", "value"),
            ("date_of_last_session", "+2026-01-01", "value"), ("dob", "01/31/2000", "value"),
            ("date_of_last_session", "2026-01-01 10:20:30 UTC", "value"), ("alias_name", "", "value"),
            ("current_location", ["longitude": 1], "value"),
            ("current_location", ["longitude": 1, "latitude": "2"], "value/latitude"),
            ("current_location", ["longitude": 181, "latitude": 2], "value/longitude"),
            ("current_location", ["longitude": 1, "latitude": 90.5], "value/latitude"),
            ("current_location", ["latitude": 1], "value"),
            ("push_tokens", [], "value"), ("push_tokens", token, "value"), ("push_tokens", [token, 1], "value/1"),
            ("push_tokens", [["app_id": "a"]], "value/0"),
            ("push_tokens", [with("device_id", "1234567", in: token)], "value/0/device_id"),
            ("push_tokens", [with("device_id", text(128), in: token)], "value/0/device_id"),
            ("push_tokens", [["token": "t"]], "value/0"),
            ("push_tokens", [with("token", "", in: token)], "value/0/token"),
            ("push_tokens", [with("app_id", "", in: token)], "value/0/app_id"),
            ("subscription_groups", [["subscription_state": "subscribed"]], "value/0"),
            (
                "subscription_groups",
                [["subscription_group_id": "8a9b1c2d-0000-1111-2222-333344445555"]], "value/0"
            ),
            ("subscription_groups", [with("subscription_state", "opted_in", in: group)], "value/0/subscription_state"),
            ("subscription_groups", [with("subscription_group_id", "12", in: group)], "value/0/subscription_group_id"),
            (
                "subscription_groups",
                [with("subscription_group_id", "8a9b1c2d-0000-1111-2222-33334444555g", in: group)],
                "value/0/subscription_group_id"
            ),
            (
                "subscription_groups",
                [with("subscription_group_id", "８８12-0000-1111-2222-333344445555", in: group)],
                "value/0/subscription_group_id"
            ),
            (
                "subscription_groups",
                [with("subscription_group_id", "8a9b1c2d-0000-1111-2222-3333-44445555", in: group)],
                "value/0/subscription_group_id"
            ),
            (
                "subscription_groups", [with("use_double_opt_in_logic", 1, in: group)],
                "value/0/use_double_opt_in_logic"
            ),
            ("facebook", ["likes": [1]], "value/likes"), ("facebook", ["num_friends": "3"], "value/num_friends"),
            ("facebook", ["likes": "a"], "value/likes"), ("facebook", ["id": 1.5], "value/id"),
            ("twitter", ["followers_count": 1.5], "value/followers_count"), ("twitter", ["id": true], "value/id"),
            ("twitter", ["screen_name": 1], "value/screen_name"), ("facebook", nested(512), "value"),
            ("twitter", ["friends_count": "1"], "value/friends_count"),
            ("twitter", ["statuses_count": "1"], "value/statuses_count"),
        ] as [(String, JSON, String)]
    )
    func badField(name: String, value: JSON, path: String) {
        #expect(invalidPart(name, value) == path, "\(name) \(value)")
    }

    private func advice(_ field: String) -> String? {
        #expect(throws: RecordError.self) { try limits.checkField(field, value: "x") }?.text
    }

    @Test(
        "For another spelling or name of a field, the intended field is suggested",
        arguments: [
            ("firstName", "first_name"), ("FIRST_NAME", "first_name"), ("first-name", "first_name"),
            ("First Name", "first_name"), ("lastName", "last_name"), ("homeCity", "home_city"), ("Email", "email"),
            ("timezone", "time_zone"), ("imageUrl", "image_url"), ("pushSubscribe", "push_subscribe"),
            ("phone_number", "phone"), ("phoneNumber", "phone"), ("emailAddress", "email"), ("dateOfBirth", "dob"),
            ("birthday", "dob"), ("city", "home_city"), ("surname", "last_name"),
            ("emailNotificationSubscriptionType", "email_subscribe"), ("mobile", "phone"), ("mobileNumber", "phone"),
            ("pushNotificationSubscriptionType", "push_subscribe"), ("mail", "email"), ("birthdate", "dob"),
            ("emailSubscriptionState", "email_subscribe"), ("givenName", "first_name"), ("familyName", "last_name"),
            ("pushNotificationSubscriptionState", "push_subscribe"),
        ]
    )
    func otherSpelling(name: String, field: String) {
        #expect(advice(name) == "\(name) is not a standard field of a user; the field is \(field)")
    }

    @Test(
        "For a typo, the most similar field is suggested, and what to do if it is not meant",
        arguments: [
            ("emial", "email"), ("frist_name", "first_name"), ("gendr", "gender"), ("languages", "language"),
            ("contry", "country"), ("first_nmae", "first_name"),
        ]
    )
    func typo(name: String, field: String) {
        let text =
            "\(name) is not a standard field of a user; did you mean \(field)? Save anything else as a custom attribute"
        #expect(advice(name) == text)
    }

    @Test(
        "Any other name is that of a custom attribute",
        arguments: ["shoe_size", "nickname", "age", "plan", "ü", "score"]
    )
    func other(name: String) {
        #expect(advice(name) == "\(name) is not a standard field of a user; save it as a custom attribute")
    }
}
