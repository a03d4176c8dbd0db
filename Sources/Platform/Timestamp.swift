/// Times on the wire: RFC 3339, written in UTC with milliseconds, read with any zone.
package enum Timestamp {
    /// A time in milliseconds since 1970 as text, such as `2026-01-01T00:00:00.000Z`.
    package static func format(_ milliseconds: Int64) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24)
        write(milliseconds, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends a time as ``format(_:)`` gives it.
    package static func write(_ milliseconds: Int64, to bytes: inout [UInt8]) {
        let seconds = milliseconds.flooredQuotient(1000)
        let days = seconds.flooredQuotient(86_400)
        let date = civil(fromDays: days)
        let clock = seconds - days * 86_400
        append(date.year, 1000, UInt8(ascii: "-"), to: &bytes)
        append(date.month, 10, UInt8(ascii: "-"), to: &bytes)
        append(date.day, 10, UInt8(ascii: "T"), to: &bytes)
        append(clock / 3600, 10, UInt8(ascii: ":"), to: &bytes)
        append(clock / 60 % 60, 10, UInt8(ascii: ":"), to: &bytes)
        append(clock % 60, 10, UInt8(ascii: "."), to: &bytes)
        append(milliseconds - seconds * 1000, 100, UInt8(ascii: "Z"), to: &bytes)
    }

    /// The time in milliseconds since 1970, where the text is RFC 3339 with a zone; digits past milliseconds are cut.
    package static func parse(_ text: String) -> Int64? {
        var rest = Substring(text)
        func digits(_ count: Int) -> Int64? {
            let part = rest.prefix(count)
            guard part.utf8.count == count, part.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
            rest = rest.dropFirst(count)
            return Int64(part)
        }
        func skip(_ characters: Set<Character>) -> Character? {
            guard let first = rest.first, characters.contains(first) else { return nil }
            return rest.removeFirst()
        }
        guard let year = digits(4), skip(["-"]) != nil, let month = digits(2), skip(["-"]) != nil,
            let day = digits(2), skip(["T", "t", " "]) != nil, let hour = digits(2), skip([":"]) != nil,
            let minute = digits(2), skip([":"]) != nil, let second = digits(2),
            (1...12).contains(month), day >= 1, day <= daysInMonth(year, month),
            hour < 24, minute < 60, second <= 60
        else { return nil }
        var milliseconds: Int64 = 0
        if skip(["."]) != nil {
            let fraction = rest.prefix { $0.isASCII && $0.isNumber }
            guard !fraction.isEmpty else { return nil }
            rest = rest.dropFirst(fraction.count)
            milliseconds = Int64((fraction + "00").prefix(3)) ?? 0
        }
        var offset: Int64 = 0
        guard let zone = skip(["Z", "z", "+", "-"]) else { return nil }
        if zone == "+" || zone == "-" {
            guard let hours = digits(2), skip([":"]) != nil, let minutes = digits(2), hours < 24, minutes < 60
            else { return nil }
            offset = (hours * 60 + minutes) * (zone == "+" ? 60 : -60)
        }
        guard rest.isEmpty else { return nil }
        let seconds = days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset
        // In UTC it may lie in a year that four digits cannot write.
        guard (days(0, 1, 1)..<days(10_000, 1, 1)).contains(seconds.flooredQuotient(86_400)) else { return nil }
        return seconds * 1000 + milliseconds
    }

    /// Appends the digits of a number from a place on, and what stands behind it.
    @inline(__always)
    private static func append(_ value: Int64, _ place: Int64, _ end: UInt8, to bytes: inout [UInt8]) {
        var place = place
        while place > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / place % 10))
            place /= 10
        }
        bytes.append(end)
    }

    private static func daysInMonth(_ year: Int64, _ month: Int64) -> Int64 {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Days since 1970 of a date of the proleptic Gregorian calendar, counted in
    /// eras of 400 years that begin in March, so that the leap day comes last.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = year.flooredQuotient(400)
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = shifted.flooredQuotient(146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }
}

extension Int64 {
    fileprivate func flooredQuotient(_ divisor: Int64) -> Int64 {
        self >= 0 ? self / divisor : -((-self + divisor - 1) / divisor)
    }
}
