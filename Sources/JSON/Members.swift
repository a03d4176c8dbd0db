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

    /// Takes over a reference to an object or an array; nil is an object without members.
    fileprivate init(taking container: UnsafeMutablePointer<json_t>?, _ names: Names) {
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
        bytesOfText(pointer(index))
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

    /// Parses one JSON value as ``init(parsing:)`` does, and finds the members of an object; the objects of a list may be
    /// kept as texts.
    public static func parse(
        _ bytes: UnsafeRawBufferPointer,
        _ names: Names,
        keeping list: TextList? = nil
    ) throws(JSONParseError) -> Parsed {
        let tree = if let kept = list?.parse(bytes) { kept } else { try parseTree(bytes) }
        if cjansson_typeof(tree) == JSON_OBJECT { return .object(Members(taking: tree, names)) }
        defer { json_decref(tree) }
        return .other(JSON(sharing: tree))
    }
}

extension JSON.Object {
    /// A member during ``visit(_:)``; nothing is copied until its name or value is read.
    ///
    /// - Important: Must not be used after the call of the closure that received it.
    public struct Member {
        fileprivate let position: UnsafeMutableRawPointer

        /// Whether the member has that name, byte for byte.
        public func isNamed(_ name: StaticString) -> Bool { nameBytes.isEqual(to: name) }

        /// Whether the member's value is that text, byte for byte.
        public func isText(_ text: StaticString) -> Bool { textBytes?.isEqual(to: text) ?? false }

        /// The member's name.
        public var name: String { String(decoding: nameBytes, as: UTF8.self) }

        /// The bytes of the member's name, owned by the object.
        public var nameBytes: UnsafeRawBufferPointer { bytesOfName(position) }

        /// The bytes of the member's value, owned by the object; nil if it is not a string.
        public var textBytes: UnsafeRawBufferPointer? { bytesOfText(json_object_iter_value(position)) }

        /// The member's value.
        public var value: JSON {
            json_object_iter_value(position).map { JSON(sharing: $0) } ?? .null
        }
    }

    /// Visits the members once, in the order written; cheaper than looking up several
    /// names, since each lookup hashes the name.
    ///
    /// - Parameter body: Called once for each member.
    public func visit(_ body: (Member) -> Void) {
        var position = json_object_iter(node.pointer)
        while let member = position {
            body(Member(position: member))
            position = json_object_iter_next(node.pointer, member)
        }
    }
}

/// A fixed list of names, in which a name is found by its bytes.
///
/// Names on the wire are compared as bytes, whereas Swift's strings are equal if they are canonically equivalent.
public final class Names: @unchecked Sendable {
    // Neither is changed after `init`, so that threads may share the list.
    let list: UnsafeMutableBufferPointer<cjansson_name>
    /// The bytes of all names, one after the other.
    private let bytes: UnsafeMutableBufferPointer<CChar>

    /// A list of names.
    public convenience init(_ names: [String]) { self.init(nil, names) }

    /// The names of another list, and then more.
    private init(_ earlier: Names?, _ names: [String]) {
        let (oldCount, oldBytes) = (earlier?.list.count ?? 0, earlier?.bytes.count ?? 0)
        list = .allocate(capacity: oldCount + names.count)
        bytes = .allocate(capacity: names.reduce(oldBytes) { $0 + $1.utf8.count })
        var next = bytes.baseAddress
        for index in list.indices {
            let count: Int
            if let earlier, index < oldCount {
                count = earlier.list[index].count
                if let start = earlier.list[index].bytes { next?.initialize(from: start, count: count) }
            } else {
                count = names[index - oldCount].utf8.count
                names[index - oldCount].withCString { next?.initialize(from: $0, count: count) }
            }
            list.initializeElement(at: index, to: cjansson_name(bytes: next, count: count))
            next = next.map { $0 + count }
        }
    }

    deinit {
        bytes.deallocate()
        list.deallocate()
    }

    /// The list with another name at its end.
    @usableFromInline package func appending(_ name: String) -> Names { Names(self, [name]) }

    /// The index of a name; the cost grows with the length of the list.
    public func index(of name: UnsafeRawBufferPointer) -> Int? {
        let start = name.baseAddress?.assumingMemoryBound(to: CChar.self)
        let index = cjansson_index(list.baseAddress, list.count, start, name.count)
        return index < list.count ? index : nil
    }

    /// The index of a name; the cost grows with the length of the list.
    public func index(of name: String) -> Int? {
        name.utf8.withContiguousStorageIfAvailable { index(of: UnsafeRawBufferPointer($0)) } ?? nil
    }
}

extension UnsafeRawBufferPointer {
    /// Whether both have the same bytes.
    ///
    /// `elementsEqual` compares one by one, which takes up to 38 instructions for a byte.
    public func isEqual(to other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard let baseAddress, let otherAddress = other.baseAddress else { return true }
        return memcmp(baseAddress, otherAddress, count) == 0
    }

    /// Whether these are the bytes of a text.
    func isEqual(to text: StaticString) -> Bool {
        isEqual(to: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}

extension String {
    /// Whether the text has these bytes; `==` also equates texts that are canonically equivalent.
    public func isEqual(to bytes: UnsafeRawBufferPointer) -> Bool {
        var text = self
        return text.withUTF8 { UnsafeRawBufferPointer($0).isEqual(to: bytes) }
    }
}
