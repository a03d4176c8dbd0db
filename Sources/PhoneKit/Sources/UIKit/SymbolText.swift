/// What stands for a symbol of the system: a character that looks like it, or else its name.
///
/// Apple's drawings may be used on its own platforms only.
enum SymbolText {
    /// Characters by the names of symbols.
    private static let characters: [String: String] = [
        "heart.fill": "♥", "heart": "♡", "star.fill": "★", "star": "☆", "star.leadinghalf.filled": "⯪",
        "checkmark": "✓", "checkmark.circle.fill": "✔", "checkmark.circle": "✓", "checkmark.seal": "✔",
        "xmark": "✕", "xmark.circle.fill": "✖", "xmark.circle": "✕", "multiply": "✕", "plus": "+", "plus.circle": "⊕",
        "minus": "−", "minus.circle": "⊖", "circle": "○", "circle.fill": "●", "square": "□", "square.fill": "■",
        "triangle": "△", "triangle.fill": "▲", "diamond": "◇", "diamond.fill": "◆",
        "arrow.left": "←", "arrow.right": "→", "arrow.up": "↑", "arrow.down": "↓", "arrow.clockwise": "↻",
        "arrow.counterclockwise": "↺", "chevron.left": "‹", "chevron.right": "›", "chevron.up": "⌃",
        "chevron.down": "⌄",
        "play": "▷", "play.fill": "▶", "pause": "‖", "pause.fill": "‖", "stop.fill": "■", "forward.fill": "»",
        "backward.fill": "«", "sun.max": "☀", "sun.max.fill": "☀", "moon": "☾", "moon.fill": "☾", "cloud": "☁",
        "cloud.fill": "☁", "cloud.rain": "☂", "bolt": "⚡", "bolt.fill": "⚡", "snowflake": "❄", "flag": "⚐",
        "flag.fill": "⚑",
        "envelope": "✉", "envelope.fill": "✉", "phone": "☎", "phone.fill": "☎", "pencil": "✎", "scissors": "✂",
        "music.note": "♪", "gift": "⛁", "gear": "⚙", "gearshape": "⚙", "gearshape.fill": "⚙", "info.circle": "ⓘ",
        "exclamationmark.triangle": "⚠", "exclamationmark.triangle.fill": "⚠", "questionmark": "?",
        "questionmark.circle": "?", "clock": "◷",
        "airplane": "✈", "cross.fill": "✚", "number": "#", "at": "@", "percent": "%", "infinity": "∞",
        "crown.fill": "♛",
        "suit.heart.fill": "♥", "suit.diamond.fill": "♦", "suit.spade.fill": "♠", "suit.club.fill": "♣",
        "peacesign": "☮",
    ]

    /// The character, or the name in words.
    static func text(_ name: String) -> String {
        if let character = characters[name] { return character }
        let words = name.split(separator: ".").filter { !["fill", "circle", "square", "slash"].contains($0) }
        return words.isEmpty ? name : words.joined(separator: " ")
    }
}
