/// A value of a property list, with the type that the file gives it.
///
/// Foundation's own values lose types: on Linux `NSNumber(1) as? Bool` succeeds, and its dictionaries treat two keys
/// as equal if they differ only in their Unicode normalisation.
public enum PropertyListValue: Equatable, Sendable {
    /// A text.
    case string(String)
    /// A signed 64-bit integer.
    case integer(Int64)
    /// An integer from 2^63 to 2^64-1.
    case unsigned(UInt64)
    /// A floating-point number, which may be infinite or not a number.
    case real(Double)
    /// A boolean.
    case bool(Bool)
    /// Seconds since 1970.
    case date(Double)
    /// Bytes.
    case data([UInt8])
    /// The number of an object in the archive of an NSKeyedArchiver.
    case uid(UInt64)
    /// Values in order.
    case array([PropertyListValue])
    /// Values by key, in the order of the file.
    case dictionary([Member])

    /// A member of a dictionary.
    public struct Member: Equatable, Sendable {
        /// The key; two keys are the same only if their UTF-8 bytes are.
        public let key: String
        /// The value.
        public let value: PropertyListValue

        /// A member.
        public init(_ key: String, _ value: PropertyListValue) {
            self.key = key
            self.value = value
        }

        /// Whether the keys have the same bytes, and the values are equal.
        public static func == (left: Member, right: Member) -> Bool {
            left.key.utf8.elementsEqual(right.key.utf8) && left.value == right.value
        }
    }

    /// The value of a dictionary's key; nil if the value is not a dictionary or lacks the key.
    public subscript(key: String) -> PropertyListValue? {
        guard case .dictionary(let members) = self else { return nil }
        return members.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
    }

    /// The text, if the value is a string.
    public var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The number, if the value is an integer or a real.
    public var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .real(let value): value
        default: nil
        }
    }

    /// The elements, if the value is an array.
    public var elements: [PropertyListValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    /// The texts of a string or of an array of strings; nil if the value is neither.
    public var texts: [String]? {
        if let text { return [text] }
        guard let elements else { return nil }
        let texts = elements.compactMap(\.text)
        return texts.count == elements.count ? texts : nil
    }

    /// The keys, if the value is a dictionary.
    public var keys: [String]? {
        guard case .dictionary(let members) = self else { return nil }
        return members.map(\.key)
    }

    /// Whether it is an archive of an NSKeyedArchiver.
    public var isArchive: Bool { self["$archiver"] != nil }

    /// The name of the type, for human-readable messages.
    public var typeName: String {
        switch self {
        case .string: "a string"
        case .integer, .unsigned: "an integer"
        case .real: "a real"
        case .bool: "a boolean"
        case .date: "a date"
        case .data: "data"
        case .uid: "a UID"
        case .array: "an array"
        case .dictionary: "a dictionary"
        }
    }
}

/// Builds a value from the parts of a file in order, and enforces the limits.
///
/// It stores the incomplete containers, so that reading can pause anywhere and continue later.
struct PropertyListAssembly {
    private struct Container {
        let isDictionary: Bool
        var elements: [PropertyListValue] = []
        var members: [PropertyListValue.Member] = []
        var places = KeyPlaces()
        /// The key whose value is next.
        var key: String?
    }

    private let limits: PropertyListLimits
    private let valueLimit: Int
    private let readsUIDs: Bool
    private var values = 0
    private var bytes = 0
    private var containers: [Container] = []
    /// The value, if it is complete.
    private(set) var root: PropertyListValue?

    /// An empty assembly for a file of so many bytes, in which a dictionary may represent a UID if it is XML.
    init(limits: PropertyListLimits, size: Int, readsUIDs: Bool = false) {
        self.limits = limits
        self.readsUIDs = readsUIDs
        valueLimit = limits.values(ofSize: size)
    }

    /// The number of incomplete containers.
    var depth: Int { containers.count }

    /// Whether a key must come next: the innermost container is a dictionary whose last key has its value.
    var needsKey: Bool { containers.last.map { $0.isDictionary && $0.key == nil } ?? false }

    /// The key whose value is next; nil if there is none.
    var key: String? { containers.last?.key }

