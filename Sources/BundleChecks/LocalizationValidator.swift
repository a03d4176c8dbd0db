internal import JSON
internal import Localization
internal import Platform
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

    private let folder: String
    private let strings: LocalizedStrings
    private(set) var findings: [BundleFinding] = []

    init(folder: String, unsaved: [String: [UInt8]]) {
        self.folder = folder
        strings = LocalizedStrings(folder: folder, unsaved: unsaved)
    }

    private mutating func warn(_ reason: String, _ file: String, _ message: String) {
        findings.append(BundleFinding(.warning, reason, file, message))
    }

    /// The keys of one language in one place.
    private struct Language {
        /// A folder, or a language of a catalog.
        let name: String
        let tag: String
        /// Where a missing key is reported.
        let place: String
        /// Its file.
        let file: String
        var keys: Set<String>
    }

    mutating func validate() {
        let entries = Self.entries(folder)
        if entries.contains(Self.table) {
            warn("misplacedFile", Self.table, "it is not read here; move it into a folder such as en.lproj")
        }
        let folders = entries.filter { $0.lowercased().hasSuffix(".lproj") }
        var languages: [Language] = []
        for name in folders {
            if let problem = Self.problem(ofFolder: name, among: folders) { warn("languageFolder", name, problem) }
            guard let keys = validateFiles(of: name) else { continue }
            let file = "\(name)/\(Self.table)"
            languages.append(Language(name: name, tag: Self.tag(of: name), place: file, file: file, keys: keys))
        }
        for catalog in entries where catalog.hasSuffix(".xcstrings") {
            for (tag, texts) in (read(catalog) ?? [:]).sorted(by: { $0.key < $1.key })
            where catalog == LocalizedStrings.catalogFile {
                if let index = languages.firstIndex(where: { $0.tag == tag }) {
                    languages[index].keys.formUnion(texts.keys)
                } else {
                    let place = "\(catalog) (\(tag))"
                    languages.append(
                        Language(name: tag, tag: tag, place: place, file: catalog, keys: Set(texts.keys))
                    )
                }
            }
        }
        compareKeys(languages)
    }

    private static func entries(_ path: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    /// The texts of a file by language tag and key; nil if it is damaged, which is reported.
    private mutating func read(_ path: String) -> [String: [String: LocalizedText]]? {
        do throws(BundleFile.Failure) {
            return try strings.texts(of: path)
        } catch {
            findings.append(BundleFinding(.error, "unreadableStrings", path, error.message, line: error.line))
            return nil
        }
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
    /// - Returns: The keys of the one that is read; nil if there is none, or if it is damaged.
    private mutating func validateFiles(of name: String) -> Set<String>? {
        let files = Self.entries("\(folder)/\(name)")
        var keys: Set<String>?
        for file in files where [".strings", ".stringsdict"].contains(where: file.lowercased().hasSuffix) {
            guard let texts = read("\(name)/\(file)"), LocalizedStrings.languageFiles.contains(file) else {
                continue
            }
            keys = (keys ?? []).union(texts.values.flatMap(\.keys))
        }
        let tables = files.filter { !$0.hasSuffix(".stringsdict") && !$0.hasSuffix(".xcstrings") }
        if !tables.contains(Self.table), let near = EditDistance.nearest(Self.table, in: tables) {
            warn("misnamedFile", "\(name)/\(near)", "it is not read; rename it \(Self.table), case counts")
        }
        for catalog in files where catalog == LocalizedStrings.catalogFile {
            let advice = "it is not read here; move it out of \(name), because it has the texts of all languages"
            warn("misplacedFile", "\(name)/\(catalog)", advice)
        }
        return keys
    }

    // MARK: Keys

    /// Compares the keys of each language with those of the language in which the texts were first written.
    private mutating func compareKeys(_ languages: [Language]) {
        let languages = languages.sorted { $0.name < $1.name }
        let chain = LocalizedStrings.chain(strings.developmentRegion)
        let first = chain.lazy.compactMap { tag in languages.first { $0.tag == tag } }.first
        guard let original = first ?? languages.first(where: { $0.tag == "base" }) ?? languages.first else { return }
        for language in languages where language.tag != original.tag && language.tag != "base" {
            // A region needs only what differs from its language.
            let chain = LocalizedStrings.chain(language.tag)
            let known = languages.filter { chain.contains($0.tag) }.reduce(into: Set()) { $0.formUnion($1.keys) }
            let missing = original.keys.subtracting(known).sorted()
            let further = language.keys.subtracting(original.keys).sorted()
            guard !missing.isEmpty else { continue }
            let listed = missing.prefix(Self.namedKeys).map { key in
                EditDistance.nearest(key, in: further).map { "\(key) (is \($0) a misspelling of it?)" } ?? key
            }
            let rest = missing.count - listed.count
            let what = missing.count == 1 ? "a key" : "\(missing.count) keys"
            let text =
                "\(what) of \(original.name) \(missing.count == 1 ? "is" : "are") missing, so another language is shown: \(listed.joined(separator: ", "))"
                + (rest > 0 ? " and \(rest) more" : "")
            findings.append(
                BundleFinding(
                    .warning,
                    "missingText",
                    language.place,
                    text,
                    path: "/" + JSONPointer.escape(missing[0]),
                    correction: language.place == language.file ? .addTexts(missing) : nil,
                    original: original.file
                )
            )
        }
    }

    /// The language tag in a folder's name, as ``LocalizedStrings/chain(_:)`` writes it.
    private static func tag(of folder: String) -> String {
        LocalizedStrings.chain(String(folder.dropLast(".lproj".count))).first ?? ""
    }
}
