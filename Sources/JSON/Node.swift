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

    /// Adds a reference to a value that another tree owns.
    ///
    /// - Parameters:
    ///   - pointer: The value.
    ///   - text: The JSON text of the value, if it should be cached.
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
        case JSON_STRING: self = .string(String(json: pointer))
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

extension String {
    /// The text of a Jansson string, U+0000 included.
    fileprivate init(json pointer: UnsafeMutablePointer<json_t>) {
        self = withJSONText(pointer) { String(decoding: $0, as: UTF8.self) }
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

/// Calls the closure with the UTF-8 bytes of a Jansson string.
func withJSONText<Result>(
    _ pointer: UnsafeMutablePointer<json_t>,
    _ body: (UnsafeRawBufferPointer) -> Result
) -> Result {
    body(UnsafeRawBufferPointer(start: json_string_value(pointer), count: json_string_length(pointer)))
}
