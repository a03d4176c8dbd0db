// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
import PhoneRuntime
import UIKit

/// A text.
public struct Text {
    public enum Case: Hashable, Sendable {
        case uppercase, lowercase
    }

    public enum TruncationMode: Hashable, Sendable {
        case head, tail, middle
    }

    /// How a date is written; most styles change as time passes.
    public struct DateStyle: Hashable, Sendable {
        private enum Kind {
            case time, date, relative, offset, timer
        }

        private let kind: Kind
        public static let time = DateStyle(kind: .time)
        public static let date = DateStyle(kind: .date)
        public static let relative = DateStyle(kind: .relative)
        public static let offset = DateStyle(kind: .offset)
        public static let timer = DateStyle(kind: .timer)

        var changes: Bool { kind != .time && kind != .date }

        func text(_ date: Date, _ environment: EnvironmentValues) -> String {
            let seconds = Int(date.timeIntervalSince(MainClock.shared.now).rounded())
            switch kind {
            case .time: return format(date, .omitted, .shortened, environment)
            case .date: return format(date, .long, .omitted, environment)
            case .timer: return Self.clock(abs(seconds))
            case .relative: return Self.words(abs(seconds))
            case .offset: return (seconds < 0 ? "-" : "+") + Self.words(abs(seconds))
            }
        }

        private func format(
            _ date: Date,
            _ day: Date.FormatStyle.DateStyle,
            _ time: Date.FormatStyle.TimeStyle,
            _ environment: EnvironmentValues
        ) -> String {
            var style = Date.FormatStyle(date: day, time: time, locale: environment.locale)
            style.timeZone = environment.timeZone
            return style.format(date)
        }

        static func clock(_ seconds: Int) -> String {
            let (hours, minutes, rest) = (seconds / 3_600, seconds / 60 % 60, seconds % 60)
            let end = String(format: "%02d", rest)
            return hours > 0 ? "\(hours):" + String(format: "%02d", minutes) + ":\(end)" : "\(minutes):\(end)"
        }

        /// The two largest units, as in "1 hr, 5 min".
        private static func words(_ seconds: Int) -> String {
            let units = [("day", seconds / 86_400), ("hr", seconds / 3_600 % 24), ("min", seconds / 60 % 60)]
            let parts = (units + [("sec", seconds % 60)]).drop { $0.1 == 0 }.prefix(2).filter { $0.1 > 0 }
            let texts = parts.map { name, count in "\(count) \(name)\(name == "day" && count != 1 ? "s" : "")" }
            return texts.isEmpty ? "0 sec" : texts.joined(separator: ", ")
        }
    }

    let text: (EnvironmentValues) -> String
    private var font: Font?
    private var isBold = false
    /// Whether the text changes as time passes.
    private var changes = false

    private init(changes: Bool = false, _ text: @escaping (EnvironmentValues) -> String) {
        (self.text, self.changes) = (text, changes)
    }

    public init(verbatim content: String) { self.init { _ in content } }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ content: S) { self.init(verbatim: String(content)) }
    public init(
        _ key: LocalizedStringKey,
        tableName: String? = nil,
        bundle: Bundle? = nil,
        comment: StaticString? = nil
    ) {
        self.init { key.text($0, table: tableName, bundle: bundle) }
    }
    public init(_ attributedContent: AttributedString) { self.init(verbatim: String(attributedContent.characters)) }
    public init(_ date: Date, style: DateStyle) { self.init(changes: style.changes) { style.text(date, $0) } }
    public init(_ dates: ClosedRange<Date>) {
        self.init { "\(DateStyle.time.text(dates.lowerBound, $0)) – \(DateStyle.time.text(dates.upperBound, $0))" }
    }
    public init(
        timerInterval: ClosedRange<Date>,
        pauseTime: Date? = nil,
        countsDown: Bool = true,
        showsHours: Bool = true
    ) {
        self.init(changes: pauseTime == nil) { _ in
            let now = pauseTime ?? MainClock.shared.now
            let time = min(max(now, timerInterval.lowerBound), timerInterval.upperBound)
            let from = countsDown ? timerInterval.upperBound : timerInterval.lowerBound
            return DateStyle.clock(Int(abs(from.timeIntervalSince(time)).rounded()))
        }
    }
    public init<F: FormatStyle>(_ input: F.FormatInput, format: F) where F.FormatOutput == String {
        self.init { format.locale($0.locale).format(input) }
    }
    public init<Subject: ReferenceConvertible>(_ subject: Subject, formatter: Formatter) {
        self.init { _ in formatter.string(for: subject) ?? "" }
    }
    public init<Subject: NSObject>(_ subject: Subject, formatter: Formatter) {
        self.init { _ in formatter.string(for: subject) ?? "" }
    }
    public init(_ image: Image) { self.init { _ in image.symbolText ?? "" } }

    public static func + (left: Text, right: Text) -> Text {
        var text = left
        text = Text(changes: left.changes || right.changes) { left.text($0) + right.text($0) }
        (text.font, text.isBold) = (left.font, left.isBold && right.isBold)
        return text
    }

    private func with(_ change: (inout Text) -> Void) -> Text {
        var text = self
        change(&text)
        return text
    }

    public func font(_ font: Font?) -> Text { with { $0.font = font } }
    public func bold() -> Text { bold(true) }
    public func bold(_ isActive: Bool) -> Text { with { $0.isBold = isActive } }
    public func fontWeight(_ weight: Font.Weight?) -> Text { bold(weight?.isBold ?? false) }
    public func fontDesign(_ design: Font.Design?) -> Text { self }
    public func italic() -> Text { self }
    public func italic(_ isActive: Bool) -> Text { self }
    public func monospaced(_ isActive: Bool = true) -> Text { self }
    public func monospacedDigit() -> Text { self }
    public func foregroundColor(_ color: Color?) -> Text { self }
    public func foregroundStyle<S: ShapeStyle>(_ style: S) -> Text { self }
    public func strikethrough(_ isActive: Bool = true, color: Color? = nil) -> Text { self }
    public func underline(_ isActive: Bool = true, color: Color? = nil) -> Text { self }
    public func kerning(_ kerning: CGFloat) -> Text { self }
    public func tracking(_ tracking: CGFloat) -> Text { self }
    public func baselineOffset(_ baselineOffset: CGFloat) -> Text { self }
    public func textScale(_ scale: Scale, isEnabled: Bool = true) -> Text { self }

    public struct Scale: Hashable, Sendable {
        public static let `default` = Scale()
        public static let secondary = Scale()
    }
}

extension Text: @unchecked Sendable {}

extension Text: Equatable {
    public static func == (left: Text, right: Text) -> Bool {
        left.text(EnvironmentValues()) == right.text(EnvironmentValues())
    }
}

extension Text: _PrimitiveView, Primitive {
    package func shown(in context: Context) -> [UIView] {
        let environment = context.environment
        if changes { context.graph.update(after: 1) }
        let label = UILabel()
        let text = text(environment)
        label.text =
            switch environment.textCase {
            case .uppercase?: text.uppercased()
            case .lowercase?: text.lowercased()
            case nil: text
            }
        let font = font ?? environment.font ?? .body
        label.font = (isBold ? font.bold() : font).uiFont
        label.textAlignment =
            switch environment.multilineTextAlignment {
            case .leading: .natural
            case .center: .center
            case .trailing: .right
            }
        return [label]
    }
}

public enum TextAlignment: CaseIterable, Hashable, Sendable {
    case leading, center, trailing
}
