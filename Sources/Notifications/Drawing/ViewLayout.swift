package import JSON

/// Draws the nodes that have no children, and says how much room they need.
package protocol NodeDrawer {
    /// The columns between the cells of a row or a grid.
    var gap: Int { get }

    /// Draws a node without children in at most so many columns; nil for no limit.
    func leaf(_ node: JSON, width: Int?) -> Drawing

    /// Draws which page of a carousel is shown; nil for the page if it has none.
    func pager(_ node: JSON, page: Int?, of count: Int, width: Int?) -> Drawing

    /// The columns that a node without children is drawn in if it may have as many as it likes.
    func naturalWidth(_ node: JSON) -> Int
}

/// Arranges the nodes of a view: stacks go down, rows and grids across, a carousel shows its current page.
package struct ViewLayout<Drawer: NodeDrawer> {
    /// The greatest number of lines of a cell; a grid with a longer one is drawn as a stack.
    private static var cellLimit: Int { 16 }
    /// The greatest width to which cells are padded if there is no limit.
    private static var paddingLimit: Int { 40 }
    /// A column that is narrower cannot be read.
    private static var narrowest: Int { 6 }

    /// The columns of a short cell.
    private static var short: Int { 9 }

    private let drawer: Drawer

    package init(_ drawer: Drawer) { self.drawer = drawer }

    /// Draws a view in at most so many columns; nil if it has more than a thousand nodes.
    package func draw(_ view: JSON, width: Int?) -> Drawing? {
        guard view.nodeCount <= ViewTree.drawnNodesLimit else { return nil }
        let drawing = block(view, width)
        return width.map(drawing.cut) ?? drawing
    }

    private func block(_ node: JSON, _ width: Int?) -> Drawing {
        switch node["type"]?.string {
        case "stack": .below(node.childNodes.map { block($0, width) })
        case "row": grid(node.childNodes, columns: .max, width, isRow: true)
        case "grid": grid(node.childNodes, columns: node["columns"]?.integer ?? .max, width, isRow: false)
        case "carousel": carousel(node, width)
        default: drawer.leaf(node, width: width)
        }
    }

    private func carousel(_ node: JSON, _ width: Int?) -> Drawing {
        let pages = node.childNodes
        let page = Int(clamping: node["page"]?.integer ?? 0)
        guard pages.indices.contains(page) else { return drawer.pager(node, page: nil, of: pages.count, width: width) }
        return .below([block(pages[page], width), drawer.pager(node, page: page, of: pages.count, width: width)])
    }

    // MARK: Rows

    private func grid(_ nodes: [JSON], columns: Int64, _ width: Int?, isRow: Bool) -> Drawing {
        guard !nodes.isEmpty else { return Drawing() }
        let columns = Int(clamping: max(1, min(columns, Int64(nodes.count))))
        let given = width.map { isRow ? rowWidths(nodes, $0) : gridWidths(nodes, columns, $0) }
        if let given, isTooNarrow(given, nodes) { return .below(nodes.map { block($0, width) }) }
        var cells = nodes.enumerated().map { block($1, given?[$0 % columns]) }
        if let given {
            cells = cells.enumerated().map { $1.cut(to: given[$0 % columns]) }
            if isRow { cells = Self.centered(cells) }
        }
        guard cells.allSatisfy({ $0.lines.count <= Self.cellLimit }) else {
            return .below(given == nil ? cells : nodes.map { block($0, width) })
        }
        let widths =
            given
            ?? (0..<columns).map { column in
                let own = stride(from: column, to: cells.count, by: columns).map { cells[$0].width }
                return min(own.max() ?? 0, Self.paddingLimit)
            }
        return .below(
            stride(from: 0, to: cells.count, by: columns).map { start in
                .beside(Array(cells[start..<min(start + columns, cells.count)]), widths: widths, gap: drawer.gap)
            }
        )
    }

    /// The cells of a row, with those that are lower than others in the middle.
    private static func centered(_ cells: [Drawing]) -> [Drawing] {
        let height = cells.map(\.lines.count).max() ?? 0
        return cells.map { cell in
            Drawing(Array(repeating: Drawing.Line(), count: (height - cell.lines.count) / 2) + cell.lines)
        }
    }

    private func isTooNarrow(_ widths: [Int], _ nodes: [JSON]) -> Bool {
        nodes.enumerated().contains { index, node in
            let width = widths[index % widths.count]
            return width < Self.narrowest && width < naturalWidth(node)
        }
    }

    /// The widths of a grid's columns: as wide as their cells need, and equal if there is not enough room.
    private func gridWidths(_ nodes: [JSON], _ columns: Int, _ width: Int) -> [Int] {
        let natural = nodes.map(naturalWidth).max() ?? 0
        let share = (width - drawer.gap * (columns - 1)) / columns
        // Texts need some space to look like columns, which all have one width.
        let room = natural + (natural < Self.short ? 2 : 1)
        return Array(repeating: min(share, room), count: columns)
    }

    /// The widths of a row's cells: what is left goes to fields, and to texts that are not aligned at the start.
    private func rowWidths(_ nodes: [JSON], _ width: Int) -> [Int] {
        var widths = nodes.map(naturalWidth)
        let left = width - drawer.gap * (nodes.count - 1) - widths.reduce(0, +)
        guard left >= 0 else { return ColumnWidths.fit(widths, into: width - drawer.gap * (nodes.count - 1)) }
        let aligned = nodes.indices.filter {
            nodes[$0]["type"] == "field" || ["center", "end"].contains(nodes[$0]["alignment"]?.string)
        }
        for (index, cell) in aligned.enumerated() {
            widths[cell] += left / aligned.count + (index < left % aligned.count ? 1 : 0)
        }
        return widths
    }

    private func naturalWidth(_ node: JSON) -> Int {
        let children = node.childNodes
        switch node["type"]?.string {
        case "stack": return children.map(naturalWidth).max() ?? 0
        case "row": return children.reduce(drawer.gap * max(0, children.count - 1)) { $0 + naturalWidth($1) }
        case "grid":
            let columns = Int(clamping: max(1, min(node["columns"]?.integer ?? .max, Int64(max(1, children.count)))))
            return (children.map(naturalWidth).max() ?? 0) * columns + drawer.gap * (columns - 1)
        case "carousel": return children.map(naturalWidth).max() ?? 0
        default: return drawer.naturalWidth(node)
        }
    }
}

extension JSON {
    /// The nodes inside a node of a view.
    package var childNodes: [JSON] { self["children"]?.array.map { Swift.Array($0) } ?? [] }

    /// The nodes of a view, itself included, in the order of the tree.
    package var viewNodes: [JSON] { [self] + childNodes.flatMap(\.viewNodes) }

    fileprivate var nodeCount: Int { childNodes.reduce(1) { $0 + $1.nodeCount } }

    /// A member of a node as text; the contract allows members of any type.
    package func shownText(_ member: String) -> String {
        guard let value = self[member], !value.isNull else { return "" }
        return value.string ?? value.description
    }
}

/// How the columns of a row share its width.
package enum ColumnWidths {
    /// Widths that keep what needs less than its share, and divide the rest equally.
    package static func fit(_ natural: [Int], into room: Int) -> [Int] {
        var widths = natural
        var open = Array(natural.indices)
        var rest = room
        while !open.isEmpty {
            let share = rest / open.count
            let small = open.filter { natural[$0] <= share }
            guard !small.isEmpty else {
                for cell in open { widths[cell] = share }
                break
            }
            rest -= small.reduce(0) { $0 + natural[$1] }
            open.removeAll { small.contains($0) }
        }
        return widths
    }
}
