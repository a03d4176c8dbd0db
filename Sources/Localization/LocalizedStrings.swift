public import JSON
internal import Platform
package import PropertyLists

/// The localised texts of a bundle: the table `Localizable`, as `.strings` and `.stringsdict` of a language's folder, or as
/// a string catalog of all languages.
///
/// A file is read on first use, and again after it has changed.
///
/// - Important: Not thread-safe.
public final class LocalizedStrings {
    /// The result of a lookup.
    public struct Finding {
        /// The text; nil if no file has the key.
        public let text: LocalizedText?
        /// The files that were searched, in order, by their paths in the bundle.
        public let files: [String]
        /// Files that could not be read, each with the reason.
        public let failures: [String]
        /// The keys of the searched files, sorted; empty if the key was found.
        public let keys: [String]
    }

    /// Every text for a locale.
    public struct Table {
        /// The texts by key, each from the file in which ``LocalizedStrings/find(_:locale:)`` finds it.
        public let texts: [String: LocalizedText]
        /// Files whose texts are missing, each with the reason.
        public let failures: [String]

        /// The texts as an object, sorted by key so that it is the same in each run.
        public var json: JSON {
            .object(JSON.Object(texts.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) }))
        }
    }

    /// A string catalog at the root of a bundle.
    package static let catalogFile = "Localizable.xcstrings"
    /// The files of a language's folder; a key of an earlier one hides that of a later one, as on a phone.
    package static let languageFiles = ["Localizable.stringsdict", "Localizable.strings"]

    private static let sizeLimit = 1 << 20
    /// A catalog has the texts of all languages.
    private static let catalogLimit = 4 << 20
    /// The greatest size of the keys and texts of a ``Table``, so that it fits into a line even if each byte is escaped.
    private static let tableSizeLimit = 1 << 20
    /// The maximum number of cached files: a bundle may have any number of languages, and clients may use all of them.
    private static let fileLimit = 32

    /// The texts of a file by language tag and key.
    private typealias Content = Result<[String: [String: LocalizedText]], BundleFile.Failure>

    private let folder: String
    private let unsaved: [String: [UInt8]]
    private var contents: [String: (stamp: FileStamp, content: Content)] = [:]

    /// The texts of a bundle; nothing is read yet.
    ///
    /// - Parameters:
    ///   - folder: The bundle's folder, with its `Info.plist`.
    ///   - unsaved: Texts in place of files, by their paths in the bundle.
    public init(folder: String, unsaved: [String: [UInt8]] = [:]) {
        (self.folder, self.unsaved) = (folder, unsaved)
    }

    /// The language in which the texts were first written, and the fallback for locales without texts.
    package private(set) lazy var developmentRegion: String = {
        let list = try? BundleFile.dictionary("Info.plist", in: folder, unsaved: unsaved)
        // The Info.plist of an Xcode project that was not built has a build variable here.
        guard let region = list?["CFBundleDevelopmentRegion"]?.text, !region.hasPrefix("$") else { return "en" }
        return region
    }()

    /// Looks up a key.
    ///
    /// Searches the files of these languages in order until one has the key: that of the locale; those of the locale with
    /// fewer and fewer subtags; the same for `CFBundleDevelopmentRegion`, by default `en`; `Base`.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - locale: A locale such as `de-AT`, `de_AT` or `zh-Hant-TW`; case is ignored.
    /// - Returns: The text, or the files that were searched without success.
    public func find(_ key: String, locale: String) -> Finding {
        var files: [String] = []
        var failures: [String] = []
        var keys: Set<String> = []
        var text: LocalizedText?
        visit(locale, &failures) { file, texts in
            if !files.contains(file) { files.append(file) }
            text = texts[key]
            if text == nil { keys.formUnion(texts.keys) }
            return text == nil
        }
        return Finding(text: text, files: files, failures: failures, keys: text == nil ? keys.sorted() : [])
    }

    /// Every text for a locale, for whoever looks them up without the files.
    public func table(locale: String) -> Table {
        var table: [String: LocalizedText] = [:]
        var size = 0
        var failures: [String] = []
        var excess: [String] = []
        visit(locale, &failures) { file, texts in
            let new = texts.filter { table[$0.key] == nil }
            let newSize = new.reduce(0) { $0 + $1.key.utf8.count + $1.value.size }
            guard size + newSize <= Self.tableSizeLimit else {
                excess.append("\(file): with it the texts have more than \(Self.tableSizeLimit) bytes")
                return true
            }
            size += newSize
            table.merge(new) { old, _ in old }
            return true
        }
        lastTable = (locale, failures + excess)
        return Table(texts: table, failures: failures + excess)
    }

    /// The locale of the last table, and why files were left out of it.
    private var lastTable: (locale: String, failures: [String])?

    /// Why files were left out of the last table for a locale, without looking at the files again if that is known.
    public func failures(locale: String) -> [String] {
        if let lastTable, lastTable.locale == locale { return lastTable.failures }
        return table(locale: locale).failures
    }

    /// Passes the texts of each file to a closure, the best for a locale first, until it returns false.
    private func visit(
        _ locale: String,
        _ failures: inout [String],
        _ body: (_ file: String, _ texts: [String: LocalizedText]) -> Bool
    ) {
        var entries: [String] = []
        do throws(SystemError) { entries = try Folders.names(in: folder) } catch {
            failures.append("the bundle's folder cannot be read: \(error)")
        }
        // The locale comes from a client, so it is compared with existing folders and never becomes part of a path.
        var folders: [String: String] = [:]
        for entry in entries where entry.hasSuffix(".lproj") {
            let name = Self.normal(entry.dropLast(".lproj".count))
            if folders[name] == nil { folders[name] = entry }
        }
        let catalogs = entries.filter { $0 == Self.catalogFile }
        var visited: Set<String> = []
        for tag in Self.chain(locale) + Self.chain(developmentRegion) + ["base"] where visited.insert(tag).inserted {
            let files = folders[tag].map { entry in Self.languageFiles.map { "\(entry)/\($0)" } } ?? []
            for file in files + catalogs {
                switch content(file) {
                case nil: continue
                case .failure(let failure):
                    let text = "\(file): \(failure.message)"
                    if !failures.contains(text) { failures.append(text) }
                    guard body(file, [:]) else { return }
                case .success(let languages):
                    guard body(file, languages[tag] ?? [:]) else { return }
                }
            }
        }
    }

    /// The languages of the folders, as they are written there, and those that only the catalog has.
    package var languages: [String] {
        let entries = (try? Folders.names(in: folder)) ?? []
        let folders = entries.filter { $0.hasSuffix(".lproj") }.map { String($0.dropLast(".lproj".count)) }
        return folders
            + ((try? texts(of: Self.catalogFile)) ?? [:]).keys.filter { !folders.map(Self.normal).contains($0) }
    }

    /// The texts of a bundle's file by language tag and key; nil if there is no file.
    ///
    /// - Parameter file: The path of a file that a language's folder or the bundle has, of any table.
    /// - Returns: The texts; a file of a language's folder has only that language.
    /// - Throws: Why an existing file is not read.
    package func texts(of file: String) throws(BundleFile.Failure) -> [String: [String: LocalizedText]]? {
        let isCatalog = file.hasSuffix(".xcstrings")
        let limit = isCatalog ? Self.catalogLimit : Self.sizeLimit
        guard let bytes = try BundleFile.contents(of: file, in: folder, limit: limit, unsaved: unsaved) else {
            return nil
        }
        if isCatalog { return try StringCatalog(bytes).texts }
        let name = file.prefix { $0 != "/" }
        let tag = Self.normal(name.hasSuffix(".lproj") ? name.dropLast(".lproj".count) : "")
        guard file.hasSuffix(".stringsdict") else {
            return [tag: try StringsFile(bytes).texts.mapValues(LocalizedText.format)]
        }
        let rules = PluralRules(language: tag == "base" ? developmentRegion : tag)
        return [tag: try StringsDictionary.texts(bytes, rules)]
    }

    /// The content of a file, from memory if the file has not changed; nil if there is no file.
    private func content(_ file: String) -> Content? {
        do throws(BundleFile.Failure) {
            if unsaved[file] != nil { return .success(try texts(of: file) ?? [:]) }
            guard let stamp = try BundleFile.stamp(of: file, in: folder) else { return nil }
            if let known = contents[file], known.stamp == stamp { return known.content }
            let content = Content { () throws(BundleFile.Failure) in try texts(of: file) ?? [:] }
            if contents.count >= Self.fileLimit { contents = [:] }
            contents[file] = (stamp, content)
            return content
        } catch {
            return .failure(error)
        }
    }

    /// A locale and its shorter forms: `zh-hant-tw`, `zh-hant`, `zh`.
    package static func chain(_ locale: String) -> [String] {
        // Locale names of the operating system may have a suffix: de_DE.UTF-8, de_DE@euro.
        let subtags = normal(locale.prefix { $0 != "." && $0 != "@" }).split(separator: "-").prefix(8)
        return subtags.indices.reversed().map { subtags[...$0].joined(separator: "-") }
    }

    private static func normal(_ name: some StringProtocol) -> String {
        name.lowercased().replacing("_", with: "-")
    }
}

