import Foundation

/// A regular expression of a schema: ECMA 262 syntax, translated into an equivalent one for Foundation.
struct SchemaPattern: @unchecked Sendable, CustomStringConvertible {
    let description: String
    private let expression: NSRegularExpression

    /// Nil if the text is not a regular expression, or contains syntax that Foundation would interpret differently.
    init?(_ text: String) {
        guard let translated = Self.translate(text), let expression = try? NSRegularExpression(pattern: translated)
        else { return nil }
        (description, self.expression) = (text, expression)
    }

    /// Whether the expression matches somewhere in the text.
    func matches(_ text: String) -> Bool {
        expression.firstMatch(in: text, range: NSRange(location: 0, length: text.utf16.count)) != nil
    }

    /// Foundation's `$` also matches before a last line break, its `\d`, `\w` and `.` include more of Unicode,
    /// and `[` and `&` have a meaning within its sets.
    private static func translate(_ text: String) -> String? {
        var result = ""
        var isInSet = false
        var rest = Substring(text)
        while let character = rest.popFirst() {
            switch character {
            case "\\":
                guard let escaped = rest.popFirst(), let replaced = escape(escaped, isInSet: isInSet) else {
                    return nil
                }
                result += replaced
            case "[" where !isInSet:
                isInSet = true
                result += "["
                if rest.first == "^" { result.append(rest.removeFirst()) }
                // Foundation treats a leading bracket as a literal.
                if rest.first == "]" { return nil }
            case "]" where isInSet:
                isInSet = false
                result += "]"
            case "[", "&": result += isInSet ? "\\\(character)" : "\(character)"
            case "$" where !isInSet: result += #"\z"#
            case "." where !isInSet: result += #"[^\n\r\u2028\u2029]"#
            default: result.append(character)
            }
        }
        return isInSet ? nil : result
    }

    private static func escape(_ character: Character, isInSet: Bool) -> String? {
        let sets: [Character: String] = ["d": "0-9", "w": "A-Za-z0-9_", "s": #"\t\n\x0B\f\r\p{Z}\uFEFF"#]
        if let set = sets[character] { return isInSet ? set : "[\(set)]" }
        if let set = sets[Character(character.lowercased())] { return isInSet ? nil : "[^\(set)]" }
        // Foundation's own escapes, which ECMA treats as letters or rejects.
        return "AGQEXZzaeNRhH".contains(character) ? nil : "\\\(character)"
    }
}
