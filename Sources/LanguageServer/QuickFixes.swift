import BundleChecks
import ExtensionHost
import JSON
import JSONRPC
import Localization
import Notifications
import Platform

/// Corrections of findings.
extension LanguageServer {
    /// A change that an editor offers.
    private struct Fix {
        let title: String
        /// The edits of each document.
        let edits: [(document: OpenDocument, edits: [TextEdit])]
    }

    /// The corrections of each finding in a range.
    func fixes(_ document: OpenDocument, _ params: JSON) -> JSON {
        guard let asked = params["range"].flatMap(TextDocument.range) else { return [] }
        let (start, end) = (document.text.offset(of: asked.start), document.text.offset(of: asked.end))
        let wanted = min(start, end)...max(start, end)
        let found = document.findings.filter {
            $0.range.lowerBound <= wanted.upperBound && wanted.lowerBound <= $0.range.upperBound
        }
        return JSON(
            found.flatMap { finding -> [JSON] in
                let fixes = document.kind == .payload ? payloadFixes(finding, document) : bundleFixes(finding, document)
                return fixes.map { fix in
                    let changes = fix.edits.map { document, edits in
                        (
                            document.uri,
                            JSON(edits.map { ["range": document.json($0.range), "newText": .string($0.text)] })
                        )
                    }
                    return [
                        "title": .string(fix.title), "kind": "quickfix", "isPreferred": .bool(fixes.count == 1),
                        "diagnostics": [diagnostic(finding, document)],
                        "edit": ["changes": .object(JSON.Object(changes))],
                    ]
                }
            }
        )
    }

    /// The names in advice of the form "did you mean a or b?".
    static func meant(_ advice: String) -> [String] {
        guard let match = advice.firstMatch(of: /did you mean (.+)\?/) else { return [] }
        return String(match.1).split(separator: " or ").map(String.init)
    }

    private static func fix(_ title: String, _ document: OpenDocument, _ edits: [TextEdit]?) -> [Fix] {
        edits.map { [Fix(title: title, edits: [(document, $0)])] } ?? []
    }

    private static func fix(_ title: String, _ document: OpenDocument, _ edit: TextEdit?) -> [Fix] {
        fix(title, document, edit.map { [$0] })
    }

    // MARK: Payloads

    private func payloadFixes(_ finding: Finding, _ document: OpenDocument) -> [Fix] {
        let edits = MemberEdits(document)
        let replace = { (title: String, text: String) in
            Self.fix(title, document, TextEdit(range: finding.range, text: text))
        }
        let named = Self.meant(finding.advice).flatMap { replace("Replace it by \($0)", JSON.string($0).description) }
        let (path, name) = (finding.path, finding.path.split(separator: "/").last.map(String.init) ?? "")
        switch finding.reason {
        case "noExtension" where name == "aps":
            return categories().flatMap { category in
                let value = JSON.string(category).description
                return Self.fix("Add the category \(category)", document, edits.insertion("category", value, in: path))
            }
        case "noExtension" where named.isEmpty:
            return categories().flatMap { replace("Replace it by \($0)", JSON.string($0).description) }
        case "misplacedKey": return misplaced(path, name, document, edits)
        case "serviceSkipped": return replace("Replace it by 1", "1")
        case "notMutable":
            return Self.fix("Add mutable-content", document, edits.insertion("mutable-content", "1", in: "/aps"))
        case "noAlert" where finding.level == "warning" && document.tree.root?["aps"]?["alert"] == nil:
            return Self.fix("Add an alert", document, edits.insertion("alert", "\"Hello\"", in: "/aps"))
        case "missingKey" where path == "/aps/sound":
            return Self.fix("Add the name default", document, edits.insertion("name", "\"default\"", in: path))
        case "missingKey" where path.isEmpty: return missingPair(finding, document, edits)
        case "unknownLocalizationKey": return named + missingText(finding, document)
        case "wrongValue", "ignoredMember":
            let removal = edits.removal(path)
            return typed(finding, document, edits)
                + (finding.reason == "ignoredMember" ? Self.fix("Remove \(name)", document, removal) : [])
        default: return named
        }
    }

