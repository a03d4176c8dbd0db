import Foundation
import JSON
import TestSupport
import Testing

/// A suite exported as the App Group's property list that the guide's app reads.
@Suite(.waits, .wire) struct PlistExportTests {
    private func save(_ method: String, _ params: [String: JSON], _ files: PlistFiles) throws {
        let members = params.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        try files.host.result(method, .object(JSON.Object([("suite", PlistFiles.suite)] + members)))
    }

    private func mode(_ path: String) throws -> Int {
        (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue ?? 0
    }

    @Test("An export has the guide's form, and an import restores it", arguments: ["xml", "binary"])
    func roundTrip(format: String) throws {
        try PlistFiles.with { files in
            let numbers: JSON = ["zero": 0, "one": 1, "real": 1.0, "yes": true, "no": false, "max": .integer(.max)]
            try save("saveCustomEvent", ["name": "A", "properties": numbers], files)
            try save("saveCustomEvent", ["name": "B\r\n<&>"], files)
            try save("saveCustomAttribute", ["key": "list", "value": ["a", 1, 1.5, true]], files)
            try save("saveCustomAttribute", ["key": "count", "value": ["inc": 1]], files)
            try save("saveUserAttribute", ["field": "email", "value": "ada@example.com"], files)
            try save("store", ["key": "settings", "value": numbers], files)
            let before = try files.pending()

            let reply = try files.exportSuite("out.plist", .string(format))
            #expect(reply["exported"] == ["customEvent": 2, "customAttribute": 2, "userAttribute": 1])
            #expect(reply["defaults"] == 1)
            #expect(reply["diagnostics"] == [])
            #expect(try mode(files.path("out.plist")) == 0o600)
            let size = try Data(contentsOf: URL(filePath: files.path("out.plist"))).count
            #expect(reply["bytes"]?.integer == Int64(size))
            #expect(try files.pending() == before)

            let object = try files.read("out.plist")
            let events = try #require(object["pending_custom_events"] as? [[String: Any]])
            #expect(events.map { $0["event_name"] as? String } == ["A", "B\r\n<&>"])
            let fields = try #require(object["pending_user_attributes"] as? [Data])
            let decoded = fields.map { try? PropertyListDecoder().decode([String: String].self, from: $0) }
            #expect(decoded.first == ["email": "ada@example.com"])

            try files.host.result("resetStorageKeys", ["suite": PlistFiles.suite])
            try files.host.result("removeObject", ["suite": PlistFiles.suite, "key": "settings"])
            _ = try files.importSuite("out.plist")
            // Foundation does not keep the order of members, so JSON values would not compare equal.
            #expect(try files.pending() == before)
            let stored = try files.host.result("retrieve", ["suite": PlistFiles.suite, "key": "settings"])
            #expect(stored["value"] == numbers)
        }
    }

    @Test("Dates are dates again where Braze takes the texts for dates", arguments: ["xml", "binary"])
    func dates(format: String) throws {
        try PlistFiles.with { files in
            let (day, text) = (Date(timeIntervalSince1970: 86_400), "1970-01-02T00:00:00.000Z")
            // XML has whole seconds only.
            let exact = Date(timeIntervalSince1970: 1_081_791_155.116)
            let events: [[String: Any]] = [
                ["event_name": text, "at": format == "xml" ? day : exact, "in": ["at": day], "list": ["x"]]
            ]
            let attributes: [[String: Any]] = [["at": day], ["object": ["at": day, "text": text]], ["list": [text]]]
            try files.write(
                ["pending_custom_events": events, "pending_custom_attributes": attributes, "text": text]
                    as [String: Any],
                "a.plist"
            )
            #expect(try files.importSuite("a.plist")["diagnostics"] == [])
            let before = try files.pending()
            #expect(try files.exportSuite("out.plist", .string(format))["diagnostics"] == [])
            let object = try files.read("out.plist")
            #expect(object["pending_custom_events"] as? NSArray == events as NSArray)
            #expect(object["pending_custom_attributes"] as? NSArray == attributes as NSArray)
            #expect(object["text"] as? String == text)
            try files.host.result("resetStorageKeys", ["suite": PlistFiles.suite])
            _ = try files.importSuite("out.plist")
            #expect(try files.pending() == before)
        }
    }

    @Test("Dates and data of stored values keep their types", arguments: ["xml", "binary"])
    func storedTypes(format: String) throws {
        try PlistFiles.with { files in
            let value: JSON = [
                "opened": ["$date": 700_000_000.0], "image": ["$data": "AQID"], "list": [["$date": 1]],
                "both": ["$date": 1, "$data": "AQID"], "no": ["$date": "today"], "far": ["$date": 1e15],
            ]
            try save("store", ["key": "k", "value": value], files)
            #expect(try files.exportSuite("out.plist", .string(format))["diagnostics"] == [])
            let object = try #require(try files.read("out.plist")["k"] as? [String: Any])
            #expect(object["opened"] as? Date == Date(timeIntervalSinceReferenceDate: 700_000_000))
            #expect(object["image"] as? Data == Data([1, 2, 3]))
            #expect(object["list"] as? [Date] == [Date(timeIntervalSinceReferenceDate: 1)])
            #expect((object["both"] as? [String: Any])?.count == 2)
            #expect(object["no"] as? [String: String] == ["$date": "today"])
            #expect(object["far"] as? [String: Double] == ["$date": 1e15])
            try files.host.result("removeObject", ["suite": PlistFiles.suite, "key": "k"])
            _ = try files.importSuite("out.plist")
            let back = try files.host.result("retrieve", ["suite": PlistFiles.suite, "key": "k"])["value"]
            #expect(back?["opened"] == value["opened"])
            #expect(back?["image"] == value["image"])
        }
    }

    @Test("Values that a property list cannot express are omitted and reported")
    func leftOut() throws {
        try PlistFiles.with { files in
            try save("saveCustomEvent", ["name": "A", "properties": ["none": .null, "text": "\u{1}"]], files)
            try save("saveCustomAttribute", ["key": "gone", "value": .null], files)
            try save("saveUserAttribute", ["field": "email", "value": .null], files)
            try save("store", ["key": "k", "value": ["a": [1, .null, 2]]], files)
            try save("store", ["key": "none", "value": .null], files)
            let xml = try files.exportSuite("out.plist")
            #expect(xml["exported"] == ["customEvent": 0, "customAttribute": 0, "userAttribute": 0])
            #expect(xml["defaults"] == 1)
            let texts = xml["diagnostics"]?.array?.compactMap { $0["message"]?.string } ?? []
            #expect(texts.count == 6)
            #expect(xml["diagnostics"]?.array?.allSatisfy { $0["reason"] == "leftOut" } == true)
            #expect(
                texts.contains { $0.contains("the record 1/none is null") } && texts.contains { $0.contains("XML") }
            )
            #expect(texts.contains { $0.contains("k/a/1 is null") })
            let binary = try files.exportSuite("out.plist", "binary")
            #expect(binary["exported"]?["customEvent"] == 1)
            #expect(binary["diagnostics"]?.array?.count == 5)
            #expect(((try files.read("out.plist")["k"] as? [String: Any])?["a"] as? [Int]) == [1, 2])
        }
    }

