import JSON
import TestSupport
import Testing

@Suite(.waits, .wire) struct BundlesSessionProgressTests {
    private static let viewed: JSON = ["kind": "customEvent", "name": "Viewed Session Progress"]

    @Test("The counts, a mark for each session and the next session are shown, and one event is stored")
    func view() throws {
        try BundlesHost.with { host in
            let next: [(String, JSON)] = [
                ("next_session_name", "Currents: The Basics"), ("next_session_complete_date", "some day, 25:99"),
            ]
            let shown = try host.receive(category: "lab_progress", counts("3", "8") + next)
            #expect(shown["count-caption"]?["text"] == "Sessions completed")
            #expect(shown["next-name-caption"]?["text"] == "Next session")
            #expect(shown["next-date-caption"]?["text"] == "Completion date")
            #expect(shown["count"]?["text"] == "3/8")
            #expect(shown["progress"] == ["type": "progress", "id": "progress", "value": 3, "total": 8])
            #expect(shown["sessions"]?["columns"] == 4)
            #expect(marks(shown) == ["● 1", "● 2", "● 3", "○ 4", "○ 5", "○ 6", "○ 7", "○ 8"])
            #expect(shown["next-name"]?["text"] == "Currents: The Basics")
            #expect(shown["next-date"]?["text"] == "some day, 25:99")
            #expect(shown.actions == [])
            #expect(try host.pending() == [Self.viewed])
        }
    }

    /// Counts as a notification spells them, and what is then shown.
    private static let spellings: [(completed: String, total: String, label: String, done: Int)] = [
        ("+3", "8", "3/8", 3),
        ("03", "+08", "3/8", 3),
        ("0", "1", "0/1", 0),
        ("-0", "1", "0/1", 0),
        ("8", "8", "8/8", 8),
        ("9", "8", "9/8", 8),
        ("1000", "1000", "1000/1000", 1000),
        ("1001", "8", "1001/8", 8),
        ("3", "1001", "3/1001", 3),
        ("-1", "8", "-1/8", 0),
        ("-9223372036854775808", "9223372036854775807", "-9223372036854775808/9223372036854775807", 0),
    ]

    @Test("Counts may be given as texts that spell integers", arguments: spellings)
    func spelling(completed: String, total: String, label: String, done: Int) throws {
        try BundlesHost.with { host in
            let shown = try host.receive(category: "lab_progress", counts(.string(completed), .string(total)))
            #expect(shown["count"]?["text"] == .string(label))
            #expect(marks(shown).filter { $0.hasPrefix("●") }.count == done)
            #expect(shown["progress"]?["value"] == JSON(done))
            #expect(shown["next-name"]?["text"] == "")
            #expect(shown["next-date"]?["text"] == "")
        }
    }

    @Test("At most 10,000 sessions are drawn as marks, and the rest are shown as a number")
    func manySessions() throws {
        try BundlesHost.with { host in
            let most = try host.receive(category: "lab_progress", counts("9999", "10000"))
            #expect(marks(most).count == 10_000)
            #expect(marks(most).last == "○ 10000")
            #expect(most["progress"] == ["type": "progress", "id": "progress", "value": 9999, "total": 10_000])
            let more = try host.receive(category: "lab_progress", counts("10000", "10007"))
            #expect(marks(more).count == 10_001)
            #expect(marks(more).suffix(2) == ["● 10000", "+7"])
        }
    }

    @Test("A compact view has six columns", arguments: [("compact", 6), ("regular", 4), (nil, 4)] as [(String?, Int)])
    func columns(sizeClass: String?, columns: Int) throws {
        try BundlesHost.with { host in
            let shown = try host.receive(category: "lab_progress", sizeClass: sizeClass, counts("3", "8"))
            #expect(shown["sessions"]?["columns"] == JSON(columns))
        }
    }

    @Test(
        "The captions are in the language of the notification",
        arguments: [("de", "Abgeschlossene Lektionen"), ("fr", "Sessions terminées"), ("ko", "완료한 세션")]
    )
    func captions(locale: String, caption: String) throws {
        try BundlesHost.with { host in
            let payload = BundlesHost.payload(category: "lab_progress", counts("3", "8"))
            let params: JSON = ["payload": payload, "locale": .string(locale)]
            let shown = Shown(try host.result("didReceive", params))
            #expect(shown["count-caption"]?["text"] == .string(caption))
        }
    }

