internal import JSON
internal import Notifications
internal import Platform

/// Writes one notification: its banner, and what is seen once it is expanded.
struct FigureWriter {
    private let settings: HTMLRenderer.Settings
    private let shown: ShownNotification
    private let typesetter: Typesetter

    init(_ settings: HTMLRenderer.Settings, _ shown: ShownNotification) {
        (self.settings, self.shown, typesetter) = (settings, shown, Typesetter(settings.textSize))
    }

    /// The parts that the settings ask for, from top to bottom.
    func figure(_ language: String?) -> Block {
        let parts = settings.parts.map { part in
            switch part {
            case .banner: banner
            case .expanded: shown.showsNothing ? nothing : expanded
            }
        }
        let content = Block.below(parts, gap: Metrics.partGap)
        return Block(
            markup: .element(
                "div",
                [
                    "class": "pn pn-\(settings.scheme.rawValue)", "style": typesetter.variables, "lang": language,
                    "dir": language.map { WritingDirection(language: $0).rawValue },
                ],
                [content.markup]
            ),
            height: content.height
        )
    }

    /// The name of the app: the end of the bundle's identifier if the settings have none.
    private var appName: String {
        if let name = settings.appName, !name.isEmpty { return name }
        return shown.bundle.map { $0.split(separator: ".").last.map(String.init) ?? $0 } ?? "Notification"
    }

    private func icon(_ classes: String) -> Markup {
        if let icon = settings.appIcon, case .embedded(let source) = ImageSource.embedded(icon).checked {
            return .element("img", ["class": classes, "src": source, "alt": ""])
        }
        let letter = appName.first { $0.isLetter || $0.isNumber }.map { String($0).uppercased() } ?? "•"
        return .element("span", ["class": classes, "aria-hidden": "true"], [.text(letter)])
    }

    // MARK: Banner

    private var banner: Block {
        let thumbnail = attachments.lazy.compactMap { ImageWriter(settings, typesetter).thumbnail($0) }.first
        let taken =
            Metrics.bannerIcon + Metrics.bannerGap + (thumbnail == nil ? 0 : Metrics.thumbnail + Metrics.bannerGap)
        let width = Metrics.width - 2 * Metrics.bannerPadding - taken
        let now = Markup.element("span", ["class": "pn-now", "lang": "en"], [.text("now")])
        let head = Block(
            markup: .element(
                "div",
                ["class": "pn-head pn-footnote pn-dim"],
                [.element("h2", [:], [name(appName)]), now]
            ),
            height: typesetter.line(.footnote)
        )
        let content = Block.below([head] + textBlocks(width, title: .two, body: .four), gap: 1)
        let main = Markup.element("div", ["class": "pn-main"], [content.markup])
        return Block(
            markup: .element(
                "section",
                [
                    "class": settings.classes("pn-banner", of: .action(OfferedAction.defaultIdentifier)),
                    "data-part": "banner", "aria-label": "Banner",
                ],
                [icon("pn-icon"), main] + [thumbnail].compactMap { $0 }
            ),
            height: max(content.height, Metrics.bannerIcon, thumbnail == nil ? 0 : Metrics.thumbnail)
                + 2 * Metrics.bannerPadding
        )
    }

    /// A name between texts that may have another direction.
    private func name(_ text: String) -> Markup { .element("bdi", [:], [.text(typesetter.limited(text))]) }

    /// The greatest numbers of lines for which the style sheet has a class.
    private enum LineLimit: Int {
        case two = 2
        case four = 4
    }

    /// The title and the subtitle, and the body.
    private func textBlocks(_ width: Double, title: LineLimit? = nil, body: LineLimit? = nil) -> [Block] {
        [("title", title), ("subtitle", title), ("body", body)].map { name, limit in
            typesetter.paragraph(
                shown.content[name]?.string ?? "",
                .subheadline,
                limit.map { "pn-clamp-\($0.rawValue)" } ?? "",
                isBold: name != "body",
                width: width,
                limit: limit?.rawValue ?? .max
            )
        }
    }

    private var attachments: [JSON] { shown.content["attachments"]?.array.map { Array($0) } ?? [] }

    // MARK: Expanded

    private var nothing: Block {
        let text = "Nothing is shown: the notification has no alert."
        return section([Block.platter([message(text)])])
    }

    private var expanded: Block {
        if shown.end != nil { return section([.platter([end])]) }
        let content = shown.bundle == nil ? [large, alert] : [view] + (shown.showsContent ? [alert] : [])
        return section([.platter([bar] + content), ActionsWriter(settings, typesetter).actions(shown.actions)])
    }

    private func section(_ blocks: [Block]) -> Block {
        let content = Block.below(blocks, gap: Metrics.gap)
        return Block(
            markup: .element(
                "section",
                ["class": "pn-expanded", "data-part": "expanded", "aria-label": "Expanded notification"],
                [content.markup]
            ),
            height: content.height
        )
    }

