public import JSON

/// A node of a view: a value, so that an editor, a terminal or a web page can draw it.
///
/// Ids are what a touch names; two nodes of a view must not share one.
public struct View: Sendable {
    /// The node as it stands on the wire.
    public let json: JSON

    private init(_ type: String, id: String?, _ members: [(String, JSON)]) {
        let id = id.map { [("id", JSON.string($0))] } ?? []
        json = .object(JSON.Object([("type", .string(type))] + id + members))
    }

    /// Nodes from top to bottom.
    public static func stack(id: String? = nil, _ children: [View]) -> View {
        View("stack", id: id, [("children", JSON(children.map(\.json)))])
    }

    /// Nodes row by row.
    public static func grid(id: String? = nil, columns: Int, _ children: [View]) -> View {
        View("grid", id: id, [("columns", JSON(columns)), ("children", JSON(children.map(\.json)))])
    }

    /// A text.
    public static func text(id: String? = nil, _ text: String) -> View {
        View("text", id: id, [("text", .string(text))])
    }

    /// A picture.
    public static func image(id: String? = nil, url: String) -> View {
        View("image", id: id, [("url", .string(url))])
    }

    /// A playing card; face down it tells nobody its face.
    public static func card(id: String, face: String?, isMatched: Bool = false) -> View {
        let members: [(String, JSON)] = [("faceUp", .bool(face != nil))]
        return View(
            "card",
            id: id,
            members + (face.map { [("face", .string($0))] } ?? []) + [("matched", .bool(isMatched))]
        )
    }

    /// Something to press.
    public static func button(id: String, _ title: String) -> View {
        View("button", id: id, [("title", .string(title))])
    }

    /// Something to write into.
    public static func field(id: String, value: String, placeholder: String = "") -> View {
        View("field", id: id, [("value", .string(value)), ("placeholder", .string(placeholder))])
    }

    /// How much of something is done.
    public static func progress(id: String? = nil, value: Int, total: Int) -> View {
        View("progress", id: id, [("value", JSON(value)), ("total", JSON(total))])
    }
}
