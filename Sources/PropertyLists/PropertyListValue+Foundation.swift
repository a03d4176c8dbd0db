internal import Foundation

extension PropertyListValue {
    /// The XML form is Foundation's to read: it bounds how deep things nest and expands no entities.
    init(xml bytes: [UInt8]) throws(PropertyListError) {
        do {
            self.init(try PropertyListSerialization.propertyList(from: Data(bytes), format: nil))
        } catch {
            // Its description says only that something is wrong; where, it says here.
            let reason = (error as NSError).userInfo["NSDebugDescription"] as? String ?? error.localizedDescription
            throw PropertyListError("its XML cannot be read: \(reason)")
        }
    }

    /// What Foundation read; members by key, as Foundation keeps no order.
    private init(_ value: Any) {
        switch value {
        case let value as String: self = .string(value)
        case let value as Date: self = .date(value.timeIntervalSince1970)
        case let value as Data: self = .data([UInt8](value))
        case let value as [Any]: self = .array(value.map { PropertyListValue($0) })
        case let value as [String: Any]:
            self = .dictionary(value.sorted { $0.key < $1.key }.map { Member($0.key, PropertyListValue($0.value)) })
        case let value as NSNumber: self.init(number: value)
        default: preconditionFailure("Foundation read a \(type(of: value)) from a property list")
        }
    }

    /// Casts take 0 and 1 for booleans; the number itself knows what it was made of.
    private init(number: NSNumber) {
        self =
            switch String(cString: number.objCType) {
            case "c", "B": .bool(number.boolValue)
            case "f", "d": .real(number.doubleValue)
            case "Q": Int64(exactly: number.uint64Value).map { .integer($0) } ?? .unsigned(number.uint64Value)
            default: .integer(number.int64Value)
            }
    }
}
