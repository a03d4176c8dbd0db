package import JSON
package import JSONRPC

/// A server of the Language Server Protocol 3.17 for payloads: what it answers, without input and output.
///
/// Its owner passes the editor's bytes to ``session`` and writes that session's output, and carries out the calls that
/// the server makes to a host. The host finds the mistakes; the server knows their places.
package final class LanguageServer {
    /// Sends a call to the host; the completion gets its result, or nil if it failed.
    package typealias Engine = (
        _ method: String, _ params: JSON, _ completion: @escaping (_ result: JSON?) -> Void
    ) -> Void

    /// The connection with the editor.
    package let session: Session
    /// How the process ends, once the editor has asked for that.
    package private(set) var exitCode: Int32?

    /// The folders that the editor has open, once it has said that.
    package private(set) var folders: [String] = []

    private enum State { case created, running, shutDown }

    private var state = State.created
    private let engine: Engine
    private let version: String
    private var encoding = TextDocument.PositionEncoding.utf16
    private var documents: [String: OpenDocument] = [:]
    private var snippets = false

    /// A document that the editor has open.
    private struct OpenDocument {
        var text: TextDocument
        var tree: JSONTree
        let isPayload: Bool
        /// Whether the host is checking a state of it.
        var isChecking = false
        /// The findings that were published last.
        var findings: [Finding] = []

        init(_ text: TextDocument, isPayload: Bool) {
            (self.text, self.isPayload) = (text, isPayload)
            tree = JSONTree(text.bytes)
        }
    }

    /// A mistake at its place.
    private struct Finding {
        let range: Range<Int>
        let level: String
        let reason: String
        let message: String
        let advice: String
        let path: String
    }

    /// - Parameters:
    ///   - version: The version that the editor is told.
    ///   - engine: Calls the host.
    package init(version: String, engine: @escaping Engine) {
        (self.version, self.engine) = (version, engine)
        session = Session(lineLimit: 64 << 20, acceptsHeaders: true)
        session.onCall = { [unowned self] in handle($0) }
    }

    // MARK: Life

    private func handle(_ call: Call) {
        let params = call.params ?? [:]
        switch (state, call.method) {
        case (_, "exit"):
            exitCode = state == .shutDown ? 0 : 1
            call.answer(.success(.null))
        case (.created, "initialize"): call.answer(.success(initialize(params)))
        case (.created, _): refuse(call, -32_002, "the first request must be initialize")
        case (.running, "shutdown"):
            state = .shutDown
            call.answer(.success(.null))
        case (.running, _): answer(call, params)
        case (.shutDown, _): refuse(call, -32_600, "the server was shut down; only exit may follow")
        }
    }

    private func refuse(_ call: Call, _ code: Int, _ message: String) {
        call.answer(.failure(RPCError(code: .init(rawValue: code), message: message, data: nil)))
    }

    private func initialize(_ params: JSON) -> JSON {
        state = .running
        var roots = (params["workspaceFolders"]?.array.map(Array.init) ?? []).compactMap { $0["uri"]?.string }
        if roots.isEmpty, let root = params["rootUri"]?.string { roots = [root] }
        folders = roots.compactMap(Self.path)
        let general = params["capabilities"]?["general"]?["positionEncodings"]?.array.map(Array.init) ?? []
        if general.contains("utf-8") { encoding = .utf8 }
        snippets = params["capabilities"]?["textDocument"]?["completion"]?["completionItem"]?["snippetSupport"] == true
        return [
            "serverInfo": ["name": "pushhost", "version": .string(version)],
            "capabilities": [
                "positionEncoding": .string(encoding.rawValue),
                "textDocumentSync": ["openClose": true, "change": 2, "save": true],
                "completionProvider": ["triggerCharacters": ["\"", ":"]],
                "hoverProvider": true, "documentSymbolProvider": true, "foldingRangeProvider": true,
                "documentFormattingProvider": true,
                "codeActionProvider": ["codeActionKinds": ["quickfix"]],
            ],
        ]
    }

    private func answer(_ call: Call, _ params: JSON) {
        switch call.method {
        case "textDocument/didOpen": open(params)
        case "textDocument/didChange": change(params)
        case "textDocument/didSave", "workspace/didChangeWatchedFiles": filesChanged()
        case "textDocument/didClose":
            guard let uri = params["textDocument"]?["uri"]?.string else { break }
            documents[uri] = nil
            publish(uri, nil, [])
        case "textDocument/completion": return complete(call, params)
        case "textDocument/hover": return call.answer(.success(at(params, hover) ?? .null))
        case "textDocument/documentSymbol":
            return call.answer(.success(inDocument(params) { symbols($0.tree.root, $0) } ?? .null))
        case "textDocument/foldingRange": return call.answer(.success(inDocument(params, folds) ?? .null))
        case "textDocument/formatting": return call.answer(.success(inDocument(params) { format($0, params) } ?? .null))
        case "textDocument/codeAction": return call.answer(.success(inDocument(params) { fixes($0, params) } ?? []))
        case "$/cancelRequest":
            if let id = params["id"], let other = session.call(withID: id) { refuse(other, -32_800, "cancelled") }
        case let method where method.hasPrefix("$/") || call.isNotification: break
        default: return call.answer(.failure(.methodNotFound(call.method)))
        }
        call.answer(.success(.null))
    }

    // MARK: Documents

    private func open(_ params: JSON) {
        guard let item = params["textDocument"], let uri = item["uri"]?.string, let text = item["text"]?.string else {
            return
        }
        let document = TextDocument(text, version: Int(item["version"]?.integer ?? 0), encoding: encoding)
        let isPayload = uri.hasSuffix(".apns") || uri.hasSuffix(".apns.json") || item["languageId"] == "apns"
        documents[uri] = OpenDocument(document, isPayload: isPayload || JSONTree(document.bytes).value["aps"] != nil)
        check(uri)
    }

    private func change(_ params: JSON) {
        guard let uri = params["textDocument"]?["uri"]?.string, var document = documents[uri] else { return }
        for change in params["contentChanges"]?.array.map(Array.init) ?? [] {
            document.text.replace(change["range"].flatMap(range), with: change["text"]?.string ?? "")
        }
        document.text.setVersion(Int(params["textDocument"]?["version"]?.integer ?? 0))
        document.tree = JSONTree(document.text.bytes)
        documents[uri] = document
        check(uri)
    }

    private func filesChanged() {
        engine("reloadExtensions", [:]) { [weak self] _ in
            guard let self else { return }
            for uri in documents.keys { check(uri) }
        }
    }

    /// Checks a document, unless that is under way; then it is checked again when that is done.
    private func check(_ uri: String) {
        guard let document = documents[uri], document.isPayload else { return }
        guard document.tree.root != nil else { return publish(uri, document, mistakes(document)) }
        guard !document.isChecking else { return }
        documents[uri]?.isChecking = true
        let version = document.text.version
        engine("checkPayload", ["payload": document.tree.value]) { [weak self] result in
            guard let self, documents[uri] != nil else { return }
            documents[uri]?.isChecking = false
            guard let document = documents[uri], document.text.version == version else { return check(uri) }
            publish(uri, document, mistakes(document) + findings(result, in: document))
        }
    }

    private func mistakes(_ document: OpenDocument) -> [Finding] {
        document.tree.mistakes.map {
            Finding(range: $0.range, level: "error", reason: "invalidJSON", message: $0.message, advice: "", path: "")
        }
    }

    private func findings(_ result: JSON?, in document: OpenDocument) -> [Finding] {
        (result?["findings"]?.array.map(Array.init) ?? []).map { finding in
            let path = finding["path"]?.string ?? ""
            let reason = finding["reason"]?.string ?? ""
            let place = document.tree.find(path)
            // A finding about all of the payload is marked where it begins, not from its first to its last line.
            let whole = place.map { $0.value.lowerBound..<min($0.value.lowerBound + 1, $0.value.upperBound) } ?? 0..<0
            let range = path.isEmpty ? whole : Self.isAboutValue(reason) ? place?.value : place?.name ?? place?.value
            return Finding(
                range: range ?? whole,
                level: finding["level"]?.string ?? "error",
                reason: reason,
                message: finding["message"]?.string ?? "",
                advice: finding["advice"]?.string ?? "",
                path: path
            )
        }
    }

    /// Whether a finding with a reason is about the value of a member, and not about its name.
    private static func isAboutValue(_ reason: String) -> Bool {
        ["wrongValue", "noExtension", "unrenderedLiquid", "unknownLocalizationKey", "localizationArguments"].contains(
            reason
        )
    }

    private func publish(_ uri: String, _ document: OpenDocument?, _ findings: [Finding]) {
        documents[uri]?.findings = findings
        let diagnostics = document.map { document in findings.map { diagnostic($0, document) } } ?? []
        let params = JSON(present: [
            "uri": .string(uri), "version": document.map { JSON($0.text.version) }, "diagnostics": JSON(diagnostics),
        ])
        session.notify("textDocument/publishDiagnostics", params: params)
    }

    private func diagnostic(_ finding: Finding, _ document: OpenDocument) -> JSON {
        let severities = ["error": 1, "warning": 2, "information": 3]
        return JSON(present: [
            "range": json(finding.range, document), "severity": JSON(severities[finding.level] ?? 1),
            "code": .string(finding.reason), "source": "pushhost",
            "message": .string(finding.message + (finding.advice.isEmpty ? "" : "; \(finding.advice)")),
            "tags": finding.reason == "ignoredMember" ? [1] : nil,
        ])
    }

    // MARK: Completion and hover

    private func complete(_ call: Call, _ params: JSON) {
        guard let (document, offset) = place(params) else { return call.answer(.success(.null)) }
        let (path, isInName) = document.tree.path(to: offset)
        if !isInName, path == ["aps", "category"] { return completeCategories(call, document, offset) }
        if !isInName, let key = path.last,
            let known = PayloadKeys.keys(at: path.dropLast()).first(where: { $0.name == key }),
            !known.values.isEmpty
        {
            return call.answer(.success(values(known.values, document, offset)))
        }
        guard let (steps, node) = document.tree.container(at: offset), case .object(let members, _) = node,
            isInName || steps == path
        else { return call.answer(.success(.null)) }
        let present = Set(
            members.filter { !($0.nameRange.lowerBound...$0.nameRange.upperBound).contains(offset) }.map(\.name)
        )
        let current = members.first { ($0.nameRange.lowerBound...$0.nameRange.upperBound).contains(offset) }
        let items = PayloadKeys.keys(at: steps).filter { !present.contains($0.name) }.map { key -> JSON in
            let name = JSON.string(key.name).description
            let range = json(current?.nameRange ?? offset..<offset, document)
            // A name that has its value already is completed alone.
            let text = current?.value != nil ? name : "\(name): " + (snippets ? key.snippet : Self.plain(key.snippet))
            return [
                "label": .string(key.name), "kind": 10, "filterText": .string(name),
                "documentation": ["kind": "markdown", "value": .string(key.documentation)],
                "insertTextFormat": snippets && current?.value == nil ? 2 : 1,
                "textEdit": ["range": range, "newText": .string(text)],
            ]
        }
        call.answer(.success(JSON(items)))
    }

    /// A snippet without its placeholders.
    private static func plain(_ snippet: String) -> String {
        snippet.replacing(/\$\{\d\|([^,|]*)[^}]*\}|\$\{\d:([^}]*)\}|\$\d/) { $0.1 ?? $0.2 ?? "" }
    }

    private func completeCategories(_ call: Call, _ document: OpenDocument, _ offset: Int) {
        session.track(call)
        let version = document.text.version
        engine("extensions", [:]) { [weak self] result in
            guard let self, !call.isAnswered else { return }
            let bundles = result?["extensions"]?.array.map(Array.init) ?? []
            let names = bundles.flatMap { $0["categories"]?.array.map(Array.init) ?? [] }.compactMap(\.string)
            guard document.text.version == version else { return call.answer(.success(.null)) }
            call.answer(.success(values(Set(names).sorted(), document, offset)))
        }
    }

    /// Texts that replace the value at an offset.
    private func values(_ values: [String], _ document: OpenDocument, _ offset: Int) -> JSON {
        let path = document.tree.path(to: offset).steps
        let pointer = path.map { "/" + JSONPointer.escape($0) }.joined()
        let range = json(document.tree.find(pointer)?.value ?? offset..<offset, document)
        return JSON(
            values.map { value in
                let text = JSON.string(value).description
                return [
                    "label": .string(value), "kind": 12, "filterText": .string(text),
                    "textEdit": ["range": range, "newText": .string(text)],
                ]
            }
        )
    }

    private func hover(_ document: OpenDocument, _ offset: Int) -> JSON? {
        let steps = document.tree.path(to: offset).steps
        let pointer = steps.map { "/" + JSONPointer.escape($0) }.joined()
        guard let name = steps.last, let found = document.tree.find(pointer), let nameRange = found.name else {
            return nil
        }
        var value = document.tree.value
        for step in steps { value = value[step] ?? .null }
        let (bytes, all) = (value.bytes.count, document.tree.value.bytes.count)
        let known = PayloadKeys.keys(at: steps.dropLast()).first { $0.name == name }
        let size = "The value has \(bytes) bytes; the payload \(all) of 4096."
        let text = [known?.documentation, size].compactMap(\.self).joined(separator: "\n\n")
        return ["contents": ["kind": "markdown", "value": .string(text)], "range": json(nameRange, document)]
    }

    // MARK: Structure

    private func symbols(_ node: JSONTree.Node?, _ document: OpenDocument) -> JSON {
        guard case .object(let members, _) = node else { return [] }
        return JSON(
            members.filter { !$0.name.isEmpty }.map { member in
                let kind: JSON =
                    switch member.value {
                    case .object: 19
                    case .array: 18
                    case .scalar(let value, _): value?.string != nil ? 15 : value?.number != nil ? 16 : 17
                    case nil: 20
                    }
                return [
                    "name": .string(member.name), "kind": kind, "range": json(member.range, document),
                    "selectionRange": json(member.nameRange, document), "children": symbols(member.value, document),
                ]
            }
        )
    }

    private func folds(_ document: OpenDocument) -> JSON {
        var folds: [JSON] = []
        func visit(_ node: JSONTree.Node) {
            let (start, end) = (
                document.text.position(of: node.range.lowerBound), document.text.position(of: node.range.upperBound)
            )
            switch node {
            case .object(let members, _): for case let value? in members.map(\.value) { visit(value) }
            case .array(let elements, _): for element in elements { visit(element) }
            case .scalar: return
            }
            // The line of the closing bracket stays visible.
            if end.line - 1 > start.line {
                folds.append(["startLine": JSON(start.line), "endLine": JSON(end.line - 1)])
            }
        }
        if let root = document.tree.root { visit(root) }
        return JSON(folds.reversed())
    }

    /// The whole text with each member on its line, in the order of the keys; nothing for a text with mistakes.
    private func format(_ document: OpenDocument, _ params: JSON) -> JSON {
        guard let root = document.tree.root, document.tree.mistakes.isEmpty else { return [] }
        let size = Int(params["options"]?["tabSize"]?.integer ?? 2)
        let unit =
            params["options"]?["insertSpaces"] == false ? "\t" : String(repeating: " ", count: min(max(1, size), 16))
        let bytes = document.text.bytes
        func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        func lines(_ parts: [String], _ open: String, _ close: String, _ indent: String) -> String {
            guard !parts.isEmpty else { return open + close }
            return "\(open)\n\(parts.map { indent + unit + $0 }.joined(separator: ",\n"))\n\(indent)\(close)"
        }
        func format(_ node: JSONTree.Node, _ indent: String) -> String {
            switch node {
            case .object(let members, _):
                lines(
                    members.map { member in
                        "\(text(member.nameRange)): \(member.value.map { format($0, indent + unit) } ?? "null")"
                    },
                    "{",
                    "}",
                    indent
                )
            case .array(let elements, _): lines(elements.map { format($0, indent + unit) }, "[", "]", indent)
            case .scalar(_, let range): text(range)
            }
        }
        let formatted = format(root, "") + "\n"
        guard formatted != document.text.text else { return [] }
        return [["range": json(0..<bytes.count, document), "newText": .string(formatted)]]
    }

    // MARK: Quick fixes

    /// A replacement for each finding in a range that names what was meant.
    private func fixes(_ document: OpenDocument, _ params: JSON) -> JSON {
        guard let uri = params["textDocument"]?["uri"]?.string, let asked = params["range"].flatMap(range) else {
            return []
        }
        let wanted =
            document.text.offset(
                of: asked.start
            )...max(document.text.offset(of: asked.start), document.text.offset(of: asked.end))
        return JSON(
            document.findings.filter {
                $0.range.lowerBound <= wanted.upperBound && wanted.lowerBound <= $0.range.upperBound
            }
            .flatMap { finding in
                Self.meant(finding.advice).map { name -> JSON in
                    let edit: JSON = [
                        "range": json(finding.range, document), "newText": .string(JSON.string(name).description),
                    ]
                    return [
                        "title": .string("Replace it by \(name)"), "kind": "quickfix", "isPreferred": true,
                        "diagnostics": [diagnostic(finding, document)],
                        "edit": ["changes": .object(JSON.Object([(uri, JSON([edit]))]))],
                    ]
                }
            }
        )
    }

    /// The names in advice of the form "did you mean a or b?".
    private static func meant(_ advice: String) -> [String] {
        guard let match = advice.firstMatch(of: /did you mean (.+)\?/) else { return [] }
        return String(match.1).split(separator: " or ").map(String.init)
    }

    // MARK: Places

    /// The path that a URI of a file names.
    private static func path(_ uri: String) -> String? {
        guard uri.hasPrefix("file://"), let start = uri.dropFirst(7).firstIndex(of: "/") else { return nil }
        var bytes: [UInt8] = []
        var rest = uri[start...].utf8
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = UInt8(String(rest.prefix(2)) ?? "", radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func inDocument(_ params: JSON, _ body: (OpenDocument) -> JSON) -> JSON? {
        params["textDocument"]?["uri"]?.string.flatMap { documents[$0] }.map(body)
    }

    private func place(_ params: JSON) -> (OpenDocument, Int)? {
        guard let uri = params["textDocument"]?["uri"]?.string, let document = documents[uri],
            let position = params["position"].flatMap(position)
        else { return nil }
        return (document, document.text.offset(of: position))
    }

    private func at(_ params: JSON, _ body: (OpenDocument, Int) -> JSON?) -> JSON? { place(params).flatMap(body) }

    private func position(_ value: JSON) -> TextDocument.Position? {
        guard let line = value["line"]?.integer, let character = value["character"]?.integer else { return nil }
        return .init(line: Int(clamping: line), character: Int(clamping: character))
    }

    private func range(_ value: JSON) -> (start: TextDocument.Position, end: TextDocument.Position)? {
        guard let start = value["start"].flatMap(position), let end = value["end"].flatMap(position) else { return nil }
        return (start, end)
    }

    private func json(_ range: Range<Int>, _ document: OpenDocument) -> JSON {
        func json(_ offset: Int) -> JSON {
            let position = document.text.position(of: offset)
            return ["line": JSON(position.line), "character": JSON(position.character)]
        }
        return ["start": json(range.lowerBound), "end": json(range.upperBound)]
    }
}
