import Platform
import TestSupport
import Testing

@Suite struct TimestampTests {
    private static let times: [(Int64, String)] = [
        (0, "1970-01-01T00:00:00.000Z"),
        (1, "1970-01-01T00:00:00.001Z"),
        (-1, "1969-12-31T23:59:59.999Z"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z"),
        (951_868_799_999, "2000-02-29T23:59:59.999Z"),
        (1_709_164_800_000, "2024-02-29T00:00:00.000Z"),
        (1_767_225_600_000, "2026-01-01T00:00:00.000Z"),
        (-2_203_891_200_001, "1900-02-28T23:59:59.999Z"),
        (-2_203_891_200_000, "1900-03-01T00:00:00.000Z"),
        (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
        (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
    ]

    @Test("A time is written in UTC with milliseconds, and read back", arguments: times)
    func both(time: Int64, text: String) {
        #expect(Timestamp.format(time) == text)
        #expect(Timestamp.parse(text) == time)
    }

    @Test(
        "Every form of RFC 3339 is read",
        arguments: [
            ("2026-01-01T00:00:00Z", 0), ("2026-01-01t00:00:00z", 0), ("2026-01-01 00:00:00Z", 0),
            ("2026-01-01T01:00:00+01:00", 0), ("2025-12-31T18:30:00-05:30", 0), ("2026-01-01T00:00:00-00:00", 0),
            ("2026-01-01T23:59:00+23:59", 0), ("2026-01-01T00:00:00.5Z", 500), ("2026-01-01T00:00:00.05Z", 50),
            ("2026-01-01T00:00:00.1234567890123456789Z", 123), ("2026-01-01T00:00:00.9999Z", 999),
            ("2025-12-31T23:59:60Z", 0), ("2026-01-01T00:00:01.001+00:00", 1001),
        ] as [(String, Int64)]
    )
    func forms(text: String, after: Int64) {
        #expect(Timestamp.parse(text) == 1_767_225_600_000 + after)
    }

    @Test(
        "Anything else is refused, in particular a time without a zone offset",
        arguments: [
            "", "2026", "2026-01-01", "2026-01-01T00:00:00", "2026-01-01T00:00:00.000", "2026-01-01T00:00Z",
            "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-32T00:00:00Z", "2026-01-00T00:00:00Z",
            "2026-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2024-02-30T00:00:00Z",
            "2026-04-31T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z",
            "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00,5Z", "2026-01-01T00:00:00+1:00",
            "2026-01-01T00:00:00+0100", "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+00:60",
            "2026-01-01T00:00:00ZZ", " 2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z ", "26-01-01T00:00:00Z",
            "+2026-01-01T00:00:00Z", "-026-01-01T00:00:00Z", "2026-1-1T00:00:00Z", "２０２６-01-01T00:00:00Z",
            "2026-01-01T00:00:00.٣Z", "2026-01-01T00:00:00UTC", "2026-01-01T00:00:00Z\u{0}", "20260101T000000Z",
        ]
    )
    func refused(text: String) {
        #expect(Timestamp.parse(text) == nil)
    }

    @Test("Any time of four-digit years survives writing and reading")
    func random() {
        var chance = SeededGenerator(seed: 1)
        for _ in 0..<20_000 {
            let time = Int64.random(in: -62_167_219_200_000...253_402_300_799_999, using: &chance)
            let text = Timestamp.format(time)
            #expect(text.utf8.count == 24)
            #expect(Timestamp.parse(text) == time, "\(text)")
        }
    }

    @Test(
        "A time that is outside the four-digit years in UTC is refused, and one a millisecond inside is read",
        arguments: [
            ("0000-01-01T00:59:59.999+01:00", "0000-01-01T01:00:00.000+01:00", "0000-01-01T00:00:00.000Z"),
            ("9999-12-31T23:00:00.000-01:00", "9999-12-31T22:59:59.999-01:00", "9999-12-31T23:59:59.999Z"),
        ]
    )
    func edges(outside: String, inside: String, written: String) throws {
        #expect(Timestamp.parse(outside) == nil)
        #expect(Timestamp.format(try #require(Timestamp.parse(inside))) == written)
    }

    @Test("A time with one wrong character never crashes the reader, and a time that is read survives writing")
    func damaged() {
        var chance = SeededGenerator(seed: 2)
        let letters = Array("0123456789-:.TZz+ \u{301}９")
        var (taken, refused) = (0, 0)
        for _ in 0..<20_000 {
            let time = Int64.random(in: -62_167_219_200_000...253_402_300_799_999, using: &chance)
            var text = Array(Timestamp.format(time))
            text[Int.random(in: 0..<text.count, using: &chance)] =
                letters[Int.random(in: 0..<letters.count, using: &chance)]
            guard let read = Timestamp.parse(String(text)) else {
                refused += 1
                continue
            }
            taken += 1
            #expect(Timestamp.parse(Timestamp.format(read)) == read, "\(String(text))")
        }
        #expect(taken > 1_000)
        #expect(refused > 1_000)
    }

    @Test("Texts of valid characters in a wrong order never crash the reader")
    func garbage() {
        var chance = SeededGenerator(seed: 2)
        let letters = Array("0123456789-:.TZz+ \u{301}９")
        let texts = (0..<20_000).map { _ in
            String(
                (0..<Int.random(in: 0...30, using: &chance)).map { _ in
                    letters[Int.random(in: 0..<letters.count, using: &chance)]
                }
            )
        }
        // Random characters never form a time; the reader must only return.
        #expect(texts.compactMap(Timestamp.parse) == [])
    }

    @Test("A text of the written form with any other byte means what it means with another spelling of its zone")
    func written() {
        for text in ["2026-01-01T00:00:00.000Z", "2024-02-29T23:59:59.999Z", "0000-12-31T10:09:08.070Z"] {
            for place in 0..<23 {
                for byte in 0..<UInt8(128) {
                    var bytes = Array(text.utf8)
                    bytes[place] = byte
                    let changed = String(decoding: bytes, as: UTF8.self)
                    let other = String(decoding: bytes.dropLast(), as: UTF8.self) + "+00:00"
                    #expect(Timestamp.parse(changed) == Timestamp.parse(other), "\(changed)")
                }
            }
        }
    }
}
