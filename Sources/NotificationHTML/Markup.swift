internal import Platform

/// A well-formed piece of HTML that is well-formed XML too.
///
/// Names of elements and attributes are literals of this target, and everything else is escaped. So a text of an
/// extension cannot become markup.
struct Markup {
    /// Elements that have no content.
    private static let empty: Set<String> = ["br", "img", "input", "meta", "path"]

    private(set) var html = ""

    /// A text on one line.
    static func text(_ text: String) -> Markup { Markup(html: escaped(PlainText.spaced(text))) }

    /// A text with its line breaks.
    static func lines(_ text: String) -> Markup {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        return Markup(html: lines.map { escaped(PlainText.spaced(String($0))) }.joined(separator: "<br />"))
    }

    /// An element.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - attributes: Its attributes; those whose value is nil are left out.
    ///   - content: What is in it.
    /// - Returns: The element with its content.
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

    /// Constant markup, such as the paths of a symbol.
    static func constant(_ html: StaticString) -> Markup { Markup(html: "\(html)") }

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
