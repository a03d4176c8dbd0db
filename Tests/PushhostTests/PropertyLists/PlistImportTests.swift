import Foundation
import JSON
import TestSupport
import Testing

/// The guide's own records, imported from an App Group's property list.
@Suite(.waits, .wire) struct PlistImportTests {
    private static let numbers: JSON = [
        "zero": 0, "one": 1, "real": 1.0, "yes": true, "no": false, "max": .integer(.max), "min": .integer(.min),
    ]

    @Test(
        "Records and defaults are imported with their types",
        arguments: [
            PropertyListSerialization.PropertyListFormat.binary, .xml,
        ]
    )
    func everything(format: PropertyListSerialization.PropertyListFormat) throws {
        try PlistFiles.with { files in
            let properties: [String: Any] = [
                "zero": 0, "one": 1, "real": 1.0, "yes": true, "no": false, "max": Int64.max, "min": Int64.min,
            ]
            try files.write(
                [
                    "pending_custom_events": [["event_name": "A"].merging(properties) { $1 }, ["event_name": "B"]],
                    "pending_custom_attributes": [
                        ["k": 1.0], ["l": ["a", "b"]], ["at": Date(timeIntervalSince1970: 0)],
                    ],
                    "pending_user_attributes": [try PlistFiles.email("ada@example.com")],
                    "settings": properties, "opened": Date(timeIntervalSince1970: 1), "image": Data([1, 2, 3]),
                ] as [String: Any],
                "a.plist",
                format
            )
            let reply = try files.importSuite("a.plist")
            #expect(reply["imported"] == ["customEvent": 2, "customAttribute": 3, "userAttribute": 1])
            #expect(reply["defaults"] == 3)
            #expect(reply["deadLetters"] == 0)
            #expect(reply["diagnostics"] == [])
            let pending = try files.pending()
            #expect(pending.count == 6 && pending[0]["properties"] == Self.numbers)
            #expect(pending[1] == ["kind": "customEvent", "name": "B"])
            #expect(
                Array(pending[2...]) == [
                    ["kind": "customAttribute", "key": "k", "value": 1.0],
                    ["kind": "customAttribute", "key": "l", "value": ["a", "b"]],
                    ["kind": "customAttribute", "key": "at", "value": "1970-01-01T00:00:00.000Z"],
                    ["kind": "userAttribute", "field": "email", "value": "ada@example.com"],
                ]
            )
            func value(_ key: JSON) throws -> JSON? {
                try files.host.result("retrieve", ["suite": PlistFiles.suite, "key": key])["value"]
            }
            #expect(try value("settings") == Self.numbers)
            #expect(try value("opened") == ["$date": .real(1 - 978_307_200)])
            #expect(try value("image") == ["$data": "AQID"])
        }
    }

    @Test("Imported records get the time of the import and no user")
    func time() throws {
        try PlistFiles.with { files in
            try files.write(["pending_custom_events": [["event_name": "A"]]], "a.plist")
            _ = try files.importSuite("a.plist")
            let record = try files.host.result("pending", ["suite": PlistFiles.suite])["records"]?[0]
            #expect(record?["time"]?.string?.hasPrefix("2026-01-01T00:00:00.") == true)
            #expect(record?["user"] == nil)
        }
    }

    @Test("Unreadable records and those over a limit become dead letters, and valid ones next to them are imported")
    func deadLetters() throws {
        try PlistFiles.with { files in
            let archive: [String: Any] = ["$archiver": "NSKeyedArchiver", "$version": 100_000, "$objects": ["$null"]]
            let archived = try PropertyListSerialization.data(fromPropertyList: archive, format: .binary, options: 0)
            try files.write(
                [
                    "pending_custom_events": [
                        ["event_name": "A"], ["name": "no event_name"], ["event_name": 7], "text", ["event_name": ""],
                        ["event_name": "long", "k": String(repeating: "x", count: 256)],
                        ["event_name": "D", "d": Data()],
                        ["event_name": "N", "n": Double.nan], ["event_name": "U", "u": UInt64.max], ["event_name": "Z"],
                    ] as [Any],
                    "pending_custom_attributes": [
                        ["a b": 1], 7, ["app_id": 1, "good": 2], ["email": "a@example.com"],
                    ],
                    "pending_user_attributes": [
                        archived, Data("junk".utf8), "email", try PlistFiles.email("nobody"), Data(),
                    ] as [Any],
                ] as [String: Any],
                "a.plist"
            )
            let reply = try files.importSuite("a.plist")
            #expect(reply["imported"] == ["customEvent": 2, "customAttribute": 2, "userAttribute": 0])
            #expect(reply["deadLetters"] == 16)
            let texts = reply["diagnostics"]?.array?.compactMap { $0["message"]?.string } ?? []
            let needed = [
                "/1: it has no event_name", "/2: its event_name is an integer",
                "/3: it is a string and not a dictionary",
                "/4: its name is empty", "/5: a text has at most 255 characters, this one 256 (properties/k)",
                "/6: d is data", "/7: n is a real that is not finite", "/8: u is an integer past 2^63-1",
                "attributes/1: it is an integer", "attributes/2/app_id: app_id is a member of Braze's request",
                "attributes/3/email: Braze treats the key email",
                "attributes/0: it is an archive made by NSKeyedArchiver",
                "attributes/1: it is neither", "attributes/2: it is a string and not the data",
                #"attributes/3: "nobody" is not an e-mail address"#, "attributes/4: it is empty",
            ]
            #expect(texts.count == needed.count)
            for (text, needed) in zip(texts, needed) { #expect(text.contains(needed), "\(text)") }
            #expect(texts.allSatisfy { $0.hasPrefix("imported from a.plist, pending_") })
        }
    }

    @Test("A user attribute is imported as the field that its name means; one of Swift without a value is left out")
    func fields() throws {
        try PlistFiles.with { files in
            let day = Date(timeIntervalSince1970: 86_400 * 7_000)
            let fields: [(String, Any)] = [
                ("phone_number", "+4915112345678"), ("phoneNumber", "+4915112345679"), ("firstName", "Ada"),
                ("lastName", "Lovelace"), ("homeCity", "London"), ("dateOfBirth", day), ("dateOfBirth", "1815-12-10"),
                ("emailSubscriptionState", "opted_in"), ("email", "$null"), ("phone", "$null"),
            ]
            let data = try fields.map { field, value in
                try PropertyListSerialization.data(fromPropertyList: [field: value], format: .binary, options: 0)
            }
            try files.write(["pending_user_attributes": data], "a.plist")
            let reply = try files.importSuite("a.plist")
            #expect(reply["imported"]?["userAttribute"] == 8)
            #expect(reply["deadLetters"] == 0)
            let left = [8, 9].map { index -> JSON in
                let text =
                    "pending_user_attributes/\(index) has no value, and the guide's reader skips it; it is left out"
                return ["reason": "leftOut", "message": .string(text)]
            }
            #expect(reply["diagnostics"] == JSON(left))
            let expected: [(JSON, JSON)] = [
                ("phone", "+4915112345678"), ("phone", "+4915112345679"), ("first_name", "Ada"),
                ("last_name", "Lovelace"), ("home_city", "London"), ("dob", "1989-03-02"), ("dob", "1815-12-10"),
                ("email_subscribe", "opted_in"),
            ]
            #expect(try files.pending() == expected.map { ["kind": "userAttribute", "field": $0, "value": $1] })
        }
    }

    @Test(
        "The dead letter of an unknown field, or of a birthday that is no day, says what is wrong",
        arguments: [
            ("push_token_import", "x", "push_token_import is a member of Braze's request and no attribute"),
            ("shoeSize", "x", "shoeSize is not a standard field of a user; save it as a custom attribute"),
            ("dateOfBirth", Date(timeIntervalSince1970: 3_600), "1970-01-01T01:00:00.000Z"),
        ] as [(String, any Sendable, String)]
    )
    func advice(field: String, value: any Sendable, advice: String) throws {
        try PlistFiles.with { files in
            let data = try PropertyListSerialization.data(fromPropertyList: [field: value], format: .binary, options: 0)
            try files.write(["pending_user_attributes": [data]], "a.plist")
            let reply = try files.importSuite("a.plist")
            #expect(reply["deadLetters"] == 1)
            let text = reply["diagnostics"]?[0]?["message"]?.string ?? ""
            #expect(text.contains(advice), "\(text)")
        }
    }

    @Test("An import observes the limits that the host was started with")
    func widerLimits() throws {
        let elements = (0..<26).map(String.init)
        for (options, imported) in [([], 0), (["--array-elements", "26"], 1)] as [([String], JSON)] {
            try PlistFiles.with(options) { files in
                try files.write(["pending_custom_attributes": [["k": elements]]], "a.plist")
                #expect(try files.importSuite("a.plist")["imported"]?["customAttribute"] == imported)
            }
        }
    }

    @Test("A list of the wrong type is one dead letter, and the guide's misfiled events are imported as events")
    func lists() throws {
        try PlistFiles.with { files in
            try files.write(
                [
                    "pending_custom_events": "lost", "pending_user_attributes": ["a": 1],
                    "pending_custom_attributes": [["event_name": "A", "k": 1] as [String: Any]],
                ] as [String: Any],
                "a.plist"
            )
            let reply = try files.importSuite("a.plist")
            #expect(reply["imported"] == ["customEvent": 1, "customAttribute": 0, "userAttribute": 0])
            #expect(reply["deadLetters"] == 2)
            let reasons = reply["diagnostics"]?.array?.compactMap { $0["reason"]?.string }
            #expect(reasons == ["deadLetter", "misfiledEvent", "deadLetter"])
            #expect(try files.pending() == [["kind": "customEvent", "name": "A", "properties": ["k": 1]]])
        }
    }

    @Test(
        "A property list that is truncated or not a dictionary is one dead letter",
        arguments: [
            "bplist00\u{1}\u{2}", "<?xml version=\"1.0\"?><plist><dict><key>a</key><str",
            "<plist version=\"1.0\"><array/></plist>",
        ]
    )
    func foreign(text: String) throws {
        try PlistFiles.with { files in
            try files.write(text.utf8, "a.plist")
            let reply = try files.importSuite("a.plist")
            #expect(reply["deadLetters"] == 1)
            #expect(reply["defaults"] == 0)
            #expect(reply["diagnostics"]?[0]?["message"]?.string?.hasPrefix("imported from a.plist: it") == true)
        }
    }

    @Test("Beyond 100 diagnostics an import only reports the number of the others")
    func diagnostics() throws {
        try PlistFiles.with { files in
            try files.write(["pending_custom_events": [String](repeating: "x", count: 150)], "a.plist")
            let reply = try files.importSuite("a.plist")
            #expect(reply["deadLetters"] == 150)
            #expect(reply["diagnostics"]?.array?.count == 101)
            #expect(reply["diagnostics"]?[100]?["message"]?.string?.contains("50 more") == true)
        }
    }

    @Test("An import during which the suite becomes full imports nothing")
    func full() throws {
        try PlistFiles.with(["--suite-records", "3"]) { files in
            let events = (0..<4).map { ["event_name": "\($0)"] }
            try files.write(["pending_custom_events": events, "k": 1] as [String: Any], "a.plist")
            try files.write(["pending_custom_events": events.dropLast()].mapValues(Array.init), "b.plist")
            #expect(try files.refusal("importSuite", ["path": "a.plist"]).hasPrefix("204 suiteFull "))
            #expect(try files.pending().isEmpty)
            let stored = try files.host.result("retrieve", ["suite": PlistFiles.suite, "key": "k"])
            #expect(stored["value"] == .null)
            #expect(try files.importSuite("b.plist")["imported"]?["customEvent"] == 3)
        }
    }

    @Test("Files that cannot be read are refused with the reason")
    func unreadable() throws {
        try PlistFiles.with { files in
            try files.write([], "empty.plist")
            let file = try #require(FileHandle(forWritingAtPath: files.path("empty.plist")))
            try FileManager.default.createDirectory(atPath: files.path("folder"), withIntermediateDirectories: true)
            let pipe = files.path("pipe")
            #expect(mkfifo(pipe, 0o600) == 0)
            func refused(_ path: String) throws -> String {
                try files.refusal("importSuite", ["path": .string(path)])
            }
            #expect(
                try refused("empty.plist")
                    == "220 fileUnreadable /params/path empty.plist is empty: there is nothing to import"
            )
            #expect(
                try refused("none.plist")
                    == "220 fileUnreadable /params/path cannot read none.plist: No such file or directory"
            )
            #expect(
                try refused("folder")
                    == "220 fileUnreadable /params/path folder is a folder and not a file; name the property list itself"
            )
            #expect(
                try refused("pipe")
                    == "220 fileUnreadable /params/path pipe is a named pipe and not a file; name the property list itself"
            )
            #expect(try refused("").hasPrefix("-32602 "))
            try file.truncate(atOffset: 16 << 20 | 1)
            #expect(
                try refused("empty.plist").hasPrefix(
                    "208 tooLarge /params/path empty.plist has more than 16777216 bytes"
                )
            )
            #expect(try files.pending().isEmpty)
        }
    }
}
