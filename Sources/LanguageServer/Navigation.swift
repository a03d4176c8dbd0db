import JSON
import JSONRPC

/// From a name to where it is declared, to all its places, and to another name.
///
/// Categories, keys of texts and key-value pairs are such names; they stand in payloads, sessions, `Info.plist` and
/// `.strings` files. A key belongs to the bundle that shows the payload.
extension LanguageServer {
    /// A name, and the bundle that it belongs to; categories belong to none.
    private struct Symbol: Equatable {
        let kind: Mention.Kind
        let name: String
        let bundle: String?
    }

    private func mentions(_ document: OpenDocument) -> [Mention] {
        Workspace.mentions(in: document.tree, document.kind, document.text.bytes)
    }

    private func mention(_ document: OpenDocument, _ offset: Int) -> Mention? {
        mentions(document).last { $0.range.lowerBound <= offset && offset <= $0.range.upperBound }
    }

    private func symbol(_ mention: Mention, in path: String) -> Symbol {
        let bundle = mention.kind == .category ? nil : workspace.owner(of: mention, in: path)
        return Symbol(kind: mention.kind, name: mention.name, bundle: bundle)
    }

    /// Visits the places of a symbol in the open documents and the files of the workspace, sorted by path.
    private func visit(_ symbol: Symbol, _ body: (OpenDocument, Mention) -> Void) {
        let files = workspace.files.filter { $0.mentions.contains { Self.matches($0, symbol) } }
        for path in Set(files.map(\.path) + documents.values.map(\.path)).sorted() {
            // One document at a time: thousands would need much memory.
            guard let document = document(at: path) ?? OpenDocument(path, encoding: client.encoding) else { continue }
            for mention in mentions(document)
            where Self.matches(mention, symbol) && self.symbol(mention, in: path).bundle == symbol.bundle {
                body(document, mention)
            }
        }
    }

    /// Whether a name may be that of a symbol; `badge_#_id` declares `badge_1_id`.
    private static func matches(_ mention: Mention, _ symbol: Symbol) -> Bool {
        guard mention.kind == symbol.kind else { return false }
        if mention.name == symbol.name { return true }
        guard mention.kind == .key, mention.name.contains("#") != symbol.name.contains("#") else { return false }
        let pattern = { (name: String) in name.replacing(/\d+/, with: "#", maxReplacements: 1) }
        return pattern(mention.name) == pattern(symbol.name)
    }

    // MARK: Requests

    func definition(_ document: OpenDocument, _ offset: Int) -> JSON? {
        locations(document, offset) { $0.isDeclaration }
    }

    func references(_ document: OpenDocument, _ offset: Int, _ includesDeclaration: Bool) -> JSON? {
        locations(document, offset) { includesDeclaration || !$0.isDeclaration }
    }

    private func locations(_ document: OpenDocument, _ offset: Int, _ isWanted: (Mention) -> Bool) -> JSON? {
        guard let mention = mention(document, offset) else { return nil }
        var locations: [JSON] = []
        visit(symbol(mention, in: document.path)) { document, mention in
            guard isWanted(mention) else { return }
            locations.append(["uri": .string(document.uri), "range": document.json(mention.range)])
        }
        return JSON(locations)
    }

    func prepareRename(_ document: OpenDocument, _ offset: Int) -> JSON? {
        guard let mention = mention(document, offset) else { return nil }
        return ["range": document.json(mention.range), "placeholder": .string(mention.name)]
    }

    /// Replaces a name everywhere; an editor that can do that shows the changes before.
    func rename(_ call: Call, _ params: JSON) {
        guard let (document, offset) = place(params), let mention = mention(document, offset) else {
            return refuse(
                call,
                -32_602,
                "there is no category, key of a text or key-value pair here that can be renamed"
            )
        }
        let name = params["newName"]?.string ?? ""
        guard !name.isEmpty, name == name.filter({ !$0.isNewline && $0 != "\0" }) else {
            return refuse(call, -32_602, "a name has at least one character, and no line break")
        }
        var edits: [(uri: String, edits: [JSON])] = []
        visit(symbol(mention, in: document.path)) { document, place in
            guard place.name == mention.name else { return }
            let edit = JSON(present: [
                "range": document.json(place.range),
                "newText": .string(Self.spelling(name, at: place.range, in: document)),
                "annotationId": client.confirmsChanges ? "rename" : nil,
            ])
            if edits.last?.uri != document.uri { edits.append((document.uri, [])) }
            edits[edits.count - 1].edits.append(edit)
        }
        guard client.confirmsChanges else {
            return call.answer(.success(["changes": .object(JSON.Object(edits.map { ($0.uri, JSON($0.edits)) }))]))
        }
        let label: JSON = ["label": .string("Rename \(mention.name) to \(name)"), "needsConfirmation": true]
        let changes = edits.map { uri, edits -> JSON in
            let version = documents[uri].map { JSON($0.text.version) } ?? .null
            return ["textDocument": ["uri": .string(uri), "version": version], "edits": JSON(edits)]
        }
        call.answer(.success(["documentChanges": JSON(changes), "changeAnnotations": ["rename": label]]))
    }

    /// A name as a document spells it in the place of another one.
    static func spelling(_ name: String, at range: Range<Int>, in document: OpenDocument) -> String {
        guard document.kind != .infoPlist, document.kind != .entitlements else {
            return name.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        }
        let text = JSON.string(name).description
        // In a recording, a message is a text.
        let isEscaped = document.kind == .session && document.text.bytes[range.lowerBound] == UInt8(ascii: "\\")
        return isEscaped ? String(JSON.string(text).description.dropFirst().dropLast()) : text
    }
}
