internal import JSON
internal import Notifications

/// Writes the nodes of a view that have no children.
struct NodeWriter {
    private let view: ViewWriter
    private let typesetter: Typesetter
    private let isInteractive: Bool

    init(_ view: ViewWriter) {
        (self.view, typesetter, isInteractive) = (view, view.typesetter, view.settings.isInteractive)
    }

    /// A node; a later contract may have types that are not known here.
    func leaf(_ node: JSON, _ width: Double) -> Block {
        switch node["type"]?.string {
        case "text": text(node, width)
        case "image": ImageWriter(view.settings, typesetter).image(node, width)
        case "card": card(node, width)
        case "button": button(node, width)
        case "field": field(node)
        case "progress": progress(node, width)
        case "media": PlayerWriter(typesetter, isInteractive: isInteractive).player(node, width)
        case "map": MapWriter(typesetter).map(node, width)
        default: typesetter.paragraph("(\(node.shownText("type")))", .caption1, "pn-dim", width: width)
        }
    }

    private func text(_ node: JSON, _ width: Double) -> Block {
        let isTitle = node["style"] == "title"
        let alignment = ["center": "pn-center", "end": "pn-end"][node["alignment"]?.string] ?? ""
        let dim = node["style"] == "caption" ? "pn-dim" : ""
        return typesetter.paragraph(
            node.shownText("text"),
            NodeMeasure.style(node),
            [alignment, dim].filter { !$0.isEmpty }.joined(separator: " "),
            isBold: NodeMeasure.isBold(node),
            width: width,
            isHeading: isTitle,
            color: NodeStyle(node).color?.css
        )
    }

    private func button(_ node: JSON, _ width: Double) -> Block {
        let title = typesetter.limited(node.shownText("title"))
        let id = isInteractive ? node["id"]?.string : nil
        let content = Markup.element("span", ["dir": "auto"], [.lines(title)])
        let style = NodeStyle(node)
        // The title of a button is semibold anyway.
        let looks = [
            style.color.map { "color:\($0.css)" }, style.background.map { "background:\($0.css)" },
            style.isBold ? "font-weight:700" : nil,
        ].compactMap { $0 }
        let look = looks.isEmpty ? nil : looks.joined(separator: ";")
        let height = typesetter.height(title, .body, isBold: true, width: width - 2 * Metrics.padding)
        return Block(
            markup: id.map {
                .element(
                    "button",
                    ["type": "button", "class": "pn-button", "data-element": $0, "style": look],
                    [content]
                )
            } ?? .element("p", ["class": "pn-button", "style": look], [.spoken("Button: "), content]),
            height: height + 2 * Metrics.controlPadding
        )
    }

    private func field(_ node: JSON) -> Block {
        let (value, hint) = (
            typesetter.limited(node.shownText("value")), typesetter.limited(node.shownText("placeholder"))
        )
        let id = isInteractive ? node["id"]?.string : nil
        return FieldWriter(typesetter).field(value, hint, id.map { .element($0) })
    }

    private func progress(_ node: JSON, _ width: Double) -> Block {
        let value = typesetter.limited(node.shownText("value"))
        guard let share = ProgressShare.of(node) else {
            return typesetter.paragraph(value, .caption1, "pn-dim", width: width)
        }
        let label = "\(value)/\(typesetter.limited(node.shownText("total")))"
        // Tenths of a per cent as integers, so that the bytes are the same everywhere.
        let tenths = Int((share * 1_000).rounded())
        let color = NodeStyle(node).color.map { ";background:\($0.css)" } ?? ""
        let bar = Markup.element(
            "div",
            [
                "class": "pn-progress", "role": "progressbar", "aria-label": "Progress", "aria-valuemin": "0",
                "aria-valuemax": "100", "aria-valuenow": "\(tenths / 10)", "aria-valuetext": label,
            ],
            [.element("span", ["style": "width:\(tenths / 10).\(tenths % 10)%\(color)"])]
        )
        return Block(markup: bar, height: 6)
    }