    // MARK: Limits

    /// Counts the bytes of a text or of data.
    mutating func count(bytes count: Int) throws(PropertyListError) {
        bytes += count
        guard bytes <= limits.bytes else {
            throw PropertyListError("its texts and data have more than \(limits.bytes) bytes")
        }
    }

    private mutating func countValue() throws(PropertyListError) {
        values += 1
        guard values <= valueLimit else {
            throw PropertyListError("it expands to more values than a file of its size may have: \(valueLimit)")
        }
    }

    // MARK: Values

    /// Begins an array or a dictionary.
    mutating func open(isDictionary: Bool) throws(PropertyListError) {
        try countValue()
        guard containers.count < limits.depth else {
            throw PropertyListError("arrays and dictionaries are nested more than \(limits.depth) deep")
        }
        containers.append(Container(isDictionary: isDictionary))
    }

    /// Ends the innermost container.
    mutating func close() {
        guard let container = containers.popLast() else { return }
        guard container.isDictionary else { return place(.array(container.elements)) }
        let uid = readsUIDs ? Self.uid(container.members) : nil
        place(uid ?? .dictionary(container.members))
    }

    /// Adds the key of the next value.
    mutating func add(key: String) { containers[containers.count - 1].key = key }

    /// Adds a value that is not a container.
    mutating func add(_ value: PropertyListValue) throws(PropertyListError) {
        try countValue()
        place(value)
    }

    private mutating func place(_ value: PropertyListValue) {
        let last = containers.count - 1
        guard last >= 0 else { return root = value }
        guard containers[last].isDictionary else { return containers[last].elements.append(value) }
        guard let key = containers[last].key else { return }
        containers[last].key = nil
        let member = PropertyListValue.Member(key, value)
        // The last value of a repeated key wins, as in Apple's XML reader.
        if let known = containers[last].places.insert(key, into: containers[last].members) {
            containers[last].members[known] = member
        } else {
            containers[last].members.append(member)
        }
    }

    /// The UID that a dictionary represents: in XML, `plutil` writes a UID as `CF$UID`.
    private static func uid(_ members: [PropertyListValue.Member]) -> PropertyListValue? {
        guard members.count == 1, members[0].key.utf8.elementsEqual("CF$UID".utf8) else { return nil }
        switch members[0].value {
        case .integer(let value) where value >= 0: return .uid(UInt64(value))
        case .unsigned(let value): return .uid(value)
        default: return nil
        }
    }
}

/// The positions of a dictionary's keys.
///
/// Keys are compared by their bytes, because `String` treats keys that differ only in Unicode normalisation as equal.
/// The table is divided into many small dictionaries: growing one large dictionary would take longer than a job may run
/// before other calls are served.
private struct KeyPlaces {
    private struct Key: Hashable {
        let text: String

        static func == (left: Key, right: Key) -> Bool {
            left.text == right.text && left.text.utf8.elementsEqual(right.text.utf8)
        }

        func hash(into hasher: inout Hasher) {
            var text = text
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }

    /// Fewer keys than this are searched without a table, which is equally fast.
    private static let few = 16
    private static let partCount = 64

    private var parts: [[Key: Int]] = []

    /// Finds a key among the members of a dictionary, or adds it for the position after the last member.
    ///
    /// - Returns: The position of the key; nil if it is new.
    mutating func insert(_ text: String, into members: [PropertyListValue.Member]) -> Int? {
        let key = Key(text: text)
        guard members.count >= Self.few else { return members.firstIndex { Key(text: $0.key) == key } }
        if parts.isEmpty {
            parts = Array(repeating: [:], count: Self.partCount)
            for (place, member) in members.enumerated() { _ = insert(Key(text: member.key), at: place) }
        }
        return insert(key, at: members.count)
    }

    private mutating func insert(_ key: Key, at place: Int) -> Int? {
        // The dictionary itself uses the lower bits of the hash.
        let part = Int(UInt(bitPattern: key.hashValue) >> 32) % Self.partCount
        if let known = parts[part][key] { return known }
        parts[part][key] = place
        return nil
    }
}
