internal import Platform
package import PropertyLists

/// The localised texts of a bundle: `<lang>.lproj/Localizable.strings`.
///
/// A file is read on first use, and again after it has changed.
///
/// - Important: Not thread-safe.
public final class LocalizedStrings {
    /// The result of a lookup.
    public struct Finding {
        /// The text; nil if no file has the key.
        public let text: String?
        /// The files that were searched, in order, by their paths in the bundle.
        public let files: [String]
        /// Files that could not be read, each with the reason.
        public let failures: [String]
        /// The keys of the searched files, sorted; empty if the key was found.
        public let keys: [String]
        /// Files of formats that are not read, which may have the key; empty if it was found.
        public var unread: [String] = []
    }

    private static let sizeLimit = 1 << 20
    /// The maximum number of cached files: a bundle may have any number of languages, and clients may use all of them.
    private static let tableLimit = 32

    private typealias Table = Result<[String: String], BundleFile.Failure>

    private static let findingLimit = 1_024

    private let folder: String
    private let keepsFindings: Bool
    /// Cached results by key and locale, if they are cached.
    private var findings: [[String]: Finding] = [:]
    private var tables: [String: (stamp: FileStamp, table: Table)] = [:]

    /// The texts of a bundle; nothing is read yet.
    ///
    /// - Parameters:
    ///   - folder: The bundle's folder, with its `Info.plist`.
    ///   - keepsFindings: Whether results are cached, because the files do not change while this object exists.
    public init(folder: String, keepsFindings: Bool = false) {
        self.folder = folder
        self.keepsFindings = keepsFindings
    }

    /// The language in which the texts were first written, and the fallback for locales without texts.
    package private(set) lazy var developmentRegion: String = {
        let list = try? BundleFile.dictionary("Info.plist", in: folder)
        // The Info.plist of an Xcode project that was not built has a build variable here.
        guard let region = list?["CFBundleDevelopmentRegion"]?.text, !region.hasPrefix("$") else { return "en" }
        return region
    }()

    /// Looks up a key.
    ///
    /// Searches these folders in order until one has the key: that of the locale; those of the
    /// locale with fewer and fewer subtags; the same for `CFBundleDevelopmentRegion`, by default `en`; `Base`.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - locale: A locale such as `de-AT`, `de_AT` or `zh-Hant-TW`; case is ignored.
    /// - Returns: The text, or the files that were searched without success.
    public func find(_ key: String, locale: String) -> Finding {
        guard keepsFindings else { return search(for: key, locale: locale) }
        if let known = findings[[key, locale]] { return known }
        let finding = search(for: key, locale: locale)
        if findings.count >= Self.findingLimit { findings = [:] }
        findings[[key, locale]] = finding
        return finding
    }

    private func search(for key: String, locale: String) -> Finding {
        var files: [String] = []
        var failures: [String] = []
        var keys: Set<String> = []
        for directory in directories(locale, &failures) {
            let file = directory + "/Localizable.strings"
            switch table(file) {
            case nil: continue
            case .failure(let failure): failures.append("\(file): \(failure.message)")
            case .success(let texts):
                if let text = texts[key] {
                    return Finding(text: text, files: files + [file], failures: failures, keys: [])
                }
                keys.formUnion(texts.keys)
            }
            files.append(file)
        }
        let unread = Self.unreadFiles(in: folder)
        return Finding(text: nil, files: files, failures: failures, keys: keys.sorted(), unread: unread)
    }

    /// The sorted paths of the files of a bundle whose texts only Xcode reads: string catalogs and plural rules.
    package static func unreadFiles(in folder: String) -> [String] {
        let list = { (path: String) in
            ((try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(path)")) ?? []).sorted()
        }
        let entries = list("")
        let files =
            entries + entries.filter { $0.hasSuffix(".lproj") }.flatMap { name in list(name).map { "\(name)/\($0)" } }
        return files.filter { $0.hasSuffix(".xcstrings") || $0.hasSuffix(".stringsdict") }
    }

    /// The localisation folders of the bundle to search for a locale, the best first.
    private func directories(_ locale: String, _ failures: inout [String]) -> [String] {
        var entries: [String] = []
        do throws(SystemError) { entries = try Folders.names(in: folder) } catch {
            failures.append("the bundle's folder cannot be read: \(error)")
        }
        var found: [String: String] = [:]
        // The locale comes from a client, so it is compared with existing folders and never becomes part of a path.
        for entry in entries where entry.hasSuffix(".lproj") {
            let name = Self.normal(entry.dropLast(".lproj".count))
            if found[name] == nil { found[name] = entry }
        }
        var directories: [String] = []
        for name in Self.chain(locale) + Self.chain(developmentRegion) + ["base"] {
            if let entry = found.removeValue(forKey: name) { directories.append(entry) }
        }
        return directories
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

    /// The texts of a bundle's file by key; nil if there is no file.
    ///
    /// - Throws: Why an existing file is not read.
    package static func texts(of file: String, in folder: String) throws(BundleFile.Failure) -> [String: String]? {
        guard let bytes = try BundleFile.contents(of: file, in: folder, limit: sizeLimit) else { return nil }
        return try StringsFile(bytes).texts
    }

    /// The texts of a file, from memory if the file has not changed; nil if there is no file.
    private func table(_ file: String) -> Table? {
        do throws(BundleFile.Failure) {
            guard let stamp = try BundleFile.stamp(of: file, in: folder) else { return nil }
            if let known = tables[file], known.stamp == stamp { return known.table }
            let table = Table { () throws(BundleFile.Failure) in try Self.texts(of: file, in: folder) ?? [:] }
            if tables.count >= Self.tableLimit { tables = [:] }
            tables[file] = (stamp, table)
            return table
        } catch {
            return .failure(error)
        }
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
    }

    /// Reads a whole file.
    ///
    /// - Parameters:
    ///   - name: The file's path in the bundle.
    ///   - folder: The bundle's folder.
    ///   - limit: The maximum size in bytes.
    /// - Returns: The bytes; `nil` if there is no such file.
    /// - Throws: Why an existing file is not read.
    public static func contents(of name: String, in folder: String, limit: Int) throws(Failure) -> [UInt8]? {
        try open(name, in: folder) { descriptor, stamp throws(Failure) in
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
        limit: Int = 1 << 20
    ) throws(Failure) -> PropertyListValue? {
        guard let bytes = try contents(of: name, in: folder, limit: limit) else { return nil }
        return try dictionary(bytes)
    }

    /// Parses a property list whose root is a dictionary.
    static func dictionary(_ bytes: [UInt8]) throws(Failure) -> PropertyListValue {
        let list: PropertyListValue
        do throws(PropertyListError) {
            list = try PropertyListValue(propertyList: bytes)
        } catch {
            throw Failure(message: error.message)
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
            throw Failure(message: "it is no file")
        }
        return try body(descriptor, stamp)
    }
}
