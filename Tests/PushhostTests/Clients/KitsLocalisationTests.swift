import Foundation
import JSON
import TestSupport
import Testing

/// The localized texts that the host sends to the kits: those that it shows itself, in each language.
@Suite(.waits, .wire) struct KitsLocalisationTests {
    private static let english = """
        /* A comment; with "marks" = */
        "GREETING" = "Hello %@";
        ORDER = "%2$@ before %1$@ at 100%%"; // another one
        'ONLY_ENGLISH' = "\\"English\\"\\n\\U00e9\\101 5%%";
        """

    @Test(
        "A text comes from the notification's locale, then the host's, then en, then Base, and else is its key",
        arguments: Kit.allCases,
        [
            (nil, "en", "Hello Ada"), ("de", "en", "Grüß Gott Ada 🎡"), ("de-AT", "en", "Grüß Gott Ada 🎡"),
            (nil, "de_DE.UTF-8", "Grüß Gott Ada 🎡"), ("zh-Hant-TW", "de", "你好 Ada"),
            ("xx", "de", "Hello Ada"), ("../../de", "en", "Hello Ada"), ("", "de", "Grüß Gott Ada 🎡"),
        ] as [(String?, String, String)]
    )
    func locales(kit: Kit, row: (String?, String, String)) throws {
        let (locale, hostLocale, greeting) = row
        try KitHost.with(kit, ["--locale", hostLocale], locale: locale, prepare: Self.localise) { kit in
            let texts = try kit.text("texts")?.split(separator: "|").map(String.init)
            let rest = ["2 before 1 at 100%", "\"English\"\néA 5%", "Base", "NOWHERE"]
            #expect(texts.map { Array($0.prefix(5)) } == [greeting] + rest)
        }
    }

    @Test(
        "Kits and host choose the same text: in any case and by the region of the Info.plist, but not in UTF-16 without a mark",
        arguments: Kit.allCases,
        [
            (nil, "fr", "Hello Ada"), ("ko", "fr", "안녕 Ada"), ("ko-KR", "xx", "안녕 Ada"),
            ("$(DEVELOPMENT_LANGUAGE)", "xx", "Hello Ada"), ("ko", "pt-br", "Olá Ada"), ("ko", "PT_BR", "Olá Ada"),
            ("nowhere", "xx", "GREETING"), (nil, "ja", "こんにちは Ada"),
        ] as [(String?, String, String)]
    )
    func region(kit: Kit, row: (String?, String, String)) throws {
        let (region, locale, greeting) = row
        func prepare(_ bundle: String) throws {
            try Self.localise(bundle)
            guard let region else { return }
            let file = URL(filePath: "\(bundle)/Info.plist")
            let list = try String(contentsOf: file, encoding: .utf8)
            let member = "<key>CFBundleDevelopmentRegion</key><string>\(region)</string>"
            let start = try #require(list.firstRange(of: "<dict>"))
            try Data(list.replacingCharacters(in: start, with: "<dict>\(member)").utf8).write(to: file)
        }
        try KitHost.with(kit, locale: locale, prepare: prepare) { kit in
            #expect(try kit.text("texts")?.split(separator: "|").first.map(String.init) == greeting)
            let alert: JSON = ["loc-key": "GREETING", "loc-args": ["Ada"]]
            let payload: JSON = ["aps": ["category": "kit", "alert": alert]]
            let shown = try kit.host.result("didReceive", ["payload": payload, "locale": .string(locale)])
            #expect(shown["content"]?["body"]?.string == greeting)
        }
    }

    @Test(
        "Of a plural, kits and host choose the same form, by the rules of the language in which the text is",
        arguments: Kit.allCases,
        [
            ("en", ["no goals", "a goal", "2 goals", "5 goals", "1022 goals", "a goal", "many goals"]),
            ("ja", ["no goals", "a goal", "2 goals", "5 goals", "1022 goals", "a goal", "many goals"]),
            ("pl", ["0 goli", "1 gol", "2 gole", "5 goli", "1022 gole", "-1 gol", "many gola"]),
        ] as [(String, [String])]
    )
    func plurals(kit: Kit, row: (String, [String])) throws {
        let (locale, texts) = row
        try KitHost.with(kit, locale: locale, prepare: Self.localise) { kit in
            let shown = try kit.text("texts")?.split(separator: "|").dropFirst(5).map(String.init)
            #expect(shown == texts.map { "Ada: \($0)" })
            for (number, text) in zip(["0", "1", "2", "5", "1022", "-1", "many"], texts) {
                let alert: JSON = ["loc-key": "GOALS", "loc-args": ["Ada", .string(number)]]
                let payload: JSON = ["aps": ["category": "kit", "alert": alert]]
                let shown = try kit.host.result("didReceive", ["payload": payload, "locale": .string(locale)])
                #expect(shown["content"]?["body"]?.string == "Ada: \(text)")
            }
        }
    }

