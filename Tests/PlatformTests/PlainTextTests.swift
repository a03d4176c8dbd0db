import Platform
import Testing

@Suite struct PlainTextTests {
    @Test(
        "Control characters, line separators and direction marks are escaped for a log and replaced by spaces in a view",
        arguments: [
            ("plain", "plain", "plain"), ("ü 漢 👍🏽 é", "ü 漢 👍🏽 é", "ü 漢 👍🏽 é"),
            ("a\nb\r\tc", "a\\nb\\r\\tc", "a b  c"), ("\u{1B}[31m\u{7F}", "\\u{1b}[31m\\u{7f}", " [31m "),
            ("a\u{85}\u{9B}b", "a\\u{85}\\u{9b}b", "a  b"), ("a\u{2028}b\u{2029}", "a\\u{2028}b\\u{2029}", "a b "),
            ("\u{202A}\u{202E}x\u{2066}\u{2069}", "\\u{202a}\\u{202e}x\\u{2066}\\u{2069}", "  x  "),
            ("العربية\u{200F}", "العربية\u{200F}", "العربية\u{200F}"),
        ]
    )
    func cleaned(text: String, escaped: String, spaced: String) {
        #expect(PlainText.escaped(text) == escaped)
        #expect(PlainText.spaced(text) == spaced)
    }

    @Test("Text of several lines keeps its line breaks, and nothing else that could control a terminal")
    func lines() {
        #expect(PlainText.escapedLines("a\u{1B}[m\r\n\u{202E}b\n") == "a\\u{1b}[m\\r\n\\u{202e}b\n")
        #expect(PlainText.escapedLines("") == "")
    }
}