    /// The system's own bar: the app's icon, and its name or the title that the extension set.
    private var bar: Block {
        let title = [icon("pn-icon pn-small"), name(shown.extensionTitle ?? appName)]
        let isLive = settings.isInteractive
        let open = OfferedAction.defaultIdentifier
        let opener = Markup.element(
            "button",
            ["type": "button", "class": "pn-open", "data-action": open],
            title + [.spoken(", opens the app")]
        )
        let name = Markup.element(
            "h2",
            ["class": settings.classes(isLive ? "pn-grow" : "pn-grow pn-open", of: .action(open))],
            isLive ? [opener] : title
        )
        let attributes: KeyValuePairs<StaticString, String?> = [
            "type": "button", "class": "pn-close", "data-action": OfferedAction.dismissIdentifier,
            "aria-label": "Close", "lang": "en",
        ]
        let still = settings.classes("pn-close", of: .action(OfferedAction.dismissIdentifier))
        let close: Markup =
            isLive
            ? .element("button", attributes, [Symbol.close]) : .element("span", ["class": still], [Symbol.close])
        return Block(
            markup: .element("div", ["class": "pn-bar"], [name, close]),
            height: max(Metrics.barHeight, typesetter.line(.subheadline) + 4 * Metrics.barPadding)
        )
    }

    /// The extension's own area, which is at least as high as its `Info.plist` says.
    private var view: Block {
        let width = Metrics.width - 2 * Metrics.padding
        let content = ViewWriter(settings, typesetter).view(shown.view, width: width)
        var media = MediaWriter(isInteractive: settings.isInteractive).button(shown.media)
        if case .media = settings.touched, media.height > 0 { media = media.touched }
        let ratio = shown.layout["initialContentSizeRatio"]?.number ?? 0
        let least = (min(max(ratio, Metrics.ratios.lowerBound), Metrics.ratios.upperBound) * Metrics.width).rounded()
        return Block(
            markup: .element(
                "div",
                ["class": "pn-view", "style": least > 0 ? "min-height:\(Int(least))px" : nil],
                [content.markup, media.markup]
            ),
            height: max(least, content.height + media.height + 2 * Metrics.bannerPadding)
        )
    }

    /// The attachments as the system shows them: large, above the texts.
    private var large: Block {
        let blocks = attachments.prefix(10).map { ImageWriter(settings, typesetter).attachment($0, Metrics.width) }
        return .below(Array(blocks), gap: 0)
    }

    private var alert: Block {
        let width = Metrics.width - 2 * Metrics.padding
        let content = Block.below(textBlocks(width), gap: 1)
        guard content.height > 0 else { return Block() }
        return Block(
            markup: .element("div", ["class": "pn-content"], [content.markup]),
            height: content.height + 2 * Metrics.bannerPadding
        )
    }

    private var end: Block {
        .below([message(shown.end ?? "")] + [shown.opened.map(message)].compactMap { $0 }, gap: 0)
    }

    private func message(_ text: String) -> Block {
        let text = typesetter.paragraph(text, .body, "pn-dim", width: Metrics.width - 2 * Metrics.padding)
        return Block(
            markup: .element("div", ["class": "pn-content", "role": "status"], [text.markup]),
            height: text.height + 2 * Metrics.bannerPadding
        )
    }
}

extension Block {
    /// The rounded background of a notification.
    fileprivate static func platter(_ blocks: [Block]) -> Block {
        let content = Block.below(blocks, gap: 0)
        return Block(markup: .element("div", ["class": "pn-platter"], [content.markup]), height: content.height)
    }
}

/// Writes the buttons below a notification.
private struct ActionsWriter {
    private let settings: HTMLRenderer.Settings
    private let typesetter: Typesetter

    init(_ settings: HTMLRenderer.Settings, _ typesetter: Typesetter) {
        (self.settings, self.typesetter) = (settings, typesetter)
    }

    /// The buttons; nothing if there are none.
    func actions(_ actions: [JSON]) -> Block {
        guard !actions.isEmpty else { return Block() }
        let blocks = actions.map(action)
        return Block(
            markup: .element("ul", ["class": "pn-actions", "aria-label": "Actions"], blocks.map(\.markup)),
            height: blocks.reduce(Metrics.separator * Double(blocks.count - 1)) { $0 + $1.height }
        )
    }

    private func action(_ action: JSON) -> Block {
        let (identifier, content) = (action["identifier"]?.string ?? "", content(of: action))
        let isTouched = settings.touched == .action(identifier)
        let row = Markup.element("li", ["class": isTouched ? "pn-touched" : nil], [content.markup])
        return Block(markup: row, height: content.height)
    }

