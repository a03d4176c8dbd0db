import BundleChecks
import Foundation
import TestSupport
import Testing

/// What `extensions check` finds in the localized texts of a bundle.
@Suite struct LocalizationValidatorTests {
    /// The findings about a bundle with these files, each as its severity, place and message.
    private func findings(_ files: [String: String]) throws -> [String] {
        try withTemporaryDirectory { folder in
            for (name, text) in files {
                let file = URL(filePath: "\(folder)/\(name)")
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                try Data(text.utf8).write(to: file)
            }
            return BundleChecks(folder: folder).texts().map { "\($0.severity) \($0.file): \($0.message)" }
        }
    }

    @Test("Languages with the same keys give no finding, nor does a region that only differs in some")
    func good() throws {
        let files = [
            "en.lproj/Localizable.strings": "A = a; B = b;", "de.lproj/Localizable.strings": "A = x; B = y;",
            "de-AT.lproj/Localizable.strings": "A = z;", "zh-Hant.lproj/Localizable.strings": "B = b; A = a;",
            "pt-BR.lproj/Localizable.strings": "A = a; B = b; ONLY_HERE = c;", "Base.lproj/Main.storyboard": "<x/>",
            "sr_Latn.lproj/InfoPlist.strings": "CFBundleDisplayName = x;",
        ]
        #expect(try findings(files) == [])
        #expect(try findings([:]) == [])
    }

    @Test("A damaged table is an error with its line, whether it is read here or only on a phone")
    func syntax() throws {
        let files = [
            "en.lproj/Localizable.strings": "\"A\" = \"a\";",
            "de.lproj/Localizable.strings": "\"A\" = \"a\"\n\n\"B\" = \"b\";",
            "de.lproj/InfoPlist.strings": "x = ;", "fr.lproj/Localizable.strings": "<plist>",
        ]
        let found = try findings(files)
        #expect(found.count == 3, "\(found)")
        for text in [
            "error de.lproj/Localizable.strings: line 1: the entry of \"A\" must end with a semicolon",
            "error de.lproj/InfoPlist.strings: line 1: a text is needed", "error fr.lproj/Localizable.strings: ",
        ] {
            #expect(found.contains { $0.hasPrefix(text) }, "\(found)")
        }
    }

    @Test("Keys that a language lacks are named, with the misspelt ones that were perhaps meant")
    func keys() throws {
        let files = [
            "Info.plist": "<plist><dict><key>CFBundleDevelopmentRegion</key><string>de</string></dict></plist>",
            "en.lproj/Localizable.strings": "TITEL_KEY = a;", "de.lproj/Localizable.strings": "TITLE_KEY = x;",
            "fr.lproj/Localizable.strings": "", "de-CH.lproj/Localizable.strings": "",
        ]
        let start = ".lproj/Localizable.strings: a key of de.lproj is missing, so another language is shown: TITLE_KEY"
        #expect(
            try findings(files) == [
                "warning en\(start) (is TITEL_KEY a misspelling of it?)", "warning fr\(start)",
            ]
        )
        let many = (1...9).map { "KEY_\($0) = x;" }.joined()
        let found = try findings(["en.lproj/Localizable.strings": many, "ko.lproj/Localizable.strings": ""])
        #expect(found.count == 1 && found[0].contains("9 keys of en.lproj are missing"), "\(found)")
        #expect(found.first?.hasSuffix("KEY_5 and 4 more") == true, "\(found)")
    }

    @Test("Catalogs and plurals are read: their mistakes are errors, and their keys count")
    func catalogs() throws {
        func catalog(_ languages: String) -> String {
            let units = languages.split(separator: " ").map { "\"\($0)\": {\"stringUnit\": {\"value\": \"x\"}}" }
            return """
                {"sourceLanguage": "en", "strings": {"A": {"localizations": {\(units.joined(separator: ","))}}, "B": {}}}
                """
        }
        #expect(try findings(["Localizable.xcstrings": catalog("en")]) == [])
        #expect(
            try findings(["Localizable.xcstrings": catalog("en de"), "fr.lproj/Localizable.strings": "A = a; B = b;"])
                == [
                    "warning Localizable.xcstrings (de): a key of en is missing, so another language is shown: B"
                ]
        )
        let plural = "<plist><dict><key>B</key><string>b</string></dict></plist>"
        #expect(
            try findings([
                "en.lproj/Localizable.strings": "A = a; B = b;", "fr.lproj/Localizable.strings": "A = a;",
                "fr.lproj/Localizable.stringsdict": plural,
            ]) == []
        )
        let broken = [
            "Localizable.xcstrings": "{\n",
            "de.lproj/Localizable.stringsdict": plural.replacing("<string>b</string>", with: "<array/>"),
        ]
        let found = try findings(broken)
        #expect(found.count == 2, "\(found)")
        #expect(found.first == "error de.lproj/Localizable.stringsdict: B: an entry needs NSStringLocalizedFormatKey")
        #expect(found.last?.hasPrefix("error Localizable.xcstrings: line ") == true, "\(found)")
    }

    @Test(
        "A folder or file that is not read is reported with the name that is",
        arguments: [
            ("German.lproj/Localizable.strings", "German.lproj: it is not read here; rename it de.lproj"),
            ("Klingonisch.lproj/Localizable.strings", "because \"Klingonisch\" is not a language tag"),
            ("DE.lproj/Localizable.strings", "DE.lproj: rename it de.lproj, because iOS compares names exactly"),
            ("zh-TW.lproj/Localizable.strings", "rename it zh-Hant.lproj, which a phone reads in all its regions"),
            ("pt-br.lproj/Localizable.strings", "rename it pt-BR.lproj"), ("de.LPROJ/x", "rename it de.lproj"),
            ("base.lproj/Localizable.strings", "rename it Base.lproj"),
            ("de-DE.lproj/Localizable.strings", "people who use de with another region do not see them"),
            (
                "de.lproj/localizable.strings",
                "de.lproj/localizable.strings: it is not read; rename it Localizable.strings"
            ),
            ("de.lproj/Localizable.string", "rename it Localizable.strings, case counts"),
            ("Localizable.strings", "Localizable.strings: it is not read here; move it into a folder such as en.lproj"),
            ("de.lproj/Localizable.xcstrings", "it is not read here; move it out of de.lproj"),
        ]
    )
    func names(file: String, message: String) throws {
        let found = try findings([file: ""])
        #expect(found.count == 1, "\(found)")
        #expect(found.contains { $0.hasPrefix("warning ") && $0.contains(message) }, "\(found)")
    }
}
