internal import JSON
internal import Notifications

/// Writes images, and what stands for an image that is not shown.
struct ImageWriter {
    /// A narrower image is square, as in a grid of badges.
    private static let narrow = 160.0

    private let settings: HTMLRenderer.Settings
    private let type: Typesetter

    init(_ settings: HTMLRenderer.Settings, _ type: Typesetter) { (self.settings, self.type) = (settings, type) }

    /// An image of a view.
    func image(_ node: JSON, _ width: Double) -> Block {
        picture(node.shownText("url"), alt: node.shownText("alt"), width, fit: "pn-image")
    }

    /// An attachment of the notification, large.
    func attachment(_ attachment: JSON, _ width: Double) -> Block {
        let kind = attachment["type"]?.string ?? "file"
        return picture(attachment["url"]?.string ?? "", alt: "Attachment, \(kind)", width, fit: "pn-image pn-cover")
    }

    /// An attachment of the notification in its banner; nothing if it is no picture that can be shown.
    func thumbnail(_ attachment: JSON) -> Markup? {
        guard let source = source(attachment["url"]?.string ?? "") else { return nil }
        return .element(
            "img",
            ["class": "pn-thumbnail", "src": source, "alt": "Attachment", "referrerpolicy": "no-referrer"]
        )
    }

    private func picture(_ url: String, alt: String, _ width: Double, fit: String) -> Block {
        let height = width < Self.narrow ? width : (width * 9 / 16).rounded()
        let alt = type.limited(alt)
        let shape = width < Self.narrow ? " pn-square" : ""
        let reason: String
        switch settings.images(url).checked {
        case .embedded(let source), .remote(let source):
            return Block(
                markup: .element(
                    "img",
                    ["class": fit + shape, "src": source, "alt": alt, "referrerpolicy": "no-referrer"]
                ),
                height: height
            )
        case .placeholder(let text): reason = text
        }
        let name = alt.isEmpty ? type.limited(Self.name(url)) : alt
        let texts = Block.below(
            [
                type.paragraph(name, .footnote, width: width - 16),
                type.paragraph(reason, .caption1, "pn-dim", width: width - 16),
            ],
            gap: 4
        )
        return Block(
            markup: .element("div", ["class": "pn-missing" + shape], [Symbol.picture, texts.markup]),
            height: max(height, texts.height + 16 + 18 + 4)
        )
    }

    private func source(_ url: String) -> String? {
        switch settings.images(url).checked {
        case .embedded(let source), .remote(let source): source
        case .placeholder: nil
        }
    }

    /// The end of an address; nothing of a local one, whose names may be temporary.
    private static func name(_ url: String) -> String {
        guard !url.lowercased().hasPrefix("file:") else { return "image" }
        return url.split(separator: "/").last.map(String.init) ?? "image"
    }
}
