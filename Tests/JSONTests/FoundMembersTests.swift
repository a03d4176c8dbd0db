import JSON
import Testing

@Suite("Members found while visiting an array")
struct FoundMembersTests {
    private static let names = Names(["id", "text", "user"])

    @Test("Each object's members are found by name, whatever their order; other elements have none")
    func members() throws {
        let array = try #require(try JSON(parsing: #"[{"text":"a","x":1,"id":7},3,{"user":{"b":2}},{"id":"7"}]"#).array)
        var found: [String] = []
        array.visit(Self.names) { index, members in
            guard let members else { return found.append("\(index): no object") }
            let id = members.integer(at: 0).map(String.init) ?? "none"
            let user = members.object(at: 2).map { JSON.object($0).description } ?? "none"
            found.append("\(index): \(id) \(members.text(at: 1, likely: nil) ?? "none") \(user)")
        }
        #expect(found == ["0: 7 a none", "1: no object", "2: none none {\"b\":2}", "3: none none none"])
    }

    @Test(
        "An object is shared with the previous one only if it has the same members in the same order",
        arguments: [
            (#"{"a":"x","b":"y"}"#, #"{"a":"x","b":"y"}"#, true),
            (#"{"a":"x","b":"y"}"#, #"{"b":"y","a":"x"}"#, false),
            (#"{"a":"x"}"#, #"{"a":"z"}"#, false),
            (#"{"a":"x"}"#, #"{"c":"x"}"#, false),
            (#"{"a":"x"}"#, #"{"a":"x","b":"y"}"#, false),
            (#"{"a":{"b":[1]}}"#, #"{"a":{"b":[1]}}"#, true),
            // Canonically equivalent texts are different bytes.
            ("{\"a\":\"\u{E9}\"}", "{\"a\":\"e\u{301}\"}", false),
            ("{}", "{}", true),
        ]
    )
    func sharing(first: String, second: String, isShared: Bool) throws {
        let array = try #require(try JSON(parsing: "[{\"user\":\(first)},{\"user\":\(second)}]").array)
        var previous: JSON.Object?
        var shared: Bool?
        var texts: [String] = []
        array.visit(Self.names) { _, members in
            guard let user = members?.object(at: 2, likely: previous) else { return }
            shared = previous.map { user.isIdentical(to: $0) }
            previous = user
            texts.append(JSON.object(user).description)
        }
        #expect(shared == isShared)
        #expect(texts == [first, second])
    }

    @Test("A text keeps its bytes although the previous one is canonically equivalent")
    func texts() throws {
        let array = try #require(
            try JSON(parsing: "[{\"text\":\"\u{E9}\"},{\"text\":\"e\u{301}\"},{\"text\":\"\"}]").array
        )
        var texts: [String] = []
        array.visit(Self.names) { _, members in
            if let text = members?.text(at: 1, likely: texts.last) { texts.append(text) }
        }
        #expect(texts.map { Array($0.utf8) } == [[0xC3, 0xA9], [0x65, 0xCC, 0x81], []])
    }

    @Test("A list of integers is read as a whole, or not at all")
    func integers() throws {
        #expect(JSON.array(JSON.Array(integers: [3, -1, .max])).description == "[3,-1,9223372036854775807]")
        #expect(try JSON(parsing: "[3,-1]").array?.integers == [3, -1])
        #expect(try JSON(parsing: "[]").array?.integers == [])
        #expect(try JSON(parsing: "[3,1.0]").array?.integers == nil)
    }
}
