internal import JSON
internal import Notifications
internal import Recording

/// The view of a message that differs, drawn as it was recorded and as it is now.
struct DrawnViews: Hashable {
    /// What is drawn for a message without a view.
    private static let none = "(no view)"
    private static let width = 72
    /// The maximum number of lines of a drawing that are shown.
    private static let height = 24

    let recorded: String
    let replayed: String

    /// Draws the first views that differ; nil if no message of the lines has a view, or if the drawings are equal.
    ///
    /// - Parameters:
    ///   - difference: A difference of two lines.
    ///   - glyphs: The characters.
    init?(_ difference: Difference, _ glyphs: Glyphs) {
        guard let old = difference.recorded, let new = difference.replayed, let old = try? JSON(parsing: old),
            let new = try? JSON(parsing: new)
        else { return nil }
        for (old, new) in zip(old.messages, new.messages) {
            let views = (Self.view(of: old), Self.view(of: new))
            // An error has no view, but its reason says more than a drawing.
            guard views.0 != nil || views.1 != nil, old["error"] == nil, new["error"] == nil else { continue }
            let (recorded, replayed) = (Self.draw(views.0, glyphs), Self.draw(views.1, glyphs))
            guard recorded != replayed else { continue }
            (self.recorded, self.replayed) = (recorded, replayed)
            return
        }
        return nil
    }

    /// The view of a reply, of a notification, or of the result of an MCP tool.
    private static func view(of message: JSON) -> JSON? {
        [message["result"], message["params"], message["result"]?["structuredContent"]].lazy
            .compactMap { $0?["view"] }.first { $0.object != nil }
    }

    private static func draw(_ view: JSON?, _ glyphs: Glyphs) -> String {
        guard let view else { return none }
        guard let drawing = ViewLayout(BoxDrawer(glyphs, showsIDs: true)).draw(view, width: width) else {
            return "(a view with more than 1000 nodes)"
        }
        return drawing.lines.map(\.text).joined(separator: "\n")
    }

    /// What stands for drawings that were shown before.
    static let repetition = "    the views are those above"

    /// Both drawings for people, indented like the lines of a difference.
    var text: String {
        (["    - recorded"] + Self.shown(recorded) + ["    + now"] + Self.shown(replayed)).joined(separator: "\n")
    }

    private static func shown(_ drawing: String) -> [String] {
        let lines = drawing.split(separator: "\n", omittingEmptySubsequences: false)
        let rest = lines.count - height
        return lines.prefix(height).map { "      \($0)" } + (rest > 0 ? ["      and \(rest) more lines"] : [])
    }
}
