public import JSON

/// A node of a view: a value, so that an editor, a terminal or a web page can draw it.
///
/// A touch names a node by its id, so ids are unique in a view.
public struct View: Sendable {
    /// The node as on the wire.
    public let json: JSON

    private init(_ type: String, id: String?, _ members: MemberList) {
        json = JSON(present: ["type": .string(type), "id": id.map(JSON.string)] + members)
    }

    /// Nodes from top to bottom.
    public static func stack(_ children: [View], id: String? = nil) -> View {
        View("stack", id: id, ["children": JSON(children.map(\.json))])
    }

    /// Nodes from left to right.
    public static func row(_ children: [View], id: String? = nil) -> View {
        View("row", id: id, ["children": JSON(children.map(\.json))])
    }

    /// Pages, of which one is shown.
    ///
    /// A swipe is an interaction with the carousel's id as element and the number of the page as value; it changes
    /// nothing until the extension shows that page. Needs a host of version 1.1 of the contract.
    ///
    /// - Parameters:
    ///   - pages: The pages.
    ///   - id: The id that a swipe names.
    ///   - page: The position of the page that is shown, from 0.
    /// - Returns: The node.
    public static func carousel(_ pages: [View], id: String, page: Int) -> View {
        View("carousel", id: id, ["page": JSON(page), "children": JSON(pages.map(\.json))])
    }

    /// Nodes row by row.
    public static func grid(_ children: [View], columns: Int, id: String? = nil) -> View {
        View("grid", id: id, ["columns": JSON(columns), "children": JSON(children.map(\.json))])
    }

    /// A text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - id: The id that a touch names.
    ///   - style: The role of the text; `body` if absent.
    ///   - alignment: The alignment of the lines; `start` if absent.
    /// - Returns: The node.
    public static func text(
        _ text: String,
        id: String? = nil,
        style: TextStyle? = nil,
        alignment: TextAlignment? = nil
    ) -> View {
        let members: MemberList = [
            "text": .string(text), "style": style.map { .string($0.rawValue) },
            "alignment": alignment.map { .string($0.rawValue) },
        ]
        return View("text", id: id, members)
    }

    /// A picture.
    ///
    /// - Parameters:
    ///   - url: The URL of the picture.
    ///   - id: The id that a touch names.
    ///   - alt: A description for people who do not see the picture, like UIKit's `accessibilityLabel`.
    /// - Returns: The node.
    public static func image(_ url: String, id: String? = nil, alt: String? = nil) -> View {
        View("image", id: id, ["url": .string(url), "alt": alt.map(JSON.string)])
    }

    /// A playing card; without a face it lies face down.
    public static func card(id: String, face: String?, isMatched: Bool = false) -> View {
        let side: MemberList = ["faceUp": .bool(face != nil), "face": face.map(JSON.string)]
        return View("card", id: id, side + ["matched": .bool(isMatched)])
    }

    /// A button.
    public static func button(_ title: String, id: String) -> View {
        View("button", id: id, ["title": .string(title)])
    }

    /// A text field.
    public static func field(id: String, value: String = "", placeholder: String = "") -> View {
        View("field", id: id, ["value": .string(value), "placeholder": .string(placeholder)])
    }

    /// A progress bar.
    public static func progress(value: Int, total: Int, id: String? = nil) -> View {
        View("progress", id: id, ["value": JSON(value), "total": JSON(total)])
    }
}
