import Foundation
import JSON
import Testing

@testable import LanguageServer

/// The findings about bundles while their files are edited.
@Suite struct BundleDiagnosticsTests {
    private static let german = "bundle/de.lproj/Localizable.strings"
    private static let english = "bundle/en.lproj/Localizable.strings"
    private static let texts = [
        "en.lproj/Localizable.strings": "\"A\" = \"a\";\n\"B\" = \"b\";\n",
        "de.lproj/Localizable.strings": "/* German */\n\"A\" = \"x\";\n\"B\" = \"y\";\n",
    ]

    @Test("A sound bundle has no finding, and the unsaved text counts, not the file")
    func unsaved() throws {
        try EditorWorkspace.with(SoundBundle.files(Self.texts)) { editor in
            for file in ["bundle/Info.plist", "bundle/run.entitlements", Self.german] {
                try editor.open(file)
                #expect(try editor.marks(file) == [])
            }
            let misspelt = SoundBundle.info().replacing("Category<", with: "Catgory<")
            editor.change("bundle/Info.plist", misspelt)
            let marks = try editor.marks("bundle/Info.plist")
            #expect(marks.contains("misspeltKey: UNNotificationExtensionCatgory"), "\(marks)")
            editor.change("bundle/Info.plist", SoundBundle.info())
            #expect(try editor.marks("bundle/Info.plist") == [])
        }
    }

    @Test("What a copy of the bundle would lack is marked in its Info.plist when it is opened or saved")
    func incompleteCopy() throws {
        try EditorWorkspace.with(SoundBundle.files(["x/y.txt": ""])) { editor in
            let link = "\(editor.folder)/bundle/shared.txt"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/etc/hostname")
            try editor.open("bundle/Info.plist")
            #expect(try editor.marks("bundle/Info.plist").map { $0.prefix { $0 != ":" } } == ["incompleteCopy"])
            let message = editor.diagnostics("bundle/Info.plist").first?["message"]?.string ?? ""
            #expect(message.hasPrefix("shared.txt: it is a link that leaves the bundle"), "\(message)")
            try FileManager.default.removeItem(atPath: link)
            editor.save("bundle/Info.plist")
            #expect(try editor.marks("bundle/Info.plist") == [])
        }
    }

    @Test("An edit of one language changes the findings about another open one, and closing it restores them")
    func otherDocument() throws {
        try EditorWorkspace.with(SoundBundle.files(Self.texts)) { editor in
            try editor.open(Self.german)
            try editor.open(Self.english)
            editor.change(Self.english, editor.text(Self.english) + "\"C\" = \"c\";\n")
            #expect(try editor.marks(Self.german) == ["missingText: \"A\""])
            let related = editor.diagnostics(Self.german).first?["relatedInformation"]?[0]?["location"]
            #expect(related?["uri"] == .string(editor.uri(Self.english)))
            #expect(related?["range"]?["start"]?["line"] == 2)
            editor.close(Self.english)
            #expect(try editor.marks(Self.german) == [])
        }
    }

    @Test("The language in which the texts were written is that of the unsaved Info.plist")
    func region() throws {
        let files = SoundBundle.files([
            "en.lproj/Localizable.strings": "A = a;", "de.lproj/Localizable.strings": "B = b;",
        ])
        try EditorWorkspace.with(files) { editor in
            try editor.open(Self.english)
            #expect(try editor.marks(Self.english) == [])
            let root = "\n\t<key>CFBundleDevelopmentRegion</key>\n\t<string>de</string>"
            try editor.open("bundle/Info.plist", SoundBundle.info(root: root))
            #expect(try editor.marks(Self.english) == ["missingText: A"])
        }
    }

    @Test("A missing file and the name of a folder are marked in the open documents that they are about")
    func files() throws {
        let files = SoundBundle.files(["German.lproj/Localizable.strings": "A = a;"])
            .filter { !$0.key.hasSuffix(".entitlements") }
        try EditorWorkspace.with(files) { editor in
            try editor.open("bundle/Info.plist")
            #expect(try editor.marks("bundle/Info.plist") == ["missingEntitlements: run"])
            try editor.open("bundle/German.lproj/Localizable.strings")
            #expect(try editor.marks("bundle/German.lproj/Localizable.strings") == ["languageFolder: A"])
        }
    }

    @Test("What only the host knows, that a bundle cannot be started, is marked at its executable until that is built")
    func start() throws {
        try EditorWorkspace.with(SoundBundle.files()) { editor in
            let problem: JSON = ["message": "it is missing", "severity": "error", "preventsStart": true]
            editor.extensions = [["path": .string("\(editor.folder)/bundle"), "problems": [problem]]]
            try editor.open("bundle/Info.plist")
            #expect(try editor.marks("bundle/Info.plist") == ["cannotStart: run"])
            editor.extensions = []
            editor.save("bundle/Info.plist")
            #expect(try editor.marks("bundle/Info.plist") == [])
        }
    }

