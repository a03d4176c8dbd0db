internal import Platform

/// The characters that a drawing is made of: those of Unicode, or ASCII for a terminal that shows nothing else.
package struct Glyphs: Sendable {
    /// The corners and sides of a box, from the top left clockwise, then the tees at the left and right.
    package struct Box: Sendable {
        let topLeft, top, topRight, right, bottomRight, bottom, bottomLeft, left: String
        let leftTee, rightTee: String
    }

    package let plain: Box
    /// The box of what has the focus.
    let heavy: Box
    /// The frame of an image.
    let dashed: Box
    let back: String
    let matched: String
    let filled, unfilled: String
    let page, otherPage: String
    let previous, next: String
    /// The states of media.
    let playing, paused, ended: String
    let cursor: String
    /// What stands before the line that has the focus, and what stands before a warning.
    package let pointer, warning, ellipsis, bullet: String
    private let isASCII: Bool

    /// Box-drawing characters and other symbols.
    package static let unicode = Glyphs(
        plain: box("╭─╮│╯─╰│├┤"),
        heavy: box("┏━┓┃┛━┗┃┣┫"),
        dashed: box("┌┄┐┊┘┄└┊├┤"),
        back: "░",
        matched: "✓",
        filled: "█",
        unfilled: "░",
        page: "●",
        otherPage: "○",
        previous: "‹",
        next: "›",
        playing: "▶",
        paused: "‖",
        ended: "■",
        cursor: "▏",
        pointer: "▸",
        warning: "▲",
        ellipsis: "…",
        bullet: "·",
        isASCII: false
    )

    /// The characters that every terminal has.
    package static let ascii = Glyphs(
        plain: box("+-+|+-+|++"),
        heavy: box("#=#H#=#H##"),
        dashed: box("...:...:::"),
        back: ":",
        matched: "+",
        filled: "#",
        unfilled: "-",
        page: "*",
        otherPage: "o",
        previous: "<",
        next: ">",
        playing: ">",
        paused: "||",
        ended: "[]",
        cursor: "_",
        pointer: ">",
        warning: "!",
        ellipsis: "...",
        bullet: "-",
        isASCII: true
    )

    private static func box(_ characters: String) -> Box {
        let all = characters.map(String.init)
        return Box(
            topLeft: all[0],
            top: all[1],
            topRight: all[2],
            right: all[3],
            bottomRight: all[4],
            bottom: all[5],
            bottomLeft: all[6],
            left: all[7],
            leftTee: all[8],
            rightTee: all[9]
        )
    }

    /// A text of others on one line, without what could control a terminal or what this terminal cannot show.
    package func text(_ text: String) -> String {
        let line = PlainText.spaced(text)
        return isASCII ? ASCIIText.folded(line) : line
    }

    /// The lines of a text of others, as far as a drawing has room for them.
    package func lines(_ text: String) -> [String] {
        let (lines, columns) = (NotificationDrawer.linesLimit, NotificationDrawer.widths.upperBound)
        return text.prefix(lines * columns)
            .split(maxSplits: lines, omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .prefix(lines).map { self.text(String($0)) }
    }
}

/// Texts for terminals that show ASCII only.
enum ASCIIText {
    /// What stands for characters that have no letter of ASCII in them.
    private static let replacements: [Character: String] = [
        "–": "-", "—": "-", "‑": "-", "·": "-", "•": "*", "‘": "'", "’": "'", "“": "\"", "”": "\"", "„": "\"",
        "✓": "x", "✔": "x", "○": "o", "●": "*", "★": "*", "☆": "o", "♡": "<3", "♥": "<3", "❤": "<3", "€": "EUR",
        "£": "GBP", "→": "->", "←": "<-", "ß": "ss", "æ": "ae", "ø": "o", "×": "x", "°": "", "…": "...",
        "™": "TM", "½": "1/2", "¼": "1/4", "¾": "3/4",
    ]

    /// The text with a likeness in ASCII for each character that has one, and a question mark for the others.
    static func folded(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        return text.map { character in
            if character.isASCII { return String(character) }
            if let replacement = replacements[character] { return replacement }
            if let digit = character.wholeNumberValue { return String(digit) }
            let letters = character.unicodeScalars.compactMap(likeness)
            return letters.isEmpty ? "?" : letters.joined()
        }
        .joined()
    }

    /// The space or the letters that a scalar looks like; a letter with a mark has the plain one in its name in Unicode.
    private static func likeness(of scalar: Unicode.Scalar) -> String? {
        if scalar.isASCII { return String(scalar) }
        if scalar.properties.generalCategory == .spaceSeparator { return " " }
        let words = (scalar.properties.name ?? "").split(separator: " ").drop { $0 == "FULLWIDTH" }.prefix(4)
        guard words.count == 4, words.starts(with: ["LATIN"]),
            ["LETTER", "LIGATURE"].contains(words.dropFirst(2).first),
            let letters = words.last, letters.count <= 3
        else { return nil }
        return words.contains("SMALL") ? letters.lowercased() : String(letters)
    }
}

/// The number of columns of a terminal that a text occupies.
package enum TextWidth {
    /// The columns of a text without line breaks.
    package static func of(_ text: String) -> Int {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text.utf8.count }
        return text.reduce(0) { $0 + (isWide($1) ? 2 : 1) }
    }

    /// Whether a terminal gives the character two columns: emoji and East Asian characters.
    private static func isWide(_ character: Character) -> Bool {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return false }
        if first.properties.isEmojiPresentation || scalars.contains("\u{FE0F}") { return true }
        return wide.contains { $0.contains(first.value) }
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
        0xFFE0...0xFFE6, 0x20000...0x3FFFD,
    ]
}
