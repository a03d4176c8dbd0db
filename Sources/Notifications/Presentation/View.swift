package import JSON

/// A view as an extension describes it: a tree of nodes.
package struct View {
    /// The types of nodes, and whether they have children.
    package static let types: [String: Bool] = [
        "stack": true, "row": true, "grid": true, "carousel": true, "text": false, "image": false, "card": false,
        "button": false, "field": false, "progress": false,
    ]
    /// The types of nodes that only show something and do nothing when touched.
    package static let labels: Set<String> = ["text", "progress"]
    /// The maximum number of nodes that are drawn: nobody can read a larger drawing.
    package static let drawnNodes = 1_000
    /// The maximum number of characters of a text that a page shows.
    package static let drawnCharacters = 4_000
    private static let depthLimit = 64

    package let json: JSON
    /// The ids of its nodes in the order of the tree; `interact` passes one of them as `element`.
    package let elements: [String]

    /// The type of the node with an id; nil if there is no such node.
    package func type(of element: String) -> String? { Self.node(element, in: json)?["type"]?.string }

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
        try View.check(json, &position) { id in
            guard known.insert(id).inserted else { return false }
            elements.append(id)
            return true
        }
        self.json = json
        self.elements = elements
    }

    /// Checks a node and its children.
    ///
    /// - Parameters:
    ///   - node: The node.
    ///   - position: The index of each ancestor and of the node itself among its siblings.
    ///   - add: Adds an id; returns false if another node has it.
    /// - Throws: An error that names the invalid node and the reason.
    private static func check(_ node: JSON, _ position: inout [Int], _ add: (String) -> Bool) throws(ViewError) {
        guard position.count < depthLimit else {
            throw ViewError(text: "the view nests more than \(depthLimit) deep")
        }
        guard let type = node["type"]?.string, let hasChildren = types[type] else {
            let known = types.keys.sorted().joined(separator: ", ")
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
