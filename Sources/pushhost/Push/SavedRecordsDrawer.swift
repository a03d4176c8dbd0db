internal import JSON
internal import Notifications
internal import PushClient

/// Draws the analytics that an extension saved.
struct SavedRecordsDrawer {
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

extension String {
    /// The text with spaces at its end.
    fileprivate func padding(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
