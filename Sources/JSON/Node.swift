internal import CJansson

/// Owns one reference to a Jansson tree.
///
/// Trees are never changed after they are built and Jansson counts references
/// atomically (its documentation, "Thread safety"), so a node may be shared
/// between threads.
final class Node: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<json_t>
    /// The cached JSON text of the tree, if it is cached.
    let text: [UInt8]?

    /// Takes over a reference that the caller owns.
    init(taking pointer: UnsafeMutablePointer<json_t>) {
        self.pointer = pointer
        text = nil
    }

    /// Adds a reference to a value that another tree owns; its JSON text is cached if it is given.
    init(sharing pointer: UnsafeMutablePointer<json_t>, text: [UInt8]? = nil) {
        self.pointer = json_incref(pointer)
        self.text = text
    }

    deinit { json_decref(pointer) }

    func equals(_ other: Node) -> Bool { json_equal(pointer, other.pointer) == 1 }
}

extension JSON {
    /// The value at a pointer into a tree; containers keep the tree alive.
    init(sharing pointer: UnsafeMutablePointer<json_t>) {
        switch cjansson_typeof(pointer) {
        case JSON_OBJECT: self = .object(Object(node: Node(sharing: pointer)))
        case JSON_ARRAY: self = .array(Array(node: Node(sharing: pointer)))
        case JSON_STRING:
            let text = UnsafeRawBufferPointer(start: json_string_value(pointer), count: json_string_length(pointer))
            self = .string(String(decoding: text, as: UTF8.self))
        case JSON_INTEGER: self = .integer(json_integer_value(pointer))
        case JSON_REAL: self = .real(json_real_value(pointer))
        case JSON_TRUE: self = .bool(true)
        case JSON_FALSE: self = .bool(false)
        default: self = NonFinite.value(of: pointer).map(JSON.real) ?? .null
        }
    }

    /// Creates a reference to the value, which Jansson's `…_new` functions take over.
    func makeReference() -> UnsafeMutablePointer<json_t> {
        let reference: UnsafeMutablePointer<json_t>? =
            switch self {
            case .null: json_null()
            case .bool(let value): value ? json_true() : json_false()
            case .integer(let value): json_integer(value)
            case .real(let value): value.isFinite ? json_real(value) : NonFinite.node(value)
            // Swift strings are always valid UTF-8, so Jansson need not check it.
            case .string(let value): withText(value) { json_stringn_nocheck($0, $1) }
            case .array(let value): json_incref(value.node.pointer)
            case .object(let value): json_incref(value.node.pointer)
            }
        guard let reference else { preconditionFailure("out of memory") }
        return reference
    }
}

/// Calls the closure with the UTF-8 bytes of a text as Jansson expects them: a pointer and a count.
func withText<Result>(_ text: String, _ body: (UnsafePointer<CChar>, Int) -> Result) -> Result {
    var text = text
    return text.withUTF8 { utf8 in
        guard let start = utf8.baseAddress else { return "".withCString { body($0, 0) } }
        return start.withMemoryRebound(to: CChar.self, capacity: utf8.count) { body($0, utf8.count) }
    }
}

/// The UTF-8 bytes of a Jansson string, which its tree owns; nil if the value is not a string.
func bytesOfText(_ value: UnsafeMutablePointer<json_t>?) -> UnsafeRawBufferPointer? {
    guard let value, cjansson_typeof(value) == JSON_STRING else { return nil }
    return UnsafeRawBufferPointer(start: json_string_value(value), count: json_string_length(value))
}

/// The bytes of the name at an iterator's position, which the tree owns.
func bytesOfName(_ position: UnsafeMutableRawPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: json_object_iter_key(position), count: json_object_iter_key_len(position))
}

extension JSON {
    /// Whether the nesting depth is at most the limit; a scalar has depth 0, `[]` has depth 1.
    public func nests(within limit: Int) -> Bool {
        switch self {
        case .array(let value): nestsWithin(limit, value.node.pointer)
        case .object(let value): nestsWithin(limit, value.node.pointer)
        default: limit >= 0
        }
    }
}

