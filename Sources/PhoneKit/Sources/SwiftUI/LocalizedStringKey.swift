// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
import PhoneRuntime

/// A value that an interpolation of a key may have.
public protocol _FormatSpecifiable {
    var _specifier: String { get }
}

extension Int: _FormatSpecifiable { public var _specifier: String { "%lld" } }
extension Int8: _FormatSpecifiable { public var _specifier: String { "%d" } }
extension Int16: _FormatSpecifiable { public var _specifier: String { "%d" } }
extension Int32: _FormatSpecifiable { public var _specifier: String { "%d" } }
extension Int64: _FormatSpecifiable { public var _specifier: String { "%lld" } }
extension UInt: _FormatSpecifiable { public var _specifier: String { "%llu" } }
extension UInt8: _FormatSpecifiable { public var _specifier: String { "%u" } }
extension UInt16: _FormatSpecifiable { public var _specifier: String { "%u" } }
extension UInt32: _FormatSpecifiable { public var _specifier: String { "%u" } }
extension UInt64: _FormatSpecifiable { public var _specifier: String { "%llu" } }
extension Float: _FormatSpecifiable { public var _specifier: String { "%f" } }
extension Double: _FormatSpecifiable { public var _specifier: String { "%lf" } }
extension CGFloat: _FormatSpecifiable { public var _specifier: String { "%lf" } }

/// A text that is looked up in the bundle's tables, with values in their places.
public struct LocalizedStringKey: ExpressibleByStringInterpolation {
    public struct StringInterpolation: StringInterpolationProtocol {
        var key = ""
        var values: [(EnvironmentValues) -> String] = []

        public init(literalCapacity: Int, interpolationCount: Int) {}
        public mutating func appendLiteral(_ literal: String) {
            key += literal.replacingOccurrences(of: "%", with: "%%")
        }
        public mutating func appendInterpolation(_ string: String) { add("%@") { _ in string } }
        public mutating func appendInterpolation(_ text: Text) { add("%@") { text.text($0) } }
        public mutating func appendInterpolation(_ image: Image) {
            add("%@") { _ in image.symbolText ?? "" }
        }
        public mutating func appendInterpolation(_ attributedString: AttributedString) {
            add("%@") { _ in String(attributedString.characters) }
        }
        public mutating func appendInterpolation<T: _FormatSpecifiable>(_ value: T) {
            add(value._specifier) { Self.text(of: value, $0.locale) }
        }
        public mutating func appendInterpolation<T: _FormatSpecifiable>(_ value: T, specifier: String) {
            add(specifier) { _ in
                guard let argument = value as? any CVarArg else { return "\(value)" }
                return String(format: specifier, argument)
            }
        }
        public mutating func appendInterpolation<F: FormatStyle>(
            _ input: F.FormatInput,
            format: F
        ) where F.FormatOutput == String {
            add("%@") { format.locale($0.locale).format(input) }
        }
        public mutating func appendInterpolation<Subject>(_ subject: Subject, formatter: Formatter? = nil)
        where Subject: ReferenceConvertible {
            add("%@") { _ in formatter?.string(for: subject) ?? "\(subject)" }
        }
        public mutating func appendInterpolation<Subject: NSObject>(_ subject: Subject, formatter: Formatter? = nil) {
            add("%@") { _ in formatter?.string(for: subject) ?? "\(subject)" }
        }
        public mutating func appendInterpolation(_ date: Date, style: Text.DateStyle) {
            add("%@") { style.text(date, $0) }
        }
        public mutating func appendInterpolation(_ dates: ClosedRange<Date>) {
            add("%@") {
                "\(Text.DateStyle.time.text(dates.lowerBound, $0)) – \(Text.DateStyle.time.text(dates.upperBound, $0))"
            }
        }

        private mutating func add(_ specifier: String, _ value: @escaping (EnvironmentValues) -> String) {
            key += specifier
            values.append(value)
        }

        /// A number as people of the language write it.
        private static func text(of value: Any, _ locale: Locale) -> String {
            switch value {
            case let number as any BinaryInteger: Int64(number).formatted(.number.locale(locale))
            case let number as Float: String(format: "%f", Double(number))
            case let number as CGFloat: String(format: "%lf", Double(number))
            case let number as Double: String(format: "%lf", number)
            default: "\(value)"
            }
        }
    }

    private let key: String
    private let values: [(EnvironmentValues) -> String]

    public init(_ value: String) { (key, values) = (value, []) }
    public init(stringLiteral value: String) { self.init(value) }
    public init(stringInterpolation: StringInterpolation) {
        (key, values) = (stringInterpolation.key, stringInterpolation.values)
    }

    /// The text in the language of the notification.
    func text(_ environment: EnvironmentValues, table: String? = nil, bundle: Bundle? = nil) -> String {
        let found = LocalizedTexts.text(key, table: table, bundle: bundle ?? .main, value: "")
        let text = values.isEmpty ? found : fill(found, environment)
        return text.contains(where: { "*[_`".contains($0) }) ? Self.withoutMarkdown(text) : text
    }

    private func fill(_ text: String, _ environment: EnvironmentValues) -> String {
        var next = 0
        return text.replacing(/%(?:(?<position>\d+)\$)?(?:[-+ 0#]*\d*(?:\.\d+)?(?:ll|l|h|q|z)?[@diuxXfFeEgGsc]|%)/) {
            match in
            guard match.output.0 != "%%" else { return "%" }
            let index = match.output.position.flatMap { Int($0) }.map { $0 - 1 } ?? next
            next += 1
            return values.indices.contains(index) ? values[index](environment) : ""
        }
    }

    /// The words of a text whose emphasis is marked, as `Text` shows it.
    private static func withoutMarkdown(_ text: String) -> String {
        text.replacing(/\[([^\]\n]+)\]\([^)\s]+\)/) { $0.output.1 }
            .replacing(/\*\*(\S(?:[^*\n]*\S)?)\*\*/) { $0.output.1 }
            .replacing(/(^|[^\w*_])[*_](\S(?:[^*_\n]*\S)?)[*_](?!\w)/) { "\($0.output.1)\($0.output.2)" }
            .replacing(/`([^`\n]+)`/) { $0.output.1 }
    }
}

extension LocalizedStringKey: Equatable {
    public static func == (left: LocalizedStringKey, right: LocalizedStringKey) -> Bool {
        let environment = EnvironmentValues()
        return left.key == right.key && left.values.map { $0(environment) } == right.values.map { $0(environment) }
    }
}
