package import Foundation
package import JSON

extension JSON {
    /// The value as Foundation's property lists have it on a phone: numbers are `NSNumber`, so that a cast to `Int` or
    /// to `Double` succeeds whenever the value fits.
    package var foundationValue: Any {
        switch self {
        case .null: NSNull()
        case .bool(let value): NSNumber(value: value)
        case .integer(let value): NSNumber(value: value)
        case .real(let value): NSNumber(value: value)
        case .string(let value): value
        case .array(let values): values.map(\.foundationValue)
        case .object(let members):
            switch StoredType(members) {
            case .date(let date): date
            case .data(let data): data
            case nil: members.foundationDictionary
            }
        }
    }

    /// The JSON of a property list, whose ``foundationValue`` it is again; nil if a part of it is of a type that a property
    /// list cannot have.
    package init?(foundation value: Any) {
        switch value {
        case let value as JSON: self = value
        case let value as String: self = .string(value)
        case let value as Date: self = StoredType.date(value).json
        case let value as Data: self = StoredType.data(value).json
        case let value as URL: self = .string(value.absoluteString)
        case is NSNull: self = .null
        case let value as NSNumber: self = Self.number(value)
        case let value as [Any]:
            let elements = value.compactMap { JSON(foundation: $0) }
            guard elements.count == value.count else { return nil }
            self = JSON(elements)
        case let value as [AnyHashable: Any]:
            var members: [(String, JSON)] = []
            for (key, value) in value {
                guard let key = key.base as? String, let value = JSON(foundation: value) else { return nil }
                members.append((key, value))
            }
            // Sorted, as a dictionary has another order in each process.
            self = .object(JSON.Object(members.sorted { $0.0 < $1.0 }))
        case let value as NSArray: self.init(foundation: value.map { $0 })
        case let value as NSDictionary:
            let pairs = value.compactMap { key, value in (key as? AnyHashable).map { ($0, value) } }
            self.init(foundation: Dictionary(pairs) { $1 })
        case let value as any BinaryInteger: self = .integer(Int64(clamping: value))
        case let value as any BinaryFloatingPoint: self = .real(Double(value))
        default: return nil
        }
    }

    private static func number(_ value: NSNumber) -> JSON {
        switch String(cString: value.objCType) {
        case "c", "B": .bool(value.boolValue)
        case "d", "f": .real(value.doubleValue)
        default: .integer(value.int64Value)
        }
    }
}

extension JSON.Object {
    /// The members as a dictionary of Foundation's values.
    package var foundationDictionary: [String: Any] {
        Dictionary(map { ($0.name, $0.value.foundationValue) }) { $1 }
    }
}

/// The types of a property list that JSON lacks, as PhoneKit stores them in a suite.
package enum StoredType {
    case date(Date)
    case data(Data)

    private static let dateName = "$date"
    private static let dataName = "$data"

    /// The value if the object stands for one.
    init?(_ object: JSON.Object) {
        guard object.count == 1 else { return nil }
        if let seconds = object[Self.dateName]?.number {
            self = .date(Date(timeIntervalSinceReferenceDate: seconds))
        } else if let data = object[Self.dataName]?.string.flatMap({ Data(base64Encoded: $0) }) {
            self = .data(data)
        } else {
            return nil
        }
    }

    /// The object that stands for the value.
    package var json: JSON {
        switch self {
        case .date(let date): [Self.dateName: .real(date.timeIntervalSinceReferenceDate)]
        case .data(let data): [Self.dataName: .string(data.base64EncodedString())]
        }
    }
}

/// Times as the contract writes them.
package enum Timestamp {
    /// The time that an RFC 3339 text names.
    package static func parse(_ text: String) -> Date? {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        if let date = formatter.date(from: text) { return date }
        formatter.formatOptions = [.withInternetDateTime]
        return formatter.date(from: text)
    }
}
