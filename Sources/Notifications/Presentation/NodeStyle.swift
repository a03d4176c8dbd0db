package import JSON

/// The look that an extension gave a node: `color`, `bold` and `background`, as `protocol/reference/views.md` says.
package struct NodeStyle: Equatable {
    /// The members of the types that have a look.
    private static let members: [String: Set<String>] = {
        let lists = ViewTree.typesWithChildren.map { ($0, ["background"] as Set) }
        let others: [String: Set<String>] = [
            "text": ["color", "bold"], "button": ["color", "bold", "background"], "progress": ["color"],
        ]
        return others.merging(lists) { other, _ in other }
    }()

    package var color: NodeColor?
    package var background: NodeColor?
    package var isBold = false

    package init(color: NodeColor? = nil, background: NodeColor? = nil, isBold: Bool = false) {
        (self.color, self.background, self.isBold) = (color, background, isBold)
    }

    /// The look of a node; what is not valid counts as absent, so that a wrong colour does not cost the view.
    package init(_ node: JSON) {
        let members = Self.members(of: node)
        func color(_ name: String) -> NodeColor? { members.contains(name) ? node[name].flatMap(NodeColor.init) : nil }
        self.init(
            color: color("color"),
            background: color("background"),
            isBold: members.contains("bold") && node["bold"] == true
        )
    }

    /// The members of a node that are not valid, each with what it must be.
    package static func problems(of node: JSON) -> [(member: String, rule: String)] {
        members(of: node).sorted().compactMap { member in
            guard let value = node[member] else { return nil }
            guard member != "bold" else { return value.bool == nil ? (member, "true or false") : nil }
            return NodeColor(value) == nil ? (member, NodeColor.rule) : nil
        }
    }

    private static func members(of node: JSON) -> Set<String> { node["type"]?.string.flatMap { members[$0] } ?? [] }

    /// The look with what is absent taken from another one.
    package func over(_ other: NodeStyle) -> NodeStyle {
        NodeStyle(
            color: color ?? other.color,
            background: background ?? other.background,
            isBold: isBold || other.isBold
        )
    }

    /// The members as a view has them.
    var json: MemberList {
        ["color": color?.json, "background": background?.json, "bold": isBold ? true : nil]
    }
}

/// A colour of a node: one for a light and one for a dark appearance.
package struct NodeColor: Equatable {
    fileprivate static let rule = "a text such as #0A84FF, or an object with one as light and one as dark"

    /// The red, green and blue parts, each a byte.
    package let light, dark: UInt32

    /// The colour that a view has: `#RRGGBB`, or an object of two; nil if it is neither.
    package init?(_ json: JSON) {
        guard let light = Self.parts(json["light"] ?? json), let dark = Self.parts(json["dark"] ?? json) else {
            return nil
        }
        (self.light, self.dark) = (light, dark)
    }

    private static func parts(_ json: JSON) -> UInt32? {
        guard let text = json.string, text.utf8.count == 7, text.first == "#", text.dropFirst().allSatisfy(\.isHexDigit)
        else { return nil }
        return UInt32(text.dropFirst(), radix: 16)
    }

    /// A colour as `#rrggbb`.
    package static func hex(_ parts: UInt32) -> String {
        let digits = String(parts, radix: 16)
        return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }

    fileprivate var json: JSON {
        let (light, dark) = (JSON.string(Self.hex(light)), JSON.string(Self.hex(dark)))
        return light == dark ? light : ["light": light, "dark": dark]
    }
}
