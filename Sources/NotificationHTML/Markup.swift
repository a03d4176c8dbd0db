internal import Platform

/// A well-formed piece of HTML that is well-formed XML too.
///
/// Names of elements and attributes are literals of this target, and everything else is escaped. So a text of an
/// extension cannot become markup.
struct Markup {
    /// Elements that have no content.
    private static let empty: Set<String> = ["br", "circle", "img", "input", "meta", "path", "rect", "source"]

    private(set) var html = ""

    /// A text on one line.
    static func text(_ text: String) -> Markup { Markup(html: escaped(PlainText.spaced(text))) }

    /// A text in English that only assistive technology reads.
    static func spoken(_ text: String) -> Markup {
        element("span", ["class": "pn-spoken", "lang": "en"], [Markup.text(text)])
    }

    /// A text with its line breaks.
    static func lines(_ text: String) -> Markup {
        Markup(html: PlainText.spacedLines(text).map { Mark.drawn(escaped($0)) }.joined(separator: "<br />"))
    }

    /// An element with its content; attributes whose value is nil are left out.
    static func element(
        _ name: StaticString,
        _ attributes: KeyValuePairs<StaticString, String?> = [:],
        _ content: [Markup] = []
    ) -> Markup {
        var html = "<\(name)"
        for (name, value) in attributes {
            guard let value else { continue }
            html += " \(name)=\"\(escaped(PlainText.spaced(value)))\""
        }
        guard !empty.contains("\(name)") else { return Markup(html: html + " />") }
        html += ">"
        for part in content { html += part.html }
        return Markup(html: html + "</\(name)>")
    }

    /// The style sheet of a document; it is not escaped because HTML does not allow that.
    static func style(_ css: String) -> Markup { Markup(html: "<style>\(css)</style>") }

    static func + (left: Markup, right: Markup) -> Markup { Markup(html: left.html + right.html) }

    /// Replaces what has a meaning in markup, and the characters that XML does not allow.
    private static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 < 0x40 || $0 == 0xEF }) else { return text }
        return text.unicodeScalars.reduce(into: "") { html, scalar in
            switch scalar {
            case "&": html += "&amp;"
            case "<": html += "&lt;"
            case ">": html += "&gt;"
            case "\"": html += "&quot;"
            case "'": html += "&#39;"
            case "\u{FFFE}", "\u{FFFF}": html += "\u{FFFD}"
            default: html.unicodeScalars.append(scalar)
            }
        }
    }
}

/// A piece of a picture and the height that it needs at most.
struct Block {
    var markup = Markup()
    var height = 0.0

    /// Pieces from top to bottom with a gap between them.
    static func below(_ blocks: [Block], gap: Double) -> Block {
        let shown = blocks.filter { !$0.markup.html.isEmpty }
        return Block(
            markup: shown.reduce(Markup()) { $0 + $1.markup },
            height: shown.reduce(gap * Double(max(0, shown.count - 1))) { $0 + $1.height }
        )
    }

    /// The piece with the mark of what the user touches.
    var touched: Block { Block(markup: .element("div", ["class": "pn-touched"], [markup]), height: height) }
}

/// Small line drawings, which assistive technology leaves out.
enum Symbol {
    static let lock = symbol("M2.5 5.5h7v5h-7zM4 5.5V4a2 2 0 0 1 4 0v1.5")
    static let check = symbol("M2 6.5l2.7 2.7L10 3.5")
    static let close = symbol("M3 3l6 6M9 3l-6 6")
    static let play = symbol("M3.5 2v8l6.5-4z")
    static let pause = symbol("M4 2.5v7M8 2.5v7")
    static let stop = symbol("M3 3h6v6h-6z")
    static let picture = symbol("M1.5 2.5h9v7h-9zM1.5 8.5l3-3 3 3 1.5-1.5 1.5 1.5")
    /// Chevrons, which the style sheet mirrors where reading starts at the right.
    static let previous = symbol("M7.5 2.5L4 6l3.5 3.5")
    static let next = symbol("M4.5 2.5L8 6L4.5 9.5")

    private static func symbol(_ path: String) -> Markup {
        Markup.element(
            "svg",
            [
                "xmlns": "http://www.w3.org/2000/svg", "class": "pn-symbol", "viewBox": "0 0 12 12",
                "aria-hidden": "true",
            ],
            [Markup.element("path", ["d": path])]
        )
    }
}

/// Characters that stand for symbols, and have another size in each font: the style sheet draws them.
enum Mark: String, CaseIterable {
    case disc = "●"
    case ring = "○"
    case star = "★"
    case hollow = "☆"
    case tick = "✓"
    case arrow = "▶"

    /// How a square becomes it, in CSS.
    var look: String {
        let star = "clip-path:polygon(50% 4%,61% 38%,97% 38%,68% 59%,79% 93%,50% 72%,21% 93%,32% 59%,3% 38%,39% 38%)"
        return switch self {
        case .disc: "border-radius:50%"
        case .ring: "border-radius:50%;background:none;box-shadow:inset 0 0 0 .1em"
        case .star: star
        case .hollow: "\(star);opacity:.35"
        case .tick: "clip-path:polygon(8% 55%,18% 45%,38% 65%,82% 15%,93% 25%,39% 87%)"
        case .arrow: "clip-path:polygon(20% 10%,90% 50%,20% 90%)"
        }
    }

    /// An escaped text, with each of them in an element of its own.
    static func drawn(_ text: String) -> String {
        // All of them begin with this byte in UTF-8.
        guard text.utf8.contains(0xE2) else { return text }
        return text.reduce(into: "") { html, character in
            guard let mark = Mark(rawValue: String(character)) else { return html.append(character) }
            html += "<span class=\"pn-mark pn-\(mark)\">\(character)</span>"
        }
    }
}
