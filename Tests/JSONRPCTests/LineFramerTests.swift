import JSONRPC
import TestSupport
import Testing

@Suite struct LineFramerTests {
    @Test(
        "A stream yields the same lines however it is divided into chunks",
        arguments: [
            ("", []),
            ("\n", []),
            ("\n\r\n \n\t\r\n  \t \n", []),
            ("a\n", ["a"]),
            ("a\nb\n", ["a", "b"]),
            ("a\r\nb\r\n", ["a", "b"]),
            ("a\n\n\r\n\nb\n", ["a", "b"]),
            (" a \n", [" a "]),
            ("a\rb\n", ["a\rb"]),
            ("a\r\r\n", ["a\r"]),
            ("last", ["last"]),
            ("a\nlast", ["a", "last"]),
            ("a\nlast\r", ["a", "last"]),
            ("a\n ", ["a"]),
            ("é漢😀\n😀", ["é漢😀", "😀"]),
            ("a\u{2028}b\u{2029}\u{85}\n", ["a\u{2028}b\u{2029}\u{85}"]),
            ("\u{0}\n", ["\u{0}"]),
        ] as [(String, [String])]
    )
    func lines(stream: String, lines: [String]) {
        FramerVerifier().verify(stream, gives: lines.map(Framed.line))
    }

    @Test(
        "One byte order mark at the start is dropped, and no other",
        arguments: [
            ("\u{FEFF}a\nb\n", ["a", "b"]),
            ("\u{FEFF}\na\n", ["a"]),
            ("\u{FEFF}", []),
            ("\u{FEFF}\u{FEFF}a\n", ["\u{FEFF}a"]),
            ("a\n\u{FEFF}b\n", ["a", "\u{FEFF}b"]),
            ("\n\u{FEFF}b\n", ["\u{FEFF}b"]),
            ("\u{FEFF}a", ["a"]),
        ] as [(String, [String])]
    )
    func byteOrderMark(stream: String, lines: [String]) {
        FramerVerifier().verify(stream, gives: lines.map(Framed.line))
    }

    @Test("Bytes that are not UTF-8 are passed on unchanged")
    func invalidUTF8() {
        var framer = LineFramer(limit: 100)
        var found: [[UInt8]] = []
        let stream: [UInt8] = [0xFF, 0xEF, 0xBB, 0x0A, 0xEF, 0xBB, 0x0A]
        stream.withUnsafeBytes { chunk in
            framer.consume(chunk) { if case .line(let line) = $0 { found.append(Array(line)) } }
        }
        #expect(found == [[0xFF, 0xEF, 0xBB], [0xEF, 0xBB]])
    }

    @Test(
        "A line over the limit is reported once, and the lines around it are not affected",
        arguments: [
            ("12345678\nok\n", [.line("12345678"), .line("ok")]),
            ("123456789\nok\n", [.tooLong, .line("ok")]),
            ("ok\n1234567890123456789012345\nok\n", [.line("ok"), .tooLong, .line("ok")]),
            ("123456789\n123456789\nok\n", [.tooLong, .tooLong, .line("ok")]),
            ("123456789\n\nok", [.tooLong, .line("ok")]),
            ("ok\n123456789", [.line("ok"), .tooLong]),
            ("1234567890123456789\r\n12345678", [.tooLong, .line("12345678")]),
            ("123456é\nok\n", [.line("123456é"), .line("ok")]),
            ("1234567é\nok\n", [.tooLong, .line("ok")]),
        ] as [(String, [Framed])]
    )
    func limit(stream: String, events: [Framed]) {
        FramerVerifier(limit: 8).verify(stream, gives: events)
    }

    @Test("A CR before LF does not count towards the limit, because it is part of the line end")
    func limitWithCarriageReturn() {
        FramerVerifier(limit: 8).verify("12345678\r\nok\r\n", gives: [.line("12345678"), .line("ok")])
    }

    @Test(
        "A byte order mark at the start does not count towards the limit, and a later one does",
        arguments: [
            ("\u{FEFF}12345678\nok\n", [.line("12345678"), .line("ok")]),
            ("\u{FEFF}12345678\r\nok\n", [.line("12345678"), .line("ok")]),
            ("\u{FEFF}123456789\nok\n", [.tooLong, .line("ok")]),
            ("ok\n\u{FEFF}12345678\nok\n", [.line("ok"), .tooLong, .line("ok")]),
        ] as [(String, [Framed])]
    )
    func limitWithByteOrderMark(stream: String, events: [Framed]) {
        FramerVerifier(limit: 8).verify(stream, gives: events)
    }

    @Test("Another byte can end the lines, and LF is then one of their bytes")
    func delimiter() {
        var framer = LineFramer(limit: 8, delimiter: 0)
        var found: [[UInt8]] = []
        Array("a\nb\u{0}c\u{0}d".utf8).withUnsafeBytes { chunk in
            framer.consume(chunk) { if case .line(let line) = $0 { found.append(Array(line)) } }
        }
        #expect(found == [Array("a\nb".utf8), Array("c".utf8)])
    }

    @Test("A byte order mark after a line that was too long is not dropped")
    func byteOrderMarkAfterTooLong() {
        FramerVerifier(limit: 8).verify("123456789\n\u{FEFF}b\n", gives: [.tooLong, .line("\u{FEFF}b")])
    }

    @Test("After the end was reported, the framer can read another stream")
    func finishTwice() {
        var framer = LineFramer(limit: 8)
        var count = 0
        framer.finish { _ in count += 1 }
        Array("a".utf8).withUnsafeBytes { framer.consume($0) { _ in count += 1 } }
        framer.finish { _ in count += 1 }
        framer.finish { _ in count += 1 }
        #expect(count == 1)
    }

    @Test("An endless line needs constant memory and causes one event", .exits)
    func constantMemory() async {
        // In a process of its own, because the memory is that of the whole process.
        await #expect(processExitsWith: .success) {
            var framer = LineFramer(limit: 1 << 10)
            var lines = 0
            var tooLong = 0
            func handle(_ event: LineFramer.Event) {
                if case .tooLong = event { tooLong += 1 } else { lines += 1 }
            }
            let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 16)
            chunk.withUnsafeBytes { framer.consume($0, handle) }
            let before = residentPages()
            for _ in 0..<256 { chunk.withUnsafeBytes { framer.consume($0, handle) } }
            // The line had 16 MiB.
            if let before, let after = residentPages() { precondition(after - before < 1 << 10, "\(after - before)") }
            precondition(tooLong == 1 && lines == 0)
            Array("\nnext\n".utf8).withUnsafeBytes { framer.consume($0, handle) }
            precondition(tooLong == 1 && lines == 1)
        }
    }
}
