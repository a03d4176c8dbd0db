import JSON
import Notifications
import Terminal
import Testing

@testable import pushhost

/// What `push` writes for the looks of spans.
@Suite struct TerminalPaletteTests {
    private static let pair: JSON = ["light": "#ffffff", "dark": "#000000"]

    @Test(
        "A colour is the nearest of 256 by the appearance of the terminal; texts without one can be read on a background",
        arguments: [
            (["color": "#ff0000"], .body, .dark, "38;5;196"), (["color": "#8a8a8e"], .dim, .light, "38;5;245"),
            (["color": pair], .body, .dark, "38;5;16"), (["color": pair], .button, .light, "38;5;231"),
            (["bold": true], .button, .light, "1;34"), (["color": "#ff0000"], .title, .dark, "1;38;5;196"),
            (["background": "#0000ff"], .button, .dark, "38;5;231;48;5;21"),
            (["background": "#ffff00"], .body, .dark, "38;5;16;48;5;226"),
            (["background": "#ffff00", "color": "#ff0000"], .body, .light, "38;5;196;48;5;226"),
        ] as [(JSON, Drawing.Role, TerminalCapabilities.Appearance, String)]
    )
    func codes(look: JSON, role: Drawing.Role, appearance: TerminalCapabilities.Appearance, codes: String) {
        let style = NodeStyle(JSON(present: look.members + ["type": "button"]))
        let line = Drawing.Line([Drawing.Span("x", role, nil, style)])
        #expect(TerminalPalette(appearance).text(line) == "\u{1B}[\(codes)mx\u{1B}[0m")
        #expect(TerminalPalette(nil).text(line) == "x")
    }
}
