import Foundation
import JSON
import Testing

@testable import Localization

/// Texts with plurals, in both of Xcode's formats.
@Suite struct PluralFilesTests {
    private static let stringsDictionary = """
        <plist><dict>
        <key>PLAIN</key><string>Plain %@</string>
        <key>FILES</key><dict>
          <key>NSStringLocalizedFormatKey</key><string>%#@files@ in %#@folders@ of %@</string>
          <key>files</key><dict>
            <key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string>
            <key>NSStringFormatValueTypeKey</key><string>d</string>
            <key>zero</key><string>no file</string><key>one</key><string>%d file</string>
            <key>other</key><string>%d files</string>
          </dict>
          <key>folders</key><dict>
            <key>NSStringFormatValueTypeKey</key><string>lu</string>
            <key>one</key><string>a folder</string><key>other</key><string>%lu folders</string>
          </dict>
        </dict>
        <key>SECOND</key><dict>
          <key>NSStringLocalizedFormatKey</key><string>%1$@: %2$#@count@, 100%%</string>
          <key>count</key><dict><key>one</key><string>once</string><key>other</key><string>%2$d times</string></dict>
        </dict>
        <key>DEVICE</key><dict><key>NSStringDeviceSpecificRuleType</key><dict>
          <key>iphone</key><string>Tap</string><key>mac</key><string>Click</string></dict></dict>
        <key>WIDTH</key><dict><key>NSStringVariableWidthRuleType</key><dict>
          <key>1</key><string>Hi</string><key>20</key><string>Hello there</string></dict></dict>
        </dict></plist>
        """

    private static let catalog = """
        {"sourceLanguage": "en", "version": "1.0", "strings": {
          "Save %@": {}, "NAME": {"shouldTranslate": false},
          "EMPTY": {"localizations": {"de": {"stringUnit": {"state": "new", "value": ""}}}},
          "GOALS": {"localizations": {
            "en": {"variations": {"plural": {
              "one": {"stringUnit": {"state": "translated", "value": "%@ has %lld goal"}},
              "other": {"stringUnit": {"state": "translated", "value": "%@ has %lld goals"}}}}},
            "pl": {"variations": {"plural": {
              "one": {"stringUnit": {"value": "%1$@: %2$lld gol"}}, "few": {"stringUnit": {"value": "%1$@: %2$lld gole"}},
              "many": {"stringUnit": {"value": "%1$@: %2$lld goli"}},
              "other": {"stringUnit": {"value": "%1$@: %2$lld gola"}}}}}}},
          "BIRDS": {"localizations": {"en": {
            "stringUnit": {"value": "%#@birds@ on %2$#@trees@"},
            "substitutions": {
              "birds": {"argNum": 1, "formatSpecifier": "lld", "variations": {"plural": {
                "one": {"stringUnit": {"value": "%arg bird"}}, "other": {"stringUnit": {"value": "%arg birds"}}}}},
              "trees": {"formatSpecifier": "lld", "variations": {"plural": {
                "one": {"stringUnit": {"value": "a tree"}}, "other": {"stringUnit": {"value": "%arg trees"}}}}}}}}},
          "TAP": {"localizations": {"en": {"variations": {"device": {
            "mac": {"stringUnit": {"value": "Click"}}, "other": {"stringUnit": {"value": "Tap"}}}}}}}
        }}
        """

