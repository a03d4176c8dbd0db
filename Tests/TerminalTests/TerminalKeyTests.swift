import Terminal
import Testing

@Suite struct TerminalKeyTests {
    @Test(
        "Bytes of a terminal become keys",
        arguments: [
            ("a", [.character("a")]), ("é👋", [.character("é"), .character("👋")]), ("\r", [.enter]), ("\n", [.enter]),
            ("\t", [.tab]), ("\u{1B}[Z", [.backTab]), ("\u{7F}", [.backspace]), ("\u{8}", [.backspace]),
            ("\u{1B}", [.escape]), ("\u{1B}[A\u{1B}[B", [.up, .down]), ("\u{1B}OC\u{1B}OD", [.right, .left]),
            ("\u{1B}[1;5C", [.right]), ("\u{1B}[H\u{1B}[4~", [.home, .end]), ("\u{1B}[3~", [.delete]),
            ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]), ("\u{3}", [.control("c")]),
            ("\u{1B}[99~x", [.character("x")]),
            ("\u{1B}x", [.escape, .character("x")]), ("\u{1B}[", []), ("", []),
        ] as [(String, [TerminalKey])]
    )
    func keys(text: String, keys: [TerminalKey]) {
        var parser = TerminalKeyParser()
        #expect(parser.keys(in: text.utf8) == keys)
    }

    @Test("A character that arrives in two parts is one key")
    func parts() {
        var parser = TerminalKeyParser()
        let bytes = Array("é".utf8)
        #expect(parser.keys(in: bytes.prefix(1)) == [])
        #expect(parser.keys(in: bytes.suffix(1)) == [.character("é")])
    }
}
