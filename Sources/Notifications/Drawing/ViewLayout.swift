package import JSON

/// Arranges the nodes of a view: stacks go down, rows and grids across, a carousel shows its current page.
package struct ViewLayout {
    /// The columns between the cells of a row or a grid.
    fileprivate static let gap = 1
    /// The greatest number of lines of a cell; a grid with a longer one is drawn as a stack.
    private static let cellLimit = 16
    /// A column that is narrower cannot be read.
    private static let narrowest = 6
    /// The columns of a short cell.
    private static let short = 9

    private let drawer: BoxDrawer

    package init(_ drawer: BoxDrawer) { self.drawer = drawer }

    /// Draws a view in at most so many columns; nil if it has more than a thousand nodes.
    package func draw(_ view: JSON, width: Int) -> Drawing? {
        guard view.nodeCount <= ViewTree.drawnNodesLimit else { return nil }
        return block(Node(view, drawer), width, isFinal: false).cut(to: width)
    }

    /// A node, with the background of one that has children on all of its columns.
    private func block(_ node: Node, _ width: Int, isFinal: Bool) -> Drawing {
        let drawing = content(node, width, isFinal)
        guard node.isList, let background = NodeStyle(node.json).background else { return drawing }
        return Drawing(drawing.lines.map { $0.padded(to: width) }).styled(NodeStyle(background: background))
    }

    /// A final block is not drawn again in other columns, so that a leaf is drawn at most twice, however deep it is.
    private func content(_ node: Node, _ width: Int, _ isFinal: Bool) -> Drawing {
        switch node.type {
        case "stack": stack(node.children, width, isFinal)
        case "row": grid(node.children, columns: .max, width, isRow: true, isFinal)
        case "grid": grid(node.children, columns: node.json["columns"]?.integer ?? .max, width, isRow: false, isFinal)
        case "carousel": carousel(node, width, isFinal)
        case "text", "card", "button", "field", "image", "progress", "media", "map":
            drawer.leaf(node.json, width: width)
        // A later contract may have more types.
        default: .below([drawer.leaf(node.json, width: width), stack(node.children, width, isFinal)])
        }
    }

    private func stack(_ nodes: [Node], _ width: Int, _ isFinal: Bool) -> Drawing {
        .below(nodes.map { block($0, width, isFinal: isFinal) })
    }

    private func carousel(_ node: Node, _ width: Int, _ isFinal: Bool) -> Drawing {
        let pages = node.children
        let page = Int(clamping: node.json["page"]?.integer ?? 0)
        let isShown = pages.indices.contains(page)
        let pager = drawer.pager(node.json, page: isShown ? page : nil, of: pages.count, width: width)
        return .below((isShown ? [block(pages[page], width, isFinal: isFinal)] : []) + [pager])
    }

    // MARK: Rows

    private func grid(_ nodes: [Node], columns: Int64, _ width: Int, isRow: Bool, _ isFinal: Bool) -> Drawing {
        guard !nodes.isEmpty else { return Drawing() }
        let columns = Int(clamping: max(1, min(columns, Int64(nodes.count))))
        let widths = isRow ? rowWidths(nodes, width) : gridWidths(nodes, columns, width)
        guard !isTooNarrow(widths, nodes) else { return stack(nodes, width, isFinal) }
        var cells = nodes.enumerated().map { block($1, widths[$0 % columns], isFinal: true) }
        guard cells.allSatisfy({ $0.lines.count <= Self.cellLimit }) else {
            return isFinal ? .below(cells) : stack(nodes, width, true)
        }
        cells = cells.enumerated().map { $1.cut(to: widths[$0 % columns]) }
        if isRow { cells = Self.centered(cells) }
        return .below(
            stride(from: 0, to: cells.count, by: columns).map { start in
                .beside(Array(cells[start..<min(start + columns, cells.count)]), widths: widths, gap: Self.gap)
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

    private func isTooNarrow(_ widths: [Int], _ nodes: [Node]) -> Bool {
        nodes.enumerated().contains { index, node in
            let width = widths[index % widths.count]
            return width < Self.narrowest && width < node.naturalWidth
        }
    }

    /// The widths of a grid's columns: as wide as their cells need, and equal if there is not enough room.
    private func gridWidths(_ nodes: [Node], _ columns: Int, _ width: Int) -> [Int] {
        let natural = nodes.map(\.naturalWidth).max() ?? 0
        let share = (width - Self.gap * (columns - 1)) / columns
        // Texts need some space to look like columns, which all have one width.
        let room = natural + (natural < Self.short ? 2 : 1)
        return Array(repeating: min(share, room), count: columns)
    }

    /// The widths of a row's cells: what is left goes to fields, and to texts that are not aligned at the start.
    private func rowWidths(_ nodes: [Node], _ width: Int) -> [Int] {
        var widths = nodes.map(\.naturalWidth)
        let left = width - Self.gap * (nodes.count - 1) - widths.reduce(0, +)
        guard left >= 0 else { return ColumnWidths.fit(widths, into: width - Self.gap * (nodes.count - 1)) }
        let aligned = nodes.indices.filter {
            nodes[$0].type == "field" || ["center", "end"].contains(nodes[$0].json["alignment"]?.string)
        }
        for (index, cell) in aligned.enumerated() {
            widths[cell] += left / aligned.count + (index < left % aligned.count ? 1 : 0)
        }
        return widths
    }
}

/// A node of a view with the columns that it needs, which are the same wherever it is drawn.
private final class Node {
    /// Nothing needs more columns than this; the columns of nested grids multiply.
    private static let widest = 1_000

    let json: JSON
    let type: String?
    let children: [Node]
    let naturalWidth: Int
    var isList: Bool { type.map(ViewTree.typesWithChildren.contains) ?? false }

    init(_ json: JSON, _ drawer: BoxDrawer) {
        self.json = json
        type = json["type"]?.string
        children = json.childNodes.map { Node($0, drawer) }
        let widest = children.map(\.naturalWidth).max() ?? 0
        let columns = Int(clamping: max(1, min(json["columns"]?.integer ?? .max, Int64(max(1, children.count)))))
        let natural: Int =
            switch type {
            case "stack", "carousel": widest
            case "row":
                children.reduce(ViewLayout.gap * max(0, children.count - 1)) { $0 + $1.naturalWidth }
            case "grid":
                (widest + ViewLayout.gap) * columns - ViewLayout.gap
            default: drawer.naturalWidth(json)
            }
        naturalWidth = min(natural, Self.widest)
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
