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

    private func event(_ name: String, _ properties: JSON?) -> RPCError? {
        error { try limits.checkEvent(name: name, properties: properties?.object, path: "/p") }
    }

    private func attribute(_ key: String, _ value: JSON) -> RPCError? {
        error { try limits.checkAttribute(key: key, value: value, path: "/v") }
    }

    private func field(_ field: String, _ value: JSON) -> RPCError? {
        error { try limits.checkField(field, value: value, path: "/v") }
    }

    private func error(_ body: () throws -> Void) -> RPCError? {
        do {
            try body()
            return nil
        } catch {
            return error as? RPCError
        }
    }

    @Test(
        "Events within the limits are taken",
        arguments: [
            nil, [:], members(256), ["k": .string(text(255))], ["k": .string(text(255, "👩‍👩‍👧"))], ["a.b": nil, "ä": []],
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
            (members(257), "/p"), (["": 1], "/p/"), (["$k": 1], "/p/$k"), (["time": 1], "/p/time"),
            (["event_name": "x"], "/p/event_name"), (["a/b~c": .string(text(256))], "/p/a~1b~0c"),
            (.object(JSON.Object([(text(256), 1)])), "/p/" + text(256)), (["n": nested(513)], "/p"),
            (["a": [.string(text(51_200))]], "/p"),
        ] as [(JSON, String)]
    )
    func badEvent(properties: JSON, path: String) {
        let found = event("Seen", properties)
        #expect(found?.code.rawValue == 210)
        #expect(found?.reason == "invalidRecord")
        #expect(found?.data?["path"] == .string(path))
        #expect(found?.message.hasPrefix("not saved: ") == true)
    }

    @Test("A name of 256 characters is refused")
    func longName() {
        #expect(event(Self.text(256), nil)?.reason == "invalidRecord")
        #expect(attribute(Self.text(256), 1)?.reason == "invalidRecord")
        #expect(attribute(Self.text(255), 1) == nil)
        #expect(attribute("$k", 1)?.reason == "invalidRecord")
    }

    @Test(
        "Attributes within the limits are taken",
        arguments: [
            nil, true, 1, 0.5, "", .string(text(255)), JSON((0..<25).map { JSON($0) }), ["inc": 1],
            ["add": ["x"]], ["a": ["b": [nil]]], nested(1),
        ] as [JSON]
    )
    func goodAttribute(value: JSON) {
        #expect(attribute("key", value) == nil)
    }

    @Test(
        "Attributes past the limits are refused",
        arguments: [
            .string(text(256)), JSON((0..<26).map { JSON($0) }), nested(513), ["a": .string(text(51_200))],
        ] as [JSON]
    )
    func badAttribute(value: JSON) {
        let found = attribute("key", value)
        #expect(found?.reason == "invalidRecord")
        #expect(found?.data?["path"] == "/v")
    }

    @Test(
        "Standard fields are taken",
        arguments: [
            ("email", "a@example.com"), ("email", nil), ("first_name", "Ä"), ("dob", "2000-01-01"), ("country", "de"),
            ("email", "a+b@sub.example.com"),
        ] as [(String, JSON)]
    )
    func goodField(name: String, value: JSON) {
        #expect(field(name, value) == nil)
    }

    @Test(
        "Unknown fields and texts that are no e-mail address are refused",
        arguments: [
            ("shoe_size", 44, "/params/field"), ("Email", "a@example.com", "/params/field"), ("email", "", "/v"),
            ("email", "a@b", "/v"), ("email", "@example.com", "/v"), ("email", "a@@example.com", "/v"),
            ("email", "a b@example.com", "/v"), ("email", "a@.com", "/v"), ("email", "a@example.", "/v"),
            ("first_name", .string(text(256)), "/v"),
        ] as [(String, JSON, String)]
    )
    func badField(name: String, value: JSON, path: String) {
        let found = field(name, value)
        #expect(found?.reason == "invalidRecord", "\(name) \(value)")
        #expect(found?.data?["path"] == .string(path))
    }
}
