import JSON
import TestSupport
import Testing

@testable import LanguageServer

/// Each mistake that the checks know, with the code and the text that an editor marks.
@Suite struct MarkedMistakesTests {
    /// A mistake in a document.
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let file: String
        let text: String
        let marks: [String]
        /// Further files of the bundle.
        var others: [String: String] = [:]

        init(
            _ description: String,
            _ file: String,
            _ text: String,
            _ others: [String: String] = [:],
            _ marks: String...
        ) {
            (testDescription, self.file, self.text, self.marks) = (description, file, text, marks)
            self.others = others
        }
    }

    /// The attributes of the bundle that shows the payloads.
    private static let declared = """
        <key>PushhostUserInfoKeys</key><dict>
        \([
            ("completed", "integer", "3", true), ("total", "integer", "8", true), ("ratio", "number", "0.5", false),
            ("is_last", "boolean", "true", false), ("link", "url", "https://example.com", false),
            ("next_name", "string", "Currents", false), ("items", "array", "[{}]", false),
        ].map { name, type, example, isRequired in
            "<key>\(name)</key><dict><key>Type</key><string>\(type)</string><key>Example</key><string>\(example)"
                + "</string><key>Required</key><\(isRequired)/></dict>"
        }.joined())
        </dict>
        """

    // MARK: Payloads

    /// A payload of the bundle, with further members in `aps` and beside it.
    private static func payload(_ description: String, aps: String = "", _ pairs: String = "", _ marks: String...)
        -> Row
    {
        let alert = aps.contains("\"alert\"") ? "" : "\"alert\": \"x\""
        let category = aps.contains("\"category\"") ? "" : "\"category\": \"checked\""
        let members = [alert, category, aps].filter { !$0.isEmpty }.joined(separator: ", ")
        let needed = ["completed", "total"].filter { name in
            !pairs.contains("\"\(name)\"") && !pairs.contains("\"completd")
        }
        let all = ["\"aps\": {\(members)}"] + needed.map { "\"\($0)\": \"3\"" } + (pairs.isEmpty ? [] : [pairs])
        return Row(description, "a.apns", "{\(all.joined(separator: ", "))}", marks: marks)
    }

    private static let payloads: [Row] = [
        payload("a misspelt member", aps: #""badg": 1"#, "", #"misspeltKey: "badg""#),
        payload("a member that is a pair", aps: #""own": 1"#, "", #"misplacedKey: "own""#),
        payload("a declared pair in aps", aps: #""next_name": "x""#, "", #"misplacedKey: "next_name""#),
        payload("a number as a text", aps: #""badge": "1""#, "", #"ignoredMember: "badge""#),
        payload("a text as a number", aps: #""thread-id": 1"#, "", #"ignoredMember: "thread-id""#),
        payload("an unknown level", aps: #""interruption-level": "loud""#, "", #"ignoredMember: "interruption-level""#),
        payload("a relevance above 1", aps: #""relevance-score": 5"#, "", #"ignoredMember: "relevance-score""#),
        payload("mutable-content as a boolean", aps: #""mutable-content": true"#, "", "serviceSkipped: true"),
        payload("a misspelt category", aps: #""category": "chekced""#, "", #"noExtension: "chekced""#),
        payload("a category in another case", aps: #""category": "CHECKED""#, "", #"noExtension: "CHECKED""#),
        payload("an unknown category", aps: #""category": "elsewhere""#, "", #"noExtension: "elsewhere""#),
        payload("an empty category", aps: #""category": """#, "", #"noExtension: "aps""#),
        payload("an empty alert", aps: #""alert": """#, "", #"noAlert: "alert""#),
        payload("a silent push", aps: #""alert": "", "content-available": 1"#, "", #"noAlert: "alert""#),
        payload("a misspelt title", aps: #""alert": {"titel": "x", "body": "y"}"#, "", #"misspeltKey: "titel""#),
        payload("a title of another type", aps: #""alert": {"title": 1, "body": "y"}"#, "", #"ignoredMember: "title""#),
        payload("an unknown text", aps: #""alert": {"loc-key": "KEY"}"#, "", #"unknownLocalizationKey: "KEY""#),
        payload("a sound of another type", aps: #""sound": 1"#, "", #"ignoredMember: "sound""#),
        payload("a critical sound", aps: #""sound": {"critical": true, "name": "a"}"#, "", "wrongValue: true"),
        payload("a volume", aps: #""sound": {"volume": 2, "name": "a"}"#, "", "wrongValue: 2"),
        payload("a sound without a name", aps: #""sound": {"critical": 1}"#, "", #"missingKey: "sound""#),
        payload("a misspelt sound", aps: #""sound": {"nam": "a", "name": "b"}"#, "", #"misspeltKey: "nam""#),
        payload("an integer that is none", #""completed": "3.0""#, #"wrongValue: "3.0""#),
        payload("an integer with a space", #""completed": " 3""#, #"wrongValue: " 3""#),
        payload("an integer in words", #""completed": "three""#, #"wrongValue: "three""#),
        payload("a bare integer", #""completed": 3"#, "wrongValue: 3"),
        payload("null", #""completed": null"#, "wrongValue: null"),
        payload("a number in words", #""ratio": "half""#, #"wrongValue: "half""#),
        payload("a bare number", #""ratio": 0.5"#, "wrongValue: 0.5"),
        payload("a boolean in words", #""is_last": "yes""#, #"wrongValue: "yes""#),
        payload("a bare boolean", #""is_last": true"#, "wrongValue: true"),
        payload("a URL", #""link": "example""#, #"wrongValue: "example""#),
        payload("an array for a text", #""next_name": []"#, "wrongValue: []"),
        payload("a text for an array", #""items": "x""#, #"wrongValue: "x""#),
        payload("a misspelt pair", #""completd": "3", "total": "8""#, #"misspeltKey: "completd""#),
        payload("a misspelt optional pair", #""next_nme": "x""#, #"misspeltKey: "next_nme""#),
        Row(
            "a missing pair",
            "a.apns",
            #"{"aps": {"alert": "x", "category": "checked"}, "total": "8"}"#,
            [:],
            "missingKey: {"
        ),
        payload("ab as a text", #""ab": "x""#, #"reservedKey: "ab""#),
        payload("an empty ab", #""ab": {}"#, #"reservedKey: "ab""#),
        payload("ab_uri of another type", #""ab_uri": 1"#, #"reservedKey: "ab_uri""#),
        payload("ab_uri that is no URL", #""ab_uri": "home""#, #"wrongValue: "home""#),
        payload("an internal push", #""ab_cd": "x""#, #"reservedKey: "ab_cd""#),
        payload("badge beside aps", #""badge": 1"#, #"misplacedKey: "badge""#),
        payload("a name of Braze's API", #""mutable_content": 1"#, #"misplacedKey: "mutable_content""#),
        payload("the link of Braze's API", #""custom_uri": "x""#, #"misplacedKey: "custom_uri""#),
        payload("rich push", #""ab": {"att": {"url": "https://x/y", "type": "png"}}"#, #"notMutable: "att""#),
        payload(
            "a file type",
            aps: #""mutable-content": 1"#,
            #""ab": {"att": {"url": "https://x/y", "type": "bmp"}}"#,
            #"wrongValue: "bmp""#
        ),
        payload("a key in another case", #""Braze_id": "ada""#, #"misspeltKey: "Braze_id""#),
        payload("Liquid", #""next_name": "{{ x }}""#, #"unrenderedLiquid: "{{ x }}""#),
        payload("Liquid in an alert", aps: #""alert": "{{${name}""#, "", #"unrenderedLiquid: "{{${name}""#),
        payload("too large", "\"text\": \"\(String(repeating: "y", count: 4_096))\"", "payloadTooLarge: {"),
        payload(
            "too large for the API",
            "\"text\": \"\(String(repeating: "y", count: 1_900))\"",
            "requestTooLarge: {"
        ),
        Row("an array", "a.apns", "[]", [:], "invalidPayload: ["),
        Row("aps of another type", "a.apns", #"{"aps": 1}"#, [:], #"invalidPayload: "aps""#),
        Row("no aps", "a.apns", #"{"alert": "x"}"#, [:], "invalidPayload: {", #"misplacedKey: "alert""#),
        Row(
            "a Live Activity",
            "a.apns",
            #"{"aps": {"event": "stop", "timestamp": 1, "content-state": {}}}"#,
            [:],
            #"ignoredMember: "event""#,
            #"liveActivity: "aps""#
        ),
        Row(
            "a missing comma",
            "a.apns",
            #"{"aps": {"alert": "x" "category": "checked"}, "completed": "1", "total": "2"}"#,
            [:],
            #"invalidJSON: ""#
        ),
    ]

    // MARK: Property lists

    private static func info(_ description: String, _ text: String, _ marks: String...) -> Row {
        Row(description, "Info.plist", text, marks: marks)
    }

    private static let prefix = "UNNotificationExtension"
    private static let noCategory = "missingKey: NSExtensionAttributes"

    private static func attribute(_ description: String, _ name: String, _ value: String, _ marks: String...) -> Row {
        Row(description, "Info.plist", SoundBundle.attributes("<key>\(name)</key>\n\t\t\t\(value)"), marks: marks)
    }

    private static func category(_ description: String, _ value: String, _ marks: String...) -> Row {
        Row(description, "Info.plist", SoundBundle.attributes("", category: value), marks: marks)
    }

    private static let lists: [Row] = [
        info(
            "a letter is missing",
            SoundBundle.attributes("<key>\(prefix)Catgory</key>\n<string>checked</string>", category: nil),
            noCategory,
            "misspeltKey: \(prefix)Catgory"
        ),
        attribute("a plural", "\(prefix)Categories", "<array/>", "unknownKey: \(prefix)Categories"),
        attribute("another case", "\(prefix)CATEGORY", "<string>x</string>", "misspeltKey: \(prefix)CATEGORY"),
        attribute(
            "another prefix",
            "UNNotificatonExtensionCategory",
            "<string>x</string>",
            "misspeltKey: UNNotificatonExtensionCategory"
        ),
        attribute("the guide's", "\(prefix)InteractionEnabled", "<true/>", "misspeltKey: \(prefix)InteractionEnabled"),
        attribute("unknown", "\(prefix)NonsensePart", "<true/>", "unknownKey: \(prefix)NonsensePart"),
        attribute(
            "a destination's",
            "PushhostDestinationName",
            "<string>x</string>",
            "unknownKey: PushhostDestinationName"
        ),
        attribute("environment", "PushhostEnvironment", "<array/>", "unknownKey: PushhostEnvironment"),
        attribute(
            "too deep",
            "NSExtensionPointIdentifier",
            "<string>x</string>",
            "misplacedKey: NSExtensionPointIdentifier"
        ),
        info(
            "too high",
            SoundBundle.info(nsExtension: "\n\t\t<key>\(prefix)Category</key>\n\t\t<string>checked</string>"),
            "misplacedKey: \(prefix)Category"
        ),
        info(
            "at the root",
            SoundBundle.info(root: "\n\t<key>NSExtensionAttributes</key>\n\t<dict/>"),
            "misplacedKey: NSExtensionAttributes"
        ),
        info(
            "a root key",
            SoundBundle.info(root: "\n\t<key>CFBundleExecuteable</key>\n\t<string>run</string>"),
            "misspeltKey: CFBundleExecuteable"
        ),
        info(
            "NSExtension",
            SoundBundle.info(root: "\n\t<key>NSExtensions</key>\n\t<dict/>"),
            "misspeltKey: NSExtensions"
        ),
        attribute("ratio 0", "\(prefix)InitialContentSizeRatio", "<real>0</real>", "wrongValue: 0"),
        attribute("ratio below 0", "\(prefix)InitialContentSizeRatio", "<real>-0.5</real>", "wrongValue: -0.5"),
        attribute("absurd ratio", "\(prefix)InitialContentSizeRatio", "<integer>300</integer>", "wrongValue: 300"),
        attribute("ratio as text", "\(prefix)InitialContentSizeRatio", "<string>0.5</string>", "wrongValue: 0.5"),
        attribute("boolean as text", "\(prefix)DefaultContentHidden", "<string>YES</string>", "wrongValue: YES"),
        info("no category", SoundBundle.info("\t\t<dict>\n\t\t</dict>"), noCategory),
        category("empty category", "<string></string>", "wrongValue: \(prefix)Category"),
        category("empty list", "<array/>", "wrongValue: <array/>"),
        category(
            "white space",
            "<array>\n<string>checked</string>\n<string>other </string>\n</array>",
            "categoryWhiteSpace: other "
        ),
        category(
            "twice",
            "<array><string>checked</string><string>checked</string></array>",
            "repeatedCategory: checked"
        ),
        category("built-in misspelt", "<string>ab_cat_yes_now</string>", "misspeltCategory: ab_cat_yes_now"),
        category(
            "built-in with hyphens",
            "<string>AB-Cat-Push-Story-V2</string>",
            "misspeltCategory: AB-Cat-Push-Story-V2"
        ),
        category("former", "<string>ab_cat_push_story</string>", "formerCategory: ab_cat_push_story"),
        category("reserved", "<string>ab_cat_treasure_hunt</string>", "reservedCategory: ab_cat_treasure_hunt"),
        info("no attributes", SoundBundle.info(nil), "missingKey: NSExtension"),
        info(
            "point",
            SoundBundle.info(point: "com.apple.usernotification.content-extension"),
            "wrongValue: com.apple.usernotification.content-extension"
        ),
        info("build variable", SoundBundle.info(identifier: "$(PRODUCT_BUNDLE_IDENTIFIER)"), "bundleProblem: <dict>"),
        info(
            "path",
            SoundBundle.info(executable: "<key>CFBundleExecutable</key>\n<string>../run</string>"),
            "wrongValue: ../run"
        ),
        info("a host's identifier", SoundBundle.info(identifier: "host"), "wrongValue: host"),
        info(
            "broken XML",
            SoundBundle.info().replacing("</array>", with: "").replacing(
                "<key>NSExtension</key>",
                with: "<key>NSExtension</kay>"
            ),
            "unreadableFile: <key>NSExtension</kay>"
        ),
        attribute(
            "an example of another type",
            "PushhostUserInfoKeys",
            "<dict><key>n</key><dict><key>Type</key><string>integer</string><key>Example</key><string>x</string></dict></dict>",
            "wrongValue: x"
        ),
        attribute(
            "an unknown type",
            "PushhostUserInfoKeys",
            "<dict><key>n</key><dict><key>Type</key><string>int</string><key>Example</key><string>1</string></dict></dict>",
            "wrongValue: int"
        ),
        attribute(
            "an unknown member",
            "PushhostUserInfoKeys",
            "<dict><key>n</key><dict><key>Typ</key><string>integer</string></dict></dict>",
            "unknownKey: Typ"
        ),
    ]

    // MARK: Entitlements and texts

    private static func entitlements(_ description: String, _ lines: String, _ marks: String...) -> Row {
        Row(description, "run.entitlements", SoundBundle.entitlements(lines), marks: marks)
    }

    private static let german = "de.lproj/Localizable.strings"

    private static let others: [Row] = [
        entitlements(
            "singular",
            "<key>com.apple.security.application-group</key><array><string>group.a</string></array>",
            "misspeltKey: com.apple.security.application-group"
        ),
        entitlements("no key", "<key>aps-environment</key><string>development</string>", "missingKey: <dict>"),
        entitlements("no group", "\(SoundBundle.groups)<array/>", "wrongValue: <array/>"),
        entitlements(
            "bad name",
            "\(SoundBundle.groups)<array><string>group/a</string></array>",
            "wrongAppGroup: group/a"
        ),
        entitlements(
            "case",
            "\(SoundBundle.groups)<array><string>group.a</string><string>group.A</string></array>",
            "repeatedAppGroup: group.A"
        ),
        entitlements(
            "twice",
            "\(SoundBundle.groups)<array><string>group.a</string><string>group.a</string></array>",
            "repeatedAppGroup: group.a"
        ),
        entitlements(
            "no prefix",
            "\(SoundBundle.groups)<array><string>com.example</string></array>",
            "wrongAppGroup: com.example"
        ),
        entitlements("type", "\(SoundBundle.groups)<integer>5</integer>", "wrongValue: 5"),
        Row("a second file", "app.entitlements", SoundBundle.entitlements(""), [:], "unreadFile: <dict>"),
        Row(
            "a missing semicolon",
            german,
            "\"A\" = \"a\"\n\n\"B\" = \"b\";\n",
            [:],
            "unreadableStrings: \"A\" = \"a\""
        ),
        Row("a missing text", german, "\"A\" = ;\n", [:], "unreadableStrings: \"A\" = ;"),
        Row("an open comment", german, "A = a;\n/* and\nso on", [:], "unreadableStrings: /* and"),
        Row("an open text", german, "A = a;\n\"B\" = \"b;\n", [:], "unreadableStrings: \"B\" = \"b;"),
        Row(
            "a missing key",
            german,
            "\n\"A\" = \"a\";\n",
            ["en.lproj/Localizable.strings": "A = a; B = b;"],
            "missingText: \"A\""
        ),
        Row("outside a folder", "Localizable.strings", "A = a;", [:], "misplacedFile: A"),
        Row("the name of a folder", "German.lproj/Localizable.strings", "A = a;", [:], "languageFolder: A"),
        Row("the case of a folder", "DE.lproj/Localizable.strings", "A = a;", [:], "languageFolder: A"),
        Row("the case of a file", "de.lproj/localizable.strings", "A = a;", [:], "misnamedFile: A"),
    ]

    @Test("A mistake is marked where it is", arguments: payloads + lists + others)
    func marks(row: Row) throws {
        var files = SoundBundle.files(["Info.plist": SoundBundle.attributes(Self.declared)])
        for (name, text) in row.others { files["bundle/\(name)"] = text }
        // What is found among the names of files is found on disk.
        files["bundle/\(row.file)"] = row.text
        try EditorWorkspace.with(files) { editor in
            try editor.open("bundle/\(row.file)")
            #expect(try editor.marks("bundle/\(row.file)") == row.marks, "\(row.text)")
        }
    }

    @Test("The table has the mistakes that the checks know")
    func count() { #expect((Self.payloads + Self.lists + Self.others).count >= 62) }
}

extension MarkedMistakesTests.Row {
    fileprivate init(_ description: String, _ file: String, _ text: String, marks: [String]) {
        (testDescription, self.file, self.text, self.marks) = (description, file, text, marks)
    }
}
