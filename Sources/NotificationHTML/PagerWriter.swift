/// Writes the dots of a carousel, and what turns its pages.
struct PagerWriter {
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
