/// The text sizes that people choose on a phone: Apple's content size categories, named as
/// `xcrun simctl ui <device> content_size` names them.
package enum TextSize: String, CaseIterable, Sendable {
    case extraSmall = "extra-small"
    case small
    case medium
    /// What a phone has unless its owner chose another size.
    case large
    case extraLarge = "extra-large"
    case extraExtraLarge = "extra-extra-large"
    case extraExtraExtraLarge = "extra-extra-extra-large"
    case accessibilityMedium = "accessibility-medium"
    case accessibilityLarge = "accessibility-large"
    case accessibilityExtraLarge = "accessibility-extra-large"
    case accessibilityExtraExtraLarge = "accessibility-extra-extra-large"
    case accessibilityExtraExtraExtraLarge = "accessibility-extra-extra-extra-large"

    /// Apple's text styles that a notification uses.
    enum Style: Int, CaseIterable { case title2, body, subheadline, footnote, caption1 }

    /// The size of a style's font in points, from Apple's Human Interface Guidelines.
    func points(_ style: Style) -> Int { row[style.rawValue] }

    private var row: [Int] {
        switch self {
        case .extraSmall: [19, 14, 12, 12, 11]
        case .small: [20, 15, 13, 12, 11]
        case .medium: [21, 16, 14, 12, 11]
        case .large: [22, 17, 15, 13, 12]
        case .extraLarge: [24, 19, 17, 15, 14]
        case .extraExtraLarge: [26, 21, 19, 17, 16]
        case .extraExtraExtraLarge: [28, 23, 21, 19, 18]
        case .accessibilityMedium: [34, 28, 25, 23, 22]
        case .accessibilityLarge: [39, 33, 30, 27, 26]
        case .accessibilityExtraLarge: [44, 40, 36, 33, 32]
        case .accessibilityExtraExtraLarge: [50, 47, 42, 38, 37]
        case .accessibilityExtraExtraExtraLarge: [56, 53, 49, 44, 43]
        }
    }
}