    /// The categories that the bundles of the workspace declare, a few of them.
    private func categories() -> [String] {
        let names = propertyLists.flatMap(\.mentions).filter { $0.kind == .category }.map(\.name)
        return Array(Set(names).sorted().prefix(5))
    }

    private func misplaced(_ path: String, _ name: String, _ document: OpenDocument, _ edits: MemberEdits) -> [Fix] {
        if path.hasPrefix("/aps/") {
            return Self.fix("Move \(name) out of aps", document, edits.move(path, to: ""))
        }
        guard name != "custom_uri" else {
            let range = document.tree.find(path)?.name
            return Self.fix("Rename it ab_uri", document, range.map { TextEdit(range: $0, text: "\"ab_uri\"") })
        }
        // Braze's API writes the names of aps with underscores.
        let member = name.replacing("_", with: "-")
        return Self.fix("Move it into aps as \(member)", document, edits.move(path, to: "/aps", as: member))
    }

    /// The pair that the payload's bundle declares and the payload lacks, with the declaration's example.
    private func missingPair(_ finding: Finding, _ document: OpenDocument, _ edits: MemberEdits) -> [Fix] {
        guard let folder = bundle(of: document), let bundle = try? ExtensionBundle(folder: folder) else { return [] }
        guard let name = finding.message.firstMatch(of: /^the key-value pair (\S+) is missing/).map({ String($0.1) })
        else { return [] }
        let pattern = name.replacing(/\d+/, with: "#", maxReplacements: 1)
        return bundle.userInfoKeys.filter { $0.name == name || $0.name == pattern }.flatMap { key -> [Fix] in
            // A pointer leads to a member of an object that the payload has.
            let steps = key.isPointer ? name.split(separator: "/").map(String.init) : [name]
            let parent = JSON.pointer(steps.dropLast())
            let edit = edits.insertion(steps.last ?? name, key.writtenExample, in: parent)
            return Self.fix("Add \(name)", document, edit)
        }
    }

    /// The same value in another type: a number in `aps`, a text beside it; or one of the values that Apple defines.
    private func typed(_ finding: Finding, _ document: OpenDocument, _ edits: MemberEdits) -> [Fix] {
        guard let value = edits.value(finding.path), let range = document.tree.find(finding.path)?.value else {
            return []
        }
        let steps = finding.path.split(separator: "/").map(String.init)
        let known = PayloadKeys.keys(at: steps.dropLast()).first { $0.name == steps.last }?.values ?? []
        var texts = known.map { JSON.string($0).description }
        if steps.first == "aps" {
            let number =
                value.bool.map { $0 ? "1" : "0" } ?? value.string.flatMap { try? JSON(parsing: $0) }?.description
            if let number, Double(number) != nil { texts.append(number) }
        } else if value.number != nil || value.bool != nil {
            texts.append(JSON.string(value.description).description)
        }
        return texts.flatMap { Self.fix("Replace it by \($0)", document, TextEdit(range: range, text: $0)) }
    }

    private func missingText(_ finding: Finding, _ document: OpenDocument) -> [Fix] {
        guard let folder = bundle(of: document), let key = document.tree.find(finding.path)?.value,
            let name = (try? JSON(parsing: Array(document.text.bytes[key])))?.string
        else { return [] }
        return everyLocale([name], folder)
    }

    // MARK: Bundles

