/// A format text with its placeholders replaced by arguments.
///
/// `%@` stands for the next argument, `%2$@` for the second, `%%` for a percent sign.
/// All arguments are texts, as on Apple's platforms, so other specifiers are replaced by texts too.
public struct TextFormat: Equatable {
    /// The maximum size of a filled text in bytes; limited because placeholders can repeat a long argument.
    public static let limit = 64 << 10
    private static let mismatchLimit = 8
    /// The maximum number of placeholders; a text with more is truncated too.
    private static let placeholderLimit = 1_000

    /// The filled text; a placeholder without an argument stays as it was written.
    public let text: String
    /// Mismatches between placeholders and arguments, each as a clause for a message.
    public let mismatches: [String]

    /// Fills the placeholders of a text.
    ///
    /// - Parameters:
    ///   - format: The text with placeholders.
    ///   - arguments: The values of the placeholders.
    ///   - used: The indexes of arguments that the format need not show, because they chose it.
    public init(_ format: String, _ arguments: [String], used: Set<Int> = []) {
        var filler = Filler(arguments: arguments, used: used)
        filler.fill(format)
        text = filler.text
        mismatches = Array(filler.mismatches.prefix(Self.mismatchLimit))
    }

    private struct Filler {
        let arguments: [String]
        var used: Set<Int>
        var text = ""
        var mismatches: [String] = []
        var nextArgument = 0

        mutating func fill(_ format: String) {
            var rest = Substring(format).unicodeScalars
            var placeholders = 0
            while let percent = rest.firstIndex(of: "%") {
                text.unicodeScalars.append(contentsOf: rest[..<percent])
                rest = rest[percent...]
                guard let placeholder = Placeholder(rest) else {
                    addMismatch("a % that does not begin a placeholder is shown as it is; write %%")
                    text += "%"
                    rest = rest.dropFirst()
                    continue
                }
                rest = rest.dropFirst(placeholder.length)
                fill(placeholder)
                placeholders += 1
                if text.utf8.count > TextFormat.limit || placeholders > TextFormat.placeholderLimit {
                    return truncate()
                }
            }
            text.unicodeScalars.append(contentsOf: rest)
            if text.utf8.count > TextFormat.limit { return truncate() }
            for index in arguments.indices where !used.contains(index) {
                addMismatch("the argument \(index + 1), \(arguments[index].debugDescription), is not used")
            }
        }

        private mutating func fill(_ placeholder: Placeholder) {
            guard placeholder.conversion != "%" else { return text += "%" }
            let index = placeholder.position.map { $0 - 1 } ?? nextArgument
            if placeholder.position == nil { nextArgument += 1 }
            if placeholder.conversion != "@" {
                addMismatch("\(placeholder.text) is shown with a text, because all arguments are texts; write %@")
            }
            guard arguments.indices.contains(index) else {
                addMismatch("\(placeholder.text) has no argument; there are \(arguments.count)")
                return text += placeholder.text
            }
            used.insert(index)
            text += arguments[index]
        }

        private mutating func truncate() {
            text = String(decoding: text.utf8.prefix(TextFormat.limit), as: UTF8.self)
            let limits = "\(TextFormat.limit) bytes or \(TextFormat.placeholderLimit) placeholders"
            addMismatch("the text has more than \(limits) and was cut")
        }

        private mutating func addMismatch(_ text: String) {
            if mismatches.count < TextFormat.mismatchLimit, !mismatches.contains(text) { mismatches.append(text) }
        }
    }

    // MARK: Plurals

    /// A part of a format.
    enum Part: Equatable {
        /// A text, with `%%` as it is written.
        case literal(String)
        /// A placeholder for an argument, with its position if it names one.
        case placeholder(Int?)
        /// `%#@name@`, which stands for a form of a plural, with the position of its number if it names one.
        case variable(String, Int?)
    }

    /// Splits a format into its parts.
    static func parts(of format: String) -> [Part] {
        var parts: [Part] = []
        var rest = Substring(format)
        while let percent = rest.firstIndex(of: "%") {
            parts.append(.literal(String(rest[..<percent])))
            rest = rest[percent...]
            if let found = rest.prefixMatch(of: #/%(?:(?<place>[0-9]+)\$)?#@(?<name>[^@]+)@/#) {
                parts.append(.variable(String(found.output.name), found.output.place.flatMap { Int($0) }))
                rest = rest[found.range.upperBound...]
            } else if let placeholder = Placeholder(rest.unicodeScalars) {
                let isPercent = placeholder.conversion == "%"
                parts.append(isPercent ? .literal("%%") : .placeholder(placeholder.position))
                rest = Substring(rest.unicodeScalars.dropFirst(placeholder.length))
            } else {
                parts.append(.literal("%"))
                rest = rest.dropFirst()
            }
        }
        return parts + [.literal(String(rest))]
    }

    /// The position of the first placeholder for a number; nil if a format has none.
    static func positionOfNumber(in format: String) -> Int? {
        var next = 1
        var rest = Substring(format).unicodeScalars
        while let percent = rest.firstIndex(of: "%") {
            rest = rest[percent...]
            guard let placeholder = Placeholder(rest) else {
                rest = rest.dropFirst()
                continue
            }
            rest = rest.dropFirst(placeholder.length)
            guard placeholder.conversion != "%" else { continue }
            if "dDiuUxXoOfFeEgGaA".unicodeScalars.contains(placeholder.conversion) {
                return placeholder.position ?? next
            }
            if placeholder.position == nil { next += 1 }
        }
        return nil
    }

    /// A placeholder in a format, with the syntax of printf(3).
    private struct Placeholder {
        private static let longest = 64

        let position: Int?
        let conversion: Unicode.Scalar
        /// The placeholder as it is written.
        let text: String
        let length: Int

        /// Parses the placeholder at the beginning of a text, which must be a percent sign.
        init?(_ format: Substring.UnicodeScalarView) {
            // Real placeholders are shorter, and counting must not run through the rest of the text.
            let format = format.prefix(Self.longest)
            var rest = format.dropFirst()
            func digits() -> Int? {
                let digits = rest.prefix { ("0"..."9").contains($0) }
                rest = rest.dropFirst(digits.count)
                return Int(String(digits))
            }
            let beginning = rest
            if let number = digits(), number > 0, rest.first == "$" {
                position = number
                rest = rest.dropFirst()
            } else {
                position = nil
                rest = beginning
            }
            rest = rest.drop { "-+ #0'".unicodeScalars.contains($0) }
            _ = digits()
            if rest.first == "." {
                rest = rest.dropFirst()
                _ = digits()
            }
            rest = rest.drop { "hlqLztj".unicodeScalars.contains($0) }
            guard let last = rest.first, "@%dDiuUxXoOfFeEgGaAcCsSp".unicodeScalars.contains(last) else { return nil }
            conversion = last
            length = format.count - rest.count + 1
            text = String(String.UnicodeScalarView(format.prefix(length)))
            guard conversion != "%" || length == 2 else { return nil }
        }
    }
}
