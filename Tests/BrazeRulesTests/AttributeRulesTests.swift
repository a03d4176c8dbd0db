import JSON
import Testing

@testable import BrazeRules

@Suite struct AttributeRulesTests {
    private let limits = RecordLimits()

    private static func text(_ count: Int) -> String { String(repeating: "ü", count: count) }
    private static func list(_ count: Int) -> JSON { JSON((0..<count).map { JSON($0) }) }
    private static func objects(_ count: Int) -> JSON { JSON((0..<count).map { ["id": JSON($0)] }) }
    private static func nested(_ depth: Int) -> JSON { (0..<depth).reduce(1) { value, _ in [value] } }

    private static func update(_ members: KeyValuePairs<String, JSON>) -> JSON {
        ["$update": [.object(JSON.Object(members.map { ($0.key, $0.value) }))]]
    }

    /// A pointer to the invalid part of an attribute; nil if the attribute is accepted.
    private func invalidPart(_ key: String, _ value: JSON, _ limits: RecordLimits = RecordLimits()) -> String? {
        do throws(RecordError) {
            try limits.checkAttribute(key: key, value: value)
            return nil
        } catch {
            return ([error.place.parameter] + error.place.steps).joined(separator: "/")
        }
    }

    @Test(
        "Keys that are not reserved by Braze are accepted",
        arguments: [
            text(255), "first name", "a.b", "x$", "Email", "score", "time", "event_name", "emails", "emaiL", "dob_",
            "exit", "$k", "$",
        ]
    )
    func goodKey(key: String) {
        #expect(invalidPart(key, 1) == nil)
    }

