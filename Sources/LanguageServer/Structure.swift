import JSON
import JSONRPC

/// The outline of a document, its folds, and its formatting.
extension LanguageServer {
    func symbols(_ node: SyntaxTree.Node?, _ document: OpenDocument) -> JSON {
        guard case .object(let members, _, _) = node else { return [] }
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
                    "name": .string(member.name), "kind": kind, "range": document.json(member.range),
                    "selectionRange": document.json(member.nameRange), "children": symbols(member.value, document),
                ]
            }
        )
    }

    func folds(_ document: OpenDocument) -> JSON {
        var folds: [JSON] = []
        func visit(_ node: SyntaxTree.Node) {
            let (start, end) = (
                document.text.position(of: node.range.lowerBound), document.text.position(of: node.range.upperBound)
            )
            switch node {
            case .object(let members, _, _): for case let value? in members.map(\.value) { visit(value) }
            case .array(let elements, _, _): for element in elements { visit(element) }
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
    func format(_ document: OpenDocument, _ params: JSON) -> JSON {
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
        func format(_ node: SyntaxTree.Node, _ indent: String) -> String {
            switch node {
            case .object(let members, _, _):
                lines(
                    members.map { member in
                        "\(text(member.nameRange)): \(member.value.map { format($0, indent + unit) } ?? "null")"
                    },
                    "{",
                    "}",
                    indent
                )
            case .array(let elements, _, _): lines(elements.map { format($0, indent + unit) }, "[", "]", indent)
            case .scalar(_, let range): text(range)
            }
        }
        let formatted = format(root, "") + "\n"
        guard formatted != document.text.text else { return [] }
        return [["range": document.json(0..<bytes.count), "newText": .string(formatted)]]
    }
}
