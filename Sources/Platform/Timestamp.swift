/// Times on the wire: RFC 3339, written in UTC with milliseconds, read with any zone.
package enum Timestamp {
    /// The days of the years that four digits can write, counted from 1970-01-01.
    private static let writableDays = GregorianCalendar.days(to: (0, 1, 1))..<GregorianCalendar.days(to: (10_000, 1, 1))

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
        let date = GregorianCalendar.date(afterDays: days)
        let clock = seconds - days * 86_400
        append(date.year, 1000, UInt8(ascii: "-"), to: &bytes)
        append(date.month, 10, UInt8(ascii: "-"), to: &bytes)
        append(date.day, 10, UInt8(ascii: "T"), to: &bytes)
        append(clock / 3600, 10, UInt8(ascii: ":"), to: &bytes)
        append(clock / 60 % 60, 10, UInt8(ascii: ":"), to: &bytes)
        append(clock % 60, 10, UInt8(ascii: "."), to: &bytes)
        append(milliseconds - seconds * 1000, 100, UInt8(ascii: "Z"), to: &bytes)
    }

    /// The time in milliseconds since 1970 of an RFC 3339 text with a zone; `nil` for any other text.
    ///
    /// Digits past milliseconds are cut off.
    package static func parse(_ text: String) -> Int64? {
        // Nearly all times were written here, and a relay reads one for each record.
        if let written = text.utf8.withContiguousStorageIfAvailable(parseWritten), let time = written { return time }
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
            GregorianCalendar.hasDay(day, month: month, year: year), hour < 24, minute < 60, second <= 60
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
        let seconds =
            GregorianCalendar.days(to: (year, month, day)) * 86_400 + hour * 3600 + minute * 60 + second - offset
        // The zone may move the time into a year that four digits cannot write.
        guard writableDays.contains(seconds.flooredQuotient(86_400)) else { return nil }
        return seconds * 1000 + milliseconds
    }

    /// The time of a text exactly as ``format(_:)`` gives it; `nil` for any other, which may be a time in another form.
    private static func parseWritten(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
        guard text.count == 24 else { return nil }
        var isWritten = true
        func number(_ places: Range<Int>, _ end: UInt8) -> Int64 {
            var value: Int64 = 0
            for place in places {
                let digit = text[place] &- UInt8(ascii: "0")
                isWritten = isWritten && digit < 10
                value = value * 10 + Int64(digit)
            }
            isWritten = isWritten && text[places.upperBound] == end
            return value
        }
        let year = number(0..<4, UInt8(ascii: "-"))
        let month = number(5..<7, UInt8(ascii: "-"))
        let day = number(8..<10, UInt8(ascii: "T"))
        let hour = number(11..<13, UInt8(ascii: ":"))
        let minute = number(14..<16, UInt8(ascii: ":"))
        let second = number(17..<19, UInt8(ascii: "."))
        let millisecond = number(20..<23, UInt8(ascii: "Z"))
        guard isWritten, GregorianCalendar.hasDay(day, month: month, year: year), hour < 24, minute < 60, second < 60
        else { return nil }
        let days = GregorianCalendar.days(to: (year, month, day))
        return (days * 86_400 + hour * 3600 + minute * 60 + second) * 1000 + millisecond
    }

    /// Appends the digits of a number from the given decimal place down, then a separator.
    @inline(__always)
    private static func append(_ value: Int64, _ place: Int64, _ end: UInt8, to bytes: inout [UInt8]) {
        var place = place
        while place > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / place % 10))
            place /= 10
        }
        bytes.append(end)
    }
}
