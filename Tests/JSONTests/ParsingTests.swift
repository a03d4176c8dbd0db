import JSON
import Testing

/// The place of an error, without its message.
private struct Place: Equatable {
    var line = 1
    let column: Int
    let position: Int
}

@Suite struct ParsingTests {
    private func error(_ bytes: [UInt8]) throws -> JSONParseError {
        try #require(throws: JSONParseError.self) { try JSON(authored: bytes) }
    }

    private func error(_ text: String) throws -> JSONParseError { try error(Array(text.utf8)) }

    @Test(
        "What is not JSON is refused with the reason",
        arguments: [
            (#"{"a":1,"a":1}"#, "duplicate object key"),
            (#"{"a":{"b":1,"c":2,"b":3}}"#, "duplicate object key"),
            (#"{"\u0061":1,"a":2}"#, "duplicate object key"),
            (#"["\ud800"]"#, "invalid Unicode"),
            (#"["\ud800x"]"#, "invalid Unicode"),
            (#"["\udc00"]"#, "invalid Unicode"),
            (#"["\ud800\ud800"]"#, "invalid Unicode"),
            ("9223372036854775808", "too big integer"),
            ("-9223372036854775809", "too big negative integer"),
            ("123456789012345678901234567890", "too big integer"),
            ("1e400", "real number overflow"),
            ("-1e400", "real number overflow"),
            (#"{"a\u0000b":1}"#, "NUL byte in object key"),
            ("", ""),
            (" ", ""),
            ("1 2", "text follows the end"),
            ("{} {}", "text follows the end"),
            ("[1]]", "one ] too many"),
            ("{", "the { of line 1 is not closed"),
            ("[1", "the [ of line 1 is not closed"),
            ("[1,]", "no value follows the last comma"),
            (#"{"a"}"#, "the colon and the value are missing"),
            (#"{"a":1,}"#, "no value follows the last comma"),
            (#"{1:2}"#, "put names in double quotes"),
            (#""abc"#, "the string is not closed"),
            ("\"a\tb\"", "a string contains no tab"),
            ("\"a\nb\"", "the string is not closed on its line"),
            (#""\x""#, "a backslash begins an escape"),
            ("nul", "invalid token"),
            ("True", "invalid token"),
            ("NaN", "invalid token"),
            ("Infinity", "invalid token"),
            ("'a'", "use double quotes for names and texts"),
            ("01", "invalid token"),
            ("+1", "invalid token"),
            (".5", "invalid token"),
            ("1.", "invalid token"),
            ("1e", "invalid token"),
            ("-", "invalid token"),
            ("// no", "JSON has no comments"),
            ("\u{FEFF}1", "byte order mark"),
        ]
    )
    func refusals(text: String, reason: String) throws {
        let message = try error(text).message
        #expect(!message.isEmpty && message.contains(reason), "\(message)")
    }

    @Test(
        "Bytes that are not UTF-8 are refused",
        arguments: [
            [0x80], [0xFF], [0xC0, 0x80], [0xC1, 0xBF], [0xE2, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
            [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80],
        ] as [[UInt8]]
    )
    func invalidUTF8(bytes: [UInt8]) throws {
        #expect(try error([0x22] + bytes + [0x22]).message.contains("is not valid UTF-8"))
    }

    @Test("An error has its line, its column in characters and its position in bytes")
    func places() throws {
        let cases: [(String, Place)] = [
            ("[1,]", Place(column: 3, position: 3)),
            ("[1,\n x]", Place(line: 2, column: 2, position: 6)),
            ("{\"a\":1,\"a\":2}", Place(column: 10, position: 10)),
            ("[\"é\",x]", Place(column: 6, position: 7)),
            ("[1] [2]", Place(column: 5, position: 5)),
            ("[1\n\n", Place(line: 3, column: 1, position: 4)),
        ]
        for (text, place) in cases {
            let error = try error(text)
            let found = Place(line: error.line, column: error.column, position: error.position)
            #expect(found == place, "\(text.debugDescription): \(error)")
        }
    }

    @Test("An error's description contains its place")
    func description() {
        let error = JSONParseError(message: "no", line: 2, column: 3, position: 9)
        #expect(error.description == "no (line 2, column 3, byte 9)")
    }

    @Test("An empty text is refused at its first byte, from every kind of buffer")
    func emptyText() throws {
        let place = Place(column: 0, position: 0)
        let first = try error([])
        let second = try #require(throws: JSONParseError.self) {
            try JSON(parsing: UnsafeRawBufferPointer(start: nil, count: 0))
        }
        for error in [first, second] {
            #expect(Place(line: error.line, column: error.column, position: error.position) == place)
            #expect(!error.message.isEmpty)
        }
    }

    @Test(
        "Values nest at most 2,048 levels deep; a scalar inside is a level of its own",
        arguments: [
            ("[", "", "]", 2_048), ("[", "1", "]", 2_047), (#"{"a":"#, "{}", "}", 2_047), (#"{"a":"#, "1", "}", 2_047),
        ]
    )
    func nesting(open: String, inner: String, close: String, most: Int) throws {
        func text(_ depth: Int) -> String {
            String(repeating: open, count: depth) + inner + String(repeating: close, count: depth)
        }
        #expect(try JSON(parsing: text(most)).description == text(most))
        #expect(try error(text(most + 1)).message.contains("maximum parsing depth"))
        #expect(try error(String(repeating: open, count: 100_000)).message.contains("maximum parsing depth"))
    }

    @Test("White space around the value is ignored")
    func whiteSpace() throws {
        #expect(try JSON(parsing: " \t\r\n{ \"a\" : [ 1 , 2 ] }\r\n ") == ["a": [1, 2]])
    }

    @Test(
        "A NUL byte is refused everywhere, although Jansson ignores one after a number or a word",
        arguments: [
            "1\0", "[1\0]", "[1.5\0,2]", "{\"id\":1\0}", "[true\0]", "[false\0]", "[null\0]", "[1,\0]", "[\0]", "\0",
            "\"\0\"",
        ]
    )
    func nul(text: String) throws {
        #expect(throws: JSONParseError.self, "\(text.debugDescription)") { try JSON(parsing: text) }
    }

    @Test("The error of a NUL byte that Jansson ignores has its place")
    func nulPlace() throws {
        let error = try error("[\"é\",\n 12\0]")
        #expect(error.message == "JSON cannot contain a NUL byte")
        #expect(
            Place(line: error.line, column: error.column, position: error.position)
                == Place(line: 2, column: 3, position: 10)
        )
    }
}
