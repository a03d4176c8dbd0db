package import JSON
internal import Platform

/// Renders a view as text, for people and models that see only text.
///
/// A node with an id is followed by `#` and the id, which is the `element` of `interact`.
/// Stacks are rendered downwards, rows and grids across. A carousel shows its current page and the
/// page number. A text from an extension cannot break out of its line.
package enum ViewTextRenderer {
    /// The maximum number of nodes of a rendered view; nobody could read the text of a larger one.
    private static let nodeLimit = 1_000
    /// The maximum number of lines of a cell; a grid with a longer cell is rendered as a stack.
    private static let cellLimit = 16
    /// The maximum width to which cells are padded.
    private static let paddingLimit = 40
    /// The number of characters of a progress bar.
    private static let barLength = 20

    /// The view as lines of text.
    package static func render(_ view: JSON) -> String {
        guard count(view) <= nodeLimit else {
            return "the view has more than \(nodeLimit) nodes; structuredContent has them all"
        }
        return block(view).joined(separator: "\n")
    }

    private static func children(_ node: JSON) -> [JSON] { node["children"]?.array.map(Array.init) ?? [] }

    private static func count(_ node: JSON) -> Int { children(node).reduce(1) { $0 + count($1) } }

    // MARK: Nodes

    private static func block(_ node: JSON) -> [String] {
        switch node["type"]?.string {
        case "stack": children(node).flatMap(block)
        case "row": grid(children(node).map(block), columns: .max)
        case "grid": grid(children(node).map(block), columns: node["columns"]?.integer ?? .max)
        case "carousel": carousel(node)
        case "text": lines(text(node["text"]))
        case "card": [card(node) + id(node)]
        case "button": ["( \(sanitized(text(node["title"]))) )" + id(node)]
        case "field": ["field \(field(node))" + id(node)]
        case "image": ["image \(image(node))" + id(node)]
        case "progress": [progress(node)]
        default: [sanitized(node.description)]
        }
    }

    private static func card(_ node: JSON) -> String {
        guard node["faceUp"] == true else { return "[?]" }
        return "[\(sanitized(text(node["face"])))\(node["matched"] == true ? " ✓" : "")]"
    }

    private static func field(_ node: JSON) -> String {
        let value = sanitized(text(node["value"]))
        return value.isEmpty ? "(\(sanitized(text(node["placeholder"]))))" : JSON.string(value).description
    }

    private static func image(_ node: JSON) -> String {
        let alt = sanitized(text(node["alt"]))
        return alt.isEmpty ? sanitized(text(node["url"])) : JSON.string(alt).description
    }

    private static func carousel(_ node: JSON) -> [String] {
        let pages = children(node)
        let page = Int(clamping: node["page"]?.integer ?? 0)
        guard pages.indices.contains(page) else { return ["no pages" + id(node)] }
        return block(pages[page]) + ["page \(page + 1) of \(pages.count)" + id(node)]
    }

    private static func progress(_ node: JSON) -> String {
        let value = sanitized(text(node["value"]))
        guard let done = node["value"]?.number, let total = node["total"]?.number, total > 0 else {
            return "progress \(value)"
        }
        let filled = Int((min(max(done / total, 0), 1) * Double(barLength)).rounded())
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: barLength - filled)
        return "progress [\(bar)] \(value) of \(text(node["total"]))"
    }

    private static func id(_ node: JSON) -> String { node["id"]?.string.map { " #\(sanitized($0))" } ?? "" }

    // MARK: Rows

    private static func grid(_ cells: [[String]], columns: Int64) -> [String] {
        guard !cells.isEmpty, cells.allSatisfy({ $0.count <= cellLimit }) else { return cells.flatMap { $0 } }
        let columns = Int(clamping: max(1, min(columns, Int64(cells.count))))
        let widths = (0..<columns).map { column in
            let own = stride(from: column, to: cells.count, by: columns).flatMap { cells[$0].map(TextWidth.of) }
            return min(own.max() ?? 0, paddingLimit)
        }
        return stride(from: 0, to: cells.count, by: columns).flatMap { start in
            row(Array(cells[start..<min(start + columns, cells.count)]), widths)
        }
    }

    private static func row(_ cells: [[String]], _ widths: [Int]) -> [String] {
        (0..<(cells.map(\.count).max() ?? 0)).map { line in
            let parts = zip(cells, widths).map { cell, width in
                let text = line < cell.count ? cell[line] : ""
                return text + String(repeating: " ", count: max(0, width - TextWidth.of(text)))
            }
            let whole = parts.joined(separator: "  ")
            return String(whole[..<(whole.lastIndex { $0 != " " }.map(whole.index(after:)) ?? whole.startIndex)])
        }
    }

    // MARK: Texts

    /// A member as text, because the contract allows members of any type.
    private static func text(_ value: JSON?) -> String {
        guard let value, !value.isNull else { return "" }
        return value.string ?? value.description
    }

    private static func lines(_ text: String) -> [String] {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { sanitized(String($0)) }
    }

    /// The text on one line; spaces replace control characters and characters that change the writing direction.
    package static func sanitized(_ text: String) -> String { PlainText.spaced(text) }

    /// The text with its line breaks; each line is ``sanitized(_:)``.
    package static func sanitizedLines(_ text: String) -> String { lines(text).joined(separator: "\n") }
}
