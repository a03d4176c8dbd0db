import Localization
import Testing

@Suite struct TextFormatTests {
    @Test(
        "Placeholders are replaced by their arguments",
        arguments: [
            ("plain", [], "plain"), ("%@", ["a"], "a"), ("%@ and %@", ["a", "b"], "a and b"),
            ("%2$@ %1$@ %2$@", ["a", "b"], "b a b"), ("100 %%", [], "100 %"), ("%%@", [], "%@"),
            ("%@%@", ["%@", "%"], "%@%"),
            ("é%@é", ["한"], "é한é"), ("", [], ""), ("%2$@, %@", ["a", "b"], "b, a"),
        ] as [(String, [String], String)]
    )
    func places(format: String, arguments: [String], text: String) {
        #expect(TextFormat(format, arguments).text == text)
        #expect(TextFormat(format, arguments).mismatches == [])
    }

    @Test(
        "Other specifiers are shown as they are, and reported",
        arguments: ["%d", "%i", "%ld", "%1$lld", "%5.2f", "%s", "%x", "%+d", "%zu", "%-10@", "%c"]
    )
    func others(specifier: String) {
        let format = TextFormat("<\(specifier)>", ["7"])
        #expect(format.text == "<7>")
        #expect(format.mismatches.count == (specifier.hasSuffix("@") ? 0 : 1))
        if let mismatch = format.mismatches.first {
            #expect(mismatch.contains(specifier) && mismatch.contains("write %@"))
        }
    }

    @Test(
        "A placeholder that does not match the arguments is reported and stays unchanged",
        arguments: [
            ("%@ %@", ["a"], "a %@", ["%@ has no argument; there are 1"]),
            (
                "%3$@", ["a", "b"], "%3$@",
                [
                    "%3$@ has no argument; there are 2", "the argument 1, \"a\", is not used",
                    "the argument 2, \"b\", is not used",
                ]
            ),
            ("none", ["a"], "none", ["the argument 1, \"a\", is not used"]),
            ("100 %", [], "100 %", ["a % that does not begin a placeholder is shown as it is; write %%"]),
            ("5 %, 6 %!", [], "5 %, 6 %!", ["a % that does not begin a placeholder is shown as it is; write %%"]),
            (
                "%0$@", ["a"], "%0$@",
                [
                    "a % that does not begin a placeholder is shown as it is; write %%",
                    "the argument 1, \"a\", is not used",
                ]
            ),
            (
                "100% sure", [], "100% sure",
                [
                    "% s is shown with a text, because all arguments are texts; write %@",
                    "% s has no argument; there are 0",
                ]
            ),
            (
                "%99999999999999999999$@", [], "%99999999999999999999$@",
                ["a % that does not begin a placeholder is shown as it is; write %%"]
            ),
        ] as [(String, [String], String, [String])]
    )
    func misfits(text: String, arguments: [String], shown: String, mismatches: [String]) {
        let format = TextFormat(text, arguments)
        #expect(format.text == shown)
        #expect(format.mismatches == mismatches)
    }

    @Test("A text of empty placeholders is truncated, too")
    func emptyPlaces() {
        let format = TextFormat(String(repeating: "%1$@", count: 250_000), [""])
        #expect(format.text == "")
        #expect(format.mismatches.count == 1 && format.mismatches[0].contains("was cut"))
        // An unterminated placeholder is plain text.
        #expect(TextFormat("%" + String(repeating: "0", count: 100_000) + "d", ["a"]).text.hasPrefix("%0"))
    }

    @Test("A text that repeats a placeholder very often is truncated, and so is the list of diagnostics")
    func bounds() {
        let long = TextFormat(String(repeating: "%1$@", count: 100_000), [String(repeating: "é", count: 1_000)])
        #expect(long.text.utf8.count <= TextFormat.limit + 3)
        #expect(long.mismatches.count == 1 && long.mismatches[0].contains("was cut"))
        let plain = TextFormat(String(repeating: "x", count: 1 << 20), [])
        #expect(plain.text.utf8.count == TextFormat.limit)
        let many = TextFormat((1...1_000).map { "%\($0)$d" }.joined(), [])
        #expect(many.mismatches.count == 8)
    }
}
