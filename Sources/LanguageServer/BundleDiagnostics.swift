import BundleChecks
import ExtensionHost
import JSON
import Localization
import Platform

/// The findings about the files of bundles, and places in other files that explain a finding.
extension LanguageServer {
    /// The folder of the bundle that a document belongs to; nil for a document of another kind.
    private static func bundle(ofFile document: OpenDocument) -> String? {
        let folder = Paths.parent(of: document.path)
        switch document.kind {
        case .infoPlist, .entitlements: return folder
        case .strings: return folder.lowercased().hasSuffix(".lproj") ? Paths.parent(of: folder) : folder
        case .payload, .session, .json, .program: return nil
        }
    }

    /// Checks the bundle that a document belongs to, and publishes what is found in each of its open documents.
    func checkBundle(of document: OpenDocument) {
        guard let folder = Self.bundle(ofFile: document) else { return }
        var open: [String: OpenDocument] = [:]
        for document in documents.values where Self.bundle(ofFile: document) == folder {
            open[String(document.path.dropFirst(folder.utf8.count + 1))] = document
        }
        let checks = BundleChecks(folder: folder, unsaved: open.mapValues(\.text.bytes))
        var findings = checks.texts()
        if isExtension(folder) { findings = checks.loading() + checks.propertyLists() + findings }
        for (file, document) in open.sorted(by: { $0.key < $1.key }) {
            var found = findings.filter { $0.severity != .ok && Self.isShown($0, in: file) }
                .map { finding($0, file, document, folder) }
            if document.kind == .infoPlist {
                found += startProblem(in: document, folder) + conflicts(in: document)
                found += (incompleteCopies[folder] ?? []).map { incompleteCopy($0, in: document) }
            }
            publish(document.uri, document, found)
        }
    }

    /// Asks the host which bundles it cannot start, which their files do not say, and shows it in each open `Info.plist`.
    func fetchStartProblems() {
        guard documents.values.contains(where: { $0.kind == .infoPlist }) else { return }
        // Not with each key that is typed, because it walks through the folders.
        for document in documents.values where document.kind == .infoPlist {
            let folder = Paths.parent(of: document.path)
            incompleteCopies[folder] = BundleChecks(folder: folder).links()
        }
        surroundings.call("extensions", [:]) { [weak self] result in
            guard let self, let bundles = result?["extensions"]?.elements else { return }
            startProblems = [:]
            for bundle in bundles {
                let problem = bundle["problems"]?.elements.first { $0["preventsStart"] == true }
                startProblems[bundle["path"]?.string ?? ""] = problem
            }
            for document in documents.values where document.kind == .infoPlist { checkBundle(of: document) }
        }
    }

    private func startProblem(in document: OpenDocument, _ folder: String) -> [Finding] {
        guard let problem = startProblems[Paths.resolved(folder) ?? folder] else { return [] }
        return [
            Finding(
                range: range("/CFBundleExecutable", nil, "cannotStart", document),
                level: problem["severity"]?.string ?? "error",
                reason: "cannotStart",
                message: problem["message"]?.string ?? "",
                advice: "",
                path: ""
            )
        ]
    }

    /// A finding about a file that is not open, in the `Info.plist`.
    private func incompleteCopy(_ finding: BundleFinding, in document: OpenDocument) -> Finding {
        Finding(
            range: document.firstPart,
            level: finding.severity.rawValue,
            reason: finding.reason,
            message: finding.file.isEmpty ? finding.message : "\(finding.file): \(finding.message)",
            advice: "",
            path: ""
        )
    }

    /// Whether a folder has the `Info.plist` of an extension, and not that of an app or a framework.
    private func isExtension(_ folder: String) -> Bool {
        let path = "\(folder)/Info.plist"
        let tree = document(at: path)?.tree ?? Workspace.contents(path).map { SyntaxTree($0, .propertyList) }
        guard case .object(let members, _, _)? = tree?.root, !members.isEmpty else { return tree != nil }
        return members.contains { $0.name.lowercased().hasPrefix("nsextension") }
    }

    /// Whether a finding is shown in a file: its own, one in the folder that it is about, or the `Info.plist` that names a
    /// missing one.
    private static func isShown(_ finding: BundleFinding, in file: String) -> Bool {
        if finding.file.isEmpty || finding.reason == "missingEntitlements" { return file == "Info.plist" }
        return file == finding.file || file.hasPrefix("\(finding.file)/")
    }

    private func finding(
        _ finding: BundleFinding,
        _ file: String,
        _ document: OpenDocument,
        _ folder: String
    ) -> Finding {
        let isOwn = finding.file == file
        let missing = finding.reason == "missingEntitlements" ? "/CFBundleExecutable" : nil
        var found = Finding(
            range: range(isOwn ? finding.path : missing, isOwn ? finding.line : nil, finding.reason, document),
            level: finding.severity.rawValue,
            reason: finding.reason,
            message: finding.message,
            advice: "",
            path: finding.path ?? "",
            correction: isOwn ? finding.correction : nil
        )
        if let original = finding.original {
            found.related = related("\(folder)/\(original)", finding.path ?? "", "It has the text.")
        }
        return found
    }

