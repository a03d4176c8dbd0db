internal import JSON
internal import Notifications

/// Writes media: a frame for a film, what they are, how far they have been played, and their state and time.
struct PlayerWriter {
    private let typesetter: Typesetter
    private let isInteractive: Bool

    init(_ typesetter: Typesetter, isInteractive: Bool) {
        (self.typesetter, self.isInteractive) = (typesetter, isInteractive)
    }

    /// A player, which is a control if it can be pressed.
    func player(_ node: JSON, _ width: Double) -> Block {
        let media = MediaNode(node)
        let blocks = [title(media, width), bar(media), times(media, width)]
        let content = Block.below(blocks, gap: 4)
        let label = [media.spoken, typesetter.limited(media.name)].filter { !$0.isEmpty }.joined(separator: ", ")
        let id = isInteractive ? node["id"]?.string : nil
        let markup: Markup =
            id.map {
                let attributes: KeyValuePairs<StaticString, String?> = [
                    "type": "button", "class": "pn-player", "aria-label": label, "data-element": $0,
                ]
                return .element("button", attributes, [content.markup])
            } ?? .element("div", ["class": "pn-player", "role": "img", "aria-label": label], [content.markup])
        return Block(markup: markup, height: content.height)
    }

    private func title(_ media: MediaNode, _ width: Double) -> Block {
        let name = typesetter.limited(media.name)
        let text = Markup.element("span", ["class": "pn-footnote", "dir": "auto"], [.lines(name)])
        let height = typesetter.height(name, .footnote, width: width - 16)
        guard media.isVideo else { return Block(markup: text, height: height) }
        let frame = Markup.element("span", ["class": "pn-missing"], [Symbol.picture, text])
        return Block(markup: frame, height: max((width * 9 / 16).rounded(), height + 16 + 18 + 4))
    }

    /// The bar of what was played; nothing if the length is not known.
    private func bar(_ media: MediaNode) -> Block {
        guard let share = media.share, media.state != .failed else { return Block() }
        let tenths = Int((share * 1_000).rounded())
        let done = Markup.element("span", ["style": "width:\(tenths / 10).\(tenths % 10)%"])
        return Block(markup: .element("span", ["class": "pn-progress"], [done]), height: 6)
    }

    private func times(_ media: MediaNode, _ width: Double) -> Block {
        let symbol =
            switch media.state {
            case .playing: Symbol.play
            case .paused: Symbol.pause
            case .ended: Symbol.stop
            case .failed: Symbol.close
            }
        let text = media.state == .failed ? "cannot be played" : media.times
        return Block(
            markup: .element("span", ["class": "pn-caption1 pn-dim pn-times", "lang": "en"], [symbol, .text(text)]),
            height: typesetter.height(text, .caption1, width: width - 16)
        )
    }
}

/// Writes a map: a grid without streets, the places on it as dots, and their names below.
struct MapWriter {
    private let typesetter: Typesetter

    init(_ typesetter: Typesetter) { self.typesetter = typesetter }

    /// A map.
    func map(_ node: JSON, _ width: Double) -> Block {
        let map = MapNode(node)
        // Tenths of a per cent as integers, so that the bytes are the same everywhere.
        let tenths = { (part: Double) in Int((part * 1_000).rounded()) }
        let pins = map.pins.map { pin -> Markup in
            let (x, y) = (tenths(pin.x), tenths(pin.y))
            return .element(
                "span",
                ["class": "pn-pin", "style": "left:\(x / 10).\(x % 10)%;top:\(y / 10).\(y % 10)%"]
            )
        }
        let label = map.alt.isEmpty ? "Map" : typesetter.limited(map.alt)
        let picture = Block(
            markup: .element("div", ["class": "pn-map", "role": "img", "aria-label": label], pins),
            height: (width * 9 / 16).rounded()
        )
        let texts = map.places.map { typesetter.paragraph($0, .footnote, "pn-dim", width: width) }
        let content = Block.below([picture] + texts, gap: 4)
        return Block(markup: .element("div", ["class": "pn-stack pn-tight"], [content.markup]), height: content.height)
    }
}
