internal import JSON
internal import Notifications
internal import PushClient

/// Draws all that is shown of a notification: the banner, the expanded view, the actions, what was saved.
struct PushFrame {
    /// From this width on, what was saved stands at the side.
    private static let wide = 100
    /// A view of more columns than this looks like no phone's.
    private static let mainWidths = 24...72

    /// At most so many lines of stderr are drawn.
    private static let errorLines = 20

    let glyphs: Glyphs
    /// The columns at hand.
    let width: Int
    var focus: Drawing.Target?
    /// The text that is being entered in the focused field or action.
    var entry: String?
    var showsIDs = false
    /// Whether what extensions wrote on their stderr is drawn.
    var showsErrorLines = false

    /// The drawing of a session.
    func draw(_ session: PushSession) -> Drawing {
        guard let shown = session.shown else { return errorLines(session) }
        let expanded = shown.showsNothing ? [] : [expanded(shown)]
        let main = Drawing.below([banner(shown)] + expanded + [notes(session, shown), errorLines(session)])
        guard hasSide else { return .below([main, saved(session, mainWidth)]) }
        return .beside([main, saved(session, sideWidth)], widths: [mainWidth, sideWidth], gap: 2)
    }

    private var hasSide: Bool { width >= Self.wide }

    private var mainWidth: Int {
        min(max(hasSide ? width * 3 / 5 : width, Self.mainWidths.lowerBound), Self.mainWidths.upperBound)
    }

    private var sideWidth: Int { min(width - mainWidth - 2, 56) }

    private var room: Int { mainWidth - 4 }

    // MARK: Parts

    /// What is seen before the notification is expanded.
    private func banner(_ shown: ShownNotification) -> Drawing {
        let name = Drawing.cut(glyphs.text(name(shown)), to: room - 5, glyphs)
        let head = Drawing.Line([Drawing.Span(name, .caption)]).padded(to: room - 3).spans
        let lines = Drawing([Drawing.Line(head + [Drawing.Span("now", .caption)])])
        return Drawing.below([lines, texts(shown.content["title"]?.string ?? "", shown)])
            .boxed(glyphs.plain, width: mainWidth)
    }

    private func name(_ shown: ShownNotification) -> String {
        shown.bundle.map { $0.split(separator: ".").last.map(String.init) ?? $0 } ?? "the system"
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
        var drawing: Drawing
        if let end = shown.end {
            drawing = .wrapped([glyphs.text(end)] + (shown.opened.map { [glyphs.text($0)] } ?? []), width: room)
        } else {
            drawing = .below([view(shown), attachments(shown), media(shown)])
        }
        drawing = drawing.boxed(glyphs.plain, width: mainWidth, title: glyphs.text(shown.title))
        guard shown.end == nil else { return drawing }
        if shown.showsContent { add(texts(shown.title, shown), to: &drawing) }
        if !shown.actions.isEmpty { add(actions(shown), to: &drawing) }
        return drawing
    }

    /// Adds a part below a line across the box.
    private func add(_ part: Drawing, to drawing: inout Drawing) {
        let box = part.boxed(glyphs.plain, width: mainWidth)
        drawing.lines.removeLast()
        drawing.lines += [Drawing.divider(glyphs.plain, width: mainWidth)] + box.lines.dropFirst()
    }

    private func view(_ shown: ShownNotification) -> Drawing {
        let drawer = BoxDrawer(glyphs, focus: focus, entry: entry, showsIDs: showsIDs)
        return ViewLayout(drawer).draw(shown.view, width: room)
            ?? .wrapped(["The view has more than 1000 nodes, which are not drawn."], width: room, .warning)
    }

    private func attachments(_ shown: ShownNotification) -> Drawing {
        let urls = shown.content["attachments"]?.array?.compactMap { $0["url"]?.string } ?? []
        return .below(urls.map { .wrapped(["attachment \(glyphs.text($0))"], width: room, .caption) })
    }

    private func media(_ shown: ShownNotification) -> Drawing {
        guard let media = shown.media, media["button"] != "none" else { return Drawing() }
        return Drawing(media["playing"] == true ? "The media plays." : "The media is paused.", .caption)
    }

    private func actions(_ shown: ShownNotification) -> Drawing {
        .below(shown.actions.enumerated().map { action($1, number: $0 + 1) })
    }

