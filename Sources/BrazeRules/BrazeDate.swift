internal import Platform

/// A date in a form that Braze reads as one: ISO 8601, or one of the additional forms in its documents (braze.com,
/// "Data types", "Nested custom attributes").
///
/// `2026-01-31`, `01/31/2026`, `2026-01-31T10:20`, `2026-01-31 10:20:30.5+01:00`, and Braze's own `…T10:20:30:500Z`. A
/// zone is `Z` or an offset. Braze's documents also name `ddd MM dd HH:mm:ss.TZD YYYY`, which no formatter writes; it is
/// not accepted here.
struct BrazeDate {
    /// The years whose dates Braze stores in objects.
    static let years = 0...3000

    /// The year.
    let year: Int
    /// Whether the text is only a day, as `YYYY-MM-DD`.
    let isDay: Bool
    /// Whether it has a time of day.
    let hasTime: Bool
    /// Whether the year has a sign: ISO 8601 allows that only by agreement, and Braze's documents have no such form.
    let isSigned: Bool

    /// Whether Braze stores dates of that year.
    var isInStoredYears: Bool { Self.years.contains(year) }

    /// Whether Braze reads and stores it as a date.
    var isStored: Bool { !isSigned && isInStoredYears }

    /// Parses a date; `nil` if the text is not a date.
    init?(_ text: String) {
        // Most texts are not dates, as their first byte shows.
        guard let first = text.utf8.first, first.isDigit || first == .plus || first == .minus else { return nil }
        let scanner = Scanner(rest: text.utf8[...])
        guard let date = Self.ofMonthDayYear(scanner) ?? Self.ofISO8601(scanner, sign: first.isDigit ? nil : first)
        else { return nil }
        self = date
    }

    private init(year: Int, isDay: Bool, hasTime: Bool, isSigned: Bool) {
        (self.year, self.isDay, self.hasTime, self.isSigned) = (year, isDay, hasTime, isSigned)
    }

    private static func ofMonthDayYear(_ scanner: Scanner) -> BrazeDate? {
        var scanner = scanner
        guard let month = scanner.number(2...2), scanner.skip(.slash), let day = scanner.number(2...2),
            scanner.skip(.slash), let year = scanner.number(4...4), scanner.rest.isEmpty, hasDay(day, month, year)
        else { return nil }
        return BrazeDate(year: year, isDay: false, hasTime: false, isSigned: false)
    }

    private static func ofISO8601(_ scanner: Scanner, sign: UInt8?) -> BrazeDate? {
        var scanner = scanner
        if let sign { _ = scanner.skip(sign) }
        guard let year = scanner.number(sign == nil ? 4...4 : 4...6), scanner.skip(.minus),
            let month = scanner.number(2...2), scanner.skip(.minus), let day = scanner.number(2...2),
            hasDay(day, month, year)
        else { return nil }
        let hasTime = !scanner.rest.isEmpty
        guard !hasTime || scanner.time() else { return nil }
        return BrazeDate(
            year: sign == .minus ? -year : year,
            isDay: !hasTime && sign == nil,
            hasTime: hasTime,
            isSigned: sign != nil
        )
    }

    private static func hasDay(_ day: Int, _ month: Int, _ year: Int) -> Bool {
        GregorianCalendar.hasDay(Int64(day), month: Int64(month), year: Int64(year))
    }
}

private struct Scanner {
    var rest: Substring.UTF8View

    mutating func skip(_ bytes: UInt8...) -> Bool {
        guard let first = rest.first, bytes.contains(first) else { return false }
        rest.removeFirst()
        return true
    }

    /// Reads a number with an allowed count of digits; digits beyond the maximum are not read.
    mutating func number(_ count: ClosedRange<Int>) -> Int? {
        let digits = rest.prefix { $0.isDigit }
        guard count.contains(min(digits.count, count.upperBound)) else { return nil }
        let used = digits.prefix(count.upperBound)
        rest.removeFirst(used.count)
        return used.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// Reads a time of day with an optional zone; returns whether it is valid and ends the text.
    mutating func time() -> Bool {
        guard skip(UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " ")),
            let hour = number(2...2), hour < 24, skip(.colon), let minute = number(2...2), minute < 60
        else { return false }
        if skip(.colon) {
            guard let second = number(2...2), second <= 60 else { return false }
            if skip(UInt8(ascii: "."), .colon), number(1...9) == nil { return false }
        }
        if skip(UInt8(ascii: "Z"), UInt8(ascii: "z")) { return rest.isEmpty }
        if skip(.plus, .minus) {
            guard let hours = number(2...2), hours < 24 else { return false }
            let isColon = skip(.colon)
            guard let minutes = number(2...2) else { return !isColon && rest.isEmpty }
            return minutes < 60 && rest.isEmpty
        }
        return rest.isEmpty
    }
}

extension UInt8 {
    fileprivate static let plus = UInt8(ascii: "+")
    fileprivate static let minus = UInt8(ascii: "-")
    fileprivate static let slash = UInt8(ascii: "/")
    fileprivate static let colon = UInt8(ascii: ":")
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
