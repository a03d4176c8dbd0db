internal import JSON
internal import Notifications

/// Writes the view of an extension: stacks go down, rows and grids across, a carousel shows its current page.
final class ViewWriter {
    /// More columns than this are too narrow for anything.
    private static let columnLimit: Int64 = 12

    let settings: HTMLRenderer.Settings
    let typesetter: Typesetter
    private var nodes = 0
    /// The number of cards so far, by which assistive technology tells them apart.
    var cards = 0

    init(_ settings: HTMLRenderer.Settings, _ typesetter: Typesetter) {
        (self.settings, self.typesetter) = (settings, typesetter)
    }

    /// The view, and a message below it if it was cut.
    func view(_ view: JSON, width: Double) -> Block {
        let block = node(view, width)
        var notes: [String] = []
        if nodes > ViewTree.drawnNodesLimit {
            notes.append("The view has more than \(ViewTree.drawnNodesLimit) nodes. The others are not drawn.")
        }
        if typesetter.hasCut { notes.append("Long texts of the view are cut.") }
        return .below([block] + notes.map { note($0, width) }, gap: Metrics.gap)
    }

    private func note(_ text: String, _ width: Double) -> Block {
        let height = typesetter.height(text, .caption1, width: width)
        return Block(
            markup: .element("p", ["class": "pn-caption1 pn-dim", "lang": "en"], [.text(text)]),
            height: height
        )
    }

    private func node(_ node: JSON, _ width: Double) -> Block {
        nodes += 1
        guard nodes <= ViewTree.drawnNodesLimit else { return Block() }
        let block = content(of: node, width)
        guard let id = node["id"]?.string, settings.touched == .element(id) else { return block }
        return block.touched
    }

    private func content(of node: JSON, _ width: Double) -> Block {
        switch node["type"]?.string {
        case "stack": return backed(stack(node, width), node)
        case "row": return backed(row(node, width), node)
        case "grid": return backed(grid(node, width), node)
        case "carousel": return backed(carousel(node, width), node)
        default: return NodeWriter(self).leaf(node, width)
        }
    }

    /// The content on the background of its node, which reaches into the gap around it, so that it takes no room.
    private func backed(_ block: Block, _ node: JSON) -> Block {
        guard let color = NodeStyle(node).background?.css else { return block }
        let look = "background:\(color);box-shadow:0 0 0 \(Int(Metrics.gap / 2))px \(color);border-radius:4px"
        return Block(markup: .element("div", ["style": look], [block.markup]), height: block.height)
    }

    private func stack(_ node: JSON, _ width: Double) -> Block {
        let blocks = children(node, width)
        let content = Block.below(blocks, gap: Metrics.gap)
        // The style sheet moves a text closer to the one above it, unless it is a title.
        let nodes = node["children"]?.array.map { Array($0.prefix(blocks.count)) } ?? []
        let shown = zip(nodes, blocks).filter { !$1.markup.html.isEmpty }.map(\.0)
        let pairs = zip(shown, shown.dropFirst()).count { above, text in
            above["type"] == "text" && text["type"] == "text" && text["style"] != "title"
        }
        return Block(
            markup: .element("div", ["class": "pn-stack"], [content.markup]),
            height: content.height - Double(pairs) * (Metrics.gap - Metrics.textGap)
        )
    }

    private func children(_ node: JSON, _ width: Double) -> [Block] {
        guard let array = node["children"]?.array else { return [] }
        var blocks: [Block] = []
        for child in array {
            blocks.append(self.node(child, width))
            // The first node that is left out is counted, so that the message is shown.
            if nodes > ViewTree.drawnNodesLimit { break }
        }
        return blocks
    }

    // MARK: Carousels

    private func carousel(_ node: JSON, _ width: Double) -> Block {
        let pages = node["children"]?.array
        let (count, page) = (pages?.count ?? 0, Int(clamping: node["page"]?.integer ?? 0))
        guard let pages, (0..<count).contains(page) else {
            return typesetter.paragraph("(no pages)", .caption1, "pn-dim", width: width)
        }
        let content = self.node(pages[page], width)
        let pager = PagerWriter(settings).pager(node["id"]?.string, page: page, of: count)
        return Block(
            markup: .element(
                "div",
                ["class": "pn-stack", "role": "group", "aria-roledescription": "carousel", "aria-label": "Pages"],
                [content.markup, pager]
            ),
            height: content.height + Metrics.gap + Metrics.pagerHeight
        )
    }

    // MARK: Rows

    private func grid(_ node: JSON, _ width: Double) -> Block {
        let count = Int64(node["children"]?.array?.count ?? 0)
        let columns = Int(max(1, min(node["columns"]?.integer ?? count, count, Self.columnLimit)))
        let cell = (width - Metrics.gap * Double(columns - 1)) / Double(columns)
        let cells = children(node, cell)
        let lines = stride(from: 0, to: cells.count, by: columns).map { start in
            Block(height: cells[start..<min(start + columns, cells.count)].map(\.height).max() ?? 0)
        }
        let style = "grid-template-columns:repeat(\(columns),1fr)"
        return Block(
            markup: .element("div", ["class": "pn-grid", "style": style], cells.map { Self.cell($0) }),
            height: lines.reduce(Metrics.gap * Double(max(0, lines.count - 1))) { $0 + $1.height }
        )
    }

