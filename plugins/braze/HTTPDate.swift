/// Dates in HTTP's headers (RFC 9110, "Date/Time Formats").
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The time of a text such as `Sun, 06 Nov 1994 08:49:37 GMT` in seconds since 1970; `nil` if it is not a date.
    ///
    /// Every response has such a date, and a `DateFormatter` takes longer than all other handling of a response.
    static func parse(_ text: String) -> Double? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let month = months.firstIndex(where: { words[2] == $0 }) else {
            return nil
        }
        let clock = words[4].split(separator: ":", omittingEmptySubsequences: false).map { Int32($0) ?? -1 }
        guard clock.count == 3, (0...23).contains(clock[0]), (0...59).contains(clock[1]), (0...60).contains(clock[2]),
            let day = Int32(words[1]), (1...31).contains(day), let year = Int32(words[3]), (1970...9999).contains(year)
        else { return nil }
        var time = tm()
        (time.tm_year, time.tm_mon, time.tm_mday) = (year - 1_900, Int32(month), day)
        (time.tm_hour, time.tm_min, time.tm_sec) = (clock[0], clock[1], clock[2])
        return Double(timegm(&time))
    }
}
