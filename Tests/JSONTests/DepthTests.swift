import JSON
import Testing

@Suite struct DepthTests {
    @Test(
        "Depth counts containers; the depth of a scalar is 0",
        arguments: [
            ("1", 0), ("null", 0), (#""[[""#, 0), ("[]", 1), ("{}", 1), ("[1,2]", 1), ("[[]]", 2), (#"{"a":[]}"#, 2),
            (#"{"a":1,"b":{"c":[{}]}}"#, 4), ("[[],[[]],[]]", 3),
        ]
    )
    func depth(text: String, depth: Int) throws {
        let value = try JSON(parsing: text)
        #expect(value.nests(within: depth))
        #expect(value.nests(within: depth + 1))
        #expect(!value.nests(within: depth - 1))
    }

    @Test("The maximum depth of user data is accepted, and one more level is not")
    func userData() throws {
        let text = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
        #expect(try JSON(parsing: text).nests(within: 512))
        #expect(try !JSON(parsing: "[\(text)]").nests(within: 512))
    }
}
