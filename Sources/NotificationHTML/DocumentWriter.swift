internal import Foundation

/// Writes documents with notifications side by side: pages and pictures.
struct DocumentWriter {
    private let settings: HTMLRenderer.Settings

    init(_ settings: HTMLRenderer.Settings) { self.settings = settings }

    /// A page that may load nothing but what its pictures name.
    func page(_ figures: [HTMLRenderer.Figure], title: String) -> Markup {
        let content = figures.map { figure($0).markup }
        let hasRemote = content.contains { $0.html.contains(" src=\"http") }
        let images = hasRemote ? "data: https: http:" : "data:"
        let policy = "default-src 'none'; style-src 'unsafe-inline'; img-src \(images)"
        let head: [Markup] = [
            .element("meta", ["charset": "utf-8"]),
            .element("meta", ["http-equiv": "Content-Security-Policy", "content": policy]),
            .element("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
            .element("meta", ["name": "color-scheme", "content": colorScheme]),
            .element("title", [:], [.text(title)]),
            .style(StyleSheet.text),
        ]
        let heading = Markup.element("h1", ["class": "pn-spoken", "dir": "auto"], [.text(title)])
        let main = Markup.element("main", ["class": "pn-row-of"], [heading] + content)
        return .element(
            "html",
            ["lang": "en"],
            [
                .element("head", [:], head),
                .element("body", ["class": "pn-page pn-\(settings.scheme.rawValue)"], [main]),
            ]
        )
    }

    /// A picture whose height is estimated, because only a browser knows how it breaks lines.
    func svg(_ figures: [HTMLRenderer.Figure], title: String) -> Markup {
        let blocks = figures.map(figure)
        let count = Double(figures.count)
        let width = count * Metrics.width + max(0, count - 1) * Metrics.pageGap + 2 * Metrics.pagePadding
        let height = (blocks.map(\.height).max() ?? 0) + 2 * Metrics.pagePadding
        let (across, down) = ("\(Int(width))", "\(Int(height.rounded(.up)))")
        let body = Markup.element(
            "div",
            ["xmlns": "http://www.w3.org/1999/xhtml", "class": "pn-page pn-\(settings.scheme.rawValue)", "lang": "en"],
            [.element("div", ["class": "pn-row-of"], blocks.map(\.markup))]
        )
        return .element(
            "svg",
            [
                "xmlns": "http://www.w3.org/2000/svg", "width": across, "height": down,
                "viewBox": "0 0 \(across) \(down)",
            ],
            [
                .element("title", [:], [.text(title)]), .element("style", [:], [.text(StyleSheet.text)]),
                .element("foreignObject", ["width": across, "height": down], [body]),
            ]
        )
    }

    private func figure(_ figure: HTMLRenderer.Figure) -> Block {
        let content = FigureWriter(settings, figure.shown).figure(figure.language)
        let hasLabel = !figure.label.isEmpty
        let label = Markup.element("figcaption", ["class": "pn-label", "dir": "auto"], [.text(figure.label)])
        return Block(
            markup: .element("figure", ["class": "pn-figure"], (hasLabel ? [label] : []) + [content.markup]),
            height: content.height + (hasLabel ? Metrics.labelHeight : 0)
        )
    }

    private var colorScheme: String {
        switch settings.scheme {
        case .automatic: "light dark"
        case .light: "light"
        case .dark: "dark"
        }
    }
}
