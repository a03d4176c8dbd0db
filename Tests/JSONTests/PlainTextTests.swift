import Testing

@testable import JSON

@Suite struct PlainTextTests {
    private func isPlain(_ text: String) -> Bool { isPlain(Array(text.utf8)) }

    private func isPlain(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { PlainText.isObject($0, without: ["id", "suite"]) }
    }

    /// Texts that are JSON and plain.
    static let plain = [
        "{}", #"{"a":1}"#, #"{"a":-0,"b":0.5,"c":[],"d":[1,[2,{}]],"e":null,"f":true,"g":false}"#,
        #"{"name":"q\"\\\/\b\f\n\r\t","time":"2026-01-01T00:00:00.000Z","user":{"external_id":"é 漢 😀"}}"#,
        #"{"a":123456789012345678,"b":-12345678901234567}"#, #"{"x":{"id":1,"suite":2}}"#,
    ]

    /// Texts that are not plain, of which some are JSON.
    static let others = [
        "", "{", "[]", "1", #"{"a":1}x"#, #"{"a":1,}"#, #"{"a" :1}"#, #"{ }"#, #"{"a":1"#, #"{"a"}"#, #"{"a":}"#,
        #"{a:1}"#, #"{"a":01}"#, #"{"a":-}"#, #"{"a":1.}"#, #"{"a":.5}"#, #"{"a":1e5}"#, #"{"a":1234567890123456789}"#,
        #"{"a":tru}"#, #"{"a":nul}"#, #"{"a":[1,]}"#, #"{"a":[1}"#, #"{"a":"\u0041"}"#, #"{"a":"\x"}"#, #"{"a":"b}"#,
        #"{"a":1,"a":2}"#, #"{"x":{"a":1,"b":2,"a":3}}"#, #"{"\n":1}"#, #"{"id":1}"#, #"{"a":1,"suite":"b"}"#,
        "{\"a\":\"\n\"}", "{\"a\":\"\u{0}\"}", "{\"a\":\(String(repeating: "[", count: 40))",
    ]

    @Test("A plain text is JSON that parses", arguments: plain)
    func accepted(text: String) throws {
        #expect(isPlain(text))
        #expect(try JSON(parsing: text).object != nil)
    }

    @Test("Nothing else is plain", arguments: others)
    func refused(text: String) { #expect(!isPlain(text)) }

    @Test("Bytes that are not UTF-8 are not plain")
    func encoding() {
        for bytes: [UInt8] in [[0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF]] {
            #expect(!isPlain(Array(#"{"a":""#.utf8) + bytes + Array(#""}"#.utf8)), "\(bytes)")
        }
    }

    @Test("Whatever changes in a plain text: if it is still plain, it is still JSON")
    func changed() {
        var generator = SystemRandomNumberGenerator()
        let pieces = Array(#"{}[]",:\0123456789.-+eEtrufalsn "#.utf8) + [0, 0x0A, 0x7F, 0x80, 0xC3, 0xA9, 0xFF]
        var plain = 0
        for _ in 0..<60_000 {
            let texts = Self.plain + Self.others
            var bytes = Array(texts[Int.random(in: texts.indices, using: &generator)].utf8)
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let place = Int.random(in: 0...bytes.count, using: &generator)
                let end = min(bytes.count, place + Int.random(in: 0...2, using: &generator))
                let count = Int.random(in: 0...2, using: &generator)
                let new = (0..<count).map { _ in pieces[Int.random(in: pieces.indices, using: &generator)] }
                bytes.replaceSubrange(place..<end, with: new)
            }
            guard isPlain(bytes) else { continue }
            plain += 1
            #expect((try? JSON(parsing: bytes))?.object != nil, "\(String(decoding: bytes, as: UTF8.self))")
        }
        #expect(plain > 100)
    }
}
