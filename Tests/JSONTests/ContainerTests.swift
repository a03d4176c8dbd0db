import JSON
import Testing

@Suite struct ContainerTests {
    @Test("Members keep the order in which they were written")
    func order() throws {
        let text = #"{"z":1,"a":{"y":2,"b":3},"m":[{"q":4,"c":5}],"":6}"#
        let value = try JSON(parsing: text)
        #expect(value.description == text)
        #expect(value.object?.map(\.name) == ["z", "a", "m", ""])
    }

    @Test("Many members keep their order while Jansson's table grows")
    func manyMembers() throws {
        let names = (0..<2_000).map { "member \(($0 * 7_919) % 2_000)" }
        let object = JSON.Object(names.map { ($0, JSON.string($0)) })
        #expect(object.map(\.name) == names)
        #expect(object.count == names.count)
        #expect(names.allSatisfy { object[$0] == .string($0) })
    }

    @Test("A visit lends the bytes of names and texts without copies")
    func visit() throws {
        let object = try #require(try JSON(parsing: #"{"ä":"x\u0000y","":"","n":1,"a":[]}"#).object)
        var seen: [String] = []
        object.visit { member in
            let text = member.textBytes.map { String(decoding: $0, as: UTF8.self) }
            seen.append("\(member.name):\(member.nameBytes.count):\(text ?? "none"):\(member.value)")
            #expect(member.isText("x\0y") == (member.name == "ä") && member.isNamed("") == member.name.isEmpty)
        }
        #expect(seen == ["ä:2:x\0y:\"x\\u0000y\"", ":0::\"\"", "n:1:none:1", "a:1:none:[]"])
    }

    @Test("A dictionary literal creates an object, with members in the written order")
    func objectLiteral() {
        let code = "SPRING"
        let properties: JSON.Object = ["code": .string(code), "amount": 3, "again": .bool(true)]
        #expect(properties.map(\.name) == ["code", "amount", "again"])
        #expect(JSON.object(properties) == ["code": "SPRING", "amount": 3, "again": true])
        let empty: JSON.Object = [:]
        #expect(empty.isEmpty)
    }

    @Test("Literals create values, with members in the written order")
    func literals() {
        let name = "Ada"
        let value: JSON = [
            "null": .null, "bool": true, "integer": 1, "real": 1.0, "text": "x", "array": [1, [2], [:], []],
            "greeting": "hello \(name)",
        ]
        let text = #"{"null":null,"bool":true,"integer":1,"real":1.0,"text":"x","array":[1,[2],{},[]],"#
        #expect(value.description == text + #""greeting":"hello Ada"}"#)
    }

    @Test("Values can be created from Swift's types")
    func conversions() {
        #expect(JSON(7) == .integer(7))
        #expect(JSON(nil as String?) == .null)
        #expect(JSON("a" as String?) == "a")
        #expect(JSON([1, "b"]) == [1, "b"])
        #expect(JSON.Array([]).isEmpty)
        #expect(JSON.Object([]).isEmpty)
    }

    @Test("A repeated name replaces the value at its first position")
    func repeatedName() {
        let object = JSON.Object([("a", 1), ("b", 2), ("a", 3)])
        #expect(JSON.object(object).description == #"{"a":3,"b":2}"#)
    }

    @Test("Setting a member replaces it at its position or adds it at the end, and does not change the original")
    func setting() {
        let object = JSON.Object([("a", 1), ("b", 2)])
        #expect(JSON.object(object.setting("a", to: [3])).description == #"{"a":[3],"b":2}"#)
        #expect(JSON.object(object.setting("c", to: .null)).description == #"{"a":1,"b":2,"c":null}"#)
        #expect(JSON.object(object).description == #"{"a":1,"b":2}"#)
    }

    @Test("Setting a member does not affect another one whose name only looks the same")
    func settingByBytes() {
        let object = JSON.Object([("\u{E9}", 1), ("e\u{301}", 2)])
        let changed = object.setting("\u{E9}", to: 3)
        #expect(changed["\u{E9}"] == 3)
        #expect(changed["e\u{301}"] == 2)
        #expect(changed.count == 2)
    }

    @Test("Subscripts return nil for absent members and elements")
    func subscripts() {
        let value: JSON = ["a": [1, 2], "n": .null]
        #expect(value["a"]?[1] == 2)
        #expect(value["a"]?[2] == nil)
        #expect(value["a"]?[-1] == nil)
        #expect(value["b"] == nil)
        #expect(value["n"]?.isNull == true)
        #expect(value[0] == nil)
        #expect(JSON.integer(1)["a"] == nil)
    }

