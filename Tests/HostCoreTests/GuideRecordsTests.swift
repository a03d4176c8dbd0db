import Foundation
import JSON
import Suites
import Testing

@testable import Records

/// The lists of Braze's guide as JSON.
@Suite struct GuideRecordsTests {
    private func values(_ element: JSON, _ kind: RecordKind) throws -> [String] {
        try GuideRecords.records(element, kind, time: 0).map { "\($0.name) \($0.value?.description ?? "-")" }
    }

    @Test("Elements become records, with dates in the form that Braze reads in their place")
    func records() throws {
        // A day after the start of 2001, from which Apple counts.
        let date: JSON = ["$date": 86_400]
        let (text, wrapped) = (#""2001-01-02T00:00:00.000Z""#, #"{"$time":"2001-01-02T00:00:00.000Z"}"#)
        #expect(try values(["event_name": "A"], .customEvent) == ["A -"])
        #expect(try values(["at": date, "event_name": "A"], .customEvent) == [#"A {"at":\#(text)}"#])
        #expect(
            try values(["a": date, "b": .null, "c": [1.0, [date]]], .customAttribute) == [
                "a \(text)", "b null", "c [1.0,[\(text)]]",
            ]
        )
        #expect(try values(["a": ["b": date]], .customAttribute) == [#"a {"b":\#(wrapped)}"#])
        #expect(
            try values(["dateOfBirth": date, "email": .null], .userAttribute) == [#"dob "2001-01-02""#, "email null"]
        )
        #expect(try values([:], .userAttribute) == [])
    }

    @Test("An encoded user attribute is read in each form of the guide, and one without a value is no record")
    func encoded() throws {
        func values(_ list: Any) throws -> [String] {
            let data = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
            return try self.values(["$data": .string(data.base64EncodedString())], .userAttribute)
        }
        #expect(try values(["phone_number": "+15551234567"]) == [#"phone "+15551234567""#])
        #expect(try values(["email": ["_0": "ada@example.com"]]) == [#"email "ada@example.com""#])
        #expect(try values(["email": "$null"]) == [])
        #expect(throws: PropertyListContentError.self) { try values(["a"]) }
    }

    @Test("A record is the same if it differs as another language writes JSON, and in nothing else")
    func identity() {
        let record: JSON = [
            "event_name": "A", "n": 1.0, "big": 9_007_199_254_740_993, "o": ["a": [.null, true], "b": ""],
        ]
        let same: JSON = [
            "o": ["b": "", "a": [.null, true]], "big": 9_007_199_254_740_992, "n": 1, "event_name": "A",
        ]
        let others: [JSON] = [
            ["event_name": "A", "n": 1.5, "big": 9_007_199_254_740_993, "o": ["a": [.null, true], "b": ""]],
            ["event_name": "A", "n": 1.0, "big": 9_007_199_254_740_993, "o": ["a": [.null, 1], "b": ""]],
            ["event_name": "A", "n": 1.0, "big": 9_007_199_254_740_993, "o": ["a": [true, .null], "b": ""]],
            ["event_name": "A", "n": 1.0, "big": 9_007_199_254_740_993, "o": ["b": [.null, true], "a": ""]],
            ["event_name": "A", "n": 1.0, "big": 9_007_199_254_740_993],
        ]
        func listed(_ flat: JSON) -> ListedRecord { ListedRecord(flat, .customEvent) }
        #expect(listed(record) == listed(same))
        #expect(listed(record).name == "A")
        for other in others { #expect(listed(record) != listed(other), "\(other)") }
        #expect(listed(["event_name": "\u{E9}"]) != listed(["event_name": "e\u{301}"]))
    }
}
