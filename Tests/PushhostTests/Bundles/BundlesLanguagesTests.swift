import Foundation
import JSON
import TestSupport
import Testing

/// The texts of the bundles, in the languages in which they ship.
@Suite struct BundlesLanguagesTests {
    private static let languages = ["de", "en", "es", "fr", "ko"]
    private static let plugins = "\(repositoryRoot)/plugins"

    /// The bundles that have localized texts.
    private static let bundles = ((try? FileManager.default.contentsOfDirectory(atPath: plugins)) ?? []).sorted()
        .filter { FileManager.default.fileExists(atPath: "\(plugins)/\($0)/en.lproj") }

    @Test("At least one bundle has localized texts")
    func presence() {
        #expect(Set(Self.bundles).isSuperset(of: ["feedback", "punch-card", "spin-to-win"]))
    }

    @Test("Every language has every text, with the same argument placeholders", arguments: bundles)
    func complete(bundle: String) throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: "\(Self.plugins)/\(bundle)")
        #expect(folders.filter { $0.hasSuffix(".lproj") }.sorted() == Self.languages.map { "\($0).lproj" })
        let english = try texts(bundle, "en")
        #expect(!english.isEmpty)
        for language in Self.languages {
            let texts = try texts(bundle, language)
            #expect(texts.keys.sorted() == english.keys.sorted(), "\(bundle)/\(language).lproj")
            for (key, text) in texts {
                #expect(places(text) == places(english[key] ?? ""), "\(key) of \(bundle)/\(language).lproj")
            }
        }
    }

    @Test("The localization keys of a bundle's example payload exist", arguments: bundles)
    func payload(bundle: String) throws {
        let data = try Data(contentsOf: URL(filePath: "\(Self.plugins)/\(bundle)/payload.apns"))
        let alert = try #require(try JSON(parsing: [UInt8](data))["aps"]?["alert"])
        let english = try texts(bundle, "en")
        for name in ["title", "subtitle", ""] {
            let prefix = name.isEmpty ? "" : "\(name)-"
            guard let key = alert["\(prefix)loc-key"]?.string else { continue }
            let arguments = alert["\(prefix)loc-args"]?.array?.count ?? 0
            #expect(places(try #require(english[key])).filter { $0 != "%%" }.count == arguments, "\(key)")
        }
        #expect(alert["loc-key"] != nil)
    }

    private func texts(_ bundle: String, _ language: String) throws -> [String: String] {
        let path = "\(Self.plugins)/\(bundle)/\(language).lproj/Localizable.strings"
        let entries = try String(contentsOfFile: path, encoding: .utf8).matches(of: /(?m)^"(\w+)" = "(.*)";$/)
        return Dictionary(uniqueKeysWithValues: entries.map { (String($0.output.1), String($0.output.2)) })
    }

    /// The argument placeholders of a text, in the order of the arguments.
    private func places(_ text: String) -> [String] {
        text.matches(of: /%(?:\d\$)?@|%%/).map { String($0.output) }.sorted()
    }
}
