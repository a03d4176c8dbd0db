internal import Foundation

extension PropertyListValue {
    /// Reads a property list in XML or binary form.
    init(reading bytes: [UInt8]) throws(PropertyListProblem) {
        if bytes.starts(with: "bplist".utf8) {
            self = try BinaryPropertyListReader.read(bytes)
        } else if PropertyListValue.isXML(bytes) {
            self = try PropertyListValue(xml: bytes)
        } else {
            throw PropertyListProblem(bytes.isEmpty ? "it is empty" : "it is neither XML nor a binary property list")
        }
    }

    /// Foundation also takes texts of an older form, where data begins with `<` too.
    private static func isXML(_ bytes: [UInt8]) -> Bool {
        // Past byte order marks and the zero halves of UTF-16.
        let start = bytes.drop { ([0xEF, 0xBB, 0xBF, 0xFE, 0xFF, 0] + Array(" \t\r\n".utf8)).contains($0) }
        let head = start.prefix(16).filter { $0 != 0 }
        return ["<?xml", "<!", "<plist"].contains { head.starts(with: $0.utf8) }
    }

    /// The XML form is Foundation's to read: it bounds how deep things nest and expands no entities.
    private init(xml bytes: [UInt8]) throws(PropertyListProblem) {
        do {
            self.init(try PropertyListSerialization.propertyList(from: Data(bytes), format: nil))
        } catch {
            // Its description says only that something is wrong; where, it says here.
            let reason = (error as NSError).userInfo["NSDebugDescription"] as? String ?? error.localizedDescription
            throw PropertyListProblem("its XML cannot be read: \(reason)")
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
