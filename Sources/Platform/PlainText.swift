/// Makes untrusted text safe for a log, a report or a terminal.
package enum PlainText {
    /// The text on one line, with an escape in place of each character that could end the line, control a terminal or
    /// change the direction of the text beside it.
    package static func escaped(_ text: String) -> String {
        cleaned(text) { scalar in
            switch scalar {
            case "\n": "\\n"
            case "\r": "\\r"
            case "\t": "\\t"
            default: "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
    }

    /// The text with its line breaks, each line as ``escaped(_:)`` gives it.
    package static func escapedLines(_ text: String) -> String {
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { escaped(String($0)) }
            .joined(separator: "\n")
    }

    /// The text on one line, with a space in place of each such character.
    package static func spaced(_ text: String) -> String { cleaned(text) { _ in " " } }

    private static func cleaned(_ text: String, _ replacement: (Unicode.Scalar) -> String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return text.unicodeScalars.reduce(into: "") { line, scalar in
            if isControl(scalar) { line += replacement(scalar) } else { line.unicodeScalars.append(scalar) }
        }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        // Embeddings, overrides and isolates; letters carry their direction without them.
        case .format: (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        default: false
        }
    }
}
