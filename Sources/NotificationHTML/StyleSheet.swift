internal import Notifications
internal import Platform

/// The style sheet of notifications.
///
/// It has no fonts and no pictures of its own, so nothing is fetched, and nothing moves.
enum StyleSheet {
    /// The colours of all schemes, each for the classes that have it.
    private static let colors: String = {
        let light = Palette.variables(\.light) + ";color-scheme:light"
        let dark = Palette.variables(\.dark) + ";color-scheme:dark"
        return """
            .pn-auto,.pn-light{\(light)}.pn-dark{\(dark)}
            @media (prefers-color-scheme:dark){.pn-auto{\(dark)}}
            """
    }()

    private static func px(_ value: Double) -> String { "\(Int(value))px" }

    private static let control = "padding:\(px(Metrics.controlPadding)) \(px(Metrics.padding))"

    static let text = """
        \(colors)
        .pn-page{margin:0;padding:\(px(Metrics.pagePadding));background:var(--page);min-height:100%;box-sizing:border-box}
        .pn-row-of{display:flex;flex-wrap:wrap;gap:\(px(Metrics.pageGap));align-items:flex-start}
        .pn-figure{margin:0;max-width:100%}
        .pn-label{font:600 15px/20px \(fonts);color:var(--ink);height:\(px(Metrics.labelHeight));overflow:hidden;\
        background:var(--page)}
        .pn,.pn *{box-sizing:border-box;margin:0;min-width:0}
        .pn{width:var(--width);max-width:100%;color:var(--ink);font:400 var(--body) \(fonts);\
        display:flex;flex-direction:column;gap:\(px(Metrics.partGap));overflow-wrap:anywhere;text-align:start}
        .pn h2,.pn h3{font:inherit}
        \(styles)
        .pn .pn-name{font:400 var(--name) \(fonts)}.pn .pn-now{font:400 var(--now) \(fonts)}
        .pn .pn-bold{font-weight:600}.pn-dim{color:var(--dim)}.pn-center{text-align:center}.pn-end{text-align:end}
        .pn-spoken{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
        .pn-banner,.pn-platter,.pn-actions{background:var(--platter);border-radius:\(px(Metrics.cornerRadius));overflow:hidden}
        .pn-banner{display:flex;gap:\(px(Metrics.bannerGap));padding:\(px(Metrics.bannerPadding));position:relative}
        .pn-icon{flex:none;width:\(px(Metrics.bannerIcon));height:\(px(Metrics.bannerIcon));object-fit:cover;\
        color:#fff;font-weight:600;font-size:20px;line-height:\(px(Metrics.bannerIcon));text-align:center;\
        clip-path:\(squircle(Metrics.bannerIcon))}
        .pn-small{width:\(px(Metrics.barIcon));height:\(px(Metrics.barIcon));font-size:13px;\
        line-height:\(px(Metrics.barIcon));clip-path:\(squircle(Metrics.barIcon))}
        \(iconColors)
        .pn-main{flex:1;display:flex;flex-direction:column}
        .pn-head{display:flex;gap:\(px(Metrics.gap));align-items:baseline}.pn-head>:is(p,.pn-name){flex:1}.pn-now{flex:none}
        .pn-name,.pn-open bdi{white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
        .pn-clamp-2,.pn-clamp-4{display:-webkit-box;-webkit-box-orient:vertical;overflow:hidden}
        .pn-clamp-2{-webkit-line-clamp:2}.pn-clamp-4{-webkit-line-clamp:4}
        .pn-thumbnail{flex:none;width:\(px(Metrics.thumbnail));height:\(px(Metrics.thumbnail));object-fit:cover;\
        border-radius:6px}
        .pn-expanded{display:flex;flex-direction:column;gap:\(px(Metrics.gap))}
        .pn-bar{display:flex;align-items:center;min-height:\(px(Metrics.barHeight));padding:\(px(Metrics.barPadding)) 12px;gap:8px}
        .pn .pn-open{width:100%;display:flex;align-items:center;gap:8px;font:400 var(--name) \(fonts);\
        padding:\(px(Metrics.barPadding)) 0}
        .pn-close{flex:none;width:28px;height:28px;border-radius:14px;background:var(--fill);color:var(--dim);\
        display:flex;align-items:center;justify-content:center}
        .pn button{font:inherit;color:inherit;border:0;background:none;text-align:inherit;cursor:pointer}
        .pn button.pn-close,.pn button.pn-button,.pn button.pn-card{background:var(--fill)}
        .pn button.pn-close{color:var(--dim)}.pn button.pn-button,.pn button.pn-send{color:var(--tint);font-weight:600}
        .pn button:disabled{opacity:.4;cursor:default}
        .pn :focus-visible{outline:3px solid var(--tint);outline-offset:-3px}
        .pn-symbol{width:18px;height:18px;flex:none;fill:none;stroke:currentColor;stroke-width:1.2;\
        stroke-linecap:round;stroke-linejoin:round}
        .pn-close .pn-symbol{width:14px;height:14px}[dir=rtl] .pn-turn .pn-symbol{transform:scaleX(-1)}
        .pn-view{position:relative;padding:\(px(Metrics.bannerPadding)) \(px(Metrics.padding))}
        .pn-content{padding:\(px(Metrics.bannerPadding)) \(px(Metrics.padding));display:flex;flex-direction:column}
        .pn-mark{display:inline-block;width:.85em;height:.85em;vertical-align:-.06em;overflow:hidden;text-indent:2em;\
        background:currentColor}\(marks)
        .pn-stack{display:flex;flex-direction:column;gap:\(px(Metrics.gap))}.pn-tight{gap:4px}
        .pn-stack>:is(.pn-title2,.pn-body,.pn-caption1)+:is(.pn-body,.pn-caption1){margin-top:\
        \(px(Metrics.textGap - Metrics.gap))}
        .pn-row,.pn-grid{display:grid;gap:\(px(Metrics.gap))}.pn-row{align-items:center}
        .pn-button,.pn-field,.pn-send{\(control);border-radius:12px}
        .pn-button{background:var(--fill);color:var(--tint);font-weight:600;text-align:center;width:100%;display:block}
        .pn button.pn-button{text-align:center}
        .pn-field{width:100%;font:inherit;color:var(--ink);background:var(--platter);white-space:nowrap;overflow:hidden;\
        text-overflow:ellipsis;box-shadow:inset 0 0 0 1px var(--line);border:0}
        .pn p.pn-dim.pn-field,.pn-field::placeholder{color:var(--dim);opacity:1}
        .pn-image{display:block;width:100%;aspect-ratio:16/9;object-fit:contain;border-radius:8px}
        .pn-cover{object-fit:cover;border-radius:0}.pn .pn-square{aspect-ratio:1}
        .pn-missing{width:100%;aspect-ratio:16/9;background:var(--fill);border-radius:8px;padding:8px;\
        display:flex;flex-direction:column;gap:4px;align-items:center;justify-content:center;text-align:center}
        .pn-progress{height:6px;border-radius:3px;background:var(--track);overflow:hidden}
        .pn-progress span{display:block;height:100%;background:var(--tint)}
        .pn .pn-player{display:flex;flex-direction:column;gap:4px;width:100%;padding:0}
        .pn-times{display:flex;gap:4px;align-items:center}.pn-times .pn-symbol{width:12px;height:12px}
        .pn-map{position:relative;overflow:hidden;aspect-ratio:16/9;border-radius:8px;background:\
        repeating-linear-gradient(0deg,var(--track) 0 1px,transparent 1px 24px),\
        repeating-linear-gradient(90deg,var(--track) 0 1px,transparent 1px 24px),var(--fill)}
        .pn-pin{position:absolute;width:12px;height:12px;margin:-6px;border-radius:6px;background:var(--tint)}
        .pn-pager{display:flex;align-items:center;justify-content:center;gap:7px;height:\(px(Metrics.pagerHeight));\
        font-size:14px;line-height:\(px(Metrics.pagerHeight))}
        .pn-dot{width:8px;height:8px;border-radius:4px;background:var(--track);box-shadow:inset 0 0 0 1px var(--line)}
        .pn .pn-on{background:var(--tint);box-shadow:none}
        .pn-turn{width:24px;height:24px;padding:0;display:flex;align-items:center;justify-content:center}
        .pn-card{width:100%;min-height:\(px(Metrics.cardHeight));border-radius:10px;padding:6px 4px;background:var(--fill);\
        display:flex;flex-direction:column;align-items:center;justify-content:center;text-align:center;position:relative}
        .pn-down{padding:0}.pn-back{position:absolute;inset:0;border-radius:10px;box-shadow:inset 0 0 0 4px #fff3;background:\
        radial-gradient(circle,#fff6 0 7px,#fff0 8px),linear-gradient(#fff2,#0002),var(--back)}
        .pn-face{font-size:26px;line-height:32px}
        .pn-matched{box-shadow:inset 0 0 0 2px var(--green)}.pn-matched .pn-symbol{color:var(--green);position:absolute;top:2px;inset-inline-end:2px}
        .pn-media{display:flex;align-items:center;justify-content:center;width:\(px(Metrics.mediaButton));\
        height:\(px(Metrics.mediaButton));border-radius:22px;margin:8px auto 0;background:var(--tint);color:var(--glyph)}
        .pn button.pn-media{background:var(--tint);color:var(--glyph)}
        .pn-actions{list-style:none;padding:0}.pn-actions li+li{border-top:\(px(Metrics.separator)) solid var(--track)}
        .pn-action{display:flex;align-items:center;gap:8px;width:100%;\(control)}
        .pn-grow{flex:1}.pn .pn-destructive{color:var(--red);font-weight:600}
        .pn-reply{display:flex;gap:8px;align-items:center;padding:0 \(px(Metrics.padding)) \(px(Metrics.bannerPadding))}
        .pn-reply .pn-field{flex:1}.pn-send{flex:none;color:var(--tint);font-weight:600;padding:\(px(Metrics.controlPadding)) 4px;max-width:45%;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}

        """

