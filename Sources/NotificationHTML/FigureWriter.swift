internal import Foundation
internal import JSON
internal import Notifications

/// Writes one notification: its banner, and what is seen once it is expanded.
struct FigureWriter {
    private let settings: HTMLRenderer.Settings
    private let shown: ShownNotification
    private let type: Typesetter

    init(_ settings: HTMLRenderer.Settings, _ shown: ShownNotification) {
        (self.settings, self.shown, type) = (settings, shown, Typesetter(settings.textSize))
    }

    /// The parts that the settings ask for, from top to bottom.
    func figure(_ language: String?) -> Block {
        let parts = settings.parts.map { part in
            switch part {
            case .banner: banner
            case .expanded: shown.isSilent ? silent : expanded
            }
        }
        let content = Block.below(parts, gap: Metrics.partGap)
        return Block(
            markup: .element(
                "div",
                [
                    "class": "pn pn-\(settings.scheme.rawValue)", "style": type.variables, "lang": language,
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
        let thumbnail = attachments.lazy.compactMap { ImageWriter(settings, type).thumbnail($0) }.first
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
            height: type.line(.footnote)
        )
        let texts = Block.below([head] + self.texts(width, titleLines: 2, bodyLines: 4), gap: 1)
        let main = Markup.element("div", ["class": "pn-main"], [texts.markup])
        return Block(
            markup: .element(
                "section",
                ["class": "pn-banner", "data-part": "banner", "aria-label": "Banner"],
                [icon("pn-icon"), main] + [thumbnail].compactMap { $0 }
            ),
            height: max(texts.height, Metrics.bannerIcon, thumbnail == nil ? 0 : Metrics.thumbnail)
                + 2 * Metrics.bannerPadding
        )
    }

    /// A name between texts that may have another direction.
    private func name(_ text: String) -> Markup { .element("bdi", [:], [.text(type.limited(text))]) }

    /// The title, the subtitle and the body.
    private func texts(_ width: Double, titleLines: Int, bodyLines: Int) -> [Block] {
        let texts = ["title", "subtitle", "body"].map { shown.content[$0]?.string ?? "" }
        let title = "pn-clamp\(titleLines == .max ? "" : "-\(titleLines)")"
        let body = "pn-clamp\(bodyLines == .max ? "" : "-\(bodyLines)")"
        return [
            type.paragraph(texts[0], .subheadline, title, isBold: true, width: width, limit: titleLines),
            type.paragraph(texts[1], .subheadline, title, isBold: true, width: width, limit: titleLines),
            type.paragraph(texts[2], .subheadline, body, width: width, limit: bodyLines),
        ]
    }

    private var attachments: [JSON] { shown.content["attachments"]?.array.map { Array($0) } ?? [] }

    // MARK: Expanded

    private var silent: Block {
        let text = "Nothing is shown: the notification has no alert."
        return section([Block.platter([message(text)])])
    }

    private var expanded: Block {
        if shown.end != nil { return section([.platter([end])]) }
        let content = shown.bundle == nil ? [large, texts] : [view] + (shown.showsContent ? [texts] : [])
        return section([.platter([bar] + content), ActionsWriter(settings, type).actions(shown.actions)])
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
        let open = NotificationAction.defaultIdentifier
        let opener = Markup.element(
            "button",
            ["type": "button", "class": "pn-open", "data-action": open],
            title + [.spoken(", opens the app")]
        )
        let name = Markup.element("h2", ["class": isLive ? "pn-grow" : "pn-grow pn-open"], isLive ? [opener] : title)
        let attributes: KeyValuePairs<StaticString, String?> = [
            "type": "button", "class": "pn-close", "data-action": NotificationAction.dismissIdentifier,
            "aria-label": "Close", "lang": "en",
        ]
        let close: Markup =
            isLive
            ? .element("button", attributes, [Symbol.close]) : .element("span", ["class": "pn-close"], [Symbol.close])
        return Block(
            markup: .element("div", ["class": "pn-bar"], [name, close]),
            height: max(Metrics.barHeight, type.line(.subheadline) + 16)
        )
    }

    /// The extension's own area, which is at least as high as its `Info.plist` says.
    private var view: Block {
        let width = Metrics.width - 2 * Metrics.padding
        let content = ViewWriter(settings, type).view(shown.view, width: width)
        let media = MediaWriter(isInteractive: settings.isInteractive).button(shown.media)
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
        let blocks = attachments.prefix(10).map { ImageWriter(settings, type).attachment($0, Metrics.width) }
        return .below(Array(blocks), gap: 0)
    }

    private var texts: Block {
        let width = Metrics.width - 2 * Metrics.padding
        let texts = Block.below(self.texts(width, titleLines: .max, bodyLines: .max), gap: 1)
        guard texts.height > 0 else { return Block() }
        return Block(
            markup: .element("div", ["class": "pn-content"], [texts.markup]),
            height: texts.height + 2 * Metrics.bannerPadding
        )
    }

    private var end: Block {
        .below([message(shown.end ?? "")] + [shown.opened.map(message)].compactMap { $0 }, gap: 0)
    }

    private func message(_ text: String) -> Block {
        let text = type.paragraph(text, .body, "pn-dim", width: Metrics.width - 2 * Metrics.padding)
        return Block(
            markup: .element("div", ["class": "pn-content", "role": "status"], [text.markup]),
            height: text.height + 2 * Metrics.bannerPadding
        )
    }
}

extension Block {
    /// The rounded background of a notification.
    static func platter(_ blocks: [Block]) -> Block {
        let content = Block.below(blocks, gap: 0)
        return Block(markup: .element("div", ["class": "pn-platter"], [content.markup]), height: content.height)
    }
}
