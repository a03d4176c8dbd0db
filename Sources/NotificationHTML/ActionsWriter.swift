internal import JSON

/// Writes the buttons below a notification.
struct ActionsWriter {
    private let settings: HTMLRenderer.Settings
    private let type: Typesetter

    init(_ settings: HTMLRenderer.Settings, _ type: Typesetter) { (self.settings, self.type) = (settings, type) }

    /// The buttons; nothing if there are none.
    func actions(_ actions: [JSON]) -> Block {
        guard !actions.isEmpty else { return Block() }
        let blocks = actions.map(action)
        return Block(
            markup: .element("ul", ["class": "pn-actions", "aria-label": "Actions"], blocks.map(\.markup)),
            height: blocks.reduce(0) { $0 + $1.height } + Double(blocks.count - 1)
        )
    }

    private func action(_ action: JSON) -> Block {
        let identifier = action["identifier"]?.string ?? ""
        let title = type.limited(action["title"]?.string ?? "")
        let options = action["options"]?.array?.compactMap(\.string) ?? []
        let isDestructive = options.contains("destructive")
        let content = [Markup.element("span", ["class": "pn-grow", "dir": "auto"], [.lines(title)])] + marks(options)
        let height =
            type.height(title, .body, isBold: true, width: Metrics.width - 2 * Metrics.padding - 30)
            + 2 * Metrics.controlPadding
        let classes = isDestructive ? "pn-action pn-destructive" : "pn-action"
        if let input = action["textInput"] { return reply(identifier, input, classes, content, height) }
        let button: Markup =
            settings.isInteractive
            ? .element("button", ["type": "button", "class": classes, "data-action": identifier], content)
            : .element("div", ["class": classes], content)
        return Block(markup: .element("li", [:], [button]), height: height)
    }

    /// An action that asks for a text: its title, a field and a button.
    private func reply(_ identifier: String, _ input: JSON, _ classes: String, _ content: [Markup], _ height: Double)
        -> Block
    {
        let purpose: FieldWriter.Purpose? = settings.isInteractive ? .action(identifier) : nil
        let field = FieldWriter(type).field("", type.limited(input["placeholder"]?.string ?? ""), purpose)
        let title = type.limited(input["buttonTitle"]?.string ?? "Send")
        let send: Markup =
            settings.isInteractive
            ? .element("button", ["type": "button", "class": "pn-send", "data-action": identifier], [.text(title)])
            : .element("span", ["class": "pn-send", "dir": "auto"], [.text(title)])
        return Block(
            markup: .element(
                "li",
                [:],
                [
                    .element("div", ["class": classes], content),
                    .element("div", ["class": "pn-reply"], [field.markup, send]),
                ]
            ),
            height: height + field.height + Metrics.bannerPadding
        )
    }

    /// What the options say, for eyes and for assistive technology.
    private func marks(_ options: [String]) -> [Markup] {
        (options.contains("destructive") ? [.spoken(", destructive")] : [])
            + (options.contains("authenticationRequired") ? [Symbol.lock, .spoken(", needs the phone unlocked")] : [])
            + (options.contains("foreground") ? [.spoken(", opens the app")] : [])
    }
}
