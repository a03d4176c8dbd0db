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
