/// The phones that a picture can be for, one of each width.
package enum Device: String, CaseIterable, Sendable {
    case iPhoneSE = "iphone-se"
    case iPhone16e = "iphone-16e"
    case iPhone16 = "iphone-16"
    case iPhone17 = "iphone-17"
    case iPhoneAir = "iphone-air"
    case iPhone16Plus = "iphone-16-plus"
    case iPhone17ProMax = "iphone-17-pro-max"

    /// The width of the screen in points, from Apple's Human Interface Guidelines.
    package var screenWidth: Double {
        switch self {
        case .iPhoneSE: 375
        case .iPhone16e: 390
        case .iPhone16: 393
        case .iPhone17: 402
        case .iPhoneAir: 420
        case .iPhone16Plus: 430
        case .iPhone17ProMax: 440
        }
    }

    /// The width of a notification on it.
    var width: Double { screenWidth - 2 * Metrics.screenMargin }
}

/// The measures of a picture in points, which the style sheet and the estimate of heights share.
///
/// `protocol/reference/pictures.md` compares them with what Apple publishes.
enum Metrics {
    /// The space between a notification and the sides of the screen.
    static let screenMargin = 8.0
    /// The space at the sides of a view and of texts.
    static let padding = 16.0
    /// The space between the nodes of a view.
    static let gap = 8.0
    /// The space between two texts that follow each other.
    static let textGap = 2.0
    static let cornerRadius = 24.0
    static let bannerPadding = 14.0
    static let bannerIcon = 38.0
    static let bannerGap = 10.0
    static let thumbnail = 44.0
    static let barIcon = 22.0
    static let barHeight = 44.0
    /// The space above and below the bar's content, and in its button.
    static let barPadding = 4.0
    /// The space above and below the title of a control, which is 44 points high with the usual text size.
    static let controlPadding = 11.0
    /// The line between two actions.
    static let separator = 1.0
    /// The room beside an action's title for its symbol.
    static let actionMark = 30.0
    static let cardHeight = 64.0
    static let pagerHeight = 24.0
    static let mediaButton = 44.0
    static let partGap = 12.0
    /// The line above a picture that says what it shows, and the space below it.
    static let labelHeight = 28.0
    /// The space around the pictures of a page.
    static let pagePadding = 20.0
    static let pageGap = 24.0
    /// A view is not higher than this many times its width, whatever its `Info.plist` says.
    static let ratios = 0.0...3.0
}

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
    func points(_ style: Style) -> Int { row[style.rawValue].0 }

    /// The height of a style's lines in points, from the same tables.
    func lineHeight(_ style: Style) -> Int { row[style.rawValue].1 }

    /// The size of the system's own texts, which is not larger than the largest that is not for accessibility.
    var limited: TextSize { rawValue.hasPrefix("accessibility") ? .extraExtraExtraLarge : self }

    private var row: [(Int, Int)] {
        switch self {
        case .extraSmall: [(19, 24), (14, 19), (12, 16), (12, 16), (11, 13)]
        case .small: [(20, 25), (15, 20), (13, 18), (12, 16), (11, 13)]
        case .medium: [(21, 26), (16, 21), (14, 19), (12, 16), (11, 13)]
        case .large: [(22, 28), (17, 22), (15, 20), (13, 18), (12, 16)]
        case .extraLarge: [(24, 30), (19, 24), (17, 22), (15, 20), (14, 19)]
        case .extraExtraLarge: [(26, 32), (21, 26), (19, 24), (17, 22), (16, 21)]
        case .extraExtraExtraLarge: [(28, 34), (23, 29), (21, 28), (19, 24), (18, 23)]
        case .accessibilityMedium: [(34, 41), (28, 34), (25, 31), (23, 29), (22, 28)]
        case .accessibilityLarge: [(39, 47), (33, 40), (30, 37), (27, 33), (26, 32)]
        case .accessibilityExtraLarge: [(44, 52), (40, 48), (36, 43), (33, 40), (32, 39)]
        case .accessibilityExtraExtraLarge: [(50, 59), (47, 56), (42, 50), (38, 46), (37, 44)]
        case .accessibilityExtraExtraExtraLarge: [(56, 66), (53, 62), (49, 58), (44, 52), (43, 51)]
        }
    }
}
