import Foundation
import JSON

/// The constraints of a schema, keyword by keyword.
///
/// It is a class because a schema may refer to itself, and does not change after it has been parsed.
final class SchemaRule: @unchecked Sendable {
    /// Its location, as a JSON Pointer.
    let location: String
    /// The constraints; empty for `true` and `{}`.
    var keywords: [SchemaKeyword] = []

    init(location: String) { self.location = location }
}

/// One constraint of a schema; keywords that only have a meaning together form one constraint.
enum SchemaKeyword {
    /// `false`: no value is valid.
    case nothing
    case type(SchemaTypes)
    case oneValue(of: [JSON], keyword: String)

    case length(ClosedRange<Int>)
    case pattern(SchemaPattern)
    case format(SchemaFormat)

    case minimum(SchemaNumber, isExclusive: Bool)
    case maximum(SchemaNumber, isExclusive: Bool)
    case multipleOf(SchemaNumber)

    case count(ClosedRange<Int>)
    case items(first: [SchemaRule], rest: SchemaRule?)
    case contains(SchemaRule)
    case uniqueItems

    case memberCount(ClosedRange<Int>)
    case required([String])
    case members(SchemaMembers)
    case propertyNames(SchemaRule)
    case dependencies([(name: String, others: [String], rule: SchemaRule?)])

    case reference(SchemaRule)
    case allOf([SchemaRule])
    case anyOf([SchemaRule])
    case oneOf([SchemaRule])
    case not(SchemaRule)
    case condition(SchemaRule, then: SchemaRule?, otherwise: SchemaRule?)
}

/// `properties`, `patternProperties` and `additionalProperties`, which share an object's members.
struct SchemaMembers {
    var properties: [String: (name: String, rule: SchemaRule)] = [:]
    var patterns: [(pattern: SchemaPattern, rule: SchemaRule)] = []
    var additional: SchemaRule?
    /// Whether it has `properties`, and so declares the members of its objects.
    var isDeclaring = false

    /// The rule of a declared member; names are compared by bytes, unlike Strings.
    func rule(of name: String) -> SchemaRule? {
        guard let property = properties[name], property.name.utf8.elementsEqual(name.utf8) else { return nil }
        return property.rule
    }
}

/// The types that a value may have.
struct SchemaTypes: OptionSet {
    let rawValue: UInt8

    static let names = ["null", "boolean", "integer", "number", "string", "array", "object"]
    static let null = Self(named: "null")
    static let boolean = Self(named: "boolean")
    static let integer = Self(named: "integer")
    static let number = Self(named: "number")
    static let string = Self(named: "string")
    static let array = Self(named: "array")
    static let object = Self(named: "object")

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// One type; empty for an unknown name.
    init(named name: String) { rawValue = Self.names.firstIndex(of: name).map { 1 << UInt8($0) } ?? 0 }

    /// The types of a value: in JSON Schema `1.0` is an integer, and every integer is a number.
    init(of value: JSON) {
        switch value {
        case .null: self = .null
        case .bool: self = .boolean
        case .integer: self = [.integer, .number]
        case .real(let real): self = real == real.rounded() ? [.integer, .number] : .number
        case .string: self = .string
        case .array: self = .array
        case .object: self = .object
        }
    }

    /// The names, for a sentence.
    var words: String {
        Self.names.filter { contains(Self(named: $0)) }.joined(separator: " or ")
    }
}
