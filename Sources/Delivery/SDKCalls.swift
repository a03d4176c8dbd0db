internal import BrazeRules
package import JSON
internal import Platform
package import Suites

/// Converts records to calls of the Braze SDK.
package enum SDKCalls {
    /// The calls for a record: one call, or one for each element of `add` and `remove`.
    ///
    /// `fallbackUser` is the user of a record that names none.
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
            return attribute(value).map { call, arguments in
                [("call", .string(call)), ("key", .string(record.name))] + arguments
            }
        }
    }

    private static func attribute(_ value: JSON) -> [(call: String, arguments: [(String, JSON)])] {
        switch AttributeChange(value) {
        case .removal: return [("unsetCustomAttribute", [])]
        case .increment(let amount): return [("incrementCustomUserAttribute", [("by", amount)])]
        case .elements:
            return each("addToCustomAttributeArray", value["add"])
                + each("removeFromCustomAttributeArray", value["remove"])
        case .merge(let members): return [("setCustomAttribute", [("value", members), ("merge", true)])]
        case .objects: return [("setCustomAttribute", [("value", value)])]
        case nil:
            let isArrayOfTexts = value.array?.allSatisfy { $0.string != nil } ?? false
            return [(isArrayOfTexts ? "setCustomAttributeArray" : "setCustomAttribute", [("value", value)])]
        }
    }

    private static func each(_ call: String, _ elements: JSON?) -> [(String, [(String, JSON)])] {
        elements?.array.map { $0.map { (call, [("value", $0)]) } } ?? []
    }
}
