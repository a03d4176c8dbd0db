internal import JSON

/// A view as an extension describes it: a tree of nodes.
struct View {
    /// The types of nodes, and which of them have children.
    static let types: [String: Bool] = [
        "stack": true, "row": true, "grid": true, "carousel": true, "text": false, "image": false, "card": false,
        "button": false, "field": false, "progress": false,
    ]

    let json: JSON
    /// The ids of its nodes in the order of the tree: what `interact` names as `element`.
    let elements: [String]

    /// Judges what an extension gave.
    ///
    /// - Throws: A ``ViewError`` that says where it is no view.
    init(_ json: JSON) throws(ViewError) {
        var elements: [String] = []
        var known: Set<String> = []
        var place: [Int] = []
        try View.check(json, &place) { id in
            guard known.insert(id).inserted else { return false }
            elements.append(id)
            return true
        }
        self.json = json
        self.elements = elements
    }

    /// Judges a node, which stands at that place: the positions of its ancestors and its own among their siblings.
    private static func check(_ node: JSON, _ place: inout [Int], _ add: (String) -> Bool) throws(ViewError) {
        guard place.count < 64 else { throw ViewError(text: "the view nests more than 64 deep") }
        guard let type = node["type"]?.string, let hasChildren = types[type] else {
            let known = types.keys.sorted().joined(separator: ", ")
            throw ViewError(text: "the view's node \(pointer(place)) needs a type: one of \(known)")
        }
        switch node["id"] {
        case nil: break
        case .string(let id):
            guard add(id) else { throw ViewError(text: "the view has two nodes of the id \(id)") }
        default: throw ViewError(text: "the id of the view's node \(pointer(place)) must be a string")
        }
        if type == "carousel" { try checkPage(node, place) }
        guard let children = node["children"] else { return }
        guard hasChildren, case .array(let array) = children else {
            throw ViewError(text: "the view's node \(pointer(place)) of type \(type) cannot have such children")
        }
        for (index, child) in array.enumerated() {
            place.append(index)
            try check(child, &place, add)
            place.removeLast()
        }
    }

    /// A carousel shows the child that `page` names, so that whoever draws it need not guess which.
    private static func checkPage(_ node: JSON, _ place: [Int]) throws(ViewError) {
        let last = max((node["children"]?.array?.count ?? 0) - 1, 0)
        if let page = node["page"]?.integer, (0...Int64(last)).contains(page) { return }
        let found = node["page"].map { "is \($0.excerpt())" } ?? "is absent"
        throw ViewError(
            text:
                "the page of the view's node \(pointer(place)) of type carousel must be an integer from 0 to \(last), "
                + "the child that is shown; it \(found)"
        )
    }

    private static func pointer(_ place: [Int]) -> String {
        place.isEmpty ? "/" : place.map { "/children/\($0)" }.joined()
    }
}

/// Why something is no view.
struct ViewError: Error {
    let text: String
}
