internal import CJansson

/// The values of an object's members by the indices of their names in a list, as ``Members``, but without a block of memory
/// of their own.
///
/// - Important: Must not be used after the call of the closure that received it.
public struct FoundMembers {
    fileprivate let values: UnsafeMutableBufferPointer<UnsafeMutablePointer<json_t>?>

    /// The value, or nil if it is absent.
    public subscript(index: Int) -> JSON? { values[index].map { JSON(sharing: $0) } }

    /// The integer; nil if the value is absent or of another type.
    public func integer(at index: Int) -> Int64? {
        guard let value = values[index], cjansson_typeof(value) == JSON_INTEGER else { return nil }
        return json_integer_value(value)
    }

    /// Whether the value is that text, byte for byte.
    public func isText(_ text: StaticString, at index: Int) -> Bool {
        bytes(at: index)?.isEqual(to: text) ?? false
    }

    /// The text.
    ///
    /// - Parameters:
    ///   - index: The index of the name.
    ///   - previous: A text that is likely the same; it is returned if it is, and then nothing is copied.
    /// - Returns: The text; nil if the value is absent or of another type.
    public func text(at index: Int, likely previous: String?) -> String? {
        guard let bytes = bytes(at: index) else { return nil }
        if let previous, previous.isEqual(to: bytes) { return previous }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The object.
    ///
    /// - Parameters:
    ///   - index: The index of the name.
    ///   - previous: An object that is likely the same; it is returned if it has the same members in the same order.
    /// - Returns: The object; nil if the value is absent or of another type.
    public func object(at index: Int, likely previous: JSON.Object? = nil) -> JSON.Object? {
        guard let value = values[index], cjansson_typeof(value) == JSON_OBJECT else { return nil }
        if let previous, hasSameMembers(previous.node.pointer, value) { return previous }
        return JSON.Object(node: Node(sharing: value))
    }

    private func bytes(at index: Int) -> UnsafeRawBufferPointer? {
        guard let value = values[index], cjansson_typeof(value) == JSON_STRING else { return nil }
        return withJSONText(value) { $0 }
    }
}

extension JSON.Array {
    /// Visits the elements in order, and finds the members of those that are objects.
    ///
    /// - Parameters:
    ///   - names: The names of the members.
    ///   - body: Called with the index of each element and its members; nil if it is no object.
    /// - Throws: The error of the closure, which ends the visit.
    public func visit<Failure>(
        _ names: Names,
        _ body: (Int, FoundMembers?) throws(Failure) -> Void
    ) throws(Failure) {
        let values = UnsafeMutableBufferPointer<UnsafeMutablePointer<json_t>?>.allocate(capacity: names.list.count)
        defer { values.deallocate() }
        values.initialize(repeating: nil)
        for index in 0..<json_array_size(node.pointer) {
            guard let element = json_array_get(node.pointer, index), cjansson_typeof(element) == JSON_OBJECT else {
                try body(index, nil)
                continue
            }
            _ = cjansson_find(element, names.list.baseAddress, values.count, values.baseAddress)
            try body(index, FoundMembers(values: values))
        }
    }
}

extension JSON.Object {
    /// Whether both are one object in memory, and thus the same without a comparison.
    public func isIdentical(to other: JSON.Object) -> Bool { node === other.node }
}

/// Whether two objects have the same members in the same order.
private func hasSameMembers(_ left: UnsafeMutablePointer<json_t>, _ right: UnsafeMutablePointer<json_t>) -> Bool {
    guard json_object_size(left) == json_object_size(right) else { return false }
    var (position, other) = (json_object_iter(left), json_object_iter(right))
    while let member = position, let otherMember = other {
        let isSame = withMemberName(member) { name in withMemberName(otherMember) { name.isEqual(to: $0) } }
        guard isSame, json_equal(json_object_iter_value(member), json_object_iter_value(otherMember)) == 1 else {
            return false
        }
        (position, other) = (json_object_iter_next(left, member), json_object_iter_next(right, otherMember))
    }
    return true
}
