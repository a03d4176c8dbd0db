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
        let more: MemberList = [
            "user": record.content.user ?? fallbackUser, "possiblySent": JSON(positive: record.possiblySent),
        ]
        return parts(of: record.content).map { JSON(present: $0 + more) }
    }

    private static func parts(of record: RecordContent) -> [MemberList] {
        let value = record.value ?? .null
        switch record.kind {
        case .customEvent:
            let event: MemberList = [
                "call": "logCustomEvent", "name": .string(record.name), "properties": record.value,
                "time": .string(Timestamp.format(record.time)),
            ]
            return [event]
        case .userAttribute:
            return [["call": "setUserAttribute", "field": .string(record.name), "value": value]]
        case .customAttribute:
            return attribute(value).map { call, arguments in
                ["call": .string(call), "key": .string(record.name)] + arguments
            }
        }
    }

    private static func attribute(_ value: JSON) -> [(call: String, arguments: MemberList)] {
        switch AttributeChange(value) {
        case .removal: return [("unsetCustomAttribute", [:])]
        case .increment(let amount): return [("incrementCustomUserAttribute", ["by": amount])]
        case .elements:
            return each("addToCustomAttributeArray", value["add"])
                + each("removeFromCustomAttributeArray", value["remove"])
        case .merge(let members): return [("setCustomAttribute", ["value": members, "merge": true])]
        case .objects: return [("setCustomAttribute", ["value": value])]
        case nil:
            let isArrayOfTexts = value.array?.allSatisfy { $0.string != nil } ?? false
            return [(isArrayOfTexts ? "setCustomAttributeArray" : "setCustomAttribute", ["value": value])]
        }
    }

    private static func each(_ call: String, _ elements: JSON?) -> [(String, MemberList)] {
        elements?.array.map { $0.map { (call, ["value": $0]) } } ?? []
    }
}
