internal import BrazeRules
package import JSON
internal import Platform
package import Suites

/// Converts records to calls of the Braze SDK.
package enum SDKCalls {
    /// The calls for a record: one call, or one for each element of `add` and `remove`.
    package static func calls(of record: Record, fallbackUser: JSON?) -> [JSON] {
        let user = (record.content.user ?? fallbackUser).map { [("user", $0)] } ?? []
        let possiblySent = record.timesUncertain > 0 ? [("possiblySent", JSON.integer(record.timesUncertain))] : []
        return parts(of: record.content).map { .object(JSON.Object($0 + user + possiblySent)) }
    }

    private static func parts(of record: RecordContent) -> [[(String, JSON)]] {
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
        switch AttributeChange(value) {
        case .removal: [("unsetCustomAttribute", nil)]
        case .increment(let amount): [("incrementCustomUserAttribute", ("by", amount))]
        case .add(let elements): each("addToCustomAttributeArray", elements)
        case .remove(let elements): each("removeFromCustomAttributeArray", elements)
        case .objects: [("setCustomAttribute", ("value", value))]
        case nil:
            if let array = value.array, array.allSatisfy({ $0.string != nil }) {
                [("setCustomAttributeArray", ("value", value))]
            } else {
                [("setCustomAttribute", ("value", value))]
            }
        }
    }

    private static func each(_ call: String, _ elements: JSON) -> [(String, (String, JSON)?)] {
        elements.array.map { $0.map { (call, ("value", $0)) } } ?? []
    }
}
