import Foundation
import JSON
import TestSupport
import Testing

/// How the kits look up localized texts in a bundle.
@Suite(.hangs, .wire) struct KitsLocalisationTests {
    private static let english = """
        /* A comment; with "marks" = */
        "GREETING" = "Hello %@";
        ORDER = "%2$@ before %1$@ at 100%%"; // another one
        "ONLY_ENGLISH" = "\\"English\\"\\n\\U00e9";
        """

    @Test(
        "A text comes from the notification's locale, then the host's, then en, then Base, and else is its key",
        arguments: Kit.allCases,
        [
            (nil, "en", "Hello Ada"), ("de", "en", "Grüß Gott Ada 🎡"), ("de-AT", "en", "Grüß Gott Ada 🎡"),
            (nil, "de_DE.UTF-8", "Grüß Gott Ada 🎡"), ("fr", "de", "Bonjour Ada"), ("zh-Hant-TW", "de", "你好 Ada"),
            ("xx", "de", "Hello Ada"), ("../../de", "en", "Hello Ada"), ("", "de", "Grüß Gott Ada 🎡"),
        ] as [(String?, String, String)]
    )
    func locales(kit: Kit, row: (String?, String, String)) throws {
        let (locale, hostLocale, greeting) = row
        try KitHost.with(kit, ["--locale", hostLocale], locale: locale, prepare: Self.localise) { kit in
            let texts = try kit.text("texts")?.split(separator: "|").map(String.init)
            #expect(texts == [greeting, "2 before 1 at 100%", "\"English\"\né", "Base", "NOWHERE"])
        }
    }

    @Test("A strings file with a syntax error is reported with its line and ignored", arguments: Kit.allCases)
    func mistake(kit: Kit) throws {
        let log = try KitHost.with(kit, ["--log-level", "info"], locale: "es", prepare: Self.localise) { kit throws in
            #expect(try kit.text("texts")?.hasPrefix("Hello Ada|") == true)
        }
        #expect(log.contains(#"es.lproj/Localizable.strings: line 2: an entry is "key" = "text";"#), "\(log)")
    }

    private static func localise(_ bundle: String) throws {
        try add("en", english, .utf8, to: bundle)
        // UTF-16 as Xcode writes it, with a byte order mark, and without one.
        try add("de", "\"GREETING\" = \"Grüß Gott %@ \\UD83C\\UDFA1\";", .utf16, to: bundle)
        try add("fr", "\"GREETING\" = \"Bonjour %@\";", .utf16BigEndian, to: bundle)
        try add("zh-Hant", "\u{FEFF}\"GREETING\" = \"你好 %@\";", .utf8, to: bundle)
        try add("es", "\"GREETING\" = \"Hola %@\";\n\"ORDER\" = \"%1$@\"", .utf8, to: bundle)
        try add("Base", "\"ONLY_BASE\" = \"Base\";", .utf8, to: bundle)
    }

    private static func add(_ language: String, _ text: String, _ encoding: String.Encoding, to bundle: String) throws {
        let folder = "\(bundle)/\(language).lproj"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let data = try #require(text.data(using: encoding))
        try data.write(to: URL(filePath: "\(folder)/Localizable.strings"))
    }
}
