package import Notifications
internal import Platform

/// Renders notifications as HTML and SVG: values in, text out.
///
/// The same values give the same bytes. Nothing in a picture is fetched unless ``Settings/images`` names an address,
/// and no text of a payload or an extension is markup.
package struct HTMLRenderer {
    /// Light or dark.
    package enum Scheme: String, CaseIterable, Sendable {
        /// What the reader prefers.
        case automatic = "auto"
        case light, dark
    }

    /// What is seen of a notification.
    package enum Part: String, CaseIterable, Sendable {
        /// What is seen before it is expanded.
        case banner
        case expanded
    }

    /// A notification and what is said about it.
    package typealias Figure = (label: String, shown: ShownNotification, language: String?)

    /// How notifications are rendered.
    package struct Settings {
        package var scheme = Scheme.automatic
        package var parts = Part.allCases
        package var textSize = TextSize.large
        package var device = Device.iPhone16
        /// The name of the app; by default the end of the bundle's identifier.
        package var appName: String?
        /// The icon of the app as a `data:` URL; by default the first letter of its name on a colour of its own.
        package var appIcon: String?
        /// Where the picture at an address comes from.
        package var images: (String) -> ImageSource = { _ in .placeholder("not loaded") }
        /// Whether what can be used is a control: `data-element` with the id (and `data-page` for a carousel),
        /// `data-action` with the identifier, `data-media` with `play` or `pause`, `data-text-of` on the field of an
        /// action.
        package var isInteractive = false
        /// What the user touches; it gets the class `pn-touched`.
        package var touched: Drawing.Target?

        package init() {}

        /// The classes of something that can be touched.
        func classes(_ own: String, of target: Drawing.Target) -> String {
            touched == target ? "\(own) pn-touched" : own
        }
    }

    private let settings: Settings

    package init(_ settings: Settings) { self.settings = settings }

    /// One notification, as a fragment that needs ``styleSheet``.
    package func figure(_ shown: ShownNotification, language: String? = nil) -> String {
        FigureWriter(settings, shown, language).figure.markup.html
    }

    /// A complete document with notifications side by side.
    package func page(_ figures: [Figure], title: String) -> String {
        "<!DOCTYPE html>\n" + document(figures, title: title).html + "\n"
    }

    /// A picture of notifications side by side.
    package func svg(_ figures: [Figure], title: String) -> String {
        drawing(figures, title: title).html + "\n"
    }

    /// The style sheet that figures need.
    package static var styleSheet: String { StyleSheet.text + StyleSheet.material }
}

// MARK: Documents

extension HTMLRenderer {
    /// A page that may load nothing but what its pictures name.
    private func document(_ figures: [Figure], title: String) -> Markup {
        let content = figures.map { labelled($0).markup }
        let hasRemote = content.contains { $0.html.contains(" src=\"http") }
        let images = hasRemote ? "data: https: http:" : "data:"
        let policy = "default-src 'none'; style-src 'unsafe-inline'; img-src \(images)"
        let head: [Markup] = [
            .element("meta", ["charset": "utf-8"]),
            .element("meta", ["http-equiv": "Content-Security-Policy", "content": policy]),
            .element("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
            .element("meta", ["name": "color-scheme", "content": colorScheme]),
            .element("title", [:], [.text(title)]),
            .style(Self.styleSheet),
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
    private func drawing(_ figures: [Figure], title: String) -> Markup {
        let blocks = figures.map(labelled)
        let count = Double(figures.count)
        let width = count * settings.device.width + max(0, count - 1) * Metrics.pageGap + 2 * Metrics.pagePadding
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

    private func labelled(_ figure: Figure) -> Block {
        let content = FigureWriter(settings, figure.shown, figure.language).figure
        let hasLabel = !figure.label.isEmpty
        let label = Markup.element("figcaption", ["class": "pn-label", "dir": "auto"], [.text(figure.label)])
        return Block(
            markup: .element(
                "figure",
                ["class": "pn-figure", "style": "width:\(Int(settings.device.width))px"],
                (hasLabel ? [label] : []) + [content.markup]
            ),
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
