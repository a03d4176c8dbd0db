package import Notifications
internal import Platform

/// A film of a notification: one SVG file without scripts, which moves by CSS and plays wherever an image is shown.
///
/// Scenes that look the same are written once. Who prefers reduced motion sees the last scene, which stands still.
package struct Film {
    /// What is seen for a while.
    package struct Scene {
        package var shown: ShownNotification
        package var part: HTMLRenderer.Part
        package var language: String?
        /// What led to it, in a few words.
        package var caption: String
        /// What was saved until then, the newest last.
        package var saved: [String]
        /// How long it is seen.
        package var milliseconds: Int
        /// What the user touches at its end.
        package var touched: Drawing.Target?

        package init(
            _ shown: ShownNotification,
            _ part: HTMLRenderer.Part,
            language: String?,
            caption: String,
            saved: [String],
            milliseconds: Int
        ) {
            (self.shown, self.part, self.language) = (shown, part, language)
            (self.caption, self.saved, self.milliseconds) = (caption, saved, milliseconds)
        }
    }

    /// A part of the picture, and when it is seen.
    private struct Layer {
        let markup: Markup
        /// In milliseconds from the beginning.
        var spans: [Range<Int>]
    }

    /// How long one scene turns into the next, and how long a touch is seen.
    private static let (fade, press) = (180, 640)
    /// The height of the captions below the notification, and of each record.
    private static let (captionHeight, recordHeight, recordLimit) = (44, 22, 3)

    private let scenes: [Scene]
    private let settings: HTMLRenderer.Settings

    /// A film of at least one scene.
    package init(_ scenes: [Scene], _ settings: HTMLRenderer.Settings) {
        (self.scenes, self.settings) = (scenes, settings)
    }

    private var length: Int { max(1, scenes.reduce(0) { $0 + $1.milliseconds }) }

    // MARK: Layers

    /// The notification in each scene, with what is touched at its end; each look is there once.
    private func figures() -> (layers: [Layer], height: Double) {
        var (layers, height, start) = ([Layer](), 0.0, 0)
        for scene in scenes {
            var settings = settings
            (settings.parts, settings.touched) = ([scene.part], scene.touched)
            let block = FigureWriter(settings, scene.shown, scene.language).figure
            height = max(height, block.height)
            Self.add(block.markup, start..<(start + scene.milliseconds), to: &layers)
            start += scene.milliseconds
        }
        return (layers, height)
    }

    /// What is said below the notification; it comes with the touch, a moment before what that leads to.
    private func captions() -> [Layer] {
        var (layers, start) = ([Layer](), 0)
        for (index, scene) in scenes.enumerated() {
            let end = start + scene.milliseconds
            let next = scenes.indices.contains(index + 1) ? scenes[index + 1] : nil
            let said = scene.touched == nil ? end : max(start, end - Self.press)
            Self.add(caption(scene.caption, scene.saved), start..<said, to: &layers)
            if let next, said < end { Self.add(caption(next.caption, scene.saved), said..<end, to: &layers) }
            start = end
        }
        return layers
    }

    private static func add(_ markup: Markup, _ span: Range<Int>, to layers: inout [Layer]) {
        guard let index = layers.firstIndex(where: { $0.markup.html == markup.html }) else {
            return layers.append(Layer(markup: markup, spans: [span]))
        }
        if let last = layers[index].spans.last, last.upperBound == span.lowerBound {
            layers[index].spans[layers[index].spans.count - 1] = last.lowerBound..<span.upperBound
        } else {
            layers[index].spans.append(span)
        }
    }

    private func caption(_ text: String, _ saved: [String]) -> Markup {
        let records = saved.suffix(Self.recordLimit).map { record in
            Markup.element("li", ["dir": "auto"], [Symbol.check, .element("span", [:], [.text(record)])])
        }
        return .element(
            "div",
            ["class": "film-said"],
            [.element("p", ["dir": "auto"], [.text(text)])] + (records.isEmpty ? [] : [.element("ul", [:], records)])
        )
    }

    // MARK: The picture

    /// The film as one SVG file.
    package func svg(title: String) -> String {
        let (figures, height) = figures()
        let captions = captions()
        let records = min(Self.recordLimit, scenes.map(\.saved.count).max() ?? 0)
        let padding = Int(Metrics.pagePadding)
        let width = Int(settings.device.width) + 2 * padding
        let bottom = padding + Int(height.rounded(.up)) + padding / 2
        let whole = bottom + Self.captionHeight + records * Self.recordHeight + padding / 2
        let layers =
            figures.enumerated().map { layer("f\($0)", $1, padding, padding, bottom - padding) }
            + captions.enumerated().map { layer("c\($0)", $1, padding, bottom, whole - bottom) }
        let rules =
            figures.enumerated().map { sight("f\($0)", $1) + touch("f\($0)", $1) }
            + captions.enumerated().map { sight("c\($0)", $1) }
        let scheme = settings.scheme.rawValue
        let stage = Markup.element(
            "g",
            ["class": "film pn-\(scheme)"],
            [Self.sky, .element("rect", ["class": "film-wall", "width": "100%", "height": "100%", "rx": "28"])] + layers
        )
        let last = "#f\(index(figures)),#c\(index(captions))"
        let style =
            StyleSheet.text + Self.style + arrival() + rules.joined()
            + "\(last){opacity:1}@media (prefers-reduced-motion:reduce){.film *,.film ::after{animation:none!important}}\n"
        return Markup.element(
            "svg",
            [
                "xmlns": "http://www.w3.org/2000/svg", "width": "\(width)", "height": "\(whole)",
                "viewBox": "0 0 \(width) \(whole)",
            ],
            [.element("title", [:], [.text(title)]), .element("style", [:], [.text(style)]), stage]
        )
        .html + "\n"
    }

    /// The colours of the wall, from the top down.
    private static let sky = Markup.element(
        "linearGradient",
        ["id": "film-sky", "x2": "0", "y2": "1"],
        [.element("stop", ["class": "film-top"]), .element("stop", ["class": "film-bottom", "offset": "1"])]
    )

    /// The layer that is seen at the end.
    private func index(_ layers: [Layer]) -> Int {
        layers.firstIndex { $0.spans.last?.upperBound == length } ?? 0
    }

    private func layer(_ id: String, _ layer: Layer, _ x: Int, _ y: Int, _ height: Int) -> Markup {
        let page = Markup.element(
            "div",
            ["xmlns": "http://www.w3.org/1999/xhtml", "lang": "en"],
            [layer.markup]
        )
        return .element(
            "g",
            ["class": "film-layer", "id": id],
            [
                .element(
                    "foreignObject",
                    ["x": "\(x)", "y": "\(y)", "width": "\(Int(settings.device.width))", "height": "\(height)"],
                    [page]
                )
            ]
        )
    }

    /// When a layer is seen: it comes over the one before it, which then goes.
    private func sight(_ id: String, _ layer: Layer) -> String {
        let steps = layer.spans.map { span -> String in
            let begin = span.lowerBound == 0 ? "" : "\(time(span.lowerBound)){opacity:0}"
            let end = min(span.upperBound + Self.fade, length)
            return begin + "\(time(min(span.lowerBound + Self.fade, span.upperBound))),\(time(end)){opacity:1}"
                + (end < length ? "\(time(end + 1)){opacity:0}" : "")
        }
        let edges =
            (layer.spans[0].lowerBound == 0 ? "0%{opacity:1}" : "0%{opacity:0}")
            + (layer.spans[layer.spans.count - 1].upperBound >= length ? "" : "to{opacity:0}")
        return "#\(id){animation:\(id) \(length)ms infinite}@keyframes \(id){\(edges)\(steps.joined())}\n"
    }

    /// A banner comes from above, as on a phone.
    private func arrival() -> String {
        guard scenes.first?.part == .banner else { return "" }
        return "#f0 .pn{animation:film-in \(length)ms infinite}"
            + "@keyframes film-in{0%{transform:translateY(-140px);animation-timing-function:cubic-bezier(.2,.9,.3,1)}"
            + "\(time(2 * Self.fade)){transform:none}}\n"
    }

    /// When the user touches what is marked in a layer.
    private func touch(_ id: String, _ layer: Layer) -> String {
        guard layer.markup.html.contains("pn-touched") else { return "" }
        let steps = layer.spans.map { span in
            let begin = max(span.lowerBound, span.upperBound - Self.press)
            let (down, up) = (begin + (span.upperBound - begin) / 2, span.upperBound)
            return "\(time(begin)){opacity:0;transform:scale(1.7)}\(time(down)){opacity:1;transform:scale(1)}"
                + "\(time((down + up) / 2)){opacity:1;transform:scale(.8)}\(time(up)){opacity:1;transform:scale(1)}"
                + (up < length ? "\(time(min(up + Self.fade, length))){opacity:0;transform:scale(1.4)}" : "")
        }
        return "#\(id) .pn-touched::after{animation:\(id)t \(length)ms infinite}"
            + "@keyframes \(id)t{0%,to{opacity:0}\(steps.joined())}\n"
    }

    /// A time as a share of the film, in thousandths of a per cent, so that the bytes are the same everywhere.
    private func time(_ milliseconds: Int) -> String {
        let share = min(milliseconds, length) * 100_000 / length
        return "\(share / 1_000).\(String(share % 1_000 + 1_000).dropFirst())%"
    }

    private static let dark =
        "--sky:#253156;--wall:#0e1426;--said:#f5f5f7;--saved:#7be495;--touch:rgba(235,235,245,.42);--ring:rgba(0,0,0,.45)"

    private static let style = """
        .film,.film.pn-light{--sky:#dbe6f8;--wall:#b9cbea;--said:#1c1c1e;--saved:#14602a;--touch:rgba(60,60,67,.38);\
        --ring:rgba(255,255,255,.9)}
        .film.pn-dark{\(dark)}@media (prefers-color-scheme:dark){.film.pn-auto{\(dark)}}
        .film-wall{fill:url(#film-sky)}.film-top{stop-color:var(--sky)}.film-bottom{stop-color:var(--wall)}
        .film-layer{opacity:0}.film foreignObject{overflow:visible}.film .pn{position:relative}
        .film :is(.pn-banner,.pn-platter,.pn-actions){box-shadow:0 1px 2px rgba(0,0,0,.08),0 8px 24px rgba(0,0,0,.1)}
        .film-said{font:600 15px/22px -apple-system,BlinkMacSystemFont,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;\
        color:var(--said);text-align:center;padding-top:10px}
        .film-said p{margin:0 0 6px;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
        .film-said ul{list-style:none;margin:0;padding:0;color:var(--saved)}
        .film-said li{display:flex;gap:4px;align-items:center;justify-content:center;height:22px;white-space:nowrap}
        .film-said span{overflow:hidden;text-overflow:ellipsis}.film-said .pn-symbol{width:16px;height:16px}
        .pn-touched{position:relative}
        .film .pn-touched::after{content:"";position:absolute;left:50%;top:50%;width:40px;height:40px;margin:-20px;\
        border-radius:20px;background:var(--touch);box-shadow:0 0 0 2px var(--ring);opacity:0}

        """
}
