package import JSON

/// Draws what is shown of a notification: the banner, the expanded view with its texts and actions, the diagnostics.
///
/// `render`, the tools for models, and `pushhost push` all draw with this. A text of an extension cannot leave its line.
package struct NotificationDrawer {
    /// A drawing with more columns looks like no phone's, and one with fewer cannot be read.
    package static let widths = 24...72
    /// A drawing has at most so many lines.
    package static let linesLimit = 2_000

    /// The columns that are drawn in.
    package let width: Int
    private let drawer: BoxDrawer

    /// A drawer for that many columns, or for the nearest number that can be drawn in.
    package init(_ drawer: BoxDrawer, width: Int) {
        self.drawer = drawer
        self.width = min(max(width, Self.widths.lowerBound), Self.widths.upperBound)
    }

    /// All that a person sees.
    package func draw(_ shown: ShownNotification, diagnostics: [JSON] = []) -> Drawing {
        limited(.below([banner(shown), expanded(shown), notes(diagnostics)]))
    }

    /// What a reply shows, for people and models that see only text; nil if it shows no view.
    ///
    /// There is no banner, as it repeats the texts below the view.
    package static func text(_ result: JSON) -> String? {
        guard result["view"]?["type"]?.string != nil else { return nil }
        let drawer = NotificationDrawer(BoxDrawer(.unicode, ids: .marked), width: widths.upperBound)
        let shown = ShownNotification(result)
        let heading = result["notification"]?.string.map {
            "notification \($0), shown by \(shown.bundle ?? "the system")"
        }
        let diagnostics = result["diagnostics"]?.array.map { Array($0) } ?? []
        let seen = shown.isExpanded ? drawer.expanded(shown) : drawer.banner(shown)
        let drawing = drawer.limited(.below([seen, drawer.notes(diagnostics)]))
        return ([heading].compactMap { $0 } + drawing.lines.map(\.text)).joined(separator: "\n")
    }

    private var glyphs: Glyphs { drawer.glyphs }
    private var room: Int { width - 4 }

    private func limited(_ drawing: Drawing) -> Drawing {
        guard drawing.lines.count > Self.linesLimit else { return drawing }
        let note = Drawing.wrapped(["The lines after these are not drawn."], width: width, .warning)
        return .below([Drawing(Array(drawing.lines.prefix(Self.linesLimit - note.lines.count))), note])
    }

    // MARK: Parts

    /// What is seen before the notification is expanded.
    private func banner(_ shown: ShownNotification) -> Drawing {
        let name = shown.bundle.map { $0.split(separator: ".").last.map(String.init) ?? $0 } ?? "the system"
        let short = Drawing.cut(glyphs.text(name), to: room - 5, glyphs)
        let head = Drawing.Line([Drawing.Span(short, .dim)]).padded(to: room - 3).spans
        let lines = Drawing([Drawing.Line(head + [Drawing.Span("now", .dim)])])
        return Drawing.below([lines, texts(shown.content["title"]?.string ?? "", shown)])
            .boxed(glyphs.plain, width: width)
    }

    /// The title, the subtitle and the body.
    private func texts(_ title: String, _ shown: ShownNotification) -> Drawing {
        let texts: [(String, Drawing.Role)] = [
            (title, .title), (shown.content["subtitle"]?.string ?? "", .body),
            (shown.content["body"]?.string ?? "", .body),
        ]
        return .below(
            texts.filter { !$0.0.isEmpty }.map { .wrapped(glyphs.lines($0.0), width: room, $0.1) }
        )
    }

    private func expanded(_ shown: ShownNotification) -> Drawing {
        guard !shown.showsNothing else { return Drawing() }
        var drawing: Drawing
        if let end = shown.end {
            drawing = .wrapped([glyphs.text(end)] + (shown.opened.map { [glyphs.text($0)] } ?? []), width: room)
        } else {
            drawing = .below([view(shown), attachments(shown), media(shown)])
        }
        drawing = drawing.boxed(
            glyphs.plain,
            width: width,
            title: Drawing.cut(glyphs.text(shown.title), to: width - 5, glyphs)
        )
        guard shown.end == nil else { return drawing }
        if shown.showsContent { add(texts(shown.title, shown), to: &drawing) }
        if !shown.actions.isEmpty { add(actions(shown), to: &drawing) }
        return drawing
    }

    /// Adds a part below a line across the box.
    private func add(_ part: Drawing, to drawing: inout Drawing) {
        guard !part.lines.isEmpty else { return }
        let box = part.boxed(glyphs.plain, width: width)
        drawing.lines.removeLast()
        drawing.lines += [Drawing.divider(glyphs.plain, width: width)] + box.lines.dropFirst()
    }

    private func view(_ shown: ShownNotification) -> Drawing {
        ViewLayout(drawer).draw(shown.view, width: room)
            ?? .wrapped(["The view has more than 1000 nodes, which are not drawn."], width: room, .warning)
    }

    private func attachments(_ shown: ShownNotification) -> Drawing {
        let urls = shown.content["attachments"]?.array?.compactMap { $0["url"]?.string } ?? []
        return .below(urls.map { .wrapped(["attachment \(glyphs.text($0))"], width: room, .dim) })
    }

    private func media(_ shown: ShownNotification) -> Drawing {
        guard let media = shown.media, media["button"] != "none" else { return Drawing() }
        let isPlaying = media["playing"] == true
        let method = isPlaying ? "mediaPause" : "mediaPlay"
        let state = isPlaying ? "The media plays" : "The media is paused"
        let hint = drawer.ids == .marked ? "; \(method) \(isPlaying ? "pauses" : "plays") it." : "."
        return .wrapped([state + hint], width: room, .dim, .start, .media(method))
    }

    // MARK: Actions

    private func actions(_ shown: ShownNotification) -> Drawing {
        .below(shown.actions.enumerated().map { action($1, number: $0 + 1) })
    }

    /// The number and the title of an action, and its details in the same line or, if there is no room, below it.
    private func action(_ action: JSON, number: Int) -> Drawing {
        let identifier = action["identifier"]?.string ?? ""
        let target = Drawing.Target.action(identifier)
        let isFocused = drawer.focus == target
        let options = action["options"]?.array?.compactMap(\.string) ?? []
        var details = options + (action["textInput"] == nil ? [] : ["asks for a text"])
        if drawer.ids != .hidden { details.insert(glyphs.text(identifier), at: 0) }
        let mark = isFocused ? glyphs.pointer : " "
        let title = Drawing.cut(glyphs.text(action["title"]?.string ?? ""), to: room - 6, glyphs)
        let role: Drawing.Role = isFocused ? .focus : options.contains("destructive") ? .destructive : .button
        var spans = [
            Drawing.Span("\(mark)\(number)  ", isFocused ? .focus : .dim, target), Drawing.Span(title, role, target),
        ]
        let left = room - Drawing.Line(spans).width - 2
        if isFocused, let entry = drawer.entry {
            let text = String(glyphs.text(entry).suffix(max(0, left - 3)))
            spans += [Drawing.Span(": \(text)"), Drawing.Span("_", .focus)]
            return Drawing([Drawing.Line(spans)])
        }
        let text = details.joined(separator: ", ")
        if TextWidth.of(text) <= left {
            return Drawing([Drawing.Line(spans + [Drawing.Span(text.isEmpty ? "" : "  \(text)", .dim)])])
        }
        let below = Drawing.wrapped([text], width: room - 4, .dim)
        return .below([Drawing([Drawing.Line(spans)]), .beside([Drawing(), below], widths: [4, room - 4], gap: 0)])
    }

    // MARK: Diagnostics

    private func notes(_ diagnostics: [JSON]) -> Drawing {
        .below(
            diagnostics.map { diagnostic in
                let text = diagnostic["message"]?.string ?? diagnostic["reason"]?.string ?? ""
                let lines = Drawing.wrapped([glyphs.text(text)], width: width - 2, .warning)
                return .beside([Drawing(glyphs.warning, .warning), lines], widths: [1, width - 2], gap: 1)
            }
        )
    }
}
