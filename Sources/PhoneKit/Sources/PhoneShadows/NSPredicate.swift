public import Foundation

/// A condition as Foundation's class of that name, whose format strings Foundation on Linux does not read.
///
/// A format is one comparison or several that `AND`, `OR` and `NOT` connect. The left side is `SELF` or a key of a
/// dictionary; the operators are `MATCHES`, `BEGINSWITH`, `ENDSWITH`, `CONTAINS`, `LIKE`, `IN` and `==`, `!=`, `<`,
/// `<=`, `>`, `>=`, with `[c]` and `[d]`; the right side is `%@`, `%d`, a text in quotes or a number.
open class NSPredicate: NSObject, @unchecked Sendable {
    private let condition: (Any?) -> Bool
    /// The format, as the author wrote it.
    public let predicateFormat: String

    /// A condition in Apple's format; a format that cannot be read ends the process, as on a phone.
    public convenience init(format predicateFormat: String, _ args: Any?...) {
        self.init(format: predicateFormat, argumentArray: args.map { $0 ?? NSNull() })
    }

    /// A condition in Apple's format, with the arguments as a list.
    public init(format predicateFormat: String, argumentArray arguments: [Any]?) {
        self.predicateFormat = predicateFormat
        var parser = PredicateParser(predicateFormat, arguments ?? [])
        guard let condition = parser.parse() else {
            fatalError("Unable to parse the format string \"\(predicateFormat)\"")
        }
        self.condition = condition
    }

    /// A condition that is always or never true.
    public init(value: Bool) {
        predicateFormat = value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        condition = { _ in value }
    }

    /// A condition that the block decides.
    public init(block: @escaping @Sendable (Any?, [String: Any]?) -> Bool) {
        predicateFormat = "BLOCKPREDICATE"
        condition = { block($0, nil) }
    }

    /// Whether the condition is true for the object.
    open func evaluate(with object: Any?) -> Bool { condition(object) }

    /// Whether the condition is true for the object.
    open func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool { condition(object) }
}

/// Reads a format string.
private struct PredicateParser {
    private let tokens: [String]
    private var position = 0
    private var arguments: ArraySlice<Any>

    init(_ format: String, _ arguments: [Any]) {
        let pattern = #""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|==|!=|<>|<=|>=|=<|=>|&&|\|\||[=<>!()]|[^\s=<>!()&|]+"#
        let text = NSString(string: format)
        tokens =
            ((try? NSRegularExpression(pattern: pattern))?
            .matches(in: format, range: NSRange(location: 0, length: text.length)) ?? [])
            .map { text.substring(with: $0.range) }
        self.arguments = arguments[...]
    }

    mutating func parse() -> ((Any?) -> Bool)? {
        let result = disjunction()
        return position == tokens.count ? result : nil
    }

    private var next: String? { position < tokens.count ? tokens[position] : nil }

    private mutating func take(_ words: String...) -> Bool {
        guard let next, words.contains(next.uppercased()) else { return false }
        position += 1
        return true
    }

    private mutating func disjunction() -> ((Any?) -> Bool)? {
        guard var result = conjunction() else { return nil }
        while take("OR", "||") {
            guard let other = conjunction() else { return nil }
            let first = result
            result = { first($0) || other($0) }
        }
        return result
    }

    private mutating func conjunction() -> ((Any?) -> Bool)? {
        guard var result = negation() else { return nil }
        while take("AND", "&&") {
            guard let other = negation() else { return nil }
            let first = result
            result = { first($0) && other($0) }
        }
        return result
    }

    private mutating func negation() -> ((Any?) -> Bool)? {
        if take("NOT", "!") { return negation().map { inner in { !inner($0) } } }
        if take("(") {
            let inner = disjunction()
            return take(")") ? inner : nil
        }
        if take("TRUEPREDICATE") { return { _ in true } }
        if take("FALSEPREDICATE") { return { _ in false } }
        return comparison()
    }

    private mutating func comparison() -> ((Any?) -> Bool)? {
        guard let left = operand(), var name = next?.uppercased() else { return nil }
        position += 1
        // `MATCHES[c]` is one word, `==[c]` two.
        if let next, next.hasPrefix("[") {
            name += next.uppercased()
            position += 1
        }
        var options: String.CompareOptions = []
        if let bracket = name.firstIndex(of: "[") {
            if name[bracket...].contains("C") { options.insert(.caseInsensitive) }
            if name[bracket...].contains("D") { options.insert(.diacriticInsensitive) }
            name = String(name[..<bracket])
        }
        guard let right = operand(), let compare = Comparison(name, options) else { return nil }
        return { compare.isTrue(left($0), right($0)) }
    }

