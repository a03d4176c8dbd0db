package import JSON
internal import Platform
package import PropertyLists

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
    package static func text(ofDate seconds: Double) -> String? {
        guard (-62_167_219_200..<253_402_300_800).contains(seconds) else { return nil }
        // A date counts seconds in binary, so a whole millisecond may lie just below itself.
        let (exact, near) = (seconds * 1000, (seconds * 1000).rounded())
        let milliseconds = abs(exact - near) < 0.1 ? near : exact.rounded(.down)
        return Timestamp.format(Int64(min(milliseconds, 253_402_300_799_999)))
    }

    /// The value with dates in place of the texts that an import makes of them.
    ///
    /// Braze takes such a text for a date, but not in arrays; within an attribute's object only `$time` is a date.
    func restoringDates(isAttribute: Bool, isMember: Bool = false) -> PropertyListValue {
        switch self {
        case .string(let text):
            return isAttribute && isMember ? self : Self.seconds(ofText: text).map { .date($0) } ?? self
        case .dictionary(let members):
            if members.count == 1, members[0].key == "$time", let text = members[0].value.text,
                let seconds = Self.seconds(ofText: text)
            {
                return .date(seconds)
            }
            return .dictionary(
                members.map { Member($0.key, $0.value.restoringDates(isAttribute: isAttribute, isMember: true)) }
            )
        default: return self
        }
    }

    /// The date of a text, if ``text(ofDate:)`` makes it.
    private static func seconds(ofText text: String) -> Double? {
        guard let time = Timestamp.parse(text), Timestamp.format(time) == text else { return nil }
        return Double(time) / 1000
    }

    /// Converts a JSON value; `reportNull` gets the path of each null, which property lists lack and which is left out.
    package init?(_ json: JSON, path: String = "", reportNull: (String) -> Void) {
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
            self =
                PropertyListValue(marked: object)
                ?? .dictionary(
                    object.compactMap { name, value in
                        PropertyListValue(value, path: "\(path)/\(name)", reportNull: reportNull).map {
                            Member(name, $0)
                        }
                    }
                )
        }
    }

    /// The seconds from 1970 to 2001, from which Apple's property lists count dates.
    private static let reference = 978_307_200.0

    /// The date or the data for which an object stands, as ``markedJSON`` writes it; nil for any other object.
    init?(marked object: JSON.Object) {
        guard object.count == 1 else { return nil }
        if let seconds = object["$date"]?.number, Self.text(ofDate: seconds + Self.reference) != nil {
            self = .date(seconds + Self.reference)
        } else if let data = object["$data"]?.string.flatMap({ Data(base64Encoded: $0) }) {
            self = .data([UInt8](data))
        } else {
            return nil
        }
    }

    /// The object that stands for a date or for data in a stored value; nil for other values and for other years.
    var markedJSON: JSON? {
        switch self {
        case .date(let seconds):
            Self.text(ofDate: seconds) == nil ? nil : ["$date": .real(seconds - Self.reference)]
        case .data(let bytes): ["$data": .string(Data(bytes).base64EncodedString())]
        default: nil
        }
    }

    /// Whether XML can represent every text in the value.
    var fitsXML: Bool {
        switch self {
        case .string(let text): XMLPropertyListWriter.canWrite(text)
        case .array(let values): values.allSatisfy(\.fitsXML)
        case .dictionary(let members):
            members.allSatisfy { XMLPropertyListWriter.canWrite($0.key) && $0.value.fitsXML }
        default: true
        }
    }
}

/// Why a property list or a part of it cannot be imported.
package struct PropertyListContentError: Error, Equatable {
    /// The problem, as the end of a sentence.
    let text: String

    init(_ text: String) { self.text = text }

    init(_ error: PropertyListError) { text = error.message }
}

extension PropertyListValue {
    /// Reads a property list in XML or binary form.
    package init(
        reading bytes: [UInt8],
        limits: PropertyListLimits = PropertyListLimits()
    ) throws(PropertyListContentError) {
        do throws(PropertyListError) {
            try self.init(propertyList: bytes, limits: limits)
        } catch {
            throw PropertyListContentError(error)
        }
    }
}
