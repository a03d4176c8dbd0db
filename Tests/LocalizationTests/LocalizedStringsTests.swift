import Foundation
import JSON
import TestSupport
import Testing

@testable import Localization

@Suite struct LocalizedStringsTests {
    /// Creates a bundle's folder with `.strings` texts, by the names of their language folders.
    private func withBundle(
        _ texts: [String: String],
        region: String? = nil,
        _ body: (String, LocalizedStrings) throws -> Void
    ) throws {
        try withTemporaryDirectory { folder in
            for (name, text) in texts { try write(text, "\(folder)/\(name).lproj") }
            if let region {
                let list = "<plist><dict><key>CFBundleDevelopmentRegion</key><string>\(region)</string></dict></plist>"
                try Data(list.utf8).write(to: URL(filePath: "\(folder)/Info.plist"))
            }
            try body(folder, LocalizedStrings(folder: folder))
        }
    }

    private func write(_ text: String, _ folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: "\(folder)/Localizable.strings"))
    }

    @Test(
        "A locale has shorter forms",
        arguments: [
            ("de", ["de"]), ("de-AT", ["de-at", "de"]), ("de_AT", ["de-at", "de"]),
            ("zh-Hant-TW", ["zh-hant-tw", "zh-hant", "zh"]), ("de_DE.UTF-8@euro", ["de-de", "de"]), ("", []),
            ("../..", []), ("-", []),
        ] as [(String, [String])]
    )
    func chain(locale: String, forms: [String]) {
        #expect(LocalizedStrings.chain(locale) == forms)
    }

    @Test(
        "The text is from the closest folder that has the key",
        arguments: [
            ("de-AT", "at"), ("de_at", "at"), ("de-CH", "de"), ("de", "de"), ("zh-Hant-TW", "hant"), ("zh-Hans", "en"),
            ("pt_BR", "br"), ("pt", "en"), ("it", "en"), ("", "en"), ("../de", "en"), ("de.lproj/../de", "de"),
        ]
    )
    func closest(locale: String, text: String) throws {
        let folders = ["de-AT": "at", "de": "de", "zh-Hant": "hant", "pt_BR": "br", "en": "en", "Base": "base"]
        try withBundle(folders.mapValues { "k = \($0);" }) { _, strings in
            #expect(strings.find("k", locale: locale).text == .format(text))
        }
    }

    @Test("Each key is looked up in the locale, then in the development region, then in Base")
    func fallbacks() throws {
        let texts = [
            "fr": "a = fr;", "es": "a = es; b = es;", "en": "a = en; b = en;", "Base": "a = x; b = x; c = base;",
        ]
        try withBundle(texts, region: "es_ES") { _, strings in
            #expect(strings.find("a", locale: "fr").text == .format("fr"))
            let fallen = strings.find("b", locale: "fr")
            #expect(fallen.text == .format("es"))
            #expect(fallen.files == ["fr.lproj/Localizable.strings", "es.lproj/Localizable.strings"])
            #expect(strings.find("c", locale: "fr").text == .format("base"))
            #expect(strings.find("b", locale: "en").text == .format("en"))
        }
        try withBundle(texts, region: "$(DEVELOPMENT_LANGUAGE)") { _, strings in
            #expect(strings.find("b", locale: "fr").text == .format("en"), "a build variable of Xcode's stands for en")
        }
    }

    @Test("Plurals and a catalog are searched too, each language after the files of its folder")
    func formats() throws {
        let unit = { (text: String) in "{\"stringUnit\": {\"value\": \"\(text)\"}}" }
        let catalog = """
            {"sourceLanguage": "en", "strings": {
            "a": {"localizations": {"de-AT": \(unit("catalog")), "de": \(unit("catalog"))}},
            "c": {"localizations": {"de": \(unit("catalog"))}}, "d": {}}}
            """
        let list = "<plist><dict><key>b</key><string>plural</string></dict></plist>"
        try withBundle(["de": "a = de; b = de;"]) { folder, strings in
            try Data(catalog.utf8).write(to: URL(filePath: "\(folder)/Localizable.xcstrings"))
            try Data(list.utf8).write(to: URL(filePath: "\(folder)/de.lproj/Localizable.stringsdict"))
            for (key, locale, text) in [
                ("a", "de", "de"), ("a", "de-AT", "catalog"), ("b", "de", "plural"), ("c", "de", "catalog"),
                ("d", "de", "d"),
            ] {
                #expect(strings.find(key, locale: locale).text == .format(text), "\(key) \(locale)")
                #expect(strings.table(locale: locale).texts[key] == .format(text), "\(key) \(locale)")
            }
            #expect(
                strings.find("e", locale: "de").files == [
                    "de.lproj/Localizable.stringsdict", "de.lproj/Localizable.strings", "Localizable.xcstrings",
                ]
            )
        }
    }

    @Test(
        "A table has each text that a lookup finds, names damaged files, and leaves out files that are too large for it"
    )
    func table() throws {
        let large = String(repeating: "x", count: 600_000)
        let texts = [
            "fr": "a = fr;", "de": "a = \(large);", "en": "b = \(large); a = en;", "Base": "c = base", "es": "d = es;",
        ]
        try withBundle(texts) { _, strings in
            let french = strings.table(locale: "fr")
            #expect(french.texts["a"] == .format("fr"))
            #expect(french.texts.keys.sorted() == ["a", "b"])
            #expect(
                french.failures.count == 1 && french.failures[0].hasPrefix("Base.lproj/Localizable.strings: line 1")
            )
            #expect(french.json["a"] == "fr")
            let german = strings.table(locale: "de")
            #expect(german.texts.keys.sorted() == ["a"])
            #expect(
                german.failures.last == "en.lproj/Localizable.strings: with it the texts have more than 1048576 bytes"
            )
        }
    }

    @Test("The diagnostic of an unknown key names the files and their keys")
    func nowhere() throws {
        try withBundle(["de": "b = x; a = x;", "en": "c = x;"]) { folder, strings in
            let finding = strings.find("k", locale: "de")
            #expect(finding.text == nil)
            #expect(finding.files == ["de.lproj/Localizable.strings", "en.lproj/Localizable.strings"])
            #expect(finding.keys == ["a", "b", "c"])
            #expect(LocalizedStrings(folder: folder + "/nowhere").find("k", locale: "de").files == [])
        }
    }

    @Test("A changed file is read again, and a removed one is forgotten")
    func changes() throws {
        try withBundle(["de": "k = one;"]) { folder, strings in
            #expect(strings.find("k", locale: "de").text == .format("one"))
            try write("k = another;", "\(folder)/de.lproj")
            #expect(strings.find("k", locale: "de").text == .format("another"))
            try write("k = English;", "\(folder)/en.lproj")
            try FileManager.default.removeItem(atPath: "\(folder)/de.lproj")
            #expect(strings.find("k", locale: "de").text == .format("English"))
        }
    }

    @Test("A damaged file is reported with its path, and the others are used")
    func damaged() throws {
        try withBundle(["de": "k = x", "en": "k = English;"]) { _, strings in
            for _ in 0..<2 {
                let finding = strings.find("k", locale: "de")
                #expect(finding.text == .format("English"))
                #expect(
                    finding.failures == [
                        "de.lproj/Localizable.strings: line 1: the entry of \"k\" must end with a semicolon"
                    ]
                )
            }
        }
    }

    @Test("Files outside the bundle, pipes, folders and endless files are not read")
    func hostile() throws {
        try withBundle(["en": "k = English;"]) { folder, strings in
            try withTemporaryDirectory { elsewhere in
                try write("k = secret;", "\(elsewhere)/de.lproj")
                let manager = FileManager.default
                try manager.createSymbolicLink(
                    atPath: "\(folder)/de.lproj",
                    withDestinationPath: "\(elsewhere)/de.lproj"
                )
                try manager.createDirectory(atPath: "\(folder)/fr.lproj", withIntermediateDirectories: true)
                let file = "Localizable.strings"
                try manager.createSymbolicLink(
                    atPath: "\(folder)/fr.lproj/\(file)",
                    withDestinationPath: "\(elsewhere)/de.lproj/\(file)"
                )
                try manager.createDirectory(atPath: "\(folder)/es.lproj", withIntermediateDirectories: true)
                try #require(mkfifo("\(folder)/es.lproj/\(file)", 0o600) == 0)
                try manager.createDirectory(atPath: "\(folder)/it.lproj/\(file)", withIntermediateDirectories: true)
                try write("/*" + String(repeating: "x", count: 1 << 20) + "*/ k = large;", "\(folder)/ko.lproj")
                try manager.createDirectory(atPath: "\(folder)/ja.lproj", withIntermediateDirectories: true)
                try manager.createSymbolicLink(atPath: "\(folder)/ja.lproj/\(file)", withDestinationPath: "nothing")
                for (locale, reason) in [
                    ("de", "leaves the bundle"), ("fr", "leaves the bundle"), ("es", "not a file"),
                    ("it", "not a file"),
                    ("ko", "larger than 1048576 bytes"), ("ja", "a link to nothing"),
                ] {
                    let finding = strings.find("k", locale: locale)
                    #expect(finding.text == .format("English"), "\(locale)")
                    #expect(finding.failures.count == 1 && finding.failures[0].contains(reason), "\(finding.failures)")
                }
            }
        }
    }

    @Test("A link within the bundle is followed")
    func link() throws {
        try withBundle(["de": "k = deutsch;"]) { folder, strings in
            try FileManager.default.createSymbolicLink(atPath: "\(folder)/nds.lproj", withDestinationPath: "de.lproj")
            #expect(strings.find("k", locale: "nds").text == .format("deutsch"))
        }
    }

    @Test("What cannot be read, a folder among it, is a failure and not an absent file")
    func unreadable() throws {
        try withBundle(["en": "k = English;"]) { folder, strings in
            // The system refuses to follow a link to itself, whoever asks.
            try FileManager.default.createSymbolicLink(atPath: "\(folder)/de.lproj", withDestinationPath: "de.lproj")
            let finding = strings.find("k", locale: "de")
            #expect(finding.text == .format("English"))
            for file in ["de.lproj/Localizable.stringsdict", "de.lproj/Localizable.strings"] {
                let start = "\(file): it cannot be read: "
                #expect(finding.failures.contains { $0.hasPrefix(start) }, "\(finding.failures)")
            }
            let nothing = LocalizedStrings(folder: "\(folder)/nowhere").find("k", locale: "de")
            #expect(nothing.failures == ["the bundle's folder cannot be read: No such file or directory"])
        }
    }
}
