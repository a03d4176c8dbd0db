import Foundation
import JSON
import TestSupport
import Testing

/// Braze's recipe for pending lists, as calls of a client: read the list, append to it, store it.
@Suite(.waits, .wire) struct GuideListTests {
    private static let events: JSON = "pending_custom_events"

    private static func store(_ list: JSON, _ files: PlistFiles, key: JSON = events) throws {
        #expect(
            try files.host.result("store", ["suite": PlistFiles.suite, "key": key, "value": list]) == ["stored": true]
        )
    }

    private static func read(_ files: PlistFiles, key: JSON = events) throws -> [JSON] {
        let value = try files.host.result("retrieve", ["suite": PlistFiles.suite, "key": key])["value"]
        return value?.array.map { Array($0) } ?? []
    }

    private static func refusal(_ list: JSON, _ files: PlistFiles, key: JSON = events) throws -> String {
        try files.refusal("store", ["key": key, "value": list])
    }

    @Test("What is appended to a list is saved as records, of each kind and with all types")
    func recipe() throws {
        try PlistFiles.with { files in
            let seconds = 86_400.0 - 978_307_200
            let email = try PlistFiles.email("ada@example.com").base64EncodedString()
            let lists: [(key: JSON, elements: [JSON])] = [
                (
                    "pending_custom_events",
                    [["event_name": "A"], ["event_name": "B", "at": ["$date": .real(seconds)]]]
                ),
                (
                    "pending_custom_attributes",
                    [["k": .null], ["l": [1, 1.0, true], "o": ["at": ["$date": .real(seconds)]]]]
                ), ("pending_user_attributes", [["phone_number": "+15551234567"], ["$data": .string(email)]]),
            ]
            for (key, elements) in lists {
                for element in elements {
                    try Self.store(JSON(try Self.read(files, key: key) + [element]), files, key: key)
                }
                // What was read is not saved again.
                try Self.store(JSON(try Self.read(files, key: key)), files, key: key)
            }
            let day: JSON = "1970-01-02T00:00:00.000Z"
            #expect(
                try files.pending() == [
                    ["kind": "customEvent", "name": "A"],
                    ["kind": "customEvent", "name": "B", "properties": ["at": day]],
                    ["kind": "customAttribute", "key": "k", "value": .null],
                    ["kind": "customAttribute", "key": "l", "value": [1, 1.0, true]],
                    ["kind": "customAttribute", "key": "o", "value": ["at": ["$time": day]]],
                    ["kind": "userAttribute", "field": "phone", "value": "+15551234567"],
                    ["kind": "userAttribute", "field": "email", "value": "ada@example.com"],
                ]
            )
        }
    }

    @Test("A list that drops or changes a record is refused with the record's name and the methods to call")
    func changed() throws {
        try PlistFiles.with { files in
            try Self.store([["event_name": "A", "n": 1.0], ["event_name": "B"]], files)
            // JavaScript has no other numbers.
            let read: JSON = [["event_name": "A", "n": 1], ["event_name": "B"]]
            try Self.store(read, files)
            let lists: [(JSON, String)] = [
                ([], #"/params/value pending_custom_events is not stored: the list must begin"#),
                ([["event_name": "A", "n": 1]], "/params/value pending"),
                ([["event_name": "A", "n": 2], ["event_name": "B"]], "/params/value/0 pending"),
                ([["event_name": "A", "n": 1], ["event_name": "C"]], "/params/value/1 pending"),
                ([["event_name": "B"], ["event_name": "A", "n": 1]], "/params/value/0 pending"),
            ]
            for hasRead in [false, true] {
                if hasRead { _ = try Self.read(files) }
                for (list, place) in lists {
                    let text = try Self.refusal(list, files)
                    #expect(text.hasPrefix("207 reservedKey \(place)"), "\(text)")
                    #expect(text.hasSuffix("or call saveCustomEvent to save a record and removeObject to delete all"))
                }
            }
            #expect(try Self.refusal([["event_name": "A", "n": 1]], files).contains(#"record 2, "B", is missing"#))
            #expect(try files.pending().count == 2)
            try files.host.result("removeObject", ["suite": PlistFiles.suite, "key": Self.events])
            try Self.store([["event_name": "C"]], files)
            #expect(try files.pending().map { $0["name"] } == ["C"])
        }
    }

    @Test("What is delivered or saved between reading and storing is neither sent twice nor lost")
    func meanwhile() throws {
        try PlistFiles.with { files in
            try Self.store([["event_name": "A"]], files)
            var list = try Self.read(files)
            let lease = try files.host.result("flushPending", ["suite": PlistFiles.suite, "lease": 60])["lease"]
            try files.host.result("acknowledge", ["suite": PlistFiles.suite, "lease": lease ?? .null])
            try files.host.result("saveCustomEvent", ["suite": PlistFiles.suite, "name": "Other"])
            list.append(["event_name": "B"])
            try Self.store(JSON(list), files)
            #expect(try files.pending().map { $0["name"] } == ["Other", "B"])
        }
    }

    @Test("The example of the contract is what the host answers")
    func example() throws {
        let block = try #require(try Page("protocol/reference/storage.md").blocks("jsonl").first)
        let lines = try block.split(separator: "\n").map { try JSON(parsing: String($0)) }
        try #require(lines.count == 6)
        try PlistFiles.with { files in
            for pair in stride(from: 0, to: lines.count, by: 2) {
                let reply = try files.host.call(lines[pair]["method"]?.string ?? "", lines[pair]["params"] ?? [:])
                #expect(reply["result"] == lines[pair + 1]["result"])
            }
        }
    }

    @Test("The same holds for a list so long that it is returned in slices")
    func long() throws {
        try PlistFiles.with { files in
            let events = (0..<6_000).map { JSON.object(["event_name": "Opened", "number": JSON($0)]) }
            try Self.store(JSON(events), files)
            let list = try Self.read(files)
            #expect(list.count == 6_000)
            #expect(try Self.refusal(JSON(list.dropLast()), files).contains("record 6000, "))
            let flush: JSON = ["suite": PlistFiles.suite, "limit": 10, "lease": 60]
            let lease = try files.host.result("flushPending", flush)["lease"] ?? .null
            try files.host.result("acknowledge", ["suite": PlistFiles.suite, "lease": lease])
            try Self.store(JSON(list + [["event_name": "Closed"]]), files)
            let total = try files.host.result("pending", ["suite": PlistFiles.suite, "limit": 1])["total"]
            #expect(total == 5_991)
        }
    }

    @Test("A record that breaks a rule refuses the whole list, and the path leads to its mistake")
    func rules() throws {
        try PlistFiles.with(["--suite-records", "2"]) { files in
            let good: JSON = ["event_name": "A"]
            let refused: [(JSON, JSON, String)] = [
                (Self.events, [good, ["name": "B"]], "/params/value/1 "),
                (Self.events, [good, ["event_name": 1]], "/params/value/1 "),
                (Self.events, [good, 1], "/params/value/1 "),
                (Self.events, [good, ["event_name": "B", "time": 1]], "/params/value/1/time "),
                (Self.events, [good, ["event_name": "B", "a": ["$data": "AQID"]]], "/params/value/1 "),
                ("pending_custom_attributes", [["k": 1], ["a/b": [[]]]], "/params/value/1/a~1b/0 "),
                ("pending_custom_attributes", [good], "/params/value/0/event_name "),
                ("pending_user_attributes", [["email": "ada@example.com"], ["email": "x"]], "/params/value/1 "),
            ]
            for (key, list, path) in refused {
                let text = try Self.refusal(list, files, key: key)
                #expect(
                    text.hasPrefix("210 invalidRecord \(path)\(key.string ?? "") is not stored: element "),
                    "\(text)"
                )
            }
            #expect(try Self.refusal([good, good, good], files).hasPrefix("204 suiteFull"))
            #expect(try Self.refusal(good, files).hasPrefix("-32602 mistypedParam /params/value"))
            #expect(try files.pending() == [])
        }
    }
}
