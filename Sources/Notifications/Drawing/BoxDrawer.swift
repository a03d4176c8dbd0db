package import JSON

/// Draws the nodes of a view that have no children, with boxes, and says how much room they need.
package struct BoxDrawer {
    /// How the ids of elements and actions are drawn.
    package enum IDs: Sendable {
        /// Not at all.
        case hidden
        /// As they are, for people who write steps.
        case plain
        /// With `#` before an element's, for people and models that call methods.
        case marked
    }

    /// The greatest and the smallest width of a card, a button and a field.
    private static let cardWidths = 9...18
    private static let fieldWidths = 12...44
    /// The greatest width of a progress bar and an image, and the width that a bar needs.
    private static let lineWidth = 68
    private static let barWidth = 20

    package let glyphs: Glyphs
    let focus: Drawing.Target?
    let entry: String?
    let ids: IDs

    /// How a view is drawn; the entry is the text that is being entered in the field or action that has the focus.
    package init(_ glyphs: Glyphs, focus: Drawing.Target? = nil, entry: String? = nil, ids: IDs = .hidden) {
        (self.glyphs, self.focus, self.entry, self.ids) = (glyphs, focus, entry, ids)
    }

    /// Draws a node without children in at most so many columns.
    func leaf(_ node: JSON, width: Int) -> Drawing {
        let width = max(1, width)
        return switch node["type"]?.string {
        case "text": text(node, width)
        case "card": card(node, width)
        case "button": button(node, width)
        case "field": field(node, width)
        case "image": image(node, width)
        case "progress": progress(node, width)
        case "media": media(node, width)
        case "map": map(node, width)
        default: Drawing("(\(glyphs.text(node.shownText("type"))))", .dim)
        }
    }

    /// The columns that a node without children is drawn in if it may have as many as it likes.
    func naturalWidth(_ node: JSON) -> Int {
        switch node["type"]?.string {
        case "text": glyphs.lines(node.shownText("text")).map(TextWidth.of).max() ?? 0
        case "card": cardWidth(node)
        case "button": buttonWidth(node)
        case "field": min(max(TextWidth.of(fieldText(node)) + 5, 30), Self.fieldWidths.upperBound)
        case "image": min(max(TextWidth.of(alt(node)), 12) + 4, Self.lineWidth)
        case "progress": Self.barWidth
        case "media": mediaTexts(node).map { TextWidth.of($0) + 4 }.reduce(Self.fieldWidths.lowerBound, max)
        case "map": mapTexts(node).map { TextWidth.of($0) + 4 }.reduce(Self.fieldWidths.lowerBound, max)
        default: 20
        }
    }

    // MARK: Nodes

    private func text(_ node: JSON, _ width: Int) -> Drawing {
        let role: Drawing.Role =
            switch node["style"]?.string {
            case "title": .title
            case "caption": .dim
            default: .body
            }
        let alignment: Drawing.Alignment =
            switch node["alignment"]?.string {
            case "center": .center
            case "end": .end
            default: .start
            }
        return .wrapped(glyphs.lines(node.shownText("text")), width: width, role, alignment).styled(NodeStyle(node))
    }

    private func card(_ node: JSON, _ width: Int) -> Drawing {
        let width = max(4, min(width, Self.cardWidths.upperBound))
        let (isUp, isMatched) = (node["faceUp"] == true, node["matched"] == true)
        let mark = isMatched ? " \(glyphs.matched)" : ""
        let role: Drawing.Role = isMatched ? .done : isUp ? .title : .dim
        let face =
            isUp
            ? Drawing.cut(glyphs.text(node.shownText("face")), to: width - 4 - TextWidth.of(mark), glyphs) + mark
            : String(repeating: glyphs.back, count: width - 4)
        let target = target(node)
        let line = Drawing.Line([Drawing.Span(face, role, target)]).padded(to: width - 4, .center)
        return box(Drawing([line]), node, width, isMatched ? .done : .button)
    }

    private func cardWidth(_ node: JSON) -> Int {
        let face = TextWidth.of(glyphs.text(node.shownText("face"))) + (node["matched"] == true ? 2 : 0)
        return min(max(face + 4, Self.cardWidths.lowerBound, 16), Self.cardWidths.upperBound)
    }

    private func button(_ node: JSON, _ width: Int) -> Drawing {
        let title = title(node)
        let width = max(4, min(width, buttonWidth(node)))
        let (style, isFocused) = (NodeStyle(node), isFocused(node))
        let text = Drawing.wrapped([title], width: width - 4, isFocused ? .focus : .button, .center, target(node))
        // The focus must be seen, whatever the button looks like.
        guard !isFocused else { return box(text, node, width, .button) }
        return box(text.styled(style), node, width, .button).styled(NodeStyle(background: style.background))
    }

    /// The title between the sides, and the id in the upper line.
    private func buttonWidth(_ node: JSON) -> Int {
        let label = label(node)
        return max(TextWidth.of(title(node)) + 4, label.isEmpty ? 0 : TextWidth.of(label) + 6)
    }

    private func title(_ node: JSON) -> String { glyphs.text(node.shownText("title")) }

    private func field(_ node: JSON, _ width: Int) -> Drawing {
        let width = max(5, min(max(width, 5), Self.fieldWidths.upperBound))
        let room = width - 4
        let text: [Drawing.Span]
        if isFocused(node), let entry {
            // The end of a long text is what is being written.
            let shown = String(glyphs.text(entry).reversed())
            let end = String(Drawing.cut(shown, to: room - 1, glyphs).reversed())
            text = [Drawing.Span(end, .body, target(node)), Drawing.Span(glyphs.cursor, .focus, target(node))]
        } else {
            let isEmpty = node.shownText("value").isEmpty
            let shown = Drawing.cut(fieldText(node), to: room, glyphs)
            text = [Drawing.Span(shown, isEmpty ? .dim : .body, target(node))]
        }
        return box(Drawing([Drawing.Line(text)]), node, width, .button)
    }

    private func fieldText(_ node: JSON) -> String {
        let value = glyphs.text(node.shownText("value"))
        return value.isEmpty ? glyphs.text(node.shownText("placeholder")) : value
    }

    private func image(_ node: JSON, _ width: Int) -> Drawing {
        let width = max(5, min(width, Self.lineWidth))
        let text = Drawing.wrapped([alt(node)], width: width - 4, .dim, .center)
        let space = Drawing([Drawing.Line()])
        return Drawing.below(text.lines.count > 1 ? [text] : [space, text, space]).boxed(glyphs.dashed, width: width)
    }

    /// What an image shows; the end of its address if it does not say so.
    private func alt(_ node: JSON) -> String {
        let alt = glyphs.text(node.shownText("alt"))
        return alt.isEmpty ? glyphs.text(node.shownText("url").split(separator: "/").last.map(String.init) ?? "") : alt
    }

    private func progress(_ node: JSON, _ width: Int) -> Drawing {
        let value = glyphs.text(node.shownText("value"))
        guard let part = ProgressShare.of(node) else { return Drawing(value) }
        let label = " \(value)/\(glyphs.text(node.shownText("total")))"
        let length = min(width, Self.lineWidth) - TextWidth.of(label)
        guard length >= 4 else { return Drawing.wrapped([String(label.dropFirst())], width: width) }
        let filled = Int((part * Double(length)).rounded())
        return Drawing(
            [
                Drawing.Line(
                    [
                        Drawing.Span(String(repeating: glyphs.filled, count: filled), .done, nil, NodeStyle(node)),
                        Drawing.Span(String(repeating: glyphs.unfilled, count: length - filled), .dim),
                        Drawing.Span(label, .dim),
                    ]
                )
            ]
        )
    }

    /// The name above the state and the time, in the frame of an image or, if it can be pressed, of a button.
    private func media(_ node: JSON, _ width: Int) -> Drawing {
        let media = MediaNode(node)
        let natural = max(naturalWidth(node), label(node).isEmpty ? 0 : TextWidth.of(label(node)) + 6)
        let width = max(5, min(width, natural, Self.lineWidth))
        let texts = mediaTexts(node)
        let target = target(node)
        let role: Drawing.Role = media.state == .failed ? .warning : isFocused(node) ? .focus : .body
        let content = Drawing.below([
            .wrapped([texts[0]], width: width - 4, .dim, .start, target),
            .wrapped([texts[1]], width: width - 4, role, .start, target),
        ])
        return target == nil
            ? content.boxed(glyphs.dashed, width: width) : box(content, node, width, .button)
    }

    /// What the media are, and their state and time.
    private func mediaTexts(_ node: JSON) -> [String] {
        let media = MediaNode(node)
        let symbol =
            switch media.state {
            case .playing: glyphs.playing
            case .paused: glyphs.paused
            case .ended: glyphs.ended
            case .failed: glyphs.warning
            }
        return [glyphs.text(media.name), "\(symbol) \(media.state == .failed ? "cannot be played" : media.times)"]
    }

    /// The coordinates of the center, or the places, in the frame of an image.
    private func map(_ node: JSON, _ width: Int) -> Drawing {
        let width = max(5, min(width, naturalWidth(node), Self.lineWidth))
        let texts = mapTexts(node).map { Drawing.wrapped([$0], width: width - 4, .dim, .start, target(node)) }
        return Drawing.below(texts).boxed(glyphs.dashed, width: width)
    }

    private func mapTexts(_ node: JSON) -> [String] {
        let map = MapNode(node)
        return ([map.alt].filter { !$0.isEmpty } + map.places.map { "\(glyphs.page) \($0)" }).map(glyphs.text)
    }

    /// Draws which page of a carousel is shown; nil for the page if it has none.
    func pager(_ node: JSON, page: Int?, of count: Int, width: Int) -> Drawing {
        let label = label(node)
        let id = Drawing.Span(label.isEmpty ? "" : "  \(label)", .dim, target(node))
        guard let page else { return Drawing([Drawing.Line([Drawing.Span("(no pages)", .dim, target(node)), id])]) }
        let role: Drawing.Role = isFocused(node) ? .focus : .button
        var dots = (0..<count).map { $0 == page ? glyphs.page : glyphs.otherPage }.joined(separator: " ")
        if TextWidth.of(dots) > min(30, width - 4) { dots = "\(page + 1)/\(count)" }
        let line = Drawing.Line([Drawing.Span("\(glyphs.previous) \(dots) \(glyphs.next)", role, target(node)), id])
        guard line.width > width else { return Drawing([line.padded(to: width, .center)]) }
        return .below([
            Drawing([Drawing.Line([line.spans[0]])]), .wrapped([label], width: width, .dim, .start, id.target),
        ])
    }

    // MARK: What can be pressed

    private func target(_ node: JSON) -> Drawing.Target? { node["id"]?.string.map { .element($0) } }

    private func isFocused(_ node: JSON) -> Bool { focus != nil && focus == target(node) }

    /// The id of a node as it is drawn; empty if it is not.
    private func label(_ node: JSON) -> String {
        guard ids != .hidden, let id = node["id"]?.string else { return "" }
        return (ids == .marked ? "#" : "") + glyphs.text(id)
    }

    /// The content in a box that can be pressed.
    ///
    /// The id is in the upper line, or below the box if it is too long.
    private func box(_ content: Drawing, _ node: JSON, _ width: Int, _ role: Drawing.Role) -> Drawing {
        let isFocused = isFocused(node)
        let label = label(node)
        let fits = label.isEmpty || TextWidth.of(label) + 5 <= width
        let box = content.boxed(
            isFocused ? glyphs.heavy : glyphs.plain,
            width: width,
            isFocused ? .focus : role,
            target(node),
            title: fits ? label : ""
        )
        return fits ? box : .below([box, .wrapped([label], width: width, .dim, .start, target(node))])
    }
}

/// How far a progress bar is filled.
package enum ProgressShare {
    /// The part of the total, from 0 to 1; nil if the node says none.
    package static func of(_ node: JSON) -> Double? {
        guard let done = node["value"]?.number, let total = node["total"]?.number, total > 0 else { return nil }
        return min(max(done / total, 0), 1)
    }
}
