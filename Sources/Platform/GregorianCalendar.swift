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
    func flooredQuotient(_ divisor: Int64) -> Int64 {
        self >= 0 ? self / divisor : -((-self + divisor - 1) / divisor)
    }
}