    private func row(_ node: JSON, _ width: Double) -> Block {
        // Only as many nodes as are drawn are measured.
        let nodes =
            node["children"]?.array.map { Array($0.prefix(max(1, ViewTree.drawnNodesLimit - self.nodes))) } ?? []
        guard !nodes.isEmpty else { return Block() }
        let measure = NodeMeasure(typesetter)
        let room = Int(width - Metrics.gap * Double(nodes.count - 1))
        guard room >= nodes.count * 8 else { return stack(node, width) }
        let natural = nodes.map { Int(measure.width($0).rounded(.up)) }
        var widths = ColumnWidths.fit(natural, into: room)
        var left = room - widths.reduce(0, +)
        let growing = nodes.indices.filter { measure.grows(nodes[$0]) }
        for index in growing { widths[index] += left / growing.count }
        if !growing.isEmpty { left = 0 }
        let cells = zip(children(node, width: widths.map(Double.init)), widths)
        let tracks = (widths + (left > 0 ? [left] : [])).map { "\(max(1, $0))fr" }.joined(separator: " ")
        return Block(
            markup: .element(
                "div",
                ["class": "pn-row", "style": "grid-template-columns:\(tracks)"],
                cells.map { Self.cell($0.0) }
            ),
            height: cells.map(\.0.height).max() ?? 0
        )
    }

    private func children(_ node: JSON, width: [Double]) -> [Block] {
        guard let array = node["children"]?.array else { return [] }
        return zip(array, width).map { self.node($0, $1) }
    }

    /// A cell keeps its column even if nothing is in it.
    private static func cell(_ block: Block) -> Markup { .element("div", [:], [block.markup]) }
}

/// The width that a node would have if there were no limit.
struct NodeMeasure {
    private let typesetter: Typesetter

    init(_ typesetter: Typesetter) { self.typesetter = typesetter }

    /// The natural width of a node.
    func width(_ node: JSON) -> Double {
        switch node["type"]?.string {
        case "text": typesetter.width(node.shownText("text"), Self.style(node), isBold: Self.isBold(node)) + 1
        case "button": typesetter.width(node.shownText("title"), .body, isBold: true) + 2 * Metrics.padding + 1
        case "card": Metrics.cardHeight
        case "field": 160
        case "image": 120
        case "progress": 120
        case "media", "map": 240
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

    /// The style of a text, as `protocol/reference/views.md` says.
    static func style(_ node: JSON) -> TextSize.Style {
        switch node["style"]?.string {
        case "title": .title2
        case "caption": .caption1
        default: .body
        }
    }

    /// Whether a text is bold, as all titles are.
    static func isBold(_ node: JSON) -> Bool { node["style"] == "title" || NodeStyle(node).isBold }

    private func sum(_ nodes: [JSON]) -> Double {
        nodes.reduce(Metrics.gap * Double(max(0, nodes.count - 1))) { $0 + width($1) }
    }

    private func gridWidth(_ node: JSON) -> Double {
        let children = children(node)
        let columns = Double(max(1, min(node["columns"]?.integer ?? .max, Int64(children.count))))
        return (children.map(width).max() ?? 0) * columns + Metrics.gap * (columns - 1)
    }
}

/// Writes the dots of a carousel, and what turns its pages.
private struct PagerWriter {
    /// More dots than this do not fit into a line.
    private static let dotLimit = 9

    private let isInteractive: Bool

    init(_ settings: HTMLRenderer.Settings) { isInteractive = settings.isInteractive }

    /// The page control of a carousel.
    func pager(_ id: String?, page: Int, of count: Int) -> Markup {
        let label = Markup.spoken("Page \(page + 1) of \(count)")
        guard isInteractive, let id else {
            let dots = hasDots(count) ? (0..<count).map { dot(isCurrent: $0 == page) } : []
            return .element("div", ["class": "pn-pager"], dots.isEmpty ? [numbers(page, count)] : [label] + dots)
        }
        let middle =
            hasDots(count)
            ? (0..<count).map { index in
                turn(
                    id,
                    to: index,
                    of: count,
                    "Page \(index + 1)",
                    isCurrent: index == page,
                    [dot(isCurrent: index == page)]
                )
            } : [numbers(page, count)]
        return .element(
            "div",
            ["class": "pn-pager"],
            [turn(id, to: page - 1, of: count, "Previous page", [Symbol.previous])] + middle
                + [turn(id, to: page + 1, of: count, "Next page", [Symbol.next])]
        )
    }

    private func hasDots(_ count: Int) -> Bool { count <= Self.dotLimit }

    private func numbers(_ page: Int, _ count: Int) -> Markup {
        .element("span", ["class": "pn-dim"], [.spoken("Page "), .text("\(page + 1) / \(count)")])
    }

    private func dot(isCurrent: Bool) -> Markup {
        .element("span", ["class": isCurrent ? "pn-dot pn-on" : "pn-dot"])
    }

    private func turn(
        _ id: String,
        to page: Int,
        of count: Int,
        _ label: String,
        isCurrent: Bool = false,
        _ content: [Markup]
    ) -> Markup {
        .element(
            "button",
            [
                "type": "button", "class": "pn-turn", "data-element": id, "data-page": "\(page)", "aria-label": label,
                "lang": "en", "aria-current": isCurrent ? "true" : nil,
                "disabled": (0..<count).contains(page) ? nil : "disabled",
            ],
            content
        )
    }
}
