public import Foundation

/// Writes durations, as Foundation's class of that name, which Foundation on Linux lacks; in English.
///
/// A typealias in the extension's module puts it in place of Foundation's class.
open class DateComponentsFormatter: NSObject, @unchecked Sendable {
    /// How a unit is written.
    public enum UnitsStyle: Int, Sendable {
        /// `1:05`
        case positional
        /// `1m 5s`
        case abbreviated
        /// `1 min, 5 sec`
        case short
        /// `1 minute, 5 seconds`
        case full
        /// `one minute, five seconds`
        case spellOut
        /// `1min 5sec`
        case brief
    }

    /// What is done with units that are zero.
    public struct ZeroFormattingBehavior: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt
        /// A behaviour of those bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// As the style suggests.
        public static let `default` = ZeroFormattingBehavior(rawValue: 1)
        /// Zeros at the beginning are left out.
        public static let dropLeading = ZeroFormattingBehavior(rawValue: 2)
        /// Zeros in the middle are left out.
        public static let dropMiddle = ZeroFormattingBehavior(rawValue: 4)
        /// Zeros at the end are left out.
        public static let dropTrailing = ZeroFormattingBehavior(rawValue: 8)
        /// All zeros are left out.
        public static let dropAll: ZeroFormattingBehavior = [.dropLeading, .dropMiddle, .dropTrailing]
        /// Numbers have two digits.
        public static let pad = ZeroFormattingBehavior(rawValue: 1 << 16)
    }

    /// How units are written.
    open var unitsStyle = UnitsStyle.positional
    /// The units that may be written.
    open var allowedUnits: NSCalendar.Unit = [.day, .hour, .minute, .second]
    /// What is done with units that are zero.
    open var zeroFormattingBehavior = ZeroFormattingBehavior.default
    /// The most units that are written; 0 for all.
    open var maximumUnitCount = 0
    /// Whether the text says that time remains.
    open var includesTimeRemainingPhrase = false
    /// Whether the text says that it is about that much.
    open var includesApproximationPhrase = false
    /// The calendar.
    open var calendar: Calendar? = .current

    /// A formatter.
    public override init() {}

    private struct Unit {
        let unit: NSCalendar.Unit
        let seconds: Int
        let names: [UnitsStyle: (one: String, many: String)]

        init(_ unit: NSCalendar.Unit, _ seconds: Int, _ letter: String, _ short: String, _ full: String) {
            (self.unit, self.seconds) = (unit, seconds)
            let shortMany = ["hr", "min", "sec"].contains(short) ? short : short + "s"
            names = [
                .abbreviated: (letter, letter), .brief: (short, shortMany), .short: (" " + short, " " + shortMany),
                .full: (" " + full, " \(full)s"), .spellOut: (" " + full, " \(full)s"),
            ]
        }
    }

    private static let units = [
        Unit(.weekOfMonth, 604_800, "w", "wk", "week"), Unit(.day, 86_400, "d", "day", "day"),
        Unit(.hour, 3_600, "h", "hr", "hour"), Unit(.minute, 60, "m", "min", "minute"),
        Unit(.second, 1, "s", "sec", "second"),
    ]

    /// The duration of that many seconds.
    open func string(from ti: TimeInterval) -> String? {
        var rest = Int(ti.magnitude.rounded(.down))
        let units = Self.units.filter { allowedUnits.contains($0.unit) }
        var parts: [(unit: Unit, value: Int)] = []
        for unit in units {
            parts.append((unit, rest / unit.seconds))
            rest %= unit.seconds
        }
        guard !parts.isEmpty else { return nil }
        let text = join(shown(parts))
        return (ti < 0 ? "-" : "") + (includesApproximationPhrase ? "About " : "") + text
            + (includesTimeRemainingPhrase ? " remaining" : "")
    }

    /// The time between two dates.
    open func string(from startDate: Date, to endDate: Date) -> String? {
        string(from: endDate.timeIntervalSince(startDate))
    }

    /// The duration of the parts.
    open func string(from components: DateComponents) -> String? {
        let days = (components.day ?? 0) + 7 * (components.weekOfMonth ?? 0)
        let seconds = (components.second ?? 0) + 60 * (components.minute ?? 0) + 3_600 * (components.hour ?? 0)
        return string(from: TimeInterval(seconds + 86_400 * days))
    }

    private func shown(_ parts: [(unit: Unit, value: Int)]) -> [(unit: Unit, value: Int)] {
        var parts = parts
        var behavior = zeroFormattingBehavior
        if behavior.contains(.default) { behavior.insert(unitsStyle == .positional ? .dropLeading : .dropAll) }
        // A duration of zero shows its smallest unit, and `1:05` needs its minutes.
        let least = unitsStyle == .positional && allowedUnits.contains(.minute) ? 2 : 1
        if behavior.contains(.dropLeading) {
            while parts.count > least, parts[0].value == 0 { parts.removeFirst() }
        }
        if behavior.contains(.dropTrailing) {
            while parts.count > 1, parts[parts.count - 1].value == 0 { parts.removeLast() }
        }
        if behavior.contains(.dropMiddle) {
            parts = parts.enumerated().filter { index, part in
                part.value != 0 || index == 0 || index == parts.count - 1
            }.map(\.element)
        }
        return maximumUnitCount > 0 ? Array(parts.prefix(maximumUnitCount)) : parts
    }

    private func join(_ parts: [(unit: Unit, value: Int)]) -> String {
        let pads = zeroFormattingBehavior.contains(.pad)
        guard unitsStyle != .positional else {
            return parts.enumerated().map { index, part in
                String(format: pads || index > 0 ? "%02d" : "%d", part.value)
            }.joined(separator: ":")
        }
        let words = parts.map { part -> String in
            let names = part.unit.names[unitsStyle] ?? ("", "")
            return (pads ? String(format: "%02d", part.value) : "\(part.value)")
                + (part.value == 1 ? names.one : names.many)
        }
        return words.joined(separator: [.abbreviated, .brief].contains(unitsStyle) ? " " : ", ")
    }
}