    private func content(of action: JSON) -> Block {
        let identifier = action["identifier"]?.string ?? ""
        let title = typesetter.limited(action["title"]?.string ?? "")
        let options = action["options"]?.array?.compactMap(\.string) ?? []
        let isDestructive = options.contains("destructive")
        let content = [Markup.element("span", ["class": "pn-grow", "dir": "auto"], [.lines(title)])] + marks(options)
        let height =
            typesetter.height(
                title,
                .body,
                isBold: true,
                width: Metrics.width - 2 * Metrics.padding - Metrics.actionMark
            )
            + 2 * Metrics.controlPadding
        let classes = isDestructive ? "pn-action pn-destructive" : "pn-action"
        if let input = action["textInput"] { return reply(identifier, input, classes, content, height) }
        let button: Markup =
            settings.isInteractive
            ? .element("button", ["type": "button", "class": classes, "data-action": identifier], content)
            : .element("div", ["class": classes], content)
        return Block(markup: button, height: height)
    }

    /// An action that asks for a text: its title, a field and a button.
    private func reply(_ identifier: String, _ input: JSON, _ classes: String, _ content: [Markup], _ height: Double)
        -> Block
    {
        let purpose: FieldWriter.Purpose? = settings.isInteractive ? .action(identifier) : nil
        let field = FieldWriter(typesetter).field("", typesetter.limited(input["placeholder"]?.string ?? ""), purpose)
        let title = typesetter.limited(input["buttonTitle"]?.string ?? "Send")
        let send: Markup =
            settings.isInteractive
            ? .element("button", ["type": "button", "class": "pn-send", "data-action": identifier], [.text(title)])
            : .element("span", ["class": "pn-send", "dir": "auto"], [.text(title)])
        return Block(
            markup: .element("div", ["class": classes], content)
                + .element("div", ["class": "pn-reply"], [field.markup, send]),
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

/// Writes the system's button that plays and pauses media.
private struct MediaWriter {
    /// Where a frame may put the button, in points.
    private static let places = 0.0...1_000.0

    let isInteractive: Bool

    /// The button; nothing if there is none, or while media play below an overlay.
    func button(_ media: JSON?) -> Block {
        guard let media, let kind = media["button"]?.string, kind != "none" else { return Block() }
        let isPlaying = media["playing"] == true
        guard !(kind == "overlay" && isPlaying) else { return Block() }
        let content = [isPlaying ? Symbol.pause : Symbol.play]
        let style = [color(media["tintColor"]?.string), place(media["frame"])].compactMap { $0 }.joined(separator: ";")
        let word = isPlaying ? "pause" : "play"
        let label = isPlaying ? "Pause" : "Play"
        let own = style.isEmpty ? nil : style
        return Block(
            markup: isInteractive
                ? .element(
                    "button",
                    [
                        "type": "button", "class": "pn-media", "style": own, "data-media": word, "aria-label": label,
                        "lang": "en",
                    ],
                    content
                )
                : .element("div", ["class": "pn-media", "style": own], content + [.spoken("Button: \(label)")]),
            // A button at a place of its own lies over the view.
            height: media["frame"] == nil ? Metrics.mediaButton + Metrics.gap : 0
        )
    }

    /// The colour behind the symbol, which is black or white, whichever has more contrast.
    private func color(_ text: String?) -> String? {
        guard let text, text.count == 7, text.hasPrefix("#"), let value = UInt32(text.dropFirst(), radix: 16) else {
            return nil
        }
        let isLight = Palette.contrast(value, 0) >= Palette.contrast(value, 0xFFFFFF)
        return "background:\(text.lowercased());color:\(isLight ? "#000" : "#fff")"
    }

    private func place(_ frame: JSON?) -> String? {
        guard let frame else { return nil }
        let names = [("x", "left"), ("y", "top"), ("width", "width"), ("height", "height")]
        let parts = names.map { member, property -> String in
            let value = frame[member]?.number ?? 0
            let least = member == "width" || member == "height" ? 24 : 0
            return "\(property):\(max(least, Int(min(max(value, Self.places.lowerBound), Self.places.upperBound))))px"
        }
        return "position:absolute;margin:0;" + parts.joined(separator: ";")
    }
}

/// The side where reading starts in a language.
private enum WritingDirection: String {
    case leftToRight = "ltr"
    case rightToLeft = "rtl"

    private static let languages: Set<String> = [
        "ar", "ckb", "dv", "fa", "he", "iw", "ji", "ks", "ps", "sd", "ug", "ur", "yi",
    ]
    private static let scripts: Set<String> = ["adlm", "arab", "hebr", "nkoo", "rohg", "syrc", "thaa"]

    /// The direction of a language tag, whose script decides if it has one.
    init(language: String) {
        let parts = language.lowercased().split { $0 == "-" || $0 == "_" }.map(String.init)
        if let script = parts.dropFirst().first(where: { $0.count == 4 && $0.allSatisfy(\.isLetter) }) {
            self = Self.scripts.contains(script) ? .rightToLeft : .leftToRight
        } else {
            self = Self.languages.contains(parts.first ?? "") ? .rightToLeft : .leftToRight
        }
    }
}
