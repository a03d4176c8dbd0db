import Foundation
import Platform
import Testing

@Suite struct GregorianCalendarTests {
    @Test(
        "Leap years follow the rules for multiples of 4, 100 and 400",
        arguments: [(2023, 28), (2024, 29), (1900, 28), (2000, 29), (0, 29), (-4, 29), (-100, 28)] as [(Int64, Int64)]
    )
    func leap(year: Int64, days: Int64) {
        #expect(GregorianCalendar.daysInMonth(2, year: year) == days)
        #expect(GregorianCalendar.hasDay(days, month: 2, year: year))
        #expect(!GregorianCalendar.hasDay(days + 1, month: 2, year: year))
    }

    @Test(
        "Days after the end of a month do not exist",
        arguments: [(0, 1), (32, 1), (31, 4), (31, 6), (31, 9), (31, 11), (1, 0), (1, 13), (-1, 5)] as [(Int64, Int64)]
    )
    func missing(day: Int64, month: Int64) {
        #expect(!GregorianCalendar.hasDay(day, month: month, year: 2024))
    }

    @Test("Conversions between days and dates agree with Foundation")
    func foundation() throws {
        var calendar = Foundation.Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        for days in stride(from: Int64(-100_000), through: 400_000, by: 97) {
            let date = GregorianCalendar.date(afterDays: days)
            #expect(GregorianCalendar.days(to: date) == days)
            let theirs = calendar.dateComponents(
                [.year, .month, .day],
                from: Date(timeIntervalSince1970: Double(days) * 86_400)
            )
            #expect([Int(date.year), Int(date.month), Int(date.day)] == [theirs.year, theirs.month, theirs.day])
        }
    }
}
