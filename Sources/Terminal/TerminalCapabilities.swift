internal import Foundation

/// What the terminal at hand can show.
package struct TerminalCapabilities: Equatable, Sendable {
    /// The background of a terminal.
    package enum Appearance: String, Sendable, CaseIterable { case dark, light }

    /// Whether stdin and stdout are both terminals, so that keys can be read.
    package var isInteractive = false
    package var hasColor = false
    package var appearance = Appearance.dark
    package var isUTF8 = false
    package var columns = 80
    package var rows = 24

    package init() {}

    /// Reads what the environment and the terminal at stdout say.
    ///
    /// `NO_COLOR` and `TERM=dumb` turn colours off; `CLICOLOR_FORCE` turns them on without a terminal. The first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set says
    /// whether the locale is UTF-8. `COLORFGBG` ends with the number of the background's colour. `COLUMNS` counts
    /// where stdout is not a terminal.
    package init(environment: [String: String], input: Int32 = 0, output: Int32 = 1) {
        let isTerminal = isatty(output) == 1
        isInteractive = isTerminal && isatty(input) == 1 && environment["TERM"] != "dumb"
        let isForced = !["", "0"].contains(environment["CLICOLOR_FORCE"] ?? "")
        hasColor = (isForced || isTerminal && environment["TERM"] != "dumb") && (environment["NO_COLOR"] ?? "").isEmpty
        appearance = Self.isLight(environment["COLORFGBG"]) ? .light : .dark
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        isUTF8 = ["utf-8", "utf8"].contains { locale.lowercased().contains($0) }
        readSize(environment: environment, output: output)
    }

    /// Reads the size of the terminal again.
    package mutating func readSize(environment: [String: String], output: Int32 = 1) {
        var size = winsize()
        if ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
            columns = Int(size.ws_col)
            if size.ws_row > 0 { rows = Int(size.ws_row) }
        } else if let count = environment["COLUMNS"].flatMap({ Int($0) }), (20...1_000).contains(count) {
            columns = count
        }
    }

    private static func isLight(_ colors: String?) -> Bool {
        guard let last = colors?.split(separator: ";").last else { return false }
        return last == "7" || last == "15"
    }
}

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

    package init(_ color: Color? = nil, bold: Bool = false) { (self.color, isBold) = (color, bold) }

    /// The text in this style, and the normal style after it.
    package func apply(to text: String) -> String {
        let codes = [isBold ? 1 : nil, color?.rawValue].compactMap { $0.map(String.init) }
        return codes.isEmpty || text.isEmpty ? text : "\u{1B}[\(codes.joined(separator: ";"))m\(text)\u{1B}[0m"
    }
}
