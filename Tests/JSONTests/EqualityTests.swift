import JSON
import Testing

@Suite struct EqualityTests {
    @Test(
        "Equality of equal values is symmetric",
        arguments: [
            ("1", "1"), ("1.0", "1.0"), ("1e0", "1.0"), ("0.0", "-0.0"), (#""é""#, #""\u00e9""#), ("null", "null"),
            ("[]", "[ ]"), ("[1,[2]]", "[1, [2]]"), ("{}", "{ }"),
            (#"{"a":1,"b":[2]}"#, #"{"b":[2],"a":1}"#),
            (#"[{"a":1,"b":{"c":2,"d":3}}]"#, #"[{"b":{"d":3,"c":2},"a":1}]"#),
        ]
    )
    func equal(left: String, right: String) throws {
        let (left, right) = (try JSON(parsing: left), try JSON(parsing: right))
        #expect(left == right)
        #expect(right == left)
    }

    @Test(
        "Inequality of different values is symmetric",
        arguments: [
            ("1", "1.0"), ("1", "true"), ("0", "false"), ("0", "null"), ("1", #""1""#), ("null", "false"),
            ("[]", "{}"), ("[1]", "[1.0]"), ("[1,2]", "[2,1]"), ("[1]", "[1,1]"), ("[null]", "[]"),
            (#"{"a":1}"#, #"{"a":1.0}"#), (#"{"a":1}"#, #"{"b":1}"#), (#"{"a":null}"#, "{}"),
            (#"{"a":1}"#, #"{"a":1,"b":2}"#), (#""a""#, #""A""#), (#""a\u0000b""#, #""a\u0000c""#),
            (#"["a\u0000b"]"#, #"["a\u0000c"]"#), ("9007199254740993", "9007199254740992"),
        ]
    )
    func different(left: String, right: String) throws {
        let (left, right) = (try JSON(parsing: left), try JSON(parsing: right))
        #expect(left != right)
        #expect(right != left)
    }
}