    @Test("The Info.plist of an app is none of a bundle's")
    func app() throws {
        let info = "<plist><dict><key>CFBundleIdentifier</key><string>com.example</string></dict></plist>"
        try EditorWorkspace.with(["app/Info.plist": info, "app/app.entitlements": "<plist><dict/></plist>"]) { editor in
            try editor.open("app/Info.plist")
            try editor.open("app/app.entitlements")
            #expect(try editor.marks("app/Info.plist") == [])
            #expect(try editor.marks("app/app.entitlements") == [])
            editor.change("app/Info.plist", info.replacing("CFBundleIdentifier", with: "NSExtensions"))
            #expect(try editor.marks("app/Info.plist").contains("misspeltKey: NSExtensions"))
        }
    }

    @Test("A category that another bundle shows leads to its Info.plist")
    func conflict() throws {
        var files = SoundBundle.files()
        files["other/Info.plist"] = SoundBundle.info(identifier: "com.example.another")
        files["other/run.entitlements"] = files["bundle/run.entitlements"]
        try EditorWorkspace.with(files) { editor in
            try editor.open("bundle/Info.plist")
            #expect(try editor.marks("bundle/Info.plist") == ["categoryConflict: checked"])
            let location = editor.diagnostics("bundle/Info.plist").first?["relatedInformation"]?[0]?["location"]
            #expect(location?["uri"] == .string(editor.uri("other/Info.plist")))
            try editor.open("other/Info.plist")
            #expect(try editor.marks("other/Info.plist") == [], "its identifier comes first")
        }
    }

    @Test("A finding about a payload leads to the category and the texts that it is compared with")
    func related() throws {
        let payload = #"{"aps": {"alert": {"loc-key": "NONE"}, "category": "chekced"}}"#
        try EditorWorkspace.with(SoundBundle.files(Self.texts).merging(["bundle/a.apns": payload]) { $1 }) { editor in
            try editor.open("bundle/a.apns")
            let related = { (code: JSON) in
                editor.diagnostics("bundle/a.apns").first { $0["code"] == code }?["relatedInformation"]?[0]?["location"]
            }
            #expect(related("noExtension")?["uri"] == .string(editor.uri("bundle/Info.plist")))
            #expect(related("noExtension")?["range"]?["start"]?["line"] == 14)
            #expect(related("unknownLocalizationKey")?["uri"] == .string(editor.uri(Self.english)))
        }
    }

    @Test("Each code has a severity, a tag where one applies, and a link to the line that explains it")
    func codes() throws {
        let info = SoundBundle.attributes(
            "<key>UNNotificationExtensionNonsensePart</key>\n\t\t\t<true/>",
            category: "<string>ab_cat_push_story</string>"
        )
        let payload = #"{"aps": {"alert": "x", "badge": {}, "category": "ab_cat_push_story"}}"#
        try EditorWorkspace.with(SoundBundle.files(["Info.plist": info, "a.apns": payload])) { editor in
            try editor.open("bundle/Info.plist")
            try editor.open("bundle/a.apns")
            let found = (editor.diagnostics("bundle/Info.plist") + editor.diagnostics("bundle/a.apns")).map {
                "\($0["code"]?.string ?? "") \($0["severity"] ?? .null) \($0["tags"] ?? .null)"
            }
            #expect(found.sorted() == ["formerCategory 2 [2]", "ignoredMember 1 [1]", "unknownKey 1 [1]"])
            for file in ["bundle/Info.plist", "bundle/a.apns"] {
                for diagnostic in editor.diagnostics(file) {
                    #expect(diagnostic["source"] == "pushhost")
                    let link = try #require(diagnostic["codeDescription"]?["href"]?.string)
                    let (uri, line) = try #require(
                        link.wholeMatch(of: /(.+)#L(\d+)/).map { (String($0.1), Int($0.2) ?? 0) }
                    )
                    let path = try #require(LanguageServer.path(uri))
                    let lines = try #require(Workspace.contents(path)).split(
                        separator: 0x0A,
                        omittingEmptySubsequences: false
                    )
                    let row = String(decoding: lines[line - 1], as: UTF8.self)
                    #expect(row.hasPrefix("| `") && row.contains("`\(diagnostic["code"]?.string ?? "?")`"), "\(row)")
                }
            }
        }
    }
}
