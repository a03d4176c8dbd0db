internal import Foundation

/// A value of a property list, with the types that the file has.
///
/// Foundation's own values do not do: on Linux `NSNumber(1) as? Bool` succeeds, and its
/// reader of the binary form follows shared containers without end.
enum PropertyListValue: Equatable, Sendable {
    case string(String)
    case integer(Int64)
    /// An integer past those of 64 bits with a sign.
    case unsigned(UInt64)
    case real(Double)
    case bool(Bool)
    /// Seconds since 1970.
    case date(Double)
    case data([UInt8])
    /// What NSKeyedArchiver refers with.
    case uid(UInt64)
    case array([PropertyListValue])
    case dictionary([Member])

    /// A member of a dictionary; the order is the file's.
    struct Member: Equatable, Sendable {
        let key: String
        let value: PropertyListValue

        init(_ key: String, _ value: PropertyListValue) {
            self.key = key
            self.value = value
        }
    }

    /// How deep containers nest at most, as everywhere in the host.
    static let depth = 512

    /// The member of that key, where the value is a dictionary that has it.
    subscript(key: String) -> PropertyListValue? {
        guard case .dictionary(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    /// Whether it is what NSKeyedArchiver writes.
    var isArchive: Bool { self["$archiver"] != nil }

    /// The name of the type, for messages to people.
    var typeName: String {
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

/// Why bytes are no property list that can be read.
struct PropertyListProblem: Error, Equatable {
    /// A sentence's end, for people: what is wrong.
    let text: String

    init(_ text: String) { self.text = text }
}
