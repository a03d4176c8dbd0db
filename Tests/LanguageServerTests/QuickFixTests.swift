import JSON
import Testing

@testable import LanguageServer
@testable import Localization

/// The corrections that an editor offers: each is made, and then its finding is gone and the rest is as it was.
@Suite struct QuickFixTests {
    /// A fix of one document of a bundle.
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let file: String
        let before: String
        let after: String

        init(_ title: String, _ file: String, _ before: String, _ after: String) {
            (testDescription, self.file, self.before, self.after) = (title, file, before, after)
        }
    }

    /// A payload with other members than a right one; `APS` stands for what is right in `aps`.
    private static func payload(_ title: String, _ before: String, _ after: String) -> Row {
        let right = #""alert": "x", "category": "checked""#
        return Row(title, "a.apns", before.replacing("APS", with: right), after.replacing("APS", with: right))
    }

    private static let payloads: [Row] = [
        payload(
            "Replace it by sound",
            #"{"aps": {APS, "sond": "a"}, "level": "1"}"#,
            #"{"aps": {APS, "sound": "a"}, "level": "1"}"#
        ),
        payload(
            "Replace it by level",
            #"{"aps": {APS}, "levle": "1"}"#,
            #"{"aps": {APS}, "level": "1"}"#
        ),
        payload(
            "Replace it by checked",
            #"{"aps": {"alert": "x", "category": "chekced"}, "level": "1"}"#,
            #"{"aps": {APS}, "level": "1"}"#
        ),
        payload(
            "Replace it by checked",
            #"{"aps": {"alert": "x", "category": "elsewhere"}, "level": "1"}"#,
            #"{"aps": {APS}, "level": "1"}"#
        ),
        payload(
            "Add the category checked",
            #"{"aps": {"alert": "x"}, "level": "1"}"#,
            #"{"aps": {APS}, "level": "1"}"#
        ),
        payload(
            "Add the category checked",
            "{\n  \"aps\": {\n    \"alert\": \"x\"\n  },\n  \"level\": \"1\"\n}\n",
            "{\n  \"aps\": {\n    \"alert\": \"x\",\n    \"category\": \"checked\"\n  },\n  \"level\": \"1\"\n}\n"
        ),
        payload(
            "Add the category checked",
            #"{"aps":{"alert":"x"},"level":"1"}"#,
            #"{"aps":{"alert":"x","category":"checked"},"level":"1"}"#
        ),
        payload(
            "Move own out of aps",
            #"{"aps": {APS, "own": [1, 2]}, "level": "1"}"#,
            #"{"aps": {APS}, "level": "1", "own": [1, 2]}"#
        ),
        payload(
            "Move own out of aps",
            #"{"level": "1", "aps": {"own": 1, APS}}"#,
            #"{"level": "1", "aps": {APS}, "own": 1}"#
        ),
        payload(
            "Move it into aps as badge",
            #"{"aps": {APS}, "badge": 1, "level": "1"}"#,
            #"{"aps": {APS, "badge": 1}, "level": "1"}"#
        ),
        payload(
            "Move it into aps as mutable-content",
            "{\n\t\"aps\": {\n\t\tAPS\n\t},\n\t\"level\": \"1\",\n\t\"mutable_content\": 1\n}",
            "{\n\t\"aps\": {\n\t\tAPS, \"mutable-content\": 1\n\t},\n\t\"level\": \"1\"\n}"
        ),
        payload(
            "Rename it ab_uri",
            #"{"aps": {APS}, "level": "1", "custom_uri": "app://x"}"#,
            #"{"aps": {APS}, "level": "1", "ab_uri": "app://x"}"#
        ),
        payload(
            "Replace it by 1",
            #"{"aps": {APS, "badge": "1"}, "level": "1"}"#,
            #"{"aps": {APS, "badge": 1}, "level": "1"}"#
        ),
        payload("Remove badge", #"{"aps": {APS, "badge": {}}, "level": "1"}"#, #"{"aps": {APS}, "level": "1"}"#),
        payload("Remove badge", #"{"aps": {"badge": {}, APS}, "level": "1"}"#, #"{"aps": {APS}, "level": "1"}"#),
        payload(
            "Remove badge",
            "{\"aps\": {APS,\n  \"badge\": {},\n  \"sound\": \"a\"}, \"level\": \"1\"}",
            "{\"aps\": {APS,\n  \"sound\": \"a\"}, \"level\": \"1\"}"
        ),
        payload(
            "Replace it by 1",
            #"{"aps": {APS, "mutable-content": true}, "level": "1"}"#,
            #"{"aps": {APS, "mutable-content": 1}, "level": "1"}"#
        ),
        payload("Replace it by \"1\"", #"{"aps": {APS}, "level": 1}"#, #"{"aps": {APS}, "level": "1"}"#),
        payload(
            "Replace it by \"true\"",
            #"{"aps": {APS}, "level": "1", "last": true}"#,
            #"{"aps": {APS}, "level": "1", "last": "true"}"#
        ),
        payload(
            "Replace it by 0",
            #"{"aps": {APS, "sound": {"critical": false, "name": "a"}}, "level": "1"}"#,
            #"{"aps": {APS, "sound": {"critical": 0, "name": "a"}}, "level": "1"}"#
        ),
        payload(
            "Add the name default",
            #"{"aps": {APS, "sound": {"critical": 1}}, "level": "1"}"#,
            #"{"aps": {APS, "sound": {"critical": 1, "name": "default"}}, "level": "1"}"#
        ),
        payload(
            "Replace it by \"passive\"",
            #"{"aps": {APS, "interruption-level": "quiet"}, "level": "1"}"#,
            #"{"aps": {APS, "interruption-level": "passive"}, "level": "1"}"#
        ),
        payload("Add level", #"{"aps": {APS}}"#, #"{"aps": {APS}, "level": "7"}"#),
        payload("Add level", #"{"aps": {APS},}"#, #"{"aps": {APS}, "level": "7"}"#),
        payload(
            "Add mutable-content",
            #"{"aps": {APS}, "level": "1", "ab": {"att": {"url": "https://x/y", "type": "png"}}}"#,
            #"{"aps": {APS, "mutable-content": 1}, "level": "1", "ab": {"att": {"url": "https://x/y", "type": "png"}}}"#
        ),
        payload(
            "Add an alert",
            #"{"aps": {"category": "checked"}, "level": "1"}"#,
            #"{"aps": {"category": "checked", "alert": "Hello"}, "level": "1"}"#
        ),
    ]

    private static func info(_ title: String, _ before: String, _ after: String) -> Row {
        Row(title, "Info.plist", before, after)
    }

    private static func attributes(_ title: String, _ before: String, _ after: String) -> Row {
        info(title, SoundBundle.attributes(before), SoundBundle.attributes(after))
    }

    private static func category(_ title: String, _ before: String, _ after: String) -> Row {
        info(title, SoundBundle.attributes("", category: before), SoundBundle.attributes("", category: after))
    }

    private static let prefix = "UNNotificationExtension"

    private static let lists: [Row] = [
        info(
            "Rename it \(prefix)Category",
            SoundBundle.info().replacing("Category<", with: "Catgory<"),
            SoundBundle.info()
        ),
        attributes(
            "Rename it \(prefix)UserInteractionEnabled",
            "<key>\(prefix)InteractionEnabled</key>\n\t\t\t<true/>",
            "<key>\(prefix)UserInteractionEnabled</key>\n\t\t\t<true/>"
        ),
        attributes(
            "Rename it \(prefix)DefaultContentHidden",
            "<key>\(prefix)defaultContentHidden</key><true/>",
            "<key>\(prefix)DefaultContentHidden</key><true/>"
        ),
        info(
            "Move it to NSExtensionAttributes",
            SoundBundle.info(nsExtension: "\n\t\t<key>\(prefix)DefaultContentHidden</key>\n\t\t<true/>"),
            SoundBundle.info().replacing(
                "<string>checked</string>",
                with: "<string>checked</string>\n\t\t\t<key>\(prefix)DefaultContentHidden</key>\n\t\t<true/>"
            )
        ),
        info(
            "Remove it",
            SoundBundle.attributes("<key>\(prefix)NonsensePart</key>\n\t\t\t<dict>\n<key>a</key><true/></dict>"),
            SoundBundle.attributes("").replacing("\n\t\t\t\n", with: "\n")
        ),
        category(
            "Replace it by other",
            "<array><string>checked</string><string>other </string></array>",
            "<array><string>checked</string><string>other</string></array>"
        ),
        category(
            "Remove it",
            "<array>\n<string>checked</string>\n<string>checked</string>\n</array>",
            "<array>\n<string>checked</string>\n</array>"
        ),
        category("Replace it by ab_cat_yes_no", "<string>ab_cat_yes_now</string>", "<string>ab_cat_yes_no</string>"),
        category(
            "Replace it by ab_cat_push_story_v2",
            "<string>ab_cat_push_story</string>",
            "<string>ab_cat_push_story_v2</string>"
        ),
        attributes(
            "Replace it by <true/>",
            "<key>\(prefix)DefaultContentHidden</key><string>YES</string>",
            "<key>\(prefix)DefaultContentHidden</key><true/>"
        ),
        attributes(
            "Replace it by <real>0.5</real>",
            "<key>\(prefix)InitialContentSizeRatio</key><string>0.5</string>",
            "<key>\(prefix)InitialContentSizeRatio</key><real>0.5</real>"
        ),
        Row(
            "Rename it com.apple.security.application-groups",
            "run.entitlements",
            SoundBundle.entitlements(
                "<key>com.apple.security.application-group</key><array><string>group.a</string></array>"
            ),
            SoundBundle.entitlements("\(SoundBundle.groups)<array><string>group.a</string></array>")
        ),
        Row(
            "Replace it by group.example",
            "run.entitlements",
            SoundBundle.entitlements("\(SoundBundle.groups)<array><string>example</string></array>"),
            SoundBundle.entitlements("\(SoundBundle.groups)<array><string>group.example</string></array>")
        ),
        Row(
            "Remove it",
            "run.entitlements",
            SoundBundle.entitlements(
                "\(SoundBundle.groups)<array><string>group.a</string><string>group.A</string></array>"
            ),
            SoundBundle.entitlements("\(SoundBundle.groups)<array><string>group.a</string></array>")
        ),
        Row(
            "Add the semicolon",
            "en.lproj/Localizable.strings",
            "\"A\" = \"a\"\n\"B\" = \"b\";\n",
            "\"A\" = \"a\";\n\"B\" = \"b\";\n"
        ),
        Row("Add the semicolon", "en.lproj/Localizable.strings", "\"A\" = \"a\" // open", "\"A\" = \"a\"; // open"),
    ]

    /// The declaration of the pairs that the bundle reads.
    private static let declared = """
        <key>PushhostUserInfoKeys</key><dict><key>level</key><dict><key>Type</key><string>integer</string>\
        <key>Example</key><string>7</string></dict><key>last</key><dict><key>Type</key><string>boolean</string>\
        <key>Example</key><string>true</string><key>Required</key><false/></dict></dict>
        """

    @Test("A fix changes what is wrong and nothing else, and its finding is gone", arguments: payloads + lists)
    func fix(row: Row) throws {
        var files = SoundBundle.files(["Info.plist": SoundBundle.attributes(Self.declared)])
        files["bundle/\(row.file)"] = row.before
        try EditorWorkspace.with(files) { editor in
            let file = "bundle/\(row.file)"
            try editor.open(file)
            let all = try editor.fixes(file)
            let title = JSON.string(row.testDescription.replacing("Replace it by sound", with: "Replace it by sound"))
            let fix = try #require(all.first { $0["title"] == title }, "\(all.map { $0["title"] ?? .null })")
            let fixed = try #require(fix["diagnostics"]?[0])
            #expect(editor.diagnostics(file).contains(fixed))
            try editor.apply(fix)
            #expect(editor.text(file) == row.after)
            let same = { (other: JSON) in other["code"] == fixed["code"] && other["message"] == fixed["message"] }
            #expect(!editor.diagnostics(file).contains(where: same), "\(editor.diagnostics(file))")
        }
    }

    @Test("A key is not moved to where it stands already, and an unknown category offers five at most")
    func limits() throws {
        let root = "\n\t<key>NSExtensionAttributes</key>\n\t<dict/>"
        var files = SoundBundle.files(["Info.plist": SoundBundle.info(root: root)])
        for number in 1...9 {
            files["other\(number)/Info.plist"] = SoundBundle.attributes("", category: "<string>c\(number)</string>")
        }
        files["a.apns"] = #"{"aps": {"alert": "x", "category": "elsewhere"}}"#
        try EditorWorkspace.with(files) { editor in
            try editor.open("bundle/Info.plist")
            #expect(try editor.marks("bundle/Info.plist") == ["misplacedKey: NSExtensionAttributes"])
            #expect(try editor.fixes("bundle/Info.plist") == [])
            try editor.open("a.apns")
            let titles = try editor.fixes("a.apns").map { $0["title"] }
            #expect(titles == ["c1", "c2", "c3", "c4", "c5"].map { "Replace it by \($0)" })
        }
    }

    // MARK: Texts

    private static let english = "bundle/en.lproj/Localizable.strings"
    private static let german = "bundle/de.lproj/Localizable.strings"
    private static let french = "bundle/fr.lproj/Localizable.strings"

    @Test(
        "A missing pair that is declared by a pointer, or with a number, is added where it belongs",
        arguments: [
            (
                "/ab/cards", #"<key>Type</key><string>array</string><key>Example</key><string>[1]</string>"#,
                #""ab": {"c": null}"#, "Add /ab/cards", #""ab": {"c": null, "cards": [1]}"#
            ),
            (
                "item_#_id", #"<key>Type</key><string>string</string><key>Example</key><string>a</string>"#,
                #""item_1_id": "x", "item_2_name": "y""#, "Add item_2_id",
                #""item_1_id": "x", "item_2_name": "y", "item_2_id": "a""#
            ),
        ]
    )
    func pairs(key: String, declaration: String, before: String, title: String, after: String) throws {
        let keys = "<key>PushhostUserInfoKeys</key><dict><key>\(key)</key><dict>\(declaration)</dict></dict>"
        let files = SoundBundle.files(["Info.plist": SoundBundle.attributes(keys)])
        try EditorWorkspace.with(files) { editor in
            let payload = { (pairs: String) in #"{"aps": {"alert": "x", "category": "checked"}, \#(pairs)}"# }
            try editor.open("bundle/a.apns", payload(before))
            let fix = try #require(try editor.fixes("bundle/a.apns").first { $0["title"] == .string(title) })
            try editor.apply(fix)
            #expect(editor.text("bundle/a.apns") == payload(after))
            #expect(try !editor.marks("bundle/a.apns").contains { $0.hasPrefix("missingKey") })
        }
    }

    @Test("A missing text is added to its file or to every locale, open or not, with the text that was written first")
    func texts() throws {
        let files = SoundBundle.files([
            "en.lproj/Localizable.strings": "\"A\" = \"say \\\"a\\\"\";\n",
            "de.lproj/Localizable.strings": "\"B\" = \"b\";",
            "fr.lproj/Localizable.strings": "",
        ])
        try EditorWorkspace.with(files) { editor in
            try editor.open(Self.german)
            let fixes = try editor.fixes(Self.german)
            #expect(fixes.map { $0["title"] } == ["Add A", "Add A to every locale"])
            try editor.apply(try #require(fixes.last))
            #expect(editor.text(Self.german) == "\"B\" = \"b\";\n\"A\" = \"say \\\"a\\\"\";\n")
            #expect(editor.diagnostics(Self.german) == [])
            try editor.open(Self.french)
            #expect(editor.text(Self.french) == "\"A\" = \"say \\\"a\\\"\";\n")
            #expect(editor.diagnostics(Self.french) == [])
        }
    }

    @Test("A key of a payload without a text is added to every locale")
    func unknownKey() throws {
        let payload = #"{"aps": {"alert": {"loc-key": "NEW"}, "category": "checked"}}"#
        let files = SoundBundle.files([
            "en.lproj/Localizable.strings": "\"OTHER_THING\" = \"a\";\n",
            "de.lproj/Localizable.strings": "\"NEW\" = \"neu\";\n",
            "a.apns": payload,
        ])
        try EditorWorkspace.with(files) { editor in
            try editor.open("bundle/a.apns")
            let fix = try #require(try editor.fixes("bundle/a.apns").first { $0["title"] == "Add NEW to every locale" })
            try editor.apply(fix)
            try editor.open(Self.english)
            #expect(editor.text(Self.english) == "\"OTHER_THING\" = \"a\";\n\"NEW\" = \"NEW\";\n")
            try editor.open(Self.german)
            #expect(editor.text(Self.german) == "\"NEW\" = \"neu\";\n")
            editor.change("bundle/a.apns", payload + "\n")
            #expect(editor.diagnostics("bundle/a.apns") == [])
        }
    }

    @Test("After an edit nothing is offered until the new text is checked, because the places have moved")
    func editedMeanwhile() throws {
        let probe = try Probe()
        probe.open(#"{"aps": {"sond": "a"}}"#)
        let finding: JSON = [
            "level": "error", "reason": "misspeltKey", "path": "/aps/sond", "message": "",
            "advice": "did you mean sound?",
        ]
        func titles() throws -> [JSON?] {
            let line = { (number: JSON) -> JSON in ["line": number, "character": 0] }
            let params: JSON = [
                "textDocument": ["uri": "file:///a.apns"], "range": ["start": line(0), "end": line(9)],
                "context": ["diagnostics": []],
            ]
            return try probe.request("textDocument/codeAction", params)["result"]?.elements.map { $0["title"] } ?? []
        }
        while !probe.calls.isEmpty { probe.answer(["findings": [finding]]) }
        #expect(try titles() == ["Replace it by sound"])
        probe.change(2, [["text": #"{"x": 1, "aps": {"sond": "a"}}"#]])
        #expect(try titles() == [])
        while !probe.calls.isEmpty { probe.answer(["findings": [finding]]) }
        #expect(try titles() == ["Replace it by sound"])
    }

    @Test("A key with an accent behind a quote is written so that it is read again")
    func accents() throws {
        let key = "a\"\u{301}\n\\"
        let file = try StringsFile(Array("\(key.quotedInStringsFile) = \"b\";".utf8))
        #expect(file.texts == [key: "b"])
    }
}