    @Test(
        "A strings file with a syntax error, or in UTF-16 without a mark, is not used, and the client is told its line",
        arguments: Kit.allCases,
        [
            ("es", "line 2: the entry of \"ORDER\" must end with a semicolon"), ("fr", "line 1: a key is needed"),
        ]
    )
    func mistake(kit: Kit, row: (String, String)) throws {
        let (locale, problem) = row
        try KitHost.with(kit, locale: locale, prepare: Self.localise) { kit throws in
            #expect(try kit.text("texts")?.hasPrefix("Hello Ada|") == true)
            let payload = HostProcess.payload("kit")["payload"] ?? .null
            let shown = try kit.host.result("didReceive", ["payload": payload, "locale": .string(locale)])
            let diagnostics = shown["diagnostics"]?.array.map(Array.init) ?? []
            #expect(diagnostics.map { $0["reason"] } == ["unreadableStrings"])
            let start = "com.example.kit: \(locale).lproj/Localizable.strings: \(problem)"
            #expect(diagnostics.first?["message"]?.string?.hasPrefix(start) == true, "\(diagnostics)")
        }
    }

    private static func localise(_ bundle: String) throws {
        try add("en", english, .utf8, to: bundle)
        // UTF-16 as Xcode writes it, with a byte order mark, and without one.
        try add("de", "\"GREETING\" = \"Grüß Gott %@ \\UD83C\\UDFA1\";", .utf16, to: bundle)
        try add("fr", "\"GREETING\" = \"Bonjour %@\";", .utf16BigEndian, to: bundle)
        try add("zh-Hant", "\u{FEFF}\"GREETING\" = \"你好 %@\";", .utf8, to: bundle)
        try add("es", "\"GREETING\" = \"Hola %@\";\n\"ORDER\" = \"%1$@\"", .utf8, to: bundle)
        try add("ko", "\"GREETING\" = \"안녕 %@\";", .utf8, to: bundle)
        try add("pt-BR", "\"GREETING\" = \"Olá %@\";", .utf8, to: bundle)
        try add("ja", "{ GREETING = \"こんにちは %s\"; }", .utf8, to: bundle)
        try add("Base", "\"ONLY_BASE\" = \"Base\";", .utf8, to: bundle)
        try Data(plurals.utf8).write(to: URL(filePath: "\(bundle)/en.lproj/Localizable.stringsdict"))
        try Data(catalog.utf8).write(to: URL(filePath: "\(bundle)/Localizable.xcstrings"))
    }

    private static let plurals = """
        <plist><dict><key>GOALS</key><dict>
        <key>NSStringLocalizedFormatKey</key><string>%1$@: %2$#@goals@</string>
        <key>goals</key><dict><key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string>
        <key>zero</key><string>no goals</string><key>one</key><string>a goal</string>
        <key>other</key><string>%d goals</string></dict></dict></dict></plist>
        """

    private static let catalog = """
        {"sourceLanguage": "en", "version": "1.0", "strings": {"GOALS": {"localizations": {"pl": {
        "variations": {"plural": {
        "one": {"stringUnit": {"state": "translated", "value": "%@: %lld gol"}},
        "few": {"stringUnit": {"state": "translated", "value": "%@: %lld gole"}},
        "many": {"stringUnit": {"state": "translated", "value": "%@: %lld goli"}},
        "other": {"stringUnit": {"state": "translated", "value": "%@: %lld gola"}}}}}}}}}
        """

    private static func add(_ language: String, _ text: String, _ encoding: String.Encoding, to bundle: String) throws {
        let folder = "\(bundle)/\(language).lproj"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let data = try #require(text.data(using: encoding))
        try data.write(to: URL(filePath: "\(folder)/Localizable.strings"))
    }
}