    private mutating func operand() -> ((Any?) -> Any?)? {
        guard let token = next else { return nil }
        position += 1
        switch token {
        case "%@", "%d", "%i", "%ld", "%f", "%u", "%lu":
            guard let argument = arguments.popFirst() else { return nil }
            return { _ in argument is NSNull ? nil : argument }
        case "%K":
            guard let key = arguments.popFirst() as? String else { return nil }
            return { Self.value($0, key) }
        case _ where token.first == "\"" || token.first == "'":
            let text = token.dropFirst().dropLast().replacingOccurrences(of: "\\\\", with: "\\")
            return { _ in text }
        case _ where Double(token) != nil: return { _ in Double(token) }
        case _ where ["TRUE", "YES"].contains(token.uppercased()): return { _ in true }
        case _ where ["FALSE", "NO"].contains(token.uppercased()): return { _ in false }
        case _ where ["NIL", "NULL"].contains(token.uppercased()): return { _ in nil }
        case _ where token.uppercased() == "SELF": return { $0 }
        default: return { Self.value($0, token.hasPrefix("SELF.") ? String(token.dropFirst(5)) : token) }
        }
    }

    private static func value(_ object: Any?, _ path: String) -> Any? {
        path.split(separator: ".").reduce(object) { value, key in
            if key == "length", let text = value as? String { return text.utf16.count }
            if key == "@count" || key == "count", let list = value as? [Any] { return list.count }
            return (value as? [String: Any])?[String(key)]
        }
    }
}

/// An operator of a format.
private struct Comparison {
    private let name: String
    private let options: String.CompareOptions

    init?(_ name: String, _ options: String.CompareOptions) {
        let known = [
            "MATCHES", "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "IN", "==", "=", "!=", "<>", "<", "<=", "=<",
        ]
        guard known.contains(name) || [">", ">=", "=>"].contains(name) else { return nil }
        (self.name, self.options) = (name, options)
    }

    func isTrue(_ left: Any?, _ right: Any?) -> Bool {
        switch name {
        case "==", "=": return isEqual(left, right)
        case "!=", "<>": return !isEqual(left, right)
        case "IN":
            if let list = right as? [Any] { return list.contains { isEqual(left, $0) } }
            return contains(right, left)
        case "CONTAINS":
            if let list = left as? [Any] { return list.contains { isEqual($0, right) } }
            return contains(left, right)
        case "<", "<=", "=<", ">", ">=", "=>": return isOrdered(left, right)
        default:
            guard let text = left as? String, let pattern = right as? String else { return false }
            switch name {
            case "BEGINSWITH": return text.range(of: pattern, options: options.union(.anchored)) != nil
            case "ENDSWITH": return text.range(of: pattern, options: options.union([.anchored, .backwards])) != nil
            case "LIKE":
                let escaped = NSRegularExpression.escapedPattern(for: pattern)
                return matches(
                    text,
                    escaped.replacingOccurrences(of: "\\*", with: ".*").replacingOccurrences(of: "\\?", with: ".")
                )
            default: return matches(text, pattern)
            }
        }
    }

    private func matches(_ text: String, _ pattern: String) -> Bool {
        let flags: NSRegularExpression.Options = options.contains(.caseInsensitive) ? [.caseInsensitive] : []
        guard let expression = try? NSRegularExpression(pattern: "^(?:\(pattern))$", options: flags) else {
            fatalError("Can't do regex matching: \"\(pattern)\" is no regular expression")
        }
        let whole = NSRange(location: 0, length: text.utf16.count)
        return expression.firstMatch(in: text, range: whole)?.range == whole
    }

    private func contains(_ text: Any?, _ part: Any?) -> Bool {
        guard let text = text as? String, let part = part as? String else { return false }
        return text.range(of: part, options: options) != nil
    }

    private func isEqual(_ left: Any?, _ right: Any?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        if let left = left as? String, let right = right as? String {
            return left.compare(right, options: options) == .orderedSame
        }
        if let left = left as? NSNumber, let right = right as? NSNumber { return left == right }
        return (left as? AnyHashable) == (right as? AnyHashable)
    }

    private func isOrdered(_ left: Any?, _ right: Any?) -> Bool {
        let order: ComparisonResult
        switch (left, right) {
        case (let left as NSNumber, let right as NSNumber): order = left.compare(right)
        case (let left as String, let right as String): order = left.compare(right, options: options)
        case (let left as Date, let right as Date): order = left.compare(right)
        default: return false
        }
        switch name {
        case "<": return order == .orderedAscending
        case ">": return order == .orderedDescending
        case ">=", "=>": return order != .orderedAscending
        default: return order != .orderedDescending
        }
    }
}
