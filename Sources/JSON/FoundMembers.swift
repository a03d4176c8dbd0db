internal import CJansson

/// The values of an object's members by the indices of their names in a list, as ``Members``, but without a block of memory
/// of their own.
///
/// - Important: Must not be used after the call of the closure that received it.
public struct FoundMembers {
    private let form: Form

    private enum Form {
        case tree(UnsafeMutableBufferPointer<UnsafeMutablePointer<json_t>?>)
        /// The text of the object, and the places of the values in it.
        case text(UnsafeRawBufferPointer, UnsafeMutableBufferPointer<Range<Int>>)
    }

    /// The text of the object if it was kept as a text and is plain, and has no members besides those of the list.
    public let text: UnsafeRawBufferPointer?

    fileprivate init(_ values: UnsafeMutableBufferPointer<UnsafeMutablePointer<json_t>?>) {
        (form, text) = (.tree(values), nil)
    }

    fileprivate init(
        _ text: UnsafeRawBufferPointer,
        _ places: UnsafeMutableBufferPointer<Range<Int>>,
        unknown: Int
    ) {
        form = .text(text, places)
        self.text = unknown == 0 ? text : nil
    }

    /// The value, or nil if it is absent.
    public subscript(index: Int) -> JSON? {
        switch form {
        case .tree(let values): values[index].map { JSON(sharing: $0) }
        case .text:
            if let text = bytes(at: index) {
                .string(String(decoding: text, as: UTF8.self))
            } else {
                source(index).flatMap { try? JSON(parsing: $0) }
            }
        }
    }

    /// The bytes of a value in the text; nil if it is absent, or if the object is no text.
    private func source(_ index: Int) -> UnsafeRawBufferPointer? {
        guard let place = place(at: index), case .text(let text, _) = form else { return nil }
        return UnsafeRawBufferPointer(rebasing: text[place])
    }

    /// The place of a value in ``text``; nil if it is absent, or if the object is no text.
    public func place(at index: Int) -> Range<Int>? {
        guard case .text(_, let places) = form, !places[index].isEmpty else { return nil }
        return places[index]
    }

    /// The value as JSON text; nil if it is absent.
    public func json(at index: Int) -> String? {
        if let source = source(index) { return String(decoding: source, as: UTF8.self) }
        return self[index]?.description
    }

    /// Whether the value is an object.
    public func isObject(at index: Int) -> Bool {
        switch form {
        case .tree(let values): values[index].map { cjansson_typeof($0) == JSON_OBJECT } ?? false
        case .text: source(index)?.first == UInt8(ascii: "{")
        }
    }

    /// The integer; nil if the value is absent or of another type.
    public func integer(at index: Int) -> Int64? {
        switch form {
        case .tree(let values):
            guard let value = values[index], cjansson_typeof(value) == JSON_INTEGER else { return nil }
            return json_integer_value(value)
        case .text:
            guard let source = source(index) else { return nil }
            return Int64(String(decoding: source, as: UTF8.self))
        }
    }

    /// Whether the value is that text, byte for byte.
    public func isText(_ text: StaticString, at index: Int) -> Bool {
        bytes(at: index)?.isEqual(to: text) ?? (self[index]?.string == "\(text)")
    }

    /// The text.
    ///
    /// - Parameters:
    ///   - index: The index of the name.
    ///   - previous: A text that is likely the same; it is returned if it is, and then nothing is copied.
    /// - Returns: The text; nil if the value is absent or of another type.
    public func text(at index: Int, likely previous: String?) -> String? {
        guard let bytes = bytes(at: index) else { return self[index]?.string }
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
        guard case .tree(let values) = form else {
            guard isObject(at: index), let source = source(index) else { return nil }
            if let text = previous?.node.text, text.withUnsafeBytes(source.isEqual) { return previous }
            return (try? JSON.parseTree(source)).map { tree in
                defer { json_decref(tree) }
                return JSON.Object(node: Node(sharing: tree, text: Array(source)))
            }
        }
        guard let value = values[index], cjansson_typeof(value) == JSON_OBJECT else { return nil }
        if let previous, hasSameMembers(previous.node.pointer, value) { return previous }
        return JSON.Object(node: Node(sharing: value))
    }

    /// The bytes of a text that needs no decoding.
    private func bytes(at index: Int) -> UnsafeRawBufferPointer? {
        switch form {
        case .tree(let values): return bytesOfText(values[index])
        case .text:
            guard let source = source(index), source.first == UInt8(ascii: "\""), !source.contains(UInt8(ascii: "\\"))
            else { return nil }
            return UnsafeRawBufferPointer(rebasing: source.dropFirst().dropLast())
        }
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
        func visit(_ element: UnsafeMutablePointer<json_t>?, at index: Int) throws(Failure) {
            guard let element, cjansson_typeof(element) == JSON_OBJECT else { return try body(index, nil) }
            _ = cjansson_find(element, names.list.baseAddress, values.count, values.baseAddress)
            try body(index, FoundMembers(values))
        }
        guard let texts else {
            for index in 0..<json_array_size(node.pointer) { try visit(json_array_get(node.pointer, index), at: index) }
            return
        }
        let places = UnsafeMutableBufferPointer<Range<Int>>.allocate(capacity: names.list.count)
        defer { places.deallocate() }
        places.initialize(repeating: 0..<0)
        for index in 0..<texts.count {
            let text = texts[index]
            if let unknown = PlainText.find(names, in: text, places) {
                try body(index, FoundMembers(text, places, unknown: unknown))
            } else {
                let tree = try? JSON.parseTree(text)
                defer { json_decref(tree) }
                try visit(tree, at: index)
            }
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
        guard bytesOfName(member).isEqual(to: bytesOfName(otherMember)),
            json_equal(json_object_iter_value(member), json_object_iter_value(otherMember)) == 1
        else { return false }
        (position, other) = (json_object_iter_next(left, member), json_object_iter_next(right, otherMember))
    }
    return true
}