/// What a locale is: a language tag (RFC 5646), or the name of a locale of the operating system.
package enum LanguageTag {
    /// What a name that is not valid should be, as the end of a sentence.
    package static let rule = "a language tag such as de or pt-BR"

    /// Whether a text is the name of a locale, such as `de`, `zh-Hant-TW`, `de_AT.UTF-8` or `C`.
    ///
    /// Only the form is checked, except that a language has two or three letters, because no longer one is registered.
    package static func isValid(_ name: String) -> Bool {
        let base = name.prefix { $0 != "." && $0 != "@" }.lowercased()
        if ["c", "posix"].contains(base) { return true }
        var subtags = base.replacing("_", with: "-").split(separator: "-", omittingEmptySubsequences: false)[...]
        guard subtags.allSatisfy(isSubtag), let language = subtags.popFirst(), isLetters(language, 2...3) else {
            return false
        }
        func skip(atMost limit: Int = .max, _ isPart: (Substring) -> Bool) {
            for _ in 0..<limit {
                guard let next = subtags.first, isPart(next) else { return }
                subtags.removeFirst()
            }
        }
        // Extended languages, script, region, variants.
        skip(atMost: 3) { isLetters($0, 3...3) }
        skip(atMost: 1) { isLetters($0, 4...4) }
        skip(atMost: 1) { isLetters($0, 2...2) || $0.count == 3 && $0.allSatisfy(\.isNumber) }
        skip { $0.count >= 5 || $0.count == 4 && $0.first?.isNumber == true }
        // Extensions: a character and longer subtags. After x any subtags follow.
        while let singleton = subtags.popFirst() {
            guard singleton.count == 1, let next = subtags.first else { return false }
            if singleton == "x" { return true }
            guard next.count > 1 else { return false }
            skip { $0.count > 1 }
        }
        return true
    }

    private static func isSubtag(_ text: Substring) -> Bool {
        (1...8).contains(text.utf8.count) && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    private static func isLetters(_ text: Substring, _ count: ClosedRange<Int>) -> Bool {
        count.contains(text.count) && text.allSatisfy(\.isLetter)
    }
}

/// Reads files of bundles without trusting them.
///
/// A file of a foreign bundle may be a link that leaves the bundle, a named pipe without a writer, or endless.
public enum BundleFile {
    /// Why a file cannot be read.
    public struct Failure: Error, Equatable {
        /// The problem and what to do about it, as a clause for an error message.
        public let message: String
        /// The line of a text file that it is about, the first is 1; nil if it is about all of the file.
        package var line: Int?
    }

    /// Reads a whole file.
    ///
    /// - Parameters:
    ///   - name: The file's path in the bundle.
    ///   - folder: The bundle's folder.
    ///   - limit: The maximum size in bytes.
    ///   - unsaved: Texts in place of files, by their paths in the bundle.
    /// - Returns: The bytes; `nil` if there is no such file.
    /// - Throws: Why an existing file is not read.
    public static func contents(
        of name: String,
        in folder: String,
        limit: Int,
        unsaved: [String: [UInt8]] = [:]
    ) throws(Failure) -> [UInt8]? {
        if let text = unsaved[name] { return text }
        return try open(name, in: folder) { descriptor, stamp throws(Failure) in
            guard stamp.size <= limit else { throw tooLarge(limit) }
            do throws(SystemError) {
                // Reading one byte more than allowed detects a file that has grown since.
                let bytes = try Descriptors.readAll(descriptor, limit: min(Int(stamp.size), limit) + 1)
                if bytes.count <= limit { return bytes }
            } catch {
                throw Failure(message: error.description)
            }
            throw tooLarge(limit)
        }
    }

    /// Reads a property list whose root is a dictionary; `nil` if the bundle has no such file.
    ///
    /// - Throws: Why an existing file is not read.
    package static func dictionary(
        _ name: String,
        in folder: String,
        limit: Int = 1 << 20,
        unsaved: [String: [UInt8]] = [:]
    ) throws(Failure) -> PropertyListValue? {
        guard let bytes = try contents(of: name, in: folder, limit: limit, unsaved: unsaved) else { return nil }
        return try dictionary(bytes)
    }

    /// Parses a property list whose root is a dictionary.
    static func dictionary(_ bytes: [UInt8]) throws(Failure) -> PropertyListValue {
        let list: PropertyListValue
        do throws(PropertyListError) {
            list = try PropertyListValue(propertyList: bytes)
        } catch {
            var line: Int?
            if case .line(let number) = error.place { line = number }
            throw Failure(message: error.message, line: line)
        }
        guard case .dictionary = list else {
            throw Failure(message: "its root must be a dictionary, it is \(list.typeName)")
        }
        return list
    }

    /// The stamp of a file, which differs after the file has changed; `nil` if there is no such file.
    ///
    /// - Throws: Why an existing file may not be read.
    static func stamp(of name: String, in folder: String) throws(Failure) -> FileStamp? {
        try open(name, in: folder) { _, stamp throws(Failure) in stamp }
    }

    private static func tooLarge(_ limit: Int) -> Failure {
        Failure(message: "it is larger than \(limit) bytes")
    }

    private static func open<Result>(
        _ name: String,
        in folder: String,
        _ body: (Int32, FileStamp) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard let root = Paths.resolved(folder), let path = Paths.resolved("\(root)/\(name)") else {
            // What cannot be looked at and a broken link exist, and must not be treated like an absent file.
            guard [ENOENT, ENOTDIR].contains(errno) else {
                throw Failure(message: "it cannot be read: \(SystemError.last)")
            }
            var status = stat()
            guard lstat("\(folder)/\(name)", &status) != 0 else { throw Failure(message: "it is a link to nothing") }
            return nil
        }
        guard Paths.lies(path, in: root) else { throw Failure(message: "it is a link that leaves the bundle") }
        // O_NONBLOCK: opening a named pipe must not wait for its writer.
        let descriptor = Platform.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw Failure(message: SystemError.last.description) }
        defer { close(descriptor) }
        guard let stamp = FileStamp(of: descriptor), stamp.kind == .file else {
            throw Failure(message: "it is not a file")
        }
        return try body(descriptor, stamp)
    }
}
