internal import JSON
internal import Platform

/// A view drawn with characters, for people and models that see text alone.
///
/// What can be touched is followed by `#` and the id that `interact` takes. Stacks go
/// down, rows and grids across; a carousel shows its current page and says which it is.
/// Whatever an extension says stays on its line.
struct ViewDrawing {
    /// The number of nodes past which a view is not drawn: nobody would read it.
    private static let nodeLimit = 1_000
    /// The lines of a cell past which a grid is drawn as a stack.
    private static let cellLimit = 16
    /// The columns up to which cells are made equally wide.
    private static let paddingLimit = 40
    /// The characters of a progress bar.
    private static let barLength = 20

    /// The view as lines of text.
    static func draw(_ view: JSON) -> String {
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
        case "button": ["( \(clean(text(node["title"]))) )" + id(node)]
        case "field": ["field \(field(node))" + id(node)]
        case "image": ["image \(image(node))" + id(node)]
        case "progress": [progress(node)]
        default: [clean(node.description)]
        }
    }

    private static func card(_ node: JSON) -> String {
        guard node["faceUp"] == true else { return "[?]" }
        return "[\(clean(text(node["face"])))\(node["matched"] == true ? " ✓" : "")]"
    }

    private static func field(_ node: JSON) -> String {
        let value = clean(text(node["value"]))
        return value.isEmpty ? "(\(clean(text(node["placeholder"]))))" : JSON.string(value).description
    }

    private static func image(_ node: JSON) -> String {
        let alt = clean(text(node["alt"]))
        return alt.isEmpty ? clean(text(node["url"])) : JSON.string(alt).description
    }

    private static func carousel(_ node: JSON) -> [String] {
        let pages = children(node)
        let page = Int(clamping: node["page"]?.integer ?? 0)
        guard pages.indices.contains(page) else { return ["no pages" + id(node)] }
        return block(pages[page]) + ["page \(page + 1) of \(pages.count)" + id(node)]
    }

    private static func progress(_ node: JSON) -> String {
        let value = clean(text(node["value"]))
        guard let done = node["value"]?.number, let total = node["total"]?.number, total > 0 else {
            return "progress \(value)"
        }
        let filled = Int((min(max(done / total, 0), 1) * Double(barLength)).rounded())
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: barLength - filled)
        return "progress [\(bar)] \(value) of \(text(node["total"]))"
    }

    private static func id(_ node: JSON) -> String { node["id"]?.string.map { " #\(clean($0))" } ?? "" }

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

    /// A member as text; the host passes on members of any type.
    private static func text(_ value: JSON?) -> String {
        guard let value, !value.isNull else { return "" }
        return value.string ?? value.description
    }

    private static func lines(_ text: String) -> [String] {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { clean(String($0)) }
    }

    /// The text on one line: no control character of it reaches a terminal, and none turns what stands beside it.
    static func clean(_ text: String) -> String { PlainText.spaced(text) }

    /// The same, but its lines stay.
    static func cleanLines(_ text: String) -> String { lines(text).joined(separator: "\n") }
}
