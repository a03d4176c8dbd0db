internal import JSON
internal import Platform
internal import PropertyLists

extension PropertyListValue {
    /// A value of a type that JSON lacks, such as a date or data, and its path.
    struct Foreign {
        let value: PropertyListValue
        /// The keys and indices that lead to the value, each after a slash.
        let path: String
        /// Whether the value is a member of a dictionary, not the root or an element of an array.
        let isMember: Bool
    }

    /// The value as JSON; `convert` returns the JSON for a value of a type that JSON lacks, or nil to leave it out.
    func json(
        path: String = "",
        isMember: Bool = false,
        _ convert: (Foreign) throws(PropertyListContentError) -> JSON?
    ) throws(PropertyListContentError) -> JSON? {
        switch self {
        case .string(let value): return .string(value)
        case .integer(let value): return .integer(value)
        case .real(let value) where value.isFinite: return .real(value)
        case .bool(let value): return .bool(value)
        case .unsigned, .real, .date, .data, .uid:
            return try convert(Foreign(value: self, path: path, isMember: isMember))
        case .array(let values):
            var elements: [JSON] = []
            for (index, value) in values.enumerated() {
                if let element = try value.json(path: "\(path)/\(index)", convert) { elements.append(element) }
            }
            return JSON(elements)
        case .dictionary(let members):
            var converted: [(String, JSON)] = []
            for member in members {
                guard !member.key.utf8.contains(0) else { throw PropertyListContentError("a key holds U+0000") }
                let path = "\(path)/\(member.key)"
                guard let value = try member.value.json(path: path, isMember: true, convert) else { continue }
                converted.append((member.key, value))
            }
            return .object(JSON.Object(converted))
        }
    }

    /// A date in the format of RFC 3339; nil if its year does not have four digits.
    static func text(ofDate seconds: Double) -> String? {
        guard (-62_167_219_200..<253_402_300_800).contains(seconds) else { return nil }
        return Timestamp.format(Int64((seconds * 1000).rounded(.down)))
    }

    /// Converts a JSON value; `reportNull` gets the path of each null, which property lists lack and which is left out.
    init?(_ json: JSON, path: String = "", reportNull: (String) -> Void) {
        switch json {
        case .null:
            reportNull(path)
            return nil
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .integer(value)
        case .real(let value): self = .real(value)
        case .string(let value): self = .string(value)
        case .array(let array):
            self = .array(
                array.enumerated().compactMap { PropertyListValue($1, path: "\(path)/\($0)", reportNull: reportNull) }
            )
        case .object(let object):
            self = .dictionary(
                object.compactMap { name, value in
                    PropertyListValue(value, path: "\(path)/\(name)", reportNull: reportNull).map { Member(name, $0) }
                }
            )
        }
    }

    /// Whether XML can hold every text in the value.
    var fitsXML: Bool {
        switch self {
        case .string(let text): XMLPropertyListWriter.canHold(text)
        case .array(let values): values.allSatisfy(\.fitsXML)
        case .dictionary(let members):
            members.allSatisfy { XMLPropertyListWriter.canHold($0.key) && $0.value.fitsXML }
        default: true
        }
    }
}
