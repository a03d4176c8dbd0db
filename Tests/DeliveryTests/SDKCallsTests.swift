import JSON
import Testing

@testable import Delivery
@testable import Suites

@Suite struct SDKCallsTests {
    private func calls(_ value: JSON) -> [JSON] {
        let content = RecordContent(kind: .customAttribute, name: "k", value: value, time: 0, user: nil)
        let record = Record(id: 1, content: content, isLeased: false, possiblySent: 0, bytes: 0)
        return SDKCalls.calls(of: record, fallbackUser: nil)
    }

    @Test(
        "An attribute becomes the SDK's calls that set or change it",
        arguments: [
            (.null, [["call": "unsetCustomAttribute", "key": "k"]]),
            (["inc": 2], [["call": "incrementCustomUserAttribute", "key": "k", "by": 2]]),
            (
                ["remove": ["b"], "add": ["a", 1]],
                [
                    ["call": "addToCustomAttributeArray", "key": "k", "value": "a"],
                    ["call": "addToCustomAttributeArray", "key": "k", "value": 1],
                    ["call": "removeFromCustomAttributeArray", "key": "k", "value": "b"],
                ]
            ),
            (["$merge": ["a": 1]], [["call": "setCustomAttribute", "key": "k", "value": ["a": 1], "merge": true]]),
            (["a": 1], [["call": "setCustomAttribute", "key": "k", "value": ["a": 1]]]),
            (["$add": [["a": 1]]], [["call": "setCustomAttribute", "key": "k", "value": ["$add": [["a": 1]]]]]),
            (["a", "b"], [["call": "setCustomAttributeArray", "key": "k", "value": ["a", "b"]]]),
        ] as [(JSON, [JSON])]
    )
    func attributes(value: JSON, calls: [JSON]) { #expect(self.calls(value) == calls) }
}
