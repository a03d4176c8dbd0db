/// A piece of a picture and the height that it needs at most.
struct Block {
    var markup = Markup()
    var height = 0.0

    /// Pieces from top to bottom with a gap between them.
    static func below(_ blocks: [Block], gap: Double) -> Block {
        let shown = blocks.filter { !$0.markup.html.isEmpty }
        return Block(
            markup: shown.reduce(Markup()) { $0 + $1.markup },
            height: shown.reduce(gap * Double(max(0, shown.count - 1))) { $0 + $1.height }
        )
    }
}

/// The measures of a picture in points, which the style sheet and the estimate of heights share.
enum Metrics {
    /// The width of a notification on a phone.
    static let width = 360.0
    /// The space at the sides of a view and of texts.
    static let padding = 16.0
    /// The space between the nodes of a view.
    static let gap = 8.0
    static let bannerPadding = 12.0
    static let bannerIcon = 38.0
    static let bannerGap = 10.0
    static let thumbnail = 44.0
    static let barIcon = 22.0
    static let barHeight = 44.0
    static let controlPadding = 9.0
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
