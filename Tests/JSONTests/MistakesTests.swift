import JSON
import Testing

/// The names of common mistakes, and places in a text.
@Suite struct MistakesTests {
    @Test(
        "A common mistake is named where it stands",
        arguments: [
            ("{\n  \"a\": 1,\n}", "2:9", "no value follows the last comma; remove it"),
            ("[1, 2,]", "1:6", "no value follows the last comma; remove it"),
            ("{\"a\": 1, // one\n\"b\": 2}", "1:10", "JSON has no comments; remove it"),
            ("/* one */ {}", "1:1", "JSON has no comments; remove it"), ("{} # one", "1:4", "JSON has no comments"),
            ("{“a”: 1}", "1:2", "“ is a typographic quotation mark; write the straight one: \""),
            ("{\"a”: \"x\"}", "1:4", "” is a typographic quotation mark"),
            ("{\"a\": \"x”,\n\"b\": 1}", "1:9", "” is a typographic quotation mark"),
            ("{\"a\": «x»}", "1:7", "« is a typographic quotation mark"),
            ("{'a': 1}", "1:2", "use double quotes for names and texts"),
            ("{a: 1}", "1:2", "put names in double quotes: write \"a\""),
            ("{\"a\": hello}", "1:7", "put texts in double quotes: write \"hello\""),
            ("{\"a\": \"b\"\n\"c\": 1}", "1:9", "a comma is missing after \"b\""),
            ("[true false]", "1:5", "a comma is missing after true"),
            ("[\"a\" true]", "1:4", "a comma is missing after \"a\""),
            ("[{}\n{}]", "1:3", "a comma is missing after }"),
            ("{\"a\" 1}", "1:4", "a colon is missing after \"a\""),
            ("{\"a\" = 1}", "1:6", "write a colon between a name and its value"),
            ("{\"a\": 1; \"b\": 2}", "1:8", "write a comma between two values"),
            ("{\"a\": \"say \"hi\" to\"}", "1:13", "write \\\" for a quotation mark in it"),
            ("[1,,2]", "1:4", "two commas follow each other"), ("{,}", "1:2", "no value stands before the comma"),
            ("{\"a\":}", "1:6", "the value is missing"), ("{\"a\":True}", "1:6", "write true for True"),
            ("[None]", "1:2", "write null for None"), ("[-Infinity]", "1:2", "JSON has no -Infinity"),
            ("{\"a\": \"x\\\n y\"}", "1:7", "the string is not closed on its line"),
            ("[01]", "1:2", "01 is not a JSON number"), ("[0x1F]", "1:2", "0x1F is not a JSON number"),
            ("[.5]", "1:2", ".5 is not a JSON number"), ("[+1]", "1:2", "+1 is not a JSON number"),
            ("{\"a\": [1}", "1:9", "the [ of line 1 is closed by }; write ]"),
            ("{\"a\": 1]", "1:8", "the { of line 1 is closed by ]; write }"),
            ("{\"a\": 1}}", "1:9", "there is one } too many"),
            ("{\n\"a\": [1,\n{\"b\": 2}\n", "4:1", "the text ends too early: the [ of line 2 is not closed"),
            ("{\"a\": \"x\n\"}", "1:7", "the string is not closed on its line; close it with \""),
            ("{\"a\": \"C:\\Users\"}", "1:10", "write \\\\ for a backslash"),
            ("{\"a\": \"x\ty\"}", "1:9", "a string contains no tab; write \\n for a line break and \\t for a tab"),
            ("\u{FEFF}{}", "1:1", "the text begins with a byte order mark (BOM); save it as UTF-8 without BOM"),
            (" \n", "2:1", "the text is empty"),
        ]
    )
    func named(text: String, place: String, message: String) throws {
        let error = try #require(throws: JSONParseError.self) { try JSON(authored: text) }
        #expect(error.message.contains(message), "\(error)")
        #expect("\(error.line):\(error.column)" == place, "\(error)")
    }

    @Test(
        "A text in another encoding is named as such",
        arguments: [
            ([0xFF, 0xFE, 0x7B, 0], "UTF-16"), ([0xFE, 0xFF, 0, 0x7B], "UTF-16"), ([0x7B, 0, 0x7D, 0], "UTF-16"),
            ([0, 0x7B, 0, 0x7D], "UTF-16"), ([0x5B, 0x22, 0xE4, 0x22, 0x5D], "the byte 0xE4 is not valid UTF-8"),
        ] as [([UInt8], String)]
    )
    func encodings(bytes: [UInt8], message: String) throws {
        let error = try #require(throws: JSONParseError.self) { try JSON(authored: bytes) }
        #expect(error.message.contains(message), "\(error)")
        #expect(error.message.contains("save "), "\(error)")
    }

    @Test(
        "Another mistake keeps the parser's message",
        arguments: [("[1e400]", "overflow"), ("[\"\\ud800x\"]", "invalid Unicode"), ("{\"a\":1,\"a\":2}", "duplicate")]
    )
    func others(text: String, message: String) throws {
        let error = try #require(throws: JSONParseError.self) { try JSON(authored: text) }
        #expect(error.message.contains(message), "\(error)")
    }

    @Test(
        "A JSON Pointer leads to the place of a name or an element, as far as it leads",
        arguments: [
            ("", nil), ("/nope", nil), ("/aps", "2:3"), ("/aps/alert/title", "2:23"), ("/aps/alert/nope", "2:11"),
            ("/aps/args/2/q", "3:27"), ("/aps/args/1/q", "3:20"), ("/aps/args/7", "3:5"), ("/ü~1b~0/1/1", "4:19"),
            ("/c", "4:25"), ("/c/x", "4:25"),
            ("/\"", "5:1"),
        ]
    )
    func places(pointer: String, place: String?) {
        let text = """
            {
              "aps": {"alert":   {"title": "{\\"x\\": [,"},
                "args": ["a{", "\\\\", {"q": 1}]},
              "ü/b~": [ 1, [2,3]],  "c": "d",
            "\\u0022": {}}
            """
        let found = TextPlace.find(pointer, in: Array(text.utf8))
        #expect(found.map { "\($0.line):\($0.column)" } == place)
    }

    @Test(
        "A name is one step of a pointer, whatever accents its characters have",
        arguments: [
            ("a", "a"), ("a/b", "a~1b"), ("~", "~0"), ("~1/", "~01~1"), ("", ""), ("a/\u{301}", "a~1\u{301}"),
            ("~\u{301}", "~0\u{301}"), ("\u{301}1", "\u{301}1"),
        ]
    )
    func steps(name: String, escaped: String) {
        #expect(JSONPointer.escape(name).unicodeScalars.elementsEqual(escaped.unicodeScalars))
        let steps = JSONPointer.steps("/\(escaped)/b")
        #expect(steps.map { Array($0.utf8) } == [Array(name.utf8), [UInt8(ascii: "b")]])
    }
}
