import Foundation
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
            #expect(strings.find("k", locale: locale).text == text)
        }
    }

    @Test("Each key is looked up in the locale, then in the development region, then in Base")
    func fallbacks() throws {
        let texts = [
            "fr": "a = fr;", "es": "a = es; b = es;", "en": "a = en; b = en;", "Base": "a = x; b = x; c = base;",
        ]
        try withBundle(texts, region: "es_ES") { _, strings in
            #expect(strings.find("a", locale: "fr").text == "fr")
            let fallen = strings.find("b", locale: "fr")
            #expect(fallen.text == "es")
            #expect(fallen.files == ["fr.lproj/Localizable.strings", "es.lproj/Localizable.strings"])
            #expect(strings.find("c", locale: "fr").text == "base")
            #expect(strings.find("b", locale: "en").text == "en")
        }
        try withBundle(texts, region: "$(DEVELOPMENT_LANGUAGE)") { _, strings in
            #expect(strings.find("b", locale: "fr").text == "en", "a build variable of Xcode's stands for en")
        }
    }

    @Test("For an unknown key the files of formats are named that only Xcode reads")
    func unread() throws {
        try withBundle(["de": "a = x;"]) { folder, strings in
            for name in ["Localizable.xcstrings", "de.lproj/Localizable.stringsdict", "de.lproj/Other.strings"] {
                try Data().write(to: URL(filePath: "\(folder)/\(name)"))
            }
            #expect(
                strings.find("k", locale: "de").unread == ["Localizable.xcstrings", "de.lproj/Localizable.stringsdict"]
            )
            #expect(strings.find("a", locale: "de").unread == [])
        }
    }

    @Test("The diagnostic of an unknown key names the files and their keys")
    func nowhere() throws {
        try withBundle(["de": "b = x; a = x;", "en": "c = x;"]) { folder, strings in
            let finding = strings.find("k", locale: "de")
            #expect(finding.text == nil)
            #expect(finding.files == ["de.lproj/Localizable.strings", "en.lproj/Localizable.strings"])
            #expect(finding.keys == ["a", "b", "c"])
            #expect(finding.unread == [])
            #expect(LocalizedStrings(folder: folder + "/nowhere").find("k", locale: "de").files == [])
        }
    }

    @Test("A changed file is read again, and a removed one is forgotten")
    func changes() throws {
        try withBundle(["de": "k = one;"]) { folder, strings in
            #expect(strings.find("k", locale: "de").text == "one")
            try write("k = another;", "\(folder)/de.lproj")
            #expect(strings.find("k", locale: "de").text == "another")
            try write("k = English;", "\(folder)/en.lproj")
            try FileManager.default.removeItem(atPath: "\(folder)/de.lproj")
            #expect(strings.find("k", locale: "de").text == "English")
        }
    }

    @Test("A damaged file is reported with its path, and the others are used")
    func damaged() throws {
        try withBundle(["de": "k = x", "en": "k = English;"]) { _, strings in
            for _ in 0..<2 {
                let finding = strings.find("k", locale: "de")
                #expect(finding.text == "English")
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
                    ("de", "leaves the bundle"), ("fr", "leaves the bundle"), ("es", "no file"), ("it", "no file"),
                    ("ko", "larger than 1048576 bytes"), ("ja", "a link to nothing"),
                ] {
                    let finding = strings.find("k", locale: locale)
                    #expect(finding.text == "English", "\(locale)")
                    #expect(finding.failures.count == 1 && finding.failures[0].contains(reason), "\(finding.failures)")
                }
            }
        }
    }

    @Test("A link within the bundle is followed")
    func link() throws {
        try withBundle(["de": "k = deutsch;"]) { folder, strings in
            try FileManager.default.createSymbolicLink(atPath: "\(folder)/nds.lproj", withDestinationPath: "de.lproj")
            #expect(strings.find("k", locale: "nds").text == "deutsch")
        }
    }

    @Test("What cannot be read, a folder among it, is a failure and not an absent file")
    func unreadable() throws {
        try withBundle(["en": "k = English;"]) { folder, strings in
            // The system refuses to follow a link to itself, whoever asks.
            try FileManager.default.createSymbolicLink(atPath: "\(folder)/de.lproj", withDestinationPath: "de.lproj")
            let finding = strings.find("k", locale: "de")
            #expect(finding.text == "English")
            #expect(finding.failures.count == 1, "\(finding.failures)")
            #expect(finding.failures.first?.hasPrefix("de.lproj/Localizable.strings: it cannot be read: ") == true)
            let nothing = LocalizedStrings(folder: "\(folder)/nowhere").find("k", locale: "de")
            #expect(nothing.failures == ["the bundle's folder cannot be read: No such file or directory"])
        }
    }
}
