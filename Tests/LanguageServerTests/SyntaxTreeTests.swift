import JSON
import Testing

@testable import LanguageServer

@Suite struct SyntaxTreeTests {
    private static let payload = """
        {
          "aps": { "alert": { "title": "Ein \\"Café\\" 😀", "n": [1, 2.5, -3e2, true, null] }, "a/b~c": "x" },
          "empty": {}, "list": []
        }
        """

    private static func text(_ range: Range<Int>?, _ tree: String) -> String? {
        range.map { String(decoding: Array(tree.utf8)[$0], as: UTF8.self) }
    }

    @Test("A text without mistakes has the value that the parser reads, and each part its place")
    func sound() throws {
        let tree = SyntaxTree(Array(Self.payload.utf8))
        #expect(tree.mistakes.isEmpty)
        #expect(tree.value == (try JSON(parsing: Self.payload)))
        #expect(Self.text(tree.find("/aps/alert/n/2")?.value, Self.payload) == "-3e2")
        #expect(Self.text(tree.find("/aps/a~1b~0c")?.name, Self.payload) == "\"a/b~c\"")
        #expect(Self.text(tree.find("/aps/missing")?.name, Self.payload) == "\"aps\"")
        #expect(Self.text(tree.find("")?.value, Self.payload) == Self.payload)
    }

    @Test(
        "A mistake is marked at its place, and the rest is read",
        arguments: [
            (#"{"a": 1 "b": 2}"#, "\"", "comma is missing", #"{"a":1,"b":2}"#),
            (#"{"a": 1,, "b": 2}"#, ",", "superfluous", #"{"a":1,"b":2}"#),
            (#"{"a": [1, 2,], "b": 2}"#, ",", "superfluous", #"{"a":[1,2],"b":2}"#),
            (#"{"a": , "b": 2}"#, "\"a\"", "value is missing", #"{"b":2}"#),
            (#"{"a", "b": 2}"#, "\"a\"", "colon", #"{"b":2}"#),
            (#"{"a": tru, "b": 2}"#, "tru", "", #"{"a":null,"b":2}"#),
            (#"{a: 1, "b": 2}"#, "a", "", #"{"":1,"b":2}"#),
            ("{\"a\": \"open,\n\"b\": 2}", "\"open,", "quotation mark", #"{"a":null,"b":2}"#),
            (#"{"a": {"c": 1], "b": 2}"#, "]", "missing before", #"{"a":{"c":1}}"#),
            (#"{"a": {"b": 2"#, "{", "} is missing", #"{"a":{"b":2}}"#),
            (#"{"a": 1, "a": 2}"#, "\"a\"", "twice", #"{"a":2}"#),
            (#"{"a": 1} more"#, "more", "text follows", #"{"a":1}"#),
        ]
    )
    func mistakes(text: String, marked: String, message: String, value: String) throws {
        let tree = SyntaxTree(Array(text.utf8))
        let first = try #require(tree.mistakes.first)
        #expect(Self.text(first.range, text) == marked)
        #expect(first.message.contains(message), "\(first.message)")
        if !text.contains("]") { #expect(tree.value == (try JSON(parsing: value)), "\(tree.value)") }
    }

    @Test("However a text is cut or mixed, reading ends and every range lies within it", arguments: [1, 2] as [UInt64])
    func random(seed: UInt64) {
        var generator = TextDocumentTests.Generator(state: seed)
        let source = Array(Self.payload.utf8)
        for _ in 0..<3_000 {
            var bytes = source
            for _ in 0..<Int.random(in: 1...6, using: &generator) where !bytes.isEmpty {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes.removeSubrange(index..<min(bytes.count, index + Int.random(in: 1...9, using: &generator)))
                case 1: bytes.insert("{}[],:\"\\ \n1t".utf8.randomElement(using: &generator)!, at: index)
                default: bytes[index] = UInt8.random(in: 0...255, using: &generator)
                }
            }
            let tree = SyntaxTree(bytes)
            if let value = try? JSON(parsing: bytes) {
                #expect(tree.value == value)
            } else {
                #expect(!tree.mistakes.isEmpty || tree.root == nil, "\(String(decoding: bytes, as: UTF8.self))")
            }
            for mistake in tree.mistakes { #expect(mistake.range.upperBound <= bytes.count) }
            for offset in 0...bytes.count {
                _ = tree.path(to: offset)
                _ = tree.container(at: offset)
            }
        }
    }
}