    @Test("An existing file is replaced; an empty suite is exported as an empty dictionary without creating the suite")
    func replaced() throws {
        try PlistFiles.with { files in
            try files.write("old and longer than what comes".utf8, "out.plist")
            #expect(chmod(files.path("out.plist"), 0o644) == 0)
            _ = try files.exportSuite("out.plist")
            #expect(try files.read("out.plist").isEmpty)
            #expect(try mode(files.path("out.plist")) == 0o600)
            #expect(try FileManager.default.contentsOfDirectory(atPath: files.folder).sorted() == ["out.plist"])
        }
    }

    @Test("A path that cannot be written is refused, and nothing is left next to it")
    func unwritable() throws {
        try PlistFiles.with { files in
            try FileManager.default.createDirectory(atPath: files.path("folder"), withIntermediateDirectories: true)
            try save("store", ["key": "k", "value": 1], files)
            func refused(_ path: String, _ format: JSON = "xml") throws -> String {
                try files.refusal("exportSuite", ["path": .string(path), "format": format])
            }
            #expect(try refused("folder") == "221 fileUnwritable /params/path folder is a folder; name a file")
            #expect(
                try refused("none/out.plist").hasPrefix(
                    "221 fileUnwritable /params/path cannot write into the folder of none/out.plist: No such"
                )
            )
            #expect(try refused("/dev/null") == "221 fileUnwritable /params/path /dev/null is a device; name a file")
            #expect(
                try refused("data/standard.sqlite").hasPrefix(
                    "221 fileUnwritable /params/path data/standard.sqlite lies in the folder of the suites"
                )
            )
            #expect(try refused("out.plist", "json").hasPrefix("-32602 "))
            #expect(try refused("out/").hasPrefix("-32602 "))
            let left = try FileManager.default.contentsOfDirectory(atPath: files.folder).sorted()
            #expect(left == ["data", "folder"])
        }
    }

    @Test("An export of a suite larger than 16 MiB is refused")
    func tooLarge() throws {
        try PlistFiles.with { files in
            let text = JSON.string(String(repeating: "x", count: 9 << 20))
            try save("store", ["key": "a", "value": text], files)
            _ = try files.exportSuite("out.plist")
            try save("store", ["key": "b", "value": text], files)
            let refusal = try files.refusal("exportSuite", ["path": "new.plist"])
            #expect(refusal.hasPrefix("208 tooLarge "))
            #expect(refusal.contains("16777216"))
        }
    }

    @Test("The contract's export example is what the host answers")
    func documentation() throws {
        let block = try #require(try Page("protocol/reference/storage.md").blocks("jsonl").last)
        let lines = block.split(separator: "\n").map(String.init)
        try #require(lines.count == 4)
        try PlistFiles.with { files in
            try files.write(
                [
                    "pending_custom_events": [["event_name": "A", "score": 1], ["score": 2], ["event_name": "B"]],
                    "pending_custom_attributes": [["level": 3]],
                    "pending_user_attributes": [try PlistFiles.email("ada@example.com")], "theme": "dark",
                ] as [String: Any],
                "group.com.example.pushhost.plist"
            )
            for line in stride(from: 0, to: lines.count, by: 2) {
                try files.host.send(line: lines[line])
                #expect(try files.host.reply().description == lines[line + 1])
            }
        }
    }
}
