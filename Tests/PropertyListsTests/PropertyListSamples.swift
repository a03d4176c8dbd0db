import Foundation
import PropertyLists
import TestSupport

/// Values of Foundation, and their comparison with the values of this package.
enum PropertyListSamples {
    /// A value that contains every type.
    static var all: [String: Any] {
        [
            "integers": [0, 1, -1, 127, 128, 255, 256, 65_535, 65_536, 4_294_967_296, Int.max, Int.min],
            "unsigned": UInt64.max, "reals": [0.0, 1.0, -1.0, 0.1, 1e300, -Double.pi], "booleans": [true, false],
            "texts": ["", "a", "ä", "👩‍👩‍👧", "<&>\"'\t\n", String(repeating: "x", count: 300)],
            "empty": [[], [:]] as [Any],
            "data": [Data(), Data([0]), Data([0, 1]), Data([0, 1, 255]), Data(repeating: 7, count: 10_000)],
            "dates": [Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: -14_831_769_600)],
            "deep": [[["a": [["b": [1, [2]]] as [String: Any]]]]] as [Any],
        ]
    }

    /// The file that Foundation writes for a value.
    static func file(_ object: Any, _ format: PropertyListSerialization.PropertyListFormat) throws -> [UInt8] {
        [UInt8](try PropertyListSerialization.data(fromPropertyList: object, format: format, options: 0))
    }

    /// A random value that Foundation can write.
    static func random(depth: Int, using generator: inout SeededGenerator) -> Any {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &generator) {
        case 0: return Int.random(in: Int.min...Int.max, using: &generator) >> Int.random(in: 0..<64, using: &generator)
        case 1: return Bool.random(using: &generator)
        case 2: return Double(Int.random(in: -1_000_000...1_000_000, using: &generator)) / 128
        case 3: return text(using: &generator)
        case 4:
            let count = Int.random(in: 0..<20, using: &generator)
            return Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
        case 5: return Date(timeIntervalSince1970: Double(Int.random(in: -1 << 34...1 << 37, using: &generator)))
        case 6, 7:
            return (0..<Int.random(in: 0..<6, using: &generator)).map { _ in random(depth: depth - 1, using: &generator)
            }
        default:
            let count = Int.random(in: 0..<6, using: &generator)
            let members = (0..<count).map {
                ("\($0)" + text(using: &generator), random(depth: depth - 1, using: &generator))
            }
            return Dictionary(members) { $1 }
        }
    }

    private static func text(using generator: inout SeededGenerator) -> String {
        let parts = ["a", "é", "e\u{301}", "😀", "<", "&", "]]>", "\n", " ", "\"", "key"]
        return (0..<Int.random(in: 0..<6, using: &generator)).compactMap { _ in parts.randomElement(using: &generator) }
            .joined()
    }

    /// Whether a value is the same as a value of Foundation.
    static func isSame(_ value: PropertyListValue, _ object: Any) -> Bool {
        switch (value, object) {
        case (.string(let text), let other as String): return text.utf8.elementsEqual(other.utf8)
        case (.data(let bytes), let other as Data): return bytes == [UInt8](other)
        case (.date(let seconds), let other as Date): return abs(seconds - other.timeIntervalSince1970) < 0.001
        case (.array(let values), let others as [Any]):
            return values.count == others.count && zip(values, others).allSatisfy { isSame($0, $1) }
        case (.dictionary(let members), let others as [String: Any]):
            return members.count == others.count
                && members.allSatisfy { member in others[member.key].map { isSame(member.value, $0) } ?? false }
        case (_, let other as NSNumber):
            // A cast treats 0 and 1 as booleans, but the number has its original type.
            let type = String(cString: other.objCType)
            switch value {
            case .bool(let bool): return ["c", "B"].contains(type) && other.boolValue == bool
            case .real(let real): return ["f", "d"].contains(type) && other.doubleValue == real
            case .integer(let integer): return !["c", "B", "f", "d"].contains(type) && other.int64Value == integer
            case .unsigned(let integer): return other.uint64Value == integer
            default: return false
            }
        default: return false
        }
    }
}
