internal import Contract
package import JSON
internal import JSONRPC

/// A view as an extension describes it: a tree of nodes.
package struct ViewTree {
    /// The types of nodes.
    package static let types = typesWithChildren.union([
        "text", "image", "card", "button", "field", "progress", "media", "map",
    ])
    package static let typesWithChildren: Set<String> = ["stack", "row", "grid", "carousel"]
    /// The types of nodes that only show something and do nothing when touched.
    package static let labels: Set<String> = ["text", "progress"]
    /// The maximum number of nodes that are drawn: nobody can read a larger drawing.
    package static let drawnNodesLimit = 1_000
    /// The maximum number of characters of a text that a page shows.
    package static let drawnCharactersLimit = 4_000
    private static let depthLimit = 64

    package let json: JSON
    /// The ids of its nodes in the order of the tree; `interact` passes one of them as `element`.
    package let elements: [String]

    /// The type of the node with an id; nil if there is no such node.
    package func type(ofElement element: String) -> String? { Self.node(element, in: json)?["type"]?.string }

    private static func node(_ id: String, in node: JSON) -> JSON? {
        if node["id"]?.string == id { return node }
        return node["children"]?.array?.lazy.compactMap { Self.node(id, in: $0) }.first
    }

    /// Reads and checks a view from an extension.
    ///
    /// - Throws: A ``ViewError`` that names the invalid node.
    package init(_ json: JSON) throws(ViewError) {
        var elements: [String] = []
        var known: Set<String> = []
        var position: [Int] = []
        try ViewTree.check(json, &position) { id in
            guard known.insert(id).inserted else { return false }
            elements.append(id)
            return true
        }
        self.json = json
        self.elements = elements
    }

    /// Checks a node and its children.
    ///
    /// The position has the index of each ancestor and of the node itself among its siblings. The closure adds an id, and
    /// returns false if another node has it.
    private static func check(_ node: JSON, _ position: inout [Int], _ add: (String) -> Bool) throws(ViewError) {
        guard position.count < depthLimit else {
            throw ViewError(text: "the view nests more than \(depthLimit) deep")
        }
        guard let type = node["type"]?.string, types.contains(type) else {
            let known = types.sorted().joined(separator: ", ")
            throw ViewError(text: "the view's node \(pointer(position)) needs a type: one of \(known)")
        }
        switch node["id"] {
        case nil: break
        case .string(let id):
            guard add(id) else { throw ViewError(text: "two nodes of the view have the id \(id)") }
        default: throw ViewError(text: "the id of the view's node \(pointer(position)) must be a string")
        }
        if type == "carousel" { try checkPage(node, position) }
        guard let children = node["children"] else { return }
        let hasChildren = typesWithChildren.contains(type)
        guard hasChildren, case .array(let array) = children else {
            let rule = hasChildren ? "must be an array" : "are not allowed"
            throw ViewError(text: "the children of the view's node \(pointer(position)) of type \(type) \(rule)")
        }
        for (index, child) in array.enumerated() {
            position.append(index)
            try check(child, &position, add)
            position.removeLast()
        }
    }

    /// Checks that `page` of a carousel is the index of a child, so that a client knows which one to draw.
    private static func checkPage(_ node: JSON, _ position: [Int]) throws(ViewError) {
        let last = max((node["children"]?.array?.count ?? 0) - 1, 0)
        if let page = node["page"]?.integer, (0...Int64(last)).contains(page) { return }
        let found = node["page"].map { "is \($0.excerpt())" } ?? "is absent"
        throw ViewError(
            text:
                "the page of the view's node \(pointer(position)) of type carousel must be an integer from 0 to "
                + "\(last), the child that is shown; it \(found)"
        )
    }

    private static func pointer(_ position: [Int]) -> String {
        position.isEmpty ? "/" : position.map { "/children/\($0)" }.joined()
    }
}

/// Why a value is not a valid view.
package struct ViewError: Error {
    package let text: String
}

/// The system's button that plays and pauses the media of a view.
package struct MediaControl: Equatable {
    /// The kinds of button: Apple's `UNNotificationContentExtensionMediaPlayPauseButtonType`.
    package enum Kind: String, CaseIterable, Sendable {
        /// No button.
        case none
        /// A button that stays visible.
        case `default`
        /// A button over the media, which disappears while they play.
        case overlay
    }

    /// What an extension's reply says about the button.
    package struct Change {
        fileprivate let kind: Kind
        fileprivate let appearance: MemberList
        /// Whether the media play; nil if the reply does not say.
        package let isPlaying: Bool?

        init<Failure>(_ members: MemberReader<Failure>) throws(Failure) {
            kind = try members.required("button", .choice)
            appearance = [
                "frame": try members.optional("frame", Self.frame),
                "tintColor": try members.optional("tintColor", .string).map(JSON.string),
            ]
            isPlaying = try members.optional("playing", .bool)
        }

        private static let frame = ExpectedValue<JSON>.any(
            "an object with the numbers x, y, width and height",
            of: "object"
        ) {
            value in
            ["x", "y", "width", "height"].allSatisfy { value[$0]?.number != nil }
        }
    }

    package let kind: Kind
    /// The position and the colour of the button, for clients that draw it.
    private let appearance: MemberList
    package var isPlaying: Bool

    /// The button after a change; whether the media played before counts if the change does not say whether they play.
    init(_ change: Change, wasPlaying: Bool) {
        kind = change.kind
        appearance = change.appearance
        isPlaying = change.isPlaying ?? wasPlaying
    }

    package var json: JSON {
        JSON(present: ["button": .string(kind.rawValue)] + appearance + ["playing": .bool(isPlaying)])
    }

    package static func == (left: MediaControl, right: MediaControl) -> Bool { left.json == right.json }
}
