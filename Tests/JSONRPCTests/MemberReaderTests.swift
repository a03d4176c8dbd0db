import JSON
import JSONRPC
import Testing

@Suite struct MemberReaderTests {
    private enum Choice: String, CaseIterable {
        case a, b
    }

    private func reader(_ object: JSON, pointer: String = "") throws -> MemberReader<MemberError> {
        try MemberReader(object, pointer: pointer) { $0 }
    }

    private func error(_ body: () throws -> Void) -> MemberError? {
        #expect(throws: MemberError.self) { try body() }
    }

    @Test("A member of the expected type is read, an absent one is nil")
    func optional() throws {
        let members = try reader(["a": "x", "b": true, "c": 7, "d": ["x"], "e": [:]])
        #expect(try members.optional("a", .string) == "x")
        #expect(try members.optional("b", .bool) == true)
        #expect(try members.optional("c", .integer(in: 0...7)) == 7)
        #expect(try members.optional("d", .strings) == ["x"])
        #expect(try members.optional("e", .object)?.isEmpty == true)
        #expect(try members.optional("f", .string) == nil)
    }

    @Test(
        "A wrong member is refused with its path, what was expected and what was found",
        arguments: [
            ("7", "must be a string, it is 7"), ("null", "must be a string, it is null"),
            ("[1]", "must be a string, it is array"), ("{}", "must be a string, it is object"),
        ]
    )
    func wrong(value: String, problem: String) throws {
        let members = try reader(["a/b": try JSON(parsing: value)], pointer: "/actions/0")
        let error = error { _ = try members.optional("a/b", .string) }
        #expect(error == MemberError("/actions/0/a~1b", name: "a/b", problem))
        #expect(error?.shortText(whole: "the result") == "a/b \(problem)")
        #expect(error?.text(whole: "the result") == "actions/0/a~1b \(problem)")
    }

    @Test("A required member that is absent is refused")
    func required() throws {
        let members = try reader(["a": "x"])
        #expect(try members.required("a", .nonEmptyString) == "x")
        let error = error { _ = try members.required("b", .nonEmptyString) }
        #expect(error == MemberError("/b", name: "b", "must be a non-empty string, it is absent"))
    }

    @Test("A value that is not an object is refused with the name of the value")
    func whole() {
        let error = error { _ = try reader([1]) }
        #expect(error?.text(whole: "the result") == "the result must be an object, it is array")
    }

    @Test("A rule about an object as a whole has the object's path, and no name")
    func rule() throws {
        let members = try reader(["a": 1], pointer: "/actions/0")
        #expect(members.error("must have a title") == MemberError("/actions/0", "must have a title"))
    }

    @Test("Errors in a nested object, and in the objects of an array, have their paths")
    func nested() throws {
        let members = try reader([
            "media": ["button": 7], "actions": [["title": "a"], ["title": 7]], "wrong": [[:], 7],
        ])
        let media = try #require(try members.member("media"))
        #expect(error { _ = try media.optional("button", .string) }?.pointer == "/media/button")
        let actions = try #require(try members.objects("actions"))
        #expect(try actions[0].required("title", .string) == "a")
        #expect(error { _ = try actions[1].required("title", .string) }?.pointer == "/actions/1/title")
        #expect(error { _ = try members.objects("wrong") }?.pointer == "/wrong/1")
        #expect(error { _ = try members.objects("media") }?.problem == "must be an array, it is object")
        #expect(try members.objects("absent") == nil)
        #expect(try members.member("absent") == nil)
    }

    @Test("The error of an array with a wrong element says what the elements must be")
    func elements() throws {
        let members = try reader(["list": [1], "none": 7])
        #expect(error { _ = try members.optional("list", .strings) }?.problem == "must be an array of strings")
        #expect(error { _ = try members.optional("none", .strings) }?.problem == "must be an array of strings, it is 7")
        #expect(
            error { _ = try members.optional("list", .words(["a", "b"])) }?.problem
                == "must be an array of these words: a, b"
        )
    }

    @Test("Lenient reading reports a wrong member and continues")
    func lenient() throws {
        let members = try reader(["a": 7, "b": "x"])
        var reported: [MemberError] = []
        #expect(members.valid("a", .string) { reported.append($0) } == nil)
        #expect(members.valid("b", .string) { reported.append($0) } == "x")
        #expect(members.valid("c", .string) { reported.append($0) } == nil)
        #expect(reported == [MemberError("/a", name: "a", "must be a string, it is 7")])
    }

    @Test("In the params of a call a wrong member is -32602 with its path in the request")
    func params() throws {
        let path = "/params/categories/1"
        let members = try MemberReader(param: ["identifier": ""], path: path, whole: "a category")
        let error = #expect(throws: RPCError.self) { _ = try members.required("identifier", .nonEmptyString) }
        #expect(error?.code == .invalidParams)
        #expect(error?.message == #"Invalid params: identifier must be a non-empty string, it is """#)
        #expect(error?.data?["path"] == "/params/categories/1/identifier")
        let whole = #expect(throws: RPCError.self) {
            _ = try MemberReader(param: 7, path: path, whole: "a category")
        }
        #expect(whole?.message == "Invalid params: a category must be an object, it is 7")
        #expect(whole?.data?["path"] == .string(path))
    }

    @Test(
        "Each expectation accepts only the type that it names",
        arguments: [
            (ExpectedValue.name.accepts, "\"a\"", ["\"\"", "\"a\\u0000\"", "1"]),
            (ExpectedValue<Choice>.choice.accepts, "\"b\"", ["\"c\"", "null"]),
            (ExpectedValue.words(["a", "b"]).accepts, "[\"b\",\"a\"]", ["[\"c\"]", "[1]", "\"a\"", "null"]),
            (ExpectedValue.strings.accepts, "[]", ["[1]", "[\"a\",1]", "{}"]),
            (ExpectedValue.integer(in: 1...2).accepts, "2", ["0", "3", "1.0", "true"]),
            (ExpectedValue<JSON>.any("the number 2") { $0.integer == 2 }.accepts, "2", ["1", "\"2\""]),
            (ExpectedValue.bool.accepts, "false", ["0", "null"]), (ExpectedValue.array.accepts, "[1]", ["{}"]),
        ] as [(@Sendable (JSON) -> Bool, String, [String])]
    )
    func expectations(accepts: @Sendable (JSON) -> Bool, right: String, wrong: [String]) throws {
        #expect(accepts(try JSON(parsing: right)))
        for text in wrong { #expect(!accepts(try JSON(parsing: text)), "\(text)") }
    }
}

extension ExpectedValue {
    fileprivate var accepts: @Sendable (JSON) -> Bool { { read($0) != nil } }
}
