import JSON
import JSONRPC
import Testing

@Suite struct ArgumentsTests {
    private let methods: MethodTable<String> = {
        var methods = MethodTable<String>()
        methods.add("save", ["suite?", "name", "properties?", "limit?"], "code of save")
        methods.add("none", [], "code of none")
        return methods
    }()

    private func bind(_ params: JSON?, to method: String = "save") throws -> Arguments {
        try #require(methods[method]).signature.bind(params)
    }

    private func error(_ body: () throws -> some Any) throws -> RPCError {
        let error = try #require(throws: RPCError.self) { _ = try body() }
        #expect(error.code == .invalidParams)
        return error
    }

    @Test("Methods are found by their exact name and listed sorted")
    func table() {
        #expect(methods["save"]?.handler == "code of save")
        #expect(methods["Save"] == nil)
        #expect(methods[""] == nil)
        #expect(methods.signatures.map(\.name) == ["none", "save"])
        #expect(methods["save"]?.signature.parameters.map(\.name) == ["suite", "name", "properties", "limit"])
        #expect(methods["save"]?.signature.parameters.map(\.isRequired) == [false, true, false, false])
    }

    @Test("Params by name and by position bind alike")
    func bothWays() throws {
        for params: JSON in [["name": "n", "suite": "s", "limit": 5], ["s", "n", [:], 5]] {
            let arguments = try bind(params)
            #expect(try arguments.string("suite") == "s")
            #expect(try arguments.name("name") == "n")
            #expect(try arguments.optionalInteger("limit", in: 0...10) == 5)
        }
    }

    @Test("Absent params are equivalent to an empty object")
    func absent() throws {
        _ = try bind(nil, to: "none")
        _ = try bind([], to: "none")
        _ = try bind([:], to: "none")
        #expect(try error { try bind(nil) }.reason == "missingParam")
    }

    @Test(
        "Invalid params are refused with reason and path",
        arguments: [
            ("{}", "missingParam", "/params/name"),
            (#"{"suite":"s"}"#, "missingParam", "/params/name"),
            (#"["s","n",{},1,2]"#, "unknownParam", "/params/4"),
            (#"{"name":"n","color":1}"#, "unknownParam", "/params/color"),
            (#"{"name":"n","suite":"s","Name":1}"#, "unknownParam", "/params/Name"),
            (#"{"name":"n","a/b~c":1}"#, "unknownParam", "/params/a~1b~0c"),
            (#"{"name":"n","":1}"#, "unknownParam", "/params/"),
        ]
    )
    func refusals(params: String, reason: String, path: String) throws {
        let error = try error { try bind(try JSON(parsing: params)) }
        #expect(error.reason == reason)
        #expect(error.data?["path"]?.string == path)
    }

    @Test("A param after the end of a positional list is absent, and missing if it is required")
    func shortArrays() throws {
        let arguments = try bind(["s", "n"])
        #expect(arguments["limit"] == nil)
        #expect(try arguments.optionalInteger("limit", in: 0...9) == nil)
        for params: JSON in [[], ["s"]] {
            let error = try error { try bind(params) }
            #expect(error.reason == "missingParam")
            #expect(error.data?["path"] == "/params/1")
        }
    }

    @Test("Members whose names start with _ are ignored")
    func underscore() throws {
        let arguments = try bind(["_meta": ["trace": 1], "name": "n", "_": 1, "_\u{308}x": 1])
        #expect(try arguments.string("name") == "n")
    }

    @Test("A method without params refuses all params")
    func noParams() throws {
        #expect(try error { try bind([1], to: "none") }.data?["path"] == "/params/0")
        #expect(try error { try bind(["a": 1], to: "none") }.data?["path"] == "/params/a")
    }

    @Test("Null is a value: a required param may be null, and an optional param with null is present")
    func null() throws {
        let arguments = try bind(["name": .null, "suite": .null, "limit": .null])
        #expect(arguments["name"] == .some(.null))
        #expect(arguments["properties"] == nil)
        #expect(try arguments.value("name").isNull)
        #expect(try error { try arguments.optionalString("suite") }.reason == "mistypedParam")
        #expect(try error { try arguments.optionalInteger("limit", in: 0...1) }.data?["path"] == "/params/limit")
        #expect(try arguments.optionalObject("properties") == nil)
    }

    @Test(
        "A value of a wrong type is refused, and the error says what was expected and found",
        arguments: [("5", "is 5"), ("null", "is null"), ("[1]", "is array"), ("{}", "is object"), ("true", "is true")]
    )
    func mistyped(value: String, found: String) throws {
        let value = try JSON(parsing: value)
        let named = try error { try bind(["name": value]).string("name") }
        #expect(named.reason == "mistypedParam")
        #expect(named.data?["path"] == "/params/name")
        #expect(named.message.contains("must be a string") && named.message.contains(found))
        let positional = try error { try bind(["s", value]).string("name") }
        #expect(positional.data?["path"] == "/params/1")
    }

    @Test("Each reader accepts its type and refuses the others")
    func readers() throws {
        let arguments = try bind(["name": "n\u{0}", "suite": "", "properties": ["a": 1], "limit": 1.0])
        #expect(try arguments.string("name") == "n\u{0}")
        #expect(try error { try arguments.name("name") }.message.contains("U+0000"))
        #expect(try error { try arguments.name("suite") }.data?["path"] == "/params/suite")
        #expect(try arguments.object("properties").count == 1)
        #expect(try error { try arguments.array("properties") }.message.contains("an array"))
        #expect(try error { try arguments.optionalInteger("limit", in: 0...9) }.message.contains("from 0 to 9"))
        #expect(try error { try bind(["name": "n"]).object("properties") }.message.contains("absent"))
        #expect(try bind(["name": ["x"]]).array("name").count == 1)
    }

    @Test("Integers must be within their bounds", arguments: [(0, false), (1, true), (10, true), (11, false)])
    func bounds(value: Int, fits: Bool) throws {
        let arguments = try bind(["name": "n", "limit": JSON(value)])
        if fits {
            #expect(try arguments.optionalInteger("limit", in: 1...10) == Int64(value))
        } else {
            #expect(try error { try arguments.optionalInteger("limit", in: 1...10) }.reason == "mistypedParam")
        }
    }
}