    /// Invalid key-value pairs, each with a part of the message that names it; `nil` is a missing pair.
    private static let wrongPairs: [(key: String, value: JSON?, finding: String)] = [
        ("completed_session_count", 3, "it is 3 (integer)"),
        ("completed_session_count", 3.0, "it is 3.0 (number)"),
        ("completed_session_count", " 3", #"it is " 3" (string)"#),
        ("completed_session_count", "3 ", #"it is "3 " (string)"#),
        ("completed_session_count", "3.0", #"it is "3.0" (string)"#),
        ("completed_session_count", "", #"it is "" (string)"#),
        ("completed_session_count", "٣", #"it is "٣" (string)"#),
        ("completed_session_count", "99999999999999999999", "a string that spells an integer, it is"),
        ("completed_session_count", .null, "it is null (null)"),
        ("completed_session_count", nil, "it is missing"),
        ("total_session_count", 8, "it is 8 (integer)"),
        ("total_session_count", true, "it is true (boolean)"),
        ("total_session_count", "eight", #"it is "eight" (string)"#),
        ("total_session_count", "0", "a string that spells an integer of 1 or more, it is"),
        ("total_session_count", "-8", "a string that spells an integer of 1 or more, it is"),
        ("total_session_count", "99999999999999999999", "an integer of 1 or more"),
        ("total_session_count", nil, "it is missing"),
        ("next_session_name", 7, "it is 7 (integer)"),
        ("next_session_name", .null, "it is null (null)"),
        ("next_session_complete_date", ["2026"], #"it is ["2026"] (array)"#),
    ]

    @Test("An invalid key-value pair is named with its value, and nothing is shown or stored", arguments: wrongPairs)
    func wrongPair(key: String, value: JSON?, finding: String) throws {
        try BundlesHost.with { host in
            let pairs = counts("3", "8").filter { $0.0 != key } + (value.map { [(key, $0)] } ?? [])
            let payload = BundlesHost.payload(category: "lab_progress", pairs)
            let refusal = try host.refusal("didReceive", ["payload": payload])
            let message = try #require(refusal["message"]?.string)
            #expect(message.hasPrefix("the key-value pair \(key) must be "))
            #expect(message.contains(finding), "\(message)")
            #expect(refusal["data"]?["reason"] == "invalidUserInfo")
            #expect(try host.pending() == [])
            #expect(try host.result("notifications")["notifications"] == [])
        }
    }

    @Test("A second notification of the thread replaces the marks and stores one more event")
    func thread() throws {
        try BundlesHost.with { host in
            _ = try host.receive(category: "lab_progress", thread: "lab", counts("3", "8"))
            let shown = try host.receive(category: "lab_progress", thread: "lab", counts("2", "3"))
            #expect(shown["count"]?["text"] == "2/3")
            #expect(marks(shown) == ["● 1", "● 2", "○ 3"])
            #expect(try host.pending() == [Self.viewed, Self.viewed])
        }
    }

    @Test("A notification that cannot be stored is not shown, and a later one is shown")
    func fullSuite() throws {
        try BundlesHost.with(["--suite-records", "1"]) { host in
            try host.saveUnrelatedRecord()
            let payload = BundlesHost.payload(category: "lab_progress", counts("3", "8"))
            #expect(try host.refusal("didReceive", ["payload": payload])["data"]?["reason"] == "suiteFull")
            try host.flush()
            _ = try host.result("didReceive", ["payload": payload])
            #expect(try host.pending() == [Self.viewed])
        }
    }

    @Test("Session marks cannot be touched")
    func touch() throws {
        try BundlesHost.with { host in
            let shown = try host.receive(category: "lab_progress", counts("3", "8"))
            let params: JSON = ["notification": shown.notification, "element": "session-1"]
            #expect(try host.error("interact", params)["data"]?["reason"] == "interactionDisabled")
        }
    }

    private func counts(_ completed: JSON, _ total: JSON) -> [(String, JSON)] {
        [("completed_session_count", completed), ("total_session_count", total)]
    }

    private func marks(_ shown: Shown) -> [String] {
        shown["sessions"]?.children.compactMap { $0["text"]?.string } ?? []
    }
}
