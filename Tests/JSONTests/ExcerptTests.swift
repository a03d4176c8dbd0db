import JSON
import TestSupport
import Testing

@Suite struct ExcerptTests {
    @Test("A short text is its own excerpt; a long one is cut between two characters, with its length")
    func text() {
        #expect("abc".excerpt(3) == "abc")
        #expect("abcd".excerpt(3) == "abc… (4 bytes)")
        #expect("aéé".excerpt(2) == "a… (5 bytes)")
        #expect("👍👍".excerpt(7) == "👍… (8 bytes)")
        #expect("👍👍".excerpt(3) == "… (8 bytes)")
        // A single character (grapheme cluster) of a megabyte.
        let stack = "e" + String(repeating: "\u{301}", count: 500_000)
        #expect(stack.excerpt().utf8.count < 250)
    }

    @Test("The excerpt of a value is its JSON, or the beginning of it")
    func value() {
        #expect(JSON.string("a\"b").excerpt(10) == #""a\"b""#)
        #expect(JSON.string("abcdef").excerpt(3) == #""abc… (6 bytes)""#)
        #expect((["abc", 1] as JSON).excerpt(5) == #"["abc… (9 bytes)"#)
    }

    @Test("A value that keeps its original text is equal to the value, and is written the same")
    func kept() throws {
        let value = try JSON(parsing: #"{"a":[1,2.5,"\u2028",null,true],"b":{}}"#)
        let kept = value.keepingText
        #expect(kept == value && kept.bytes == value.bytes && "\(kept)" == "\(value)")
        #expect(kept.keepsText && !value.keepsText)
        #expect((["x": kept] as JSON).bytes == Array(#"{"x":"#.utf8) + value.bytes + [0x7D])
        #expect(JSON.string("x").keepingText == "x" && !JSON.string("x").keepingText.keepsText)
    }
}
