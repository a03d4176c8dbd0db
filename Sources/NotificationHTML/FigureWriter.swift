internal import JSON
internal import Notifications
internal import Platform

/// Writes one notification: its banner, and what is seen once it is expanded.
struct FigureWriter {
    private let settings: HTMLRenderer.Settings
    private let shown: ShownNotification
    private let language: String?
    private let typesetter: Typesetter
    /// Sets the texts of the system, which iOS does not enlarge as much as those of apps.
    private let system: Typesetter

    init(_ settings: HTMLRenderer.Settings, _ shown: ShownNotification, _ language: String?) {
        (self.settings, self.shown, self.language) = (settings, shown, language)
        (typesetter, system) = (Typesetter(settings.textSize), Typesetter(settings.textSize.limited))
    }

    private var width: Double { settings.device.width }

    /// The parts that the settings ask for, from top to bottom.
    var figure: Block {
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
                    "class": "pn pn-\(settings.scheme.rawValue)", "style": variables, "lang": language,
                    "dir": language.map { WritingDirection(language: $0).rawValue },
                ],
                [content.markup]
            ),
            height: content.height
        )
    }

    /// The variables of the style sheet.
    private var variables: String {
        let sizes = TextSize.Style.allCases.map { "--\($0):\(typesetter.font($0))" }
        let own = ["--name:\(system.font(.subheadline))", "--now:\(system.font(.footnote))"]
        return (["--width:\(Int(width))px"] + sizes + own).joined(separator: ";")
    }

    /// The name of the app: the end of the bundle's identifier if the settings have none.
    private var appName: String {
        if let name = settings.appName, !name.isEmpty { return name }
        return shown.bundle.map { $0.split(separator: ".").last.map(String.init) ?? $0 } ?? "Notification"
    }

    private func icon(_ classes: String) -> Markup {
        if let icon = settings.appIcon, case .embedded(let source, _) = ImageSource.embedded(icon).checked {
            return .element("img", ["class": classes, "src": source, "alt": ""])
        }
        let letter = appName.first { $0.isLetter || $0.isNumber }.map { String($0).uppercased() } ?? "•"
        let color = "pn-color\(IconColor.index(of: shown.bundle ?? appName))"
        return .element("span", ["class": "\(classes) \(color)", "aria-hidden": "true"], [.text(letter)])
    }

    // MARK: Banner

    private var banner: Block {
        let thumbnail = attachments.lazy.compactMap { ImageWriter(settings, typesetter).thumbnail($0) }.first
        let taken =
            Metrics.bannerIcon + Metrics.bannerGap + (thumbnail == nil ? 0 : Metrics.thumbnail + Metrics.bannerGap)
        let room = width - 2 * Metrics.bannerPadding - taken
        let content = Block.below([head(room)] + texts(["subtitle", "body"], room, isLimited: true), gap: 0)
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

    /// The first line of a banner: the title, and the time.
    ///
    /// As on a phone, the name of the app is seen only if there is no title.
    private func head(_ room: Double) -> Block {
        let now = TimeLabel.now(language)
        let time = Markup.element(
            "span",
            ["class": "pn-now pn-dim", "lang": now.isTranslated ? nil : "en"],
            [.text(now.text)]
        )
        let room = room - system.width(now.text, .footnote) - Metrics.gap
        let title = texts(["title"], room, isLimited: true)[0]
        let hasTitle = !title.markup.html.isEmpty
        let app = Markup.element("h2", ["class": hasTitle ? "pn-spoken" : "pn-name pn-bold"], [name(appName)])
        return Block(
            markup: .element("div", ["class": "pn-head"], [app, title.markup, time]),
            height: max(title.height, system.line(.subheadline))
        )
    }

    /// A name between texts that may have another direction.
    private func name(_ text: String) -> Markup { .element("bdi", [:], [.text(typesetter.limited(text))]) }

    /// Texts of the alert; in a banner each has at most as many lines as a phone shows.
    private func texts(_ names: [String], _ room: Double, isLimited: Bool = false) -> [Block] {
        names.map { name in
            // The style sheet has a class for each limit.
            let limit = name == "body" ? 4 : 2
            return typesetter.paragraph(
                shown.content[name]?.string ?? "",
                .subheadline,
                isLimited ? "pn-clamp-\(limit)" : "",
                isBold: name != "body",
                width: room,
                limit: isLimited ? limit : .max
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
            height: max(Metrics.barHeight, system.line(.subheadline) + 4 * Metrics.barPadding)
        )
    }

    /// The extension's own area, which is at least as high as its `Info.plist` says.
    private var view: Block {
        let content = ViewWriter(settings, typesetter).view(shown.view, width: width - 2 * Metrics.padding)
        var media = MediaWriter(isInteractive: settings.isInteractive).button(shown.media)
        if case .media = settings.touched, media.height > 0 { media = media.touched }
        let ratio = shown.layout["initialContentSizeRatio"]?.number ?? 0
        let least = (min(max(ratio, Metrics.ratios.lowerBound), Metrics.ratios.upperBound) * width).rounded()
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
        let blocks = attachments.prefix(10).map { ImageWriter(settings, typesetter).attachment($0, width) }
        return .below(Array(blocks), gap: 0)
    }

    private var alert: Block {
        let room = width - 2 * Metrics.padding
        let content = Block.below(texts(["title", "subtitle", "body"], room), gap: 0)
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
        let text = typesetter.paragraph(text, .body, "pn-dim", width: width - 2 * Metrics.padding)
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
                width: settings.device.width - 2 * Metrics.padding - Metrics.actionMark
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

/// The colours of the icon of an app that has none.
enum IconColor {
    /// Pairs from top to bottom, on each of which a white letter can be read.
    static let pairs: [(UInt32, UInt32)] = [
        (0x2F6FE4, 0x1D4DB3), (0x6A5AE0, 0x4A3BB8), (0x9A45C2, 0x75299A), (0xC93A76, 0x9E2459), (0xCC4036, 0xA22B23),
        (0xB25416, 0x8A3D0C), (0x267F4C, 0x195E37), (0x157A8C, 0x0D5A69), (0x66707F, 0x474E5A),
    ]

    /// The number of an app's pair, always the same.
    static func index(of identifier: String) -> Int {
        Int(Checksum.fnv1a(identifier.utf8) >> 32) % pairs.count
    }
}

/// The time of a notification that has just arrived.
enum TimeLabel {
    /// The words of Unicode's CLDR, which are the same on every machine.
    private static let words = [
        "ar": "الآن", "ca": "ara", "cs": "nyní", "da": "nu", "de": "jetzt", "el": "τώρα", "en": "now", "es": "ahora",
        "fi": "nyt", "fr": "maintenant", "he": "עכשיו", "hi": "अब", "hu": "most", "id": "sekarang", "it": "ora",
        "ja": "今", "ko": "지금", "nb": "nå", "nl": "nu", "no": "nå", "pl": "teraz", "pt": "agora", "ro": "acum",
        "ru": "сейчас", "sv": "nu", "th": "ขณะนี้", "tr": "şimdi", "uk": "зараз", "vi": "bây giờ", "zh": "现在",
        "zh-hant": "現在", "zh-hk": "現在", "zh-tw": "現在",
    ]

    /// The word in a language; in English if it has none.
    static func now(_ language: String?) -> (text: String, isTranslated: Bool) {
        var parts = (language ?? "en").lowercased().split { $0 == "-" || $0 == "_" }
        while !parts.isEmpty {
            if let word = words[parts.joined(separator: "-")] { return (word, true) }
            parts.removeLast()
        }
        return ("now", false)
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
