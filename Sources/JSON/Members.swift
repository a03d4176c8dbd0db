internal import CJansson

/// The values of an object's members by the indices of their names in a list, or the elements of an array.
///
/// They are found in one pass, and nothing is copied until a value is read. The container is kept alive.
public struct Members: @unchecked Sendable {
    // Never changed after `init`, as Jansson's trees; nil for an object without members.
    private let storage: MemberStorage?

    /// The number of members of the container, whether or not their names are in the list.
    public var count: Int { storage?.fields.count ?? 0 }
    /// The number of members whose names are in the list.
    public var knownCount: Int { storage?.fields.knownCount ?? 0 }
    /// Whether the container is an array.
    public var isArray: Bool { storage?.fields.isArray ?? false }

    /// Finds the members of an object.
    ///
    /// - Parameters:
    ///   - container: An object or an array, whose reference is taken over; nil for an object without members.
    ///   - names: The names; for an array, only their number counts.
    init(taking container: UnsafeMutablePointer<json_t>?, _ names: Names) {
        storage = container.map { MemberStorage.make($0, names) }
    }

    /// Finds the members of an object or the elements of an array; a value of another type has none.
    ///
    /// - Parameters:
    ///   - value: The value; nil for an object without members.
    ///   - names: The names; for an array, only their number counts.
    public init(of value: JSON?, _ names: Names) {
        let node =
            switch value {
            case .object(let object): object.node
            case .array(let array): array.node
            default: nil as Node?
            }
        self.init(taking: node.map { json_incref($0.pointer) }, names)
    }

    /// The members of a member that is an object, or the elements of one that is an array.
    ///
    /// - Parameters:
    ///   - index: The index of the member; one of another type has no members.
    ///   - names: The names; for an array, only their number counts.
    /// - Returns: The members, which keep their container alive.
    public func members(at index: Int, _ names: Names) -> Members {
        Members(taking: type(at: index) == .container ? json_incref(pointer(index)) : nil, names)
    }

    // MARK: Values

    private func pointer(_ index: Int) -> UnsafeMutablePointer<json_t>? { storage?[index] }

    /// Whether there is a value.
    public func isPresent(at index: Int) -> Bool { pointer(index) != nil }

    /// The value, or nil if it is absent.
    public subscript(index: Int) -> JSON? { pointer(index).map { JSON(sharing: $0) } }

    /// The bytes of a text, which are valid while this object is; nil if it is no text.
    public func text(at index: Int) -> UnsafeRawBufferPointer? {
        guard let value = pointer(index), cjansson_typeof(value) == JSON_STRING else { return nil }
        return UnsafeRawBufferPointer(start: json_string_value(value), count: json_string_length(value))
    }

    /// Whether the value is that text, byte for byte.
    public func isText(_ text: StaticString, at index: Int) -> Bool {
        self.text(at: index)?.isEqual(to: text) ?? false
    }

    /// A type of values, as far as JSON-RPC distinguishes them.
    public enum ValueType {
        case null, boolean, number, string, container
    }

    /// The type of the value; nil if it is absent.
    public func type(at index: Int) -> ValueType? {
        guard let value = pointer(index) else { return nil }
        return switch cjansson_typeof(value) {
        case JSON_OBJECT, JSON_ARRAY: .container
        case JSON_STRING: .string
        case JSON_INTEGER, JSON_REAL: .number
        case JSON_TRUE, JSON_FALSE: .boolean
        default: .null
        }
    }

    /// Appends the value as compact JSON text, or nothing if it is absent.
    public func write(at index: Int, to output: inout [UInt8]) {
        if let value = pointer(index) { output.append(tree: value) }
    }

    /// The names of the object's members that are not in a list, in the order written.
    public func unknownNames(_ names: Names) -> [String] {
        guard let container = storage?.fields.container, !isArray, knownCount < count else { return [] }
        return JSON.Object(node: Node(sharing: container)).map(\.name).filter { names.index(of: $0) == nil }
    }
}

/// The container and the values, in one block of memory.
private final class MemberStorage: ManagedBuffer<MemberStorage.Header, UnsafeMutablePointer<json_t>?> {
    struct Header {
        let container: UnsafeMutablePointer<json_t>
        let size: Int
        var count = 0
        var knownCount = 0
        var isArray = false
    }

    static func make(_ container: UnsafeMutablePointer<json_t>, _ names: Names) -> MemberStorage {
        let size = names.list.count
        let buffer = MemberStorage.create(minimumCapacity: size) { _ in Header(container: container, size: size) }
        let storage = unsafeDowncast(buffer, to: MemberStorage.self)
        storage.withUnsafeMutablePointers { header, values in
            header.pointee.isArray = cjansson_typeof(container) == JSON_ARRAY
            if header.pointee.isArray {
                header.pointee.count = json_array_size(container)
                header.pointee.knownCount = min(header.pointee.count, size)
                for index in 0..<size { values[index] = json_array_get(container, index) }
            } else {
                header.pointee.count = json_object_size(container)
                header.pointee.knownCount = cjansson_find(container, names.list.baseAddress, size, values)
            }
        }
        return storage
    }

    /// The header; read through a pointer, because nothing changes it and the property would be checked for that.
    var fields: Header { withUnsafeMutablePointerToHeader { $0.pointee } }

    subscript(index: Int) -> UnsafeMutablePointer<json_t>? {
        withUnsafeMutablePointers { header, values in
            precondition(index < header.pointee.size, "the list has no name \(index)")
            return values[index]
        }
    }

    deinit { json_decref(fields.container) }
}

extension JSON {
    /// A parsed value: the members of an object, or any other value.
    public enum Parsed {
        case object(Members)
        case other(JSON)
    }

    /// Parses one JSON value as ``init(parsing:)`` does, and finds the members of an object.
    public static func parse(
        _ bytes: UnsafeRawBufferPointer,
        _ names: Names
    ) throws(JSONParseError) -> Parsed {
        let tree = try parseTree(bytes)
        if cjansson_typeof(tree) == JSON_OBJECT { return .object(Members(taking: tree, names)) }
        defer { json_decref(tree) }
        return .other(JSON(sharing: tree))
    }
}