    private func action(_ action: JSON, number: Int) -> Drawing {
        let identifier = action["identifier"]?.string ?? ""
        let target = Drawing.Target.action(identifier)
        let isFocused = focus == target
        let options = action["options"]?.array?.compactMap(\.string) ?? []
        var details = options + (action["textInput"] == nil ? [] : ["asks for a text"])
        if showsIDs { details.insert(glyphs.text(identifier), at: 0) }
        let mark = isFocused ? glyphs.pointer : " "
        let isDestructive = options.contains("destructive")
        let title = Drawing.cut(glyphs.text(action["title"]?.string ?? ""), to: room - 6, glyphs)
        let role: Drawing.Role = isFocused ? .focus : isDestructive ? .error : .control
        var spans = [
            Drawing.Span("\(mark)\(number)  ", isFocused ? .focus : .caption), Drawing.Span(title, role, target),
        ]
        let left = room - Drawing.Line(spans).width - 2
        if isFocused, let entry {
            let text = String(glyphs.text(entry).suffix(max(0, left - 3)))
            spans += [Drawing.Span(": \(text)"), Drawing.Span("_", .focus)]
        } else if left > 4, !details.isEmpty {
            spans.append(Drawing.Span("  " + Drawing.cut(details.joined(separator: ", "), to: left, glyphs), .caption))
        }
        return Drawing([Drawing.Line(spans)])
    }

    /// The diagnostics.
    private func notes(_ session: PushSession, _ shown: ShownNotification) -> Drawing {
        .below(
            session.diagnostics.map { diagnostic in
                let text = diagnostic["message"]?.string ?? diagnostic["reason"]?.string ?? ""
                let lines = Drawing.wrapped([glyphs.text(text)], width: mainWidth - 2, .warning)
                return .beside(
                    [Drawing(glyphs.warning, .warning), lines],
                    widths: [1, mainWidth - 2],
                    gap: 1
                )
            }
        )
    }

    /// The end of what extensions wrote on their stderr.
    private func errorLines(_ session: PushSession) -> Drawing {
        guard showsErrorLines, !session.errorLines.isEmpty else { return Drawing() }
        let lines = session.errorLines.suffix(Self.errorLines).map { glyphs.text($0.text) }
        let drawing = Drawing.folded(lines, width: room, .caption)
        return drawing.boxed(glyphs.plain, width: mainWidth, title: "stderr")
    }

    private func saved(_ session: PushSession, _ width: Int) -> Drawing {
        let records = SavedRecordsDrawer(glyphs: glyphs, width: width - 4)
        return records.draw(session.saved).boxed(glyphs.plain, width: width, title: "Saved")
    }
}

/// Draws the analytics that an extension saved.
private struct SavedRecordsDrawer {
    let glyphs: Glyphs
    let width: Int

    /// The records, below the name of their suite.
    func draw(_ saved: [PushSession.SavedRecord]) -> Drawing {
        guard !saved.isEmpty else { return Drawing("nothing yet", .caption) }
        var suites: [String] = []
        for record in saved where !suites.contains(record.suite) { suites.append(record.suite) }
        return .below(
            suites.flatMap { suite in
                [Drawing(Drawing.cut(glyphs.text(suite), to: width, glyphs), .caption)]
                    + saved.filter { $0.suite == suite }.map { draw($0.record) }
            }
        )
    }

    private func draw(_ record: JSON) -> Drawing {
        let (kind, text): (String, String) =
            switch record["kind"]?.string {
            case "customEvent": ("event", text(record["name"]))
            case "customAttribute": ("attribute", "\(text(record["key"])): \(text(record["value"]))")
            case "userAttribute": ("user", "\(text(record["field"])): \(text(record["value"]))")
            default: (text(record["kind"]), record.description)
            }
        let label = kind.padding(to: 10)
        var lines = Drawing.wrapped([glyphs.text(text)], width: width - 10, .title)
        for (name, value) in record["properties"]?.object.map({ $0.map { ($0.name, $0.value) } }) ?? [] {
            lines.lines += Drawing.wrapped([glyphs.text("\(name): \(self.text(value))")], width: width - 10).lines
        }
        return .beside([Drawing(label, .control), lines], widths: [10, width - 10], gap: 0)
    }

    private func text(_ value: JSON?) -> String { value.map { $0.string ?? $0.description } ?? "" }
}
