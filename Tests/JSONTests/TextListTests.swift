import JSON
import Testing

/// Lists of a message whose objects are kept as texts.
@Suite struct TextListTests {
    private static let names = Names(["id", "name", "user"])
    private static let list = TextList("batch", in: "params")

    /// What a visit finds in the list of a message: for each element its values, or nil if it is no object.
    private func visited(_ line: String, keeping list: TextList?) throws -> [[JSON?]?] {
        let parsed = try Array(line.utf8).withUnsafeBytes { line in
            try JSON.parse(line, Names(["params"]), keeping: list)
        }
        guard case .object(let message) = parsed else { return [] }
        var found: [[JSON?]?] = []
        message[0]?["batch"]?.array?.visit(Self.names) { index, members in
            #expect(index == found.count)
            found.append(members.map { members in (0..<3).map { members[$0] } })
            guard let members else { return }
            #expect(members.integer(at: 0) == members[0]?.integer)
            #expect(members.text(at: 1, likely: nil) == members[1]?.string)
            #expect(members.isText("ada", at: 1) == (members[1] == "ada"))
            #expect(members.object(at: 2).map(JSON.object) == members[2]?.object.map(JSON.object))
            #expect(members.isObject(at: 2) == (members[2]?.object != nil))
            #expect(members.json(at: 2).flatMap { try? JSON(parsing: $0) } == members[2])
        }
        return found
    }

    @Test("A user that is written as the one before it is the same object, also in texts")
    func sharing() throws {
        let users = [#"{"a":"b"}"#, #"{"a":"b"}"#, #"{"a":"c"}"#].map { #"{"user":\#($0)}"# }.joined(separator: ",")
        let line = #"{"params":{"batch":[\#(users)]}}"#
        let parsed = try Array(line.utf8).withUnsafeBytes { line in
            try JSON.parse(line, Names(["params"]), keeping: Self.list)
        }
        guard case .object(let message) = parsed else { throw CancellationError() }
        var last: JSON.Object?
        var shared: [Bool] = []
        message[0]?["batch"]?.array?.visit(Self.names) { _, members in
            let user = members?.object(at: 2, likely: last)
            if let user, let last { shared.append(user.isIdentical(to: last)) }
            last = user
        }
        #expect(shared == [true, false])
    }

    /// Objects in which the reader finds its members, in some form.
    private static let objects = [
        #"{"id":1,"name":"ada","user":{"a":"b"}}"#, #"{"id":-7}"#, "{}", #"{"id":1.5,"name":null,"user":[{"id":2}]}"#,
        #"{"name":"a\"d\\a\n"}"#, #"{"name":"\u0061da"}"#, #"{"name":"ä€😀"}"#, #"{"other":{"id":9},"id":"1"}"#,
        #"{ "id" : 3 , "name":"x" }"#, #"{"id":12345678901234567890123}"#, #"{"user":{}}"#, #"{"id":1e3}"#,
        #"{"name":"}],{[\""}"#, #"{"i\u0064":4}"#,
    ]

    @Test("Members have the same values in a text and in a tree", arguments: objects)
    func members(object: String) throws {
        guard (try? JSON(parsing: object)) != nil else { return }
        let line =
            #"{"params":{"suite":"params\":{\"batch\":[","batch":[\#(object),{"id":2},\#(object)],"probe":true}}"#
        let found = try visited(line, keeping: Self.list)
        #expect(found.count == 3 && found[1]?[0] == 2)
        #expect(found == (try visited(line, keeping: nil)))
    }

    @Test(
        "A list in another place or form, or with other elements, is read as a tree",
        arguments: [
            #"{"params":{"batch":[]}}"#, #"{"params":{"batch":[1,"{\"id\":1}",{"id":2}]}}"#,
            #"{"params":{"batch":["{\"id\":1}"]}}"#, #"{"params":{"batch": [{"id":1}]}}"#,
            #"{"params":{"x":{"batch":[{"id":8}]},"batch":[{"id":1}]}}"#, #"{"batch":[{"id":1}],"params":{}}"#,
            #"{"x":{"batch":[{"id":1}]},"params":{"batch":[{"id":2}]}}"#, #"{"params":[{"batch":[{"id":1}]}]}"#,
            #"{"params":{"batch":[null,{"id":1}]}}"#, #"{"params":{"batch":{"id":1}}}"#,
        ]
    )
    func others(line: String) throws {
        #expect(try visited(line, keeping: Self.list) == visited(line, keeping: nil))
    }

    @Test(
        "A message that is not valid has the same error",
        arguments: [
            #"{"params":{"batch":[{"id":1}]"#, #"{"params":{"batch":[{"id":1}],}}"#, #"{"params":{"batch":[{"id":1]}}"#,
            #"{"params":{"batch":[{"id":1}],"batch":[]}}"#, #"{"params":{"batch":[{"id":1}x]}}"#, "",
        ]
    )
    func invalid(line: String) {
        func problem(_ list: TextList?) -> JSONParseError? {
            #expect(throws: JSONParseError.self) { try visited(line, keeping: list) }
        }
        #expect(problem(Self.list) == problem(nil))
    }

    @Test("An element that is no JSON is no object, and the others are read")
    func broken() throws {
        let line = #"{"params":{"batch":[{"id":1},{"id"},{"id":3}]}}"#
        #expect(try visited(line, keeping: Self.list).map { $0?[0] } == [1, nil, 3])
    }
}
