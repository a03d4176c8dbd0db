internal import Foundation

/// The colours of a notification, light and dark.
///
/// They are Apple's system colours for increased contrast, where the usual ones have too little for small texts.
enum Palette: String, CaseIterable {
    /// What is behind the notification.
    case page
    /// The notification itself.
    case platter
    /// Buttons, fields and the backs of cards.
    case fill
    case ink
    /// Texts of less weight.
    case dim
    case tint
    /// What is destructive.
    case red
    /// What is done.
    case green
    /// The border of a field.
    case line
    /// The part of a progress bar that is empty.
    case track
    case icon
    /// A symbol on the tint or the icon.
    case glyph

    /// A colour on another one, and the contrast that it must have: WCAG asks for 4.5 for a text and 3 for a symbol.
    static let pairs: [(foreground: Palette, background: Palette, contrast: Double)] = [
        (.ink, .platter, 4.5), (.ink, .fill, 4.5), (.ink, .page, 4.5), (.dim, .platter, 4.5), (.dim, .page, 4.5),
        (.dim, .fill, 4.5), (.tint, .platter, 4.5), (.tint, .fill, 4.5), (.red, .platter, 4.5), (.glyph, .tint, 4.5),
        (.glyph, .icon, 4.5), (.green, .fill, 3), (.line, .platter, 3), (.tint, .track, 3),
    ]

    var light: UInt32 {
        switch self {
        case .page: 0xE5E5EA
        case .platter: 0xFFFFFF
        case .fill: 0xF2F2F7
        case .ink: 0x000000
        case .dim: 0x5C5C61
        case .tint: 0x0040DD
        case .red: 0xD70015
        case .green: 0x248A3D
        case .line: 0x8A8A8E
        case .track: 0xC7C7CC
        case .icon: 0x5E5CE6
        case .glyph: 0xFFFFFF
        }
    }

    var dark: UInt32 {
        switch self {
        case .page: 0x000000
        case .platter: 0x1C1C1E
        case .fill: 0x2C2C2E
        case .ink: 0xFFFFFF
        case .dim: 0xAEAEB2
        case .tint: 0x409CFF
        case .red: 0xFF6961
        case .green: 0x30DB5B
        case .line: 0x7C7C80
        case .track: 0x48484A
        case .icon: 0x7D7AFF
        case .glyph: 0x000000
        }
    }

    /// The variables of a style sheet.
    static func variables(_ value: (Palette) -> UInt32) -> String {
        allCases.map { "--\($0.rawValue):\(hex(value($0)))" }.joined(separator: ";")
    }

    private static func hex(_ color: UInt32) -> String {
        let digits = String(color, radix: 16)
        return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }

    /// The contrast of two colours as WCAG 2 defines it, from 1 to 21.
    static func contrast(_ first: UInt32, _ second: UInt32) -> Double {
        let (one, two) = (luminance(first), luminance(second))
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    private static func luminance(_ color: UInt32) -> Double {
        let parts = [color >> 16, color >> 8, color].map { part -> Double in
            let share = Double(part & 0xFF) / 255
            return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }
}
