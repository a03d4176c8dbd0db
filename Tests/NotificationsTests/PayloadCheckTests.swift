import Contract
import JSON
import Testing

@testable import Notifications

@Suite struct PayloadCheckTests {
    private let progressExtension = PayloadCheck.ContentExtension(
        identifier: "com.example.progress",
        categories: ["lab_progress"],
        keys: [
            UserInfoKey("completed", .integer, example: "3"),
            UserInfoKey("total", .integer, example: "8"),
            UserInfoKey("ratio", .number, isRequired: false, example: "0.5"),
            UserInfoKey("is_last", .boolean, isRequired: false, example: "true"),
            UserInfoKey("link", .url, isRequired: false, example: "https://example.com"),
            UserInfoKey("next_name", .string, isRequired: false, example: "Currents"),
        ]
    )
    private let badgesExtension = PayloadCheck.ContentExtension(
        identifier: "com.example.badges",
        categories: ["badges"],
        keys: [
            UserInfoKey("badge_#_id", .string, example: "first"),
            UserInfoKey("badge_#_image", .url, isRequired: false, example: "https://example.com/a.png"),
        ]
    )
    private let storyExtension = PayloadCheck.ContentExtension(
        identifier: "com.example.story",
        categories: ["story"],
        keys: [UserInfoKey("/ab/c_items", .array, example: "[{}]")]
    )

    /// The reasons that the contract names.
    private static let reasons =
        ContractDocuments.host["components"]?["schemas"]?["PayloadFinding"]?["x-reasons"]?.array.map(Array.init) ?? []

