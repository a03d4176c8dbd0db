/// How a piece of text looks on a terminal: a colour and attributes of ECMA-48.
package struct TerminalStyle: Equatable, Sendable {
    /// One of the sixteen colours, which the user's own theme defines.
    package enum Color: Int, Sendable {
        case red = 31
        case green = 32
        case yellow = 33
        case blue = 34
        case magenta = 35
        case cyan = 36
        case gray = 90
        case brightRed = 91
        case brightGreen = 92
        case brightYellow = 93
        case brightBlue = 94
        case brightCyan = 96
    }

    package var color: Color?
    package var isBold = false
    package var isReversed = false

    package init(_ color: Color? = nil, bold: Bool = false, reversed: Bool = false) {
        (self.color, isBold, isReversed) = (color, bold, reversed)
    }

    /// The text in this style, and the normal style after it.
    package func apply(to text: String) -> String {
        let codes = [isBold ? 1 : nil, isReversed ? 7 : nil, color?.rawValue].compactMap { $0.map(String.init) }
        return codes.isEmpty || text.isEmpty ? text : "\u{1B}[\(codes.joined(separator: ";"))m\(text)\u{1B}[0m"
    }
}
