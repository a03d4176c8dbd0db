package import JSON

/// A layer, or a view of another framework, that says itself what stands for it.
@MainActor
package protocol SelfDrawing {
    var shownNode: Node? { get }
}

/// A node of a view on the wire.
package struct Node {
    let type: String
    var id: String?
    var members: [(String, JSON)]
    var children: [Node]?

    package init(_ type: String, id: String? = nil, _ members: [(String, JSON)] = [], children: [Node]? = nil) {
        (self.type, self.id, self.members, self.children) = (type, id, members, children)
    }

    /// The node as on the wire.
    package var json: JSON {
        var all: [(String, JSON)] = [("type", .string(type))]
        if let id { all.append(("id", .string(id))) }
        all += members
        if let children { all.append(("children", JSON(children.map(\.json)))) }
        return .object(JSON.Object(all))
    }

    /// The texts in the node, in order.
    var texts: [String] {
        let own = members.first { ["text", "title"].contains($0.0) }?.1.string
        return [own].compactMap { $0 } + (children ?? []).flatMap(\.texts)
    }

    /// The members of a look, of which those of the system are left out.
    static func look(color: UIColor?, background: UIColor? = nil, isBold: Bool = false) -> [(String, JSON)] {
        var members: [(String, JSON)] = []
        if let color, color.json != UIColor.label.json { members.append(("color", color.json)) }
        if isBold { members.append(("bold", true)) }
        if let background, background.cgColor.alpha > 0.01, background.json != UIColor.systemBackground.json {
            members.append(("background", background.json))
        }
        return members
    }

    /// Whether the node is a stack or a row.
    var isList: Bool { type == "stack" || type == "row" }

    /// A number as people write it.
    static func number(_ value: Double) -> String {
        let rounded = (value * 1_000).rounded() / 1_000
        return rounded == rounded.rounded() && abs(rounded) < 1e15 ? String(Int64(rounded)) : String(rounded)
    }
}

extension JSON {
    /// The value as a text that a field takes.
    var asText: String {
        switch self {
        case .string(let text): text
        case .null: ""
        default: description
        }
    }

    /// The value as a number, which may be spelt.
    var asNumber: Double? { number ?? string.flatMap(Double.init) }
}
