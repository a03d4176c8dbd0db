import JSON
import Testing

@testable import BrazeRules

@Suite struct EventRulesTests {
    private let limits = RecordLimits()

    private static func text(_ count: Int, _ letter: String = "x") -> String { String(repeating: letter, count: count) }

    private static func nested(_ depth: Int) -> JSON {
        (0..<depth).reduce(JSON.integer(1)) { value, _ in [value] }
    }

    private static func nestedObjects(_ depth: Int) -> JSON {
        (0..<depth).reduce(JSON.integer(1)) { value, _ in ["n": value] }
    }

    private static func members(_ count: Int) -> JSON {
        .object(JSON.Object((0..<count).map { ("p\($0)", JSON($0)) }))
    }

    private func event(_ name: String, _ properties: JSON?) -> RecordPlace? {
        place { () throws(RecordError) in try limits.checkEvent(name: name, properties: properties?.object) }
    }

    private func attribute(_ key: String, _ value: JSON) -> RecordPlace? {
        place { () throws(RecordError) in try limits.checkAttribute(key: key, value: value) }
    }

    private func field(_ field: String, _ value: JSON) -> RecordPlace? {
        place { () throws(RecordError) in try limits.checkField(field, value: value) }
    }

    private func place(_ body: () throws(RecordError) -> Void) -> RecordPlace? {
        do throws(RecordError) {
            try body()
            return nil
        } catch {
            return error.place
        }
    }

    @Test(
        "Events within the limits are accepted",
        arguments: [
            nil, [:], members(256), ["k": .string(text(255))], ["k": .string(text(255, "👩"))], ["a.b": .null, "ä": []],
            ["n": nested(511)], nestedObjects(512), ["Time": 1, "EVENT_NAME": 2], ["nested": ["time": 1, "x$": 2]],
            ["n": ["at": "3000-12-31T23:59:59Z", "none": .null, "in": ["9999-01-01"]]], ["at": "9999-12-31T00:00:00Z"],
            ["n": ["at": "9999-12-31, or so", "signed": "+2026-01-01", "number": "9999"]],
            ["list": JSON((0..<30).map { JSON($0) })],
            ["days": ["2026-01-31", "01/31/2026"], "at": "2026-01-31T10:20"],
            ["list": [["at": "2026-01-31T10:20:30Z"]]],
        ] as [JSON?]
    )
    func goodEvent(properties: JSON?) {
        #expect(event("Seen", properties) == nil)
        #expect(event(Self.text(255), properties) == nil)
    }

    @Test(
        "Events that exceed the limits are refused with the path of the invalid part",
        arguments: [
            (members(257), []), (["": 1], [""]), (["$k": 1], ["$k"]), (["time": 1], ["time"]),
            (["event_name": "x"], ["event_name"]), (["a/b~c": .string(text(256))], ["a/b~c"]),
            (["list": [.string(text(256))]], ["list", "0"]),
            (.object(JSON.Object([(text(256), 1 as JSON)])), [text(256)]), (["n": nested(512)], []),
            (nestedObjects(513), []),
            (["good": 1, "n": ["m": [0, ["text": .string(text(256))]]], "$later": 1], ["n", "m", "1", "text"]),
            (["n": ["": 1]], ["n", ""]), (["n": .object(JSON.Object([(text(256), 1 as JSON)]))], ["n", text(256)]),
            (["n": ["$x": 1]], ["n", "$x"]), (["list": [1, "2026-01-31T10:20:30Z"]], ["list", "1"]),
            (["n": ["list": ["2026-01-31 10:20:30:500+01:00"]]], ["n", "list", "0"]),
            (["n": ["at": "3001-01-01"]], ["n", "at"]), (["n": [["at": "-0001-01-01T00:00:00Z"]]], ["n", "0", "at"]),
            (["n": ["at": "+12026-01-01T00:00:00Z"]], ["n", "at"]), (["n": ["at": "01/31/3001"]], ["n", "at"]),
        ] as [(JSON, [String])]
    )
    func badEvent(properties: JSON, steps: [String]) {
        #expect(event("Seen", properties) == place("properties", steps))
    }

    private func place(_ parameter: String, _ steps: [String]) -> RecordPlace {
        var place = RecordPlace(parameter)
        place.steps = steps
        return place
    }

    @Test(
        "The error of an event says which rule it breaks, with the limit and what was found",
        arguments: [
            (members(257), "an event has at most 256 properties, this one 257"),
            (["k": .string(text(256))], "a text has at most 255 characters, this one 256"),
            (.object(JSON.Object([(text(257), 1 as JSON)])), "a key has at most 255 characters, this one 257"),
            (["n": nested(512)], "a value nests at most 512 deep"), (["$k": 1], "a key must not begin with $"),
            (["": 1], "a key must not be empty"),
            (["time": 1], "the property name time is reserved by Braze; use another one"),
            (["n": ["at": "3001-01-01"]], "Braze stores dates of the years 0 to 3000, not 3001-01-01"),
        ] as [(JSON, String)]
    )
    func sentences(properties: JSON, text: String) {
        let error = #expect(throws: RecordError.self) {
            try limits.checkEvent(name: "Seen", properties: properties.object)
        }
        #expect(error?.text == text)
    }

    @Test("A character is a Unicode scalar: a family emoji of three people and two joiners counts as five")
    func scalars() {
        let family = "\u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467}"
        #expect(family.count == 1 && family.unicodeScalars.count == 5)
        #expect(event(Self.text(51, family), ["k": .string(Self.text(51, family))]) == nil)
        #expect(event(Self.text(52, family), nil) == RecordPlace("name"))
        #expect(event("Seen", ["k": .string(Self.text(52, family))]) == RecordPlace("properties", "k"))
        #expect(attribute(Self.text(51, family), 1) == nil)
        #expect(attribute(Self.text(52, family), 1) == RecordPlace("key"))
        #expect(attribute("k", .string(Self.text(52, family))) == RecordPlace("value"))
        #expect(field("first_name", .string(Self.text(51, family))) == nil)
        #expect(field("first_name", .string(Self.text(52, family))) == RecordPlace("value"))
    }

    @Test("A name of 256 characters, and an empty one, are refused")
    func longName() {
        #expect(event(Self.text(256), nil) == RecordPlace("name"))
        #expect(event("", nil) == RecordPlace("name"))
        let error = #expect(throws: RecordError.self) {
            try limits.checkEvent(name: Self.text(256), properties: nil)
        }
        #expect(error?.text == "the event's name has at most 255 characters, this one 256")
        #expect(attribute(Self.text(256), 1) == RecordPlace("key"))
        #expect(attribute(Self.text(255), 1) == nil)
        #expect(attribute("$k", 1) == nil)
    }
}