    // MARK: Cards

    private func card(_ node: JSON, _ width: Double) -> Block {
        view.cards += 1
        let (isUp, isMatched) = (node["faceUp"] == true, node["matched"] == true)
        let face = typesetter.limited(node.shownText("face"))
        let content = isUp ? self.face(face, isMatched: isMatched) : [Markup.element("span", ["class": "pn-back"])]
        let state = isUp ? face + (isMatched ? ", matched" : "") : isMatched ? "matched" : "face down"
        let label = "Card \(view.cards), \(state)"
        let classes = ["pn-card", isUp ? "pn-up" : "pn-down", isMatched ? "pn-matched" : ""].filter { !$0.isEmpty }
        let names = classes.joined(separator: " ")
        let lines = typesetter.height(face, .caption1, width: width - 8)
        return Block(
            markup: isInteractive && !isMatched && node["id"]?.string != nil
                ? .element(
                    "button",
                    ["type": "button", "class": names, "aria-label": label, "data-element": node["id"]?.string],
                    content
                ) : .element("div", ["class": names, "role": "img", "aria-label": label], content),
            height: max(Metrics.cardHeight, isUp ? 12 + 32 + lines : 0)
        )
    }

    /// The emoji that have the names of Braze's match game; a phone shows pictures of them.
    private static let emojis = [
        "angry": "😠", "heart-eyes": "😍", "tears-of-joy": "😂", "rainbow": "🌈", "pensive": "😔", "stunned": "😳",
    ]

    /// The picture of a face if its name is that of an emoji, and the name.
    private func face(_ name: String, isMatched: Bool) -> [Markup] {
        let picture = Self.emojis[name].map { Markup.element("span", ["class": "pn-face"], [.text($0)]) }
        let label = Markup.element("span", ["class": "pn-caption1", "dir": "auto"], [.lines(name)])
        return (isMatched ? [Symbol.check] : []) + [picture, label].compactMap { $0 }
    }
}

extension NodeColor {
    /// The colour in CSS, by the `color-scheme` of the picture.
    var css: String {
        light == dark ? Self.hex(light) : "light-dark(\(Self.hex(light)),\(Self.hex(dark)))"
    }
}

/// Writes text fields.
struct FieldWriter {
    /// What the text of a field is for.
    enum Purpose {
        /// The value of an element.
        case element(String)
        /// The text of an action.
        case action(String)
    }

    private let typesetter: Typesetter

    init(_ typesetter: Typesetter) { self.typesetter = typesetter }

    /// A field, which is a control if it has a purpose.
    func field(_ value: String, _ placeholder: String, _ purpose: Purpose?) -> Block {
        Block(
            markup: purpose.map { control(value, placeholder, $0) } ?? picture(value, placeholder),
            height: typesetter.line(.body) + 2 * Metrics.controlPadding
        )
    }

    private func control(_ value: String, _ placeholder: String, _ purpose: Purpose) -> Markup {
        let (element, action): (String?, String?) =
            switch purpose {
            case .element(let id): (id, nil)
            case .action(let identifier): (nil, identifier)
            }
        return .element(
            "input",
            [
                "type": "text", "class": "pn-field", "dir": "auto", "autocomplete": "off", "value": value,
                "placeholder": placeholder, "aria-label": placeholder.isEmpty ? "Text" : placeholder,
                "data-element": element, "data-text-of": action,
            ]
        )
    }

    private func picture(_ value: String, _ placeholder: String) -> Markup {
        let text = value.isEmpty ? placeholder : value
        return .element(
            "p",
            ["class": value.isEmpty ? "pn-field pn-dim" : "pn-field", "dir": "auto"],
            [.spoken(value.isEmpty ? "Empty text field: " : "Text field: "), .text(text)]
        )
    }
}
