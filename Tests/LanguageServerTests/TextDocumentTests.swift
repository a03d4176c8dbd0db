import Testing

@testable import LanguageServer

@Suite struct TextDocumentTests {
    /// The same text as UTF-16, changed in the plainest way.
    struct Model {
        var units: [UInt16] = []
        /// Whether a position counts bytes of UTF-8.
        var countsBytes = false

        /// The offset of a position; one within a surrogate pair is that of its beginning.
        func offset(_ line: Int, _ character: Int) -> Int {
            guard line >= 0 else { return 0 }
            var (index, current) = (0, 0)
            while current < line {
                guard index < units.count else { return units.count }
                if units[index] == 0x0D, index + 1 < units.count, units[index + 1] == 0x0A { index += 1 }
                if units[index] == 0x0A || units[index] == 0x0D { current += 1 }
                index += 1
            }
            var left = max(0, character)
            while left > 0, index < units.count, units[index] != 0x0A, units[index] != 0x0D {
                guard countsBytes else {
                    index += 1
                    left -= 1
                    continue
                }
                let unit = units[index]
                let isPair = (0xD800...0xDBFF).contains(unit)
                let size = isPair ? 4 : unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3
                guard size <= left else { break }
                index += isPair ? 2 : 1
                left -= size
            }
            let isInPair = index > 0 && index < units.count && (0xDC00...0xDFFF).contains(units[index])
            return isInPair ? index - 1 : index
        }

        mutating func replace(_ start: (Int, Int), _ end: (Int, Int), _ text: String) {
            let (first, last) = start <= end ? (start, end) : (end, start)
            units.replaceSubrange(offset(first.0, first.1)..<offset(last.0, last.1), with: text.utf16)
        }
    }

    @Test("Positions in a line of thousands of characters are counted in code units, also after edits")
    func longLine() {
        let text = String(repeating: "aé😀\u{2028}", count: 1_000)
        var document = TextDocument("x\n" + text)
        func check(_ text: String) {
            for count in stride(from: 0, through: text.unicodeScalars.count, by: 7) {
                let part = String(String.UnicodeScalarView(text.unicodeScalars.prefix(count)))
                let position = TextDocument.Position(line: 1, character: part.utf16.count)
                let offset = "x\n".utf8.count + part.utf8.count
                #expect(document.position(of: offset) == position && document.offset(of: position) == offset)
            }
        }
        check(text)
        let start = TextDocument.Position(line: 1, character: 2_500)
        document.replace((start, start), with: "😀é")
        check(String(document.text.dropFirst(2)))
        document.replace((TextDocument.Position(line: 1, character: 5), start), with: "")
        check(String(document.text.dropFirst(2)))
    }

    @Test(
        "After 10,000 random edits, at valid and invalid positions, the text is the model's",
        arguments: [1, 2, 3] as [UInt64]
    )
    func edits(seed: UInt64) {
        var random = Generator(state: seed)
        var (document, model) = (TextDocument("{\"aps\": {\n  \"alert\": \"é 😀\"\r\n}}\n"), Model())
        model.units = Array(document.text.utf16)
        let pieces = ["", "a", "\n", "\r", "\r\n", "é", "😀", "\"x\": 1,\n", "line one\nline two\r\nthree", "\n\n\n"]
        for step in 0..<10_000 {
            if step % 1_000 == 999 {
                document.replace(nil, with: "anew\n😀")
                model.units = Array("anew\n😀".utf16)
                continue
            }
            let lines = model.units.count(where: { $0 == 0x0A }) + 3
            let start = (Int.random(in: -1...lines, using: &random), Int.random(in: -1...30, using: &random))
            let end =
                Bool.random(using: &random)
                ? start : (Int.random(in: -1...lines, using: &random), Int.random(in: -1...30, using: &random))
            // Long texts are cut again, so that positions stay near edits.
            let text = model.units.count > 2_000 ? "" : pieces.randomElement(using: &random)!
            document.replace(
                (.init(line: start.0, character: start.1), .init(line: end.0, character: end.1)),
                with: text
            )
            model.replace(start, end, text)
            guard Array(document.text.utf16) == model.units else {
                Issue.record("step \(step): \(start)-\(end) \(text.debugDescription)")
                return
            }
        }
    }

    @Test("An offset's position leads back to it, in both encodings", arguments: ["utf-8", "utf-16"])
    func positions(name: String) throws {
        let encoding = try #require(TextDocument.PositionEncoding(rawValue: name))
        let document = TextDocument("a😀\r\né\n\nlast", encoding: encoding)
        for (offset, byte) in document.bytes.enumerated() where byte & 0xC0 != 0x80 && byte != 0x0A {
            #expect(document.offset(of: document.position(of: offset)) == offset)
        }
        #expect(document.position(of: 5) == .init(line: 0, character: encoding == .utf8 ? 5 : 3))
        #expect(document.offset(of: .init(line: 0, character: 99)) == 5)
        #expect(document.offset(of: .init(line: 99, character: 0)) == document.bytes.count)
    }

    struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let value = (state ^ (state >> 33)) &* 0xFF51_AFD7_ED55_8CCD
            return value ^ (value >> 33)
        }
    }
}