    @Test("A key of any length is compared with the reserved names")
    func lengths() {
        for length in 1...255 { #expect(invalidPart(String(repeating: "x", count: length), 1) == nil, "\(length)") }
    }

    @Test(
        "Keys that Braze refuses or interprets as a standard field or an identifier are refused",
        arguments: ["", text(256)] + ControlMember.allCases.map(\.rawValue) + StandardField.names.sorted()
    )
    func badKey(key: String) {
        #expect(invalidPart(key, 1) == "key")
    }

    @Test(
        "Values and changes within the limits are accepted",
        arguments: [
            .null, true, 1, 0.5, "", .string(text(255)), list(25), [],
            ["a", 1, 0.5, true, ["$time": "2026-01-01"]], ["deep": nested(511)], [["a": 1], ["b": 2]],
            [:], ["a": ["b": [1, "x"]], "inc": 1.5], ["$merge": ["a": ["b": 1], "at": ["$time": "2026-01-01"]]],
            ["at": ["$time": "1980-01-01T19:20:30Z"]],
            ["at": ["$time": "01/31/2026"]], ["at": ["$time": "2026-01-01T10:20:30+01:00"]],
            ["at": ["$time": "2026-01-01"], "list": list(30)], ["at": "9999-01-01"], ["$time": "2026-01-01 10:20"],
            ["inc": 1], ["inc": -2], ["add": list(25)], ["remove": ["x", true, 0.5]], ["add": ["a"], "remove": ["b"]],
            ["$add": objects(501)], objects(501), ["$remove": [["$identifier_key": "id", "$identifier_value": 4]]],
            update(["$identifier_key": "id", "$identifier_value": "x", "$new_object": ["at": ["$time": "2026-01-01"]]]),
            update(["$identifier_key": "id", "$identifier_value": 1, "$new_object": ["deep": nested(508)]]),
            ["$add": [["deep": nested(509)]]], ["$merge": ["deep": nested(510)]], [["deep": nested(510)]],
            ["$remove": [["$identifier_key": .string(text(255)), "$identifier_value": .string(text(255))]]],
            ["$remove": [["$identifier_key": "id", "$identifier_value": true]]],
            ["$remove": [["$identifier_key": "id", "$identifier_value": 0.5]]],
        ] as [JSON]
    )
    func goodValue(value: JSON) {
        #expect(invalidPart("key", value) == nil)
    }

    @Test(
        "Values that exceed the limits are refused with the path of the invalid part",
        arguments: [
            (.string(text(256)), ""), (list(26), ""), (["deep": nested(512)], ""),
            ([["deep": nested(511)]], ""), ([["a"], ["b"]], "/0"), (["a", [:]], "/1"), ([["a": 1], "b"], "/0"),
            ([["$time": "2026-01-01"], ["a": 1]], "/1"),
            ([1, .string(text(256))], "/1"),
            ([.null], "/0"), (["a": .null], "/a"), (["a": ["b": [1, .null]]], "/a/b/1"),
            (["a": [["b": .null]]], "/a/0/b"),
            (["a": ["b": .string(text(256))]], "/a/b"), (["a": [.string(text(256))]], "/a/0"), (["": 1], "/"),
            (["a b": 1], "/a b"), (["n": ["a.b": 1]], "/n/a.b"), (["n": ["a$": 1]], "/n/a$"), ([["$x": 1]], "/0/$x"),
            (.object(JSON.Object([(text(256), 1 as JSON)])), "/\(text(256))"),
        ] as [(JSON, String)]
    )
    func badValue(value: JSON, path: String) {
        #expect(invalidPart("key", value) == "value" + path)
    }

    @Test(
        "Dates within objects that Braze could not store are refused with their path",
        arguments: [
            ("2026-02-30", "/at/$time"), ("3001-01-01", "/at/$time"), ("soon", "/at/$time"), (5, "/at/$time"),
            (.null, "/at/$time"), ("+2026-01-01", "/at/$time"), ("-0001-01-01", "/at/$time"),
            ("2026-01-01 10:20:30 UTC", "/at/$time"), ("31/01/2026", "/at/$time"),
        ] as [(JSON, String)]
    )
    func badDate(time: JSON, path: String) {
        #expect(invalidPart("key", ["at": ["$time": time]]) == "value" + path)
        #expect(invalidPart("key", ["at": ["$time": "2026-01-01", "x": 1]]) == "value/at/$time")
    }

    @Test(
        "Changes that exceed the limits are refused with the path of the invalid part",
        arguments: [
            (["inc": 1.5], "/inc"), (["inc": "1"], "/inc"), (["inc": .null], "/inc"),
            (["add": []], "/add"), (["add": list(26)], "/add"), (["remove": "x"], "/remove"),
            (["inc": 1, "add": ["a"]], "/inc"), (["add": ["a"], "remove": list(26)], "/remove"),
            (["add": 1, "remove": ["a"]], "/add"), (["$merge": 1], "/$merge"), (["$merge": ["inc": 1]], "/$merge"),
            (["$merge": ["$time": "2026-01-01"]], "/$merge"), (["$merge": ["a": .null]], "/$merge/a"),
            (["$merge": ["a": 1], "b": 2], "/$merge"),
            (["add": ["x", .null]], "/add/1"), (["remove": [[:]]], "/remove/0"),
            (["add": [.string(text(256))]], "/add/0"),
            (["$add": []], "/$add"), (["$add": [1]], "/$add/0"),
            (["$add": [["a": .null]]], "/$add/0/a"), (["$add": objects(1), "x": 1], "/x"),
            (["$add": objects(1), "x": objects(1)], "/x"),
            (["$remove": [:]], "/$remove"),
            (["$remove": [["$identifier_key": "id"]]], "/$remove/0"),
            (["$remove": [["$identifier_key": "id", "x": 1]]], "/$remove/0"),
            (["$remove": [["$identifier_key": "", "$identifier_value": 1]]], "/$remove/0/$identifier_key"),
            (["$remove": [["$identifier_key": "id", "$identifier_value": .null]]], "/$remove/0/$identifier_value"),
            (["$remove": [["$identifier_key": "id", "$identifier_value": [1]]]], "/$remove/0/$identifier_value"),
            (["$remove": [["$identifier_key": 1, "$identifier_value": 1]]], "/$remove/0/$identifier_key"),
            (
                ["$remove": [["$identifier_key": .string(text(256)), "$identifier_value": 1]]],
                "/$remove/0/$identifier_key"
            ),
            (
                ["$remove": [["$identifier_key": "id", "$identifier_value": .string(text(256))]]],
                "/$remove/0/$identifier_value"
            ),
            (
                ["$remove": [["$identifier_key": "id", "$identifier_value": 1, "$new_object": [:]]]],
                "/$remove/0"
            ),
            (update(["$identifier_key": "id", "$identifier_value": 1]), "/$update/0"),
            (
                update(["$identifier_key": "id", "$identifier_value": 1, "$new_object": 1]),
                "/$update/0/$new_object"
            ),
            (
                update(["$identifier_key": "id", "$identifier_value": 1, "$new_object": ["a": ["b c": 1]]]),
                "/$update/0/$new_object/a/b c"
            ),
            (update(["$identifier_key": "id", "$identifier_value": 1, "$new_object": ["deep": nested(509)]]), ""),
            (["$add": [["deep": nested(510)]]], ""), (["$merge": ["deep": nested(511)]], ""),
        ] as [(JSON, String)]
    )
    func badChange(value: JSON, path: String) {
        #expect(invalidPart("key", value) == "value" + path, "\(value)")
    }

    @Test(
        "The error of an attribute says which rule it breaks, with the limit and what was found",
        arguments: [
            (list(26), "an array attribute has at most 25 elements, this one 26"),
            (["add": list(26)], "add takes an array of 1 to 25 elements, this one has 26"),
            (["remove": 1], "remove takes an array of 1 to 25 elements, not 1"),
            (["inc": 1.5], "inc takes an integer, not 1.5"), (["$add": [1]], "$add takes objects, not 1"),
            (
                ["$remove": [["$identifier_key": "id"]]],
                "an element of $remove has the members $identifier_key, $identifier_value and no other"
            ),
            (
                update(["$identifier_key": "id", "$identifier_value": 1]),
                "an element of $update has the members $identifier_key, $identifier_value, $new_object and no other"
            ),
        ] as [(JSON, String)]
    )
    func sentences(value: JSON, text: String) {
        let error = #expect(throws: RecordError.self) { try limits.checkAttribute(key: "key", value: value) }
        #expect(error?.text == text)
    }

    @Test("Wider limits accept more elements, up to the limit")
    func wider() {
        var limits = RecordLimits()
        limits.arrayElements = 26
        for value in [Self.list(26), ["add": Self.list(26)], ["remove": Self.list(26)]] as [JSON] {
            #expect(invalidPart("key", value) != nil)
            #expect(invalidPart("key", value, limits) == nil)
        }
        for value in [Self.list(27), ["add": Self.list(27)]] as [JSON] {
            #expect(invalidPart("key", value, limits) != nil)
        }
        #expect(invalidPart("key", Self.list(500), .widest) == nil)
        #expect(invalidPart("key", Self.list(501), .widest) == "value")
    }

    @Test(
        "A key that is a member of Braze's request is refused, and the error says what to do instead",
        arguments: ControlMember.allCases
    )
    func control(member: ControlMember) {
        let error = #expect(throws: RecordError.self) { try limits.checkAttribute(key: member.rawValue, value: "x") }
        #expect(error?.text.hasPrefix("\(member.rawValue) is a member of Braze's request and no attribute: ") == true)
        #expect(
            error?.text
                == #expect(throws: RecordError.self) { try limits.checkField(member.rawValue, value: "x") }?.text
        )
    }

    @Test(
        "A value either changes the attribute or replaces it",
        arguments: [
            (.null, .removal), (["inc": 1], .increment(by: 1)), (["add": ["a"]], .elements),
            (["remove": ["a"]], .elements), (["add": ["a"], "remove": ["b"]], .elements),
            (["$merge": ["a": 1]], .merge(["a": 1])), (["$add": [["id": 1]]], .objects), (["$update": []], .objects),
            (["inc": 1, "more": 1], nil), (["add": ["a"], "more": 1], nil), ([:], nil), (["a"], nil), ("inc", nil),
            (1, nil),
        ] as [(JSON, AttributeChange?)]
    )
    func change(value: JSON, change: AttributeChange?) {
        #expect(AttributeChange(value) == change)
    }
}
