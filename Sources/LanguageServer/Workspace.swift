import JSON
import Localization
import Platform

/// A name that several files share.
struct Mention: Equatable {
    enum Kind: Equatable {
        /// A category of notifications.
        case category
        /// A key of texts.
        case text
        /// A key-value pair of a payload.
        case key
    }

    let kind: Kind
    let name: String
    /// Whether it is the place that others refer to: in the `Info.plist` or a `.strings` file.
    let isDeclaration: Bool
    let range: Range<Int>
    /// The category of the payload that it is in.
    let category: String?
}

/// The files in the editor's folders that bundles and payloads consist of, as they are on disk.
///
/// A file is read on first use, and again after it has changed. Only what other files may name is kept of it.
package struct Workspace {
    /// A file, and the names in it.
    struct File {
        let path: String
        let kind: DocumentKind
        let mentions: [Mention]
    }

    /// The folders that the editor has open.
    package var folders: [String] = []
    /// Folders with bundles that the user named besides.
    var plugins: [String] = []
    /// Whether a file may have changed since they were read.
    var isStale = true
    /// The files of the folders, sorted by path, as ``refresh()`` found them.
    private(set) var files: [File] = []
    /// The folder of the bundle that shows the payloads of a category.
    private(set) var bundles: [String: String] = [:]
    private var known: [String: (stamp: FileStamp, file: File)] = [:]
    private var strings: [String: LocalizedStrings] = [:]

    /// Folders in which nobody keeps a bundle of their own.
    private static let skipped: Set<String> = ["node_modules", "DerivedData", "Pods", "Carthage"]
    /// How deep folders are searched, and how many entries at most.
    private static let (depthLimit, entryLimit) = (6, 50_000)
    private static let sizeLimit = 4 << 20

    // MARK: Files

    /// The bytes of a file; nil if it cannot be read or is too large.
    static func contents(_ path: String) -> [UInt8]? { try? NamedFile.contents(at: path, limit: sizeLimit) }

    /// The bundles in the folders.
    package static func bundles(in folders: [String]) -> [String] {
        var bundles: [String] = []
        walk(folders) { folder, names in
            if names.contains("Info.plist") { bundles.append(folder) }
        }
        return bundles
    }

    /// Reads the files that are new or have changed.
    mutating func refresh() {
        var files: [String: (stamp: FileStamp, file: File)] = [:]
        Self.walk(folders + plugins) { folder, names in
            for name in names {
                let path = "\(folder)/\(name)"
                let kind = DocumentKind(path: path, bytes: [])
                guard kind != .program, kind != .json || name.hasSuffix(".json") else { continue }
                guard let stamp = FileStamp(of: path), stamp.kind == .file else { continue }
                if let file = known[path], file.stamp == stamp {
                    files[path] = file
                } else if let bytes = Self.contents(path) {
                    files[path] = (stamp, Self.file(path, bytes))
                }
            }
        }
        known = files
        self.files = files.values.map(\.file).sorted { $0.path < $1.path }
        bundles = [:]
        for file in self.files where file.kind == .infoPlist { add(file) }
        isStale = false
    }

    /// Adds the categories of an `Info.plist`.
    private mutating func add(_ propertyList: File) {
        for mention in propertyList.mentions where mention.kind == .category {
            bundles[mention.name] = bundles[mention.name] ?? Paths.parent(of: propertyList.path)
        }
    }

    private static func file(_ path: String, _ bytes: [UInt8]) -> File {
        let kind = DocumentKind(path: path, bytes: bytes)
        return File(path: path, kind: kind, mentions: mentions(in: SyntaxTree(bytes, kind.language), kind, bytes))
    }

    /// Visits the folders, those in them, and so on.
    private static func walk(_ folders: [String], _ visit: (_ folder: String, _ names: [String]) -> Void) {
        var waiting = folders.map { (path: $0, depth: 0) }
        var (visited, left): (Set<String>, Int) = ([], entryLimit)
        while let (folder, depth) = waiting.popLast(), left > 0 {
            guard visited.insert(folder).inserted, let names = try? Folders.names(in: folder) else { continue }
            left -= names.count
            visit(folder, names)
            guard depth < depthLimit else { continue }
            // A name with a point is that of a file, or of a folder with texts.
            for name in names
            where !name.hasPrefix(".") && !skipped.contains(name) && (!name.contains(".") || name.hasSuffix(".lproj")) {
                let path = "\(folder)/\(name)"
                if FileStamp(of: path)?.kind == .folder, Paths.target(ofLink: path) == nil {
                    waiting.append((path, depth + 1))
                }
            }
        }
    }

    // MARK: Payloads

    /// A payload for a list.
    package struct PayloadFile {
        package let path: String
        /// The title of the notification, or else its body, as the bundle's first language has it.
        package let title: String
        /// The name of the folder of the bundle that shows it; nil if no bundle in the folders does.
        package let bundle: String?
    }

    /// The payloads in folders, sorted by path: at most 500, so that a large folder gives a short list.
    package static func payloads(in folders: [String]) -> [PayloadFile] {
        var workspace = Workspace()
        var found: [(path: String, root: SyntaxTree.Node)] = []
        walk(folders) { folder, names in
            for name in names.sorted() where name.hasSuffix(".apns") || name.hasSuffix(".json") || name == "Info.plist"
            {
                let path = "\(folder)/\(name)"
                // Larger than any payload, even one that is too large to be sent.
                guard let bytes = try? NamedFile.contents(at: path, limit: 64 << 10) else { continue }
                let kind = DocumentKind(path: path, bytes: bytes)
                let tree = SyntaxTree(bytes, kind.language)
                if kind == .infoPlist { workspace.add(file(path, bytes)) }
                if kind == .payload, let root = tree.root, found.count < 500 { found.append((path, root)) }
            }
        }
        return found.map { path, root in
            let bundle = root["aps"]?["category"]?.text.flatMap { workspace.bundles[$0.0] }
            let title = workspace.title(root["aps"]?["alert"], bundle)
            return PayloadFile(path: path, title: title, bundle: bundle.map { String(LanguageServer.name($0)) })
        }
        .sorted { $0.path < $1.path }
    }

    /// The first text of an alert.
    private mutating func title(_ alert: SyntaxTree.Node?, _ bundle: String?) -> String {
        if let (text, _) = alert?.text { return text }
        for (name, prefix) in [("title", "title-"), ("subtitle", "subtitle-"), ("body", "")] {
            if let (text, _) = alert?[name]?.text { return text }
            guard let (key, _) = alert?["\(prefix)loc-key"]?.text else { continue }
            var arguments: [String] = []
            if case .array(let elements, _, _)? = alert?["\(prefix)loc-args"] {
                arguments = elements.map { $0.text?.0 ?? "" }
            }
            let strings = bundle.map { texts(of: $0) }
            let text = strings?.find(key, locale: strings?.developmentRegion ?? "").text
            return text?.filled(arguments).text ?? key
        }
        return ""
    }

    // MARK: Names

    /// The names in a document that other files may have too.
    static func mentions(in tree: SyntaxTree, _ kind: DocumentKind, _ bytes: [UInt8]) -> [Mention] {
        switch kind {
        case .payload: tree.root.map { mentions(inPayload: $0) } ?? []
        case .infoPlist: tree.root.map(declarations) ?? []
        case .strings:
            if case .object(let members, _, _) = tree.root {
                members.map { Mention(.text, $0.name, $0.nameRange, isDeclaration: true) }
            } else {
                []
            }
        case .session:
            if case .array(let lines, _, _) = tree.root { lines.flatMap { mentions(inLine: $0, bytes) } } else { [] }
        case .entitlements, .json, .program: []
        }
    }

    private static func mentions(inPayload payload: SyntaxTree.Node) -> [Mention] {
        guard case .object(let members, _, _) = payload, let aps = payload["aps"] else { return [] }
        let category = aps["category"]?.text
        var mentions: [Mention] = []
        if let (name, range) = category { mentions.append(Mention(.category, name, range)) }
        for key in ["title-loc-key", "subtitle-loc-key", "loc-key", "action-loc-key"] {
            guard let (name, range) = aps["alert"]?[key]?.text else { continue }
            mentions.append(Mention(.text, name, range, category: category?.0))
        }
        for member in members where member.name != "aps" && !member.name.isEmpty {
            mentions.append(Mention(.key, member.name, member.nameRange, category: category?.0))
        }
        return mentions
    }

    /// The payload that is anywhere in a line of a session, also in a message that is recorded as a text.
    private static func mentions(inLine line: SyntaxTree.Node, _ bytes: [UInt8]) -> [Mention] {
        if line["aps"] != nil { return mentions(inPayload: line) }
        switch line {
        case .object(let members, _, _):
            return members.flatMap { member -> [Mention] in
                guard let value = member.value else { return [] }
                guard member.name == "raw", case .scalar(.some(let text), let range) = value, let text = text.string
                else { return mentions(inLine: value, bytes) }
                let offsets = Self.offsets(ofText: range, bytes)
                let message = Array(text.utf8)
                guard offsets.count == message.count + 1, let root = SyntaxTree(message).root else { return [] }
                return mentions(inLine: root, message).map {
                    let range = offsets[$0.range.lowerBound]..<offsets[$0.range.upperBound]
                    return Mention($0.kind, $0.name, range, isDeclaration: $0.isDeclaration, category: $0.category)
                }
            }
        case .array(let elements, _, _): return elements.flatMap { mentions(inLine: $0, bytes) }
        case .scalar: return []
        }
    }

    /// The offset of each byte of a JSON text, and of its end, in the document that spells it with escapes.
    private static func offsets(ofText range: Range<Int>, _ bytes: [UInt8]) -> [Int] {
        var offsets: [Int] = []
        var offset = range.lowerBound + 1
        while offset < range.upperBound - 1 {
            let start = offset
            guard bytes[offset] == UInt8(ascii: "\\") else {
                offsets.append(offset)
                offset += 1
                continue
            }
            offset += 2
            guard bytes[start + 1] == UInt8(ascii: "u") else {
                offsets.append(start)
                continue
            }
            offset += 4
            let digits = bytes[min(start + 2, bytes.count)..<min(start + 6, bytes.count)]
            let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0
            var length = code < 0x80 ? 1 : code < 0x800 ? 2 : 3
            if (0xD800..<0xDC00).contains(code) { (length, offset) = (4, offset + 6) }
            offsets += Array(repeating: start, count: length)
        }
        return offsets + [offset]
    }

    private static func declarations(_ plist: SyntaxTree.Node) -> [Mention] {
        guard let attributes = plist["NSExtension"]?["NSExtensionAttributes"] else { return [] }
        let categories: [SyntaxTree.Node]
        switch attributes["UNNotificationExtensionCategory"] {
        case .array(let elements, _, _)?: categories = elements
        case let value?: categories = [value]
        case nil: categories = []
        }
        var mentions = categories.compactMap(\.text).map { Mention(.category, $0.0, $0.1, isDeclaration: true) }
        if case .object(let members, _, _)? = attributes["PushhostUserInfoKeys"] {
            mentions += members.map { Mention(.key, $0.name, $0.nameRange, isDeclaration: true) }
        }
        return mentions
    }

    // MARK: Bundles

    /// The folder of the bundle to which a name in a file belongs; nil if there is none.
    func owner(of mention: Mention, in path: String) -> String? {
        if path.hasSuffix(".strings") { return Paths.parent(of: Paths.parent(of: path)) }
        if path.hasSuffix("/Info.plist") { return Paths.parent(of: path) }
        if let bundle = mention.category.flatMap({ bundles[$0] }) { return bundle }
        let folder = Paths.parent(of: path)
        return FileStamp(of: "\(folder)/Info.plist")?.kind == .file ? folder : nil
    }

    /// The texts of a bundle.
    mutating func texts(of bundle: String) -> LocalizedStrings {
        if let known = strings[bundle] { return known }
        let new = LocalizedStrings(folder: bundle)
        strings[bundle] = new
        return new
    }
}

extension Mention {
    init(
        _ kind: Kind,
        _ name: String,
        _ range: Range<Int>,
        isDeclaration: Bool = false,
        category: String? = nil
    ) {
        (self.kind, self.name, self.range) = (kind, name, range)
        (self.isDeclaration, self.category) = (isDeclaration, category)
    }
}

extension SyntaxTree.Node {
    /// The value of a member of an object.
    subscript(name: String) -> SyntaxTree.Node? {
        guard case .object(let members, _, _) = self else { return nil }
        return members.last { $0.name == name }?.value
    }

    /// A text that is not empty, and its place.
    var text: (String, Range<Int>)? {
        guard case .scalar(let value?, let range) = self, let text = value.string, !text.isEmpty else { return nil }
        return (text, range)
    }
}
