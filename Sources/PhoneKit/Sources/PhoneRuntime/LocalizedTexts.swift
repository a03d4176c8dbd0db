public import Foundation
package import JSON
import Synchronization

/// The texts of the bundle in the language of the notification, which the host has chosen and sent.
public enum LocalizedTexts {
    private static let current = Mutex<JSON>([:])
    /// The forms of plurals by the text that stands for them until the number is known.
    private static let plurals = Mutex<[String: JSON]>([:])

    /// Takes the texts that the host sent.
    package static func set(_ texts: JSON) { current.withLock { $0 = texts } }

    /// The text of a key in the table `Localizable` of the main bundle; otherwise what Foundation finds.
    ///
    /// Of a plural it is the form for other numbers, which ``format(_:_:_:)`` knows again.
    public static func text(_ key: String, table: String?, bundle: Bundle, value: String) -> String {
        if table == nil || table == "Localizable", bundle == .main {
            let found = current.withLock { $0[key] }
            if let text = found.flatMap(lastForm) {
                if let found, found.string == nil { plurals.withLock { $0[text] = found } }
                return text
            }
        }
        // Foundation on Linux cannot read the plurals of a bundle.
        if bundle.path(forResource: table ?? "Localizable", ofType: "stringsdict") != nil {
            return value.isEmpty ? key : value
        }
        return bundle.localizedString(forKey: key, value: value.isEmpty ? nil : value, table: table)
    }

    /// A format with its arguments, whose numbers choose the forms of a plural.
    public static func format(_ format: String, _ locale: Locale?, _ arguments: [any CVarArg]) -> String {
        guard var chosen = plurals.withLock({ $0[format] }) else {
            return String(format: format, locale: locale, arguments: arguments)
        }
        while chosen.string == nil {
            let position = chosen["argument"]?.integer.map { Int(clamping: $0) } ?? 1
            let number = arguments.indices.contains(position - 1) ? number(arguments[position - 1]) : nil
            let form = chosen["cases"]?.array?.first { each in
                number.map { each["numbers"]?.array?.integers?.contains($0) ?? false } ?? false
            }
            guard let next = form?["text"] ?? chosen["other"] else { break }
            chosen = next
        }
        // The forms have a text for each argument, as everything that the host sends.
        let texts = arguments.map { argument in
            let number = (argument as? any BinaryInteger).map { Int64(clamping: $0) }
            let style = IntegerFormatStyle<Int64>(locale: locale ?? Locale(identifier: "en_US_POSIX")).grouping(
                locale == nil ? .never : .automatic
            )
            return NSString(string: number.map { $0.formatted(style) } ?? "\(argument)")
        }
        return String(format: chosen.string ?? format, locale: locale, arguments: texts)
    }

    /// The number of an argument as the forms have it: 100 and the last two digits stand for a greater one.
    private static func number(_ argument: any CVarArg) -> Int64? {
        let number = (argument as? any BinaryInteger).map { Int64(clamping: $0) } ?? (argument as? NSNumber)?.int64Value
        guard let magnitude = number?.magnitude else { return nil }
        return Int64(magnitude < 200 ? magnitude : 100 + magnitude % 100)
    }

    private static func lastForm(_ text: JSON) -> String? { text.string ?? text["other"].flatMap(lastForm) }
}
