internal import JSON
internal import Suites

/// Records as calls of Braze's SDK, under the names that it has there.
enum SDKCalls {
    /// The calls that a record stands for: one, but for `add` and `remove` one an element.
    static func calls(of record: Record, fallbackUser: JSON?) -> [JSON] {
        let user = (record.content.user ?? fallbackUser).map { [("user", $0)] } ?? []
        let doubt = record.timesUncertain > 0 ? [("possiblySent", JSON.integer(record.timesUncertain))] : []
        return parts(of: record.content).map { .object(JSON.Object($0 + user + doubt)) }
    }

    private static func parts(of record: NewRecord) -> [[(String, JSON)]] {
        let value = record.value ?? .null
        switch record.kind {
        case .customEvent:
            let properties = record.value.map { [("properties", $0)] } ?? []
            let time = ("time", JSON.string(Timestamp.format(record.time)))
            return [[("call", "logCustomEvent"), ("name", .string(record.name))] + properties + [time]]
        case .userAttribute:
            return [[("call", "setUserAttribute"), ("field", .string(record.name)), ("value", value)]]
        case .customAttribute:
            return attribute(value).map { name, member in
                [("call", .string(name)), ("key", .string(record.name))] + (member.map { [$0] } ?? [])
            }
        }
    }

    private static func attribute(_ value: JSON) -> [(String, (String, JSON)?)] {
        switch value {
        case .null: return [("unsetCustomAttribute", nil)]
        case .array(let array) where array.allSatisfy({ $0.string != nil }):
            return [("setCustomAttributeArray", ("value", value))]
        case .object(let object) where object.count == 1:
            if let by = object["inc"], by.integer != nil { return [("incrementCustomUserAttribute", ("by", by))] }
            if let add = object["add"]?.array { return add.map { ("addToCustomAttributeArray", ("value", $0)) } }
            if let remove = object["remove"]?.array {
                return remove.map { ("removeFromCustomAttributeArray", ("value", $0)) }
            }
        default: break
        }
        return [("setCustomAttribute", ("value", value))]
    }
}
