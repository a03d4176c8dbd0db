import JSON
import JSONRPC
import Testing

@testable import HostCore

@Suite struct RecordLimitsTests {
    private let limits = RecordLimits()

    private static func text(_ count: Int, _ letter: String = "x") -> String { String(repeating: letter, count: count) }

    private static func nested(_ depth: Int) -> JSON {
        (0..<depth).reduce(JSON.integer(1)) { value, _ in [value] }
    }

    private static func members(_ count: Int) -> JSON {
        .object(JSON.Object((0..<count).map { ("p\($0)", JSON($0)) }))
    }

    private func event(_ name: String, _ properties: JSON?) -> RecordPlace? {
        place { () throws(RecordProblem) in try limits.checkEvent(name: name, properties: properties?.object) }
    }

    private func attribute(_ key: String, _ value: JSON) -> RecordPlace? {
        place { () throws(RecordProblem) in try limits.checkAttribute(key: key, value: value) }
    }

    private func field(_ field: String, _ value: JSON) -> RecordPlace? {
        place { () throws(RecordProblem) in try limits.checkField(field, value: value) }
    }

    private func place(_ body: () throws(RecordProblem) -> Void) -> RecordPlace? {
        do throws(RecordProblem) {
            try body()
            return nil
        } catch {
            return error.place
        }
    }

    @Test(
        "Events within the limits are taken",
        arguments: [
            nil, [:], members(256), ["k": .string(text(255))], ["k": .string(text(255, "👩‍👩‍👧"))], ["a.b": .null, "ä": []],
            ["n": nested(510)], ["Time": 1, "EVENT_NAME": 2], ["nested": ["time": 1, "$x": 2]],
        ] as [JSON?]
    )
    func goodEvent(properties: JSON?) {
        #expect(event("Seen", properties) == nil)
        #expect(event(Self.text(255), properties) == nil)
    }

    @Test(
        "Events past the limits are refused where they are wrong",
        arguments: [
            (members(257), nil), (["": 1], ""), (["$k": 1], "$k"), (["time": 1], "time"),
            (["event_name": "x"], "event_name"),
            (["a/b~c": .string(text(256))], "a/b~c"), (.object(JSON.Object([(text(256), 1 as JSON)])), text(256)),
            (["n": nested(513)], nil),
        ] as [(JSON, String?)]
    )
    func badEvent(properties: JSON, key: String?) {
        #expect(event("Seen", properties) == RecordPlace("properties", key: key))
    }

    @Test("A name of 256 characters is refused")
    func longName() {
        #expect(event(Self.text(256), nil) == RecordPlace("name"))
        #expect(attribute(Self.text(256), 1) == RecordPlace("key"))
        #expect(attribute(Self.text(255), 1) == nil)
        #expect(attribute("$k", 1) == RecordPlace("key"))
    }

    @Test("The error names the place as the caller wrote it", arguments: [false, true])
    func error(isPositional: Bool) throws {
        let properties: JSON = ["a/b~c": 1]
        var methods = MethodTable<Void>()
        methods.add("save", ["name", "properties?"], ())
        let params: JSON = isPositional ? ["x", properties] : ["name": "x", "properties": properties]
        let arguments = try #require(methods["save"]).signature.bind(params)
        let error = RecordProblem("it is odd", RecordPlace("properties", key: "a/b~c")).error(arguments)
        #expect(error.code.rawValue == 210)
        #expect(error.reason == "invalidRecord")
        #expect(error.message == "not saved: it is odd")
        #expect(error.data?["path"]?.string == "/params/\(isPositional ? "1" : "properties")/a~1b~0c")
    }

    @Test(
        "Attributes within the limits are taken",
        arguments: [
            .null, true, 1, 0.5, "", .string(text(255)), JSON((0..<25).map { JSON($0) }), ["inc": 1],
            ["add": ["x"]], ["a": ["b": [.null]]], nested(1),
        ] as [JSON]
    )
    func goodAttribute(value: JSON) {
        #expect(attribute("key", value) == nil)
    }

    @Test(
        "Attributes past the limits are refused",
        arguments: [
            .string(text(256)), JSON((0..<26).map { JSON($0) }), nested(513),
        ] as [JSON]
    )
    func badAttribute(value: JSON) {
        #expect(attribute("key", value) == RecordPlace("value"))
    }

    @Test(
        "Standard fields are taken",
        arguments: [
            ("email", "a@example.com"), ("email", .null), ("first_name", "Ä"), ("dob", "2000-01-01"), ("country", "de"),
            ("email", "a+b@sub.example.com"),
        ] as [(String, JSON)]
    )
    func goodField(name: String, value: JSON) {
        #expect(field(name, value) == nil)
    }

    @Test(
        "Unknown fields and texts that are no e-mail address are refused",
        arguments: [
            ("shoe_size", 44, "field"), ("Email", "a@example.com", "field"), ("email", "", "value"),
            ("email", "a@b", "value"), ("email", "@example.com", "value"), ("email", "a@@example.com", "value"),
            ("email", "a b@example.com", "value"), ("email", "a@.com", "value"), ("email", "a@example.", "value"),
            ("first_name", .string(text(256)), "value"),
        ] as [(String, JSON, String)]
    )
    func badField(name: String, value: JSON, parameter: String) {
        #expect(field(name, value) == RecordPlace(parameter), "\(name) \(value)")
    }
}
