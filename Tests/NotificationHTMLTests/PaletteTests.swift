import Notifications
import Testing

@testable import NotificationHTML

/// The colours have the contrast that WCAG 2 AA asks for.
@Suite struct PaletteTests {
    @Test("Each colour has enough contrast on each colour that may be behind it, light and dark")
    func contrast() {
        for pair in Palette.pairs {
            for (scheme, colors) in [("light", \Palette.light), ("dark", \Palette.dark)] {
                let found = Palette.contrast(pair.foreground[keyPath: colors], pair.background[keyPath: colors])
                #expect(found >= pair.contrast, "\(scheme): \(pair.foreground) on \(pair.background) has \(found)")
            }
        }
    }

    @Test("A white letter can be read on every icon")
    func icons() {
        for (top, bottom) in IconColor.pairs {
            for color in [top, bottom] { #expect(Palette.contrast(color, 0xFFFFFF) >= 4.5, "\(NodeColor.hex(color))") }
        }
    }

    @Test("The contrast is WCAG's: 21 for black on white, 1 for a colour on itself, 4.48 for #777777 on white")
    func definition() {
        #expect(Palette.contrast(0, 0xFFFFFF) == 21)
        #expect(Palette.contrast(0x123456, 0x123456) == 1)
        #expect((4.47...4.49).contains(Palette.contrast(0x777777, 0xFFFFFF)))
    }
}