    private func check(_ payload: JSON, isTemplate: Bool = false) -> PayloadCheck {
        var surroundings = PayloadCheck.Surroundings()
        surroundings.extensions = [badgesExtension, progressExtension, storyExtension]
        surroundings.categories = ["ab_cat_yes_no"]
        surroundings.isTemplate = isTemplate
        let check = PayloadCheck(payload, surroundings)
        for finding in check.findings { #expect(Self.reasons.contains(.string(finding.reason)), "\(finding.reason)") }
        return check
    }

    /// Each finding as its level, reason and path.
    private func found(_ payload: JSON, isTemplate: Bool = false) -> [String] {
        check(payload, isTemplate: isTemplate).findings.map { "\($0.level) \($0.reason) \($0.path)" }
    }

    /// A payload of the category lab_progress that is right, with other members.
    private func progress(_ members: [(String, JSON)] = [], without absent: String? = nil) -> JSON {
        let all: [(String, JSON)] = [
            ("aps", ["alert": "x", "category": "lab_progress"]), ("completed", "3"), ("total", "8"),
        ]
        let names = members.map(\.0) + [absent].compactMap { $0 }
        return .object(JSON.Object(all.filter { !names.contains($0.0) } + members))
    }

    @Test("A payload that is right has no findings, and names the extension that shows it")
    func right() {
        let check = check(progress([("braze_id", "ada"), ("ab", ["c": .null]), ("ab_uri", "app://x"), ("other", "x")]))
        #expect(check.findings == [])
        #expect(check.shownBy == "com.example.progress")
        #expect(found(["aps": ["alert": "x", "category": "badges"], "badge_1_id": "a", "badge_2_id": "b"]) == [])
        #expect(found(["aps": ["alert": "x", "category": "story"], "ab": ["c_items": []]]) == [])
    }

    @Test(
        "What is no payload is one finding that says what to write",
        arguments: [
            ([], ["error invalidPayload "]), ("x", ["error invalidPayload "]), (.null, ["error invalidPayload "]),
            ([:], ["error invalidPayload "]), (["aps": 1], ["error invalidPayload /aps"]),
            (["title": "x"], ["error invalidPayload "]),
            // The members that were meant for aps are found all the same.
            (["alert": "x"], ["error invalidPayload ", "warning misplacedKey /alert"]),
        ] as [(JSON, [String])]
    )
    func invalid(payload: JSON, findings: [String]) { #expect(found(payload) == findings) }

    @Test(
        "An unknown category is an error if it is nearly a registered one",
        arguments: [
            ("lab_progres", ["error noExtension /aps/category"]), ("LAB_PROGRESS", ["error noExtension /aps/category"]),
            ("quite_another", ["warning noExtension /aps/category"]),
            ("ab_cat_yes_no", ["information noExtension /aps/category"]), ("", ["information noExtension /aps"]),
        ]
    )
    func category(name: String, findings: [String]) {
        #expect(found(["aps": ["alert": "x", "category": .string(name)]]) == findings)
    }

    @Test("A near miss of a category is named")
    func nearMiss() {
        let finding = check(["aps": ["alert": "x", "category": "lab_progres"]]).findings.first
        #expect(finding?.message == "no extension registered the category lab_progres")
        #expect(finding?.advice == "did you mean lab_progress?")
    }

    @Test("A text of the payload does not become advice")
    func semicolon() {
        let finding = check(["aps": ["alert": "x", "badge": "5; 6"]]).findings.first { $0.reason == "ignoredMember" }
        #expect(finding?.message.contains(#""5; 6""#) == true)
        #expect(finding?.advice == "correct the value, or remove the member")
        let keys = check(["aps": ["alert": ["loc-key": "a; b"]]]).findings
        let key = keys.first { $0.reason == "unknownLocalizationKey" }
        #expect(key?.message.contains("the key a; b, ") == true)
        #expect(key?.advice == "correct the key, unless the app has the text")
    }

    @Test("A missing key is named with its type and an example")
    func missing() throws {
        let findings = check(progress(without: "total")).findings
        #expect(findings.map(\.reason) == ["missingKey"])
        let finding = try #require(findings.first)
        #expect(finding.message == "the key-value pair total is missing, which com.example.progress needs")
        #expect(finding.advice == "add it; it is a string that spells an integer, such as \"8\"")
        #expect(finding.path.isEmpty)
    }

    @Test("A misspelt key is found where it stands, and the key that was meant is not reported as missing too")
    func misspelt() throws {
        let findings = check(progress([("completd", "3")], without: "completed")).findings
        #expect(findings.map(\.path) == ["/completd"])
        #expect(findings.first?.advice == "did you mean completed?")
        #expect(findings.first?.level == .error)
        #expect(found(progress([("next_nme", "x")])) == ["warning misspeltKey /next_nme"], "it is optional")
        #expect(found(progress([("total_", "x")])) == [], "the right one is there")
    }

    @Test("Of a payload that no phone would get, only the size is reported")
    func huge() {
        let members = (0..<20_000).map { ("alret\($0)", JSON.integer(1)) }
        #expect(found(["aps": .object(JSON.Object(members))]) == ["error payloadTooLarge "])
    }

    @Test("A key-value pair in aps is found there, and is not reported as missing too")
    func inAps() throws {
        let aps: JSON = ["alert": "x", "category": "lab_progress", "total": "8", "next_name": "x", "own": 1]
        let check = check(progress([("aps", aps)], without: "total"))
        #expect(
            check.findings.map { "\($0.level) \($0.reason) \($0.path)" } == [
                "error misplacedKey /aps/total", "warning misplacedKey /aps/next_name",
                "warning misplacedKey /aps/own",
            ]
        )
        #expect(check.findings.first?.message == "total stands in aps, and com.example.progress reads it beside aps")
        #expect(check.findings.first?.advice == "move it out of aps")
        let badges: JSON = ["aps": ["alert": "x", "category": "badges", "badge_1_id": "a", "badge_2_id": "b"]]
        #expect(found(badges) == ["error misplacedKey /aps/badge_1_id", "error misplacedKey /aps/badge_2_id"])
    }

    @Test(
        "A value that is not what the bundle declares is an error",
        arguments: [
            ("completed", "3.0"), ("completed", " 3"), ("completed", ""), ("completed", "three"), ("completed", 3),
            ("completed", .null), ("ratio", "half"), ("ratio", "nan"), ("ratio", 0.5), ("is_last", "yes"),
            ("is_last", true), ("link", "example"), ("link", "https://a b"), ("next_name", 1), ("next_name", []),
        ] as [(String, JSON)]
    )
    func wrong(key: String, value: JSON) { #expect(found(progress([(key, value)])) == ["error wrongValue /\(key)"]) }

    @Test(
        "A value that is what the bundle declares is accepted",
        arguments: [
            ("completed", "+3"), ("completed", "-1"), ("ratio", "1"), ("ratio", "1e3"), ("is_last", "false"),
            ("link", "app://x"), ("next_name", ""),
        ] as [(String, JSON)]
    )
    func accepted(key: String, value: JSON) { #expect(found(progress([(key, value)])) == []) }

    @Test("A bare number in place of a string is told as Braze's way, with the text to write")
    func bareNumber() throws {
        let finding = try #require(check(progress([("completed", 3)])).findings.first)
        #expect(finding.message.contains("it is 3; Braze sends the value of every key-value pair as a string"))
        #expect(finding.advice == "write \"3\"")
    }

    @Test("A name with # is needed for 1 and for each number that any of its family has")
    func numbered() {
        let aps: JSON = ["alert": "x", "category": "badges"]
        let missing = { (payload: JSON) in self.check(payload).findings.map { $0.message.split(separator: " ")[3] } }
        #expect(missing(["aps": aps]) == ["badge_1_id"])
        #expect(missing(["aps": aps, "badge_1_id": "a", "badge_3_image": "https://x/y"]) == ["badge_3_id"])
        #expect(found(["aps": aps, "badge_1_id": "a", "badge_1_image": "x"]) == ["error wrongValue /badge_1_image"])
    }

    @Test("A key that is a JSON Pointer is looked for where it leads")
    func pointer() {
        let aps: JSON = ["alert": "x", "category": "story"]
        #expect(found(["aps": aps, "ab": ["c": .null]]) == ["error missingKey "])
        #expect(found(["aps": aps, "ab": ["c_items": "x"]]) == ["error wrongValue /ab/c_items"])
    }

    @Test("A payload over 4096 bytes is an error that names the largest keys, and every key has its share")
    func size() throws {
        let text = JSON.string(String(repeating: "y", count: 4_000))
        let check = check(progress([("text", text), ("more", .string(String(repeating: "z", count: 500)))]))
        let finding = try #require(check.findings.first)
        #expect((finding.level, finding.reason) == (.error, "payloadTooLarge"))
        #expect(finding.message.contains("the largest keys: text 4009, more 509, aps"))
        #expect(finding.advice == "remove \(check.size.bytes - 4_096) bytes")
        #expect(check.size.shares.map(\.key) == ["text", "more", "aps", "completed", "total"])
        // Two braces, and a comma between two keys.
        #expect(check.size.shares.reduce(0) { $0 + $1.bytes } + 2 + 4 == check.size.bytes)
    }

    @Test(
        "Braze's own members, and members of aps that stand beside it, are found",
        arguments: [
            ([("ab", "x")], ["error reservedKey /ab"]), ([("ab", [:])], ["warning reservedKey /ab"]),
            ([("ab_uri", 1)], ["error reservedKey /ab_uri"]), ([("ab_uri", "home")], ["warning wrongValue /ab_uri"]),
            ([("ab_uri", "{{${link}}}")], ["error unrenderedLiquid /ab_uri"]),
            ([("ab_cd", "x")], ["warning reservedKey /ab_cd"]),
            ([("appboy_uninstall_tracking", true)], ["warning reservedKey /appboy_uninstall_tracking"]),
            ([("badge", 1)], ["warning misplacedKey /badge"]), ([("category", "x")], []),
            ([("mutable_content", true)], ["warning misplacedKey /mutable_content"]),
            ([("custom_uri", "x")], ["warning misplacedKey /custom_uri"]),
            ([("ab", ["att": ["url": "https://x/y", "type": "png"]])], ["warning notMutable /ab/att"]),
            (
                [("ab", ["att": ["type": "bmp"]])],
                ["error wrongValue /ab/att", "error wrongValue /ab/att/type", "warning notMutable /ab/att"]
            ), ([("text", .string(String(repeating: "y", count: 1_900)))], ["warning requestTooLarge "]),
            ([("Braze_id", "ada")], ["error misspeltKey /Braze_id"]),
        ] as [([(String, JSON)], [String])]
    )
    func braze(members: [(String, JSON)], findings: [String]) { #expect(found(progress(members)) == findings) }

    @Test(
        "What a phone ignores of aps is found",
        arguments: [
            (["badge": "1"], ["error ignoredMember /aps/badge"]), (["badg": 1], ["error misspeltKey /aps/badg"]),
            (["mutable-content": true], ["error serviceSkipped /aps/mutable-content"]), (["mutable-content": 1], []),
            (["alert": ""], ["warning noAlert /aps/alert"]),
            (["alert": "", "content-available": 1], ["information noAlert /aps/alert"]),
            (["alert": ["loc-key": "KEY"]], ["error unknownLocalizationKey /aps/alert/loc-key"]),
        ] as [(JSON, [String])]
    )
    func aps(members: JSON, findings: [String]) throws {
        let all: [(String, JSON)] = [("alert", "x"), ("category", "lab_progress")]
        let own = try #require(members.object).map { ($0.name, $0.value) }
        let aps = JSON.object(JSON.Object(all.filter { name, _ in !own.contains { $0.0 == name } } + own))
        #expect(found(progress([("aps", aps)])) == findings)
    }

    @Test("Liquid that was left in is an error, unless the payload is a template; its value has no other finding")
    func liquid() {
        let payload = progress([("completed", "{{custom_attribute.${done}}}"), ("next_name", "{{ x }}")])
        #expect(found(payload) == ["error unrenderedLiquid /completed", "error unrenderedLiquid /next_name"])
        #expect(found(progress([("next_name", "{{${name}")])) == ["error unrenderedLiquid /next_name"], "not closed")
        #expect(found(payload, isTemplate: true) == [])
        #expect(found(progress([("completed", "x")]), isTemplate: true) == ["error wrongValue /completed"])
    }

    @Test("Errors come first, then warnings, and each finding says what was found and what to do")
    func order() {
        let check = check(progress([("ab_cd", "x"), ("completed", 3), ("Braze_id", "x")], without: "total"))
        #expect(check.findings.map(\.level) == [.error, .error, .error, .warning])
        for finding in check.findings {
            #expect(!finding.message.isEmpty)
            #expect(!finding.advice.isEmpty)
        }
    }
}
