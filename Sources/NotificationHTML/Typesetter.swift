internal import Notifications
internal import Platform

/// Sets texts in the sizes of a notification, and cuts what is too long for a picture.
final class Typesetter {
    /// The greatest number of characters of all texts together.
    static let totalLimit = 100_000

    let textSize: TextSize
    private var left = Typesetter.totalLimit
    /// Whether a text was cut.
    private(set) var hasCut = false

    init(_ textSize: TextSize) { self.textSize = textSize }

    /// A text of others as it may be shown: cut if it is too long.
    func limited(_ text: String) -> String {
        let limit = min(ViewTree.drawnCharactersLimit, left)
        // No text has more characters than bytes; counting them is slow.
        if text.utf8.count <= limit {
            left -= text.utf8.count
            return text
        }
        let start = text.unicodeScalars.prefix(limit)
        left -= start.count
        guard start.endIndex < text.unicodeScalars.endIndex else { return text }
        hasCut = true
        return String(start) + "…"
    }

    /// A paragraph, which may have several lines; empty if the text is.
    ///
    /// The classes are those of its element besides that of the style. The limit is the greatest number of lines; the style
    /// sheet must cut the text there too. A heading is one for assistive technology. The color is one of CSS.
    func paragraph(
        _ text: String,
        _ style: TextSize.Style,
        _ classes: String = "",
        isBold: Bool = false,
        width: Double,
        limit: Int = .max,
        isHeading: Bool = false,
        color: String? = nil
    ) -> Block {
        guard !text.isEmpty else { return Block() }
        let text = limited(text)
        let names = (["pn-\(style)", isBold ? "pn-bold" : "", classes]).filter { !$0.isEmpty }
        let isHeading = isHeading && !text.allSatisfy(\.isWhitespace)
        let attributes: KeyValuePairs<StaticString, String?> = [
            "class": names.joined(separator: " "), "dir": "auto", "style": color.map { "color:\($0)" },
        ]
        return Block(
            markup: .element(isHeading ? "h3" : "p", attributes, [.lines(text)]),
            height: height(text, style, isBold: isBold, width: width, limit: limit)
        )
    }

    /// The height of a text.
    func height(_ text: String, _ style: TextSize.Style, isBold: Bool = false, width: Double, limit: Int = .max)
        -> Double
    {
        let size = textSize.points(style)
        let lines = TextMeasure.lines(text, size: size, isBold: isBold, width: width)
        return Double(min(lines, limit)) * line(style)
    }

    /// The height of a line.
    func line(_ style: TextSize.Style) -> Double { Double(textSize.lineHeight(style)) }

    /// The width of a text on one line.
    func width(_ text: String, _ style: TextSize.Style, isBold: Bool = false) -> Double {
        String(text.unicodeScalars.prefix(ViewTree.drawnCharactersLimit)).split(whereSeparator: \.isNewline)
            .map { TextMeasure.width($0, size: textSize.points(style), isBold: isBold) }.max() ?? 0
    }

    /// The size of a style and the height of its lines, as the shorthand `font` of CSS has them.
    func font(_ style: TextSize.Style) -> String { "\(textSize.points(style))px/\(textSize.lineHeight(style))px" }
}

/// Estimates the room that a text needs in a browser whose fonts are not known.
///
/// The estimate must never be too low, so it has the widths of DejaVu Sans, which is wider than the fonts of macOS,
/// Windows and Android.
private enum TextMeasure {
    /// The widths of the characters from space to tilde, in hundredths of the font's size.
    private static let widths: [Double] = [
        32, 41, 46, 84, 64, 96, 78, 28, 40, 40, 50, 84, 32, 37, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34,
        84, 84, 84, 54, 100, 69, 69, 70, 77, 64, 58, 78, 76, 30, 30, 66, 56, 87, 75, 79, 61, 79, 70, 64, 62, 74, 69, 99,
        69, 62, 69, 40, 34, 40, 84, 50, 50, 62, 64, 55, 64, 62, 36, 64, 64, 28, 28, 58, 28, 98, 64, 62, 64, 64, 42, 53,
        40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84,
    ]
    /// How much wider a semibold character is.
    private static let boldFactor = 1.16

    /// The width of a text without line breaks.
    static func width(_ text: some StringProtocol, size: Int, isBold: Bool) -> Double {
        text.reduce(0) { $0 + width(of: $1) } * Double(size) * (isBold ? boldFactor : 1)
    }

    /// The number of lines of a text that is wrapped at a width.
    static func lines(_ text: String, size: Int, isBold: Bool, width: Double) -> Int {
        let room = max(1, width / (Double(size) * (isBold ? boldFactor : 1)))
        return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .reduce(0) { $0 + lines($1, room: room) }
    }

    private static func lines(_ text: Substring, room: Double) -> Int {
        var (lines, used) = (1, 0.0)
        for word in text.split(separator: " ") {
            let own = word.reduce(0) { $0 + width(of: $1) }
            let space = used > 0 ? 0.4 : 0
            if used + space + own <= room {
                used += space + own
            } else if own <= room, !word.contains(where: isBreakable) {
                (lines, used) = (lines + 1, own)
            } else {
                // A word that is longer than a line is broken anywhere; it may begin in a line of its own.
                if used > 0 { lines += 1 }
                used = 0
                for character in word {
                    let width = width(of: character)
                    if used + width > room, used > 0 { (lines, used) = (lines + 1, 0) }
                    used += width
                }
            }
        }
        return lines
    }

    /// Whether a line may end beside the character: East Asian texts have no spaces.
    private static func isBreakable(_ character: Character) -> Bool { TextWidth.of(String(character)) > 1 }

    private static func width(of character: Character) -> Double {
        guard let first = character.unicodeScalars.first else { return 0 }
        if let ascii = character.asciiValue {
            return (0x20..<0x7F).contains(ascii) ? widths[Int(ascii) - 0x20] / 100 : 0.4
        }
        // The last one asks for the picture of a character that is a text otherwise, such as a heart.
        if first.properties.isEmojiPresentation || character.unicodeScalars.last == "\u{FE0F}" { return 1.4 }
        if TextWidth.of(String(character)) > 1 { return 1.05 }
        return switch first.properties.generalCategory {
        case .lowercaseLetter: 0.75
        case .uppercaseLetter: 0.9
        case .nonspacingMark, .enclosingMark, .format: 0.1
        case .dashPunctuation, .initialPunctuation, .finalPunctuation, .otherPunctuation: 0.65
        default: 0.9
        }
    }
}
