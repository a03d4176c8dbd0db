internal import Platform

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
    /// Colours of an extension, as their red, green and blue parts; the foreground replaces ``color``.
    package var foreground, background: UInt32?

    package init(_ color: Color? = nil, bold: Bool = false) { (self.color, isBold) = (color, bold) }

    /// The text in this style, and the normal style after it.
    package func apply(to text: String) -> String {
        let codes: [String?] = [
            isBold ? "1" : nil, foreground.map { "38;5;\(Self.index(of: $0))" } ?? color.map { "\($0.rawValue)" },
            background.map { "48;5;\(Self.index(of: $0))" },
        ]
        let known = codes.compactMap { $0 }
        return known.isEmpty || text.isEmpty ? text : "\u{1B}[\(known.joined(separator: ";"))m\(text)\u{1B}[0m"
    }

    /// The nearest of the 256 colours that all terminals with colours have: a cube of 6 levels, or a grey.
    private static func index(of color: UInt32) -> Int {
        let levels = [0, 95, 135, 175, 215, 255]
        let parts = [16, 8, 0].map { Int(color >> $0 & 0xFF) }
        let steps = parts.map { part in levels.indices.min { abs(levels[$0] - part) < abs(levels[$1] - part) } ?? 0 }
        let gray = min(max((parts.reduce(0, +) / 3 - 3) / 10, 0), 23)
        let grayDistance = parts.reduce(0) { $0 + ($1 - 8 - 10 * gray) * ($1 - 8 - 10 * gray) }
        let cubeDistance = zip(parts, steps).reduce(0) { $0 + ($1.0 - levels[$1.1]) * ($1.0 - levels[$1.1]) }
        return grayDistance < cubeDistance ? 232 + gray : 16 + 36 * steps[0] + 6 * steps[1] + steps[2]
    }

    /// Black or white, whichever can be read on a colour.
    package static func ink(on color: UInt32) -> UInt32 {
        let light = 299 * (color >> 16 & 0xFF) + 587 * (color >> 8 & 0xFF) + 114 * (color & 0xFF)
        return light > 128_000 ? 0x000000 : 0xFFFFFF
    }
}