private func nestsWithin(_ limit: Int, _ tree: UnsafeMutablePointer<json_t>) -> Bool {
    switch cjansson_typeof(tree) {
    case JSON_OBJECT:
        guard limit > 0 else { return false }
        var position = json_object_iter(tree)
        while let member = position, let value = json_object_iter_value(member) {
            guard nestsWithin(limit - 1, value) else { return false }
            position = json_object_iter_next(tree, member)
        }
        return true
    case JSON_ARRAY:
        guard limit > 0 else { return false }
        for index in 0..<json_array_size(tree) {
            guard let element = json_array_get(tree, index), nestsWithin(limit - 1, element) else { return false }
        }
        return true
    default:
        return true
    }
}

/// A number that JSON lacks, within a value that a program built: `nan`, or an infinity.
///
/// Jansson refuses such numbers. A literal such as `["x": .real(value)]` cannot fail, so the tree keeps them until the value
/// is written as `null`, as JavaScript does. A program that writes numbers of others checks ``JSON/nonFinite`` before, or
/// makes them with the initializer that throws.
public struct NonFinite: Error, Sendable, CustomStringConvertible {
    /// The number.
    public let value: Double
    /// The names of members and the indices of elements that lead to the number.
    public let steps: [String]

    /// What is wrong, for people.
    public var description: String { "JSON has no \(value): pass a finite number" }

    fileprivate init(value: Double, steps: [String]) { (self.value, self.steps) = (value, steps) }

    private static let values: [Double] = [.nan, .infinity, -.infinity]

    /// What stands for the numbers in a tree.
    ///
    /// Jansson takes each for a further `null`: it looks at no more of it than the
    /// type, and never counts references to it, as the count is the greatest number.
    nonisolated(unsafe) private static let nodes = {
        let nodes = UnsafeMutablePointer<json_t>.allocate(capacity: values.count)
        nodes.initialize(repeating: json_t(type: JSON_NULL, refcount: .max), count: values.count)
        return nodes
    }()

    /// The value of a tree that stands for a number that is not finite.
    static func node(_ value: Double) -> UnsafeMutablePointer<json_t> {
        nodes + (values.firstIndex(of: value) ?? 0)
    }

    /// The number for which a `null` of a tree stands, if it does.
    static func value(of node: UnsafeMutablePointer<json_t>) -> Double? {
        values.indices.first { nodes + $0 == node }.map { values[$0] }
    }

    /// The first such number of a tree, which nests at most 2,048 deep, so recursion is safe.
    fileprivate init?(_ tree: UnsafeMutablePointer<json_t>) {
        switch cjansson_typeof(tree) {
        case JSON_NULL:
            guard let value = Self.value(of: tree) else { return nil }
            self.init(value: value, steps: [])
            return
        case JSON_OBJECT:
            var position = json_object_iter(tree)
            while let member = position, let value = json_object_iter_value(member) {
                if let found = NonFinite(value) {
                    let name = String(decoding: bytesOfName(member), as: UTF8.self)
                    self.init(value: found.value, steps: [name] + found.steps)
                    return
                }
                position = json_object_iter_next(tree, member)
            }
        case JSON_ARRAY:
            for index in 0..<json_array_size(tree) {
                guard let element = json_array_get(tree, index), let found = NonFinite(element) else { continue }
                self.init(value: found.value, steps: [String(index)] + found.steps)
                return
            }
        default: break
        }
        return nil
    }
}

extension JSON {
    /// A number; throws for `nan` and the infinities, which JSON lacks.
    public init(_ number: Double) throws(NonFinite) {
        guard number.isFinite else { throw NonFinite(value: number, steps: []) }
        self = .real(number)
    }

    /// The first number in the value that is not finite, and so is written as `null`; a value that was read has none.
    public var nonFinite: NonFinite? {
        switch self {
        case .real(let value): value.isFinite ? nil : NonFinite(value: value, steps: [])
        case .array(let value): NonFinite(value.node.pointer)
        case .object(let value): NonFinite(value.node.pointer)
        case .null, .bool, .integer, .string: nil
        }
    }
}

extension JSON {
    /// The version of the loaded Jansson library.
    public static var janssonVersion: String { String(cString: jansson_version_str()) }

    /// Lets Jansson take and give back the memory of all values with other functions than malloc and free.
    ///
    /// Blocks that were taken before are given back to the new function.
    ///
    /// - Parameters:
    ///   - allocate: Returns a block of at least that many bytes, or NULL.
    ///   - free: Takes a block back; does nothing for NULL.
    public static func useMemory(
        allocate: @escaping @convention(c) (Int) -> UnsafeMutableRawPointer?,
        free: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void
    ) {
        json_set_alloc_funcs(allocate, free)
    }
}
