import ExtensionHost
import Foundation
import JSON
import Localization
import Notifications
import TestSupport
import Testing

@testable import LanguageServer

/// A folder that an editor has open; the check of the host answers at once, with the bundles in the folder.
final class EditorWorkspace {
    let folder: String
    let probe: Probe
    /// The texts of the open documents by their paths in the folder.
    private var texts: [String: String] = [:]
    /// The diagnostics that were published last.
    private var published: [String: [JSON]] = [:]
    private var version = 1
    /// What the host says about the bundles.
    var extensions: JSON = []

    private init(_ folder: String) throws {
        self.folder = "\(folder)/work"
        let pages = "\(folder)/pages"
        for path in [self.folder, pages] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        probe = try Probe(folder: self.folder, pages: pages)
    }

    /// Passes a folder with these files to a closure.
    static func with<Result>(_ files: [String: String], _ body: (EditorWorkspace) throws -> Result) throws -> Result {
        try withTemporaryDirectory { folder in
            let workspace = try EditorWorkspace(folder)
            for (name, text) in files { try workspace.write(text, to: name) }
            return try body(workspace)
        }
    }

    func write(_ text: String, to file: String) throws {
        let url = URL(filePath: "\(folder)/\(file)")
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    func uri(_ file: String) -> String { LanguageServer.uri("\(folder)/\(file)") }

    // MARK: Documents

    /// Opens a file, with another text than that on disk if there is one.
    func open(_ file: String, _ text: String? = nil) throws {
        let text = try text ?? String(contentsOf: URL(filePath: "\(folder)/\(file)"), encoding: .utf8)
        texts[file] = text
        let item: JSON = ["uri": .string(uri(file)), "languageId": "x", "version": 1, "text": .string(text)]
        probe.notify("textDocument/didOpen", ["textDocument": item])
        settle()
    }

    /// Replaces the text of an open document.
    func change(_ file: String, _ text: String) {
        texts[file] = text
        version += 1
        let document: JSON = ["uri": .string(uri(file)), "version": JSON(version)]
        probe.notify("textDocument/didChange", ["textDocument": document, "contentChanges": [["text": .string(text)]]])
        settle()
    }

    func close(_ file: String) {
        texts[file] = nil
        probe.notify("textDocument/didClose", ["textDocument": ["uri": .string(uri(file))]])
        settle()
    }

    func save(_ file: String) {
        probe.notify("textDocument/didSave", ["textDocument": ["uri": .string(uri(file))]])
        settle()
    }

    func text(_ file: String) -> String { texts[file] ?? "" }

    /// Lets the host answer its calls, and keeps what was published.
    private func settle() {
        while let call = probe.calls.first {
            probe.answer(
                call.method == "checkPayload" ? check(call.params["payload"] ?? .null) : ["extensions": extensions]
            )
        }
        for message in probe.messages() where message["method"] == "textDocument/publishDiagnostics" {
            published[message["params"]?["uri"]?.string ?? ""] = message["params"]?["diagnostics"]?.elements ?? []
        }
    }

    private func check(_ payload: JSON) -> JSON {
        var surroundings = PayloadCheck.Surroundings()
        surroundings.extensions = Workspace.bundles(in: [folder]).sorted().compactMap { folder in
            guard let bundle = try? ExtensionBundle(folder: folder) else { return nil }
            return PayloadCheck.ContentExtension(
                identifier: bundle.identifier,
                categories: bundle.categories,
                keys: bundle.userInfoKeys,
                strings: LocalizedStrings(folder: folder)
            )
        }
        return PayloadCheck(payload, surroundings).json
    }

    // MARK: Diagnostics

    func diagnostics(_ file: String) -> [JSON] { published[uri(file)] ?? [] }

    /// The codes and marked texts of a document.
    func marks(_ file: String) throws -> [String] {
        let document = TextDocument(text(file))
        return try diagnostics(file).map { diagnostic in
            let range = try #require(diagnostic["range"].flatMap(TextDocument.range))
            let bytes = document.bytes[document.offset(of: range.start)..<document.offset(of: range.end)]
            return "\(diagnostic["code"]?.string ?? ""): \(String(decoding: bytes, as: UTF8.self))"
        }
    }

    // MARK: Fixes

    /// The quick fixes for all of a document.
    func fixes(_ file: String) throws -> [JSON] {
        let params: JSON = [
            "textDocument": ["uri": .string(uri(file))],
            "range": ["start": ["line": 0, "character": 0], "end": ["line": 9_999, "character": 0]],
            "context": ["diagnostics": []],
        ]
        return try probe.request("textDocument/codeAction", params)["result"]?.elements ?? []
    }

    /// Makes the changes of a fix, in open documents and on disk.
    func apply(_ fix: JSON) throws {
        for (uri, edits) in try #require(fix["edit"]?["changes"]?.object) {
            let file = String(try #require(LanguageServer.path(uri)).dropFirst(folder.utf8.count + 1))
            let old = try texts[file] ?? String(contentsOf: URL(filePath: "\(folder)/\(file)"), encoding: .utf8)
            var document = TextDocument(old)
            let sorted = try edits.elements.map { edit in
                let range = try #require(edit["range"].flatMap(TextDocument.range))
                return (range: range, text: edit["newText"]?.string ?? "")
            }
            .sorted { $0.range.start > $1.range.start }
            for edit in sorted { document.replace(edit.range, with: edit.text) }
            if texts[file] == nil { try write(document.text, to: file) } else { change(file, document.text) }
        }
    }
}

/// The files of a bundle that has no mistake.
enum SoundBundle {
    static let attributes = """
        		<dict>
        			<key>UNNotificationExtensionCategory</key>
        			<string>checked</string>
        		</dict>
        """

    /// An `Info.plist` with further lines at the root and in `NSExtension`; nil for its attributes leaves their key out.
    static func info(
        _ attributes: String? = attributes,
        root: String = "",
        nsExtension: String = "",
        point: String = "com.apple.usernotifications.content-extension",
        identifier: String = "com.example.checked",
        executable: String = "<key>CFBundleExecutable</key>\n\t<string>run</string>"
    ) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0">
        <dict>
        	<key>CFBundleIdentifier</key>
        	<string>\(identifier)</string>
        	\(executable)
        	<key>NSExtension</key>
        	<dict>
        		<key>NSExtensionPointIdentifier</key>
        		<string>\(point)</string>\(attributes.map { "\n\t\t<key>NSExtensionAttributes</key>\n\($0)" } ?? "")\(nsExtension)
        	</dict>\(root)
        </dict>
        </plist>

        """
    }

    /// An `Info.plist` whose attributes have further lines.
    static func attributes(_ lines: String, category: String? = "<string>checked</string>") -> String {
        let own = category.map { "\n\t\t\t<key>UNNotificationExtensionCategory</key>\n\t\t\t\($0)" } ?? ""
        return info("\t\t<dict>\(own)\n\t\t\t\(lines)\n\t\t</dict>")
    }

    /// Entitlements with lines in their dictionary.
    static func entitlements(_ lines: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0">
        <dict>
        	\(lines)
        </dict>
        </plist>

        """
    }

    static let groups = "<key>com.apple.security.application-groups</key>"

    /// The files of a bundle in the folder `bundle`, with others in their place.
    static func files(_ others: [String: String] = [:]) -> [String: String] {
        let entitlements = entitlements("\(groups)\n\t<array>\n\t\t<string>group.a</string>\n\t</array>")
        let files = ["Info.plist": info(), "run.entitlements": entitlements].merging(others) { $1 }
        return Dictionary(uniqueKeysWithValues: files.map { ("bundle/\($0)", $1) })
    }
}