    @Test("An array is a collection")
    func array() throws {
        let array = try #require(try JSON(parsing: "[3,1,2]").array)
        #expect(array.count == 3)
        #expect(array.first == 3)
        #expect(array.last == 2)
        #expect(array.reversed().map(\.integer) == [2, 1, 3])
        #expect(array[1...].compactMap(\.integer) == [1, 2])
    }

    @Test("A subtree remains valid after its message is released")
    func subtree() throws {
        var message: JSON? = try JSON(parsing: #"{"id":1,"params":{"deep":[{"text":"still here"}]}}"#)
        let subtree = try #require(message?["params"]?["deep"])
        message = nil
        let others = try (0..<1_000).map { try JSON(parsing: #"{"params":{"deep":[{"text":"\#($0)"}]}}"#) }
        #expect(others.count == 1_000)
        #expect(subtree.description == #"[{"text":"still here"}]"#)
        let members = try #require(subtree[0]?.object?.makeIterator())
        var iterator = members
        #expect(iterator.next()?.value == "still here")
        #expect(iterator.next() == nil)
    }

    @Test("A subtree may be part of several trees")
    func sharing() throws {
        let part = try JSON(parsing: #"{"a":[1]}"#)
        let whole: JSON = ["x": part, "y": [part, part]]
        #expect(whole.description == #"{"x":{"a":[1]},"y":[{"a":[1]},{"a":[1]}]}"#)
        #expect(whole["y"]?[1] == part)
    }

    @Test("The builder leaves out absent members and keeps the order")
    func present() {
        let (none, text): (Int64?, String?) = (nil, "é")
        let object = JSON(present: [
            "z": .bool(true), "none": none.map(JSON.integer), "a": text.map(JSON.string),
            "flag": none == nil ? nil : true,
            "m": ["x": 1],
        ])
        #expect(object.description == #"{"z":true,"a":"é","m":{"x":1}}"#)
        #expect(JSON(present: [:]).description == "{}")
        #expect(JSON(present: ["none": nil]).description == "{}")
    }

    @Test("The builder keeps null")
    func presentNull() {
        #expect(
            JSON(present: ["a": .null, "b": nil, "c": JSON(nil as String?)]).description == #"{"a":null,"c":null}"#
        )
    }

    @Test("The last present value of a repeated name wins, in the place of the first")
    func presentRepeated() {
        #expect(JSON(present: ["a": 1, "b": 2, "a": 3]).description == #"{"a":3,"b":2}"#)
        #expect(JSON(present: ["a": 1, "b": 2, "a": nil]).description == #"{"a":1,"b":2}"#)
        let list = JSON.Object([("a", 1), ("b", 2), ("a", 3)])
        #expect(JSON.object(list).description == #"{"a":3,"b":2}"#)
    }

    @Test("Lists of members are joined in order")
    func joinedMembers() {
        let (shared, none): (MemberList, String?) = (["id": 1], nil)
        let joined = shared + ["own": "x", "none": none.map(JSON.string)] + ["last": .null]
        #expect(JSON(present: joined).description == #"{"id":1,"own":"x","last":null}"#)
        #expect(joined.map { $0.0 } == ["id", "own", "last"])
        let object: JSON = ["b": 1, "a": .null]
        #expect(JSON(present: object.members + shared).description == #"{"b":1,"a":null,"id":1}"#)
        #expect(JSON(present: JSON.null.members).description == "{}")
        #expect(JSON(present: MemberList([("b", 1), ("a", .null)])) == object)
    }

    @Test("Empty arrays and counts of 0 may be left out")
    func absentValues() {
        #expect(JSON(nonEmpty: [] as [JSON]) == nil)
        #expect(JSON(nonEmpty: ["a", .null])?.description == #"["a",null]"#)
        #expect(JSON(nonEmpty: [] as [Int64]) == nil)
        #expect(JSON(nonEmpty: [3, -1] as [Int64])?.description == "[3,-1]")
        #expect(JSON(nonEmpty: "") == nil)
        #expect(JSON(nonEmpty: "a") == "a")
        #expect(JSON(positive: 0) == nil)
        #expect(JSON(positive: -1) == nil)
        #expect(JSON(positive: 7 as UInt8) == 7)
    }
}
