internal import Foundation
internal import Localization
internal import Spelling

/// Validates the texts of a bundle: the names of their folders and files, their syntax, and the keys of each language.
///
/// A mistake in them is silent on a phone, which then shows a text of another language, or the key itself.
struct LocalizationValidator {
    private static let table = "Localizable.strings"
    /// The names of folders before there were language tags; iOS and Xcode no longer write them.
    private static let former = [
        "dutch": "nl", "english": "en", "french": "fr", "german": "de", "italian": "it", "japanese": "ja",
        "spanish": "es",
    ]
    /// The scripts of Chinese, by the regions that people write in place of them.
    private static let scripts = [
        "zh-CN": "zh-Hans", "zh-SG": "zh-Hans", "zh-TW": "zh-Hant", "zh-HK": "zh-Hant", "zh-MO": "zh-Hant",
    ]
    /// The maximum number of keys that a finding names.
    private static let namedKeys = 5

    let folder: String

    func validate(_ report: CheckReport) {
        let entries = Self.entries(folder)
        if entries.contains(Self.table) {
            report.addFinding(.warning, Self.table, "it is not read here; move it into a folder such as en.lproj")
        }
        for path in LocalizedStrings.unreadFiles(in: folder) {
            report.addFinding(.warning, path, Self.advice(ofUnread: path))
        }
        let folders = entries.filter { $0.lowercased().hasSuffix(".lproj") }
        var texts: [String: [String: String]] = [:]
        for name in folders {
            if let problem = Self.problem(ofFolder: name, among: folders) { report.addFinding(.warning, name, problem) }
            texts[name] = validateFiles(of: name, report)
        }
        compareKeys(texts, report)
    }

    private static func entries(_ path: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    private static func advice(ofUnread path: String) -> String {
        guard path.hasSuffix(".xcstrings") else {
            return "plural rules are not read here; give each of its keys a text in \(table) too"
        }
        return "string catalogs are not read here; on a Mac, xcrun xcstringstool compile \(path) --output-directory . "
            + "writes the \(table) of each language"
    }

    // MARK: Folders

    /// What is wrong with the name of a folder; nil if a phone and the host read it.
    private static func problem(ofFolder folder: String, among folders: [String]) -> String? {
        let name = String(folder.dropLast(".lproj".count))
        let readers = { (right: String) in "\(right).lproj, because iOS compares names exactly" }
        if !folder.hasSuffix(".lproj") || name.lowercased() == "base" {
            let right = name.lowercased() == "base" ? "Base" : name
            return folder == "\(right).lproj" ? nil : "rename it \(readers(right))"
        }
        if let tag = former[name.lowercased()] { return "it is not read here; rename it \(tag).lproj" }
        guard LanguageTag.isValid(name) else {
            return "it is not read here, because \(name.debugDescription) is not \(LanguageTag.rule); rename it"
        }
        let right = usual(name)
        guard right == name.replacing("_", with: "-") else { return "rename it \(readers(right))" }
        let subtags = right.split(separator: "-")
        if let script = scripts[right] {
            if folders.contains("\(script).lproj") { return nil }
            return "its texts are only for \(name); rename it \(script).lproj, which a phone reads in all its regions"
        }
        // For Apple, pt is the Portuguese of Brazil.
        let isRegional = subtags.count > 1 && subtags[1].count < 4 && subtags[0] != "pt"
        let language = "\(subtags[0])"
        let isAlone = !folders.contains {
            $0 != folder && ($0 == "\(language).lproj" || $0.hasPrefix("\(language)-") || $0.hasPrefix("\(language)_"))
        }
        guard isRegional, isAlone else { return nil }
        return "its texts are only for \(name), and people who use \(language) with another region do not see them; "
            + "rename it \(language).lproj"
    }

    /// A language tag as it is usually written: `de`, `zh-Hant`, `pt-BR`.
    private static func usual(_ tag: String) -> String {
        tag.split { "-_".contains($0) }.enumerated()
            .map { index, subtag in
                switch subtag.count {
                case 2 where index > 0: subtag.uppercased()
                case 4 where index > 0: subtag.capitalized
                default: subtag.lowercased()
                }
            }
            .joined(separator: "-")
    }

    // MARK: Files

    /// Reads the tables of a folder.
    ///
    /// - Returns: The texts of the one that is read; nil if there is none, or if it is damaged.
    private func validateFiles(of name: String, _ report: CheckReport) -> [String: String]? {
        let files = Self.entries("\(folder)/\(name)")
        var texts: [String: String]?
        for file in files where file.lowercased().hasSuffix(".strings") {
            let path = "\(name)/\(file)"
            do throws(BundleFile.Failure) {
                let read = try LocalizedStrings.texts(of: path, in: folder)
                if file == Self.table { texts = read }
            } catch {
                report.addFinding(.error, path, error.message)
            }
        }
        let tables = files.filter { !$0.hasSuffix(".stringsdict") && !$0.hasSuffix(".xcstrings") }
        if !tables.contains(Self.table), let near = EditDistance.nearest(Self.table, in: tables) {
            report.addFinding(.warning, "\(name)/\(near)", "it is not read; rename it \(Self.table), case counts")
        }
        return texts
    }

    // MARK: Keys

    /// Compares the keys of each language with those of the language in which the texts were first written.
    private func compareKeys(_ texts: [String: [String: String]], _ report: CheckReport) {
        let region = LocalizedStrings(folder: folder).developmentRegion
        let names = texts.keys.sorted()
        let first = LocalizedStrings.chain(region).lazy.compactMap { tag in names.first { Self.tag(of: $0) == tag } }
            .first
        guard let original = first ?? names.first(where: { $0 == "Base.lproj" }) ?? names.first,
            let keys = texts[original]?.keys
        else { return }
        for name in names where name != original && name != "Base.lproj" {
            // A region's folder needs only what differs from its language.
            let chain = LocalizedStrings.chain(Self.tag(of: name))
            let known = Set(
                names.filter { chain.contains(Self.tag(of: $0)) }.flatMap { texts[$0]?.keys.map { $0 } ?? [] }
            )
            let missing = keys.filter { !known.contains($0) }.sorted()
            let further = (texts[name] ?? [:]).keys.filter { !keys.contains($0) }.sorted()
            guard !missing.isEmpty else { continue }
            let listed = missing.prefix(Self.namedKeys).map { key in
                EditDistance.nearest(key, in: further).map { "\(key) (is \($0) a misspelling of it?)" } ?? key
            }
            let rest = missing.count - listed.count
            let what = missing.count == 1 ? "a key" : "\(missing.count) keys"
            report.addFinding(
                .warning,
                "\(name)/\(Self.table)",
                "\(what) of \(original) \(missing.count == 1 ? "is" : "are") missing, so another language is shown: \(listed.joined(separator: ", "))"
                    + (rest > 0 ? " and \(rest) more" : "")
            )
        }
    }

    /// The language tag in a folder's name, as ``LocalizedStrings/chain(_:)`` writes it.
    private static func tag(of folder: String) -> String {
        LocalizedStrings.chain(String(folder.dropLast(".lproj".count))).first ?? ""
    }
}