    private func bundleFixes(_ finding: Finding, _ document: OpenDocument) -> [Fix] {
        let edits = MemberEdits(document)
        let name = document.tree.find(finding.path)?.name
        let replace = { (title: String, text: String, range: Range<Int>) in
            let spelling = Self.spelling(text, at: range, in: document)
            return Self.fix(title, document, TextEdit(range: range, text: spelling))
        }
        switch finding.correction {
        case .rename(let text): return name.map { replace("Rename it \(text)", text, $0) } ?? []
        case .replace(let text): return replace("Replace it by \(text)", text, finding.range)
        case .remove: return Self.fix("Remove it", document, edits.removal(finding.path))
        case .move(let target):
            let place = target.isEmpty ? "the root" : String(target.split(separator: "/").last ?? "")
            return Self.fix("Move it to \(place)", document, edits.move(finding.path, to: target))
        case .element(let text):
            return Self.fix("Replace it by \(text)", document, edits.replacement(finding.path, element: text))
        case .addTexts(let keys):
            let folder = Paths.parent(of: Paths.parent(of: document.path))
            let texts = Self.texts(keys, originals(folder))
            let title = keys.count == 1 ? "Add \(keys[0])" : "Add \(keys.count) keys"
            return Self.fix(title, document, Self.addition(texts, to: document)) + everyLocale(keys, folder)
        case nil:
            guard finding.reason == "unreadableStrings" else { return [] }
            return Self.fix("Add the semicolon", document, Self.semicolon(finding, document))
        }
    }

    /// The semicolon that the entry before a place lacks.
    private static func semicolon(_ finding: Finding, _ document: OpenDocument) -> TextEdit? {
        guard case .object(let members, _, _)? = document.tree.root else { return nil }
        let bytes = document.text.bytes
        let lacking = members.first { member in
            guard member.value != nil, finding.range.contains(member.range.upperBound - 1) else { return false }
            return bytes[member.range.upperBound...].first { $0 > 0x20 } != UInt8(ascii: ";")
        }
        return lacking.map { TextEdit(range: $0.range.upperBound..<$0.range.upperBound, text: ";") }
    }

    // MARK: Texts

    /// The texts of the language in which a bundle was first written.
    private func originals(_ folder: String) -> SyntaxTree.Node? {
        let region = LocalizedStrings(folder: folder).developmentRegion
        return file("\(folder)/\(region).lproj/Localizable.strings")?.tree.root
    }

    /// Entries for keys with the original's texts, or else with the keys themselves.
    private static func texts(_ keys: [String], _ original: SyntaxTree.Node?) -> [(key: String, text: String)] {
        keys.map { key in
            guard case .scalar(let value?, _)? = original?[key], let text = value.string else { return (key, key) }
            return (key, text)
        }
    }

    /// Adds texts to each language of a bundle that lacks them.
    private func everyLocale(_ keys: [String], _ folder: String) -> [Fix] {
        let texts = Self.texts(keys, originals(folder))
        let folders = ((try? Folders.names(in: folder)) ?? []).filter { $0.hasSuffix(".lproj") }.sorted()
        let edits = folders.compactMap { name -> (OpenDocument, [TextEdit])? in
            guard let document = file("\(folder)/\(name)/Localizable.strings"), let root = document.tree.root,
                let addition = Self.addition(texts.filter { root[$0.key] == nil }, to: document)
            else { return nil }
            return (document, [addition])
        }
        guard !edits.isEmpty else { return [] }
        let title = keys.count == 1 ? "Add \(keys[0]) to every locale" : "Add \(keys.count) keys to every locale"
        return [Fix(title: title, edits: edits)]
    }

    /// Adds entries at the end of a file; nil for one in another form than `"key" = "text";`.
    private static func addition(_ texts: [(key: String, text: String)], to document: OpenDocument) -> TextEdit? {
        let bytes = document.text.bytes
        let isText = bytes.first { $0 > 0x20 } != UInt8(ascii: "<") && bytes.first != 0xFE && bytes.first != 0xFF
        guard !texts.isEmpty, isText else { return nil }
        let start = bytes.isEmpty || bytes.last == 0x0A ? "" : "\n"
        let entries = texts.map { "\($0.key.quotedInStringsFile) = \($0.text.quotedInStringsFile);\n" }.joined()
        return TextEdit(range: bytes.count..<bytes.count, text: start + entries)
    }
}