/// Writes how long ago a date was, as Foundation's class of that name, which Foundation on Linux lacks; in English.
open class RelativeDateTimeFormatter: NSObject, @unchecked Sendable {
    /// How units are written.
    public enum UnitsStyle: Int, Sendable {
        /// `2 months ago`
        case full
        /// `two months ago`
        case spellOut
        /// `2 mo. ago`
        case short
        /// `2mo ago`
        case abbreviated
    }

    /// Whether words such as `yesterday` are used.
    public enum DateTimeStyle: Int, Sendable {
        /// `1 day ago`
        case numeric
        /// `yesterday`
        case named
    }

    /// How units are written.
    open var unitsStyle = UnitsStyle.full
    /// Whether words such as `yesterday` are used.
    open var dateTimeStyle = DateTimeStyle.numeric
    /// The locale; the words are English.
    open var locale: Locale! = .current
    /// The calendar.
    open var calendar: Calendar! = .current

    /// A formatter.
    public override init() {}

    /// The text for a date as seen from another.
    open func localizedString(for date: Date, relativeTo referenceDate: Date) -> String {
        localizedString(fromTimeInterval: date.timeIntervalSince(referenceDate))
    }

    /// The text for that many seconds from now; a negative number is in the past.
    open func localizedString(fromTimeInterval timeInterval: TimeInterval) -> String {
        let seconds = Int(timeInterval.magnitude.rounded(.down))
        let units: [(Int, String, String, String)] = [
            (31_536_000, "year", "yr.", "y"), (2_592_000, "month", "mo.", "mo"), (604_800, "week", "wk.", "w"),
            (86_400, "day", "day", "d"), (3_600, "hour", "hr.", "h"), (60, "minute", "min.", "m"),
            (1, "second", "sec.", "s"),
        ]
        let (size, full, short, letter) = units.first { seconds >= $0.0 } ?? units[units.count - 1]
        let count = seconds / size
        let isPast = timeInterval < 0
        if dateTimeStyle == .named {
            if seconds == 0 { return "now" }
            if full == "day", count == 1 { return isPast ? "yesterday" : "tomorrow" }
            if count == 1, size > 86_400 { return (isPast ? "last " : "next ") + full }
        }
        let text =
            switch unitsStyle {
            case .full, .spellOut: "\(count) \(full)\(count == 1 ? "" : "s")"
            case .short: "\(count) \(short)\(short == "day" && count != 1 ? "s" : "")"
            case .abbreviated: "\(count)\(letter)"
            }
        return isPast ? "\(text) ago" : "in \(text)"
    }

    /// The text for a date as seen from now.
    open func string(for obj: Any?) -> String? {
        (obj as? Date).map { localizedString(for: $0, relativeTo: Date()) }
    }
}
