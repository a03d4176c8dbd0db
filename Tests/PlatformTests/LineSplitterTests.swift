import Platform
import TestSupport
import Testing

@Suite struct LineSplitterTests {
    /// The lines in chunks of bytes, with the rest as the last line.
    private func lines(_ chunks: [[UInt8]], longest: Int = .max) -> [String] {
        var splitter = LineSplitter(longest: longest)
        var lines: [String] = []
        for chunk in chunks {
            chunk.withUnsafeBytes { splitter.consume($0) { lines.append(String(decoding: $0, as: UTF8.self)) } }
        }
        splitter.finish { lines.append(String(decoding: $0, as: UTF8.self)) }
        return lines
    }

    @Test(
        "A stream is split at each LF and nowhere else",
        arguments: [
            ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\n\nb", ["a", "", "b"]), ("\n", [""]),
            ("a\r\nb\u{2028}c\n", ["a\r", "b\u{2028}c"]),
        ]
    )
    func split(text: String, expected: [String]) {
        #expect(lines([Array(text.utf8)]) == expected)
    }

    @Test("The lines do not depend on the division of the stream into chunks", arguments: 1...12)
    func chunks(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let text = (0..<200).map { _ in ["\n", "a", "ü", "漢"].randomElement(using: &random) ?? "" }.joined()
        var rest = Array(text.utf8)[...]
        var chunks: [[UInt8]] = []
        while !rest.isEmpty {
            let chunk = rest.prefix(.random(in: 0...9, using: &random))
            chunks.append(Array(chunk))
            rest = rest.dropFirst(chunk.count)
        }
        #expect(lines(chunks) == lines([Array(text.utf8)]))
        #expect(lines(chunks, longest: 5) == lines([Array(text.utf8)], longest: 5))
    }

    @Test(
        "A line that is too long is returned in parts",
        arguments: [
            ("abcdefgh\ni", ["abc", "def", "gh", "i"]), ("abc\nd", ["abc", "", "d"]), ("abcdef", ["abc", "def"]),
        ]
    )
    func pieces(text: String, expected: [String]) {
        #expect(lines([Array(text.utf8)], longest: 3) == expected)
    }

    @Test("The end of an unfinished line can be kept for the next bytes")
    func keeping() {
        var splitter = LineSplitter()
        var lines: [String] = []
        let note = { (bytes: UnsafeRawBufferPointer) in lines.append(String(decoding: bytes, as: UTF8.self)) }
        Array("abcdef".utf8).withUnsafeBytes { splitter.consume($0, note) }
        splitter.finish(keeping: 2, note)
        #expect(splitter.unfinished == Array("ef".utf8))
        Array("g\n".utf8).withUnsafeBytes { splitter.consume($0, note) }
        splitter.finish(keeping: 2, note)
        #expect(lines == ["abcd", "efg"])
    }
}
