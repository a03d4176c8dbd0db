internal import CJansson

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
    /// A number written with a fraction or an exponent. One that is not finite is written as `null`: see ``NonFinite``.
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

extension JSON {
    /// An ordered list of values, stored by Jansson.
    public struct Array: Sendable {
        let node: Node

        init(node: Node) { self.node = node }

        /// A list of the values, in order.
        public init(_ values: some Sequence<JSON>) {
            guard let array = json_array() else { preconditionFailure("out of memory") }
            for value in values {
                json_array_append_new(array, value.makeReference())
            }
            node = Node(taking: array)
        }
    }

    /// Members by name, stored by Jansson in the order in which they were written.
    public struct Object: Sendable {
        let node: Node

        init(node: Node) { self.node = node }

        /// An object of the members, in order; the last value of a repeated name wins.
        ///
        /// - Parameter members: The members. A name must not contain U+0000.
        public init(_ members: some Sequence<(String, JSON)>) {
            guard let object = json_object() else { preconditionFailure("out of memory") }
            for (name, value) in members {
                let reference = value.makeReference()
                let result = withText(name) { json_object_setn_new_nocheck(object, $0, $1, reference) }
                precondition(result == 0, "Jansson rejected the member \(name)")
            }
            node = Node(taking: object)
        }
    }
}

extension JSON.Array: RandomAccessCollection {
    /// The index of the first element.
    public var startIndex: Int { 0 }

    /// The number of elements.
    public var endIndex: Int { json_array_size(node.pointer) }

    /// The element at an index, which must exist.
    public subscript(index: Int) -> JSON {
        guard let element = json_array_get(node.pointer, index) else {
            preconditionFailure("index \(index) is out of bounds")
        }
        return JSON(sharing: element)
    }
}

extension JSON.Array {
    /// A list of integers, in order.
    public init(integers: [Int64]) {
        guard let array = json_array() else { preconditionFailure("out of memory") }
        for integer in integers { json_array_append_new(array, json_integer(integer)) }
        self.init(node: Node(taking: array))
    }

    /// The elements, if all of them are integers.
    public var integers: [Int64]? {
        var integers: [Int64] = []
        integers.reserveCapacity(json_array_size(node.pointer))
        for index in 0..<json_array_size(node.pointer) {
            guard let element = json_array_get(node.pointer, index), cjansson_typeof(element) == JSON_INTEGER else {
                return nil
            }
            integers.append(json_integer_value(element))
        }
        return integers
    }
}

extension JSON.Object: ExpressibleByDictionaryLiteral {
    /// An object of the members, in the order written; the last value of a repeated name wins.
    public init(dictionaryLiteral members: (String, JSON)...) { self.init(members) }
}

extension JSON.Object: Sequence {
    /// The number of members.
    public var count: Int { json_object_size(node.pointer) }

    /// Whether it has no members.
    public var isEmpty: Bool { json_object_size(node.pointer) == 0 }

    /// The value of the member with that name.
    public subscript(name: String) -> JSON? {
        let value = withText(name) { json_object_getn(node.pointer, $0, $1) }
        return value.map { JSON(sharing: $0) }
    }

    /// The members in the order in which they were written.
    public func makeIterator() -> Iterator { Iterator(object: self) }

    /// Iterates over the members in the order in which they were written.
    public struct Iterator: IteratorProtocol {
        let object: JSON.Object
        var position: UnsafeMutableRawPointer?

        init(object: JSON.Object) {
            self.object = object
            position = json_object_iter(object.node.pointer)
        }

        /// The next member.
        public mutating func next() -> (name: String, value: JSON)? {
            guard let position, let value = json_object_iter_value(position) else { return nil }
            self.position = json_object_iter_next(object.node.pointer, position)
            return (String(decoding: bytesOfName(position), as: UTF8.self), JSON(sharing: value))
        }
    }

    /// This object with the member set: replaced in its place, or added at the end.
    public func setting(_ name: String, to value: JSON) -> JSON.Object {
        var found = false
        var members = map { member in
            // JSON compares names by bytes, String by canonical equivalence.
            guard member.name.utf8.elementsEqual(name.utf8) else { return (member.name, member.value) }
            found = true
            return (name, value)
        }
        if !found { members.append((name, value)) }
        return JSON.Object(members)
    }
}

// MARK: Members that may be absent

/// The members of an object in order, of which some may be absent: a value of nil leaves the member out, `.null` is kept.
///
/// A literal is a list, and `+` joins lists: `shared + ["own": text.map(JSON.string)]`.
package struct MemberList: ExpressibleByDictionaryLiteral, Sequence {
    private var all: [(String, JSON?)]

    package init(dictionaryLiteral members: (String, JSON?)...) { all = members }

    /// A list of members that are all present.
    package init(_ members: some Sequence<(String, JSON)>) { all = members.map { ($0.0, $0.1) } }

    /// The members of both lists, in order.
    package static func + (left: MemberList, right: MemberList) -> MemberList {
        var joined = left
        joined.all += right.all
        return joined
    }

    /// The members that are present.
    package func makeIterator() -> some IteratorProtocol<(String, JSON)> {
        all.lazy.compactMap { name, value in value.map { (name, $0) } }.makeIterator()
    }
}

extension JSON {
    /// An object of the members that are present; the last value of a repeated name wins.
    package init(present members: MemberList) { self = .object(Object(members)) }

    /// An array of the values, or nil if there are none, so that the member is left out.
    package init?(nonEmpty values: some Collection<JSON>) {
        guard !values.isEmpty else { return nil }
        self.init(values)
    }

    /// An array of the integers, or nil if there are none, so that the member is left out.
    package init?(nonEmpty integers: [Int64]) {
        guard !integers.isEmpty else { return nil }
        self = .array(Array(integers: integers))
    }

    /// A text, or nil if it is empty, so that the member is left out.
    package init?(nonEmpty text: String) {
        guard !text.isEmpty else { return nil }
        self = .string(text)
    }

    /// An integer, or nil if it is not positive, so that the member is left out.
    package init?(positive count: some BinaryInteger) {
        guard count > 0 else { return nil }
        self = .integer(Int64(count))
    }

    /// The members of an object, to be joined with others; none if the value is not an object.
    package var members: MemberList { object.map { MemberList($0.lazy.map { ($0.name, $0.value) }) } ?? [:] }
}