    @Test("A file may name any position of an argument, also the greatest integer", arguments: [false, true])
    func greatestPosition(isCatalog: Bool) throws {
        let catalog = #"""
            {"sourceLanguage": "en", "version": "1.0", "strings": {"K": {"localizations": {"en": {
              "stringUnit": {"value": "%#@n@"}, "substitutions": {"n": {"argNum": 9223372036854775807,
                "variations": {"plural": {"other": {"stringUnit": {"value": "%@ things"}}}}}}}}}}}
            """#
        let dictionary = """
            <plist><dict><key>K</key><dict>
            <key>NSStringLocalizedFormatKey</key><string>%9223372036854775807$#@n@</string>
            <key>n</key><dict><key>other</key><string>%d things</string></dict></dict></dict></plist>
            """
        let text =
            isCatalog
            ? try StringCatalog(Array(catalog.utf8)).texts["en"]?["K"]
            : try StringsDictionary.texts(Array(dictionary.utf8), PluralRules(language: "en")).first?.value
        #expect(try #require(text).filled(["1"]).text.hasSuffix(" things"))
    }

    private func filled(_ text: LocalizedText?, _ arguments: [String]) throws -> String {
        let text = try #require(text)
        // What a kit gets is the same text.
        #expect(LocalizedText(try JSON(parsing: text.json.bytes)) == text)
        return text.filled(arguments).text
    }

    @Test(
        "A stringsdict has plurals with any number of variables, and texts by device and width",
        arguments: [
            ("PLAIN", ["x"], "Plain x"), ("FILES", ["1", "1", "C"], "1 file in a folder of C"),
            ("FILES", ["0", "2", "C"], "no file in 2 folders of C"),
            ("FILES", ["1000", "-1", "C"], "1000 files in a folder of C"),
            ("FILES", ["1.5", "many", "C"], "1.5 files in many folders of C"), ("SECOND", ["A", "1"], "A: once, 100%"),
            ("SECOND", ["A", "2"], "A: 2 times, 100%"), ("DEVICE", [], "Tap"), ("WIDTH", [], "Hello there"),
        ] as [(String, [String], String)]
    )
    func stringsDictionary(key: String, arguments: [String], text: String) throws {
        let texts = try StringsDictionary.texts(Array(Self.stringsDictionary.utf8), PluralRules(language: "en"))
        #expect(try filled(texts[key], arguments) == text)
    }

    @Test(
        "A catalog has the texts of all languages, with plurals, substitutions and devices",
        arguments: [
            ("en", "GOALS", ["Ada", "1"], "Ada has 1 goal"), ("en", "GOALS", ["Ada", "21"], "Ada has 21 goals"),
            ("pl", "GOALS", ["Ada", "1"], "Ada: 1 gol"), ("pl", "GOALS", ["Ada", "2"], "Ada: 2 gole"),
            ("pl", "GOALS", ["Ada", "1022"], "Ada: 1022 gole"), ("pl", "GOALS", ["Ada", "1012"], "Ada: 1012 goli"),
            ("en", "BIRDS", ["1", "3"], "1 bird on 3 trees"), ("en", "BIRDS", ["2", "1"], "2 birds on a tree"),
            ("en", "TAP", [], "Tap"), ("en", "Save %@", ["it"], "Save it"), ("pl", "NAME", [], "NAME"),
        ] as [(String, String, [String], String)]
    )
    func catalog(language: String, key: String, arguments: [String], text: String) throws {
        #expect(try filled(try StringCatalog(Array(Self.catalog.utf8)).texts[language]?[key], arguments) == text)
    }

    @Test(
        "A position that no argument has chooses the form other, however great or small it is",
        arguments: ["-9223372036854775808", "-1", "0", "9223372036854775807"]
    )
    func strangePosition(number: String) throws {
        let catalog = """
            {"sourceLanguage": "en", "version": "1.0", "strings": {"A": {"localizations": {"en": {
              "stringUnit": {"state": "translated", "value": "%#@n@"},
              "substitutions": {"n": {"argNum": \(number), "formatSpecifier": "lld", "variations": {"plural": {
                "one": {"stringUnit": {"state": "translated", "value": "one"}},
                "other": {"stringUnit": {"state": "translated", "value": "many"}}}}}}}}}}}
            """
        #expect(try filled(try StringCatalog(Array(catalog.utf8)).texts["en"]?["A"], ["1"]) == "many")
    }

    @Test("What is not translated yet is absent, except in the language of the source code")
    func untranslated() throws {
        let texts = try StringCatalog(Array(Self.catalog.utf8)).texts
        #expect(texts["de"]?["EMPTY"] == nil)
        #expect(texts["pl"]?["Save %@"] == nil)
        #expect(texts["en"]?["EMPTY"] == .format("EMPTY"))
    }

    @Test(
        "A mistake is reported with the key of the text",
        arguments: [
            ("<dict><key>x</key><dict/></dict>", "A: an entry needs NSStringLocalizedFormatKey"),
            (
                "<dict><key>NSStringLocalizedFormatKey</key><string>%#@n@</string></dict>",
                "A: there is no variable n"
            ),
            (
                """
                <dict><key>NSStringLocalizedFormatKey</key><string>%#@n@</string>\
                <key>n</key><dict><key>one</key><string>x</string></dict></dict>
                """, "A: a plural needs the form other"
            ),
            (
                """
                <dict><key>NSStringLocalizedFormatKey</key><string>%#@n@</string>\
                <key>n</key><dict><key>other</key><string>%#@n@</string></dict></dict>
                """, "A: the variable n refers to itself"
            ),
            (
                """
                <dict><key>NSStringLocalizedFormatKey</key><string>\(String(repeating: "%#@n@", count: 12))</string>\
                <key>n</key><dict><key>one</key><string>x</string><key>other</key><string>y</string></dict></dict>
                """, "A: its variables have too many forms together"
            ),
        ]
    )
    func mistakes(entry: String, message: String) {
        let list = "<plist><dict><key>A</key>\(entry)</dict></plist>"
        let failure = #expect(throws: BundleFile.Failure.self) {
            try StringsDictionary.texts(Array(list.utf8), PluralRules(language: "en"))
        }
        #expect(failure?.message == message)
    }

    @Test(
        "A file that is not a catalog is refused",
        arguments: [("{\n\"a\": ", "line 2: "), ("{}", "a string catalog needs"), ("", "line 1: the text is empty")]
    )
    func noCatalog(text: String, message: String) {
        let failure = #expect(throws: BundleFile.Failure.self) { try StringCatalog(Array(text.utf8)) }
        #expect(failure?.message.hasPrefix(message) == true, "\(failure?.message ?? "")")
    }
}
