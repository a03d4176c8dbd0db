import JSON
import JSONRPC
import Localization
import Notifications
import Platform

/// What a part of a document means, beside it or in it.
extension LanguageServer {
    func hover(_ document: OpenDocument, _ offset: Int) -> JSON? {
        let found: (text: String, range: Range<Int>)? =
            switch document.kind {
            case .payload: localizedText(document, offset) ?? key(document, offset)
            case .session: line(document, offset)
            case .infoPlist, .entitlements: propertyListKey(document, offset)
            case .strings, .json, .program: nil
            }
        guard let found else { return nil }
        return ["contents": ["kind": "markdown", "value": .string(found.text)], "range": document.json(found.range)]
    }

    /// The meaning of a key, and the bytes of its value.
    private func key(_ document: OpenDocument, _ offset: Int) -> (String, Range<Int>)? {
        let steps = document.tree.path(to: offset).steps
        guard let name = steps.last, let range = document.tree.find(JSON.pointer(steps))?.name else { return nil }
        let payload = document.tree.value
        let value = steps.reduce(payload) { $0[$1] ?? .null }
        let known = PayloadKeys.keys(at: steps.dropLast()).first { $0.name == name }
        let (bytes, all) = (value.bytes.count, payload.bytes.count)
        let rest = all > Payload.limit ? "\(all - Payload.limit) too many" : "\(Payload.limit - all) are left"
        let size = "The value has \(bytes) bytes; the payload \(all) of \(Payload.limit), \(rest)."
        return ([known?.documentation, size].compactMap(\.self).joined(separator: "\n\n"), range)
    }

    /// What a form shows beside the values: the bytes of each member, and the members that the payload may have besides.
    func outline(_ document: OpenDocument) -> JSON {
        let payload = document.tree.value
        let size = PayloadSize(payload)
        let keys = (PayloadKeys.keys(at: []) + pairs(document)).filter { payload[$0.name] == nil && $0.name != "aps" }
        return [
            "bytes": JSON(size.bytes), "limit": JSON(Payload.limit),
            "shares": JSON(size.shares.map { ["key": .string($0.key), "bytes": JSON($0.bytes)] }),
            "keys": JSON(
                keys.map { key in
                    [
                        "name": .string(key.name), "value": .string(Self.plain(key.snippet)),
                        "documentation": .string(key.documentation),
                    ]
                }
            ),
        ]
    }

    private func propertyListKey(_ document: OpenDocument, _ offset: Int) -> (String, Range<Int>)? {
        let steps = document.tree.path(to: offset).steps
        guard let name = steps.last, let range = document.tree.find(JSON.pointer(steps))?.name,
            let key = PropertyListKeys.keys(at: steps.dropLast(), in: document.kind).first(where: { $0.name == name })
        else { return nil }
        return (key.meaning, range)
    }

    // MARK: Texts

    /// The keys of texts in a payload, each with the pointer to its arguments.
    private func localized(_ document: OpenDocument) -> [(mention: Mention, arguments: [String])] {
        guard let alert = document.tree.root?["aps"]?["alert"] else { return [] }
        let value = document.tree.value["aps"]?["alert"]
        return [
            ("title-loc-key", "title-loc-args"), ("subtitle-loc-key", "subtitle-loc-args"), ("loc-key", "loc-args"),
        ]
        .compactMap { key, arguments in
            guard let (name, range) = alert[key]?.text else { return nil }
            let texts = (value?[arguments]?.elements ?? []).map { $0.string ?? $0.description }
            return (Mention(.text, name, range), texts)
        }
    }

    /// The text of a key in each language.
    private func localizedText(_ document: OpenDocument, _ offset: Int) -> (String, Range<Int>)? {
        guard
            let (mention, arguments) = localized(document).first(where: {
                $0.mention.range.lowerBound <= offset && offset <= $0.mention.range.upperBound
            }), let bundle = bundle(of: document)
        else { return nil }
        let strings = workspace.texts(of: bundle)
        let lines = strings.languages.sorted().map { language in
            let text = strings.find(mention.name, locale: language).text?.filled(arguments).text
            return "- `\(language)`: \(text ?? "missing")"
        }
        guard !lines.isEmpty else { return nil }
        return (
            "The text `\(mention.name)` of `\(Self.name(bundle))`:\n\n\(lines.joined(separator: "\n"))", mention.range
        )
    }

    /// The texts of the keys in a range, behind them.
    func hints(_ document: OpenDocument, _ params: JSON) -> JSON {
        guard document.kind == .payload, let (start, end) = params["range"].flatMap(TextDocument.range),
            let bundle = bundle(of: document)
        else { return [] }
        let range =
            document.text.offset(of: start)...max(document.text.offset(of: start), document.text.offset(of: end))
        let strings = workspace.texts(of: bundle)
        return JSON(
            localized(document).compactMap { mention, arguments -> JSON? in
                guard range.contains(mention.range.upperBound),
                    let text = strings.find(mention.name, locale: locale ?? strings.developmentRegion).text
                else { return nil }
                let filled = text.filled(arguments).text
                let place = document.json(mention.range.upperBound..<mention.range.upperBound)["start"]
                return [
                    "position": place ?? .null, "label": .string(filled.count > 60 ? "\(filled.prefix(59))…" : filled),
                    "paddingLeft": true, "tooltip": .string(filled),
                ]
            }
        )
    }

    // MARK: Sessions

    /// The record that a line saved, with the answer that the replies beside the session have.
    private func line(_ document: OpenDocument, _ offset: Int) -> (String, Range<Int>)? {
        guard case .array(let lines, _, _)? = document.tree.root,
            let index = lines.firstIndex(where: { $0.range.contains(offset) })
        else { return nil }
        guard let message = Self.message(document.tree.value[index] ?? .null), let method = message["method"]?.string,
            method.hasPrefix("save") || method.hasPrefix("set"), let params = message["params"]
        else { return nil }
        let replies = document.path.hasSuffix(".jsonl") ? "\(document.path.dropLast(6)).replies.jsonl" : ""
        let others = Workspace.contents(replies).map { SyntaxTree($0, .jsonLines).value.elements } ?? []
        let answers = (document.tree.value.elements + others).compactMap(Self.message)
        let answer = answers.first { $0["id"] == message["id"] && $0["method"] == nil }
        var text = "`\(method)` saves\n\n```json\n\(params.description)\n```"
        if let record = answer?["result"]?["id"] { text += "\n\nas the record \(record)." }
        if let error = answer?["error"]?["message"]?.string { text += "\n\nIt was refused: \(error)" }
        return (text, lines[index].range)
    }

    /// The message of a line: the line itself, or what a recording has of it.
    private static func message(_ line: JSON) -> JSON? {
        line["raw"].map { $0.string.flatMap { try? JSON(parsing: $0) } } ?? line
    }
}
