internal import JSON

/// Writes the system's button that plays and pauses media.
struct MediaWriter {
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
