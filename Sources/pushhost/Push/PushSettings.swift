internal import ArgumentParser
internal import JSON
internal import Notifications
internal import Platform
internal import PushClient
internal import Terminal

extension TerminalCapabilities.Appearance: ExpressibleByArgument {}

/// How a notification is drawn.
struct PushSettings: ParsableArguments {
    @Option(help: ArgumentHelp("Draw for a terminal of this many columns.", valueName: "columns"))
    var width: Int?

    @Option(help: "Draw for a dark or a light background; by default from COLORFGBG, otherwise dark.")
    var appearance: TerminalCapabilities.Appearance?

    @Flag(
        inversion: .prefixedNo,
        help: "Draw in colour or not; by default from NO_COLOR, CLICOLOR_FORCE and the terminal."
    )
    var color: Bool?

    @Flag(help: "Draw with ASCII only; by default if the locale is not UTF-8.")
    var ascii = false

    func validate() throws {
        if let width { try requireOption("width", width, in: 20...1_000) }
    }

    /// Whether an option is given.
    var isGiven: Bool { width != nil || appearance != nil || color != nil || ascii }

    /// What the terminal can show, and what the options say instead.
    var capabilities: TerminalCapabilities {
        var terminal = console.terminal
        adapt(&terminal)
        return terminal
    }

    /// Puts the options in place of what the terminal says.
    func adapt(_ terminal: inout TerminalCapabilities) {
        if let width { terminal.columns = width }
        if let appearance { terminal.appearance = appearance }
        if let color { terminal.hasColor = color }
        if ascii { terminal.isUTF8 = false }
    }
}

extension TerminalCapabilities {
    var glyphs: Glyphs { isUTF8 ? .unicode : .ascii }
    var palette: TerminalPalette { TerminalPalette(hasColor ? appearance : nil) }
}

/// The styles of a drawing on a dark or a light terminal, or none.
struct TerminalPalette {
    private let appearance: TerminalCapabilities.Appearance?

    /// The styles for an appearance; nil for a terminal without colours.
    init(_ appearance: TerminalCapabilities.Appearance?) { self.appearance = appearance }

    /// A line as it is written to the terminal.
    func text(_ line: Drawing.Line) -> String {
        var (text, run, style) = ("", "", TerminalStyle())
        for span in line.spans {
            let next = self.style(span)
            if next != style {
                text += style.apply(to: run)
                (run, style) = ("", next)
            }
            run += span.text
        }
        return text + style.apply(to: run)
    }

    private func style(_ span: Drawing.Span) -> TerminalStyle {
        guard let appearance else { return TerminalStyle() }
        let isDark = appearance == .dark
        let shade = { (color: NodeColor) in isDark ? color.dark : color.light }
        var style = style(span.role, isDark: isDark)
        style.isBold = style.isBold || span.style.isBold
        style.background = span.style.background.map(shade)
        // The colours of the user's theme may not be readable on the background.
        style.foreground = span.style.color.map(shade) ?? style.background.map(TerminalStyle.ink)
        return style
    }

    private func style(_ role: Drawing.Role, isDark: Bool) -> TerminalStyle {
        switch role {
        case .body: TerminalStyle()
        case .title: TerminalStyle(bold: true)
        case .dim: TerminalStyle(.gray)
        case .button: TerminalStyle(isDark ? .brightCyan : .blue)
        case .done: TerminalStyle(isDark ? .brightGreen : .green)
        case .focus: TerminalStyle(isDark ? .brightYellow : .magenta, bold: true)
        case .warning: TerminalStyle(isDark ? .brightYellow : .magenta)
        case .destructive, .error: TerminalStyle(isDark ? .brightRed : .red)
        }
    }
}

/// Prints what is shown of a notification, once: a drawing or JSON.
struct PushPrinter {
    let settings: PushSettings
    let isJSON: Bool

    /// Prints the state of a session.
    func print(_ session: PushSession, showsIDs: Bool, showsErrorLines: Bool) {
        if isJSON {
            for line in Self.output(session) { console.print(line) }
        } else {
            let terminal = settings.capabilities
            let drawer = BoxDrawer(terminal.glyphs, ids: showsIDs ? .plain : .hidden)
            let frame = PushFrame(drawer: drawer, width: terminal.columns, showsErrorLines: showsErrorLines)
            console.write(frame.draw(session).lines.map { terminal.palette.text($0) + "\n" }.joined())
        }
    }

    /// The reply to each call, then what was saved, in the form of a reply to `pending`.
    private static func output(_ session: PushSession) -> [JSON] {
        var suites: [String] = []
        for record in session.saved where !suites.contains(record.suite) { suites.append(record.suite) }
        let saved = suites.map { suite -> JSON in
            let records = session.saved.filter { $0.suite == suite }.map(\.record)
            return ["method": "pending", "result": ["suite": .string(suite), "records": JSON(records)]]
        }
        return session.replies + saved
    }
}
