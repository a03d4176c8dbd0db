internal import JSON
internal import Notifications

/// Writes the view of an extension: stacks go down, rows and grids across, a carousel shows its current page.
final class ViewWriter {
    /// More columns than this are too narrow for anything.
    private static let columnLimit: Int64 = 12

    let settings: HTMLRenderer.Settings
    let type: Typesetter
    private var nodes = 0
    /// The number of cards so far, by which assistive technology tells them apart.
    var cards = 0

    init(_ settings: HTMLRenderer.Settings, _ type: Typesetter) { (self.settings, self.type) = (settings, type) }

    /// The view, and a message below it if it was cut.
    func view(_ view: JSON, width: Double) -> Block {
        let block = node(view, width)
        var notes: [String] = []
        if nodes > View.drawnNodes {
            notes.append("The view has more than \(View.drawnNodes) nodes. The others are not drawn.")
        }
        if type.hasCut { notes.append("Long texts of the view are cut.") }
        return .below([block] + notes.map { note($0, width) }, gap: Metrics.gap)
    }

    private func note(_ text: String, _ width: Double) -> Block {
        let height = type.height(text, .caption1, width: width)
        return Block(
            markup: .element("p", ["class": "pn-caption1 pn-dim", "lang": "en"], [.text(text)]),
            height: height
        )
    }

    private func node(_ node: JSON, _ width: Double) -> Block {
        nodes += 1
        guard nodes <= View.drawnNodes else { return Block() }
        return switch node["type"]?.string {
        case "stack": stack(node, width)
        case "row": row(node, width)
        case "grid": grid(node, width)
        case "carousel": carousel(node, width)
        default: NodeWriter(self).leaf(node, width)
        }
    }

    private func stack(_ node: JSON, _ width: Double) -> Block {
        let content = Block.below(children(node, width), gap: Metrics.gap)
        return Block(markup: .element("div", ["class": "pn-stack"], [content.markup]), height: content.height)
    }

    private func children(_ node: JSON, _ width: Double) -> [Block] {
        guard let array = node["children"]?.array else { return [] }
        var blocks: [Block] = []
        for child in array {
            blocks.append(self.node(child, width))
            // The first node that is left out is counted, so that the message is shown.
            if nodes > View.drawnNodes { break }
        }
        return blocks
    }

    // MARK: Carousels

    private func carousel(_ node: JSON, _ width: Double) -> Block {
        let pages = node["children"]?.array
        let (count, page) = (pages?.count ?? 0, Int(clamping: node["page"]?.integer ?? 0))
        guard let pages, (0..<count).contains(page) else {
            return type.paragraph("(no pages)", .caption1, "pn-dim", width: width)
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
        let nodes = node["children"]?.array.map { Array($0.prefix(max(1, View.drawnNodes - self.nodes))) } ?? []
        guard !nodes.isEmpty else { return Block() }
        let measure = NodeMeasure(type)
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
