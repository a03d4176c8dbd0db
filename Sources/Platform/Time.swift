/// The clock for everything that the host stores and sends; only this type reads the system's clocks.
///
/// The log, the ends of processes and the start of a recording use ``systemTime()`` even if the wall time is fixed. It is
/// a class, because all services of a host must read the same clock.
package final class Clock {
    private var fixed: Int64?

    /// Creates a clock that starts at the given time and advances by a millisecond with each reading; without a time it is
    /// the system's wall clock.
    package init(start: Int64?) { fixed = start }

    /// The wall time in milliseconds since 1970.
    package func wallTime() -> Int64 {
        guard let time = fixed else { return Clock.systemTime() }
        fixed = time + 1
        return time
    }

    /// Whether the time is fixed, and so moves only with each reading and with ``advance(by:)``.
    package var isFixed: Bool { fixed != nil }

    /// Moves a fixed time forward by that many milliseconds; the system's time stays as it is.
    package func advance(by milliseconds: Int64) { fixed? += milliseconds }

    /// The system's wall time in milliseconds since 1970.
    package static func systemTime() -> Int64 { systemNanoseconds() / 1_000_000 }

    /// The system's wall time in nanoseconds since 1970, to compare with the times of files.
    package static func systemNanoseconds() -> Int64 { read(CLOCK_REALTIME) }

    /// The monotonic time in milliseconds; for deadlines only.
    package static func monotonic() -> Int64 { monotonicNanoseconds() / 1_000_000 }

    /// The monotonic time in nanoseconds; to measure how long something takes.
    package static func monotonicNanoseconds() -> Int64 { read(CLOCK_MONOTONIC) }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

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

/// The proleptic Gregorian calendar.
package enum GregorianCalendar {
    /// A day of the calendar.
    package typealias Date = (year: Int64, month: Int64, day: Int64)

    /// Whether there is such a day.
    package static func hasDay(_ day: Int64, month: Int64, year: Int64) -> Bool {
        (1...12).contains(month) && day >= 1 && day <= daysInMonth(month, year: year)
    }

    /// The number of days in a month from 1 to 12.
    package static func daysInMonth(_ month: Int64, year: Int64) -> Int64 {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// The number of days from 1970-01-01 to a date.
    ///
    /// Years are counted in eras of 400 years that begin in March, so that the leap day comes last.
    package static func days(to date: Date) -> Int64 {
        let year = date.month <= 2 ? date.year - 1 : date.year
        let era = year.flooredQuotient(400)
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * ((date.month + 9) % 12) + 2) / 5 + date.day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The date that is so many days after 1970-01-01.
    package static func date(afterDays days: Int64) -> Date {
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
    /// The quotient rounded down; `/` rounds towards zero.
    fileprivate func flooredQuotient(_ divisor: Int64) -> Int64 {
        self >= 0 ? self / divisor : -((-self + divisor - 1) / divisor)
    }
}
