internal import Notifications

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
        let limit = min(View.drawnCharacters, left)
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

    /// A paragraph.
    ///
    /// - Parameters:
    ///   - text: The text, which may have several lines.
    ///   - style: Its style.
    ///   - classes: The classes of its element besides that of the style.
    ///   - isBold: Whether it is semibold.
    ///   - width: The width at hand.
    ///   - limit: The greatest number of lines; the style sheet must cut it there too.
    ///   - isHeading: Whether it is a heading for assistive technology.
    /// - Returns: The paragraph; empty if the text is.
    func paragraph(
        _ text: String,
        _ style: TextSize.Style,
        _ classes: String = "",
        isBold: Bool = false,
        width: Double,
        limit: Int = .max,
        isHeading: Bool = false
    ) -> Block {
        guard !text.isEmpty else { return Block() }
        let text = limited(text)
        let names = (["pn-\(style)", isBold ? "pn-bold" : "", classes]).filter { !$0.isEmpty }
        let isHeading = isHeading && !text.allSatisfy(\.isWhitespace)
        let attributes: KeyValuePairs<StaticString, String?> = ["class": names.joined(separator: " "), "dir": "auto"]
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
    func line(_ style: TextSize.Style) -> Double { Double(textSize.points(style)) * TextMeasure.lineHeight }

    /// The width of a text on one line.
    func width(_ text: String, _ style: TextSize.Style, isBold: Bool = false) -> Double {
        String(text.unicodeScalars.prefix(View.drawnCharacters)).split(whereSeparator: \.isNewline)
            .map { TextMeasure.width($0, size: textSize.points(style), isBold: isBold) }.max() ?? 0
    }

    /// The variables of the style sheet that have the sizes.
    var variables: String {
        TextSize.Style.allCases.map { "--\($0):\(textSize.points($0))px" }.joined(separator: ";")
    }
}

extension Markup {
    /// A text in English that only assistive technology reads.
    static func spoken(_ text: String) -> Markup {
        element("span", ["class": "pn-spoken", "lang": "en"], [Markup.text(text)])
    }
}