    /// How documents for browsers show platters: what is behind them shines through.
    ///
    /// A picture has flat colours.
    static let material = """
        .pn-banner,.pn-platter,.pn-actions{background:color-mix(in srgb,var(--platter) 82%,#0000);\
        backdrop-filter:blur(24px) saturate(1.6)}
        .pn-platter,.pn-actions{background:color-mix(in srgb,var(--platter) 96%,#0000)}

        """

    private static let fonts =
        "-apple-system,BlinkMacSystemFont,\"Segoe UI\",Roboto,\"Helvetica Neue\",Arial,sans-serif,"
        + "\"Apple Color Emoji\",\"Segoe UI Emoji\",\"Noto Color Emoji\""

    /// The classes of the text styles.
    private static let styles = TextSize.Style.allCases.map { ".pn .pn-\($0){font:400 var(--\($0)) \(fonts)}" }.joined()

    private static let iconColors = IconColor.pairs.enumerated().map { index, pair in
        ".pn-color\(index){background:linear-gradient(\(NodeColor.hex(pair.0)),\(NodeColor.hex(pair.1)))}"
    }
    .joined()

    private static let marks = Mark.allCases.map { ".pn-\($0){\($0.look)}" }.joined()

    /// The mask of an app's icon: a square whose corners have a continuous curvature.
    private static func squircle(_ side: Double) -> String {
        let (side, half) = (Int(side), Int(side / 2))
        let corners = "C0 0 0 0 \(half) 0S\(side) 0 \(side) \(half) \(side) \(side) \(half) \(side) 0 \(side) 0 \(half)"
        return "path('M0 \(half)\(corners)')"
    }
}

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
    /// The back of a card.
    case back
    /// A symbol on the tint.
    case glyph

    /// A colour on another one, and the contrast that it must have: WCAG asks for 4.5 for a text and 3 for a symbol.
    ///
    /// `PaletteTests` checks them.
    static let pairs: [(foreground: Palette, background: Palette, contrast: Double)] = [
        (.ink, .platter, 4.5), (.ink, .fill, 4.5), (.ink, .page, 4.5), (.dim, .platter, 4.5), (.dim, .page, 4.5),
        (.dim, .fill, 4.5), (.tint, .platter, 4.5), (.tint, .fill, 4.5), (.red, .platter, 4.5), (.glyph, .tint, 4.5),
        (.back, .platter, 3), (.green, .fill, 3), (.line, .platter, 3), (.tint, .track, 3),
    ]

    var light: UInt32 {
        switch self {
        case .page: 0xDCE3EE
        case .platter: 0xFFFFFF
        case .fill: 0xE3E3E8
        case .ink: 0x000000
        case .dim: 0x5C5C61
        case .tint: 0x0040DD
        case .red: 0xD70015
        case .green: 0x248A3D
        case .line: 0x8A8A8E
        case .track: 0xC7C7CC
        case .back: 0x5654D4
        case .glyph: 0xFFFFFF
        }
    }

    var dark: UInt32 {
        switch self {
        case .page: 0x10131B
        case .platter: 0x1C1C1E
        case .fill: 0x2C2C2E
        case .ink: 0xFFFFFF
        case .dim: 0xAEAEB2
        case .tint: 0x409CFF
        case .red: 0xFF6961
        case .green: 0x30DB5B
        case .line: 0x7C7C80
        case .track: 0x48484A
        case .back: 0x6866E8
        case .glyph: 0x000000
        }
    }

    /// The variables of a style sheet.
    static func variables(_ value: (Palette) -> UInt32) -> String {
        allCases.map { "--\($0.rawValue):\(NodeColor.hex(value($0)))" }.joined(separator: ";")
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
