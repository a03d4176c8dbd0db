/// Dates in the forms of ISO 8601 that Braze reads: a day, or a day and a time, with a zone or without.
///
/// `2026-01-31`, `2026-01-31T10:20`, `2026-01-31 10:20:30.5+01:00`, and Braze's own `…T10:20:30:500Z`.
struct LooseDate {
    /// The years that Braze stores.
    static let years = 0...3000

    /// The year; ISO 8601 also has years with a sign and more digits.
    let year: Int
    /// Whether the text is a day alone, as `YYYY-MM-DD`.
    let isDay: Bool

    /// Whether Braze stores it.
    var isStored: Bool { Self.years.contains(year) }

    /// The date that a text is, where it is one.
    init?(_ text: String) {
        // Most texts are no date, and their first byte tells.
        guard let first = text.utf8.first, first.isDigit || first == .plus || first == .minus else { return nil }
        var scanner = Scanner(rest: text.utf8[...])
        let isSigned = !first.isDigit
        if isSigned { scanner.rest.removeFirst() }
        guard let year = isSigned ? scanner.number(4...6) : scanner.number(4...4),
            scanner.skip(.minus), let month = scanner.number(2...2), (1...12).contains(month),
            scanner.skip(.minus), let day = scanner.number(2...2), day >= 1,
            day <= Self.days(in: month, of: year)
        else { return nil }
        self.year = first == .minus ? -year : year
        isDay = scanner.rest.isEmpty && !isSigned
        guard scanner.rest.isEmpty || scanner.time() else { return nil }
    }

    private static func days(in month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }
}

private struct Scanner {
    var rest: Substring.UTF8View

    mutating func skip(_ bytes: UInt8...) -> Bool {
        guard let first = rest.first, bytes.contains(first) else { return false }
        rest.removeFirst()
        return true
    }

    /// All digits that come, where there are as many as allowed.
    mutating func number(_ count: ClosedRange<Int>) -> Int? {
        let digits = rest.prefix { $0.isDigit }
        guard count.contains(min(digits.count, count.upperBound)) else { return nil }
        let taken = digits.prefix(count.upperBound)
        rest.removeFirst(taken.count)
        return taken.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// A time of day with its zone, to the end.
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
    fileprivate static let colon = UInt8(ascii: ":")
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
