internal import JSON
internal import Notifications
internal import PushClient

/// Draws a notification, what extensions wrote on their stderr, and what was saved.
struct PushFrame {
    /// From this width on, what was saved stands at the side.
    private static let wide = 100
    /// At most so many lines of stderr are drawn.
    private static let errorLines = 20

    let drawer: BoxDrawer
    /// The columns at hand.
    let width: Int
    /// Whether what extensions wrote on their stderr is drawn.
    let showsErrorLines: Bool

    /// The drawing of a session.
    func draw(_ session: PushSession) -> Drawing {
        draw(session.shown, session.diagnostics, session.errorLines, session.saved)
    }

    /// The drawing of what a session showed.
    func draw(
        _ shown: ShownNotification?,
        _ diagnostics: [JSON],
        _ errorLines: [PushSession.ErrorLine],
        _ saved: [PushSession.SavedRecord]
    ) -> Drawing {
        let errors = drawing(of: errorLines)
        guard let shown else { return errors }
        let main = Drawing.below([main.draw(shown, diagnostics: diagnostics), errors])
        guard hasSide else { return .below([main, drawing(of: saved, mainWidth)]) }
        return .beside([main, drawing(of: saved, sideWidth)], widths: [mainWidth, sideWidth], gap: 2)
    }

    private var main: NotificationDrawer { NotificationDrawer(drawer, width: hasSide ? width * 3 / 5 : width) }
    private var glyphs: Glyphs { drawer.glyphs }
    private var hasSide: Bool { width >= Self.wide }
    private var mainWidth: Int { main.width }
    private var sideWidth: Int { min(width - mainWidth - 2, 56) }

    /// The end of what extensions wrote on their stderr.
    private func drawing(of errorLines: [PushSession.ErrorLine]) -> Drawing {
        guard showsErrorLines, !errorLines.isEmpty else { return Drawing() }
        let lines = errorLines.suffix(Self.errorLines).map { glyphs.text($0.text) }
        let drawing = Drawing.folded(lines, width: mainWidth - 4, .dim)
        return drawing.boxed(glyphs.plain, width: mainWidth, title: "stderr")
    }

    private func drawing(of saved: [PushSession.SavedRecord], _ width: Int) -> Drawing {
        let records = SavedRecordsDrawer(glyphs: glyphs, width: width - 4)
        return records.draw(saved).boxed(glyphs.plain, width: width, title: "Saved")
    }
}

/// Draws the analytics that an extension saved.
private struct SavedRecordsDrawer {
    let glyphs: Glyphs
    let width: Int

    /// The records, below the name of their suite.
    func draw(_ saved: [PushSession.SavedRecord]) -> Drawing {
        guard !saved.isEmpty else { return Drawing("nothing yet", .dim) }
        var suites: [String] = []
        for record in saved where !suites.contains(record.suite) { suites.append(record.suite) }
        return .below(
            suites.flatMap { suite in
                [Drawing(Drawing.cut(glyphs.text(suite), to: width, glyphs), .dim)]
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
        return .beside([Drawing(label, .button), lines], widths: [10, width - 10], gap: 0)
    }

    private func text(_ value: JSON?) -> String { value.map { $0.string ?? $0.description } ?? "" }
}
