import JSON
import Testing

@Suite struct TextTests {
    @Test(
        "Only the necessary characters are escaped",
        arguments: [
            ("", #""""#),
            ("plain", #""plain""#),
            ("say \"hi\"", #""say \"hi\"""#),
            ("back\\slash", #""back\\slash""#),
            ("sl/ash", #""sl/ash""#),
            ("\n\r\t", #""\n\r\t""#),
            ("\u{0}\u{1}\u{8}\u{B}\u{C}\u{F}\u{10}\u{1F}", #""\u0000\u0001\u0008\u000b\u000c\u000f\u0010\u001f""#),
            ("\u{7F}\u{80}\u{A0}", "\"\u{7F}\u{80}\u{A0}\""),
            ("a\u{2028}b\u{2029}c", #""a\u2028b\u2029c""#),
            ("\u{2028}", #""\u2028""#),
            ("\u{2029}\u{2028}", #""\u2029\u2028""#),
            ("\u{2027}\u{202A}", "\"\u{2027}\u{202A}\""),
            ("€…✓\u{2000}\u{20A8}\u{2128}", "\"€…✓\u{2000}\u{20A8}\u{2128}\""),
            ("é ü 漢字", "\"é ü 漢字\""),
            ("😀\u{1F468}\u{200D}\u{1F469}", "\"😀\u{1F468}\u{200D}\u{1F469}\""),
            ("\u{FEFF}\u{FFFE}\u{FFFF}\u{10FFFF}", "\"\u{FEFF}\u{FFFE}\u{FFFF}\u{10FFFF}\""),
        ]
    )
    func escapes(text: String, written: String) throws {
        let value = JSON.string(text)
        #expect(value.bytes == Array(written.utf8))
        #expect(try JSON(parsing: value.bytes) == value)
        // The same as the name and the value of a member, which Jansson stores; a name cannot contain U+0000.
        guard !text.utf8.contains(0) else { return }
        let object: JSON = .object(JSON.Object([(text, value)]))
        #expect(object.bytes == Array("{\(written):\(written)}".utf8))
        #expect(try JSON(parsing: object.bytes) == object)
    }

    @Test(
        "Escapes are decoded",
        arguments: [
            (#""\u00e9""#, "\u{E9}"),
            (#""\ud83d\ude00""#, "😀"),
            (#""\uD83D\uDE00""#, "😀"),
            (#""\/\b\f""#, "/\u{8}\u{C}"),
            (#""\u2028""#, "\u{2028}"),
            (#""a\u0000b""#, "a\u{0}b"),
            (#""\u0000""#, "\u{0}"),
        ]
    )
    func reading(text: String, value: String) throws {
        #expect(try JSON(parsing: text) == .string(value))
        #expect(try JSON(parsing: "[\(text)]")[0]?.string.map { Array($0.utf8) } == Array(value.utf8))
    }

    @Test("U+0000 is valid everywhere in a string")
    func nul() throws {
        let text = #"{"a":"\u0000x\u0000","b":["\u0000"]}"#
        let value = try JSON(parsing: text)
        #expect(value["a"] == "\u{0}x\u{0}")
        #expect(value.description == text)
    }

    @Test("Texts are compared by their bytes, not by characters")
    func composition() {
        #expect(JSON.string("\u{E9}") != JSON.string("e\u{301}"))
        let object: JSON = ["\u{E9}": 1, "e\u{301}": 2]
        #expect(object["\u{E9}"] == 1)
        #expect(object["e\u{301}"] == 2)
        #expect(object.object?.count == 2)
    }

    @Test("A long text with and without escapes is read completely")
    func longText() throws {
        let text = (0..<5_000).map { $0 % 7 == 0 ? "\u{2028}" : $0 % 5 == 0 ? "\"" : "é\($0)" }.joined()
        #expect(try JSON(parsing: JSON.string(text).bytes) == .string(text))
    }
}
