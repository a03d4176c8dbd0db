import Testing

@testable import BrazeRules

@Suite struct BrazeDateTests {
    @Test(
        "Dates in Braze's formats are parsed",
        arguments: [
            ("2026-01-31", 2026), ("2024-02-29T10:20", 2024), ("2026-01-31 10:20:30", 2026),
            ("2026-01-31T10:20:30:123Z", 2026), ("2026-01-31t10:20:30.123456789z", 2026),
            ("2026-01-31T10:20:30+05:30", 2026), ("2026-01-31T10:20:30-0530", 2026), ("2026-01-31T10:20:30+05", 2026),
            ("0000-01-01", 0), ("9999-12-31", 9999), ("-0044-03-15", -44), ("+12026-01-01", 12026),
            ("+2026-01-01", 2026), ("01/31/2026", 2026), ("02/29/2024", 2024),
            ("2026-01-31T23:59:60+23:59", 2026),
        ]
    )
    func dates(text: String, year: Int) {
        #expect(BrazeDate(text)?.year == year)
        #expect(BrazeDate(text)?.isInStoredYears == (0...3000).contains(year))
        #expect(BrazeDate(text)?.isDay == (text.utf8.count == 10 && !text.contains("/")))
    }

    @Test(
        "Braze stores a date if it can store the year, which must not have a sign",
        arguments: [
            ("0000-01-01", true), ("3000-12-31", true), ("3001-01-01", false), ("-0044-03-15", false),
            ("+2026-01-01", false), ("-0000-01-01", false), ("01/31/3000", true), ("01/31/3001", false),
        ]
    )
    func stored(text: String, isStored: Bool) {
        #expect(BrazeDate(text)?.isStored == isStored)
    }

    @Test(
        "Other texts are not dates",
        arguments: [
            "", "x", "x2026-01-01", "2026", "2026-1-1", "2026-13-01", "2026-00-01", "2026-02-29", "2026-04-31",
            "2026-01-00",
            "26-01-01", "12026-01-01", "+26-01-01", "2026-01-01T", "2026-01-01T10", "2026-01-01T24:00",
            "2026-01-01T10:60",
            "2026-01-01T10:20:61", "2026-01-01T10:20:30.", "2026-01-01T10:20Zx", "2026-01-01T10:20+5", "2026-01-01x",
            "2026-01-01T10:20+05:", "2026-01-01T10:20+05:60", "2026-01-01 ",
            "2026-01-01T10:20+24:00", "2026-01-01T10:20:30.1234567890", "٢٠٢٦-01-01",
            "2026-01-01 10:20:30 UTC", "2026-01-01T10:20:30 Z", "31/01/2026", "1/31/2026", "01/31/26", "02/29/2026",
            "01/31/2026 10:20", "+01/31/2026", "01/31", "Mar 26 2026 06:12 PM +00:00",
        ]
    )
    func others(text: String) {
        #expect(BrazeDate(text) == nil)
    }
}
