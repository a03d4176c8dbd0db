internal import JSON
internal import Notifications

/// The width that a node would have if there were no limit.
struct NodeMeasure {
    private let type: Typesetter

    init(_ type: Typesetter) { self.type = type }

    /// The natural width of a node.
    func width(_ node: JSON) -> Double {
        switch node["type"]?.string {
        case "text": type.width(node.shownText("text"), Self.style(node), isBold: node["style"] == "title") + 1
        case "button": type.width(node.shownText("title"), .body, isBold: true) + 2 * Metrics.padding + 1
        case "card": Metrics.cardHeight
        case "field": 160
        case "image": 120
        case "progress": 120
        case "row": sum(children(node))
        case "grid": gridWidth(node)
        default: children(node).map(width).max() ?? 0
        }
    }

    /// The children that are measured: more do not fit into a row anyway.
    private func children(_ node: JSON) -> [JSON] { node["children"]?.array.map { Array($0.prefix(64)) } ?? [] }

    /// Whether a node takes what is left of a row: fields, and texts that are not aligned at the start.
    func grows(_ node: JSON) -> Bool {
        node["type"] == "field" || ["center", "end"].contains(node["alignment"]?.string)
    }

    /// The style of a text, as `protocol/rules/views.md` says.
    static func style(_ node: JSON) -> TextSize.Style {
        switch node["style"]?.string {
        case "title": .title2
        case "caption": .caption1
        default: .body
        }
    }

    private func sum(_ nodes: [JSON]) -> Double {
        nodes.reduce(Metrics.gap * Double(max(0, nodes.count - 1))) { $0 + width($1) }
    }

    private func gridWidth(_ node: JSON) -> Double {
        let children = children(node)
        let columns = Double(max(1, min(node["columns"]?.integer ?? .max, Int64(children.count))))
        return (children.map(width).max() ?? 0) * columns + Metrics.gap * (columns - 1)
    }
}
