package import JSON
internal import Platform

/// Renders a view as text, for people and models that see only text.
///
/// A node with an id is followed by `#` and the id, which is the `element` of `interact`.
/// Stacks go down, rows and grids across; a carousel shows its current page and its
/// number. A text of an extension cannot leave its line.
package enum ViewTextRenderer {
    /// The view as lines of text.
    package static func render(_ view: JSON) -> String {
        guard let drawing = ViewLayout(PlainDrawer()).draw(view, width: nil) else {
            return "the view has more than 1000 nodes, which are not drawn; the member view of a reply has them all"
        }
        return drawing.lines.map(\.text).joined(separator: "\n")
    }

    /// The text on one line, with spaces in place of control characters and of those that change the direction of the
    /// text beside them.
    package static func sanitized(_ text: String) -> String { PlainText.spaced(text) }

    /// The text with its line breaks, each line as ``sanitized(_:)`` gives it.
    package static func sanitizedLines(_ text: String) -> String { lines(text).joined(separator: "\n") }

    static func lines(_ text: String) -> [String] {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { sanitized(String($0)) }
    }
}

/// Draws each node on one line of plain text.
private struct PlainDrawer: NodeDrawer {
    /// The characters of a progress bar.
    private static let barLength = 20

    let gap = 2

    func leaf(_ node: JSON, width: Int?) -> Drawing {
        switch node["type"]?.string {
        case "text": .below(ViewTextRenderer.lines(node.shownText("text")).map { Drawing($0) })
        case "card": Drawing(card(node) + id(node))
        case "button": Drawing("( \(text(node, "title")) )" + id(node))
        case "field": Drawing("field \(field(node))" + id(node))
        case "image": Drawing("image \(image(node))" + id(node))
        case "progress": Drawing(progress(node))
        default: Drawing(ViewTextRenderer.sanitized(node.description))
        }
    }

    func pager(_ node: JSON, page: Int?, of count: Int, width: Int?) -> Drawing {
        Drawing((page.map { "page \($0 + 1) of \(count)" } ?? "no pages") + id(node))
    }

    func naturalWidth(_ node: JSON) -> Int { leaf(node, width: nil).width }

    private func text(_ node: JSON, _ member: String) -> String { ViewTextRenderer.sanitized(node.shownText(member)) }

    private func card(_ node: JSON) -> String {
        guard node["faceUp"] == true else { return "[?]" }
        return "[\(text(node, "face"))\(node["matched"] == true ? " ✓" : "")]"
    }

    private func field(_ node: JSON) -> String {
        let value = text(node, "value")
        return value.isEmpty ? "(\(text(node, "placeholder")))" : JSON.string(value).description
    }

    private func image(_ node: JSON) -> String {
        let alt = text(node, "alt")
        return alt.isEmpty ? text(node, "url") : JSON.string(alt).description
    }

    private func progress(_ node: JSON) -> String {
        guard let part = ProgressShare.of(node) else { return "progress \(text(node, "value"))" }
        let filled = Int((part * Double(Self.barLength)).rounded())
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: Self.barLength - filled)
        return "progress [\(bar)] \(text(node, "value")) of \(node.shownText("total"))"
    }

    private func id(_ node: JSON) -> String { node["id"]?.string.map { " #\(ViewTextRenderer.sanitized($0))" } ?? "" }
}

/// How far a progress bar is filled.
package enum ProgressShare {
    /// The part of the total, from 0 to 1; nil if the node says none.
    package static func of(_ node: JSON) -> Double? {
        guard let done = node["value"]?.number, let total = node["total"]?.number, total > 0 else { return nil }
        return min(max(done / total, 0), 1)
    }
}
