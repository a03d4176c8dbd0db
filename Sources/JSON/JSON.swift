/// A JSON value: scalars are Swift values, containers are trees stored by Jansson.
///
/// Values are immutable, so a copy costs only a reference count, and a
/// subtree stays valid after the message that contained it was released.
/// Integers, reals and booleans are distinct types from parsing to
/// writing: `1`, `1.0` and `true` are all different.
public enum JSON: Sendable {
    /// The literal `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number written without fraction and exponent; 64 bits, as in Jansson.
    case integer(Int64)
    /// A number written with a fraction or an exponent. Only a finite one can be written: see ``nonFinite``.
    case real(Double)
    /// A text, which may contain U+0000.
    case string(String)
    /// An ordered list.
    case array(Array)
    /// Members with unique names, in the order in which they were written.
    case object(Object)
}

extension JSON {
    /// The text, or nil if the value is not a string.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The integer, or nil if the value is of another type; `1.0` is a real.
    public var integer: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// The boolean, or nil if the value is of another type.
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The integer or real as a double, or nil if the value is of another type.
    public var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .real(let value): value
        default: nil
        }
    }

    /// The list, or nil if the value is not an array.
    public var array: Array? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The members, or nil if the value is not an object.
    public var object: Object? {
        if case .object(let value) = self { value } else { nil }
    }

    /// Whether the value is the literal `null`.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The value of the member with that name, or nil if the value is not an object that has it.
    public subscript(name: String) -> JSON? { object?[name] }

    /// The element at that index, or nil if the value is not an array that has it.
    public subscript(index: Int) -> JSON? {
        guard let array, array.indices.contains(index) else { return nil }
        return array[index]
    }

    /// The name of the value's type in JSON Schema, for human-readable messages.
    public var typeName: String {
        switch self {
        case .null: "null"
        case .bool: "boolean"
        case .integer: "integer"
        case .real: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}

extension JSON: Equatable {
    /// Whether both are the same JSON value: same types, same elements in order,
    /// same members in any order.
    public static func == (left: JSON, right: JSON) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.real(let left), .real(let right)): left == right
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.array(let left), .array(let right)): left.node.equals(right.node)
        case (.object(let left), .object(let right)): left.node.equals(right.node)
        default: false
        }
    }
}

extension JSON: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByStringInterpolation,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// An integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }

    /// A real.
    public init(floatLiteral value: Double) { self = .real(value) }

    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }

    /// An array of the elements.
    public init(arrayLiteral elements: JSON...) { self = .array(Array(elements)) }

    /// An object of the members, in the order written.
    public init(dictionaryLiteral members: (String, JSON)...) { self = .object(Object(members)) }
}

extension JSON {
    /// An integer; every count and id of this program fits.
    public init(_ value: Int) { self = .integer(Int64(value)) }

    /// A string, or `null` for nil.
    public init(_ value: String?) { self = value.map(JSON.string) ?? .null }

    /// An array of the values, in order.
    public init(_ values: some Sequence<JSON>) { self = .array(Array(values)) }
}

extension JSON: CustomStringConvertible {
    /// The value as JSON text.
    public var description: String { String(decoding: bytes, as: UTF8.self) }
}
