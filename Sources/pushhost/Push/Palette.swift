internal import Notifications
internal import Terminal

/// The styles of a drawing on a dark or a light terminal, or none.
struct Palette {
    private let appearance: TerminalCapabilities.Appearance?

    /// The styles for an appearance; nil for a terminal without colours.
    init(_ appearance: TerminalCapabilities.Appearance?) { self.appearance = appearance }

    /// A line as it is written to the terminal.
    func text(_ line: Drawing.Line) -> String {
        var (text, run, style) = ("", "", TerminalStyle())
        for span in line.spans {
            let next = self.style(span.role)
            if next != style {
                text += style.apply(to: run)
                (run, style) = ("", next)
            }
            run += span.text
        }
        return text + style.apply(to: run)
    }

    private func style(_ role: Drawing.Role) -> TerminalStyle {
        guard let appearance else { return TerminalStyle() }
        let isDark = appearance == .dark
        return switch role {
        case .body: TerminalStyle()
        case .title: TerminalStyle(bold: true)
        case .caption, .border, .placeholder, .unfilled, .back: TerminalStyle(.gray)
        case .control: TerminalStyle(isDark ? .brightCyan : .blue)
        case .focus: TerminalStyle(isDark ? .brightYellow : .magenta, bold: true)
        case .face: TerminalStyle(bold: true)
        case .matched, .filled: TerminalStyle(isDark ? .brightGreen : .green)
        case .warning: TerminalStyle(isDark ? .brightYellow : .magenta)
        case .error: TerminalStyle(isDark ? .brightRed : .red)
        }
    }
}