    /// The part of a document that a finding marks.
    private func range(_ path: String?, _ line: Int?, _ reason: String, _ document: OpenDocument) -> Range<Int> {
        if let line { return document.text.content(ofLine: line - 1) }
        let first = document.firstPart
        guard let path, let place = document.tree.find(path) else { return first }
        guard let name = place.name else {
            // The root, whose part is missing, or an element of an array.
            return place.value == document.tree.root?.range ? first : place.value
        }
        let isAboutName = ["misspeltKey", "misplacedKey", "missingKey", "unknownKey"].contains(reason)
        return isAboutName || place.value.isEmpty ? name : place.value
    }

    // MARK: Other files

    /// The files `Info.plist` of the workspace.
    var propertyLists: [Workspace.File] {
        if workspace.isStale { workspace.refresh() }
        return workspace.files.filter { $0.kind == .infoPlist }
    }

    /// The categories of a bundle that another bundle of the workspace has too and shows, because its identifier comes first.
    private func conflicts(in document: OpenDocument) -> [Finding] {
        let own = Workspace.mentions(in: document.tree, document.kind, document.text.bytes)
            .filter { $0.kind == .category }
        guard !own.isEmpty, let identifier = identifier(of: document.path) else { return [] }
        let others = propertyLists.filter { $0.path != document.path }
        return own.compactMap { category in
            let rivals = others.filter { file in
                file.mentions.contains { $0.kind == .category && $0.name == category.name }
            }
            let winner = rivals.compactMap { file in self.identifier(of: file.path).map { ($0, file.path) } }
                .min { $0.0 < $1.0 }
            guard let (name, path) = winner, name < identifier else { return nil }
            var found = Finding(
                range: category.range,
                level: "error",
                reason: "categoryConflict",
                message: "\(name) has the category \(category.name) too and wins, its identifier comes first",
                advice: "",
                path: ""
            )
            found.related = declarations(of: category.name, in: path)
            return found
        }
    }

    /// The identifier of the bundle with an `Info.plist`.
    private func identifier(of path: String) -> String? {
        let unsaved = document(at: path).map { ["Info.plist": $0.text.bytes] } ?? [:]
        return (try? ExtensionBundle(folder: Paths.parent(of: path), unsaved: unsaved))?.identifier
    }

    /// The places that explain a finding about a payload.
    func related(to finding: Finding, in document: OpenDocument) -> [JSON] {
        guard client.showsRelatedPlaces else { return [] }
        switch finding.reason {
        case "noExtension":
            let names = Set(Self.meant(finding.advice))
            guard !names.isEmpty else { return [] }
            return propertyLists.flatMap { file in
                let categories = file.mentions.filter { $0.kind == .category && names.contains($0.name) }
                return categories.flatMap { declarations(of: $0.name, in: file.path) }
            }
        case "unknownLocalizationKey":
            guard let bundle = bundle(of: document) else { return [] }
            let region = LocalizedStrings(folder: bundle).developmentRegion
            return related("\(bundle)/\(region).lproj/Localizable.strings", "", "The bundle's texts are here.")
        default: return []
        }
    }

    /// Where an `Info.plist` lists a category.
    private func declarations(of category: String, in path: String) -> [JSON] {
        guard let file = file(path) else { return [] }
        let mentions = Workspace.mentions(in: file.tree, file.kind, file.text.bytes)
        return related(file, mentions.first { $0.name == category }?.range, "It has the category \(category).")
    }

    /// A place in a file, as related information; nothing if there is no file, or if the editor does not show it.
    private func related(_ path: String, _ pointer: String, _ message: String) -> [JSON] {
        guard let file = file(path) else { return [] }
        return related(file, file.tree.find(pointer)?.name, message)
    }

    private func related(_ file: OpenDocument, _ range: Range<Int>?, _ message: String) -> [JSON] {
        guard client.showsRelatedPlaces else { return [] }
        return [
            [
                "location": ["uri": .string(file.uri), "range": file.json(range ?? file.firstPart)],
                "message": .string(message),
            ]
        ]
    }

    /// The document with a path, as the editor or else the disk has it.
    func file(_ path: String) -> OpenDocument? {
        document(at: path) ?? OpenDocument(path, encoding: client.encoding)
    }
}

extension OpenDocument {
    /// What a finding about all of the document marks: the first key of texts, or else the tag or character that begins the
    /// value.
    var firstPart: Range<Int> {
        guard let root = tree.root else { return text.content(ofLine: 0) }
        if kind == .strings {
            guard case .object(let members, _, _) = root else { return 0..<0 }
            return members.first?.nameRange ?? 0..<0
        }
        let start = root.range.lowerBound
        guard kind == .infoPlist || kind == .entitlements else { return start..<min(start + 1, text.bytes.count) }
        return start..<(text.bytes[start...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? text.bytes.count)
    }
}

extension TextDocument {
    /// The bytes of a line without white space at its ends; the first line is 0, and one behind the end is the last.
    func content(ofLine line: Int) -> Range<Int> {
        let line = min(line, position(of: bytes.count).line)
        var range = offset(of: Position(line: line, character: 0))..<offset(of: Position(line: line, character: .max))
        while let first = bytes[range].first, first <= 0x20 { range = (range.lowerBound + 1)..<range.upperBound }
        while let last = bytes[range].last, last <= 0x20 { range = range.lowerBound..<(range.upperBound - 1) }
        return range
    }
}
