internal import ArgumentParser
internal import Foundation
internal import Notifications
internal import Terminal

extension TerminalCapabilities.Appearance: ExpressibleByArgument {}

/// How a notification is drawn.
struct PushSettings: ParsableArguments {
    @Option(help: ArgumentHelp("Draw for a terminal of this many columns.", valueName: "columns"))
    var width: Int?

    @Option(help: "Draw for a dark or a light background; by default as COLORFGBG says, or else dark.")
    var appearance: TerminalCapabilities.Appearance?

    @Flag(inversion: .prefixedNo, help: "Draw in colour or not; by default as NO_COLOR and the terminal suggest.")
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
        var terminal = TerminalCapabilities(environment: ProcessInfo.processInfo.environment)
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
    var palette: Palette { Palette(hasColor ? appearance : nil) }
}
